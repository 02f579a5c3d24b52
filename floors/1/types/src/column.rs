//! Column types: what a definition says, what the wire calls it, how many bytes its row value takes.
//!
//! JSON has no type of its own: as in MariaDB it is `LONGTEXT` with collation utf8mb4_bin and a `json_valid` check,
//! which whoever parses the definition writes out.

use std::fmt::Write as _;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::charset::{Charset, CollationId};
use crate::fixed::FixedType;
use crate::geometry::GeometryType;
use crate::value::Value;

/// The type numbers of the client protocol and of the log's TABLE_MAP event.
pub mod wire {
    #![allow(missing_docs)]
    pub const DECIMAL: u8 = 0;
    pub const TINY: u8 = 1;
    pub const SHORT: u8 = 2;
    pub const LONG: u8 = 3;
    pub const FLOAT: u8 = 4;
    pub const DOUBLE: u8 = 5;
    pub const NULL: u8 = 6;
    pub const TIMESTAMP: u8 = 7;
    pub const LONGLONG: u8 = 8;
    pub const INT24: u8 = 9;
    pub const DATE: u8 = 10;
    pub const TIME: u8 = 11;
    pub const DATETIME: u8 = 12;
    pub const YEAR: u8 = 13;
    pub const VARCHAR: u8 = 15;
    pub const BIT: u8 = 16;
    pub const TIMESTAMP2: u8 = 17;
    pub const DATETIME2: u8 = 18;
    pub const TIME2: u8 = 19;
    pub const JSON: u8 = 245;
    pub const NEWDECIMAL: u8 = 246;
    pub const ENUM: u8 = 247;
    pub const SET: u8 = 248;
    pub const TINY_BLOB: u8 = 249;
    pub const MEDIUM_BLOB: u8 = 250;
    pub const LONG_BLOB: u8 = 251;
    pub const BLOB: u8 = 252;
    pub const VAR_STRING: u8 = 253;
    pub const STRING: u8 = 254;
    pub const GEOMETRY: u8 = 255;
}

/// A column's type with its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ColumnType {
    /// TINYINT to BIGINT.
    Integer(IntegerType),
    /// DECIMAL(precision, scale).
    Decimal(DecimalType),
    /// FLOAT, single precision.
    Float(FloatType),
    /// DOUBLE.
    Double(FloatType),
    /// BIT(width), 1 to 64.
    Bit(u8),
    /// YEAR(4).
    Year,
    /// DATE.
    Date,
    /// TIME(fractional digits).
    Time(u8),
    /// DATETIME(fractional digits).
    DateTime(u8),
    /// TIMESTAMP(fractional digits).
    Timestamp(u8),
    /// CHAR(characters).
    Char(u32),
    /// VARCHAR(characters).
    VarChar(u32),
    /// BINARY(bytes).
    Binary(u32),
    /// VARBINARY(bytes).
    VarBinary(u32),
    /// TINYTEXT to LONGTEXT.
    Text(BlobSize),
    /// TINYBLOB to LONGBLOB.
    Blob(BlobSize),
    /// ENUM(labels).
    Enum(Arc<Labels>),
    /// SET(labels).
    Set(Arc<Labels>),
    /// UUID, INET4, INET6.
    Fixed(FixedType),
    /// GEOMETRY and its subtypes.
    Geometry(GeometryType),
}

/// An integer type's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct IntegerType {
    /// Bytes of storage.
    pub size: IntSize,
    /// UNSIGNED.
    pub unsigned: bool,
    /// ZEROFILL (implies unsigned).
    pub zerofill: bool,
    /// Display width; [`IntegerType::new`] gives the default.
    pub width: u8,
}

impl IntegerType {
    /// The type with its default display width.
    pub fn new(size: IntSize, unsigned: bool) -> IntegerType {
        let width = match (size, unsigned) {
            (IntSize::Tiny, false) => 4,
            (IntSize::Tiny, true) => 3,
            (IntSize::Small, false) => 6,
            (IntSize::Small, true) => 5,
            (IntSize::Medium, false) => 9,
            (IntSize::Medium, true) => 8,
            (IntSize::Normal, false) => 11,
            (IntSize::Normal, true) => 10,
            (IntSize::Big, _) => 20,
        };
        IntegerType { size, unsigned, zerofill: false, width }
    }

