//! Time zones: SYSTEM, offsets such as '+02:00', and names of the tz database.

use chrono::offset::LocalResult;
use chrono::{Datelike, FixedOffset, NaiveDate, NaiveDateTime, Offset, TimeZone as _, Timelike};
use std::sync::OnceLock;

use super::{Date, DateTime, Timestamp};

/// A session's time zone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TimeZone {
    /// The zone of the machine.
    #[default]
    System,
    /// A fixed offset in seconds east of UTC.
    Offset(i32),
    /// A zone of the tz database.
    Named(chrono_tz::Tz),
}

impl TimeZone {
    /// UTC.
    pub const UTC: TimeZone = TimeZone::Offset(0);

    /// Reads 'SYSTEM', an offset from '-12:59' to '+13:00', or a zone's name, in any case.
    pub fn parse(text: &str) -> Option<TimeZone> {
        if text.eq_ignore_ascii_case("system") {
            return Some(TimeZone::System);
        }
        match text.as_bytes() {
            [b'+' | b'-', ..] => parse_offset(text),
            _ => {
                let same = |zone: &&chrono_tz::Tz| zone.name().eq_ignore_ascii_case(text);
                chrono_tz::TZ_VARIANTS.iter().find(same).copied().map(TimeZone::Named)
            }
        }
    }

    /// Names of the tz database's zones, in order.
    pub fn names() -> impl Iterator<Item = &'static str> {
        chrono_tz::TZ_VARIANTS.iter().map(|zone| zone.name())
    }

    /// The text that `@@time_zone` shows.
    pub fn name(&self) -> String {
        match self {
            TimeZone::System => "SYSTEM".to_string(),
            TimeZone::Offset(secs) => {
                let minutes = secs.unsigned_abs() / 60;
                let sign = if *secs < 0 { '-' } else { '+' };
                format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
            }
            TimeZone::Named(zone) => zone.name().to_string(),
        }
    }

    /// Seconds east of UTC at an instant of Unix time.
    #[inline]
    pub fn offset_at(&self, unix_secs: i64) -> i32 {
        match self {
            TimeZone::Offset(secs) => *secs,
            TimeZone::System if (0..SYSTEM_KNOWN).contains(&unix_secs) => SystemOffsets::get().at(unix_secs),
            _ => self.look_up_offset(unix_secs),
        }
    }

    fn look_up_offset(&self, unix_secs: i64) -> i32 {
        let Some(utc) = chrono::DateTime::from_timestamp(unix_secs, 0) else { return 0 };
        let utc = utc.naive_utc();
        match self {
            TimeZone::Offset(secs) => *secs,
            TimeZone::System => chrono::Local.offset_from_utc_datetime(&utc).fix().local_minus_utc(),
            TimeZone::Named(zone) => zone.offset_from_utc_datetime(&utc).fix().local_minus_utc(),
        }
    }

    /// Whether it is as far from UTC all the while that TIMESTAMP tells of: local times order as the instants do.
    pub fn keeps_one_offset(&self) -> bool {
        match self {
            TimeZone::Offset(_) => true,
            TimeZone::System => SystemOffsets::get().changes.len() == 1,
            TimeZone::Named(zone) => matches!(*zone, chrono_tz::UTC | chrono_tz::Etc::UTC),
        }
    }

    /// The local date and time of an instant; the zero timestamp gives the zero date.
    pub fn to_local(&self, instant: Timestamp) -> DateTime {
        if instant.is_zero() {
            return DateTime::ZERO;
        }
        self.local_of_unix(i64::from(instant.secs), instant.micros)
    }

    /// The local date and time of Unix time, which may lie outside TIMESTAMP's range.
    pub fn local_of_unix(&self, unix_secs: i64, micros: u32) -> DateTime {
        let local = unix_secs.saturating_add(i64::from(self.offset_at(unix_secs)));
        let (day, second) = (local.div_euclid(DAY), local.rem_euclid(DAY));
        if let Some(date) = day.checked_add(EPOCH_DAY).and_then(Date::of_day) {
            let (hour, minute) = ((second / 3600) as u8, (second / 60 % 60) as u8);
            return DateTime { date, hour, minute, second: (second % 60) as u8, micros };
        }
        let Some(at) = chrono::DateTime::from_timestamp(local, 0) else { return DateTime::ZERO };
        let year = at.year().clamp(0, 9999) as u16;
        DateTime {
            date: Date::new(year, at.month() as u8, at.day() as u8),
            hour: at.hour() as u8,
            minute: at.minute() as u8,
            second: at.second() as u8,
            micros,
        }
    }

    /// The instant of a local date and time: zero for the zero date; none where TIMESTAMP cannot hold it.
    ///
    /// A local time that happens twice gives the first. One that a clock change skips gives the instant of the
    /// change, and `true`.
    pub fn to_timestamp(&self, local: DateTime) -> Option<(Timestamp, bool)> {
        if local.is_zero() {
            return Some((Timestamp::ZERO, false));
        }
        let (secs, in_gap) = self.to_unix(local)?;
        let micros = if in_gap { 0 } else { local.micros };
        // Its first second has a fraction: without one it would be zero.
        let least = if micros > 0 { 0 } else { 1 };
        let in_range = (least..=i64::from(Timestamp::MAX_SECS)).contains(&secs);
        in_range.then_some((Timestamp { secs: secs as u32, micros }, in_gap))
    }

    /// Unix seconds of a local date and time, and whether it fell into a gap; none for an impossible date.
    pub fn to_unix(&self, local: DateTime) -> Option<(i64, bool)> {
        let date = local.date;
        let naive =
            NaiveDate::from_ymd_opt(i32::from(date.year), u32::from(date.month), u32::from(date.day))?
                .and_hms_opt(u32::from(local.hour), u32::from(local.minute), u32::from(local.second))?;
        match self {
            TimeZone::Offset(secs) => Some((naive.and_utc().timestamp() - i64::from(*secs), false)),
            TimeZone::System => {
                resolve(naive, |at| chrono::Local.offset_from_local_datetime(at).map(|o| o.fix()))
            }
            TimeZone::Named(zone) => {
                resolve(naive, |at| zone.offset_from_local_datetime(at).map(|o| o.fix()))
            }
        }
    }
}

