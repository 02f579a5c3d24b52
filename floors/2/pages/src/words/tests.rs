//! Word-wise copies against plain byte copies.

use super::*;
use proptest::prelude::*;

fn frame_of(bytes: &[u8]) -> Box<Words> {
    let words: Box<Words> = Box::new(std::array::from_fn(|_| AtomicU64::new(0)));
    copy_in(&words, 0, bytes);
    words
}

fn bytes_of(words: &Words) -> Vec<u8> {
    let mut bytes = vec![0; PAGE_SIZE];
    assert_eq!(copy_out(words, 0, &mut bytes), PAGE_SIZE);
    bytes
}

fn noise() -> Vec<u8> {
    (0..PAGE_SIZE as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect()
}

/// A range inside the page, often short, often at its ends.
fn range() -> impl Strategy<Value = (usize, usize)> {
    let at = prop_oneof![0..64usize, PAGE_SIZE - 64..=PAGE_SIZE, 0..=PAGE_SIZE];
    let len = prop_oneof![0..40usize, 0..=PAGE_SIZE];
    (at, len).prop_map(|(at, len)| (at, len.min(PAGE_SIZE - at)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn copies_are_byte_copies((at, len) in range(), from in 0..PAGE_SIZE) {
        let mut model = noise();
        let words = frame_of(&model);
        let mut out = vec![0; len];
        prop_assert_eq!(copy_out(&words, at, &mut out), len);
        prop_assert_eq!(&out[..], &model[at..at + len]);

        let len = len.min(PAGE_SIZE - from);
        model.copy_within(from..from + len, at.min(PAGE_SIZE - len));
        move_within(&words, from, at.min(PAGE_SIZE - len), len);
        prop_assert!(bytes_of(&words) == model);

        out.truncate(len);
        model[from..from + len].copy_from_slice(&out);
        copy_in(&words, from, &out);
        prop_assert!(bytes_of(&words) == model);

        model[from..from + len].fill(0xA7);
        fill(&words, from, len, 0xA7);
        prop_assert!(bytes_of(&words) == model);
    }

    #[test]
    fn numbers_and_comparisons_are_those_of_the_bytes((at, len) in range(), cut in 0..40usize, change in 0..40usize) {
        let model = noise();
        let words = frame_of(&model);
        let mut padded = model.clone();
        padded.extend([0; 8]);
        let eight: [u8; 8] = padded[at..at + 8].try_into().unwrap();
        let value = u64::from_le_bytes(eight);
        prop_assert_eq!(get_u64(&words, at), value);
        prop_assert_eq!(get_u32(&words, at), value as u32);
        prop_assert_eq!(get_u16(&words, at), value as u16);
        prop_assert_eq!(get_u8(&words, at), value as u8);

        let mut key = model[at..at + len].to_vec();
        prop_assert_eq!(compare(&words, at, len, &key), Order::Equal);
        key.truncate(len.saturating_sub(cut));
        if let Some(byte) = key.get_mut(change) {
            *byte = byte.wrapping_add(1);
        }
        prop_assert_eq!(compare(&words, at, len, &key), model[at..at + len].cmp(&key[..]));
    }
}

/// Lengths and offsets taken from torn bytes must do no harm.
#[test]
fn absurd_ranges_are_clamped() {
    let words = frame_of(&noise());
    let mut out = [1; 16];
    assert_eq!(copy_out(&words, usize::MAX, &mut out), 0);
    assert_eq!(copy_out(&words, PAGE_SIZE - 3, &mut out), 3);
    assert_eq!(get_u64(&words, usize::MAX), 0);
    assert_eq!(get_u16(&words, PAGE_SIZE), 0);
    assert_eq!(compare(&words, usize::MAX, usize::MAX, b"x"), Order::Less);
}

/// Overlaps by less than a word are where a move word by word could read what it has just stored.
#[test]
fn short_moves_over_short_distances_are_byte_moves() {
    let start = &noise()[..256];
    let words = frame_of(start);
    for from in 64..72 {
        for to in 40..104 {
            for len in 0..40 {
                let mut model = start.to_vec();
                copy_in(&words, 0, start);
                move_within(&words, from, to, len);
                model.copy_within(from..from + len, to);
                let mut out = vec![0; 256];
                copy_out(&words, 0, &mut out);
                assert_eq!(out, model, "{from} to {to}, {len} bytes");
            }
        }
    }
}
