//! MariaDB's own answers to a query under other plans.
//!
//! Where MariaDB reads and groups rows otherwise, it may give other digits, rows or warnings for the same query. What it
//! gives under one of these plans is no less its answer than what it gives by default.

use crate::explained;
use crate::run::{Run, text};
use crate::side::Answer;
use crate::statement::{Effect, Statement};
use protocol::client::TextRow;

/// Settings that change by which way MariaDB answers a query, never what the query means.
const SETTINGS: &[&str] = &[
    "optimizer_switch = 'derived_merge=off'",
    "optimizer_switch = 'derived_merge=off,derived_with_keys=off'",
    "optimizer_switch = 'condition_pushdown_for_derived=off'",
    "optimizer_switch = 'condition_pushdown_for_subquery=off'",
    "optimizer_switch = 'condition_pushdown_from_having=off'",
    "optimizer_switch = 'split_materialized=off'",
    "optimizer_switch = 'semijoin=off'",
    "optimizer_switch = 'materialization=off'",
    "optimizer_switch = 'semijoin=off,materialization=off'",
    "optimizer_switch = 'semijoin=off,in_to_exists=off'",
    "optimizer_switch = 'firstmatch=off,loosescan=off'",
    "optimizer_switch = 'exists_to_in=off'",
    "optimizer_switch = 'subquery_cache=off'",
    "optimizer_switch = 'table_elimination=off'",
    "optimizer_switch = 'orderby_uses_equalities=off'",
    "optimizer_switch = 'index_condition_pushdown=off'",
    "optimizer_switch = 'not_null_range_scan=on'",
    "optimizer_switch = 'extended_keys=off'",
    "optimizer_switch = 'index_merge=off'",
    "optimizer_switch = 'mrr=on,mrr_sort_keys=on'",
    "optimizer_switch = 'join_cache_hashed=off,join_cache_bka=off'",
    "join_cache_level = 0",
    "join_cache_level = 8",
    "optimizer_use_condition_selectivity = 1",
    "optimizer_search_depth = 1",
    "tmp_memory_table_size = 0",
    "max_length_for_sort_data = 4",
    "in_predicate_conversion_threshold = 2",
];

/// The settings as they were.
const BACK: &str = "SET optimizer_switch = DEFAULT, join_cache_level = DEFAULT, \
    optimizer_use_condition_selectivity = DEFAULT, optimizer_search_depth = DEFAULT, \
    tmp_memory_table_size = DEFAULT, max_length_for_sort_data = DEFAULT, in_predicate_conversion_threshold = DEFAULT";

/// Words behind SELECT that ask for another way of grouping, sending and joining.
const WORDS: &[&str] = &["SQL_BUFFER_RESULT", "SQL_BIG_RESULT", "SQL_SMALL_RESULT", "STRAIGHT_JOIN"];

impl Run {
    /// Whether MariaDB gives Penstock's answer to a query, to the byte, under another plan; `meant` is the text that
    /// explanations look at.
    pub(crate) fn other_plan(
        &mut self,
        statement: &Statement,
        meant: &str,
        ours: &Answer,
        counted: bool,
    ) -> bool {
        let sql = statement.term.to_string();
        let query = ["SELECT ", "WITH ", "(", "EXECUTE "].iter().any(|word| sql.starts_with(word));
        // What a query assigns would be another one's the next time.
        if !query || statement.effect != Effect::None || sql.contains(":=") || ours.gone.is_some() {
            return false;
        }
        let ordered = statement.ordered;
        let agrees = |answer: &Answer| agree(meant, ours, answer, (ordered, false));
        for setting in SETTINGS {
            self.theirs.run(&format!("SET {setting}"));
            let answer = self.theirs.ask(&sql, statement.way, counted).into_iter().nth(ours.execution);
            self.theirs.run(BACK);
            let Some(answer) = answer else { return false };
            if answer.gone.is_some() {
                return false;
            }
            if agrees(&answer) {
                return true;
            }
        }
        let Some(rest) = sql.strip_prefix("SELECT ") else { return false };
        WORDS.iter().any(|word| {
            let sql = format!("SELECT {word} {rest}");
            self.theirs.ask(&sql, statement.way, counted).get(ours.execution).is_some_and(agrees)
        })
    }

    /// Whether `sql_select_limit` left either server other rows of a query that has no order: without it both have the
    /// same, and each answer is as many of these as the other. How columns are described may be explained; `meant` is the
    /// text that explanations look at.
    pub(crate) fn other_rows_of_all(
        &mut self,
        statement: &Statement,
        meant: &str,
        ours: &Answer,
        theirs: &Answer,
        counted: bool,
    ) -> bool {
        let sql = statement.term.to_string();
        let limit = self.theirs.rows("SELECT @@sql_select_limit").unwrap_or_default();
        let limit = limit.first().map_or_else(String::new, |row| text(row, 0));
        let query = sql.starts_with("SELECT ") && statement.effect == Effect::None && !sql.contains(":=");
        let limited = limit.parse::<usize>().is_ok_and(|limit| limit == ours.rows.len());
        let lengths = self.options.lengths;
        let same = |ours: &Answer, theirs: &Answer| agree(meant, ours, theirs, (false, lengths));
        let rows_alone = Answer { rows: theirs.rows.clone(), ..ours.clone() };
        if !query
            || !limited
            || statement.ordered
            || !same(&rows_alone, theirs)
            || ours.rows.len() != theirs.rows.len()
        {
            return false;
        }
        let mut all = Vec::new();
        for side in [&mut self.ours, &mut self.theirs] {
            side.run("SET sql_select_limit = DEFAULT");
            all.extend(side.ask(&sql, statement.way, counted).into_iter().nth(ours.execution));
            side.run(&format!("SET sql_select_limit = {limit}"));
        }
        let [our_all, their_all] = &all[..] else { return false };
        same(our_all, their_all) && [ours, theirs].iter().all(|some| are_among(&some.rows, &their_all.rows))
    }
}

/// Whether two answers are one; how columns are described may be explained, by the text `meant`.
fn agree(meant: &str, ours: &Answer, theirs: &Answer, (ordered, lengths): (bool, bool)) -> bool {
    match ours.differs(theirs, ordered, lengths) {
        None => true,
        Some("types" | "prepared") => explained::explanation(meant, ours, theirs).is_some(),
        Some(_) => false,
    }
}

/// Whether there are rows as often among all others.
fn are_among(some: &[TextRow], all: &[TextRow]) -> bool {
    let mut left = all.to_vec();
    some.iter().all(|row| match left.iter().position(|other| other == row) {
        Some(at) => {
            left.swap_remove(at);
            true
        }
        None => false,
    })
}
