//! Sequence tables: `seq_1_to_10`, `seq_10_to_1_step_3`. They are nowhere stored: the name says what rows there are.

use crate::error::SqlError;
use types::column::IntSize;
use types::{CollationId, ColumnDef, ColumnType, IndexDef, TableDef};

/// The numbers of a sequence table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sequence {
    least: u64,
    /// How many.
    count: u64,
    step: u64,
    /// From the greatest to the least.
    descending: bool,
}

impl Sequence {
    /// The sequence that a table's name means; error 1030 for one that goes by steps of nothing.
    pub fn named(name: &str) -> Option<Result<Sequence, SqlError>> {
        let (from, rest) = name.strip_prefix("seq_")?.split_once("_to_")?;
        let (to, step) = match rest.split_once("_step_") {
            Some((to, step)) => (to, step),
            None => (rest, "1"),
        };
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            text.parse::<u64>().ok().filter(|_| digits)
        };
        let (from, to, step) = (number(from)?, number(to)?, number(step)?);
        if step == 0 {
            return Some(Err(SqlError::storage_error("140 \"Wrong create options\"", "SEQUENCE")));
        }
        let (least, most) = (from.min(to), from.max(to));
        let count = ((most - least) / step).saturating_add(1);
        Some(Ok(Sequence { least, count, step, descending: from > to }))
    }

    /// How many rows.
    pub fn rows(&self) -> f64 {
        self.count as f64
    }

    /// Of its numbers those from `low` to `high`.
    pub fn within(self, low: i128, high: i128) -> Sequence {
        let (least, step, count) = (i128::from(self.least), i128::from(self.step), i128::from(self.count));
        let end = least + (count - 1) * step;
        let first = (low.clamp(least, end + 1) - least + step - 1) / step;
        let last = (high.clamp(least - 1, end) - least).div_euclid(step);
        let count = (last - first + 1).max(0);
        let least = if count == 0 { self.least } else { self.least + first as u64 * self.step };
        Sequence { least, count: count as u64, ..self }
    }

    /// The numbers in their order.
    pub fn numbers(self) -> impl Iterator<Item = u64> {
        let at = move |n: u64| if self.descending { self.count - 1 - n } else { n };
        // No greater than the sequence's end: no overflow.
        (0..self.count).map(move |n| self.least + at(n) * self.step)
    }

    /// The table as statements see it.
    pub fn definition(database: &str, name: &str) -> TableDef {
        TableDef::new(
            (database, name),
            CollationId::UTF8MB4_GENERAL_CI,
            vec![ColumnDef::new("seq", ColumnType::integer(IntSize::Big, true), false)],
            vec![IndexDef::primary(&[0])],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Sequence;

    #[test]
    fn a_part_has_the_numbers_within() {
        for name in
            ["seq_3_to_40", "seq_40_to_3_step_4", "seq_5_to_5", "seq_0_to_18446744073709551615_step_9"]
        {
            let all = Sequence::named(name).unwrap().unwrap();
            for low in [i128::MIN, -7, 0, 3, 4, 5, 12, 39, 40, 41, i128::MAX] {
                for high in [i128::MIN, -7, 0, 3, 4, 5, 12, 39, 40, 41, 60] {
                    let part: Vec<u64> = all.within(low, high).numbers().collect();
                    let within = |n: &u64| i128::from(*n) >= low && i128::from(*n) <= high;
                    // The longest one ascends: its first hundred go beyond all bounds.
                    let numbers = all.numbers().take(100);
                    assert_eq!(part, numbers.filter(within).collect::<Vec<_>>(), "{name} {low} {high}");
                }
            }
        }
    }

    #[test]
    fn names_mean_numbers() {
        let numbers = |name: &str| -> Vec<u64> {
            Sequence::named(name).map(|s| s.unwrap().numbers().take(4).collect()).unwrap_or_default()
        };
        assert_eq!(numbers("seq_1_to_3"), [1, 2, 3]);
        assert_eq!(numbers("seq_10_to_2_step_3"), [8, 5, 2]);
        assert_eq!(numbers("seq_3_to_3"), [3]);
        assert_eq!(numbers("seq_0_to_18446744073709551615"), [0, 1, 2, 3]);
        assert_eq!(numbers("seq_18446744073709551615_to_1_step_18446744073709551615"), [1]);
        for none in [
            "seq_1_to_3x",
            "seq_1_to_",
            "seq__to_3",
            "Seq_1_to_3",
            "seq_1_to_3_step_",
            "seq_+1_to_3",
            "seq_1_to_99999999999999999999",
        ] {
            assert!(Sequence::named(none).is_none(), "{none}");
        }
        assert_eq!(Sequence::named("seq_1_to_3_step_0").unwrap().unwrap_err().errno, 1030);
    }
}
