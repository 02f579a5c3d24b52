//! Types of columns, targets of CAST, character sets.

use super::*;

/// A type as written; `SERIAL` says more than a type.
pub(super) struct TypeSpec {
    pub ty: DataType,
    pub serial: bool,
    pub compressed: bool,
}

impl<'a> Parser<'a> {
    /// A character set's or collation's name: a word or a string; `BINARY`, `DEFAULT`, `ASCII` too.
    pub(super) fn charset_or_collation_name(&mut self) -> SqlResult<Name> {
        match self.current() {
            Tok::Kw(Kw::BINARY | Kw::DEFAULT) => Ok(self.take_name()?.to_ascii_lowercase()),
            Tok::Str => self.string(),
            _ => self.name(),
        }
    }

    /// `CHARACTER SET`, `CHAR SET`, `CHARSET` consumed.
    pub(super) fn eat_charset_words(&mut self) -> bool {
        self.eat(Kw::CHARSET) || self.eat_two(Kw::CHARACTER, Kw::SET) || self.eat_two(Kw::CHAR, Kw::SET)
    }

    /// `[CHARACTER SET name]`.
    pub(super) fn optional_charset(&mut self) -> SqlResult<Option<Name>> {
        if self.eat_charset_words() { Ok(Some(self.charset_or_collation_name()?)) } else { Ok(None) }
    }

    /// What may follow a string type: CHARACTER SET, COLLATE, BINARY, ASCII, UNICODE.
    pub(super) fn charset_spec(&mut self) -> SqlResult<CharsetSpec> {
        let mut spec = CharsetSpec::default();
        loop {
            if self.eat_charset_words() {
                spec.charset = Some(self.charset_or_collation_name()?);
            } else if self.at(Kw::COLLATE) {
                self.bump();
                spec.collation = Some(self.charset_or_collation_name()?);
            } else if self.eat(Kw::BINARY) {
                spec.binary = true;
            } else if self.eat(Kw::ASCII) {
                spec.charset = Some("latin1".to_owned());
            } else if self.eat(Kw::UNICODE) {
                spec.charset = Some("ucs2".to_owned());
            } else if self.eat(Kw::BYTE) {
                spec.charset = Some("binary".to_owned());
            } else {
                return Ok(spec);
            }
        }
    }

    /// `(n)` or nothing.
    fn length(&mut self) -> SqlResult<Option<u64>> {
        if !self.eat_char(b'(') {
            return Ok(None);
        }
        let n = self.length_number()?;
        self.expect_char(b')')?;
        Ok(Some(n))
    }

    /// A length: any number, cut to its whole part; what is too big fails where the column is made.
    fn length_number(&mut self) -> SqlResult<u64> {
        if !matches!(self.current(), Tok::Int | Tok::Decimal) {
            return Err(self.unexpected());
        }
        let token = self.bump();
        let digits = self.slice(token.span).split(|b| *b == b'.').next().unwrap_or(&[]);
        Ok(digits.iter().fold(0u64, |n, b| n.saturating_mul(10).saturating_add((b - b'0') as u64)))
    }

    /// `(n)`, which must stand.
    fn needed_length(&mut self) -> SqlResult<u64> {
        match self.length()? {
            Some(n) => Ok(n),
            None => Err(self.unexpected()),
        }
    }

    /// `(p[,s])` or nothing.
    fn precision_scale(&mut self) -> SqlResult<(Option<u64>, Option<u64>)> {
        if !self.eat_char(b'(') {
            return Ok((None, None));
        }
        let is_whole = self.current() == Tok::Int;
        let precision = self.length_number()?;
        let mut scale = None;
        if is_whole && self.eat_char(b',') {
            if self.current() != Tok::Int {
                return Err(self.unexpected());
            }
            scale = Some(self.length_number()?);
        }
        self.expect_char(b')')?;
        Ok((Some(precision), scale))
    }

