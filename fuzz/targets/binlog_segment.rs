//! See `fuzz::binlog_segment`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::binlog_segment::run(data));
