//! B+tree over pages: bytes to bytes

#![forbid(unsafe_code)]
