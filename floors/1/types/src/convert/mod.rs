//! Conversions: storing a value into a column, reading a value as a number, date or string, comparing values of
//! different types, and keys for grouping and sorting. All of them follow MariaDB; what MariaDB would warn of comes
//! back as data, and the caller makes a warning or an error of it.

mod cast;
mod characters;
mod compare;
mod opaque;
mod store;

pub use cast::{days_as_hours, to_bool, to_datetime, to_decimal, to_double, to_integer, to_str, to_time};
pub use compare::{compare, group_key, sort_key};
pub use store::{StoreIssue, Stored, TemporalKind, of_digits, store};

use crate::temporal::{Date, DateMode, TimeZone, Timestamp};

/// What conversions need to know of a session and statement.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConvertContext {
    /// Which dates are good.
    pub mode: DateMode,
    /// TIME_ROUND_FRACTIONAL: round fractions of seconds instead of cutting them.
    pub round_fractions: bool,
    /// The session's zone.
    pub zone: TimeZone,
    /// The statement's time: a TIME becomes a DATE or DATETIME of that day in `zone`.
    pub now: Timestamp,
    /// `old_mode` ZERO_DATE_TIME_CAST: times and dates without year and month are the same, a day for 24 hours.
    pub days_are_hours: bool,
}

impl ConvertContext {
    /// The statement's date in the session's zone.
    pub fn today(&self) -> Date {
        self.zone.to_local(self.now).date
    }
}
