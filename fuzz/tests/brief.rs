//! Every target with its seeds and a fixed number of mutated inputs: what hours of libFuzzer are in small.
//!
//! `FUZZ_TIMES=100 cargo test -p penstock-fuzz` makes a hundred times as many.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::time::{Duration, Instant};

use fuzz::{TARGETS, Target};
use platform::sim::Rng;

thread_local!(static PANIC: RefCell<String> = const { RefCell::new(String::new()) });

/// Gives the target these bytes; the panic's place and words if it panics.
fn give(target: &Target, input: &[u8]) -> Result<(), String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        std::panic::set_hook(Box::new(|panic| PANIC.with_borrow_mut(|text| *text = panic.to_string())));
    });
    catch_unwind(AssertUnwindSafe(|| (target.run)(input))).map_err(|_| PANIC.with_borrow(String::clone))
}

/// All inputs, whatever some of them do; then one complaint for each place that panicked.
fn run(target: &Target) {
    let start = Instant::now();
    let seeds = (target.seeds)();
    assert!(!seeds.is_empty(), "{} has no seeds", target.name);
    let times = std::env::var("FUZZ_TIMES").map_or(1, |times| times.parse().expect("FUZZ_TIMES is a number"));
    let inputs = u64::from(target.brief) * times;
    let mut panics = BTreeMap::new();
    let mutated = (0..inputs).map(|number| (target.mutate)(&mut Rng::new(number), &seeds));
    let mut slowest = (Duration::ZERO, Vec::new());
    for input in seeds.iter().cloned().chain(mutated) {
        let begun = Instant::now();
        if let Err(panic) = give(target, &input) {
            let place = panic.lines().next().unwrap_or_default().to_owned();
            panics.entry(place).or_insert_with(|| (panic, (target.show)(&input)));
        }
        if begun.elapsed() > slowest.0 {
            slowest = (begun.elapsed(), input);
        }
    }
    println!("{}: {inputs} inputs in {:.1} s", target.name, start.elapsed().as_secs_f64());
    println!("{}: {:.1?} for {:.300}", target.name, slowest.0, (target.show)(&slowest.1));
    for (panic, input) in panics.values() {
        println!("{}: {panic}\n    on {:.1000}", target.name, input);
    }
    assert!(panics.is_empty(), "{} places panic", panics.len());
}

macro_rules! brief {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                run(TARGETS.iter().find(|target| target.name == stringify!($name)).expect("a target's name"));
            }
        )*

        #[test]
        fn every_target_is_run() {
            assert_eq!(TARGETS.map(|target| target.name), [$(stringify!($name)),*]);
        }
    };
}

brief!(binlog_segment packet page_file row sql_binder sql_expression sql_session sql_text text tree_pages);
