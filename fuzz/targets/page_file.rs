//! See `fuzz::page_file`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::page_file::run(data));
