//! INTERVAL: units, parsing, adding to dates and times, differences.

use super::{Date, DateTime, MICROS, Time};
use crate::decimal::{Decimal, Rounding};

/// The unit of an INTERVAL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum IntervalUnit {
    Microsecond,
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Quarter,
    Year,
    SecondMicrosecond,
    MinuteMicrosecond,
    MinuteSecond,
    HourMicrosecond,
    HourSecond,
    HourMinute,
    DayMicrosecond,
    DaySecond,
    DayMinute,
    DayHour,
    YearMonth,
}

use IntervalUnit as Unit;

const NAMES: [(&str, Unit); 20] = [
    ("MICROSECOND", Unit::Microsecond),
    ("SECOND", Unit::Second),
    ("MINUTE", Unit::Minute),
    ("HOUR", Unit::Hour),
    ("DAY", Unit::Day),
    ("WEEK", Unit::Week),
    ("MONTH", Unit::Month),
    ("QUARTER", Unit::Quarter),
    ("YEAR", Unit::Year),
    ("SECOND_MICROSECOND", Unit::SecondMicrosecond),
    ("MINUTE_MICROSECOND", Unit::MinuteMicrosecond),
    ("MINUTE_SECOND", Unit::MinuteSecond),
    ("HOUR_MICROSECOND", Unit::HourMicrosecond),
    ("HOUR_SECOND", Unit::HourSecond),
    ("HOUR_MINUTE", Unit::HourMinute),
    ("DAY_MICROSECOND", Unit::DayMicrosecond),
    ("DAY_SECOND", Unit::DaySecond),
    ("DAY_MINUTE", Unit::DayMinute),
    ("DAY_HOUR", Unit::DayHour),
    ("YEAR_MONTH", Unit::YearMonth),
];

/// Places of a composite interval's numbers.
#[derive(Clone, Copy)]
enum Place {
    Year,
    Month,
    Day,
    Hour,
    Minute,
    Second,
    Micro,
}

impl IntervalUnit {
    /// By its keyword in any case, with or without `SQL_TSI_`.
    pub fn by_name(name: &str) -> Option<IntervalUnit> {
        let name = match name.split_at_checked(8) {
            Some((prefix, rest)) if prefix.eq_ignore_ascii_case("SQL_TSI_") => rest,
            _ => name,
        };
        let name = if name.eq_ignore_ascii_case("FRAC_SECOND") { "MICROSECOND" } else { name };
        NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, unit)| *unit)
    }

    /// The keyword.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, unit)| *unit == self).map_or("", |(name, _)| name)
    }

    /// Whether adding it to a DATE leaves a DATE.
    pub fn is_date_only(self) -> bool {
        matches!(self, Unit::Day | Unit::Week | Unit::Month | Unit::Quarter | Unit::Year | Unit::YearMonth)
    }

    /// Whether it counts microseconds, so that a result has six digits of fraction.
    pub fn has_micros(self) -> bool {
        matches!(
            self,
            Unit::Microsecond
                | Unit::SecondMicrosecond
                | Unit::MinuteMicrosecond
                | Unit::HourMicrosecond
                | Unit::DayMicrosecond
        )
    }

    /// Whether its value is text of several numbers.
    pub fn is_composite(self) -> bool {
        !self.places().is_empty()
    }

    fn places(self) -> &'static [Place] {
        use Place::{Day, Hour, Micro, Minute, Month, Second, Year};
        match self {
            Unit::SecondMicrosecond => &[Second, Micro],
            Unit::MinuteMicrosecond => &[Minute, Second, Micro],
            Unit::MinuteSecond => &[Minute, Second],
            Unit::HourMicrosecond => &[Hour, Minute, Second, Micro],
            Unit::HourSecond => &[Hour, Minute, Second],
            Unit::HourMinute => &[Hour, Minute],
            Unit::DayMicrosecond => &[Day, Hour, Minute, Second, Micro],
            Unit::DaySecond => &[Day, Hour, Minute, Second],
            Unit::DayMinute => &[Day, Hour, Minute],
            Unit::DayHour => &[Day, Hour],
            Unit::YearMonth => &[Year, Month],
            _ => &[],
        }
    }
}

/// An interval: months and microseconds, which are added one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interval {
    /// Months, of years, quarters and months.
    pub months: i64,
    /// Microseconds, of everything from weeks down.
    pub micros: i64,
}

/// Digits that a place of an interval may have.
const MOST_DIGITS: usize = 20;

/// A number beyond this takes no further digit.
const MAX_BEFORE_DIGIT: u64 = (u64::MAX - 10) / 10;

impl Interval {
    /// So many units of a simple unit; clipped where the sum would overflow, which no date survives anyway.
    pub fn of(unit: IntervalUnit, n: i64) -> Interval {
        let micros =
            |seconds: i64| Interval { months: 0, micros: n.saturating_mul(seconds.saturating_mul(MICROS)) };
        match unit {
            Unit::Microsecond => Interval { months: 0, micros: n },
            Unit::Second => micros(1),
            Unit::Minute => micros(60),
            Unit::Hour => micros(3600),
            Unit::Day => micros(86_400),
            Unit::Week => micros(7 * 86_400),
            Unit::Month => Interval { months: n, micros: 0 },
            Unit::Quarter => Interval { months: n.saturating_mul(3), micros: 0 },
            Unit::Year => Interval { months: n.saturating_mul(12), micros: 0 },
            _ => Interval::default(),
        }
    }

