//! The statements of the mixes, as text and prepared.

use super::Tables;
use crate::BenchError;
use crate::target::Connection;
use protocol::request::{
    Execute, Parameter, begin_query, end, put_bytes, put_decimal, put_integer, put_query,
};

/// A mix of statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mix {
    /// sysbench's `oltp_point_select`.
    PointSelect,
    /// sysbench's `oltp_read_only`.
    ReadOnly,
    /// sysbench's `oltp_read_write`.
    ReadWrite,
    /// sysbench's `oltp_write_only`.
    WriteOnly,
}

/// A statement of a mix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Begin,
    Point,
    SimpleRange,
    SumRange,
    OrderRange,
    DistinctRange,
    UpdateIndex,
    UpdateOther,
    Delete,
    Insert,
    Commit,
}

const POINTS: usize = 10;
const RANGES: [Step; 4] = [Step::SimpleRange, Step::SumRange, Step::OrderRange, Step::DistinctRange];
const CHANGES: [Step; 4] = [Step::UpdateIndex, Step::UpdateOther, Step::Delete, Step::Insert];

impl Mix {
    /// All of them.
    pub const ALL: [Mix; 4] = [Mix::PointSelect, Mix::ReadOnly, Mix::ReadWrite, Mix::WriteOnly];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Mix::PointSelect => "point-select",
            Mix::ReadOnly => "read-only",
            Mix::ReadWrite => "read-write",
            Mix::WriteOnly => "write-only",
        }
    }

    /// The statements of one round.
    pub(super) fn steps(self) -> Vec<Step> {
        let reads = || [Step::Point; POINTS].into_iter().chain(RANGES);
        let inner: Vec<Step> = match self {
            Mix::PointSelect => return vec![Step::Point],
            Mix::ReadOnly => reads().collect(),
            Mix::ReadWrite => reads().chain(CHANGES).collect(),
            Mix::WriteOnly => CHANGES.to_vec(),
        };
        [Step::Begin].into_iter().chain(inner).chain([Step::Commit]).collect()
    }
}

/// What a statement is about.
pub(super) struct Values<'a> {
    /// The table's number, from 1.
    pub table: u64,
    pub id: u64,
    /// The range's last id.
    pub last: u64,
    pub k: u64,
    pub c: &'a [u8],
    pub pad: &'a [u8],
}

/// A piece of a statement: text, or a value.
enum Piece {
    Text(&'static str),
    Table,
    Id,
    Last,
    K,
    C,
    Pad,
}

impl Step {
    const ALL: [Step; 11] = [
        Step::Begin,
        Step::Point,
        Step::SimpleRange,
        Step::SumRange,
        Step::OrderRange,
        Step::DistinctRange,
        Step::UpdateIndex,
        Step::UpdateOther,
        Step::Delete,
        Step::Insert,
        Step::Commit,
    ];

    fn pieces(self) -> &'static [Piece] {
        use Piece::{C, Id, K, Last, Pad, Table, Text};
        match self {
            Step::Begin => &[Text("BEGIN")],
            Step::Commit => &[Text("COMMIT")],
            Step::Point => &[Text("SELECT c FROM sbtest"), Table, Text(" WHERE id="), Id],
            Step::SimpleRange => {
                &[Text("SELECT c FROM sbtest"), Table, Text(" WHERE id BETWEEN "), Id, Text(" AND "), Last]
            }
            Step::SumRange => &[
                Text("SELECT SUM(k) FROM sbtest"),
                Table,
                Text(" WHERE id BETWEEN "),
                Id,
                Text(" AND "),
                Last,
            ],
            Step::OrderRange => &[
                Text("SELECT c FROM sbtest"),
                Table,
                Text(" WHERE id BETWEEN "),
                Id,
                Text(" AND "),
                Last,
                Text(" ORDER BY c"),
            ],
            Step::DistinctRange => &[
                Text("SELECT DISTINCT c FROM sbtest"),
                Table,
                Text(" WHERE id BETWEEN "),
                Id,
                Text(" AND "),
                Last,
                Text(" ORDER BY c"),
            ],
            Step::UpdateIndex => &[Text("UPDATE sbtest"), Table, Text(" SET k=k+1 WHERE id="), Id],
            Step::UpdateOther => &[Text("UPDATE sbtest"), Table, Text(" SET c="), C, Text(" WHERE id="), Id],
            Step::Delete => &[Text("DELETE FROM sbtest"), Table, Text(" WHERE id="), Id],
            Step::Insert => &[
                Text("INSERT INTO sbtest"),
                Table,
                Text(" (id, k, c, pad) VALUES ("),
                Id,
                Text(", "),
                K,
                Text(", "),
                C,
                Text(", "),
                Pad,
                Text(")"),
            ],
        }
    }

