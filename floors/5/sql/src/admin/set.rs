//! SET in all its forms: first every value is computed and checked, then all changes are made, so that a SET with an
//! error changes nothing and no assignment sees another of the same statement.

use super::account;
use crate::bind::{Binder, Clause, Scope};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::{Class, Expr, Type};
use crate::output::{Done, Output};
use crate::session::variables::{self, Change};
use crate::session::{Ended, Running, Session, State};
use crate::syntax::ast::{self, ExprKind, IsolationLevel, SetItem, Statement, VarScope};
use engine::Isolation;
use types::{Charset, Collation, CollationId, Value};

/// An assignment whose value is known.
enum Assignment {
    Variable(Change),
    UserVar(String, Value, Type),
    /// The collation by which results are described.
    Results(types::CollationId),
    NextTransaction {
        isolation: Option<Isolation>,
        read_only: Option<bool>,
    },
    Password {
        account: Option<ast::Account>,
        auth: ast::Auth,
    },
    Role(Option<String>),
    DefaultRole {
        role: Option<ast::Account>,
        account: Option<ast::Account>,
    },
}

/// SET.
pub(crate) fn run(
    session: &mut Session,
    items: &[SetItem],
    running: &Running<'_>,
    out: &mut dyn Output,
) -> Result<(), Ended> {
    set(&mut session.state, items, running)?;
    session.finish(Done::default(), running, out)
}

/// Variables that SET STATEMENT cannot set: they are of the session, or the statement is read before they would be.
const OF_SESSIONS: &[&str] = &[
    "autocommit",
    "character_set_client",
    "character_set_connection",
    "character_set_filesystem",
    "collation_connection",
    "interactive_timeout",
    "profiling",
    "profiling_history_size",
    "query_cache_type",
    "skip_replication",
    "sql_log_off",
    "tx_isolation",
    "wait_timeout",
];

/// SET STATEMENT ... FOR: the variables hold for one statement.
pub(crate) fn run_statement(
    session: &mut Session,
    items: &[SetItem],
    statement: &Statement,
    running: &Running<'_>,
    out: &mut dyn Output,
) -> Result<(), Ended> {
    let unable = |item: &&SetItem| match item {
        SetItem::Variable { name, .. } => OF_SESSIONS.iter().any(|known| name.eq_ignore_ascii_case(known)),
        _ => false,
    };
    if let Some(SetItem::Variable { name, .. }) = items.iter().find(unable) {
        return Err(SqlError::set_statement_not_supported(name.to_lowercase()).into());
    }
    let before = session.state.vars.clone();
    set(&mut session.state, items, running)?;
    if session.state.vars.max_statement_time_us != before.max_statement_time_us {
        session.state.limit_time();
    }
    let ran = session.dispatch(statement, running, out);
    session.state.vars = before;
    session.state.carry_into_transaction();
    ran
}

fn set(state: &mut State, items: &[SetItem], running: &Running<'_>) -> Result<(), SqlError> {
    if SetItem::any_has_from(items) {
        state.txn()?.lock_reads();
    }
    let mut assignments = Vec::with_capacity(items.len());
    for item in items {
        if let Err(error) = prepare(state, item, running, &mut assignments) {
            // The variables that were to have values are known from now on.
            for assignment in assignments {
                if let Assignment::UserVar(name, ..) = assignment {
                    state.declare_user_var(name);
                }
            }
            return Err(error);
        }
    }
    for assignment in assignments {
        match assignment {
            Assignment::Variable(change) => variables::apply(state, change)?,
            Assignment::Results(collation) => state.vars.character_set_results = Some(collation),
            Assignment::UserVar(name, value, ty) => state.set_user_var(name, value, Some(&ty)),
            Assignment::NextTransaction { isolation, read_only } => {
                let next = &mut state.next_transaction;
                next.isolation = isolation.or(next.isolation);
                next.read_only = read_only.or(next.read_only);
            }
            Assignment::Password { account, auth } => account::set_password(state, account.as_ref(), &auth)?,
            Assignment::Role(role) => state.take_role(role),
            Assignment::DefaultRole { role, account } => {
                account::roles::set_default_role(state, account.as_ref(), role.as_ref())?;
            }
        }
    }
    Ok(())
}

