//! What a statement's joins read, by its text.

/// Whether an outer join in a subquery has a condition that reads a table around the subquery: its `aN.` is none of the
/// tables that stand in there.
pub fn reads_around(sql: &str) -> bool {
    // Views are written as MariaDB keeps them.
    let sql =
        sql.to_ascii_uppercase().replace('`', "").replace("PENSTOCK_DIFFER.", "").replace(" ON(", " ON (");
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

/// Whether rows are compared in it, which NULL in one pair leaves open.
pub fn compares_rows(sql: &str) -> bool {
    [") <> (", ") != (", ") < (", ") <= (", ") > (", ") >= (", ") NOT IN (("]
        .iter()
        .any(|op| sql.contains(op))
        || (sql.contains("NOT ((") || sql.contains(" XOR ")) && sql.contains(") IN ((")
}

/// Whether an aggregate in a subquery is that of an outer join whose rows are compared so.
pub fn aggregates_compared_rows(sql: &str) -> bool {
    const AGGREGATES: &[&str] = &["AVG(", "COUNT(", "MAX(", "MIN(", "SUM("];
    sql.match_indices("(SELECT ").any(|(at, word)| {
        let query = until_closed(&sql[at + 1..]);
        let item = &query[word.len() - 1..];
        AGGREGATES.iter().any(|name| item.starts_with(name))
            && (query.contains(" LEFT ") || query.contains(" RIGHT "))
            && compares_rows(query)
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

/// The names of tables as they are drawn, `A` or `T` and a number, and whether one of their columns is meant.
fn tables(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split(move |c: char| !is_word(c) && c != '.').filter_map(|word| {
        let (name, dotted) = word.split_once('.').map_or((word, false), |(name, _)| (name, true));
        let number = name.strip_prefix(['A', 'T'])?;
        (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())).then_some((name, dotted))
    })
}

#[cfg(test)]
mod tests {
    use super::{aggregates_compared_rows, reads_around};

    #[test]
    fn aggregates_of_compared_rows_are_found() {
        let joined = "t13 a2 LEFT JOIN t3 a3 ON a2.x = a3.y";
        assert!(aggregates_compared_rows(&format!(
            "SELECT 1, (SELECT MAX(a2.r) FROM {joined} WHERE (a2.x, 'z') <> (a3.y, a2.r)) FROM t1 a1"
        )));
        assert!(!aggregates_compared_rows(&format!(
            "SELECT 1, (SELECT a2.r FROM {joined} WHERE (a2.x, 'z') <> (a3.y, a2.r)) FROM t1 a1"
        )));
        assert!(!aggregates_compared_rows(&format!(
            "SELECT (SELECT MAX(a2.r) FROM {joined}) FROM t1 a1 WHERE (a1.x, 'z') <> (a1.y, 1)"
        )));
    }

    #[test]
    fn conditions_of_outer_joins_in_subqueries_are_found() {
        assert!(reads_around("SELECT (SELECT MIN(a3.c4) FROM t3 a2 LEFT JOIN t3 a3 ON a1.c2) FROM t2 a1"));
        assert!(!reads_around("SELECT (SELECT MIN(a3.c4) FROM t3 a2 LEFT JOIN t3 a3 ON a2.c2) FROM t2 a1"));
        assert!(!reads_around("SELECT (SELECT MIN(a3.c4) FROM t3 a2 JOIN t3 a3 ON a1.c2) FROM t2 a1"));
        assert!(reads_around(
            "SELECT * FROM v1 ; select `t4`.`c0` AS `c0` from `penstock_differ`.`t4` where `penstock_differ`.`t4`.`c0` >= \
             any (select `a3`.`c4` from (`penstock_differ`.`t1` `a2` left join `penstock_differ`.`t1` `a3` \
             on(`penstock_differ`.`t4`.`c0` <= `penstock_differ`.`t4`.`c2`)))"
        ));
        assert!(!reads_around("SELECT 1 FROM t2 a1 LEFT JOIN t3 a2 ON a1.c2"));
        assert!(!reads_around("SELECT (SELECT MIN(t3.c4) FROM t3 LEFT JOIN t5 a3 ON t3.c2) FROM t2 a1"));
        assert!(!reads_around(
            "SELECT (SELECT 1 FROM t3 a2 LEFT JOIN t3 a3 ON 1 WHERE a1.c2 = a2.c2) FROM t2 a1"
        ));
    }
}
