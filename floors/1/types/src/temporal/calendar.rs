//! The calendar: day numbers, weekdays, weeks, names.
//!
//! Day numbers count from year 0 as MariaDB's TO_DAYS does; year 0 has 365 days.

use super::{Date, DateTime, MICROS, Time};

/// Names of months, January first.
pub const MONTH_NAMES: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
/// Names of weekdays, Monday first.
pub const DAY_NAMES: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// The day number of 9999-12-31.
pub const MAX_DAY_NUMBER: i64 = 3_652_424;

/// Whether a year has 366 days.
pub const fn is_leap(year: u16) -> bool {
    year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400) && year != 0
}

/// Days of a month, 1 to 12; 31 for any other number.
pub const fn days_in_month(year: u16, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Days before the first of January of a year.
const fn days_before_year(year: i64) -> i64 {
    let past = year - 1;
    if year <= 0 { 365 * year } else { 365 * year + past / 4 - past / 100 + past / 400 }
}

const DAYS_BEFORE_MONTH: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

impl Date {
    /// TO_DAYS: 1 for 0000-01-01, 0 for the zero date. Parts beyond the calendar count on (02-30 is 03-01 or 02).
    pub fn to_days(self) -> i64 {
        if self.year == 0 && self.month == 0 {
            return 0;
        }
        // Month 0 counts as the month before January, of 31 days.
        let before_month = match self.month {
            0 => -31,
            month => DAYS_BEFORE_MONTH[usize::from(month - 1) % 12],
        };
        let leap_day = i64::from(self.month > 2 && is_leap(self.year));
        days_before_year(i64::from(self.year)) + before_month + leap_day + i64::from(self.day)
    }

    /// FROM_DAYS: the zero date below 366 and beyond year 9999.
    pub fn from_days(days: i64) -> Date {
        if (366..=MAX_DAY_NUMBER).contains(&days) {
            Date::of_day(days).unwrap_or(Date::ZERO)
        } else {
            Date::ZERO
        }
    }

    /// The date of a day number from 1 (0000-01-01) to [`MAX_DAY_NUMBER`].
    pub fn of_day(days: i64) -> Option<Date> {
        if !(1..=MAX_DAY_NUMBER).contains(&days) {
            return None;
        }
        let mut year = days * 400 / 146_097;
        while days_before_year(year + 1) < days {
            year += 1;
        }
        while days_before_year(year) >= days {
            year -= 1;
        }
        let (year, rest) = (year as u16, days - days_before_year(year));
        let before = |month: usize| DAYS_BEFORE_MONTH[month] + i64::from(month > 1 && is_leap(year));
        // As if all months had 32 days, or the month after that: what is missed adds up to less than one.
        let mut month = (rest as usize - 1) / 32;
        if month < 11 && rest > before(month + 1) {
            month += 1;
        }
        Some(Date::new(year, month as u8 + 1, (rest - before(month)) as u8))
    }

    /// 0 for Monday to 6 for Sunday.
    pub fn weekday(self) -> u8 {
        weekday_of(self.to_days())
    }

    /// 1 to 366.
    pub fn day_of_year(self) -> u16 {
        (self.to_days() - days_before_year(i64::from(self.year))) as u16
    }

    /// 1 to 4; 0 for month 0.
    pub fn quarter(self) -> u8 {
        self.month.div_ceil(3)
    }

    /// The last day of the month; none for month 0.
    pub fn last_day(self) -> Option<Date> {
        (1..=12).contains(&self.month).then(|| Date { day: days_in_month(self.year, self.month), ..self })
    }

    /// Year and week under WEEK's mode 0 to 7.
    ///
    /// Bit 0: weeks begin on Monday. Bit 1: weeks count from 1, and days before the first or after the last week belong
    /// to the neighbouring year; else days before the first week are in week 0. Bit 2: the first week is the first one
    /// with the beginning weekday in this year (turned round without bit 0), else the first with four days or more.
    pub fn week(self, mode: u8) -> (i64, u32) {
        if self.month == 0 || self.day == 0 {
            return week_of_parts(self, mode);
        }
        let sunday_first = mode & 1 == 0;
        let by_weekday = (mode & 4 != 0) != sunday_first;
        let day = self.to_days();
        let year = i64::from(self.year);
        let start = |year| first_week(year, sunday_first, by_weekday);
        let count = |from: i64| ((day - from) / 7 + 1) as u32;
        if mode & 2 == 0 {
            return (year, if day < start(year) { 0 } else { count(start(year)) });
        }
        if day < start(year) {
            (year - 1, count(start(year - 1)))
        } else if day >= start(year + 1) {
            (year + 1, 1)
        } else {
            (year, count(start(year)))
        }
    }

    /// YEARWEEK under a mode: year * 100 + week, with bit 1 of the mode set. The year before 0 wraps as in MariaDB.
    pub fn year_week(self, mode: u8) -> u32 {
        let (year, week) = self.week(mode | 2);
        (year * 100 + i64::from(week)) as u32
    }
}

/// The week of a date without a month or day, which may lie before its year or before the first day that there is: MariaDB
/// counts without signs, and so comes to the last weeks of 32 bits.
fn week_of_parts(date: Date, mode: u8) -> (i64, u32) {
    let sunday_first = mode & 1 == 0;
    let (mut counts_last, by_weekday) = (mode & 2 != 0, (mode & 4 != 0) != sunday_first);
    let starts_late = |weekday: i64| if by_weekday { weekday != 0 } else { weekday >= 4 };
    let days_in = |year: i64| days_before_year(year + 1) - days_before_year(year);
    let mut year = i64::from(date.year);
    let mut first = Date::new(date.year, 1, 1).to_days();
    let mut weekday = (first + 5 + i64::from(sunday_first)).rem_euclid(7);
    if date.month == 1 && i64::from(date.day) <= 7 - weekday {
        if !counts_last && starts_late(weekday) {
            return (year, 0);
        }
        counts_last = true;
        year -= 1;
        let days = days_in(year.max(0));
        first -= days;
        weekday = (weekday + 53 * 7 - days).rem_euclid(7);
    }
    let from = if starts_late(weekday) { first + 7 - weekday } else { first - weekday };
    let days = (date.to_days() - from) as u32;
    let next = (weekday + days_in(year.max(0))).rem_euclid(7);
    match counts_last && days >= 52 * 7 && !starts_late(next) {
        true => (year + 1, 1),
        false => (year, days / 7 + 1),
    }
}

fn weekday_of(day: i64) -> u8 {
    (day + 5).rem_euclid(7) as u8
}

/// The day number at which a year's first week begins.
fn first_week(year: i64, sunday_first: bool, by_weekday: bool) -> i64 {
    let first = days_before_year(year) + 1;
    // Days since the week's beginning.
    let into = i64::from((weekday_of(first) + u8::from(sunday_first)) % 7);
    let begins_here = if by_weekday { into == 0 } else { into <= 3 };
    if begins_here { first - into } else { first - into + 7 }
}

impl DateTime {
    /// Microseconds since day 0; parts beyond the calendar count on.
    pub fn to_micros(self) -> i64 {
        self.date.to_days() * 86_400 * MICROS + self.time().as_micros()
    }

    /// From microseconds since day 0; none outside the years 0 to 9999.
    pub fn from_micros(micros: i64) -> Option<DateTime> {
        let day = 86_400 * MICROS;
        let date = Date::of_day(micros.div_euclid(day))?;
        Some(DateTime::of(date, Time(micros.rem_euclid(day))))
    }

    /// A date and a time of day.
    fn of(date: Date, time: Time) -> DateTime {
        DateTime::new(date, time.hours() as u8, time.minutes() as u8, time.seconds() as u8, time.micros())
    }

    /// A date plus a duration, which may be negative or longer than a day.
    pub fn of_date_and_time(date: Date, time: Time) -> Option<DateTime> {
        DateTime::from_micros(date.at_midnight().to_micros() + time.as_micros())
    }

    /// A time as days, months of 31 of them, and the time of day; none for negative ones.
    pub fn of_time(time: Time) -> Option<DateTime> {
        const DAY: i64 = 24 * 3600 * 1_000_000;
        let days = u8::try_from(time.as_micros().div_euclid(DAY)).ok()?;
        Some(DateTime::of(Date::new(0, days / 31, days % 31), Time(time.as_micros().rem_euclid(DAY))))
    }

    /// A date without year and month as a time, each day 24 hours; none for others.
    pub fn time_with_days(self) -> Option<Time> {
        let days = i64::from(self.date.day) * 24 * 3600 * 1_000_000;
        (self.date.year == 0 && self.date.month == 0)
            .then(|| Time::saturating(days + self.time().as_micros()).0)
    }

    /// Without the digits of the fraction beyond `fsp`.
    pub fn truncate(self, fsp: u8) -> DateTime {
        DateTime { micros: crate::row::cut_fraction(self.micros, fsp), ..self }
    }

    /// Rounded to `fsp` digits (TIME_ROUND_FRACTIONAL); none when that leaves year 9999.
    pub fn round(self, fsp: u8) -> Option<DateTime> {
        let cut = self.truncate(fsp);
        let unit = 10_i64.pow(6 - u32::from(fsp.min(6)));
        if i64::from(self.micros - cut.micros) * 2 < unit {
            return Some(cut);
        }
        DateTime::from_micros(cut.to_micros() + unit)
    }
}

impl Time {
    /// Without the digits of the fraction beyond `fsp`.
    pub fn truncate(self, fsp: u8) -> Time {
        let unit = 10_i64.pow(6 - u32::from(fsp.min(6)));
        Time(self.0 / unit * unit)
    }

    /// Rounded to `fsp` digits, half away from zero, clipped to the range.
    pub fn round(self, fsp: u8) -> Time {
        let unit = 10_i64.pow(6 - u32::from(fsp.min(6)));
        let half = unit / 2 * self.0.signum();
        let limit = Time::MAX_MICROS / unit * unit;
        Time(((self.0 + half) / unit * unit).clamp(-limit, limit))
    }
}
