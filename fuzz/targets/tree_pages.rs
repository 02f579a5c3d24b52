//! See `fuzz::tree_pages`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::tree_pages::run(data));
