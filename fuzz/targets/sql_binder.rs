//! See `fuzz::sql_binder`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::sql_binder::run(data));
