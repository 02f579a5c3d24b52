//! Numbers as text: how MariaDB prints integers, FLOAT and DOUBLE, and how it reads the number a string begins with.
//!
//! A double prints its shortest digits that read back as the same number; a float prints at most six. The point's
//! place decides the form: fixed while it lies between 14 zeros after the point and 15 digits before it (or 16 and one
//! more after it), `d.ddde-N` otherwise (no plus sign, no zero padding).

/// Two digits for each number below 100.
static PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut n = 0;
    while n < 100 {
        pairs[n] = [b'0' + (n / 10) as u8, b'0' + (n % 10) as u8];
        n += 1;
    }
    pairs
};

/// Appends an unsigned integer.
#[inline]
pub fn write_u64(mut n: u64, out: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    while n >= 100 {
        at -= 2;
        digits[at..at + 2].copy_from_slice(&PAIRS[(n % 100) as usize]);
        n /= 100;
    }
    if n >= 10 {
        at -= 2;
        digits[at..at + 2].copy_from_slice(&PAIRS[n as usize]);
    } else {
        at -= 1;
        digits[at] = b'0' + n as u8;
    }
    out.extend_from_slice(&digits[at..]);
}

/// Appends a signed integer.
#[inline]
pub fn write_i64(n: i64, out: &mut Vec<u8>) {
    if n < 0 {
        out.push(b'-');
    }
    write_u64(n.unsigned_abs(), out);
}

/// Appends an unsigned integer with leading zeros up to `width` digits.
pub fn write_zerofill(n: u64, width: usize, out: &mut Vec<u8>) {
    let start = out.len();
    write_u64(n, out);
    pad_zeros(start, width, out);
}

/// Inserts zeros at `start` until the text from there is `width` bytes long.
pub(crate) fn pad_zeros(start: usize, width: usize, out: &mut Vec<u8>) {
    let missing = width.saturating_sub(out.len() - start);
    if missing == 0 {
        return;
    }
    out.splice(start..start, std::iter::repeat_n(b'0', missing));
}

/// Text of a number in scientific form, on the stack.
struct Scientific {
    text: [u8; 40],
    len: usize,
}

impl Scientific {
    fn of(args: std::fmt::Arguments<'_>) -> Scientific {
        use std::io::Write as _;
        let mut text = [0; 40];
        let mut rest = &mut text[..];
        // 40 bytes hold 17 digits and an exponent; what would not fit is cut.
        let _ = rest.write_fmt(args);
        let len = 40 - rest.len();
        Scientific { text, len }
    }

    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.text[..self.len]).unwrap_or("0e0")
    }
}

/// Appends a double as MariaDB prints one without a fixed number of decimals.
pub fn write_double(n: f64, out: &mut Vec<u8>) {
    if !n.is_finite() {
        return write_not_finite(n, out);
    }
    if n.trunc() == n && n.abs() < 1e15 {
        return write_i64(n as i64, out);
    }
    let shortest = Scientific::of(format_args!("{n:e}"));
    let shortest = shortest.as_str();
    let digits = shortest.bytes().take_while(|b| *b != b'e').filter(u8::is_ascii_digit).count();
    if digits >= 15 {
        // Where two shortest texts are equally near, MariaDB takes the even digit, as exact formatting does.
        let even = Scientific::of(format_args!("{n:.*e}", digits - 1));
        if even.as_str() != shortest && even.as_str().parse() == Ok(n) {
            return write_scientific(even.as_str(), out);
        }
    }
    write_scientific(shortest, out);
}

/// The digits of a positive double, and where its point stands: `0.digits * 10^point`.
struct Digits {
    digits: Vec<u8>,
    point: i32,
}

