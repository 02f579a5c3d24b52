//! A client's session: its state, its transactions, its statements.
//!
//! | module | what |
//! | --- | --- |
//! | [`state`], `diagnostics` | what is kept between statements; what there is to say of them |
//! | `transaction` | begin, commit, rollback, autocommit, implicit commits |
//! | `statement` | one statement from text to result |
//! | `plans` | bound plans, kept by shape |
//! | `row_key` | statements over one row by its primary key |
//! | `foresight` | statements looked up before their turn |
//! | [`temporary`] | the session's temporary tables |
//! | `prepared` | statements prepared by the protocol or by PREPARE |
//! | `bulk` | a prepared statement for many sets of parameters |
//! | `files` | LOAD DATA, SELECT ... INTO OUTFILE |
//! | [`counters`] | what statements do, counted |
//! | `errors` | the engine's errors as clients see them |
//! | [`variables`] | system variables: one declaration each |
//! | [`mode`] | the bits of `sql_mode` |

mod bulk;
mod changes;
pub mod counters;
mod diagnostics;
mod errors;
pub(crate) mod files;
mod foresight;
mod general_log;
pub mod mode;
mod moving;
mod owing;
mod peeked;
mod plan_cache;
mod plans;
mod prepared;
mod row_key;
pub mod state;
mod statement;
pub mod temporary;
mod time_limit;
mod transaction;
mod unopened;
pub mod variables;

pub use bulk::{Mark, ParameterSet};
pub(crate) use diagnostics::plain_name;
pub use diagnostics::{Diagnostics, Level, Warning};
pub use errors::{engine_error, reference_text};
pub use foresight::Foreseen;
pub use moving::Moving;
pub use owing::MayOwe;
pub use prepared::{Prepared, PreparedInfo};
pub use state::{ReadConstant, State, StatementFacts, Stop, Vars, kill};
pub(crate) use statement::{Ended, Running};
pub use statement::{bound_over, expression_of, expression_over, parse_kept};

/// The types that a client announced a statement's parameters as, in their order.
pub type Announced = smallvec::SmallVec<[crate::expr::TypeKind; 8]>;

use crate::error::SqlError;
use crate::host::Host;
use crate::output::{ColumnMeta, Gone, Output};
use crate::plan::OutputColumn;
use hashbrown::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use types::Value;

/// A session. One statement at a time; dropping it rolls its transaction back.
pub struct Session {
    /// What is kept between statements.
    pub state: State,
    /// Statements prepared through the protocol, by id.
    prepared: HashMap<u32, Rc<Prepared>>,
    next_prepared: u32,
    /// Statements prepared by PREPARE, by lower-case name: their texts.
    named: HashMap<String, Vec<u8>>,
}

impl Session {
    /// A session for a client that has been let in.
    pub fn new(engine: engine::Engine, host: Arc<dyn Host>, connection_id: u64) -> Self {
        let state = State::new(engine, host, connection_id);
        Self { state, prepared: HashMap::new(), next_prepared: 0, named: HashMap::new() }
    }

    /// Runs the statements of a text, one after the other until one fails. `multi` allows more than one.
    pub fn query(&mut self, text: &[u8], multi: bool, out: &mut dyn Output) -> Result<(), Gone> {
        self.query_foreseen(text, None, multi, out)
    }

    /// The same for a text that was looked up before.
    pub fn query_foreseen(
        &mut self,
        text: &[u8],
        foreseen: Option<Foreseen>,
        multi: bool,
        out: &mut dyn Output,
    ) -> Result<(), Gone> {
        // One text may be several statements to the log.
        if !self.state.is_logged() && self.run_shaped(text, foreseen, out)?.is_some() {
            return Ok(());
        }
        let mut from = 0;
        loop {
            match self.run_next(text, from, multi, out)? {
                Some(next) => from = next,
                None => return Ok(()),
            }
        }
    }

