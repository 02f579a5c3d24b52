//! Text made after a pattern: SFORMAT, TO_CHAR; and NATURAL_SORT_KEY.

use super::super::operand::{self, Dates};
use super::super::{Class, Coercibility, Expr, Kind, Named, Type, TypeKind};
use super::Function;
use super::calendar::silent_of_zero;
use super::string::{collation_of, string, text, text_of_length};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::build::silently;
use crate::expr::compare::printable;
use crate::session::{Level, State};
use types::temporal::calendar::{DAY_NAMES, MONTH_NAMES};
use types::{Charset, CollationId, DateTime, Value};

macro_rules! function {
    ($name:literal, $min:expr, $max:expr, $ty:expr, $evaluate:expr) => {
        Function { name: $name, min: $min, max: $max, ty: $ty, evaluate: $evaluate, deterministic: true }
    };
}

/// The functions of this module.
pub static FUNCTIONS: &[Function] = &[
    function!("natural_sort_key", 1, 1, natural_type, natural_sort_key),
    function!("sformat", 1, usize::MAX, sformat_type, sformat),
    function!("to_char", 1, 2, to_char_type, to_char),
];

fn natural_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let (collation, coercibility) = match args[0].ty.kind {
        TypeKind::Null => (CollationId::BINARY, Coercibility::Ignorable),
        _ => collation_of(args, "natural_sort_key", state)?,
    };
    let length = u64::from(args[0].ty.length);
    // What a parameter brings is there.
    let given = matches!(&args[0].kind, Kind::Const(value) if !value.is_null())
        && args[0].ty.nullable
        && !matches!(args[0].ty.origin, Named::Computed(_));
    Ok(text_of_length((length * 3).div_ceil(2), collation, coercibility, !given))
}

/// Runs of digits lose their leading zeros and get their length in front, so that they sort as numbers.
fn natural_sort_key(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(bytes) = text(cx, &args[0], CollationId::UTF8MB4_GENERAL_CI)? else { return Ok(Value::Null) };
    let (mut out, mut at) = (Vec::with_capacity(bytes.len() + 8), 0);
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            out.push(bytes[at]);
            at += 1;
            continue;
        }
        let run = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let digits = &bytes[at..at + run];
        // Zero keeps one digit.
        let zeros = digits.iter().take_while(|digit| **digit == b'0').count().min(run - 1);
        out.extend_from_slice(length_mark(run - zeros).as_bytes());
        out.extend_from_slice(&digits[zeros..]);
        at += run;
    }
    Ok(string(Charset::Utf8mb4.convert_cow(&out, ty.collation.charset()).into_owned(), ty))
}

/// The mark before so many digits: a longer run's is greater.
fn length_mark(digits: usize) -> String {
    match digits {
        0..=9 => (digits.max(1) - 1).to_string(),
        10..=18 => format!("9{}", digits - 10),
        19..=27 => format!("99{}", digits - 19),
        _ => {
            let written = (digits - 1).to_string();
            format!("9990{}{written}", written.len() - 1)
        }
    }
}

fn sformat_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let (collation, coercibility) = collation_of(args, "sformat", state)?;
    Ok(text_of_length(16_777_216, collation, coercibility, true))
}

fn sformat(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    // Bytes are laid out as characters of their numbers.
    let bytes = ty.collation == CollationId::BINARY;
    let own = if bytes { CollationId::BINARY } else { CollationId::UTF8MB4_GENERAL_CI };
    let characters = |text: Vec<u8>| match bytes {
        true => text.iter().map(|byte| char::from(*byte)).collect(),
        false => String::from_utf8_lossy(&text).into_owned(),
    };
    let Some(pattern) = text(cx, &args[0], own)? else { return Ok(Value::Null) };
    let mut values = Vec::new();
    for e in &args[1..] {
        values.push(match e.ty.class() {
            // A number that is NULL is shown as 0; to MariaDB all of them have a sign.
            Class::Int => Operand::Int(operand::integer(cx, e)?.unwrap_or(0) as i64),
            Class::Real | Class::Decimal => {
                Operand::Real(operand::real(cx, e)?.unwrap_or(0.0), e.ty.kind == TypeKind::Float)
            }
            _ => match text(cx, e, own)? {
                Some(text) => Operand::Text(characters(text)),
                None => return Ok(Value::Null),
            },
        });
    }
    match laid_out(&characters(pattern), &values) {
        Ok(text) if bytes => Ok(string(text.chars().map(|c| u32::from(c) as u8).collect(), ty)),
        Ok(text) => {
            Ok(string(Charset::Utf8mb4.convert_cow(text.as_bytes(), ty.collation.charset()).into_owned(), ty))
        }
        Err(why) => {
            cx.state.warn(Level::Warning, 4183, format!("SFORMAT error: {why}"));
            Ok(Value::Null)
        }
    }
}

