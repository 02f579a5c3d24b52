//! See `fuzz::sql_expression`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::sql_expression::run(data));
