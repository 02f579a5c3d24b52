//! INTERVAL DAY TO SECOND from text and numbers: what ADDTIME() adds and EXTRACT() takes apart. It goes far beyond what a
//! TIME holds.

use super::parse::{Reader, looks_like_datetime, number, read_clock};
use super::{MICROS, TemporalParse};

/// The most hours of an interval.
const MAX_HOURS: u64 = 87_649_415;

/// Whether what stands behind a year and a dash is a month and the beginning of a day.
fn is_date(text: &[u8]) -> bool {
    let month = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    month > 0 && matches!(text[month..], [b'-', b'0'..=b'9', ..])
}

/// A signed duration of days, hours, minutes, seconds and a fraction, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DayTime(pub i64);

impl DayTime {
    /// Reads `[D ]h:m[:s[.f]]`, `D h`, or digits alone as `hhmmss[.f]`.
    pub fn parse(text: &[u8]) -> TemporalParse<DayTime> {
        Self::read(&mut Reader::new(text), text)
    }

    /// As [`DayTime::parse`] where it is added to something: what goes on with a dash is none.
    pub fn parse_added(text: &[u8]) -> TemporalParse<DayTime> {
        if is_moment(text) {
            return TemporalParse::BAD;
        }
        let mut reader = Reader::new(text);
        let parsed = Self::read(&mut reader, text);
        match text.get(reader.at) {
            Some(b'-') => TemporalParse::BAD,
            _ => parsed,
        }
    }

    fn read(reader: &mut Reader<'_>, text: &[u8]) -> TemporalParse<DayTime> {
        let negative = reader.peek() == Some(b'-');
        if negative || reader.peek() == Some(b'+') {
            reader.at += 1;
        }
        if looks_like_datetime(text[reader.at..].trim_ascii_start()) {
            return TemporalParse::BAD;
        }
        let first = reader.digits();
        // What goes on with a dash and a month is a date.
        let dashed = reader.peek() == Some(b'-') && is_date(&text[reader.at + 1..]);
        if first.is_empty() || dashed {
            return TemporalParse::BAD;
        }
        let clock = read_clock(reader, number(first));
        let (micros, fraction_cut) = reader.fraction();
        let value = DayTime::of(negative, clock, micros).filter(|_| !reader.has_exponent());
        let truncated = !reader.only_spaces_left();
        TemporalParse { value, truncated, fraction_cut, has_time: true }
    }

    /// Reads a number as `hhmmss`, with microseconds beside it.
    pub fn from_number(n: i64, micros: u32) -> Option<DayTime> {
        let size = n.unsigned_abs();
        DayTime::of(n < 0, (size / 10_000, size / 100 % 100, size % 100), micros)
    }

    fn of(negative: bool, (hours, minutes, seconds): (u64, u64, u64), micros: u32) -> Option<DayTime> {
        if hours > MAX_HOURS || minutes > 59 || seconds > 59 {
            return None;
        }
        let total = (hours * 3600 + minutes * 60 + seconds) as i64 * MICROS + i64::from(micros);
        Some(DayTime(if negative { -total } else { total }))
    }
}

/// Whether a text of 12 bytes or more is a date before it is an interval: 12 digits that no clock or hours follow, or three
/// numbers with nothing behind them.
fn is_moment(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let text = text.strip_prefix(b"-").unwrap_or(text);
    if text.len() < 12 {
        return false;
    }
    let mut numbers = text.split(|b| *b == b':').map(|n| !n.is_empty() && n.iter().all(u8::is_ascii_digit));
    if numbers.clone().count() == 3 && numbers.all(|digits| digits) {
        return true;
    }
    let run = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let clock = match &text[run..] {
        [b':', ..] => true,
        [b' ', hours, ..] => hours.is_ascii_digit(),
        [b'T', clock @ ..] => clock.contains(&b':'),
        _ => false,
    };
    run >= 12 && !clock
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_no_dates_and_have_no_limit_of_times() {
        let hours = |n: i64| Some(DayTime(n * 3600 * MICROS));
        assert_eq!(DayTime::parse(b"900:00:00").value, hours(900));
        assert_eq!(DayTime::parse(b"-1 1:00").value, hours(-25));
        assert_eq!(DayTime::parse(b"20200101").value, Some(DayTime((2020 * 3600 + 61) * MICROS)));
        assert_eq!(DayTime::parse(b"2020-01-01 10:00:00").value, None);
        assert_eq!(DayTime::parse(b"a").value, None);
        assert_eq!(DayTime::parse(b"5-").value, Some(DayTime(5 * MICROS)));
        assert_eq!(DayTime::parse_added(b"5-").value, None);
        assert_eq!(DayTime::parse_added(b"00000000001.5").value, Some(DayTime(1_500_000)));
        assert_eq!(DayTime::parse_added(b"000000000001.5").value, None);
        assert_eq!(DayTime::parse_added(b"000000000001 1:00").value, hours(25));
        assert_eq!(DayTime::parse_added(b"00000001:1:1").value, None);
        assert!(DayTime::parse(b"12abc").truncated);
        assert_eq!(DayTime::parse(b"5 10").value, hours(130));
        assert_eq!(DayTime::parse(b"5 1").value, Some(DayTime(5 * MICROS)));
        assert_eq!(DayTime::from_number(10_000_000_000, 0), hours(1_000_000));
        assert_eq!(DayTime::from_number(20_200_101_101_112, 0), None);
    }
}
