//! Sessions, accounts, variables and status, process list, metrics

#![forbid(unsafe_code)]