impl Digits {
    /// As many as tell it from its neighbours, but no more than `most`.
    fn of(n: f64, most: usize) -> Digits {
        let shortest = Digits::of_scientific(Scientific::of(format_args!("{n:e}")).as_str());
        let most = most.max(1);
        match shortest.digits.len() <= most {
            true => shortest,
            false => Digits::of_scientific(Scientific::of(format_args!("{n:.*e}", most - 1)).as_str()),
        }
    }

    fn of_scientific(text: &str) -> Digits {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let digits = mantissa.bytes().filter(u8::is_ascii_digit).collect();
        Digits { digits, point: exponent.parse::<i32>().unwrap_or(0) + 1 }.trimmed()
    }

    /// With so many behind the point; none where these are all zero.
    fn of_fixed(n: f64, behind: usize) -> Digits {
        let text = format!("{n:.behind$}");
        let whole = text.bytes().take_while(u8::is_ascii_digit).count();
        let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_digit).collect();
        let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
        Digits { point: whole as i32 - zeros as i32, digits: digits[zeros..].to_vec() }.trimmed()
    }

    fn trimmed(mut self) -> Digits {
        let end = self.digits.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1);
        self.digits.truncate(end);
        self
    }

    /// Bytes of all digits without an exponent.
    fn fixed_len(&self) -> i32 {
        let len = self.digits.len() as i32;
        match self.point {
            ..=0 => 2 - self.point + len,
            point => point.max(len + i32::from(point < len)),
        }
    }

    /// Whether a text of `width` bytes is to do without an exponent: where that shows all digits, or no fewer than an
    /// exponent would leave room for.
    fn is_fixed_within(&self, width: i32) -> bool {
        let len = self.digits.len() as i32;
        let exponent = self.point - 1;
        if !(-14..=15).contains(&self.point) {
            return false;
        }
        if self.fixed_len() <= width || self.point > 0 {
            return self.fixed_len() <= width || self.point <= width;
        }
        let room = width - 1 - count_digits(exponent) - 1;
        let scientific = if room > 1 && len > 1 { room - 1 } else { room }.clamp(0, len);
        let fixed = (width - 2 + self.point).clamp(0, len);
        fixed >= scientific && (fixed > 0 || self.point >= -2)
    }

    fn write_fixed(&self, out: &mut Vec<u8>) {
        let len = self.digits.len() as i32;
        match self.point {
            ..=0 => {
                out.extend_from_slice(b"0.");
                out.extend(std::iter::repeat_n(b'0', -self.point as usize));
                out.extend_from_slice(&self.digits);
            }
            point if point < len => {
                out.extend_from_slice(&self.digits[..point as usize]);
                out.push(b'.');
                out.extend_from_slice(&self.digits[point as usize..]);
            }
            point => {
                out.extend_from_slice(&self.digits);
                out.extend(std::iter::repeat_n(b'0', (point - len) as usize));
            }
        }
    }

    fn write_scientific(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.digits[..1]);
        if self.digits.len() > 1 {
            out.push(b'.');
            out.extend_from_slice(&self.digits[1..]);
        }
        out.extend_from_slice(format!("e{}", self.point - 1).as_bytes());
    }
}

/// How many digits an exponent has.
fn count_digits(exponent: i32) -> i32 {
    1 + i32::from(exponent.abs() >= 10) + i32::from(exponent.abs() >= 100)
}

/// Appends a double in at most `width` bytes, with fewer digits where its shortest form is longer; false where not even
/// one digit fits, and the text is cut.
pub fn write_double_within(n: f64, width: usize, out: &mut Vec<u8>) -> bool {
    let start = out.len();
    write_double(n, out);
    if out.len() - start <= width {
        return true;
    }
    if !n.is_finite() {
        out.truncate(start + width);
        return false;
    }
    out.truncate(start);
    if n < 0.0 {
        out.push(b'-');
    }
    let fits = write_digits_within(n.abs(), width - usize::from(n < 0.0).min(width), out);
    if &out[start..] == b"-0" {
        out.remove(start);
    }
    out.truncate(start + width);
    fits
}

