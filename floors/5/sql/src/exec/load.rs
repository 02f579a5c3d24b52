//! LOAD DATA: rows of a file through the way of INSERT.

use super::faults::{Faults, Manner};
use super::fields::{Fields, Read};
use super::insert::{Counts, Inserter};
use super::{Cx, Flow};
use crate::bind::insert::{Given, InsertPlan};
use crate::error::SqlError;
use crate::expr::{Expr, Kind, Slot};
use crate::session::Level;
use types::{CollationId, StrValue, Value};

/// A LOAD DATA.
#[derive(Debug)]
pub struct LoadPlan {
    /// How rows are written; it has none of its own.
    pub insert: InsertPlan,
    /// What fields go to, in order.
    pub targets: Vec<Target>,
    /// The statement lists them: only then is it told what gets no value.
    pub listed: bool,
    /// SET: columns and their values.
    pub set: Vec<(usize, Given)>,
    /// How rows stand in the file.
    pub fields: Fields,
    /// The file's character set.
    pub charset: CollationId,
    /// Lines passed over.
    pub skip: u64,
}

/// What a field goes to.
#[derive(Debug)]
pub enum Target {
    /// A column.
    Column(usize),
    /// A user variable, by lower-case name.
    Variable(String),
}

/// Longest row, in bytes.
const MAX_ROW: usize = 1 << 30;

/// Takes a file's bytes as they come.
pub struct Loader<'p> {
    plan: &'p LoadPlan,
    inserter: Inserter<'p>,
    /// What was not read yet.
    bytes: Vec<u8>,
    skip: u64,
    rows: u64,
}

impl<'p> Loader<'p> {
    /// Ready for the first bytes.
    pub fn new(plan: &'p LoadPlan, cx: &mut Cx<'_>) -> Result<Self, SqlError> {
        let of_fields = plan.targets.iter().filter_map(|target| match target {
            Target::Column(column) => Some(*column),
            Target::Variable(_) => None,
        });
        let given: Vec<usize> = of_fields.chain(plan.set.iter().map(|(column, _)| *column)).collect();
        let inserter = Inserter::lenient(&plan.insert, plan.listed.then_some(&given[..]), cx)?;
        Ok(Self { plan, inserter, bytes: Vec::new(), skip: plan.skip, rows: 0 })
    }

    /// Takes more bytes; writes the rows that are whole.
    pub fn push(&mut self, bytes: &[u8], cx: &mut Cx<'_>) -> Result<(), SqlError> {
        self.bytes.extend_from_slice(bytes);
        self.read(false, cx)
    }

    /// The file has ended.
    pub fn finish(mut self, cx: &mut Cx<'_>) -> Result<Counts, SqlError> {
        if let Err(error) = self.read(true, cx) {
            self.inserter.tell_number(cx);
            return Err(error);
        }
        Ok(self.inserter.finish(cx))
    }

    /// A row failed.
    pub fn give_up(&self, cx: &mut Cx<'_>) {
        self.inserter.tell_number(cx);
    }

    fn read(&mut self, all: bool, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let mut at = 0;
        while self.skip > 0 {
            match self.plan.fields.skip_line(&self.bytes[at..], self.plan.targets.len()) {
                Some(next) => at += next,
                None => break,
            }
            self.skip -= 1;
        }
        while self.skip == 0 {
            cx.check_interrupt()?;
            match self.plan.fields.read(&self.bytes[at..], all, self.plan.targets.len()) {
                Read::Row(row, took, more) => {
                    at += took;
                    self.row(row, more, cx)?;
                }
                Read::Partial | Read::End => break,
            }
        }
        self.bytes.drain(..at);
        match self.bytes.len() > MAX_ROW {
            true => Err(SqlError::packet_too_large()),
            false => Ok(()),
        }
    }

    /// Writes a row; `more`: its line has more than there are targets.
    fn row(&mut self, row: Vec<Option<Vec<u8>>>, more: bool, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        self.rows += 1;
        cx.state.statement.row = self.rows;
        self.inserter.begin_row(cx)?;
        let mut fields = row.into_iter();
        let mut faults = Faults::new(Manner::All);
        for target in &self.plan.targets {
            let field = fields.next();
            if field.is_none() && matches!(target, Target::Column(_)) {
                faults.end_so_far()?;
                let words = format!("Row {} doesn't contain data for all columns", self.rows);
                let refused = self.refuse(1261, words, cx);
                faults.take(refused, cx)?;
            }
            let given = match target {
                Target::Column(column) => match field {
                    Some(Some(bytes)) => self.inserter.give_field(*column, self.text(&bytes), cx),
                    Some(None) => self.inserter.give_null(*column, cx),
                    None => self.inserter.give_nothing(*column, self.plan.fields.are_parted(), cx),
                },
                Target::Variable(name) => {
                    let value = field.flatten().map_or(Value::Null, |bytes| self.text(&bytes));
                    cx.state.set_user_var(name.clone(), value, None);
                    Ok(())
                }
            };
            faults.take(given, cx)?;
        }
        faults.end()?;
        if !self.plan.set.is_empty() {
            self.inserter.number_zero();
        }
        let mut faults = Faults::new(Manner::All);
        for (column, value) in &self.plan.set {
            // What a column has already it keeps as it is; a generated one is given no value, not even its own, and a counter
            // that is to be given reads as the zero that it has.
            let own = Slot { level: 0, index: *column as u32 };
            let def = self.plan.insert.table.def();
            let made =
                def.columns[*column].generated.is_some() || def.auto_increment_column() == Some(*column);
            let is_own = |e: &Expr| matches!(e.kind, Kind::Column(slot) if slot == own);
            if !made && matches!(value, Given::Expr(e) if is_own(e)) {
                continue;
            }
            faults.take(self.inserter.give(*column, value, cx), cx)?;
        }
        faults.end()?;
        let stands = self.inserter.finish_row(cx, &mut |_, _| Ok(Flow::Continue))?;
        if !stands {
            // A row that is refused is none: the next one has its number.
            self.rows -= 1;
        }
        if more && stands {
            let words = format!(
                "Row {} was truncated; it contained more data than there were input columns",
                self.rows
            );
            self.refuse(1262, words, cx)?;
        }
        Ok(())
    }

    fn text(&self, bytes: &[u8]) -> Value {
        Value::Str(StrValue::new(bytes, self.plan.charset))
    }

    /// An error in strict mode, else a warning.
    fn refuse(&self, errno: u16, words: String, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        if cx.state.statement.strict && !self.plan.insert.ignore {
            return Err(SqlError::new(errno, b"01000", words));
        }
        cx.state.warn(Level::Warning, errno, words);
        Ok(())
    }
}
