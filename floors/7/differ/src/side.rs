//! One of the two servers, and what it answers.

use crate::again::again;
use crate::files;
use crate::prepared::Prepared;
use crate::statement::Way;
use protocol::client::{self, Client, ClientError, QueryResult, TOO_MANY_ROWS, TextRow, WANTED};
use protocol::flags::capability::LOCAL_FILES;
use protocol::reply::OwnedColumn;
use std::collections::BTreeSet;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a statement may take before it counts as hung.
const PATIENCE: Duration = Duration::from_secs(60);

/// Rows of a result beyond which answers are not compared: joins of drawn tables multiply.
const MOST_ROWS: usize = 1_000_000;

/// Errors of COM_STMT_PREPARE: no such syntax (with a parameter there), a statement that is not prepared.
const NO_SYNTAX: u16 = 1064;
const NOT_PREPARED: u16 = 1295;

/// A column as the wire describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name.
    pub name: String,
    /// Wire type, flags, digits after the point, collation.
    pub kind: (u8, u16, u8, u16),
    /// Display length.
    pub length: u32,
}

/// What a statement answered.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// What COM_STMT_PREPARE told: number of parameters and columns.
    pub prepared: Option<(u16, Vec<Column>)>,
    /// How many times it was executed before.
    pub execution: usize,
    /// Columns of a result.
    pub columns: Vec<Column>,
    /// Its rows.
    pub rows: Vec<TextRow>,
    /// Rows changed, first generated value, info text.
    pub done: Option<(u64, u64, String)>,
    /// Number, SQLSTATE and text of the error.
    pub error: Option<(u16, String, String)>,
    /// ROW_COUNT(), LAST_INSERT_ID(), FOUND_ROWS() afterwards.
    pub counts: Vec<TextRow>,
    /// Each different diagnostics entry: level, number, text.
    pub warnings: BTreeSet<(String, String, String)>,
    /// The server went away or did not answer in time.
    pub gone: Option<String>,
    /// The result has more rows than are compared; the session is over.
    pub too_long: bool,
}

/// A server's connection.
pub struct Side {
    /// Its name in reports.
    pub name: &'static str,
    socket: PathBuf,
    client: Option<Client<UnixStream>>,
    /// What a new connection is given first.
    setup: Vec<String>,
}

impl Side {
    /// A server that listens at `socket`.
    pub fn new(name: &'static str, socket: &Path) -> Side {
        Side { name, socket: socket.to_path_buf(), client: None, setup: Vec::new() }
    }

    fn connect(&mut self) -> Result<&mut Client<UnixStream>, ClientError> {
        if self.client.is_none() {
            let stream = UnixStream::connect(&self.socket)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            let wanted = WANTED | LOCAL_FILES;
            let mut client = Client::connect_with(stream, "root", "", None, true, wanted)?;
            client.serve_files(files::read);
            client.take_rows(MOST_ROWS);
            for statement in &self.setup {
                client.query(statement)?;
            }
            self.client = Some(client);
        }
        self.client.as_mut().ok_or_else(|| std::io::Error::from(std::io::ErrorKind::NotConnected).into())
    }

    /// Starts a session anew with these statements, which each later connection begins with too.
    pub fn restart(&mut self, setup: &[String]) -> Result<(), ClientError> {
        self.client = None;
        self.setup = setup.to_vec();
        self.connect().map(drop)
    }

    /// Runs a statement for what it does alone.
    pub fn run(&mut self, sql: &str) {
        let placed = files::placed(sql);
        let sql = placed.as_ref().map_or(sql, |(sql, _)| sql);
        let outcome = self.connect().and_then(|client| client.query(sql));
        if !matches!(outcome, Ok(_) | Err(ClientError::Server(_))) {
            self.client = None;
        }
    }

    /// The rows of a query.
    pub fn rows(&mut self, sql: &str) -> Result<Vec<TextRow>, ClientError> {
        self.connect().and_then(|client| client.rows(sql))
    }

