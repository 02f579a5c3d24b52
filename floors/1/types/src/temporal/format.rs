//! Text of dates and times.

use super::{Date, DateTime, Time};
use crate::number::write_u64;

impl Date {
    /// Appends `YYYY-MM-DD`.
    pub fn write(self, out: &mut Vec<u8>) {
        push4(self.year, out);
        out.push(b'-');
        push2(self.month, out);
        out.push(b'-');
        push2(self.day, out);
    }
}

impl Time {
    /// Appends `[-]HH:MM:SS` with `fsp` digits of fraction; hours have two or three digits.
    pub fn write(self, fsp: u8, out: &mut Vec<u8>) {
        if self.is_negative() {
            out.push(b'-');
        }
        match self.hours() {
            hours @ 0..=99 => push2(hours as u8, out),
            hours => write_u64(u64::from(hours), out),
        }
        out.push(b':');
        push2(self.minutes() as u8, out);
        out.push(b':');
        push2(self.seconds() as u8, out);
        push_fraction(self.micros(), fsp, out);
    }
}

impl DateTime {
    /// Appends `YYYY-MM-DD HH:MM:SS` with `fsp` digits of fraction.
    pub fn write(self, fsp: u8, out: &mut Vec<u8>) {
        self.date.write(out);
        out.push(b' ');
        push2(self.hour, out);
        out.push(b':');
        push2(self.minute, out);
        out.push(b':');
        push2(self.second, out);
        push_fraction(self.micros, fsp, out);
    }
}

fn push2(n: u8, out: &mut Vec<u8>) {
    out.extend([b'0' + n / 10 % 10, b'0' + n % 10]);
}

fn push4(n: u16, out: &mut Vec<u8>) {
    push2((n / 100) as u8, out);
    push2((n % 100) as u8, out);
}

fn push_fraction(micros: u32, fsp: u8, out: &mut Vec<u8>) {
    if fsp == 0 {
        return;
    }
    out.push(b'.');
    let mut unit = 100_000;
    for _ in 0..fsp.min(6) {
        out.push(b'0' + (micros / unit % 10) as u8);
        unit = (unit / 10).max(1);
    }
}

macro_rules! display {
    ($($ty:ident $fsp:expr),*) => {$(
        impl std::fmt::Display for $ty {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let mut text = Vec::new();
                let fsp: fn($ty) -> u8 = $fsp;
                self.write(fsp(*self), &mut text);
                f.write_str(&String::from_utf8_lossy(&text))
            }
        }
    )*};
}

display!(Time | t | if t.micros() == 0 { 0 } else { 6 }, DateTime | t | if t.micros == 0 { 0 } else { 6 });

impl std::fmt::Display for Date {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = Vec::new();
        self.write(&mut text);
        f.write_str(&String::from_utf8_lossy(&text))
    }
}