    /// Prepares a statement.
    pub fn prepare(&mut self, text: &[u8]) -> Result<PreparedInfo, SqlError> {
        let prepared = match self.make_prepared(text) {
            Ok(prepared) => prepared,
            Err(error) => return Err(self.failure(error)),
        };
        self.next_prepared = self.next_prepared.wrapping_add(1).max(1);
        let id = self.next_prepared;
        let info = prepared.info(id);
        self.prepared.insert(id, Rc::new(prepared));
        self.state.log_command("Prepare", text);
        self.state.count_statement("stmt_prepare");
        Ok(info)
    }

    /// Runs a prepared statement; error 1243 for an unknown id.
    pub fn execute(
        &mut self,
        id: u32,
        params: &[Value],
        announced: Announced,
        out: &mut dyn Output,
    ) -> Result<(), Gone> {
        let Some(prepared) = self.prepared.get(&id).cloned() else {
            return out.error(&SqlError::unknown_stmt_handler(id, "mysqld_stmt_execute"));
        };
        self.run_announced(&prepared, params, announced, None, out)
    }

    /// Runs a prepared statement that was looked up before.
    pub fn execute_foreseen(&mut self, foreseen: &Foreseen, out: &mut dyn Output) -> Result<(), Gone> {
        match &foreseen.prepared {
            Some(prepared) => {
                let announced = foreseen.announced.clone();
                self.run_announced(prepared, &foreseen.params, announced, Some(foreseen), out)
            }
            None => out.error(&SqlError::wrong_arguments("mysqld_stmt_execute")),
        }
    }

    /// How many parameters a prepared statement takes.
    pub fn parameter_count(&self, id: u32) -> Option<usize> {
        self.prepared.get(&id).map(|prepared| prepared.parameter_count())
    }

    /// The text of a prepared statement.
    pub fn prepared_text(&self, id: u32) -> Option<&[u8]> {
        self.prepared.get(&id).map(|prepared| prepared.text())
    }

    /// Forgets a prepared statement.
    pub fn close_prepared(&mut self, id: u32) {
        self.prepared.remove(&id);
        self.state.count_statement("stmt_close");
    }

    /// How many statements are prepared through the protocol.
    pub fn prepared_count(&self) -> usize {
        self.prepared.len()
    }

    /// COM_RESET_CONNECTION: rolls back, forgets variables, prepared statements, locks.
    pub fn reset(&mut self) {
        self.state.abandon_transaction();
        self.prepared.clear();
        self.named.clear();
        self.state.user_vars.clear();
        self.state.user_nulls.clear();
        self.state.temporaries.clear();
        self.state.locks.release_all(self.state.connection_id);
        self.state.vars = variables::defaults(&*self.state.host);
        self.state.last_insert_id = 0;
        self.state.diagnostics.clear();
    }

    /// Changes the default database, as COM_INIT_DB and USE do.
    pub fn use_database(&mut self, name: &str) -> Result<(), SqlError> {
        self.state.use_database(name)
    }
}

impl Session {
    /// The columns of a table of the default database, with their defaults: COM_FIELD_LIST.
    pub fn table_columns(&mut self, table: &str) -> Result<Vec<ColumnMeta>, SqlError> {
        let database = self.state.database.clone().ok_or_else(SqlError::no_db)?;
        self.begin_statement(statement::Reset::Clear);
        let locked = self.state.lock_table(&database, table, engine::Mdl::Read);
        let ended = self.state.end_statement(locked.is_ok());
        let locked = locked?;
        ended?;
        let columns = crate::bind::stored_columns(locked.def(), table, 0, 0);
        let described = columns.iter().zip(&locked.def().columns).map(|(column, def)| {
            let output = OutputColumn {
                name: column.name.clone(),
                ty: column.expr.ty.clone(),
                origin: Some(column.origin.clone()),
            };
            let default = match &def.default {
                types::DefaultValue::Literal(text) => Some(text.clone()),
                types::DefaultValue::CurrentTimestamp => Some(b"current_timestamp()".to_vec()),
                types::DefaultValue::Expression(text) => Some(text.clone().into_bytes()),
                types::DefaultValue::None | types::DefaultValue::Null | types::DefaultValue::Missing => None,
            };
            ColumnMeta { default, ..crate::expr::build::meta(&output, &self.state.vars) }
        });
        Ok(described.collect())
    }
}
