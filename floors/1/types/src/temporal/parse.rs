//! Dates and times from text and numbers, as MariaDB reads them.
//!
//! Dates: `Y-M-D[ h[:m[:s[.f]]]]` with any punctuation between the parts, `T`, blanks or one punctuation character
//! before the hour, two-digit years from 1970 to 2069; or digits only: YYMMDD, YYYYMMDD, YYMMDDhhmmss,
//! YYYYMMDDhhmmss, with `T` before the time and a fraction after it if wanted. Times: `[D ]h:m[:s[.f]]`, `D h`, digits
//! `[[h]mm]ss[.f]`, or a date with a time, whose time is taken.

use super::{Date, DateMode, DateTime, MICROS, Time, calendar};

/// What a text or number says, and what was left of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TemporalParse<T> {
    /// The value; none when there is no valid one (MariaDB: "Incorrect ... value", NULL).
    pub value: Option<T>,
    /// Something was cut off, or the value clipped (MariaDB: warning "Truncated incorrect ... value").
    pub truncated: bool,
    /// Digits beyond microseconds were cut off (MariaDB: a note).
    pub fraction_cut: bool,
    /// Whether a time of day was written; false for a date alone.
    pub has_time: bool,
}

impl<T> TemporalParse<T> {
    /// Whether there is a value, and nothing to say of it.
    pub fn is_whole(&self) -> bool {
        self.value.is_some() && !self.truncated && !self.fraction_cut
    }

    /// Nothing that can be read.
    pub(super) const BAD: TemporalParse<T> =
        TemporalParse { value: None, truncated: false, fraction_cut: false, has_time: false };
}

/// What a date must be whose time alone counts.
const ANY_DAY: DateMode = DateMode { no_zero_date: false, no_zero_in_date: false, allow_invalid: true };

/// Reads bytes from the front.
pub(super) struct Reader<'a> {
    text: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a [u8]) -> Reader<'a> {
        let mut reader = Reader { text, at: 0 };
        reader.skip_spaces();
        reader
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_spaces(&mut self) -> bool {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_whitespace() || b == 0x0B) {
            self.at += 1;
        }
        self.at > start
    }

    pub(super) fn digits(&mut self) -> &'a [u8] {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    /// Microseconds of `.digits`, and whether digits were cut off; nothing is read without a point.
    pub(super) fn fraction(&mut self) -> (u32, bool) {
        if self.peek() != Some(b'.') {
            return (0, false);
        }
        self.at += 1;
        let digits = self.digits();
        (micros_of(digits), digits.len() > 6)
    }

    /// Whether an exponent follows, which no time has.
    pub(super) fn has_exponent(&self) -> bool {
        match &self.text[self.at..] {
            [b'e' | b'E', b'+' | b'-', digit, ..] | [b'e' | b'E', digit, ..] => digit.is_ascii_digit(),
            _ => false,
        }
    }

    pub(super) fn only_spaces_left(&mut self) -> bool {
        self.skip_spaces();
        self.at == self.text.len()
    }
}

/// Microseconds of the digits after a point.
fn micros_of(digits: &[u8]) -> u32 {
    (0..6).fold(0, |n, i| n * 10 + digits.get(i).map_or(0, |d| u32::from(d - b'0')))
}

pub(super) fn number(digits: &[u8]) -> u64 {
    digits.iter().fold(0_u64, |n, d| n.saturating_mul(10).saturating_add(u64::from(d - b'0')))
}

/// Year, month, day, hour, minute, second as read, before any check.
type Parts = [u64; 6];

fn two_digit_year(year: u64) -> u64 {
    if year < 70 { 2000 + year } else { 1900 + year }
}

impl DateTime {
    /// Reads a date or a date with time.
    pub fn parse(text: &[u8], mode: DateMode) -> TemporalParse<DateTime> {
        let mut reader = Reader::new(text);
        if reader.peek() == Some(b'+') {
            reader.at += 1;
            reader.skip_spaces();
        }
        match run_of_digits(&reader.text[reader.at..]) {
            Some(run) => parse_digits(reader, run, mode),
            None => parse_delimited(reader, mode),
        }
    }

