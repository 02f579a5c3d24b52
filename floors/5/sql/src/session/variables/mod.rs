//! System variables: one declaration each.
//!
//! | module | what |
//! | --- | --- |
//! | `fields` | variables that statements read: unpacked into `Vars` |
//! | `live` | variables computed from the session's state |
//! | `kept` | variables that clients set and ask for, and that change nothing here |
//! | `facts` | facts of the server, read only |
//! | `flags` | variables that are lists of switches |
//! | `values` | which values a variable takes, and how they are shown |
//! | `globals` | the global values, which new sessions start from |
//!
//! Invariants: names are lower case and each stands in one table; a value that a variable holds has passed
//! `Kind::check`; what cannot be served here stands read-only in the state that is true.

mod facts;
mod fields;
pub mod flags;
mod globals;
mod kept;
mod live;
mod values;

#[cfg(test)]
mod tests;

pub use globals::{Globals, defaults};
pub(crate) use live::database_collation;
pub use values::{Kind, shown, shown_as};

use super::{State, Vars};
use crate::error::SqlError;
use crate::syntax::ast::VarScope;
use hashbrown::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;
use types::{CollationId, StrValue, Value};

/// Where a variable has a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Only for the whole server.
    Global,
    /// For the server and for each session.
    Both,
    /// As [`Scope::Both`], but sessions cannot change their own.
    BothSetGlobal,
    /// Only for a session.
    Session,
}

/// Changes a variable of the session's state.
type Setter = fn(&mut State, &Value) -> Result<(), SqlError>;

/// Where a variable's value stands.
#[derive(Clone, Copy)]
pub enum Home {
    /// In [`Vars::others`] once set, the default before.
    Kept,
    /// In a field of [`Vars`].
    Field {
        /// Reads it.
        get: fn(&Vars) -> Value,
        /// Changes it; the value has passed the kind's check.
        set: fn(&mut Vars, &Value) -> Result<(), SqlError>,
    },
    /// In the session's state.
    State {
        /// Reads it.
        get: fn(&State) -> Value,
        /// Changes it; none for a read-only variable.
        set: Option<Setter>,
    },
    /// A fact that the server around tells, or the default where it tells nothing; read only.
    Fact,
}

/// A system variable.
#[derive(Clone, Copy)]
pub struct Variable {
    /// Name, lower case.
    pub name: &'static str,
    /// Where it has a value.
    pub scope: Scope,
    /// What values it takes.
    pub kind: Kind,
    /// Default as text.
    pub default: &'static str,
    /// Where its value stands.
    pub home: Home,
    /// What it does.
    pub doc: &'static str,
}

impl Variable {
    /// Whether nothing can set it.
    pub fn is_read_only(&self) -> bool {
        matches!(self.home, Home::Fact | Home::State { set: None, .. })
    }

    fn has_global(&self) -> bool {
        self.scope != Scope::Session
    }

    /// Its default.
    pub fn default_value(&self) -> Value {
        self.kind.parse(self.default)
    }

    /// Its value for a session.
    pub fn session_value(&self, state: &State) -> Value {
        match self.home {
            Home::State { get, .. } => get(state),
            _ if self.scope == Scope::Global => self.global_value(state),
            Home::Field { get, .. } => get(&state.vars),
            Home::Kept => state.vars.others.get(self.name).cloned().unwrap_or_else(|| self.default_value()),
            Home::Fact => self.fact(state),
        }
    }

    /// Its value for the server.
    pub fn global_value(&self, state: &State) -> Value {
        let globals = state.host.globals();
        match self.home {
            Home::Fact => self.fact(state),
            Home::State { get, .. } => get(state),
            Home::Field { get, .. } => globals.with(&*state.host, |vars| get(vars)),
            Home::Kept => globals
                .with(&*state.host, |vars| vars.others.get(self.name).cloned())
                .unwrap_or_else(|| self.default_value()),
        }
    }

    fn fact(&self, state: &State) -> Value {
        state.host.fact(self.name).unwrap_or_else(|| self.default_value())
    }

    fn store(&self, vars: &mut Vars, value: Value) -> Result<(), SqlError> {
        if let Home::Field { set, .. } = self.home {
            return set(vars, &value);
        }
        for twin in TWINS.iter().filter(|twins| twins.contains(&self.name)).flatten() {
            vars.others.insert(twin, value.clone());
        }
        vars.others.insert(self.name, value);
        if WORDING.contains(&self.name) {
            vars.wording = hash_of(WORDING.iter().map(|name| vars.others.get(name).map(shown)));
        }
        Ok(())
    }
}

/// Kept variables with two names.
const TWINS: &[[&str; 2]] = &[
    ["log_slow_min_examined_row_limit", "min_examined_row_limit"],
    ["log_slow_query", "slow_query_log"],
    ["log_slow_query_file", "slow_query_log_file"],
];

/// Kept variables whose values functions of constants or the ways of joins depend on: a plan is good under the values
/// that it was made under.
const WORDING: &[&str] =
    &["default_regex_flags", "default_week_format", "join_cache_level", "lc_time_names", "optimizer_switch"];

fn hash_of(values: impl Iterator<Item = Option<String>>) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    values.for_each(|value| value.hash(&mut hasher));
    hasher.finish()
}

const TABLES: [&[Variable]; 4] = [fields::TABLE, live::TABLE, kept::TABLE, facts::TABLE];

