//! What a session keeps between statements.

use crate::error::{ER_QUERY_INTERRUPTED, SqlError};
use crate::expr::func::string::text_of_length;
use crate::expr::{Class, Coercibility, Comparison, Expr, Kind, Named, Type, TypeKind, build::type_of_value};
use crate::host::Host;
use crate::session::counters::Counter;
use crate::session::{Diagnostics, Level};
use hashbrown::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use types::{CollationId, DateMode, TimeZone, Timestamp, Value};

/// The session variables that statements read often, unpacked. `session::variables` maps names to them.
#[derive(Debug, Clone)]
pub struct Vars {
    /// `sql_mode` as MariaDB's bits.
    pub sql_mode: u64,
    /// `autocommit`.
    pub autocommit: bool,
    /// `tx_isolation`.
    pub isolation: engine::Isolation,
    /// `tx_read_only`.
    pub read_only: bool,
    /// `innodb_snapshot_isolation`.
    pub snapshot_isolation: bool,
    /// `innodb_lock_wait_timeout` in seconds.
    pub lock_wait_timeout: u64,
    /// `lock_wait_timeout` in seconds: for table names.
    pub metadata_wait_timeout: u64,
    /// `wait_timeout` in seconds.
    pub wait_timeout: u64,
    /// `idle_transaction_timeout` in seconds, 0 for none.
    pub idle_transaction_timeout: u64,
    /// `foreign_key_checks`.
    pub foreign_key_checks: bool,
    /// `unique_checks`.
    pub unique_checks: bool,
    /// `check_constraint_checks`.
    pub check_constraint_checks: bool,
    /// `sql_log_bin`.
    pub sql_log_bin: bool,
    /// `time_zone`.
    pub time_zone: TimeZone,
    /// `collation_connection`, and by it `character_set_connection`.
    pub collation_connection: CollationId,
    /// `collation_server`, and by it `character_set_server`: of databases that name none.
    pub collation_server: CollationId,
    /// `character_set_client` as that set's default collation.
    pub character_set_client: CollationId,
    /// `character_set_results` as that set's default collation; `None` sends text as it is stored.
    pub character_set_results: Option<CollationId>,
    /// `div_precision_increment`.
    pub div_precision_increment: u8,
    /// `group_concat_max_len` in bytes.
    pub group_concat_max_len: u64,
    /// `max_allowed_packet` in bytes.
    pub max_allowed_packet: u64,
    /// `max_error_count`.
    pub max_error_count: usize,
    /// `sql_select_limit`.
    pub sql_select_limit: u64,
    /// `auto_increment_increment`.
    pub auto_increment_increment: u64,
    /// `auto_increment_offset`.
    pub auto_increment_offset: u64,
    /// `max_statement_time` in microseconds, 0 for none.
    pub max_statement_time_us: u64,
    /// `long_query_time` in microseconds.
    pub long_query_time_us: u64,
    /// `sql_auto_is_null`.
    pub sql_auto_is_null: bool,
    /// `sql_notes`.
    pub sql_notes: bool,
    /// `sql_safe_updates`.
    pub sql_safe_updates: bool,
    /// `timestamp` set by the client: microseconds of Unix time that NOW() shows.
    pub timestamp_us: Option<u64>,
    /// A hash of the kept variables that functions of constants depend on (`variables::WORDING`).
    pub wording: u64,
    /// `big_tables`-like and other variables that are kept but change nothing here, by lower-case name.
    pub others: HashMap<&'static str, Value>,
}

