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

/// So many choices for a grammar.
pub fn choices(seed: u64, count: usize) -> Vec<u8> {
    let mut choices = vec![0; count];
    Rng::new(seed).fill(&mut choices);
    choices
}

/// Bytes as choices for a grammar: new ones, or those of a seed with a few others among them.
pub fn chosen(rng: &mut Rng, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut input = match rng.one_in(4) {
        true => rng.pick(seeds).clone(),
        false => choices(rng.next_u64(), 8 + rng.below(300) as usize),
    };
    for _ in 0..rng.below(4) {
        mutate(rng, &mut input, seeds);
    }
    input
}

/// What SQL is likely to stumble over.
const WORDS: [&str; 40] = [
    "NULL",
    "0",
    "-1",
    "1e400",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "''",
    "'x'",
    "0.1",
    "99999999999999999999999999999999999999.9",
    "'2024-02-30'",
    "'0000-00-00'",
    "'99:99:99'",
    "'\u{e9}\u{1F600}'",
    "?",
    "@x",
    "(",
    ")",
    ",",
    ";",
    "*",
    "a",
    "b",
    "c",
    "t",
    "u",
    "d.t",
    "NOT",
    "DISTINCT",
    "(SELECT 1)",
    "(SELECT a FROM t)",
    "-",
    "COUNT(*)",
    "SUM(a)",
    "1 DIV 0",
    "INTERVAL 1 DAY",
    "x'FF'",
    "_latin1'\\\\'",
    "9999999999",
];

/// One of `seeds`, statements, with one to four words left out, doubled, swapped or replaced by words of others.
pub fn reworded(rng: &mut Rng, seeds: &[Vec<u8>]) -> Vec<u8> {
    if rng.one_in(10) {
        return mutated(rng, seeds);
    }
    let mut words = words_of(rng.pick::<Vec<u8>>(seeds));
    for _ in 0..=rng.below(4) {
        let at = rng.below(words.len() as u64) as usize;
        match rng.below(6) {
            0 if words.len() > 1 => {
                words.remove(at);
            }
            1 => words.insert(at, words[at].clone()),
            2 => {
                let other = rng.below(words.len() as u64) as usize;
                words.swap(at, other);
            }
            3 => words[at] = rng.pick(&WORDS).as_bytes().to_vec(),
            4 => {
                let others = words_of(rng.pick::<Vec<u8>>(seeds));
                words[at] = rng.pick(&others).clone();
            }
            _ => {
                // A run of words from elsewhere, such as a whole call or clause.
                let others = words_of(rng.pick::<Vec<u8>>(seeds));
                let from = rng.below(others.len() as u64) as usize;
                let run = others.into_iter().skip(from).take(rng.below(8) as usize + 1);
                words.splice(at..at, run);
            }
        }
    }
    words.join(&b' ')
}

/// Splits a statement into names, numbers, quoted strings and single marks. Never empty.
fn words_of(text: &[u8]) -> Vec<Vec<u8>> {
    let mut words: Vec<Vec<u8>> = vec![Vec::new()];
    let mut quote = None;
    let mut inside = false;
    for byte in text {
        let of_word = byte.is_ascii_alphanumeric() || b"_@.".contains(byte) || !byte.is_ascii();
        match quote {
            Some(_) => words.last_mut().expect("never empty").push(*byte),
            None if of_word && inside => words.last_mut().expect("never empty").push(*byte),
            None if byte.is_ascii_whitespace() => {}
            None => words.push(vec![*byte]),
        }
        quote = match quote {
            Some(open) if open == *byte => None,
            None if b"'\"`".contains(byte) => Some(*byte),
            kept => kept,
        };
        inside = of_word && quote.is_none();
    }
    if words.len() > 1 {
        words.remove(0);
    }
    words
}
