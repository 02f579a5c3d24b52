//! Inputs that almost decode: good ones with a few things wrong.

use platform::sim::Rng;

/// Numbers at the borders of lengths, counts and signs.
const NASTY: [u64; 14] =
    [0, 1, 0x7F, 0x80, 0xFB, 0xFC, 0xFE, 0xFF, 0x7FFF, 0xFFFF, 0xFF_FFFF, 0x7FFF_FFFF, 0xFFFF_FFFF, u64::MAX];

/// One of `seeds` with one to eight mutations; or, now and then, noise.
pub fn mutated(rng: &mut Rng, seeds: &[Vec<u8>]) -> Vec<u8> {
    if rng.one_in(50) {
        let mut noise = vec![0; rng.below(200) as usize];
        rng.fill(&mut noise);
        return noise;
    }
    let mut input = rng.pick(seeds).clone();
    for _ in 0..=rng.below(8) {
        mutate(rng, &mut input, seeds);
    }
    input
}

fn mutate(rng: &mut Rng, input: &mut Vec<u8>, seeds: &[Vec<u8>]) {
    let len = input.len() as u64;
    let at = rng.below(len.max(1)) as usize;
    let run = rng.below(16) as usize + 1;
    let end = input.len().min(at + run);
    if input.is_empty() {
        input.extend(rng.next_u64().to_le_bytes());
        return;
    }
    match rng.below(9) {
        0 => input[at] ^= 1 << rng.below(8),
        1 => input[at] = rng.next_u64() as u8,
        2 | 3 => {
            let number = rng.pick(&NASTY).to_le_bytes();
            let width = (*rng.pick(&[1, 2, 3, 4, 8])).min(input.len() - at);
            input[at..at + width].copy_from_slice(&number[..width]);
        }
        4 => input.truncate(at),
        5 => {
            input.drain(at..end);
        }
        6 => {
            let mut noise = vec![0; run];
            rng.fill(&mut noise);
            input.splice(at..at, noise);
        }
        7 => {
            let copy = input[at..end].to_vec();
            let to = rng.below(len) as usize;
            input.splice(to..to, copy);
        }
        _ => {
            let other = rng.pick(seeds);
            let from = rng.below(other.len() as u64 + 1) as usize;
            input.truncate(at);
            input.extend(&other[from..]);
        }
    }
}