fn prepare(
    state: &mut State,
    item: &SetItem,
    running: &Running<'_>,
    into: &mut Vec<Assignment>,
) -> Result<(), SqlError> {
    match item {
        SetItem::Variable { base: Some(base), name, .. } => {
            // Named key caches are the one kind of structured variable that MariaDB knows.
            if !name.to_ascii_lowercase().starts_with("key_") {
                let message = format!("Unknown structured system variable or ROW routine variable '{base}'");
                return Err(SqlError::new(4081, b"HY000", message));
            }
            Err(SqlError::not_supported_yet("named key caches"))
        }
        SetItem::Variable { scope, base: None, name, value } => {
            let value = new_value(state, name, value, running)?;
            into.push(Assignment::Variable(variables::prepare(state, *scope, name, value)?));
            Ok(())
        }
        SetItem::UserVar { name, value } => {
            let name = name.to_lowercase();
            let bound = bound(state, value, Clause::Set, running)?;
            state.foresee_user_var(name.clone(), &bound);
            match bound.eval_assigned(&mut Cx::new(state, running.params)) {
                Ok(value) => {
                    let ty = bound.assigned_type(&value);
                    into.push(Assignment::UserVar(name, value, ty));
                }
                Err(error) => {
                    state.declare_user_var(name);
                    return Err(error);
                }
            }
            Ok(())
        }
        SetItem::Names { charset, collation } => {
            let collation = names(charset.as_deref(), collation.as_deref())?;
            for (name, value) in [
                ("character_set_client", collation.charset().name()),
                ("character_set_results", collation.charset().name()),
                ("collation_connection", collation.name()),
            ] {
                change(state, None, name, Value::text(value), into)?;
            }
            // Results are described by the collation, too.
            into.push(Assignment::Results(collation));
            Ok(())
        }
        SetItem::CharacterSet(charset) => {
            let collation = names(charset.as_deref(), None)?;
            let connection = variables::database_collation(state);
            for (name, value) in [
                ("character_set_client", collation.charset().name()),
                ("character_set_results", collation.charset().name()),
                ("collation_connection", connection.name()),
            ] {
                change(state, None, name, Value::text(value), into)?;
            }
            Ok(())
        }
        SetItem::Transaction { scope, isolation, read_only } => {
            transaction(state, *scope, *isolation, *read_only, into)
        }
        SetItem::Password { account, auth } => {
            into.push(Assignment::Password { account: account.clone(), auth: auth.clone() });
            Ok(())
        }
        SetItem::Role(role) => {
            into.push(Assignment::Role(account::roles::chosen(state, None, role.as_ref())?));
            Ok(())
        }
        SetItem::DefaultRole { role, account } => {
            into.push(Assignment::DefaultRole { role: role.clone(), account: account.clone() });
            Ok(())
        }
    }
}

fn change(
    state: &mut State,
    scope: Option<VarScope>,
    name: &str,
    value: Value,
    into: &mut Vec<Assignment>,
) -> Result<(), SqlError> {
    into.push(Assignment::Variable(variables::prepare(state, scope, name, Some(value))?));
    Ok(())
}

/// The collation that SET NAMES names; none is the default.
fn names(charset: Option<&str>, collation: Option<&str>) -> Result<CollationId, SqlError> {
    let charset = match charset {
        Some(name) => Charset::by_name(name).ok_or_else(|| SqlError::unknown_character_set(name))?,
        None => Charset::Utf8mb4,
    };
    let Some(name) = collation else { return Ok(charset.default_collation()) };
    let found = Collation::by_name_for(charset, name).ok_or_else(|| SqlError::unknown_collation(name))?;
    match found.charset == charset {
        true => Ok(found.id),
        false => Err(SqlError::collation_charset_mismatch(found.name, charset.name())),
    }
}

fn transaction(
    state: &mut State,
    scope: Option<VarScope>,
    isolation: Option<IsolationLevel>,
    read_only: Option<bool>,
    into: &mut Vec<Assignment>,
) -> Result<(), SqlError> {
    if scope.is_none() {
        if state.in_transaction() {
            return Err(SqlError::cant_change_transaction());
        }
        let isolation = isolation.map(|level| match level {
            IsolationLevel::ReadUncommitted => Isolation::ReadUncommitted,
            IsolationLevel::ReadCommitted => Isolation::ReadCommitted,
            IsolationLevel::RepeatableRead => Isolation::RepeatableRead,
            IsolationLevel::Serializable => Isolation::Serializable,
        });
        into.push(Assignment::NextTransaction { isolation, read_only });
        return Ok(());
    }
    if let Some(level) = isolation {
        let name = match level {
            IsolationLevel::ReadUncommitted => "READ-UNCOMMITTED",
            IsolationLevel::ReadCommitted => "READ-COMMITTED",
            IsolationLevel::RepeatableRead => "REPEATABLE-READ",
            IsolationLevel::Serializable => "SERIALIZABLE",
        };
        change(state, scope, "tx_isolation", Value::text(name), into)?;
    }
    if let Some(read_only) = read_only {
        change(state, scope, "tx_read_only", Value::from(read_only), into)?;
    }
    Ok(())
}

/// A system variable's new value: `None` for DEFAULT; a bare word is read as a string.
fn new_value(
    state: &mut State,
    name: &str,
    value: &ast::Expr,
    running: &Running<'_>,
) -> Result<Option<Value>, SqlError> {
    match &value.kind {
        ExprKind::Default => Ok(None),
        ExprKind::Column(column) if value.is_bare_word() => Ok(Some(Value::text(&column.column))),
        _ => {
            let bound = bound(state, value, Clause::Set, running)?;
            let value = bound.eval_assigned(&mut Cx::new(state, running.params))?;
            // Of a number that is NULL only the number is asked, but for what names a locale.
            let locale = name.to_ascii_lowercase().starts_with("lc_");
            Ok(Some(match (value, bound.ty.class()) {
                (value, _) if locale => value,
                (Value::Null, Class::Int) => Value::Int(0),
                (Value::Null, Class::Real | Class::Decimal) => Value::Double(0.0),
                (value, _) => value,
            }))
        }
    }
}

/// Computes an expression that names no table of the statement's own.
pub(crate) fn evaluate(
    state: &mut State,
    expr: &ast::Expr,
    running: &Running<'_>,
) -> Result<Value, SqlError> {
    bound(state, expr, Clause::Select, running)?.eval_assigned(&mut Cx::new(state, running.params))
}

/// An expression that sees no tables.
pub(super) fn bound(
    state: &mut State,
    expr: &ast::Expr,
    clause: Clause,
    running: &Running<'_>,
) -> Result<Expr, SqlError> {
    let scope = Scope::new(None, 0);
    let bound = Binder::new(state, running.text, running.params).scalars(
        std::slice::from_ref(expr),
        &scope,
        clause,
    )?;
    bound.into_iter().next().ok_or_else(|| SqlError::internal_error("evaluate an expression"))
}