/// Seconds of a day.
const DAY: i64 = 86_400;
/// TO_DAYS of 1970-01-01.
const EPOCH_DAY: i64 = 719_528;
/// The offsets of the machine's zone are kept up to here: what TIMESTAMP tells of, and a day.
const SYSTEM_KNOWN: i64 = Timestamp::MAX_SECS as i64 + DAY;

/// When the machine's zone is how far from UTC, looked up once: as in MariaDB, a server keeps the zone that it was started in.
struct SystemOffsets {
    /// Unix seconds from which on an offset holds; the first is 0.
    changes: Vec<(i64, i32)>,
}

impl SystemOffsets {
    fn get() -> &'static SystemOffsets {
        static KNOWN: OnceLock<SystemOffsets> = OnceLock::new();
        KNOWN.get_or_init(|| SystemOffsets::of(|secs| TimeZone::System.look_up_offset(secs)))
    }

    /// Clocks keep an offset for some weeks at least: each week tells of a change, which is looked for in it then.
    fn of(offset_at: impl Fn(i64) -> i32) -> SystemOffsets {
        const WEEK: i64 = 7 * DAY;
        let mut changes = vec![(0, offset_at(0))];
        for start in (0..SYSTEM_KNOWN).step_by(WEEK as usize) {
            let (mut before, mut behind) = (start, (start + WEEK).min(SYSTEM_KNOWN));
            let (from, to) = (offset_at(before), offset_at(behind));
            if from == to {
                continue;
            }
            while behind - before > 1 {
                let middle = before + (behind - before) / 2;
                if offset_at(middle) == from { before = middle } else { behind = middle }
            }
            changes.push((behind, to));
        }
        SystemOffsets { changes }
    }

    fn at(&self, unix_secs: i64) -> i32 {
        let held = self.changes.partition_point(|(from, _)| *from <= unix_secs);
        self.changes[held.saturating_sub(1)].1
    }
}

