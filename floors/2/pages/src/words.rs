//! Bytes in and out of a frame through relaxed atomic words.
//!
//! A frame is an array of `AtomicU64`, and nothing else of this process ever touches its memory while a reader without
//! a latch may be looking: every load and every store is one whole aligned word, relaxed (mixed sizes would be a data
//! race in Rust's model). Only the kernel stores otherwise, a page that it reads from the file (`load`). What makes the
//! copies meaningful is the protocol of `latch`. Byte order inside a word is the memory's, so bytes lie in a frame as
//! they lie in the file on every machine.
//!
//! All functions clamp: whatever offset and length a reader took from bytes not yet validated, nothing outside the
//! frame is touched and nothing panics. Writers hold the latch; for them a range outside the payload is a bug, which
//! the callers assert.

use crate::page::PAGE_SIZE;
use std::cmp::Ordering as Order;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Words of a page.
pub(crate) const WORDS: usize = PAGE_SIZE / 8;

/// Bytes and words that are copied in one go.
const LINE: usize = 64;
const LINE_WORDS: usize = LINE / 8;

/// The memory of one frame.
pub(crate) type Words = [AtomicU64; WORDS];

/// The bytes of a frame, or of other memory of its size.
///
/// # Safety
/// Nobody stores into the words while the borrow lives. Others may load: loads do not race with loads.
#[inline(always)]
pub(crate) unsafe fn as_bytes(words: &Words) -> &[u8; PAGE_SIZE] {
    // SAFETY: the words are PAGE_SIZE initialised bytes, and the caller keeps stores away.
    unsafe { &*words.as_ptr().cast() }
}

/// The word at `index` with its first byte in memory as the lowest; zero outside.
#[inline(always)]
pub(crate) fn word(words: &Words, index: usize) -> u64 {
    match words.get(index) {
        Some(word) => u64::from_le(word.load(Relaxed)),
        None => 0,
    }
}

/// Eight bytes from any offset, the first as the lowest.
#[inline(always)]
pub(crate) fn get_u64(words: &Words, at: usize) -> u64 {
    let (index, shift) = (at / 8, (at % 8) * 8);
    let low = word(words, index) >> shift;
    if shift == 0 { low } else { low | word(words, index.wrapping_add(1)) << (64 - shift) }
}

#[inline(always)]
pub(crate) fn get_u32(words: &Words, at: usize) -> u32 {
    let (index, shift) = (at / 8, (at % 8) * 8);
    if shift <= 32 { (word(words, index) >> shift) as u32 } else { get_u64(words, at) as u32 }
}

#[inline(always)]
pub(crate) fn get_u16(words: &Words, at: usize) -> u16 {
    let (index, shift) = (at / 8, (at % 8) * 8);
    if shift <= 48 { (word(words, index) >> shift) as u16 } else { get_u64(words, at) as u16 }
}

#[inline(always)]
pub(crate) fn get_u8(words: &Words, at: usize) -> u8 {
    (word(words, at / 8) >> ((at % 8) * 8)) as u8
}

/// Copies bytes from `at` on; returns how many there were (fewer than asked for only at the frame's end).
#[inline]
pub(crate) fn copy_out(words: &Words, at: usize, into: &mut [u8]) -> usize {
    let at = at.min(PAGE_SIZE);
    let len = into.len().min(PAGE_SIZE - at);
    let into = &mut into[..len];
    let head = (at.wrapping_neg() % 8).min(len);
    if head > 0 {
        let bytes = words[at / 8].load(Relaxed).to_ne_bytes();
        into[..head].copy_from_slice(&bytes[at % 8..at % 8 + head]);
    }
    let (body, from) = (&mut into[head..], &words[(at + head) / 8..]);
    // Lines first, so that a page's copy is not all counting.
    let (lines, rest) = body.as_chunks_mut::<LINE>();
    let (from_lines, _) = from.as_chunks::<LINE_WORDS>();
    let mut used = 0;
    for (line, words) in lines.iter_mut().zip(from_lines) {
        let (chunks, _) = line.as_chunks_mut::<8>();
        for (chunk, word) in chunks.iter_mut().zip(words) {
            *chunk = word.load(Relaxed).to_ne_bytes();
        }
        used += LINE_WORDS;
    }
    let (chunks, tail) = rest.as_chunks_mut::<8>();
    for (chunk, word) in chunks.iter_mut().zip(&from[used..]) {
        *chunk = word.load(Relaxed).to_ne_bytes();
    }
    used += chunks.len();
    if let Some(word) = from.get(used) {
        let bytes = word.load(Relaxed).to_ne_bytes();
        let n = tail.len();
        tail.copy_from_slice(&bytes[..n]);
    }
    len
}

