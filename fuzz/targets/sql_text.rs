//! See `fuzz::sql_text`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::sql_text::run(data));