/// Facts fixed for the time of one statement.
#[derive(Debug, Clone, Default)]
pub struct StatementFacts {
    /// `NOW()`: the statement's start in UTC.
    pub now: Timestamp,
    /// It shows the diagnostics of the statement before, which the client is not told of again.
    pub shows_diagnostics: bool,
    /// Number of the row under way, from 1, for messages "at row N"; 0 where no table is read.
    pub row: u64,
    /// Conversions raise errors (strict mode and no IGNORE) instead of warnings.
    pub strict: bool,
    /// `INSERT IGNORE` and the like.
    pub ignore: bool,
    /// `LAST_INSERT_ID(expr)` or a generated value of this statement.
    pub insert_id: u64,
    /// The table that is written to, for messages.
    pub target: Option<Arc<engine::Table>>,
    /// Rows are put aside meanwhile, in a table that has no name.
    pub aside: bool,
    /// Warnings are errors: the statement changes rows in strict mode.
    pub warnings_fail: bool,
    /// So are those of conditions that no row decides: its rows are those of a query.
    pub constants_fail: bool,
    /// So are those of the members of lists: it changes rows of joined tables.
    pub members_fail: bool,
    /// Columns of text are read as the numbers that they begin with, and nothing is said of the rest.
    pub hushed: bool,
    /// The warning that ends the statement.
    pub fault: Option<Box<SqlError>>,
    /// How much was told before it.
    pub fault_at: usize,
    /// What it changes is committed with it, whatever transaction is open: CREATE TABLE ... SELECT.
    pub commits: bool,
    /// Texts that the statement compares as numbers or dates, read once; by the place of the expression.
    pub constants: HashMap<(usize, Comparison), ReadConstant>,
    /// States of the statement's RAND(seed) calls, by the call's place.
    pub random: Vec<(usize, (u64, u64))>,
    /// Rows that the statement's aggregates have joined to texts, by the aggregate's place and how many keys its groups have:
    /// they are counted on from group to group, WITH ROLLUP among the groups of one sort.
    pub joined_rows: Vec<((usize, usize), u64)>,
    /// How many keys the group has of its own whose aggregates are looked at.
    pub own_keys: usize,
    /// Rows were read while the statement was being bound, for types that depend on values: its plan serves once.
    pub foreknows: bool,
    /// What a change came to.
    pub counts: crate::exec::insert::Counts,
}

impl StatementFacts {
    /// As [`Self::row`]: what is under way belongs to none.
    pub const NO_ROW: u64 = u64::MAX;

    /// The row that messages tell of.
    pub fn told_row(&self) -> u64 {
        if self.row == Self::NO_ROW { 0 } else { self.row.max(1) }
    }

    /// Those of a statement that begins at `at`. As assigning new ones, but that nothing is looked at which the statement
    /// before left as it was.
    pub(super) fn begin(&mut self, at: Timestamp) {
        let Self {
            now,
            shows_diagnostics,
            row,
            strict,
            ignore,
            insert_id,
            target,
            aside,
            warnings_fail,
            constants_fail,
            members_fail,
            hushed,
            fault,
            fault_at: _,
            commits,
            constants,
            random,
            joined_rows,
            own_keys: _,
            foreknows,
            counts,
        } = self;
        *now = at;
        (*row, *insert_id) = (0, 0);
        (*shows_diagnostics, *strict, *ignore, *warnings_fail) = (false, false, false, false);
        (*constants_fail, *members_fail, *hushed) = (false, false, false);
        (*aside, *commits, *foreknows) = (false, false, false);
        (*target, *fault) = (None, None);
        *counts = Default::default();
        if !constants.is_empty() {
            *constants = HashMap::new();
        }
        if !random.is_empty() {
            *random = Vec::new();
        }
        joined_rows.clear();
    }
}

/// A constant text as comparisons read it.
#[derive(Debug, Clone)]
pub struct ReadConstant {
    /// What it was read from.
    pub source: Value,
    /// The number, date or time.
    pub read: Value,
}

/// How a session is told to stop what it does.
pub mod kill {
    /// Nothing is asked.
    pub const NONE: u8 = 0;
    /// The running statement shall end (error 1317).
    pub const QUERY: u8 = 1;
    /// The connection shall end (error 1927).
    pub const CONNECTION: u8 = 2;
    /// The running statement went past `max_statement_time` (error 1969).
    pub const TIMEOUT: u8 = 3;
}