    /// Smallest and largest value.
    pub fn range(&self) -> (i64, u64) {
        let bits = self.size.bytes() as u32 * 8;
        if self.unsigned {
            (0, u64::MAX >> (64 - bits))
        } else {
            (i64::MIN >> (64 - bits), u64::MAX >> (65 - bits))
        }
    }

    /// A number within the range as a value of the type.
    #[inline]
    pub fn value(&self, n: i64) -> Value {
        if self.unsigned { Value::UInt(n as u64) } else { Value::Int(n) }
    }
}

/// Storage size of an integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum IntSize {
    /// TINYINT, 1 byte.
    Tiny,
    /// SMALLINT, 2 bytes.
    Small,
    /// MEDIUMINT, 3 bytes.
    Medium,
    /// INT, 4 bytes.
    Normal,
    /// BIGINT, 8 bytes.
    Big,
}

impl IntSize {
    /// Bytes of storage.
    pub const fn bytes(self) -> usize {
        match self {
            IntSize::Tiny => 1,
            IntSize::Small => 2,
            IntSize::Medium => 3,
            IntSize::Normal => 4,
            IntSize::Big => 8,
        }
    }
}

/// A decimal type's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DecimalType {
    /// Digits in all, 1 to 65.
    pub precision: u8,
    /// Digits after the point, 0 to 38.
    pub scale: u8,
    /// UNSIGNED.
    pub unsigned: bool,
    /// ZEROFILL (implies unsigned).
    pub zerofill: bool,
}

/// A float type's parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FloatType {
    /// The `(M, D)` of FLOAT(M, D): display length and digits after the point, which values are rounded to.
    pub digits: Option<(u8, u8)>,
    /// UNSIGNED.
    pub unsigned: bool,
    /// ZEROFILL (implies unsigned).
    pub zerofill: bool,
}

/// Size class of TEXT and BLOB types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BlobSize {
    /// Up to 255 bytes.
    Tiny,
    /// Up to 65,535 bytes.
    Normal,
    /// Up to 16 MiB.
    Medium,
    /// Up to 4 GiB.
    Long,
}

impl BlobSize {
    /// Bytes of the length field.
    pub const fn length_bytes(self) -> usize {
        match self {
            BlobSize::Tiny => 1,
            BlobSize::Normal => 2,
            BlobSize::Medium => 3,
            BlobSize::Long => 4,
        }
    }

    /// Largest number of bytes.
    pub const fn max_bytes(self) -> u32 {
        match self {
            BlobSize::Tiny => 0xFF,
            BlobSize::Normal => 0xFFFF,
            BlobSize::Medium => 0xFF_FFFF,
            BlobSize::Long => 0xFFFF_FFFF,
        }
    }
}

/// The labels of an ENUM or SET, in the column's character set.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Labels(Vec<Vec<u8>>);

impl Labels {
    /// Labels in order of declaration.
    pub fn new(labels: Vec<Vec<u8>>) -> Labels {
        Labels(labels)
    }

    /// How many labels there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The label with the number `ordinal`, counted from 1; none for 0.
    pub fn get(&self, ordinal: usize) -> Option<&[u8]> {
        self.0.get(ordinal.checked_sub(1)?).map(Vec::as_slice)
    }

    /// All labels in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.0.iter().map(Vec::as_slice)
    }

    /// The number (from 1) of the label equal to `text` under `collation`; trailing spaces do not count but in bytes.
    pub fn find(&self, text: &[u8], collation: CollationId) -> Option<usize> {
        if collation == CollationId::BINARY {
            return self.0.iter().position(|label| label == text).map(|index| index + 1);
        }
        let collation = collation.collation();
        let trimmed = collation.charset.trim_spaces(text);
        self.0
            .iter()
            .position(|label| collation.compare(collation.charset.trim_spaces(label), trimmed).is_eq())
            .map(|index| index + 1)
    }

    /// Appends the labels whose bits are set, joined by commas of their character set.
    pub fn write_set(&self, bits: u64, charset: Charset, out: &mut Vec<u8>) {
        let mut first = true;
        for (i, label) in self.0.iter().enumerate().take(64) {
            if bits >> i & 1 == 1 {
                if !first {
                    out.extend_from_slice(&charset.of_plain(b","));
                }
                first = false;
                out.extend_from_slice(label);
            }
        }
    }
}