fn write_digits_within(n: f64, width: usize, out: &mut Vec<u8>) -> bool {
    let mut digits = Digits::of(n, width);
    let (len, width) = (digits.digits.len() as i32, width as i32);
    if digits.is_fixed_within(width) {
        let point = i32::from(digits.point < len && digits.point != width);
        let room = width - point - if digits.point <= 0 { 1 - digits.point } else { 0 };
        let fits = room >= len || room >= digits.point;
        if room < len {
            digits = Digits::of_fixed(n, (room - digits.point).max(0) as usize);
        }
        match digits.digits.is_empty() {
            true => out.push(b'0'),
            false => digits.write_fixed(out),
        }
        return fits;
    }
    let exponent = digits.point - 1;
    let room = width - 1 - count_digits(exponent) - i32::from(exponent < 0) - i32::from(len > 1);
    if room.max(0) < len {
        digits = Digits::of(n, room.max(0) as usize);
    }
    digits.write_scientific(out);
    room > 0
}

/// Appends a float as MariaDB prints one: six significant digits.
pub fn write_float(n: f32, out: &mut Vec<u8>) {
    let n = f64::from(n);
    if n.is_finite() {
        write_scientific(Scientific::of(format_args!("{n:.5e}")).as_str(), out);
    } else {
        write_not_finite(n, out);
    }
}

/// Appends a double with `decimals` digits after the point.
pub fn write_fixed(n: f64, decimals: u8, out: &mut Vec<u8>) {
    use std::io::Write as _;
    // No zero has a sign.
    let n = if n == 0.0 { 0.0 } else { n };
    if n.is_finite() {
        let before = out.len();
        // Writing to a vector cannot fail.
        let _ = write!(out, "{n}");
        let point = out[before..].iter().position(|byte| *byte == b'.');
        let digits = point.map_or(0, |at| out.len() - before - at - 1);
        if digits > usize::from(decimals) {
            out.truncate(before);
            let _ = write!(out, "{n:.*}", usize::from(decimals));
            // Of what is less than a half MariaDB leaves no digit but the zero before the point.
            if decimals == 0 && matches!(&out[before..], b"0" | b"-0") {
                out.push(b'.');
            }
            return;
        }
        // As many digits as tell it from its neighbours, the last one even where two are equally near, and zeros.
        if digits > 0 && out.len() - before >= 16 {
            let even = format!("{n:.digits$}");
            if even.as_bytes() != &out[before..] && even.parse() == Ok(n) {
                out.truncate(before);
                out.extend_from_slice(even.as_bytes());
            }
        }
        if point.is_none() && decimals > 0 {
            out.push(b'.');
        }
        out.extend(std::iter::repeat_n(b'0', usize::from(decimals) - digits));
    } else {
        write_not_finite(n, out);
    }
}

fn write_not_finite(n: f64, out: &mut Vec<u8>) {
    out.extend_from_slice(if n.is_nan() {
        b"nan"
    } else if n > 0.0 {
        b"inf"
    } else {
        b"-inf"
    });
}

/// Rewrites Rust's `-d.ddde-N` in MariaDB's form.
fn write_scientific(text: &str, out: &mut Vec<u8>) {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (negative, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, mantissa),
    };
    let mut digits: smallvec::SmallVec<[u8; 24]> = mantissa.bytes().filter(|b| *b != b'.').collect();
    while digits.len() > 1 && digits.last() == Some(&b'0') {
        digits.pop();
    }
    if negative {
        out.push(b'-');
    }
    let point = exponent + 1;
    match point {
        _ if digits[..] == *b"0" => out.push(b'0'),
        -14..=0 => {
            out.extend_from_slice(b"0.");
            out.extend(std::iter::repeat_n(b'0', point.unsigned_abs() as usize));
            out.extend_from_slice(&digits);
        }
        1..=15 if digits.len() <= point as usize => {
            out.extend_from_slice(&digits);
            out.extend(std::iter::repeat_n(b'0', point as usize - digits.len()));
        }
        1..=16 if digits.len() > point as usize => {
            out.extend_from_slice(&digits[..point as usize]);
            out.push(b'.');
            out.extend_from_slice(&digits[point as usize..]);
        }
        _ => {
            out.push(digits[0]);
            if digits.len() > 1 {
                out.push(b'.');
                out.extend_from_slice(&digits[1..]);
            }
            out.push(b'e');
            write_i64(i64::from(exponent), out);
        }
    }
}

