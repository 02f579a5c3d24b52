//! Binlog v4: events, segments, group append, durable mark, tail scan, reader, GTIDs

#![forbid(unsafe_code)]
