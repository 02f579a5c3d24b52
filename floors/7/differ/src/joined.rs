//! What a statement's joins read, by its text.

/// Whether an outer join in a subquery has a condition that reads a table around the subquery: its `aN.` is none of the
/// tables that stand in there.
pub fn reads_around(sql: &str) -> bool {
    let sql = sql.to_ascii_uppercase();
    sql.match_indices("(SELECT ").any(|(at, _)| {
        let query = until_closed(&sql[at + 1..]);
        let outer = query.contains(" LEFT ") || query.contains(" RIGHT ");
        let named: Vec<&str> = tables(query).filter(|(_, dotted)| !dotted).map(|(name, _)| name).collect();
        let around = |on: &str| {
            let condition = on.split(" JOIN ").next().unwrap_or(on);
            let condition = condition.split(" WHERE ").next().unwrap_or(condition);
            tables(condition).any(|(name, dotted)| dotted && !named.contains(&name))
        };
        outer && query.split(" ON ").skip(1).any(around)
    })
}

/// The text up to the parenthesis that closes what it stands in.
fn until_closed(text: &str) -> &str {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return &text[..at],
            b')' => depth -= 1,
            _ => {}
        }
    }
    text
}

/// The names of tables as they are drawn, `A` and a number, and whether one of their columns is meant.
fn tables(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split(move |c: char| !is_word(c) && c != '.').filter_map(|word| {
        let (name, dotted) = word.split_once('.').map_or((word, false), |(name, _)| (name, true));
        let number = name.strip_prefix('A')?;
        (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())).then_some((name, dotted))
    })
}

#[cfg(test)]
mod tests {
    use super::reads_around;

    #[test]
    fn conditions_of_outer_joins_in_subqueries_are_found() {
        assert!(reads_around("SELECT (SELECT MIN(a3.c4) FROM t3 a2 LEFT JOIN t3 a3 ON a1.c2) FROM t2 a1"));
        assert!(!reads_around("SELECT (SELECT MIN(a3.c4) FROM t3 a2 LEFT JOIN t3 a3 ON a2.c2) FROM t2 a1"));
        assert!(!reads_around("SELECT (SELECT MIN(a3.c4) FROM t3 a2 JOIN t3 a3 ON a1.c2) FROM t2 a1"));
        assert!(!reads_around("SELECT 1 FROM t2 a1 LEFT JOIN t3 a2 ON a1.c2"));
        assert!(!reads_around(
            "SELECT (SELECT 1 FROM t3 a2 LEFT JOIN t3 a3 ON 1 WHERE a1.c2 = a2.c2) FROM t2 a1"
        ));
    }
}