/// The parts of the number at the front of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberPrefix<'a> {
    /// Whether a minus sign leads.
    pub negative: bool,
    /// Digits before the point.
    pub whole: &'a [u8],
    /// Digits after the point.
    pub fraction: &'a [u8],
    /// The exponent, clipped to +-100,000.
    pub exponent: i32,
    /// The exponent is beyond 64 bits.
    pub exponent_overflow: bool,
    /// Where the number's text begins, after white space.
    pub start: usize,
    /// Where the number ends; equal to `start` when there is no number.
    pub end: usize,
}

impl<'a> NumberPrefix<'a> {
    /// Reads white space, sign, digits, point, digits and exponent; total.
    pub fn parse(text: &'a [u8]) -> NumberPrefix<'a> {
        let start = text.iter().position(|b| !is_space(*b)).unwrap_or(text.len());
        let mut at = start;
        let negative = text.get(at) == Some(&b'-');
        at += usize::from(matches!(text.get(at), Some(b'-' | b'+')));
        let whole = digits_at(text, at);
        at += whole.len();
        let mut fraction: &[u8] = &[];
        if text.get(at) == Some(&b'.') {
            fraction = digits_at(text, at + 1);
            if !whole.is_empty() || !fraction.is_empty() {
                at += 1 + fraction.len();
            }
        }
        if whole.is_empty() && fraction.is_empty() {
            return NumberPrefix {
                negative: false,
                whole,
                fraction,
                exponent: 0,
                exponent_overflow: false,
                start,
                end: start,
            };
        }
        let (mut exponent, mut exponent_overflow) = (0, false);
        if matches!(text.get(at), Some(b'e' | b'E')) {
            let sign = matches!(text.get(at + 1), Some(b'-' | b'+')) as usize;
            let digits = digits_at(text, at + 1 + sign);
            if !digits.is_empty() {
                let size = digits.iter().fold(0_i32, |n, d| (n * 10 + i32::from(d - b'0')).min(100_000));
                exponent = if text[at + 1] == b'-' { -size } else { size };
                let places = digits.iter().fold(0_i128, |n, d| (n * 10 + i128::from(d - b'0')).min(1 << 64));
                exponent_overflow = places > i128::from(i64::MAX);
                at += 1 + sign + digits.len();
            }
        }
        NumberPrefix { negative, whole, fraction, exponent, exponent_overflow, start, end: at }
    }

    /// Whether there is no number at all.
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// Whether anything but white space follows the number (or no number is there).
    pub fn has_garbage(&self, text: &[u8]) -> bool {
        self.is_empty() || text[self.end..].iter().any(|b| !is_space(*b))
    }
}

/// What MariaDB skips before and after numbers.
pub fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | 0x0B | 0x0C | b'\r')
}

fn digits_at(text: &[u8], at: usize) -> &[u8] {
    let rest = text.get(at..).unwrap_or_default();
    let len = rest.iter().position(|b| !b.is_ascii_digit()).unwrap_or(rest.len());
    &rest[..len]
}

/// A number read from a string, and what stands against it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parsed<T> {
    /// The number, clipped to the type's range.
    pub value: T,
    /// Something other than white space was left over, or there was no number.
    pub garbage: bool,
    /// White space alone was left over.
    pub spaces: bool,
    /// Digits too small to be kept were rounded away.
    pub cut: bool,
    /// The number did not fit.
    pub out_of_range: bool,
}

