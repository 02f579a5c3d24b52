//! Memory that a statement holds for rows under way: counted, bounded, and given back.
//!
//! An operator that outgrows [`Cx::work_memory`] goes on in temporary files (`spill`). Whatever cannot is counted
//! too; past `max_session_mem_used` the statement ends with error 1290.

use super::Cx;
use crate::error::SqlError;
use types::Value;

/// What one operator may hold where its variable has not been changed: MariaDB's defaults are those of small machines.
const WORK_MEMORY: usize = 64 << 20;

/// What an entry of a hash table takes beside its key.
pub const ENTRY: usize = 32;

/// The variable that bounds an operator, with MariaDB's default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// ORDER BY: `sort_buffer_size`.
    Sort,
    /// GROUP BY and DISTINCT: `tmp_memory_table_size`.
    Group,
    /// Hash joins: `join_buffer_size`.
    Join,
}

impl Operator {
    fn variable(self) -> (&'static str, u64) {
        match self {
            Self::Sort => ("sort_buffer_size", 2 << 20),
            Self::Group => ("tmp_memory_table_size", 16 << 20),
            Self::Join => ("join_buffer_size", 256 << 10),
        }
    }
}

/// What a statement holds.
#[derive(Debug, Default)]
pub struct Memory {
    used: usize,
    /// `max_session_mem_used`, once asked for.
    limit: Option<usize>,
}

impl Cx<'_> {
    /// Takes note of bytes held; error 1290 past the session's limit.
    #[inline]
    pub fn charge(&mut self, bytes: usize) -> Result<(), SqlError> {
        self.memory.used += bytes;
        match self.memory.limit {
            Some(limit) if self.memory.used <= limit => Ok(()),
            _ => self.charge_slowly(),
        }
    }

    #[cold]
    fn charge_slowly(&mut self) -> Result<(), SqlError> {
        let limit = *self.memory.limit.get_or_insert_with(|| {
            let set = self.state.vars.number("max_session_mem_used").unwrap_or(u64::MAX);
            usize::try_from(set).unwrap_or(usize::MAX)
        });
        match self.memory.used <= limit {
            true => Ok(()),
            false => Err(SqlError::option_prevents_statement("--max-session-mem-used")),
        }
    }

    /// Bytes are held no more.
    #[inline]
    pub fn release(&mut self, bytes: usize) {
        self.memory.used = self.memory.used.saturating_sub(bytes);
    }

    /// What the rows around a join may take where they are kept: `join_buffer_size`. Values under way take about four
    /// times the bytes that they take in MariaDB's buffer.
    pub fn join_buffer(&self) -> usize {
        let (name, default) = Operator::Join.variable();
        let set = self.state.vars.number(name).unwrap_or(default);
        usize::try_from(set).unwrap_or(usize::MAX).saturating_mul(4)
    }

    /// What an operator may hold before it goes on in files.
    pub fn work_memory(&self, operator: Operator) -> usize {
        let (name, default) = operator.variable();
        match self.state.vars.number(name) {
            Some(set) if set != default => usize::try_from(set).unwrap_or(usize::MAX),
            _ => WORK_MEMORY,
        }
    }
}

/// Bytes that a row takes in memory.
pub fn row_bytes(row: &[Value]) -> usize {
    24 + row.iter().map(value_bytes).sum::<usize>()
}

/// Bytes that a value takes in memory.
#[inline]
pub fn value_bytes(value: &Value) -> usize {
    let outside = match value {
        Value::Str(s) if s.bytes.len() > 22 => s.bytes.len() + 16,
        _ => 0,
    };
    size_of::<Value>() + outside
}