    /// Seconds with a fraction (INTERVAL 1.5 SECOND).
    pub fn seconds(seconds: &Decimal) -> Interval {
        let micros = seconds.round(6, Rounding::Truncate).mul(&Decimal::new(i128::from(MICROS), 0));
        let micros = micros.map_or(0, |micros| micros.to_i64_saturating());
        Interval { months: 0, micros }
    }

    /// Reads the numbers of a composite unit's text: anything but digits separates them; where there are too few, the
    /// leading ones are missing. None when there are too many, or one has more digits than 64 bits hold.
    pub fn parse(unit: IntervalUnit, text: &[u8]) -> Option<Interval> {
        let places = unit.places();
        let start = text.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(text.len());
        let negative = text.get(start) == Some(&b'-');
        let runs: Vec<&[u8]> =
            text[start..].split(|b| !b.is_ascii_digit()).filter(|run| !run.is_empty()).collect();
        let missing = places.len().checked_sub(runs.len())?;
        let mut interval = Interval::default();
        // More digits than a number of 64 bits has are none, zeros too.
        if runs.iter().any(|run| run.len() > MOST_DIGITS) {
            return None;
        }
        for (place, run) in places[missing..].iter().zip(&runs) {
            let n = run.iter().try_fold(0_u64, |n, d| {
                (n <= MAX_BEFORE_DIGIT).then(|| n.wrapping_mul(10).wrapping_add(u64::from(d - b'0')))
            })?;
            let n = i64::try_from(n).unwrap_or(i64::MAX);
            let part = match place {
                Place::Year => Interval::of(Unit::Year, n),
                Place::Month => Interval::of(Unit::Month, n),
                Place::Day => Interval::of(Unit::Day, n),
                Place::Hour => Interval::of(Unit::Hour, n),
                Place::Minute => Interval::of(Unit::Minute, n),
                Place::Second => Interval::of(Unit::Second, n),
                // Digits after a point: 5 is 500,000 microseconds.
                Place::Micro => {
                    let digits =
                        (0..6).fold(0, |n, i| n * 10 + run.get(i).map_or(0, |d| i64::from(d - b'0')));
                    Interval::of(Unit::Microsecond, digits)
                }
            };
            interval.months = interval.months.saturating_add(part.months);
            interval.micros = interval.micros.saturating_add(part.micros);
        }
        Some(if negative { -interval } else { interval })
    }
}

impl std::ops::Neg for Interval {
    type Output = Interval;

    fn neg(self) -> Interval {
        Interval { months: self.months.saturating_neg(), micros: self.micros.saturating_neg() }
    }
}

impl DateTime {
    /// The date and time after an interval; days beyond the new month's end become its last. None outside the years
    /// 0 to 9999, and for dates with zero parts.
    pub fn plus(self, interval: Interval) -> Option<DateTime> {
        if self.date.month == 0 || self.date.day == 0 {
            return None;
        }
        let mut at = self;
        if interval.months != 0 {
            let months = i64::from(at.date.year) * 12 + i64::from(at.date.month) - 1;
            let months = months.checked_add(interval.months).filter(|m| (0..120_000).contains(m))?;
            let (year, month) = ((months / 12) as u16, (months % 12) as u8 + 1);
            at.date = Date::new(year, month, at.date.day.min(super::calendar::days_in_month(year, month)));
        }
        if interval.micros != 0 {
            at = DateTime::from_micros(at.to_micros().checked_add(interval.micros)?)?;
        }
        Some(at)
    }

    /// TIMESTAMPDIFF: whole units from `self` to `later`, negative when that is before.
    pub fn difference(self, later: DateTime, unit: IntervalUnit) -> i64 {
        let micros = later.to_micros() - self.to_micros();
        let months_per = match unit {
            Unit::Month => 1,
            Unit::Quarter => 3,
            Unit::Year => 12,
            _ => {
                let unit = Interval::of(unit, 1).micros.max(1);
                return micros / unit;
            }
        };
        let (from, to, sign) = if micros < 0 { (later, self, -1) } else { (self, later, 1) };
        let month = |at: DateTime| i64::from(at.date.year) * 12 + i64::from(at.date.month);
        let rest = |at: DateTime| (at.date.day, at.time());
        let whole = month(to) - month(from) - i64::from(rest(to) < rest(from));
        sign * (whole / months_per)
    }
}

impl Time {
    /// The time after an interval; none where months are in it, or beyond the range.
    pub fn plus(self, interval: Interval) -> Option<Time> {
        if interval.months != 0 {
            return None;
        }
        Time::from_micros(self.as_micros().checked_add(interval.micros)?)
    }
}
