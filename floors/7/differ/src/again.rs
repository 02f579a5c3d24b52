//! The same statement with other literals: what a server keeps of a text serves the next one of its shape.

use crate::dice::Dice;
use crate::prepared::literal::{Literal, places};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Texts of other characters, numbers and dates.
const TEXTS: &[&str] =
    &["", "abc", "ABC ", "\u{436}", "\u{e9}", "10", "-1.5", "2020-01-02", "1999-12-31 23:59:59.5", "%"];

/// A statement with a part of its literals changed into others of their kind: to each statement another one, always the same
/// for the same number.
pub fn again(salt: u64, sql: &str) -> String {
    let mut hasher = DefaultHasher::new();
    (salt, sql).hash(&mut hasher);
    let mut dice = Dice::new(hasher.finish());
    let (mut text, mut end) = (String::new(), 0);
    for place in places(sql) {
        if let Some(other) = other(&place.literal, &mut dice) {
            text += &sql[end..place.range.start];
            text += &other;
            end = place.range.end;
        }
    }
    text + &sql[end..]
}

/// Another literal of the same kind, as it is written; `None`: it stays.
fn other(literal: &Literal, dice: &mut Dice) -> Option<String> {
    if dice.chance(1, 3) {
        return None;
    }
    match literal {
        Literal::Integer(n) => Some(dice.pick(&[0, 1, 2, 7, 100, n.unsigned_abs() + 1]).to_string()),
        Literal::Decimal(text) => {
            Some([format!("{text}5"), "0.0".into(), "12345.678".into()][dice.below(3)].clone())
        }
        Literal::Double(x) => Some(format!("{:e}", dice.pick(&[0.0, 1.5, x / 3.0]))),
        Literal::Text(_) => Some(format!("'{}'", dice.pick::<&str>(TEXTS))),
        Literal::Null | Literal::Bytes(_) | Literal::Temporal(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_change_and_nothing_else() {
        let sql = "SELECT c1 + 15, NOW(3) FROM t1 WHERE c2 = 'it''s' AND c3 < 2.5 AND c4 IS NOT NULL LIMIT 3";
        let all: Vec<String> = (0..50).map(|salt| again(salt, sql)).collect();
        assert!(
            all.iter().all(
                |text| text.starts_with("SELECT c1 + ") && text.contains(", NOW(3) FROM t1 WHERE c2 = '")
            )
        );
        assert!(all.iter().all(|text| text.contains(" AND c4 IS NOT NULL LIMIT ")));
        assert!(
            all.iter().any(|text| text.contains("c2 = '\u{436}'"))
                && all.iter().any(|text| text.contains("c3 < 2.55"))
        );
        assert_eq!(all, (0..50).map(|salt| again(salt, sql)).collect::<Vec<_>>());
    }

    #[test]
    fn what_has_no_literals_stays() {
        assert_eq!(again(1, "SELECT c1 FROM t1"), "SELECT c1 FROM t1");
    }
}