impl<T> Parsed<T> {
    /// A number with nothing against it.
    pub fn exact(value: T) -> Parsed<T> {
        Parsed { value, garbage: false, spaces: false, cut: false, out_of_range: false }
    }

    /// A number read from the front of a text.
    pub(crate) fn of_prefix(value: T, text: &[u8], number: &NumberPrefix<'_>) -> Parsed<T> {
        let garbage = number.has_garbage(text);
        Parsed { garbage, spaces: !garbage && number.end < text.len(), ..Parsed::exact(value) }
    }
}

/// Reads the double that a string begins with; 0 when there is none.
pub fn parse_double(text: &[u8]) -> Parsed<f64> {
    let number = NumberPrefix::parse(text);
    if number.is_empty() {
        return Parsed::of_prefix(0.0, text, &number);
    }
    // The prefix is ASCII of the form that Rust reads too.
    let value: f64 =
        std::str::from_utf8(&text[number.start..number.end]).ok().and_then(|t| t.parse().ok()).unwrap_or(0.0);
    let clipped = value.clamp(-f64::MAX, f64::MAX);
    Parsed { out_of_range: value.is_infinite(), ..Parsed::of_prefix(clipped, text, &number) }
}

/// Reads the integer that a string begins with, without point or exponent, as CAST(... AS SIGNED) does.
///
/// The value is in the range of i64 and u64 together; out of range clips.
pub fn parse_integer(text: &[u8]) -> Parsed<i128> {
    let start = text.iter().position(|b| !is_space(*b)).unwrap_or(text.len());
    let negative = text.get(start) == Some(&b'-');
    let sign = usize::from(matches!(text.get(start), Some(b'-' | b'+')));
    let digits = digits_at(text, start + sign);
    let rest = &text[start + sign + digits.len()..];
    let garbage = digits.is_empty() || rest.iter().any(|b| !is_space(*b));
    let size = digits.iter().fold(0_i128, |n, d| (n * 10 + i128::from(d - b'0')).min(1 << 100));
    let spaces = !garbage && !rest.is_empty();
    clip_integer(if negative { -size } else { size }, garbage, spaces)
}

/// Reads the number that a string begins with, rounded to an integer half away from zero, as storing into an integer
/// column does: '1.5' is 2, '1e3' is 1000.
pub fn parse_rounded(text: &[u8]) -> Parsed<i128> {
    let number = NumberPrefix::parse(text);
    let garbage = number.has_garbage(text);
    let spaces = !garbage && number.end < text.len();
    let digits = || number.whole.iter().chain(number.fraction).map(|d| i128::from(d - b'0'));
    // A second point makes MariaDB forget the first: '1.2.3' is 12.
    let pointed = |end: usize| text[..end].contains(&b'.') && text.get(end) == Some(&b'.');
    let forgotten = if pointed(number.end) { number.fraction.len() as i64 } else { 0 };
    // So many of the digits stand before the point.
    let whole = number.whole.len() as i64 + i64::from(number.exponent) + forgotten;
    let mut size = 0_i128;
    for digit in digits().take(whole.max(0) as usize) {
        size = (size * 10 + digit).min(1 << 100);
    }
    let missing = whole - (number.whole.len() + number.fraction.len()) as i64;
    for _ in 0..missing.clamp(0, 40) {
        size = (size * 10).min(1 << 100);
    }
    if whole >= 0 && digits().nth(whole as usize).is_some_and(|d| d >= 5) {
        size += 1;
    }
    clip_integer(if number.negative { -size } else { size }, garbage, spaces)
}

fn clip_integer(n: i128, garbage: bool, spaces: bool) -> Parsed<i128> {
    let value = n.clamp(i128::from(i64::MIN), i128::from(u64::MAX));
    Parsed { garbage, spaces, out_of_range: value != n, ..Parsed::exact(value) }
}
