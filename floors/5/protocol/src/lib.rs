//! Packets, handshake, authentication exchanges, result encoding; bytes in, bytes out

#![forbid(unsafe_code)]