    /// Runs a statement, and asks for its warnings and for the counts it leaves where `counted`: an answer for each execution.
    /// Where counts do not matter, behind a look into an empty table: a statement without tables leaves the last one's
    /// warnings as they are.
    pub fn ask(&mut self, sql: &str, way: Way, counted: bool) -> Vec<Answer> {
        if !counted {
            self.run("SELECT a FROM nothing");
        }
        let placed = files::placed(sql);
        let sql = placed.as_ref().map_or(sql, |(sql, _)| sql);
        match prepared(sql, way) {
            Some(prepared) => self.execute(&prepared, counted),
            None => {
                let mut answers = vec![self.answer_to(sql, counted)];
                if let Way::Again(salt) = way {
                    if !counted {
                        self.run("SELECT a FROM nothing");
                    }
                    answers.push(Answer { execution: 1, ..self.answer_to(&again(salt, sql), counted) });
                }
                answers
            }
        }
    }

    fn answer_to(&mut self, sql: &str, counted: bool) -> Answer {
        let outcome = self.connect().and_then(|client| client.query(sql));
        self.answer(outcome, counted)
    }

    /// Whether the server knows how to prepare such a statement, with parameters where they are; as text it always does.
    pub fn prepares(&mut self, sql: &str, way: Way) -> bool {
        let Some(prepared) = prepared(sql, way) else { return true };
        match self.connect().and_then(|client| client.prepare(&prepared.text)) {
            Ok(statement) => {
                self.close(&statement);
                true
            }
            Err(ClientError::Server(error)) => !matches!(error.number, NO_SYNTAX | NOT_PREPARED),
            Err(_) => {
                self.client = None;
                true
            }
        }
    }

    /// Forgets a prepared statement.
    fn close(&mut self, statement: &client::Prepared) {
        // COM_STMT_CLOSE has no answer.
        let closed = self.connect().and_then(|client| client.send_command(0x19, &statement.id.to_le_bytes()));
        if closed.is_err() {
            self.client = None;
        }
    }

    fn execute(&mut self, prepared: &Prepared, counted: bool) -> Vec<Answer> {
        let statement = match self.connect().and_then(|client| client.prepare(&prepared.text)) {
            Ok(statement) => statement,
            Err(error) => return vec![self.answer(Err(error), counted)],
        };
        let columns: Vec<Column> = statement.columns.iter().cloned().map(Column::from).collect();
        let mut answers: Vec<Answer> = Vec::new();
        let mut types = Vec::new();
        for values in &prepared.executions {
            if !counted && !answers.is_empty() {
                self.run("SELECT a FROM nothing");
            }
            let bound: Vec<client::Bound> = values.iter().map(|value| value.bound.clone()).collect();
            let announced: Vec<(u8, bool)> = bound.iter().map(|b| (b.wire_type, b.unsigned)).collect();
            let with_types = announced != types;
            types = announced;
            let outcome =
                self.connect().and_then(|client| client.execute_bound(&statement, &bound, with_types));
            let mut answer = self.answer(outcome, counted);
            answer.prepared = Some((statement.parameters, columns.clone()));
            answer.execution = answers.len();
            answers.push(answer);
            if self.client.is_none() {
                return answers;
            }
        }
        self.close(&statement);
        answers
    }

    fn answer(&mut self, outcome: Result<Vec<QueryResult>, ClientError>, counted: bool) -> Answer {
        let mut answer = Answer::default();
        match outcome {
            Ok(results) => results.into_iter().for_each(|result| answer.take(result)),
            Err(ClientError::Server(error)) => {
                let state = String::from_utf8_lossy(&error.sqlstate).into_owned();
                answer.error = Some((error.number, state, error.message));
            }
            Err(other) => {
                self.client = None;
                answer.too_long = matches!(&other, ClientError::Io(e) if e.kind() == TOO_MANY_ROWS);
                answer.gone = Some(other.to_string());
                return answer;
            }
        }
        if counted {
            answer.counts =
                self.rows("SELECT ROW_COUNT(), LAST_INSERT_ID(), FOUND_ROWS()").unwrap_or_default();
        }
        let warnings = self.connect().and_then(|client| client.rows("SHOW WARNINGS")).unwrap_or_default();
        for row in warnings {
            let mut texts =
                row.into_iter().map(|value| String::from_utf8_lossy(&value.unwrap_or_default()).into_owned());
            let mut next = || texts.next().unwrap_or_default();
            answer.warnings.insert((next(), next(), next()));
        }
        answer
    }
}