    fn numeric_attrs(&mut self) -> NumericAttrs {
        if self.eat(Kw::SIGNED) {
            return NumericAttrs::default();
        }
        let unsigned = self.eat(Kw::UNSIGNED);
        let zerofill = self.eat(Kw::ZEROFILL);
        if zerofill && !unsigned {
            self.eat(Kw::UNSIGNED);
        }
        NumericAttrs { unsigned: unsigned || zerofill, zerofill }
    }

    fn integer(&mut self, size: IntSize) -> SqlResult<DataType> {
        let width = self.length()?;
        Ok(DataType::Integer { size, width, attrs: self.numeric_attrs() })
    }

    fn decimal(&mut self) -> SqlResult<DataType> {
        let (precision, scale) = self.precision_scale()?;
        Ok(DataType::Decimal { precision, scale, attrs: self.numeric_attrs() })
    }

    fn double(&mut self) -> SqlResult<DataType> {
        self.eat(Kw::PRECISION);
        let (mut precision, mut scale) = (None, None);
        if self.eat_char(b'(') {
            precision = Some(self.length_number()?);
            self.expect_char(b',')?;
            scale = Some(self.length_number()?);
            self.expect_char(b')')?;
        }
        Ok(DataType::Double { precision, scale, attrs: self.numeric_attrs() })
    }

    fn text_type(&mut self, size: LobSize) -> SqlResult<DataType> {
        let length = if size == LobSize::Normal { self.length()? } else { None };
        Ok(DataType::Text { size, length, charset: self.charset_spec()? })
    }

    fn string_values(&mut self) -> SqlResult<Vec<Vec<u8>>> {
        self.paren_list(|p| p.string_bytes())
    }

    /// A column's type.
    pub(super) fn data_type(&mut self) -> SqlResult<TypeSpec> {
        let plain = |ty| Ok(TypeSpec { ty, serial: false, compressed: false });
        let Tok::Kw(kw) = self.tok.tok else { return self.named_type() };
        if matches!(kw, Kw::NATIONAL) {
            self.bump();
            return plain(self.national()?);
        }
        let token = self.tok;
        self.bump();
        let mut ty = match kw {
            Kw::TINYINT | Kw::INT1 => self.integer(IntSize::Tiny)?,
            Kw::SMALLINT | Kw::INT2 => self.integer(IntSize::Small)?,
            Kw::MEDIUMINT | Kw::MIDDLEINT | Kw::INT3 => self.integer(IntSize::Medium)?,
            Kw::INT | Kw::INTEGER | Kw::INT4 => self.integer(IntSize::Int)?,
            Kw::BIGINT | Kw::INT8 => self.integer(IntSize::Big)?,
            Kw::BOOL | Kw::BOOLEAN => {
                DataType::Integer { size: IntSize::Tiny, width: Some(1), attrs: NumericAttrs::default() }
            }
            Kw::DECIMAL | Kw::NUMERIC | Kw::DEC | Kw::FIXED | Kw::NUMBER => self.decimal()?,
            Kw::FLOAT | Kw::FLOAT4 => {
                let (precision, scale) = self.precision_scale()?;
                DataType::Float { precision, scale, attrs: self.numeric_attrs() }
            }
            Kw::DOUBLE | Kw::REAL | Kw::FLOAT8 => self.double()?,
            Kw::BIT => DataType::Bit(self.length()?),
            Kw::YEAR => {
                let length = self.length()?;
                self.numeric_attrs();
                DataType::Year(length)
            }
            Kw::DATE => DataType::Date,
            Kw::TIME => DataType::Time(self.length()?),
            Kw::DATETIME => DataType::DateTime(self.length()?),
            Kw::TIMESTAMP => DataType::Timestamp(self.length()?),
            Kw::CHAR | Kw::CHARACTER if self.eat(Kw::VARYING) => self.varchar()?,
            Kw::CHAR | Kw::CHARACTER => {
                DataType::Char { length: self.length()?, charset: self.charset_spec()? }
            }
            Kw::NCHAR if self.eat(Kw::VARYING) || self.eat(Kw::VARCHAR) => self.national_varchar()?,
            Kw::NCHAR => DataType::Char { length: self.length()?, charset: national_charset() },
            Kw::NVARCHAR => self.national_varchar()?,
            Kw::VARCHAR | Kw::VARCHARACTER | Kw::VARCHAR2 => self.varchar()?,
            Kw::BINARY => DataType::Binary(self.length()?),
            Kw::VARBINARY => DataType::VarBinary(self.needed_length()?),
            Kw::TINYTEXT => self.text_type(LobSize::Tiny)?,
            Kw::TEXT | Kw::CLOB => self.text_type(LobSize::Normal)?,
            Kw::MEDIUMTEXT => self.text_type(LobSize::Medium)?,
            Kw::LONGTEXT => self.text_type(LobSize::Long)?,
            Kw::TINYBLOB => DataType::Blob { size: LobSize::Tiny, length: None },
            Kw::BLOB => DataType::Blob { size: LobSize::Normal, length: self.length()? },
            Kw::MEDIUMBLOB => DataType::Blob { size: LobSize::Medium, length: None },
            Kw::LONGBLOB => DataType::Blob { size: LobSize::Long, length: None },
            Kw::LONG if self.eat(Kw::VARBINARY) => DataType::Blob { size: LobSize::Medium, length: None },
            Kw::LONG => {
                let _ = self.eat(Kw::VARCHAR) || self.eat_two(Kw::CHAR, Kw::VARYING);
                self.text_type(LobSize::Medium)?
            }
            Kw::ENUM => DataType::Enum { values: self.string_values()?, charset: self.charset_spec()? },
            Kw::SET => DataType::Set { values: self.string_values()?, charset: self.charset_spec()? },
            Kw::JSON => DataType::Json,
            Kw::SERIAL => {
                let attrs = NumericAttrs { unsigned: true, zerofill: false };
                return Ok(TypeSpec {
                    ty: DataType::Integer { size: IntSize::Big, width: None, attrs },
                    serial: true,
                    compressed: false,
                });
            }
            kw if is_geometry(kw) => {
                self.length()?;
                DataType::Geometry(kw.text().to_ascii_lowercase())
            }
            kw if !kw.is_reserved() => return self.unknown_type(kw.text()),
            _ => return Err(self.unexpected_at(token.span)),
        };
        let compressed = self.compressed(&mut ty)?;
        Ok(TypeSpec { ty, serial: false, compressed })
    }