/// A session's state.
pub struct State {
    /// The engine.
    pub engine: engine::Engine,
    /// This session's place in it.
    pub place: engine::Session,
    /// What it may leave to be forced.
    pub(super) owing: super::owing::Owing,
    /// The server around.
    pub host: Arc<dyn Host>,
    /// What its statements do, counted.
    pub counted: super::counters::Counted,
    /// Connection id.
    pub connection_id: u64,
    /// User name and host that the client gave, and the account that let it in.
    pub user: String,
    /// The client's host.
    pub client_host: String,
    /// `user@host` of the account.
    pub(crate) account: String,
    /// The role that is set; it may be gone meanwhile.
    pub(crate) role: Option<String>,
    /// What the account and the role may do everywhere.
    pub(crate) everywhere: crate::admin::Everywhere,
    /// What the account may do, once looked up.
    pub(crate) held: Option<crate::admin::Held>,
    /// Default database.
    pub database: Option<String>,
    /// Session variables.
    pub vars: Vars,
    /// User variables, by lower-case name.
    pub user_vars: HashMap<String, Value>,
    /// The types of what gave those of them NULL that have it, and of geometries.
    pub user_nulls: HashMap<String, Type>,
    /// The diagnostics area.
    pub diagnostics: Diagnostics,
    /// The open transaction, if any.
    pub txn: Option<engine::Txn>,
    /// BEGIN was said: the transaction goes on past the statement.
    pub explicit: bool,
    /// What SET TRANSACTION wants of the next one.
    pub next_transaction: super::transaction::NextTransaction,
    /// Tables of LOCK TABLES.
    pub locked_tables: Vec<(String, String, engine::Mdl)>,
    /// FLUSH TABLES WITH READ LOCK is in force.
    pub global_read_lock: bool,
    /// What RAND() goes on from, where the session has set seeds.
    pub random_seeds: Option<(u64, u64)>,
    /// The session's temporary tables.
    pub temporaries: super::temporary::Temporaries,
    /// Facts of the running statement.
    pub statement: StatementFacts,
    /// `LAST_INSERT_ID()`.
    pub last_insert_id: u64,
    /// `insert_id`: what the next INSERT generates first.
    pub next_insert_id: Option<u64>,
    /// Rows of VALUES in the last INSERT that the client sent as text, 0 where it was of another kind. MariaDB reserves
    /// as many numbers for the first rows of CREATE TABLE ... SELECT.
    pub listed_rows: u64,
    /// `ROW_COUNT()`.
    pub row_count: i64,
    /// `FOUND_ROWS()`.
    pub found_rows: u64,
    /// Names held by GET_LOCK; released when the session ends.
    pub locks: crate::expr::func::lock::HeldLocks,
    /// Whether affected rows count matched rows (CLIENT_FOUND_ROWS).
    pub client_found_rows: bool,
    /// What KILL asks of this session (`kill`).
    pub killed: Arc<AtomicU8>,
    /// The running statement's `max_statement_time`.
    pub(super) time_limit: Option<super::time_limit::TimeLimit>,
    /// Memory for a row, used again and again.
    pub row_buffer: Vec<u8>,
    /// What a client announced the running statement's parameters as; nothing for those of EXECUTE ... USING.
    pub announced: super::Announced,
    /// Whether the running statement was prepared before.
    pub runs_prepared: bool,
    /// The settings that plans were last made or looked up under, with their hash.
    pub(super) plan_settings: Option<(super::plan_cache::Settings, super::plan_cache::Under)>,
}

impl Vars {
    /// A kept variable that is a number, where it has been set.
    pub fn number(&self, name: &str) -> Option<u64> {
        let value = self.others.get(name)?;
        u64::try_from(types::convert::to_integer(value).value).ok()
    }

    /// Whether a kept switch, off by default, is on.
    pub fn is_on(&self, name: &str) -> bool {
        self.number(name) == Some(1)
    }

    /// Whether `sql_mode` has any of these bits.
    #[inline]
    pub fn has_mode(&self, bits: u64) -> bool {
        self.sql_mode & bits != 0
    }

    /// Whether conversions that lose something are errors.
    pub fn is_strict(&self) -> bool {
        self.has_mode(super::mode::STRICT_TRANS_TABLES | super::mode::STRICT_ALL_TABLES)
    }
}

/// Tells whether KILL or a limit of time has hit a statement.
#[derive(Clone, Debug)]
pub struct Stop(Arc<AtomicU8>);

impl Stop {
    /// Whether it is to end.
    #[inline]
    pub fn is_set(&self) -> bool {
        // Relaxed: nothing else is read that was written before.
        self.0.load(Ordering::Relaxed) != kill::NONE
    }

    /// One that is never set.
    #[cfg(test)]
    pub fn never() -> Stop {
        Stop(Arc::new(AtomicU8::new(kill::NONE)))
    }
}

