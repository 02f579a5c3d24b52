//! Decimals as text.

use super::Decimal;
use super::codec::DIGITS;

impl Decimal {
    /// Appends the number with all digits of its scale: `-12.50`.
    pub fn write(&self, out: &mut Vec<u8>) {
        self.write_padded(0, out);
    }

    /// Appends the number with at least `whole` digits before the point (ZEROFILL).
    pub fn write_padded(&self, whole: usize, out: &mut Vec<u8>) {
        let digits = self.digits();
        let point = DIGITS - usize::from(self.scale);
        let first = digits[..point].iter().position(|d| *d != 0).unwrap_or(point);
        let first = first.min(point.saturating_sub(whole.max(1)));
        if self.negative {
            out.push(b'-');
        }
        out.extend(digits[first..point].iter().map(|d| b'0' + d));
        if self.scale > 0 {
            out.push(b'.');
            out.extend(digits[point..].iter().map(|d| b'0' + d));
        }
    }
}
