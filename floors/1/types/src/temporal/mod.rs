//! Dates, times and instants: the types; parsing, formatting, calendar and interval arithmetic in submodules.
//!
//! - [`Date`] may hold zero parts ('0000-00-00', '2024-00-00') and, with ALLOW_INVALID_DATES, days such as 02-31.
//! - [`Time`] is a signed duration of at most 838:59:59.999999.
//! - [`DateTime`] is a local date and time without a zone; [`Timestamp`] is an instant of UTC as TIMESTAMP columns
//!   keep it, where zero stands for '0000-00-00 00:00:00'.
//! - [`TimeZone`] converts between the two.

pub mod calendar;
mod day_time;
mod format;
mod interval;
mod parse;
mod zone;

pub use day_time::DayTime;
pub use interval::{Interval, IntervalUnit};
pub use parse::{TemporalParse, is_run_of_digits, looks_like_datetime};
pub use zone::TimeZone;

/// Microseconds of a second.
pub const MICROS: i64 = 1_000_000;

/// A calendar date; any part may be zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    /// 0 to 9999.
    pub year: u16,
    /// 0 to 12.
    pub month: u8,
    /// 0 to 31.
    pub day: u8,
}

/// A signed duration in microseconds, at most 838:59:59.999999 either way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i64);

/// A date and a time of day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DateTime {
    /// The date.
    pub date: Date,
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 59.
    pub second: u8,
    /// 0 to 999,999.
    pub micros: u32,
}

/// An instant: seconds and microseconds of Unix time; all zero is the zero timestamp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    /// Seconds since 1970-01-01 00:00:00 UTC, up to 2^31 - 1 in columns of MariaDB 10.11.
    pub secs: u32,
    /// 0 to 999,999.
    pub micros: u32,
}

/// The `sql_mode` flags that decide which dates are good.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DateMode {
    /// NO_ZERO_DATE: '0000-00-00' is bad.
    pub no_zero_date: bool,
    /// NO_ZERO_IN_DATE: a zero month or day is bad.
    pub no_zero_in_date: bool,
    /// ALLOW_INVALID_DATES: only month 1 to 12 and day 1 to 31 are checked.
    pub allow_invalid: bool,
}

impl Date {
    /// '0000-00-00'.
    pub const ZERO: Date = Date { year: 0, month: 0, day: 0 };

    /// A date of the given parts, unchecked against the calendar.
    pub const fn new(year: u16, month: u8, day: u8) -> Date {
        Date { year, month, day }
    }

    /// Whether this is '0000-00-00'.
    pub fn is_zero(self) -> bool {
        self == Date::ZERO
    }

    /// The date at midnight.
    pub const fn at_midnight(self) -> DateTime {
        DateTime { date: self, hour: 0, minute: 0, second: 0, micros: 0 }
    }

    /// year<<9 | month<<5 | day, whose order is the dates' order.
    pub const fn packed(self) -> u32 {
        (self.year as u32) << 9 | (self.month as u32) << 5 | self.day as u32
    }

    /// From [`Date::packed`]; none for a month above 12 or a year above 9999.
    pub const fn from_packed(packed: u32) -> Option<Date> {
        let date =
            Date { year: (packed >> 9) as u16, month: (packed >> 5 & 15) as u8, day: (packed & 31) as u8 };
        if packed >> 9 > 9999 || date.month > 12 { None } else { Some(date) }
    }
}

impl Time {
    /// 838:59:59.
    pub const MAX_SECONDS: i64 = 838 * 3600 + 59 * 60 + 59;
    /// 838:59:59.999999 in microseconds.
    pub const MAX_MICROS: i64 = Time::MAX_SECONDS * MICROS + 999_999;

    /// A duration of so many microseconds; none beyond the range.
    pub const fn from_micros(micros: i64) -> Option<Time> {
        if micros > Time::MAX_MICROS || micros < -Time::MAX_MICROS { None } else { Some(Time(micros)) }
    }

    /// A duration clipped to the range, and whether it had to be.
    pub const fn saturating(micros: i64) -> (Time, bool) {
        if micros > Time::MAX_MICROS {
            (Time(Time::MAX_MICROS), true)
        } else if micros < -Time::MAX_MICROS {
            (Time(-Time::MAX_MICROS), true)
        } else {
            (Time(micros), false)
        }
    }

    /// From parts; none beyond the range.
    pub fn from_parts(negative: bool, hours: u32, minutes: u32, seconds: u32, micros: u32) -> Option<Time> {
        let total = (i64::from(hours) * 3600 + i64::from(minutes) * 60 + i64::from(seconds)) * MICROS
            + i64::from(micros);
        Time::from_micros(if negative { -total } else { total })
    }

    /// The signed number of microseconds.
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// Whether the duration is negative.
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// Hours, 0 to 838, of the absolute value.
    pub const fn hours(self) -> u32 {
        (self.0.unsigned_abs() / 3_600_000_000) as u32
    }

    /// Minutes, 0 to 59.
    pub const fn minutes(self) -> u32 {
        (self.0.unsigned_abs() / 60_000_000 % 60) as u32
    }

    /// Seconds, 0 to 59.
    pub const fn seconds(self) -> u32 {
        (self.0.unsigned_abs() / 1_000_000 % 60) as u32
    }

    /// Microseconds, 0 to 999,999.
    pub const fn micros(self) -> u32 {
        (self.0.unsigned_abs() % 1_000_000) as u32
    }
}

impl std::ops::Neg for Time {
    type Output = Time;

    fn neg(self) -> Time {
        Time(-self.0)
    }
}

impl DateTime {
    /// '0000-00-00 00:00:00'.
    pub const ZERO: DateTime = Date::ZERO.at_midnight();

    /// From parts, unchecked.
    pub const fn new(date: Date, hour: u8, minute: u8, second: u8, micros: u32) -> DateTime {
        DateTime { date, hour, minute, second, micros }
    }

    /// The time of day.
    pub const fn time(self) -> Time {
        Time(
            ((self.hour as i64 * 60 + self.minute as i64) * 60 + self.second as i64) * MICROS
                + self.micros as i64,
        )
    }

    /// Whether all parts are zero.
    pub fn is_zero(self) -> bool {
        self == DateTime::ZERO
    }
}

impl Timestamp {
    /// The zero timestamp, '0000-00-00 00:00:00' in every zone.
    pub const ZERO: Timestamp = Timestamp { secs: 0, micros: 0 };
    /// Largest second of a TIMESTAMP column: 2038-01-19 03:14:07 UTC.
    pub const MAX_SECS: u32 = i32::MAX as u32;

    /// Whether this is the zero timestamp.
    pub fn is_zero(self) -> bool {
        self == Timestamp::ZERO
    }
}
