//! Memory that a statement holds for rows under way: counted, bounded, and given back.
//!
//! An operator that outgrows [`Cx::work_memory`] goes on in temporary files (`spill`). Whatever cannot is counted
//! too; past `max_session_mem_used` the statement ends with error 1290. Where nobody set that, a statement has a part
//! of the machine's memory: no statement takes the server down.
//!
//! The buffers of temporary files are not counted: they are few, and have their size.

use super::Cx;
use crate::error::SqlError;
use std::sync::OnceLock;
use types::Value;

/// What one operator may hold where its variable has not been changed: MariaDB's defaults are those of small machines.
const WORK_MEMORY: usize = 64 << 20;

/// The part of a session's memory that one operator has.
const OPERATORS: usize = 8;

/// The part of the machine's memory that a statement has where `max_session_mem_used` has not been changed.
const OF_MACHINE: u64 = 4;

/// MariaDB's default of `max_session_mem_used`: no limit.
const UNLIMITED: u64 = i64::MAX as u64;

/// What an entry of a hash table takes beside its key.
pub const ENTRY: usize = 32;

/// The variable that bounds an operator, with MariaDB's default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// ORDER BY: `sort_buffer_size`.
    Sort,
    /// GROUP BY, DISTINCT, window functions: `tmp_memory_table_size`.
    Group,
    /// Rows that are read more than once: `tmp_memory_table_size`.
    Rows,
    /// Hash joins: `join_buffer_size`.
    Join,
}

impl Operator {
    fn variable(self) -> (&'static str, u64) {
        match self {
            Self::Sort => ("sort_buffer_size", 2 << 20),
            Self::Group | Self::Rows => ("tmp_memory_table_size", 16 << 20),
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
    /// [`Cx::work_memory`] by operator, once asked for.
    work: [usize; 4],
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
        match self.memory.used <= self.memory_limit() {
            true => Ok(()),
            false => Err(SqlError::option_prevents_statement("--max-session-mem-used")),
        }
    }

    /// What the statement may hold.
    fn memory_limit(&mut self) -> usize {
        static MACHINE: OnceLock<u64> = OnceLock::new();
        *self.memory.limit.get_or_insert_with(|| {
            let set = match self.state.vars.number("max_session_mem_used") {
                Some(set) if set < UNLIMITED => set,
                _ => *MACHINE.get_or_init(platform::system::memory_bytes) / OF_MACHINE,
            };
            usize::try_from(set).unwrap_or(usize::MAX)
        })
    }

    /// Bytes are held no more.
    #[inline]
    pub fn release(&mut self, bytes: usize) {
        self.memory.used = self.memory.used.saturating_sub(bytes);
    }

    /// What the rows around a join may take where they are kept: `join_buffer_size`. Values under way take about four
    /// times the bytes that they take in MariaDB's buffer.
    pub fn join_buffer(&mut self) -> usize {
        let (name, default) = Operator::Join.variable();
        let set = self.state.vars.number(name).unwrap_or(default);
        let own = usize::try_from(set).unwrap_or(usize::MAX).saturating_mul(4);
        own.min(self.memory_limit() / OPERATORS)
    }

    /// What an operator may hold before it goes on in files.
    #[inline]
    pub fn work_memory(&mut self, operator: Operator) -> usize {
        match self.memory.work[operator as usize] {
            0 => self.find_work_memory(operator),
            known => known,
        }
    }

    #[cold]
    fn find_work_memory(&mut self, operator: Operator) -> usize {
        let (name, default) = operator.variable();
        let own = match self.state.vars.number(name) {
            Some(set) if set != default => usize::try_from(set).unwrap_or(usize::MAX),
            _ => WORK_MEMORY,
        };
        let room = own.min(self.memory_limit() / OPERATORS).max(1);
        self.memory.work[operator as usize] = room;
        room
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