    /// Reads a number such as 20240131, 240131 or 20240131235959, with microseconds beside it.
    pub fn from_number(n: i64, micros: u32, mode: DateMode) -> Option<DateTime> {
        const TIME: i64 = 1_000_000;
        let full = match n {
            0 => return checked([0; 6], micros, mode),
            101..=691_231 => (n + 20_000_000) * TIME,
            700_101..=991_231 => (n + 19_000_000) * TIME,
            10_000_101..=99_991_231 => n * TIME,
            101_000_000..=691_231_235_959 => n + 20_000_000_000_000,
            700_101_000_000..=991_231_235_959 => n + 19_000_000_000_000,
            991_231_235_960..=99_991_231_235_959 => n,
            _ => return None,
        };
        let (date, time) = ((full / TIME) as u64, (full % TIME) as u64);
        let parts =
            [date / 10_000, date / 100 % 100, date % 100, time / 10_000, time / 100 % 100, time % 100];
        checked(parts, micros, mode)
    }

    /// YYYYMMDDhhmmss as a number, the value in numeric context.
    pub fn to_number(self) -> i64 {
        let clock = i64::from(self.hour) * 10_000 + i64::from(self.minute) * 100 + i64::from(self.second);
        self.date.to_number() * 1_000_000 + clock
    }

    /// Whether the date is good under a mode: zero dates, zero parts, days beyond the month's end.
    pub fn is_valid(self, mode: DateMode) -> bool {
        let d = self.date;
        if self.is_zero() {
            return !mode.no_zero_date;
        }
        if d.month > 12 || d.day > 31 {
            return false;
        }
        if d.month == 0 || d.day == 0 {
            return !mode.no_zero_in_date;
        }
        mode.allow_invalid || d.day <= calendar::days_in_month(d.year, d.month)
    }
}

impl Date {
    /// YYYYMMDD as a number, the value in numeric context.
    pub fn to_number(self) -> i64 {
        i64::from(self.year) * 10_000 + i64::from(self.month) * 100 + i64::from(self.day)
    }
}

/// Whether a text is digits (and `T`) with nothing but letters and blanks behind.
pub fn is_run_of_digits(text: &[u8]) -> bool {
    run_of_digits(text).is_some_and(|run| text[..run].iter().any(u8::is_ascii_digit))
}

/// Punctuation, as latin1 has it: so bytes of other characters are looked at, too.
fn is_punctuation(b: u8) -> bool {
    b.is_ascii_punctuation() || matches!(b, 0xA1..=0xBF | 0xD7 | 0xF7)
}

/// A text up to its last digit or punctuation.
fn without_letters_behind(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|b| b.is_ascii_digit() || is_punctuation(*b)).map_or(0, |at| at + 1);
    &text[..end]
}

