//! What the expressions in a table's definition may name and call: columns that are known by then, no rows but the one, and
//! in CHECK and generated columns nothing that changes by itself.

use crate::bind::Clause;
use crate::error::SqlError;
use crate::expr::expr_text;
use crate::expr::print::stored_name;
use crate::syntax::ast::rewrite::{Rewrite, walk_expr};
use crate::syntax::ast::{Expr, ExprKind, FunctionCall, Query};
use types::TableDef;
use types::table::same_name;

/// Functions whose values are not those of their arguments alone. MariaDB computes virtual columns when they are read
/// and takes some of these there; here such columns are computed when a row is written, so none is taken.
const CHANGING: &[&str] = &[
    "connection_id",
    "curdate",
    "current_date",
    "current_role",
    "current_time",
    "current_timestamp",
    "current_user",
    "curtime",
    "database",
    "localtime",
    "localtimestamp",
    "now",
    "rand",
    "random_bytes",
    "schema",
    "session_user",
    "sys_guid",
    "sysdate",
    "system_user",
    "user",
    "utc_date",
    "utc_time",
    "utc_timestamp",
    "uuid",
    "uuid_short",
    "version",
];

/// Functions that are of statements and sessions, and not even taken where a value may change.
const IMPOSSIBLE: &[&str] = &[
    "benchmark",
    "found_rows",
    "get_lock",
    "is_free_lock",
    "is_used_lock",
    "last_insert_id",
    "load_file",
    "name_const",
    "release_all_locks",
    "release_lock",
    "row_count",
    "rownum",
    "sleep",
];

/// Functions that follow `lc_time_names` or `time_zone`.
const FOLLOWING: &[&str] = &["date_format", "dayname", "from_unixtime", "monthname"];

/// An expression's place in a definition.
#[derive(Debug, Clone, Copy)]
pub enum Place<'d> {
    /// DEFAULT of the column of this name.
    Default(&'d str),
    /// The column of this number is computed by it.
    Generated(usize),
    /// CHECK of this name, which is the column's where it stands beside one.
    Check(&'d str),
}

/// What of an expression is held against the rules of its place: MariaDB looks at one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// What it calls: before there are keys.
    Calls,
    /// That it names no counter.
    Counters,
    /// That the columns that it names have their values by then: when nothing else is wrong.
    Order,
}

/// Holds an expression against a rule of its place: errors 4029, 1901 and 1970.
pub fn check(def: &TableDef, place: Place<'_>, rule: Rule, expression: &mut Expr) -> Result<(), SqlError> {
    let mut finder = Finder { def, place, rule, found: None };
    finder.expr(expression);
    finder.found.map_or(Ok(()), Err)
}

/// An expression's text in MariaDB's own spelling, which SHOW CREATE TABLE repeats and which is parsed again whenever the
/// table is used. Errors 1970 and 1901 for a subquery, whose text would not be kept.
pub fn text(clause: Clause, name: &str, expression: &Expr) -> Result<String, SqlError> {
    match expression.has_subquery() {
        false => Ok(expr_text(expression)),
        true if clause == Clause::Check => Err(SqlError::subqueries_not_supported(clause.name())),
        true => Err(SqlError::function_not_allowed_in("select ...", clause.name(), name)),
    }
}

struct Finder<'d> {
    def: &'d TableDef,
    place: Place<'d>,
    rule: Rule,
    /// The first fault.
    found: Option<SqlError>,
}

impl Finder<'_> {
    fn refuse(&mut self, shown: impl std::fmt::Display) {
        let (clause, name) = match self.place {
            Place::Default(name) => (Clause::Default, name),
            Place::Generated(at) => (Clause::Generated, self.def.columns[at].name.as_str()),
            Place::Check(name) => (Clause::Check, name),
        };
        let error = SqlError::function_not_allowed_in(shown, clause.name(), name);
        self.found.get_or_insert(error);
    }

    fn column(&mut self, name: &str) {
        let columns = &self.def.columns;
        let Some(named) = columns.iter().position(|c| same_name(&c.name, name)) else { return };
        match self.place {
            Place::Generated(at)
                if self.rule == Rule::Order && named >= at && columns[named].generated.is_some() =>
            {
                let error = SqlError::refers_to_uninitialized(&columns[at].name, &columns[named].name);
                self.found.get_or_insert(error);
            }
            // Its value comes after the check.
            Place::Check(_) if self.rule == Rule::Counters && columns[named].auto_increment => {
                let error = SqlError::function_not_allowed_in(
                    "AUTO_INCREMENT",
                    Clause::Check.name(),
                    &columns[named].name,
                );
                self.found.get_or_insert(error);
            }
            _ => {}
        }
    }

    fn call(&mut self, call: &FunctionCall) {
        let name = call.name.to_ascii_lowercase();
        if IMPOSSIBLE.contains(&name.as_str()) {
            return self.refuse(format_args!("{name}()"));
        }
        if matches!(self.place, Place::Default(_)) {
            return;
        }
        let kept = match self.place {
            Place::Check(_) => true,
            Place::Generated(at) => self.def.columns[at].generated.as_ref().is_some_and(|of| of.stored),
            Place::Default(_) => false,
        };
        let follows = kept && FOLLOWING.contains(&name.as_str()) && call.args.len() < 3;
        let now = name == "unix_timestamp" && call.args.is_empty();
        if follows || now || CHANGING.contains(&name.as_str()) {
            self.refuse(match name.as_str() {
                "now" | "localtime" | "localtimestamp" => "current_timestamp()".to_owned(),
                "current_date" => "curdate()".to_owned(),
                "current_time" => "curtime()".to_owned(),
                "schema" => "database()".to_owned(),
                "session_user" | "system_user" => "user()".to_owned(),
                other => format!("{other}()"),
            });
        }
    }
}

impl Rewrite for Finder<'_> {
    fn query(&mut self, _: &mut Query) {
        if self.rule == Rule::Calls {
            self.refuse("select ...");
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        let may_change = matches!(self.place, Place::Default(_));
        match &e.kind {
            ExprKind::Column(column) => self.column(&column.column),
            _ if self.rule != Rule::Calls => {}
            ExprKind::Aggregate(_) | ExprKind::Window { .. } => {
                let text = expr_text(e);
                self.refuse(format_args!("{}()", text.split('(').next().unwrap_or_default()));
            }
            ExprKind::Function(call) => self.call(call),
            ExprKind::Stored(call) => self.refuse(format_args!("{}()", stored_name(call))),
            ExprKind::ValuesOf(_) => self.refuse("value()"),
            _ if may_change => {}
            ExprKind::UserVar(name) | ExprKind::AssignUserVar { name, .. } => {
                self.refuse(format_args!("@{name}"));
            }
            ExprKind::SysVar(variable) => self.refuse(format_args!("@@{}", variable.name)),
            _ => {}
        }
        walk_expr(self, e);
    }
}