impl ColumnType {
    /// INT, BIGINT ... of the given size and default width.
    pub fn integer(size: IntSize, unsigned: bool) -> ColumnType {
        ColumnType::Integer(IntegerType::new(size, unsigned))
    }

    /// Whether the type takes a character set: CHAR, VARCHAR, TEXT, ENUM, SET.
    pub fn has_charset(&self) -> bool {
        matches!(
            self,
            ColumnType::Char(_)
                | ColumnType::VarChar(_)
                | ColumnType::Text(_)
                | ColumnType::Enum(_)
                | ColumnType::Set(_)
        )
    }

    /// Whether values are strings of characters or bytes (ENUM and SET not counted).
    pub fn is_string(&self) -> bool {
        matches!(
            self,
            ColumnType::Char(_)
                | ColumnType::VarChar(_)
                | ColumnType::Binary(_)
                | ColumnType::VarBinary(_)
                | ColumnType::Text(_)
                | ColumnType::Blob(_)
                | ColumnType::Geometry(_)
        )
    }

    /// Whether this is a TEXT, BLOB or geometry type, which an index takes only by a prefix.
    pub fn is_blob(&self) -> bool {
        matches!(self, ColumnType::Text(_) | ColumnType::Blob(_) | ColumnType::Geometry(_))
    }

    /// Whether the type is a number (YEAR and BIT are).
    pub fn is_numeric(&self) -> bool {
        matches!(
            self,
            ColumnType::Integer(_)
                | ColumnType::Decimal(_)
                | ColumnType::Float(_)
                | ColumnType::Double(_)
                | ColumnType::Bit(_)
                | ColumnType::Year
        )
    }

    /// Whether the type is DATE, TIME, DATETIME or TIMESTAMP.
    pub fn is_temporal(&self) -> bool {
        matches!(
            self,
            ColumnType::Date | ColumnType::Time(_) | ColumnType::DateTime(_) | ColumnType::Timestamp(_)
        )
    }

    /// Whether the type was declared UNSIGNED (YEAR counts as unsigned).
    pub fn is_unsigned(&self) -> bool {
        match self {
            ColumnType::Integer(t) => t.unsigned,
            ColumnType::Decimal(t) => t.unsigned,
            ColumnType::Float(t) | ColumnType::Double(t) => t.unsigned,
            ColumnType::Year | ColumnType::Bit(_) => true,
            _ => false,
        }
    }

    /// Whether the type was declared ZEROFILL (YEAR shows as such on the wire).
    pub fn is_zerofill(&self) -> bool {
        match self {
            ColumnType::Integer(t) => t.zerofill,
            ColumnType::Decimal(t) => t.zerofill,
            ColumnType::Float(t) | ColumnType::Double(t) => t.zerofill,
            ColumnType::Year => true,
            _ => false,
        }
    }

    /// Digits after the point that the wire announces: 31 for a float without declared digits.
    pub fn decimals(&self) -> u8 {
        match self {
            ColumnType::Decimal(t) => t.scale,
            ColumnType::Float(t) | ColumnType::Double(t) => t.digits.map_or(31, |(_, d)| d),
            ColumnType::Time(fsp) | ColumnType::DateTime(fsp) | ColumnType::Timestamp(fsp) => *fsp,
            _ => 0,
        }
    }