/// What is prepared of a statement that is not sent as text.
fn prepared(sql: &str, way: Way) -> Option<Prepared> {
    match way {
        Way::Text | Way::Again(_) => None,
        Way::Binary => Some(Prepared { text: sql.to_owned(), executions: vec![Vec::new()] }),
        Way::Bound(binding) => Some(binding.bind(sql)),
    }
}

impl From<OwnedColumn> for Column {
    fn from(c: OwnedColumn) -> Column {
        Column {
            name: c.name,
            // The highest flag is the server's own (GROUP_FLAG): it shows by chance.
            kind: (c.wire_type, c.flags & 0x7FFF, c.decimals, c.collation),
            length: c.length,
        }
    }
}

impl Answer {
    fn take(&mut self, result: QueryResult) {
        match result {
            QueryResult::Done(ok) => self.done = Some((ok.affected_rows, ok.last_insert_id, ok.info)),
            QueryResult::Rows { columns, rows, .. } => {
                self.columns = columns.into_iter().map(Column::from).collect();
                self.rows = rows;
            }
        }
    }

    /// In what two answers to one statement differ; nothing where they agree. `ordered`: the order of rows counts.
    pub fn differs(&self, other: &Answer, ordered: bool, lengths: bool) -> Option<&'static str> {
        if self.gone.is_some() || other.gone.is_some() {
            return Some("gone");
        }
        match (&self.error, &other.error) {
            (None, None) => {}
            (Some(a), Some(b)) if a != b => return Some("error text"),
            (Some(_), Some(_)) if self.warnings != other.warnings => return Some("warnings"),
            (Some(_), Some(_)) => return (self.counts != other.counts).then_some("counts"),
            _ => return Some("error"),
        }
        let rows = |answer: &Answer| {
            let mut rows = answer.rows.clone();
            if !ordered {
                rows.sort();
            }
            rows
        };
        let kinds = |answer: &Answer| answer.columns.iter().map(|c| c.kind).collect::<Vec<_>>();
        let names = |answer: &Answer| answer.columns.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
        let told = |answer: &Answer| {
            let (parameters, columns) = answer.prepared.clone()?;
            let columns: Vec<_> = columns.into_iter().map(|c| (c.name, c.kind)).collect();
            Some((parameters, columns))
        };
        let widths = |answer: &Answer| answer.columns.iter().map(|c| c.length).collect::<Vec<_>>();
        if rows(self) != rows(other) {
            Some("rows")
        } else if self.done != other.done {
            Some("outcome")
        } else if names(self) != names(other) {
            Some("names")
        } else if self.warnings != other.warnings {
            Some("warnings")
        } else if kinds(self) != kinds(other) {
            Some("types")
        } else if self.counts != other.counts {
            Some("counts")
        } else if lengths && widths(self) != widths(other) {
            Some("lengths")
        } else if told(self) != told(other) {
            Some("prepared")
        } else {
            None
        }
    }

    /// The answer in lines, for reports.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(gone) = &self.gone {
            lines.push(format!("GONE {gone}"));
        }
        if let Some((number, state, text)) = &self.error {
            lines.push(format!("ERROR {number} ({state}): {text}"));
        }
        if let Some((rows, id, info)) = &self.done {
            lines.push(format!("rows {rows} id {id} {info}"));
        }
        let described = self.columns.iter().map(|c| {
            let (ty, flags, decimals, collation) = c.kind;
            format!("{} {ty}/{flags}/{decimals}/{collation} ({})", c.name, c.length)
        });
        lines.extend(described);
        if let Some((parameters, columns)) = &self.prepared {
            let kinds: Vec<String> = columns.iter().map(|c| format!("{:?}", c.kind)).collect();
            lines.push(format!("prepared {parameters}: {}", kinds.join(" ")));
            if self.execution > 0 {
                lines.push(format!("executed {} times before", self.execution));
            }
        }
        let value = |v: &Option<Vec<u8>>| match v {
            None => "NULL".to_owned(),
            Some(bytes) => format!("'{}'", bytes.escape_ascii()),
        };
        for row in self.rows.iter().take(10) {
            lines.push(row.iter().map(value).collect::<Vec<_>>().join(" | "));
        }
        lines.extend(
            self.counts
                .iter()
                .map(|row| format!("counts {}", row.iter().map(value).collect::<Vec<_>>().join(" "))),
        );
        lines.extend(self.warnings.iter().map(|(level, number, text)| format!("{level} {number} {text}")));
        lines
    }
}