impl State {
    /// The state of a new session.
    pub fn new(engine: engine::Engine, host: Arc<dyn Host>, connection_id: u64) -> Self {
        let vars = super::variables::defaults(&*host);
        let place = engine.session();
        let temporaries = super::temporary::Temporaries::new(engine.clone());
        Self {
            engine,
            place,
            counted: super::counters::Counted::new(host.clone()),
            host,
            connection_id,
            owing: super::owing::Owing::default(),
            user: String::new(),
            client_host: String::new(),
            account: String::new(),
            role: None,
            everywhere: crate::admin::Everywhere::default(),
            held: None,
            database: None,
            vars,
            user_vars: HashMap::new(),
            user_nulls: HashMap::new(),
            diagnostics: Diagnostics::default(),
            txn: None,
            explicit: false,
            next_transaction: super::transaction::NextTransaction::default(),
            locked_tables: Vec::new(),
            global_read_lock: false,
            random_seeds: None,
            temporaries,
            statement: StatementFacts::default(),
            last_insert_id: 0,
            next_insert_id: None,
            listed_rows: 0,
            row_count: -1,
            found_rows: 0,
            locks: crate::expr::func::lock::HeldLocks::default(),
            client_found_rows: false,
            killed: Arc::new(AtomicU8::new(kill::NONE)),
            time_limit: None,
            row_buffer: Vec::new(),
            announced: super::Announced::new(),
            runs_prepared: false,
            plan_settings: None,
        }
    }

    /// Counts a statement by the name of its `Com_` counter.
    pub(crate) fn count_statement(&mut self, command: &str) {
        let number = self.host.command_number(command);
        self.counted.command(number);
    }

    /// Counts the rows of a result.
    pub(super) fn count_sent(&self, rows: u64) {
        self.counted.add(Counter::RowsSent, rows);
        self.counted.add(Counter::EmptyQueries, u64::from(rows == 0));
    }

    /// Whether instants order as the local times of the session's zone do.
    #[inline]
    pub fn keeps_one_offset(&self) -> bool {
        self.vars.time_zone.keeps_one_offset()
    }

    /// What conversions need to know of this session and statement.
    #[inline]
    pub fn convert_context(&self) -> types::convert::ConvertContext {
        types::convert::ConvertContext {
            mode: self.date_mode(),
            round_fractions: self.vars.has_mode(super::mode::TIME_ROUND_FRACTIONAL),
            zone: self.vars.time_zone,
            now: self.statement.now,
            days_are_hours: self.has_old_mode("ZERO_DATE_TIME_CAST"),
        }
    }

    /// Whether `old_mode` names an older behaviour.
    fn has_old_mode(&self, name: &str) -> bool {
        match self.vars.others.get("old_mode") {
            Some(Value::Str(text)) => {
                text.bytes.split(|b| *b == b',').any(|word| word.eq_ignore_ascii_case(name.as_bytes()))
            }
            _ => false,
        }
    }

    /// USE.
    pub fn use_database(&mut self, name: &str) -> Result<(), SqlError> {
        if name.is_empty() {
            return Err(SqlError::no_db());
        }
        self.check_sees_database(name)?;
        if let Some((own, _)) = crate::catalog::virtual_database(name) {
            self.database = Some(own.to_owned());
            return Ok(());
        }
        match self.engine.catalog().database(name) {
            Some(_) => {
                self.database = Some(name.to_owned());
                Ok(())
            }
            None => Err(SqlError::bad_db(name)),
        }
    }

    /// The error that ends a statement which KILL or its time limit has hit.
    #[inline]
    pub fn check_killed(&self) -> Result<(), SqlError> {
        match self.killed.load(Ordering::Relaxed) {
            kill::NONE => self.check_fault(),
            reason => Err(self.killed_error(reason)),
        }
    }

    /// What tells whether the statement is to end, for work that other threads do for it.
    pub fn stop(&self) -> Stop {
        Stop(self.killed.clone())
    }

    /// The error that a warning of the running statement is in strict mode.
    #[inline]
    pub fn check_fault(&self) -> Result<(), SqlError> {
        match &self.statement.fault {
            None => Ok(()),
            Some(fault) => Err((**fault).clone()),
        }
    }

    /// The error that ends a change: ahead of an expression's stands what strict mode came upon in its operands.
    pub(super) fn first_fault(&mut self, error: SqlError) -> SqlError {
        match self.statement.fault.take_if(|_| matches!(error.errno, 1242 | 1690)) {
            None => error,
            Some(first) => self.told_ahead(*first, &error),
        }
    }