    /// The type number in result set column definitions.
    pub fn wire_type(&self) -> u8 {
        match self {
            ColumnType::Integer(t) => t.size.wire_type(),
            ColumnType::Decimal(_) => wire::NEWDECIMAL,
            ColumnType::Float(_) => wire::FLOAT,
            ColumnType::Double(_) => wire::DOUBLE,
            ColumnType::Bit(_) => wire::BIT,
            ColumnType::Year => wire::YEAR,
            ColumnType::Date => wire::DATE,
            ColumnType::Time(_) => wire::TIME,
            ColumnType::DateTime(_) => wire::DATETIME,
            ColumnType::Timestamp(_) => wire::TIMESTAMP,
            ColumnType::VarChar(_) | ColumnType::VarBinary(_) => wire::VAR_STRING,
            ColumnType::Char(_)
            | ColumnType::Binary(_)
            | ColumnType::Enum(_)
            | ColumnType::Set(_)
            | ColumnType::Fixed(_) => wire::STRING,
            ColumnType::Geometry(_) => wire::GEOMETRY,
            ColumnType::Text(_) | ColumnType::Blob(_) => wire::BLOB,
        }
    }

    /// Largest value in bytes in the column's character set, for string types; 0 for others.
    pub fn max_bytes(&self, collation: CollationId) -> u32 {
        let widest = collation.charset().max_char_bytes() as u32;
        match self {
            ColumnType::Char(n) | ColumnType::VarChar(n) => n.saturating_mul(widest),
            ColumnType::Binary(n) | ColumnType::VarBinary(n) => *n,
            ColumnType::Text(size) | ColumnType::Blob(size) => size.max_bytes(),
            ColumnType::Geometry(_) => u32::MAX,
            _ => 0,
        }
    }

    /// Bytes of the length field before a CHAR, BINARY, VARCHAR, VARBINARY, TEXT or BLOB row value; 0 for others.
    pub fn length_bytes(&self, collation: CollationId) -> usize {
        match self {
            ColumnType::Text(size) | ColumnType::Blob(size) => size.length_bytes(),
            ColumnType::Geometry(_) => 4,
            _ if self.is_string() => 1 + usize::from(self.max_bytes(collation) > 255),
            _ => 0,
        }
    }

    /// The length that the wire announces for a column of this type whose results are sent in `results`.
    ///
    /// Numbers: display width; temporals: characters of the text; strings: characters times the widest character of
    /// the results character set (bytes for binary types).
    pub fn display_length(&self, collation: CollationId, results: Charset) -> u32 {
        let fraction = |fsp: u8| if fsp == 0 { 0 } else { u32::from(fsp) + 1 };
        let widest = if collation == CollationId::BINARY { 1 } else { results.max_char_bytes() as u32 };
        match self {
            ColumnType::Integer(t) => u32::from(t.width),
            ColumnType::Decimal(t) => {
                u32::from(t.precision) + u32::from(t.scale > 0) + u32::from(!t.unsigned && t.precision > 0)
            }
            ColumnType::Float(t) => t.digits.map_or(12, |(m, _)| u32::from(m)),
            ColumnType::Double(t) => t.digits.map_or(22, |(m, _)| u32::from(m)),
            ColumnType::Bit(width) => u32::from(*width),
            ColumnType::Year => 4,
            ColumnType::Date => 10,
            ColumnType::Time(fsp) => 10 + fraction(*fsp),
            ColumnType::DateTime(fsp) | ColumnType::Timestamp(fsp) => 19 + fraction(*fsp),
            ColumnType::Char(n) | ColumnType::VarChar(n) => n.saturating_mul(widest),
            ColumnType::Binary(n) | ColumnType::VarBinary(n) => *n,
            ColumnType::Blob(size) => size.max_bytes(),
            ColumnType::Fixed(ty) => ty.text_length() * results.max_char_bytes() as u32,
            ColumnType::Geometry(_) => u32::MAX,
            // A TEXT's bytes count as characters here.
            ColumnType::Text(size) => size.max_bytes().saturating_mul(widest),
            ColumnType::Enum(labels) => {
                let charset = collation.charset();
                let longest = labels.iter().map(|l| charset.char_count(l) as u32).max().unwrap_or(0);
                longest.saturating_mul(widest)
            }
            ColumnType::Set(labels) => {
                let charset = collation.charset();
                let all: u32 = labels.iter().map(|l| charset.char_count(l) as u32).sum();
                all.saturating_add((labels.len() as u32).saturating_sub(1)).saturating_mul(widest)
            }
        }
    }