/// What goes into a replacement field.
enum Operand {
    Int(i64),
    Real(f64, bool),
    Text(String),
}

/// A pattern with its replacement fields filled.
fn laid_out(pattern: &str, values: &[Operand]) -> Result<String, &'static str> {
    let (mut out, mut next, mut rest) = (String::new(), 0, pattern);
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(&rest[..at]);
        let brace = &rest[at..=at];
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix(brace) {
            out.push_str(brace);
            rest = after;
            continue;
        }
        if brace == "}" {
            return Err("unmatched '}' in format string");
        }
        let end = rest.find('}').ok_or("invalid format string")?;
        let (name, spec) = rest[..end].split_once(':').unwrap_or((&rest[..end], ""));
        let number = match name {
            "" => {
                next += 1;
                next - 1
            }
            digits => digits.parse::<usize>().map_err(|_| "invalid format string")?,
        };
        let value = values.get(number).ok_or("argument not found")?;
        out.push_str(&Spec::parse(spec)?.write(value)?);
        rest = &rest[end + 1..];
    }
    out.push_str(rest);
    Ok(out)
}

/// `[[fill]align][sign][#][0][width][.precision][type]`.
#[derive(Default)]
struct Spec {
    fill: Option<char>,
    align: Option<char>,
    sign: Option<char>,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    kind: Option<char>,
}

/// Widest field.
const WIDTH_MAX: usize = 1 << 16;

impl Spec {
    fn parse(text: &str) -> Result<Spec, &'static str> {
        let mut spec = Spec::default();
        let mut chars = text.chars().peekable();
        let mut ahead = text.chars();
        let (first, second) = (ahead.next(), ahead.next());
        let aligns = |c: Option<char>| matches!(c, Some('<' | '>' | '^'));
        if aligns(second) {
            spec.fill = first;
            spec.align = second;
            chars.next();
            chars.next();
        } else if aligns(first) {
            spec.align = first;
            chars.next();
        }
        spec.sign = chars.next_if(|c| matches!(c, '+' | '-' | ' '));
        spec.alternate = chars.next_if_eq(&'#').is_some();
        spec.zero = chars.next_if_eq(&'0').is_some();
        let number = |chars: &mut std::iter::Peekable<std::str::Chars<'_>>| {
            let mut digits = String::new();
            while let Some(digit) = chars.next_if(char::is_ascii_digit) {
                digits.push(digit);
            }
            digits
        };
        let width = number(&mut chars);
        spec.width = if width.is_empty() { 0 } else { width.parse().map_err(|_| "number is too big")? };
        if spec.width > WIDTH_MAX {
            return Err("number is too big");
        }
        if chars.next_if_eq(&'.').is_some() {
            let digits = number(&mut chars);
            let precision: usize = digits.parse().map_err(|_| "missing precision specifier")?;
            spec.precision = Some(precision.min(WIDTH_MAX));
        }
        spec.kind = chars.next();
        if chars.next().is_some() { Err("invalid type specifier") } else { Ok(spec) }
    }

    fn write(&self, value: &Operand) -> Result<String, &'static str> {
        let (negative, body, number) = match value {
            Operand::Text(text) => {
                if !matches!(self.kind, None | Some('s')) {
                    return Err("invalid type specifier");
                }
                if self.sign.is_some() || self.alternate || self.zero {
                    return Err("format specifier requires numeric argument");
                }
                let cut = self.precision.unwrap_or(usize::MAX);
                (false, text.chars().take(cut).collect(), false)
            }
            Operand::Int(n) => {
                if self.precision.is_some() {
                    return Err("precision not allowed for this argument type");
                }
                (*n < 0, self.integer(n.unsigned_abs().into())?, true)
            }
            Operand::Real(x, single) => (x.is_sign_negative(), self.real(x.abs(), *single)?, true),
        };
        let sign = match (negative, self.sign) {
            (true, _) => "-",
            (false, Some('+')) if number => "+",
            (false, Some(' ')) if number => " ",
            _ => "",
        };
        let missing = self.width.saturating_sub(sign.len() + body.chars().count());
        if self.zero && number && self.align.is_none() {
            return Ok(format!("{sign}{}{body}", "0".repeat(missing)));
        }
        let fill = |n: usize| self.fill.unwrap_or(' ').to_string().repeat(n);
        let before = match self.align {
            Some('<') => 0,
            Some('^') => missing / 2,
            Some('>') => missing,
            _ if number => missing,
            _ => 0,
        };
        Ok(format!("{}{sign}{body}{}", fill(before), fill(missing - before)))
    }

    fn integer(&self, n: u128) -> Result<String, &'static str> {
        let prefixed = |prefix: &str, digits: String| match self.alternate {
            true => format!("{prefix}{digits}"),
            false => digits,
        };
        Ok(match self.kind {
            None | Some('d') => n.to_string(),
            Some('x') => prefixed("0x", format!("{n:x}")),
            Some('X') => prefixed("0X", format!("{n:X}")),
            Some('b') => prefixed("0b", format!("{n:b}")),
            Some('B') => prefixed("0B", format!("{n:b}")),
            Some('o') => prefixed("0", format!("{n:o}")),
            Some('c') => {
                u32::try_from(n).ok().and_then(char::from_u32).ok_or("invalid type specifier")?.to_string()
            }
            _ => return Err("invalid type specifier"),
        })
    }

    fn real(&self, x: f64, single: bool) -> Result<String, &'static str> {
        Ok(match self.kind {
            Some('f' | 'F') => format!("{x:.*}", self.precision.unwrap_or(6)),
            Some('e') => exponential(x, self.precision.unwrap_or(6), 'e'),
            Some('E') => exponential(x, self.precision.unwrap_or(6), 'E'),
            Some('g' | 'G') => general(x, self.precision.unwrap_or(6)),
            None => match self.precision {
                Some(precision) => general(x, precision),
                None => shortest(x, single),
            },
            _ => return Err("invalid type specifier"),
        })
    }
}