/// All variables in order of name.
pub fn all() -> &'static [&'static Variable] {
    static SORTED: OnceLock<Vec<&'static Variable>> = OnceLock::new();
    SORTED.get_or_init(|| {
        let mut all: Vec<&Variable> = TABLES.into_iter().flatten().collect();
        all.sort_by_key(|v| v.name);
        all
    })
}

/// A variable by its lower-case name; error 1193.
pub fn find(name: &str) -> Result<&'static Variable, SqlError> {
    static BY_NAME: OnceLock<HashMap<&'static str, &'static Variable>> = OnceLock::new();
    let by_name = BY_NAME.get_or_init(|| all().iter().map(|v| (v.name, *v)).collect());
    by_name.get(name).copied().ok_or_else(|| SqlError::unknown_system_variable(name))
}

/// Reads a variable by its lower-case name.
pub fn read(state: &State, scope: Option<VarScope>, name: &str) -> Result<Value, SqlError> {
    let variable = find(name)?;
    match scope {
        None => Ok(variable.session_value(state)),
        Some(VarScope::Session) if variable.scope == Scope::Global => {
            Err(SqlError::incorrect_global_local_var(name, "GLOBAL"))
        }
        Some(VarScope::Session) => Ok(variable.session_value(state)),
        Some(_) if !variable.has_global() => Err(SqlError::incorrect_global_local_var(name, "SESSION")),
        Some(_) => Ok(variable.global_value(state)),
    }
}

/// Whether a global switch is on.
pub fn global_switch(state: &State, name: &str) -> Result<bool, SqlError> {
    Ok(number_of(&find(name)?.global_value(state)) == 1)
}

/// A change of a variable, checked and ready to be made.
pub struct Change {
    variable: &'static Variable,
    global: bool,
    value: Value,
}

/// Checks a change: `None` sets the default. Nothing is changed yet, so that a SET with an error changes nothing.
pub fn prepare(
    state: &mut State,
    scope: Option<VarScope>,
    name: &str,
    value: Option<Value>,
) -> Result<Change, SqlError> {
    let mut name = name.to_lowercase();
    if name == "storage_engine" {
        let warning = SqlError::deprecated_syntax("@@storage_engine", "'@@default_storage_engine'");
        state.warn(crate::session::Level::Warning, warning.errno, warning.message);
        name = "default_storage_engine".to_owned();
    }
    let variable = find(&name)?;
    if variable.is_read_only() {
        return Err(SqlError::incorrect_global_local_var(&name, "read only"));
    }
    let global = match scope {
        Some(VarScope::Persist) => return Err(SqlError::not_supported_yet("SET PERSIST")),
        Some(VarScope::Global) => true,
        Some(VarScope::Session) | None => false,
    };
    match variable.scope {
        Scope::Session if global => return Err(SqlError::local_variable(&name)),
        Scope::Global if !global => return Err(SqlError::global_variable(&name)),
        Scope::BothSetGlobal if !global => {
            return Err(SqlError::variable_is_read_only("SESSION", &name, "GLOBAL"));
        }
        _ => {}
    }
    if global {
        let needed = if variable.name == "read_only" { "READ_ONLY ADMIN" } else { "SUPER" };
        crate::admin::require(state, &[needed])?;
    } else if variable.name == "sql_log_bin" {
        crate::admin::require(state, &["SUPER", "BINLOG ADMIN"])?;
    }
    let value = match value {
        None if global || variable.scope == Scope::Session => variable.default_value(),
        None => variable.global_value(state),
        Some(value) => {
            let held = if global { variable.global_value(state) } else { variable.session_value(state) };
            variable.kind.check(variable.name, value, &held, state)?
        }
    };
    if variable.name == "sql_log_bin" && state.in_transaction() {
        let message = "Cannot modify @@session.sql_log_bin inside a transaction";
        return Err(SqlError::new(1694, b"HY000", message));
    }
    if let Home::Field { set, .. } = variable.home {
        // The setter has checks of its own: they are to speak up before anything is changed.
        set(&mut state.vars.clone(), &value)?;
    }
    Ok(Change { variable, global, value })
}

/// Makes a change.
pub fn apply(state: &mut State, change: Change) -> Result<(), SqlError> {
    let Change { variable, global, value } = change;
    if global {
        if let Home::State { set: Some(set), .. } = variable.home {
            return set(state, &value);
        }
        let host = state.host.clone();
        return host.globals().with(&*host, |vars| variable.store(vars, value));
    }
    match variable.home {
        Home::State { set: Some(set), .. } => set(state, &value)?,
        _ => {
            let was_autocommit = state.vars.autocommit;
            variable.store(&mut state.vars, value)?;
            if state.vars.autocommit && !was_autocommit {
                state.commit()?;
            }
            state.carry_into_transaction();
        }
    }
    Ok(())
}

/// A text that the system made.
fn text(text: &str) -> Value {
    Value::Str(StrValue::new(text.as_bytes(), CollationId::UTF8MB3_GENERAL_CI))
}

/// The text of a value that has passed a text variable's check.
fn text_of(value: &Value) -> String {
    match value {
        Value::Str(s) => s.collation.charset().to_utf8_lossy(&s.bytes),
        other => shown(other),
    }
}

/// The number of a value that has passed a numeric variable's check.
fn number_of(value: &Value) -> u64 {
    match value {
        Value::Int(n) => *n as u64,
        Value::UInt(n) => *n,
        _ => 0,
    }
}
