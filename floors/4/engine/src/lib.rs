//! Catalog, MVCC, locks, write sets, commit pipeline, recovery

#![forbid(unsafe_code)]