/// A sign, any number of digits of hours, a colon and at least one digit of minutes.
fn parse_offset(text: &str) -> Option<TimeZone> {
    let (hours, minutes) = text[1..].split_once(':')?;
    let number = |digits: &str| {
        digits.bytes().try_fold(0_i32, |number, byte| {
            let digit = char::from(byte).to_digit(10)? as i32;
            number.checked_mul(10)?.checked_add(digit)
        })
    };
    let (hours, minutes) = (number(hours)?, number(minutes).filter(|_| !minutes.is_empty())?);
    let total = hours.checked_mul(60)?.checked_add(minutes)?;
    let negative = text.starts_with('-');
    let in_range = minutes < 60 && if negative { total < 13 * 60 } else { total <= 13 * 60 };
    in_range.then_some(TimeZone::Offset(if negative { -total * 60 } else { total * 60 }))
}

fn resolve(
    local: NaiveDateTime,
    offset: impl Fn(&NaiveDateTime) -> LocalResult<FixedOffset>,
) -> Option<(i64, bool)> {
    let unix = local.and_utc().timestamp();
    match offset(&local) {
        LocalResult::Single(o) => Some((unix - i64::from(o.local_minus_utc()), false)),
        LocalResult::Ambiguous(a, b) => {
            Some((unix - i64::from(a.local_minus_utc()).max(i64::from(b.local_minus_utc())), false))
        }
        LocalResult::None => gap_end(local, offset).map(|secs| (secs, true)),
    }
}

/// The instant at which the clock jumped over `local`: the last local second before the gap, plus one.
fn gap_end(local: NaiveDateTime, offset: impl Fn(&NaiveDateTime) -> LocalResult<FixedOffset>) -> Option<i64> {
    let (mut before, mut inside) = (-86_400_i64 * 2, 0_i64);
    let at = |delta: i64| local.checked_add_signed(chrono::TimeDelta::seconds(delta));
    let exists = |delta: i64| at(delta).and_then(|t| offset(&t).earliest());
    exists(before)?;
    while inside - before > 1 {
        let middle = before + (inside - before) / 2;
        if exists(middle).is_some() { before = middle } else { inside = middle }
    }
    let last = exists(before)?;
    Some(local.and_utc().timestamp() + before - i64::from(last.local_minus_utc()) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_kept_are_those_looked_up() {
        for zone in [
            chrono_tz::Europe::Berlin,
            chrono_tz::America::St_Johns,
            chrono_tz::Africa::Casablanca,
            chrono_tz::UTC,
        ] {
            let zone = TimeZone::Named(zone);
            let kept = SystemOffsets::of(|secs| zone.offset_at(secs));
            for (from, offset) in &kept.changes {
                assert_eq!(*offset, zone.offset_at(*from));
                assert!(*from == 0 || zone.offset_at(from - 1) != *offset, "{} at {from}", zone.name());
            }
            for secs in (0..SYSTEM_KNOWN).step_by(100_003) {
                assert_eq!(kept.at(secs), zone.offset_at(secs), "{} at {secs}", zone.name());
            }
        }
    }

    #[test]
    fn local_times_are_those_of_the_calendar() {
        for secs in (-62_000_000_000..=250_000_000_000_i64).step_by(777_777_777) {
            let at = chrono::DateTime::from_timestamp(secs, 0).expect("in chrono's range");
            let local = TimeZone::UTC.local_of_unix(secs, 7);
            assert_eq!(local.date, Date::new(at.year() as u16, at.month() as u8, at.day() as u8), "{secs}");
            let time = [at.hour(), at.minute(), at.second(), 7];
            let ours = [local.hour, local.minute, local.second].map(u32::from);
            assert_eq!([ours[0], ours[1], ours[2], local.micros], time, "{secs}");
        }
    }
}