    /// An error that came ahead of another; both are told.
    pub(crate) fn told_ahead(&mut self, first: SqlError, then: &SqlError) -> SqlError {
        for told in [&first, then] {
            self.warn(Level::Error, told.errno, told.message.clone());
        }
        first
    }

    /// An interruption that the engine noticed, as what it was: KILL or a limit of time.
    pub(super) fn told_to_end(&self, error: SqlError) -> SqlError {
        match self.killed.load(Ordering::Relaxed) {
            reason if reason != kill::NONE && error.errno == ER_QUERY_INTERRUPTED => {
                self.killed_error(reason)
            }
            _ => error,
        }
    }

    #[cold]
    fn killed_error(&self, reason: u8) -> SqlError {
        match reason {
            kill::QUERY => SqlError::new(1317, b"70100", "Query execution was interrupted"),
            kill::TIMEOUT => {
                SqlError::new(1969, b"70100", "Query execution was interrupted (max_statement_time exceeded)")
            }
            _ => SqlError::new(1927, b"70100", "Connection was killed"),
        }
    }

    /// Raises a warning (or note). In strict mode a warning ends the statement that changes rows; the rows go on until
    /// somebody asks (`check_killed`), the statement does not.
    pub fn warn(&mut self, level: Level, errno: u16, message: impl Into<String>) {
        let max = self.vars.max_error_count;
        let facts = &mut self.statement;
        if level == Level::Warning && facts.warnings_fail && !facts.ignore {
            match facts.fault {
                // The row under way goes on, and says what else is wrong.
                Some(_) => self.diagnostics.push(Level::Error, errno, message.into(), max),
                None => {
                    facts.fault_at = self.diagnostics.entries.len();
                    let state = crate::error::sqlstate_of(errno);
                    facts.fault = Some(Box::new(SqlError::new(errno, state, message)));
                }
            }
            return;
        }
        if level == Level::Note && !self.vars.sql_notes {
            return;
        }
        self.diagnostics.push(level, errno, message.into(), max);
    }

    /// Gives a user variable a value of a type: dates, UUIDs, addresses and members
    /// of ENUM and SET are texts from here on, bits and years a number, floats doubles.
    pub fn set_user_var(&mut self, name: String, value: types::Value, ty: Option<&Type>) {
        match ty {
            // NULL alone leaves the type that the variable had.
            Some(ty) if value.is_null() && ty.is_nothing() && !matches!(ty.origin, Named::Computed(_)) => {
                let is_place = |of: &Type| matches!(of.kind, TypeKind::Geometry(_));
                let place = self.user_nulls.get(&name).is_some_and(is_place);
                let before = self.user_vars.get(&name).filter(|before| !place && !before.is_null());
                let before = before.map(|before| type_of_value(before, self.vars.collation_connection));
                let before = before.or_else(|| self.user_nulls.get(&name).cloned());
                if let Some(mut before) = before {
                    // A parameter's collation is that of bytes.
                    let text = matches!(before.class(), Class::Str | Class::Temporal);
                    if text && matches!(ty.origin, Named::GivenNull) {
                        (before.kind, before.collation) = (TypeKind::VarChar, CollationId::BINARY);
                    }
                    self.user_nulls.insert(name.clone(), before);
                }
            }
            Some(ty) if value.is_null() || matches!(ty.kind, TypeKind::Geometry(_)) => {
                // What should be a place and is none is bytes.
                let kind = match ty.kind {
                    TypeKind::Geometry(_) if value.is_null() => TypeKind::VarChar,
                    kind => kind,
                };
                let origin = Default::default();
                self.user_nulls.insert(name.clone(), Type { kind, origin, ..ty.clone() });
            }
            _ => drop(self.user_nulls.remove(&name)),
        }
        let kept = match &value {
            plain if plain.is_temporal() || matches!(plain, types::Value::Fixed(_)) => {
                let text = crate::expr::compare_text(plain).into_bytes();
                let collation = match ty {
                    Some(Type { origin: Named::GivenDate, .. }) => CollationId::BINARY,
                    // A date as text has the text's character set.
                    Some(ty) if plain.is_temporal() && ty.class() == Class::Str => ty.collation,
                    _ => types::CollationId::LATIN1_SWEDISH_CI,
                };
                types::Value::Str(types::StrValue::of_plain(text, collation))
            }
            types::Value::Bit(bits) => types::Value::UInt(bits.bits),
            types::Value::Int(bits) if ty.is_some_and(|ty| ty.kind == TypeKind::Bit) => {
                types::Value::UInt(*bits as u64)
            }
            types::Value::Year(year) => types::Value::UInt(u64::from(*year)),
            types::Value::Float(number) => types::Value::Double(f64::from(*number)),
            types::Value::Enum(member) => types::Value::Str(member.to_str()),
            types::Value::Set(members) => types::Value::Str(members.to_str()),
            _ => value,
        };
        self.user_vars.insert(name, kept);
    }