    /// `COMPRESSED [= method]` behind a type that can be; the character set stands behind it.
    fn compressed(&mut self, ty: &mut DataType) -> SqlResult<bool> {
        let can_be = matches!(
            ty,
            DataType::VarChar { .. } | DataType::VarBinary(_) | DataType::Text { .. } | DataType::Blob { .. }
        );
        if !can_be || !self.eat(Kw::COMPRESSED) {
            return Ok(false);
        }
        if self.eat_char(b'=') {
            let method = self.name()?;
            if !method.eq_ignore_ascii_case("zlib") {
                return Err(SqlError::unknown_compression_method(method));
            }
        }
        if let DataType::VarChar { charset, .. } | DataType::Text { charset, .. } = ty
            && *charset == CharsetSpec::default()
        {
            *charset = self.charset_spec()?;
        }
        Ok(true)
    }

    /// A type by a name that is no keyword.
    fn named_type(&mut self) -> SqlResult<TypeSpec> {
        let name = self.name()?.to_ascii_lowercase();
        if !matches!(name.as_str(), "uuid" | "inet6" | "inet4") {
            return self.unknown_type(&name);
        }
        Ok(TypeSpec { ty: DataType::Named(name), serial: false, compressed: false })
    }

    fn unknown_type<T>(&self, name: &str) -> SqlResult<T> {
        Err(SqlError::unknown_data_type(name))
    }

    fn varchar(&mut self) -> SqlResult<DataType> {
        Ok(DataType::VarChar { length: self.needed_length()?, charset: self.charset_spec()? })
    }

    /// Behind `NATIONAL`.
    fn national(&mut self) -> SqlResult<DataType> {
        if self.eat(Kw::VARCHAR) || self.eat(Kw::VARCHARACTER) {
            return self.national_varchar();
        }
        if !self.eat(Kw::CHAR) {
            self.expect(Kw::CHARACTER)?;
        }
        if self.eat(Kw::VARYING) {
            return self.national_varchar();
        }
        Ok(DataType::Char { length: self.length()?, charset: national_charset() })
    }

