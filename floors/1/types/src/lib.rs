//! Values, decimals, temporals, collations, memcomparable keys, row codec, definitions.
//!
//! Everything here is pure data and pure functions: no storage, no sockets, no session state. What depends on a
//! session (time zone, `sql_mode` date flags, results character set) comes in as a parameter.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`value`] | [`Value`], the one dynamic value; how ENUM, SET, BIT, YEAR, TIMESTAMP appear in it |
//! | [`mod@column`], [`table`], [`view`] | column types and definitions of columns, indexes, keys, tables, views (serde) |
//! | [`charset`] | character sets and collations: conversion, comparison, weights, LIKE, case |
//! | [`decimal`] | exact decimal numbers up to 65 digits |
//! | [`temporal`] | dates, times, intervals, time zones |
//! | [`number`] | text of floats and integers, number prefixes of strings |
//! | [`row`] | the row image (binlog FULL image) and its way to the wire |
//! | [`fixed`] | UUID, INET4, INET6 |
//! | [`geometry`] | geometries as columns keep them |
//! | [`key`] | memcomparable keys |
//! | [`convert`] | value to column, value to number or string, mixed comparison |

#![forbid(unsafe_code)]

pub mod charset;
pub mod column;
pub mod convert;
pub mod decimal;
pub mod fixed;
pub mod geometry;
pub mod key;
pub mod number;
pub mod packed;
pub mod row;
pub mod table;
pub mod temporal;
pub mod value;
pub mod view;

pub use charset::{Charset, Collation, CollationId};
pub use column::{BlobSize, ColumnType, DecimalType, FloatType, IntSize, IntegerType, Labels};
pub use decimal::Decimal;
pub use fixed::{FixedType, FixedValue};
pub use geometry::GeometryType;
pub use key::IndexKey;
pub use row::{ColumnLayout, RowError, RowLayout, WireOptions};
pub use table::{
    CheckDef, ColumnDef, DefaultValue, ForeignKeyDef, Generated, IndexAlgorithm, IndexDef, IndexKind,
    IndexOptions, IndexPart, ReferentialAction, TableDef,
};
pub use temporal::{Date, DateMode, DateTime, TemporalParse, Time, TimeZone, Timestamp};
pub use value::{BitValue, Bytes, EnumValue, SetValue, StrValue, Value};
pub use view::{ViewAlgorithm, ViewCheck, ViewDef};