    fn has_table(self) -> bool {
        self.pieces().iter().any(|piece| matches!(piece, Piece::Table))
    }

    /// Appends the statement as text.
    #[inline]
    pub fn put_text(self, values: &Values<'_>, out: &mut Vec<u8>) {
        let at = begin_query(out);
        for piece in self.pieces() {
            match piece {
                Piece::Text(text) => out.extend_from_slice(text.as_bytes()),
                Piece::Table => put_decimal(out, values.table),
                Piece::Id => put_decimal(out, values.id),
                Piece::Last => put_decimal(out, values.last),
                Piece::K => put_decimal(out, values.k),
                Piece::C => put_quoted(out, values.c),
                Piece::Pad => put_quoted(out, values.pad),
            }
        }
        end(out, at);
    }

    /// Its text with parameters, and their types.
    fn with_parameters(self, table: u64) -> (String, Vec<Parameter>) {
        let (mut sql, mut parameters) = (String::new(), Vec::new());
        for piece in self.pieces() {
            match piece {
                Piece::Text(text) => sql += text,
                Piece::Table => sql += &table.to_string(),
                Piece::Id | Piece::Last | Piece::K => parameters.push(Parameter::Signed),
                Piece::C | Piece::Pad => parameters.push(Parameter::Bytes),
            }
            if !matches!(piece, Piece::Text(_) | Piece::Table) {
                sql.push('?');
            }
        }
        (sql, parameters)
    }
}

/// Digits and dashes need no escapes.
fn put_quoted(out: &mut Vec<u8>, text: &[u8]) {
    out.push(b'\'');
    out.extend_from_slice(text);
    out.push(b'\'');
}

/// The statements of a mix prepared on one connection.
pub(super) struct Prepared {
    /// By step, then by table.
    statements: Vec<Vec<Execute>>,
}

impl Prepared {
    /// Prepares what the mix needs, for each table its own.
    pub fn prepare(client: &mut Connection, mix: Mix, tables: &Tables) -> Result<Prepared, BenchError> {
        let steps = mix.steps();
        let mut one = |step: Step, table| {
            let (sql, parameters) = step.with_parameters(table);
            let statement = client.prepare(&sql).map_err(|error| BenchError::Statement(sql, error))?;
            Ok(Execute::new(statement.id, &parameters))
        };
        let mut all = |step: Step| match (steps.contains(&step), step.has_table()) {
            (false, _) => Ok(Vec::new()),
            (true, false) => Ok(vec![one(step, 0)?]),
            (true, true) => (1..=tables.tables).map(|table| one(step, table)).collect(),
        };
        let statements = Step::ALL.into_iter().map(&mut all).collect::<Result<_, BenchError>>()?;
        Ok(Prepared { statements })
    }

    /// Appends an execution.
    #[inline]
    pub fn put(&mut self, step: Step, values: &Values<'_>, out: &mut Vec<u8>) {
        let of_step = &mut self.statements[step as usize];
        let table = if of_step.len() == 1 { 0 } else { values.table as usize - 1 };
        let at = of_step[table].begin(out);
        for piece in step.pieces() {
            match piece {
                Piece::Text(_) | Piece::Table => {}
                Piece::Id => put_integer(out, values.id),
                Piece::Last => put_integer(out, values.last),
                Piece::K => put_integer(out, values.k),
                Piece::C => put_bytes(out, values.c),
                Piece::Pad => put_bytes(out, values.pad),
            }
        }
        end(out, at);
    }
}

/// Appends ROLLBACK, which is never part of a mix: it clears up after an error.
pub(super) fn put_rollback(out: &mut Vec<u8>) {
    put_query(out, "ROLLBACK");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_as_text_and_prepared_are_alike() {
        let values = Values { table: 3, id: 42, last: 141, k: 7, c: b"1-2", pad: b"3-4" };
        for (i, step) in Step::ALL.into_iter().enumerate() {
            assert_eq!(step as usize, i);
            let mut out = Vec::new();
            step.put_text(&values, &mut out);
            let text = String::from_utf8(out[5..].to_vec()).expect("text");
            let (mut sql, parameters) = step.with_parameters(3);
            assert_eq!(sql.matches('?').count(), parameters.len());
            for piece in step.pieces() {
                let value = match piece {
                    Piece::Text(_) | Piece::Table => continue,
                    Piece::Id => "42",
                    Piece::Last => "141",
                    Piece::K => "7",
                    Piece::C => "'1-2'",
                    Piece::Pad => "'3-4'",
                };
                sql = sql.replacen('?', value, 1);
            }
            assert_eq!(sql, text);
        }
    }

    #[test]
    fn mixes_have_sysbenchs_numbers_of_statements() {
        let counts: Vec<usize> = Mix::ALL.iter().map(|mix| mix.steps().len()).collect();
        assert_eq!(counts, [1, 16, 20, 6]);
    }
}
