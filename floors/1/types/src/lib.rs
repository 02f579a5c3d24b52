//! Values, decimals, temporals, collations, memcomparable keys, row codec, definitions

#![forbid(unsafe_code)]
