//! One flipped byte anywhere: told with file and place, or harmless; never a wrong row, never a lost one in silence.

use crate::fixture::*;
use engine::{Engine, Read, RowBuf, TxnOptions};
use pages::{PageNo, PoolOptions, Store, TreeNo};
use platform::sim::{Disk, Rng};
use std::ops::Bound;
use tree::{Action, Tree};

/// Two tables of some pages each; `checkpoint` says whether they are in the page file or in the log.
fn filled(checkpoint: bool) -> Disk {
    let disk = Disk::new(5);
    let engine = engine_with(&disk, vec![plain("a"), plain("b")]);
    for name in ["a", "b"] {
        let rows: Vec<Vec<Option<i64>>> = (0..1500).map(|i| vec![Some(i), Some(i * 3)]).collect();
        // Small groups: their rows share events, and all of them together shall fill more than a segment.
        for chunk in rows.chunks(15) {
            insert_rows(&engine, name, &chunk.iter().map(Vec::as_slice).collect::<Vec<_>>());
        }
    }
    if checkpoint {
        engine.checkpoint().unwrap();
    }
    engine.log().seal().unwrap();
    drop(engine);
    disk.after_kill()
}

/// Reads a table to its end or to an error; rows that come must be right and in order.
fn read(engine: &Engine, name: &str) -> Result<u64, String> {
    let mut txn = engine.begin(TxnOptions::default());
    let table = txn.lock_table("d", name, engine::Mdl::Read).map_err(|e| e.to_string())?;
    let (all, forward) = (engine::KeyRange::ALL, engine::Direction::Forward);
    let mut scan =
        txn.scan(&table, engine::CLUSTERED, all, forward, Read::Snapshot).map_err(|e| e.to_string())?;
    let (mut row, mut count) = (RowBuf::default(), 0);
    while scan.next(&mut txn, &mut row).map_err(|e| e.to_string())? {
        assert_eq!(values(&table, &row.row), [Some(count), Some(count * 3)], "a wrong row was returned");
        count += 1;
    }
    Ok(count as u64)
}

fn tells_file_and_place(error: &str, file: &str) {
    assert!(error.contains(file), "{error}");
    assert!(error.contains("byte") || error.contains("offset"), "{error}");
}

#[test]
fn a_flipped_byte_in_the_page_file_is_told_and_other_tables_stay_readable() {
    let disk = filled(true);
    let len = disk.dir().open("penstock.data", platform::file::OpenMode::READ).unwrap().len().unwrap();
    let mut rng = Rng::new(1);
    let (mut told, mut one_readable) = (0, 0);
    for _ in 0..120 {
        let at = rng.below(len.min(40 * 16384));
        let damaged = disk.snapshot();
        assert!(damaged.flip_byte("penstock.data", at));
        let engine = match Engine::open(options(&damaged)) {
            Ok((engine, _)) => engine,
            Err(error) => {
                tells_file_and_place(&error.to_string(), "penstock.data");
                told += 1;
                continue;
            }
        };
        let results: Vec<_> = ["a", "b"].map(|name| read(&engine, name)).into();
        for result in &results {
            match result {
                Ok(count) => assert_eq!(*count, 1500, "rows were lost in silence, byte {at}"),
                Err(error) => tells_file_and_place(error, "penstock.data"),
            }
        }
        let errors = results.iter().filter(|r| r.is_err()).count();
        told += usize::from(errors > 0);
        one_readable += usize::from(errors == 1);
        assert!(errors < 2, "damage to one page must not take both tables: byte {at}: {results:?}");
    }
    assert!(told > 0 && one_readable > 0, "{told} told, {one_readable} with the other table readable");
}

/// A tree without a root is an empty one only if it has no pages: what was lost does not pass for what never was.
#[test]
fn a_root_that_is_lost_is_told() {
    let disk = filled(true);
    let refused = |change: &dyn Fn(&Store, &mut Vec<u8>)| {
        let disk = disk.snapshot();
        let (store, report) = Store::open(&disk.dir(), &PoolOptions::default()).unwrap();
        let mut meta = report.meta;
        change(&store, &mut meta);
        let checkpoint = |close: pages::Close<'_>| {
            close.close();
            meta
        };
        store.checkpoint(checkpoint).unwrap();
        drop(store);
        Engine::open(options(&disk)).map(|_| ()).map_err(|error| error.to_string())
    };
    refused(&|_, _| {}).unwrap();
    let error = refused(&|store, meta| {
        let root = u32::from_le_bytes(meta[24..28].try_into().unwrap());
        let catalog = Tree::open(store, TreeNo(1), PageNo(root));
        let mut roots =
            catalog.cursor(Bound::Included(b"R"), Bound::Excluded(b"S"), tree::Direction::Forward);
        assert!(roots.advance(&catalog).unwrap());
        catalog.upsert(roots.key(), |_| Action::Delete).unwrap();
    });
    let error = error.unwrap_err();
    assert!(error.contains("find a tree's root") && error.contains("d.a"), "{error}");
    let error = refused(&|_, meta| meta[24..28].fill(0)).unwrap_err();
    assert!(error.contains("read the checkpoint"), "{error}");
}

#[test]
fn a_flipped_byte_in_the_log_is_told_or_harmless() {
    let disk = filled(false);
    let segments: Vec<(String, u64)> = disk
        .dir()
        .list()
        .unwrap()
        .into_iter()
        .filter(|name| name.starts_with("binlog.0"))
        .map(|name| {
            let len = disk.dir().open(&name, platform::file::OpenMode::READ).unwrap().len().unwrap();
            (name, len)
        })
        .collect();
    assert!(segments.len() > 1, "the log rotates in this test");
    let mut rng = Rng::new(2);
    let mut told = 0;
    for _ in 0..120 {
        let (name, len) = rng.pick(&segments).clone();
        let at = rng.below(len);
        let damaged = disk.snapshot();
        assert!(damaged.flip_byte(&name, at));
        match Engine::open(options(&damaged)) {
            Ok((engine, _)) => {
                assert_eq!((read(&engine, "a"), read(&engine, "b")), (Ok(1500), Ok(1500)), "{name} {at}");
            }
            Err(error) => {
                tells_file_and_place(&error.to_string(), &name);
                told += 1;
            }
        }
    }
    assert!(told > 60, "{told}");
}
