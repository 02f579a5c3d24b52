//! Slots under test. The protocol's exhaustive model is in `crate::model`.

use super::*;

#[test]
fn the_horizon_is_the_oldest_snapshot() {
    let (slots, mark) = (Slots::new(), Watermark::new(CommitNo(5)));
    let (a, b) = (slots.attach(), slots.attach());
    assert_eq!(a.take_snapshot(|| mark.visible()), CommitNo(5));
    mark.note_applied(CommitNo(6));
    mark.show(CommitNo(6));
    assert_eq!(b.take_snapshot(|| mark.visible()), CommitNo(6));
    mark.note_applied(CommitNo(7));
    mark.show(CommitNo(7));
    assert_eq!(slots.horizon(&mark).0, CommitNo(5));
    a.drop_snapshot();
    assert_eq!(slots.horizon(&mark).0, CommitNo(6));
    assert!(slots.revoke_oldest(CommitNo(7)));
    assert!(!b.holds(CommitNo(6)));
    assert_eq!(slots.horizon(&mark).0, CommitNo(7));
    assert!(!slots.revoke_oldest(CommitNo(7)));
    slots.detach(&b);
}

#[test]
fn tables_overflow_the_inline_places() {
    let slot = Slot::new();
    for word in 1..=40u64 {
        slot.add_table(word);
    }
    assert!((1..=40).all(|w| slot.any_table(|held| held == w)));
    for word in (1..=40u64).rev() {
        slot.remove_table(word);
        assert!(!slot.any_table(|held| held == word));
    }
    assert!(!slot.any_table(|_| true));
}
