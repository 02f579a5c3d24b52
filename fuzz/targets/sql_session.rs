//! See `fuzz::sql_session`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::sql_session::run(data));