    /// Has a user variable be text, before a file gives it any.
    pub fn make_user_var_text(&mut self, name: String, collation: CollationId) {
        if let Some(types::Value::Str(text)) = self.user_vars.get_mut(&name) {
            text.collation = collation;
            return;
        }
        let text = text_of_length(0, collation, Coercibility::Implicit, true);
        self.user_nulls.insert(name.clone(), text);
        self.user_vars.insert(name, types::Value::Null);
    }

    /// What a statement that is to give a user variable a value makes of it beforehand, though it never come to that: it is
    /// known, and what text or NULL it has is in the character set of the value.
    pub fn foresee_user_var(&mut self, name: String, value: &Expr) {
        let is_extreme = matches!(&value.kind, Kind::Call(call) if matches!(call.name, "greatest" | "least"));
        let weighs_nothing = value.ty.coercibility == Coercibility::Numeric && !is_extreme;
        let collation = match (&value.kind, value.ty.class()) {
            (Kind::Param(_), _) if value.ty.is_nothing() => CollationId::BINARY,
            _ if value.ty.is_nothing() && !matches!(value.ty.origin, Named::Computed(_)) => return,
            // A geometry that is one of several weighs what a number does.
            (_, Class::Str) if weighs_nothing && matches!(value.ty.kind, TypeKind::Geometry(_)) => {
                CollationId::LATIN1_SWEDISH_CI
            }
            (_, Class::Str) => value.ty.collation,
            _ => CollationId::LATIN1_SWEDISH_CI,
        };
        match self.user_vars.get_mut(&name) {
            Some(types::Value::Str(text)) => {
                let same = text.bytes.is_ascii() && text.collation.charset().is_ascii_based();
                if same && collation.charset().is_ascii_based() || collation == CollationId::BINARY {
                    text.collation = collation;
                }
            }
            Some(types::Value::Null) => {
                let text = |of: &&mut Type| matches!(of.class(), Class::Str | Class::Temporal);
                if let Some(of) = self.user_nulls.get_mut(&name).filter(text) {
                    (of.kind, of.collation) = (TypeKind::VarChar, collation);
                }
            }
            Some(_) => {}
            None => {
                let text = text_of_length(0, collation, Coercibility::Implicit, true);
                self.user_nulls.insert(name.clone(), text);
                self.user_vars.insert(name, types::Value::Null);
            }
        }
    }

    /// Makes a user variable known that a statement could not give its value: one that had none is a text's NULL.
    pub fn declare_user_var(&mut self, name: String) {
        if !self.user_vars.contains_key(&name) {
            let latin1 = CollationId::LATIN1_SWEDISH_CI;
            let text = text_of_length(0, latin1, Coercibility::Implicit, true);
            self.user_nulls.insert(name.clone(), text);
            self.user_vars.insert(name, types::Value::Null);
        }
    }

    /// Raises a warning that no mode makes an error: of what the statement says, not of what it came upon.
    pub fn warn_only(&mut self, level: Level, errno: u16, message: impl Into<String>) {
        self.leniently(|state| state.warn(level, errno, message));
    }

    /// Does something that no mode makes errors of the warnings of.
    pub fn leniently<T>(&mut self, work: impl FnOnce(&mut State) -> T) -> T {
        let fails = std::mem::take(&mut self.statement.warnings_fail);
        let done = work(self);
        self.statement.warnings_fail = fails;
        done
    }

    /// Date rules of the session's `sql_mode`.
    pub fn date_mode(&self) -> DateMode {
        DateMode {
            no_zero_date: self.vars.has_mode(super::mode::NO_ZERO_DATE),
            no_zero_in_date: self.vars.has_mode(super::mode::NO_ZERO_IN_DATE),
            allow_invalid: self.vars.has_mode(super::mode::ALLOW_INVALID_DATES),
        }
    }
}
