//! See `fuzz::row`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::row::run(data));
