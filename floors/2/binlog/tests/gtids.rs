//! GTIDs as text, as state, and in the log.

mod support;

use binlog::event::flags2;
use binlog::{GroupBuilder, Gtid, GtidPlan, GtidState, Log, SeqNo, Stamp};
use platform::sim::Disk;
use support::*;

fn state(text: &str) -> GtidState {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn text_goes_both_ways_and_nonsense_is_refused() {
    assert_eq!("0-11-26".parse(), Ok(Gtid { domain: 0, server_id: 11, seq_no: 26 }));
    assert_eq!(state("0-1-5, 7-2-9").to_string(), "0-1-5,7-2-9");
    assert_eq!(state("  ").to_string(), "");
    for nonsense in ["1", "1-2", "1-2-", "-1-2-3", "1-2-3-4", "a-1-1", "1-+2-3", "4294967296-1-1", "0-1-1,"] {
        assert!(nonsense.parse::<GtidState>().is_err(), "{nonsense}");
    }
    let most = "4294967295-4294967295-18446744073709551615";
    assert_eq!(state(most).to_string(), most);
    assert_eq!(state(most).next_seq_no(u32::MAX), u64::MAX, "no overflow");
}

#[test]
fn the_newest_of_a_domain_is_its_position_and_the_highest_counts_on() {
    let mut state = state("0-1-5,0-2-9,3-1-1,0-1-10");
    assert_eq!(state.to_string(), "0-1-10,3-1-1");
    let all: Vec<String> = state.all().map(|gtid| gtid.to_string()).collect();
    assert_eq!(all, ["0-2-9", "0-1-10", "3-1-1"], "each server of a domain, the newest last");
    assert_eq!((state.next_seq_no(0), state.next_seq_no(3), state.next_seq_no(8)), (11, 2, 1));
    // A source behind us: the newest, but not the highest.
    state.note(Gtid { domain: 0, server_id: 4, seq_no: 7 });
    assert_eq!(state.to_string(), "0-4-7,3-1-1");
    assert_eq!(state.next_seq_no(0), 11);
    assert!(state.contains("0-2-9".parse().expect("GTID")) && state.contains("0-2-1".parse().expect("GTID")));
    assert!(
        !state.contains("0-2-10".parse().expect("GTID")) && !state.contains("1-1-1".parse().expect("GTID"))
    );
}

/// Numbers given by a source, or by hand, need not grow: each segment's list still continues the one before.
#[test]
fn numbers_out_of_order_survive_rotations_and_restarts() {
    let disk = Disk::new(1);
    let mut group = GroupBuilder::new(SERVER, 1024);
    let mut wanted = GtidState::new();
    for start in 0..4u64 {
        let (log, _) = Log::open(disk.dir(), nasty(1), None).expect("open");
        assert!(log.gtid_state().all().eq(wanted.all()));
        for step in 0..8u64 {
            let seq_no =
                if step % 3 == 0 { SeqNo::Next } else { SeqNo::Given((start * 7 + step * 5) % 20 + 1) };
            let plan = GtidPlan { domain: (step % 2) as u32, server_id: 1, seq_no };
            group.begin_transaction(plan, flags2::TRANSACTIONAL);
            group.annotate(&text(step, 900));
            group.xid();
            let placed = log.append(&mut group, |_| Stamp::default()).expect("append");
            log.force(placed.end).expect("force");
            wanted.note(placed.gtid.expect("GTID"));
        }
    }
    let report = binlog::verify(&*disk.dir(), "binlog").expect("verify");
    assert_eq!(report.groups, 32);
    assert!(report.segments.len() > 6);
    assert!(report.gtids.all().eq(wanted.all()));
}