/// Compares `len` bytes from `at` on with `key`, as byte strings.
#[inline]
pub(crate) fn compare(words: &Words, at: usize, len: usize, key: &[u8]) -> Order {
    let at = at.min(PAGE_SIZE);
    let len = len.min(PAGE_SIZE - at);
    let common = len.min(key.len());
    let mut done = 0;
    while common - done >= 8 {
        let ours = get_u64(words, at + done).swap_bytes();
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&key[done..done + 8]);
        let theirs = u64::from_be_bytes(bytes);
        if ours != theirs {
            return ours.cmp(&theirs);
        }
        done += 8;
    }
    while done < common {
        let ours = get_u8(words, at + done);
        if ours != key[done] {
            return ours.cmp(&key[done]);
        }
        done += 1;
    }
    len.cmp(&key.len())
}

/// Replaces `count` bytes of a word, from its byte `first` on.
#[inline(always)]
fn patch(word: &AtomicU64, first: usize, from: &[u8]) {
    // Load and store need not be one step: the caller holds the latch, so it is the only writer.
    let mut bytes = word.load(Relaxed).to_ne_bytes();
    bytes[first..first + from.len()].copy_from_slice(from);
    word.store(u64::from_ne_bytes(bytes), Relaxed);
}

/// Stores bytes from `at` on. The caller holds the latch and has checked the range.
#[inline]
pub(crate) fn copy_in(words: &Words, at: usize, from: &[u8]) {
    let head = (at.wrapping_neg() % 8).min(from.len());
    if head > 0 {
        patch(&words[at / 8], at % 8, &from[..head]);
    }
    let (body, into) = (&from[head..], &words[(at + head) / 8..]);
    let chunks = body.chunks_exact(8);
    let tail = chunks.remainder();
    let mut used = 0;
    for (chunk, word) in chunks.zip(into) {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(chunk);
        word.store(u64::from_ne_bytes(bytes), Relaxed);
        used += 1;
    }
    if !tail.is_empty() {
        patch(&into[used], 0, tail);
    }
}

/// Stores `len` times `byte` from `at` on. The caller holds the latch and has checked the range.
pub(crate) fn fill(words: &Words, at: usize, len: usize, byte: u8) {
    let pattern = [byte; 8];
    let head = (at.wrapping_neg() % 8).min(len);
    let (body, tail) = ((len - head) / 8, (len - head) % 8);
    if head > 0 {
        patch(&words[at / 8], at % 8, &pattern[..head]);
    }
    let start = (at + head) / 8;
    words[start..start + body].iter().for_each(|word| word.store(u64::from_ne_bytes(pattern), Relaxed));
    if tail > 0 {
        patch(&words[start + body], 0, &pattern[..tail]);
    }
}

/// Copies `len` bytes inside the frame, overlapping or not. The caller holds the latch and has checked the ranges.
///
/// A word of the destination is stored only after all source bytes that it overlays have been read: moves to lower
/// places run upwards, moves to higher ones downwards, and the ragged ends come in their turn.
pub(crate) fn move_within(words: &Words, from: usize, to: usize, len: usize) {
    if len == 0 || from == to {
        return;
    }
    let head = (to.wrapping_neg() % 8).min(len);
    let body = (len - head) / 8;
    let tail = (len - head) % 8;
    let ragged = |at: usize, n: usize| {
        if n > 0 {
            let bytes = get_u64(words, from + at).to_le_bytes();
            patch(&words[(to + at) / 8], (to + at) % 8, &bytes[..n]);
        }
    };
    let upwards = to < from;
    if upwards {
        ragged(0, head);
        move_words(words, from + head, (to + head) / 8, body, upwards);
        ragged(head + body * 8, tail);
    } else {
        ragged(head + body * 8, tail);
        move_words(words, from + head, (to + head) / 8, body, upwards);
        ragged(0, head);
    }
}

/// Stores `count` words from word `to` on, their bytes taken from byte `from` on. Each source word is loaded once.
#[inline]
fn move_words(words: &Words, from: usize, to: usize, count: usize, upwards: bool) {
    if count == 0 {
        return;
    }
    let into = &words[to..to + count];
    let (first, shift) = (from / 8, (from % 8) * 8);
    let load = |word: &AtomicU64| u64::from_le(word.load(Relaxed));
    if shift == 0 {
        let pairs = words[first..first + count].iter().zip(into);
        let copy = |(source, word): (&AtomicU64, &AtomicU64)| word.store(source.load(Relaxed), Relaxed);
        if upwards { pairs.for_each(copy) } else { pairs.rev().for_each(copy) }
    } else if upwards {
        let mut low = load(&words[first]);
        for (source, word) in words[first + 1..first + 1 + count].iter().zip(into) {
            let high = load(source);
            word.store((low >> shift | high << (64 - shift)).to_le(), Relaxed);
            low = high;
        }
    } else {
        let mut high = load(&words[first + count]);
        for (source, word) in words[first..first + count].iter().zip(into).rev() {
            let low = load(source);
            word.store((low >> shift | high << (64 - shift)).to_le(), Relaxed);
            high = low;
        }
    }
}

#[cfg(test)]
mod tests;