/// The exponent with a sign and two digits at least.
fn exponential(x: f64, precision: usize, mark: char) -> String {
    let text = format!("{x:.precision$e}");
    let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
    let power: i32 = power.parse().unwrap_or(0);
    format!("{mantissa}{mark}{}{:02}", if power < 0 { '-' } else { '+' }, power.abs())
}

/// So many significant digits, without trailing zeros.
fn general(x: f64, precision: usize) -> String {
    let precision = precision.max(1);
    let power = format!("{x:.*e}", precision - 1);
    let power: i32 = power.split_once('e').and_then(|(_, power)| power.parse().ok()).unwrap_or(0);
    let trimmed = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if power < -4 || power >= precision as i32 {
        let text = exponential(x, precision - 1, 'e');
        let (mantissa, power) = text.split_once('e').unwrap_or((&text, "+00"));
        return format!("{}e{power}", trimmed(mantissa));
    }
    trimmed(&format!("{x:.*}", (precision as i32 - 1 - power).max(0) as usize))
}

/// The shortest digits that read back, with an exponent beyond sixteen digits.
fn shortest(x: f64, single: bool) -> String {
    let text = if single { format!("{:e}", x as f32) } else { format!("{x:e}") };
    let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
    let power: i32 = power.parse().unwrap_or(0);
    if (-4..16).contains(&power) {
        return if single { (x as f32).to_string() } else { x.to_string() };
    }
    format!("{mantissa}e{}{:02}", if power < 0 { '-' } else { '+' }, power.abs())
}

/// Words of TO_CHAR's patterns, the longest of each beginning first, with the characters that their text may take.
const WORDS: &[(&str, u32)] = &[
    ("HH24", 2),
    ("HH12", 2),
    ("YYYY", 4),
    ("RRRR", 4),
    ("MONTH", 27),
    ("A.D.", 4),
    ("B.C.", 4),
    ("A.M.", 4),
    ("P.M.", 4),
    ("YYY", 3),
    ("MON", 9),
    ("DAY", 27),
    ("AD", 2),
    ("BC", 2),
    ("AM", 2),
    ("PM", 2),
    ("YY", 2),
    ("RR", 2),
    ("MM", 2),
    ("DD", 2),
    ("DY", 9),
    ("HH", 2),
    ("MI", 2),
    ("SS", 2),
    ("Y", 1),
];