    /// Bytes of the longest text of a value in the column's own character set: the width of its field in files where nothing
    /// parts the fields.
    pub fn text_bytes(&self, collation: CollationId) -> u32 {
        match self {
            ColumnType::Text(size) => size.max_bytes(),
            ColumnType::Fixed(ty) => ty.text_length(),
            _ => self.display_length(collation, collation.charset()),
        }
    }

    /// The type as SHOW CREATE TABLE writes it, without character set: `int(10) unsigned`, `enum('a','b')`.
    pub fn sql_text(&self, collation: CollationId) -> String {
        let mut text = String::new();
        let fraction =
            |name: &str, fsp: u8| if fsp == 0 { name.to_string() } else { format!("{name}({fsp})") };
        match self {
            ColumnType::Integer(t) => {
                let _ = write!(text, "{}({})", t.size.name(), t.width);
            }
            ColumnType::Decimal(t) => {
                let _ = write!(text, "decimal({},{})", t.precision, t.scale);
            }
            ColumnType::Float(t) | ColumnType::Double(t) => {
                text.push_str(if matches!(self, ColumnType::Float(_)) { "float" } else { "double" });
                if let Some((m, d)) = t.digits {
                    let _ = write!(text, "({m},{d})");
                }
            }
            ColumnType::Bit(width) => {
                let _ = write!(text, "bit({width})");
            }
            ColumnType::Year => text.push_str("year(4)"),
            ColumnType::Date => text.push_str("date"),
            ColumnType::Time(fsp) => text = fraction("time", *fsp),
            ColumnType::DateTime(fsp) => text = fraction("datetime", *fsp),
            ColumnType::Timestamp(fsp) => text = fraction("timestamp", *fsp),
            ColumnType::Char(n) => text = format!("char({n})"),
            ColumnType::VarChar(n) => text = format!("varchar({n})"),
            ColumnType::Binary(n) => text = format!("binary({n})"),
            ColumnType::VarBinary(n) => text = format!("varbinary({n})"),
            ColumnType::Text(size) => text = format!("{}text", size.prefix()),
            ColumnType::Blob(size) => text = format!("{}blob", size.prefix()),
            ColumnType::Enum(labels) => text = labels_text("enum", labels, collation),
            ColumnType::Set(labels) => text = labels_text("set", labels, collation),
            ColumnType::Fixed(ty) => text.push_str(ty.name()),
            ColumnType::Geometry(ty) => text.push_str(ty.name()),
        }
        if !matches!(self, ColumnType::Year | ColumnType::Bit(_)) {
            if self.is_unsigned() {
                text.push_str(" unsigned");
            }
            if self.is_zerofill() {
                text.push_str(" zerofill");
            }
        }
        text
    }
}

impl IntSize {
    fn wire_type(self) -> u8 {
        match self {
            IntSize::Tiny => wire::TINY,
            IntSize::Small => wire::SHORT,
            IntSize::Medium => wire::INT24,
            IntSize::Normal => wire::LONG,
            IntSize::Big => wire::LONGLONG,
        }
    }

    fn name(self) -> &'static str {
        match self {
            IntSize::Tiny => "tinyint",
            IntSize::Small => "smallint",
            IntSize::Medium => "mediumint",
            IntSize::Normal => "int",
            IntSize::Big => "bigint",
        }
    }
}

impl BlobSize {
    fn prefix(self) -> &'static str {
        match self {
            BlobSize::Tiny => "tiny",
            BlobSize::Normal => "",
            BlobSize::Medium => "medium",
            BlobSize::Long => "long",
        }
    }
}

fn labels_text(kind: &str, labels: &Labels, collation: CollationId) -> String {
    let quoted: Vec<String> = labels
        .iter()
        .map(|label| format!("'{}'", collation.charset().to_utf8_lossy(label).replace('\'', "''")))
        .collect();
    format!("{kind}({})", quoted.join(","))
}