    fn national_varchar(&mut self) -> SqlResult<DataType> {
        let length = self.needed_length()?;
        let binary = self.eat(Kw::BINARY);
        Ok(DataType::VarChar { length, charset: CharsetSpec { binary, ..national_charset() } })
    }

    /// The target of CAST and CONVERT.
    pub(super) fn cast_type(&mut self) -> SqlResult<CastType> {
        let token = self.tok;
        let Tok::Kw(kw) = token.tok else {
            let name = self.name()?.to_ascii_lowercase();
            return match name.as_str() {
                "uuid" | "inet6" | "inet4" => Ok(CastType::Named(name)),
                _ => Err(SqlError::unknown_data_type(name)),
            };
        };
        self.bump();
        let small = |n: Option<u64>| n.map(|n| n.min(u32::MAX as u64) as u32);
        Ok(match kw {
            Kw::BINARY => CastType::Binary(small(self.length()?)),
            Kw::CHAR | Kw::CHARACTER | Kw::VARCHAR => {
                if kw != Kw::VARCHAR {
                    self.eat(Kw::VARYING);
                }
                CastType::Char { length: small(self.length()?), charset: self.charset_spec()? }
            }
            Kw::NCHAR => CastType::Char { length: small(self.length()?), charset: national_charset() },
            Kw::SIGNED | Kw::INT | Kw::INTEGER | Kw::BIGINT => {
                if kw == Kw::SIGNED {
                    let _ = self.eat(Kw::INT) || self.eat(Kw::INTEGER);
                }
                CastType::Signed
            }
            Kw::UNSIGNED => {
                let _ = self.eat(Kw::INT) || self.eat(Kw::INTEGER);
                CastType::Unsigned
            }
            Kw::DATE => CastType::Date,
            Kw::TIME => CastType::Time(self.fractional_digits()?),
            Kw::DATETIME => CastType::DateTime(self.fractional_digits()?),
            Kw::DECIMAL | Kw::NUMERIC | Kw::DEC | Kw::FIXED => {
                let (precision, scale) = self.precision_scale()?;
                let clip = |n: Option<u64>, default| small(n).unwrap_or(default);
                CastType::Decimal { precision: clip(precision, 10), scale: clip(scale, 0) }
            }
            Kw::DOUBLE => {
                self.eat(Kw::PRECISION);
                let (m, d) = self.precision_scale()?;
                CastType::Double(small(m).zip(small(d)))
            }
            Kw::FLOAT => CastType::Float,
            Kw::INTERVAL => {
                self.expect(Kw::DAY_SECOND)?;
                CastType::IntervalDaySecond(self.fractional_digits()?)
            }
            Kw::JSON => CastType::Json,
            Kw::YEAR => CastType::Year,
            kw if is_geometry(kw) => {
                let name = kw.text().to_ascii_lowercase();
                return Err(SqlError::no_such_operator(format!("CAST(expr AS {name})")));
            }
            kw if !kw.is_reserved() => return self.unknown_type(&self.words(token.span)),
            _ => return Err(self.unexpected_at(token.span)),
        })
    }

    /// `(0..6)`, 0 where not given; more is left to the binder's error.
    fn fractional_digits(&mut self) -> SqlResult<u8> {
        Ok(self.length()?.unwrap_or(0).min(u8::MAX as u64) as u8)
    }
}

fn national_charset() -> CharsetSpec {
    CharsetSpec { charset: Some("utf8mb3".to_owned()), ..CharsetSpec::default() }
}

fn is_geometry(kw: Kw) -> bool {
    matches!(kw, Kw::GEOMETRY | Kw::POINT | Kw::LINESTRING | Kw::POLYGON | Kw::GEOMETRYCOLLECTION)
        || matches!(kw, Kw::MULTIPOINT | Kw::MULTILINESTRING | Kw::MULTIPOLYGON)
}