/// A piece of a pattern.
enum Token {
    Word(&'static str, u32),
    Literal(String),
}

/// Takes a pattern apart; the error is what is not understood.
fn tokens(pattern: &str) -> Result<Vec<Token>, String> {
    let (mut found, mut rest) = (Vec::new(), pattern);
    while let Some(first) = rest.chars().next() {
        let is = |word: &str| rest.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
        if let Some((word, width)) = WORDS.iter().find(|(word, _)| is(word)) {
            found.push(Token::Word(word, *width));
            rest = &rest[word.len()..];
        } else if first == '"' {
            let body = &rest[1..];
            let (quoted, behind) = body.split_once('"').unwrap_or((body, ""));
            found.push(Token::Literal(quoted.to_owned()));
            rest = behind;
        } else if first.is_ascii_alphanumeric()
            || !first.is_ascii()
            || first.is_control()
            || matches!(first, '&' | '%' | '|')
        {
            let shown: String = rest.chars().take(8).take_while(|c| *c != '\0').collect();
            return Err(printable(&shown));
        } else {
            found.push(Token::Literal(first.to_string()));
            rest = &rest[1..];
        }
    }
    Ok(found)
}

const DEFAULT_PATTERN: &str = "YYYY-MM-DD HH24:MI:SS";

/// What is said of types and patterns that TO_CHAR knows nothing of.
const ER_INVALID_ARGUMENT: u16 = 3047;

fn invalid(text: String) -> SqlError {
    SqlError::new(
        ER_INVALID_ARGUMENT,
        b"HY000",
        format!("Invalid argument error: {text} in function to_char."),
    )
}

fn pattern_of(cx: &mut Cx<'_>, args: &[Expr]) -> Result<Option<Vec<Token>>, SqlError> {
    let pattern = match args.get(1) {
        None => DEFAULT_PATTERN.to_owned(),
        Some(e) => match text(cx, e, CollationId::UTF8MB4_GENERAL_CI)? {
            None => return Ok(None),
            Some(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        },
    };
    tokens(&pattern).map(Some).map_err(|at| invalid(format!("date format not recognized at {at}")))
}

/// Whether an IF chooses among parameters that have no type yet.
fn is_open_choice(e: &Expr) -> bool {
    let Kind::Call(call) = &e.kind else { return false };
    let [_, then, otherwise] = &call.args[..] else { return false };
    let open = |e: &Expr| matches!(e.kind, Kind::Param(_));
    matches!(call.name, "if" | "nvl2")
        && [then, otherwise].iter().all(|e| e.ty.kind == TypeKind::Null)
        && (open(then) || open(otherwise))
}

fn to_char_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let ty = &args[0].ty;
    let is_text = ty.class() == Class::Str && ty.kind != TypeKind::Null && !ty.kind.is_blob();
    if ty.class() != Class::Temporal && !is_text || is_open_choice(&args[0]) {
        let text = "data type of first argument must be type date/datetime/time or string";
        return Err(invalid(text.to_owned()));
    }
    // What is computed is looked at once it is wanted.
    let constant = args.get(1).is_none_or(|e| e.is_const() && !matches!(e.ty.origin, Named::Computed(_)));
    let connection = state.vars.collation_connection;
    let length = match constant {
        true => silently(state, |state| pattern_of(&mut Cx::new(state, &[]), args)).0?.map_or(0, |tokens| {
            let width = |token: &Token| match token {
                Token::Word(_, width) => *width,
                Token::Literal(text) => text.chars().count() as u32,
            };
            tokens.iter().map(width).sum()
        }),
        // Ten times the pattern's bytes.
        false => {
            let ty = &args[1].ty;
            let widest = ty.collation.charset().max_char_bytes() as u32;
            ty.length.saturating_mul(if ty.class() == Class::Str { 10 * widest } else { 10 })
        }
    };
    Ok(text_of_length(u64::from(length), connection, Coercibility::Coercible, true))
}

fn to_char(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let dated = |dated: operand::Dated| (dated.at, i64::from(dated.at.hour));
    let whole = matches!(args[0].ty.kind, TypeKind::Date | TypeKind::DateTime | TypeKind::Timestamp);
    let at = match whole && !args[0].is_call("last_day") {
        true => operand::datetime(cx, &args[0], Dates::Parts)?.map(dated),
        false => match silent_of_zero(cx, &args[0])? {
            Value::Null => None,
            Value::Time(time, _) => {
                let seconds = time.as_micros().abs() / 1_000_000;
                let (minute, second) = ((seconds / 60 % 60) as u8, (seconds % 60) as u8);
                // Of a duration more hours are shown than a day has.
                Some((DateTime { minute, second, ..DateTime::default() }, seconds / 3600))
            }
            value => operand::date_of(&value, Some(&args[0]), Dates::Parts, cx.state).map(dated),
        },
    };
    let Some((at, hours)) = at else { return Ok(Value::Null) };
    // What is wrong with a pattern that is written was an error before.
    let tokens = match pattern_of(cx, args) {
        Ok(tokens) => tokens,
        Err(fault) if fault.errno == ER_INVALID_ARGUMENT => {
            cx.state.warn(Level::Warning, fault.errno, fault.message);
            None
        }
        Err(error) => return Err(error),
    };
    let Some(tokens) = tokens else { return Ok(Value::Null) };
    let mut out = String::new();
    for token in &tokens {
        match token {
            Token::Literal(text) => out.push_str(text),
            Token::Word(word, _) => out.push_str(&spelled(at, hours, word)),
        }
    }
    Ok(string(Charset::Utf8mb4.convert_cow(out.as_bytes(), ty.collation.charset()).into_owned(), ty))
}

fn spelled(at: DateTime, hours: i64, word: &str) -> String {
    let year = at.date.year;
    let month = usize::from(at.date.month).checked_sub(1).and_then(|month| MONTH_NAMES.get(month)).copied();
    let day = || DAY_NAMES[usize::from(at.date.weekday())];
    match word {
        "YYYY" | "RRRR" => format!("{year:04}"),
        "YYY" => format!("{:03}", year % 1000),
        "YY" | "RR" => format!("{:02}", year % 100),
        "Y" => (year % 10).to_string(),
        "MM" => format!("{:02}", at.date.month),
        "MON" => month.map_or("00", |name| &name[..3]).to_owned(),
        "MONTH" => format!("{:<9}", month.unwrap_or("00")),
        "DD" => format!("{:02}", at.date.day),
        "DY" => day()[..3].to_owned(),
        "DAY" => format!("{:<9}", day()),
        "HH" | "HH12" => format!("{:02}", (hours + 11) % 12 + 1),
        "HH24" => format!("{hours:02}"),
        "MI" => format!("{:02}", at.minute),
        "SS" => format!("{:02}", at.second),
        "AD" => "AD".into(),
        "A.D." => "A.D.".into(),
        "BC" => "AD".into(),
        "B.C." => "A.D.".into(),
        _ => {
            let (short, dotted) = if hours < 12 { ("AM", "A.M.") } else { ("PM", "P.M.") };
            if word.contains('.') { dotted } else { short }.into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_runs_of_digits_have_greater_marks() {
        let marks: Vec<String> = [1, 9, 10, 18, 19, 27, 28, 100, 101, 1000, 1030].map(length_mark).into();
        let expected =
            ["0", "8", "90", "98", "990", "998", "9990127", "9990199", "99902100", "99902999", "999031029"];
        assert_eq!(marks, expected);
    }

    #[test]
    fn replacement_fields() {
        let values = [Operand::Int(42), Operand::Real(1.234, false), Operand::Text("a".into())];
        let filled = |pattern| laid_out(pattern, &values);
        assert_eq!(filled("{} {} {}").as_deref(), Ok("42 1.234 a"));
        assert_eq!(
            filled("{2:>5}|{0:05d}|{1:.2f}|{0:#x}|{2:*^3}").as_deref(),
            Ok("    a|00042|1.23|0x2a|*a*")
        );
        assert_eq!(filled("{{}} {1:e} {1:g}").as_deref(), Ok("{} 1.234000e+00 1.234"));
        assert_eq!(filled("{9}"), Err("argument not found"));
        assert_eq!(filled("{0:.2}"), Err("precision not allowed for this argument type"));
        assert_eq!(filled("{2:d}"), Err("invalid type specifier"));
    }
}
