//! kill -9 at random moments of a process that changes pages and checkpoints on a real disk.

mod harness;

use harness::{fill, number_of, options, read};
use pages::{Kind, PageNo, Store, TreeNo};
use platform::file::{Dir, RealDir};
use platform::sim::Rng;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

const CHILD: &str = "PENSTOCK_PAGES_KILL_DIR";
/// Three times the pool.
const PAGES: u32 = 192;
const STRIDE: u64 = 7;

/// What a page holds in checkpoint `number`: the last one that changed it, every seventh does.
fn seed(page: u32, number: u64) -> u64 {
    let changed = (0..=number).rev().find(|number| number % STRIDE == u64::from(page) % STRIDE);
    changed.map_or(0, |changed| changed * 1000 + u64::from(page))
}

fn open(dir: &Arc<dyn Dir>) -> (Store, u64) {
    if !Store::exists(&**dir).unwrap() {
        return (Store::create(dir, &options()).unwrap().0, 0);
    }
    let (store, report) = Store::open(dir, &options()).unwrap();
    assert_eq!(report.damage, []);
    (store, number_of(&report.meta))
}

/// Changes and checkpoints until killed, telling the parent what is complete.
fn child(dir: &str) {
    let dir: Arc<dyn Dir> = Arc::new(RealDir::new(dir, false).unwrap());
    let (store, mut number) = open(&dir);
    if store.trees().is_empty() {
        for _ in 0..PAGES {
            let mut page = store.alloc(TreeNo(1), Kind(1)).unwrap();
            let first = page.page().0;
            fill(&mut page, seed(first, 0));
        }
    }
    let change = |number: u64| {
        for page in (1..=PAGES).filter(|page| number % STRIDE == u64::from(*page) % STRIDE) {
            fill(&mut store.lock(PageNo(page)).unwrap(), seed(page, number));
        }
    };
    let (to_change, changes) = std::sync::mpsc::channel::<u64>();
    let (changed, wait_changed) = std::sync::mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let changed = changed;
            for number in changes {
                change(number);
                changed.send(()).unwrap();
            }
        });
        change(number + 1);
        loop {
            number += 1;
            // The next checkpoint's changes are made while this one is written.
            let report = store.checkpoint(|close| {
                close.close();
                to_change.send(number + 1).unwrap();
                number.to_le_bytes().to_vec()
            });
            report.unwrap();
            println!("complete {number}");
            wait_changed.recv().unwrap();
        }
    });
}

#[test]
#[ignore = "the process that `a_killed_process_loses_nothing_checkpointed` kills"]
fn killed_process() {
    if let Ok(dir) = std::env::var(CHILD) {
        child(&dir);
    }
}

#[test]
fn a_killed_process_loses_nothing_checkpointed() {
    let temp = tempfile::tempdir().unwrap();
    let mut rng = Rng::new(5);
    let mut last = 0;
    for round in 0..12 {
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "killed_process", "--ignored", "--nocapture"])
            .env(CHILD, temp.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let (tell, told) = std::sync::mpsc::channel();
        let listener = std::thread::spawn(move || {
            let numbers = output.lines().map_while(Result::ok);
            for number in numbers.filter_map(|line| line.strip_prefix("complete ")?.parse::<u64>().ok()) {
                tell.send(number).unwrap();
            }
        });
        // Some are killed while they start, most after a checkpoint, wherever they are.
        let mut complete = last;
        if round % 4 > 0 {
            complete = told.recv_timeout(Duration::from_secs(30)).unwrap();
        }
        std::thread::sleep(Duration::from_millis(rng.below(60)));
        process.kill().unwrap();
        process.wait().unwrap();
        listener.join().unwrap();
        let complete = told.try_iter().fold(complete, u64::max);
        let dir: Arc<dyn Dir> = Arc::new(RealDir::new(temp.path(), false).unwrap());
        if !Store::exists(&*dir).unwrap() {
            assert_eq!(complete, 0);
            continue;
        }
        let (store, found) = open(&dir);
        assert!(found >= complete, "checkpoint {complete} was complete, {found} is what is found");
        let pages = if found == 0 { 0 } else { PAGES };
        for page in 1..=pages {
            assert_eq!(read(&store, page).unwrap(), (1, seed(page, found)), "page {page}");
        }
        last = found;
    }
    assert!(last >= 9, "{last} checkpoints");
}