/// The length of a run of digits (and `T`) that a text is, whatever stands behind the last digit or punctuation; of 12 or
/// more, a fraction may follow.
fn run_of_digits(text: &[u8]) -> Option<usize> {
    let body = without_letters_behind(text);
    let run = body.iter().take_while(|b| b.is_ascii_digit() || **b == b'T').count();
    let whole = match &body[run..] {
        [] => true,
        [b'.', fraction @ ..] => run >= 12 && fraction.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    whole.then_some(run)
}

fn checked(parts: Parts, micros: u32, mode: DateMode) -> Option<DateTime> {
    let [year, month, day, hour, minute, second] = parts;
    if year > 9999 || month > 12 || day > 31 || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let date = Date::new(year as u16, month as u8, day as u8);
    let value = DateTime::new(date, hour as u8, minute as u8, second as u8, micros);
    value.is_valid(mode).then_some(value)
}

/// YYMMDD, YYYYMMDD, either with hhmmss behind (after a `T` or not), a fraction after 12 digits or more.
fn parse_digits(mut reader: Reader<'_>, run: usize, mode: DateMode) -> TemporalParse<DateTime> {
    let year_digits = if run == 4 || run == 8 || run >= 14 { 4 } else { 2 };
    let mut parts: Parts = [0; 6];
    let mut fields = 0;
    let end = reader.at + run;
    for (i, part) in parts.iter_mut().enumerate() {
        if reader.peek() == Some(b'T') && i >= 3 && reader.at < end {
            reader.at += 1;
        }
        let wanted = if i == 0 { year_digits } else { 2 };
        let field = &reader.text[reader.at..end.min(reader.at + wanted)];
        let field = &field[..field.iter().take_while(|b| b.is_ascii_digit()).count()];
        if field.is_empty() {
            break;
        }
        *part = number(field);
        reader.at += field.len();
        fields += 1;
    }
    if fields < 3 {
        return TemporalParse::BAD;
    }
    if year_digits == 2 && parts != [0; 6] {
        parts[0] = two_digit_year(parts[0]);
    }
    let (micros, fraction_cut) = if fields == 6 { reader.fraction() } else { (0, false) };
    let truncated = !reader.only_spaces_left();
    TemporalParse { value: checked(parts, micros, mode), truncated, fraction_cut, has_time: fields > 3 }
}

fn parse_delimited(mut reader: Reader<'_>, mode: DateMode) -> TemporalParse<DateTime> {
    let mut parts: Parts = [0; 6];
    let mut fields = 0;
    let mut good_end = reader.at;
    let mut short_year = false;
    for (i, part) in parts.iter_mut().enumerate() {
        let field = reader.digits();
        if field.is_empty() {
            break;
        }
        *part = number(field);
        short_year |= i == 0 && field.len() == 2;
        fields = i + 1;
        good_end = reader.at;
        if fields == 6 {
            break;
        }
        match reader.peek() {
            Some(b'T') if fields == 3 => reader.at += 1,
            Some(b) if b.is_ascii_punctuation() => reader.at += 1,
            Some(b) if fields == 3 && b.is_ascii_whitespace() => {
                reader.skip_spaces();
            }
            _ => break,
        }
    }
    if fields < 3 {
        return TemporalParse::BAD;
    }
    // Zeros alone are the zero date, not the year 2000.
    if short_year && parts != [0; 6] {
        parts[0] = two_digit_year(parts[0]);
    }
    let (mut micros, mut fraction_cut) = (0, false);
    if fields == 6 {
        (micros, fraction_cut) = reader.fraction();
    }
    // A single separator at the end is no garbage.
    let separator_at_end = reader.at == reader.text.len() && reader.at <= good_end + 1;
    let truncated = !separator_at_end && !reader.only_spaces_left();
    TemporalParse { value: checked(parts, micros, mode), truncated, fraction_cut, has_time: fields > 3 }
}

impl Time {
    /// Reads a time; beyond 838:59:59 it is clipped, with `truncated`.
    pub fn parse(text: &[u8]) -> TemporalParse<Time> {
        let span = Self::span(text);
        let clipped = span.value.map(Time::saturating);
        TemporalParse {
            value: clipped.map(|(time, _)| time),
            truncated: span.truncated || clipped.is_some_and(|(_, clipped)| clipped),
            fraction_cut: span.fraction_cut,
            has_time: span.has_time,
        }
    }

    /// As [`Time::parse`], in microseconds and not clipped.
    pub(crate) fn span(text: &[u8]) -> TemporalParse<i64> {
        let mut reader = Reader::new(text);
        let negative = reader.peek() == Some(b'-');
        if matches!(reader.peek(), Some(b'-' | b'+')) {
            reader.at += 1;
            reader.skip_spaces();
        }
        let rest = &text[reader.at..];
        if looks_like_datetime(rest) {
            let parsed = DateTime::parse(rest, ANY_DAY);
            let value = parsed.value.filter(|_| !negative).map(|at| at.time().as_micros());
            let TemporalParse { truncated, fraction_cut, .. } = parsed;
            return TemporalParse { value, truncated, fraction_cut, has_time: true };
        }
        let first = reader.digits();
        if first.is_empty() {
            return TemporalParse::BAD;
        }
        let first = number(first);
        // More hours than 32 bits hold are none.
        if first / 10_000 > u64::from(u32::MAX) {
            return TemporalParse::BAD;
        }
        let (hours, minutes, seconds) = read_clock(&mut reader, first);
        let (micros, fraction_cut) = reader.fraction();
        if minutes > 59 || seconds > 59 || reader.has_exponent() {
            return TemporalParse::BAD;
        }
        let total = i128::from(hours) * 3600 + i128::from(minutes * 60 + seconds);
        let total = total.min(1 << 40) as i64 * MICROS + i64::from(micros);
        let value = Some(if negative { -total } else { total });
        let truncated = !reader.only_spaces_left();
        TemporalParse { value, truncated, fraction_cut, has_time: true }
    }

    /// Reads a number such as 123456 (12:34:56), or one of a date with time, whose time is taken. The flag says that
    /// the number was clipped to the range.
    pub fn from_number(n: i64, micros: u32) -> Option<(Time, bool)> {
        if n > 9_999_999 && n <= 99_991_231_235_959 {
            let micros = if n > 99_991_231 { micros } else { 0 };
            return Some((DateTime::from_number(n, micros, ANY_DAY)?.time(), false));
        }
        let size = n.unsigned_abs();
        let (hours, minutes, seconds) = (size / 10_000, size / 100 % 100, size % 100);
        if minutes > 59 || seconds > 59 {
            return None;
        }
        let total = (hours.min(1 << 30) * 3600 + minutes * 60 + seconds) as i64 * MICROS + i64::from(micros);
        Some(Time::saturating(if n < 0 { -total } else { total }))
    }

    /// hhmmss as a number with the sign, the value in numeric context.
    pub fn to_number(self) -> i64 {
        let n =
            i64::from(self.hours()) * 10_000 + i64::from(self.minutes()) * 100 + i64::from(self.seconds());
        if self.is_negative() { -n } else { n }
    }
}

/// Whether a text says something from here on: letters are nothing, but a `T`.
fn goes_on(text: &[u8], at: usize) -> bool {
    text.get(at) == Some(&b'T') || at < without_letters_behind(text).len()
}

/// Hours, minutes and seconds after the first number: `D h[:m[:s]]`, `h:m[:s]`, or digits alone.
pub(super) fn read_clock(reader: &mut Reader<'_>, first: u64) -> (u64, u64, u64) {
    let at = reader.at;
    let spaces = reader.skip_spaces();
    let next_is_digit = |reader: &Reader<'_>, offset: usize| {
        reader.text.get(reader.at + offset).is_some_and(u8::is_ascii_digit)
    };
    let (mut hours, days) = match reader.peek() {
        // A digit alone behind days is no hour.
        Some(b) if spaces && b.is_ascii_digit() && goes_on(reader.text, reader.at + 1) => {
            (number(reader.digits()), Some(first))
        }
        Some(b':') if next_is_digit(reader, 1) => (first, None),
        next => {
            // A fraction may stand apart.
            reader.at = if next == Some(b'.') { reader.at } else { at };
            return (first / 10_000, first / 100 % 100, first % 100);
        }
    };
    hours = hours.saturating_add(days.unwrap_or(0).saturating_mul(24));
    let mut rest = [0; 2];
    for part in &mut rest {
        if reader.peek() != Some(b':') || !next_is_digit(reader, 1) {
            break;
        }
        reader.at += 1;
        *part = number(reader.digits());
    }
    (hours, rest[0].min(1000), rest[1].min(1000))
}

/// Whether a text of 12 bytes or more has a date and a time: digits (and `T`), or three numbers with punctuation
/// between, blanks or `T`, and a digit.
pub fn looks_like_datetime(text: &[u8]) -> bool {
    if text.len() < 12 {
        return false;
    }
    if run_of_digits(text).is_some_and(|run| run >= 12) {
        return true;
    }
    let mut reader = Reader { text, at: 0 };
    for i in 0..3 {
        if reader.digits().is_empty() {
            return false;
        }
        match reader.peek() {
            Some(b) if i < 2 && b.is_ascii_punctuation() => reader.at += 1,
            Some(b) if i == 2 && (b == b'T' || b.is_ascii_whitespace()) => {
                reader.at += usize::from(b == b'T');
                reader.skip_spaces();
            }
            _ => return false,
        }
    }
    reader.peek().is_some_and(|b| b.is_ascii_digit())
}
