//! What generated columns and CHECKs may be computed from: columns that are known by then, and nothing that changes by
//! itself.

use crate::bind::Clause;
use crate::error::SqlError;
use crate::expr::{Class, Expr as Bound, Kind, Named, TypeKind};
use crate::session::{Level, State};
use crate::syntax::ast::rewrite::{Rewrite, walk_expr};
use crate::syntax::ast::walk::Below;
use crate::syntax::ast::{Expr, ExprKind, Query};
use types::table::same_name;
use types::{ColumnType, TableDef, Value};

/// Functions whose values are not those of their arguments alone. MariaDB computes virtual columns when they are read
/// and takes some of these there; here such columns are computed when a row is written, so none is taken.
const CHANGING: &[&str] = &[
    "benchmark",
    "connection_id",
    "curdate",
    "current_date",
    "current_role",
    "current_time",
    "current_timestamp",
    "current_user",
    "curtime",
    "database",
    "found_rows",
    "get_lock",
    "is_free_lock",
    "is_used_lock",
    "last_insert_id",
    "load_file",
    "localtime",
    "localtimestamp",
    "now",
    "rand",
    "random_bytes",
    "release_all_locks",
    "release_lock",
    "row_count",
    "schema",
    "session_user",
    "sleep",
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

/// Holds the expression of the column number `at` against the rules: errors 4029 and 1901.
pub fn check(def: &TableDef, at: usize, expression: &mut Expr) -> Result<(), SqlError> {
    let (clause, name) = (Clause::Generated, def.columns[at].name.as_str());
    let mut finder = Finder { def, known: at, clause, name, found: None };
    finder.expr(expression);
    finder.found.map_or(Ok(()), Err)
}

/// The same for the expression of the CHECK with a name, which every column is known to but one that counts.
pub fn check_constraint(def: &TableDef, name: &str, expression: &mut Expr) -> Result<(), SqlError> {
    let mut finder = Finder { def, known: def.columns.len(), clause: Clause::Check, name, found: None };
    finder.expr(expression);
    finder.found.map_or(Ok(()), Err)
}

/// Error 1901 for a value that is kept and whose fraction of a second is cut or rounded by `sql_mode`.
pub fn check_rounding(def: &TableDef, at: usize, expr: &Bound, state: &mut State) -> Result<(), SqlError> {
    let column = &def.columns[at];
    let Some(generated) = &column.generated else { return Ok(()) };
    let indexed = def.indexes.iter().any(|index| index.parts.iter().any(|part| part.column == at));
    let digits = match &column.ty {
        ColumnType::Time(digits) | ColumnType::DateTime(digits) | ColumnType::Timestamp(digits) => *digits,
        _ => return Ok(()),
    };
    // A date or time as it is written is one already, without a fraction where none is written.
    let timed = |text: &[u8]| text.first().is_some_and(|c| c.is_ascii_digit() || *c == b'-');
    let written = matches!(&expr.kind, Kind::Const(Value::Str(text)) if timed(&text.bytes) && !text.bytes.contains(&b'.'));
    let given = match (expr.ty.class(), expr.ty.kind) {
        // So is what an interval is added to.
        _ if adds_to_text(expr) => 0,
        (Class::Str, _) if written => 0,
        (_, TypeKind::Null | TypeKind::Enum | TypeKind::Set) => 0,
        (Class::Str | Class::Real, _) => 6,
        _ => expr.ty.decimals.min(6),
    };
    if given <= digits || !(generated.stored || indexed) {
        return Ok(());
    }
    Err(depends_on_mode(def, at, "TIME_ROUND_FRACTIONAL", state))
}

/// Whether an interval is added to text, or to nothing.
fn adds_to_text(e: &Bound) -> bool {
    match &e.kind {
        Kind::Call(call) => {
            call.name.starts_with("date_") && call.args.first().is_some_and(|e| e.ty.class() == Class::Str)
        }
        Kind::Const(_) => matches!(&e.ty.origin, Named::Computed(of) if adds_to_text(of)),
        _ => false,
    }
}

/// Error 1901 for a value that is kept and that has the spaces of a CHAR column or not, as `sql_mode` says.
pub fn check_padding(
    def: &TableDef,
    at: usize,
    expression: &Expr,
    state: &mut State,
) -> Result<(), SqlError> {
    let column = &def.columns[at];
    let Some(generated) = &column.generated else { return Ok(()) };
    let indexed = def.indexes.iter().any(|index| index.parts.iter().any(|part| part.column == at));
    let keeps = matches!(
        column.ty,
        ColumnType::VarChar(_) | ColumnType::Text(_) | ColumnType::VarBinary(_) | ColumnType::Blob(_)
    );
    let whole = padded(def, expression);
    let pads = if whole { keeps } else { reads_padding(def, expression) };
    match pads && (generated.stored || indexed) {
        true => Err(depends_on_mode(def, at, "PAD_CHAR_TO_FULL_LENGTH", state)),
        false => Ok(()),
    }
}

/// Whether an expression is a CHAR column.
fn padded(def: &TableDef, e: &Expr) -> bool {
    let ExprKind::Column(column) = &e.kind else { return false };
    def.columns.iter().any(|c| same_name(&c.name, &column.column) && matches!(c.ty, ColumnType::Char(_)))
}

/// Whether the spaces of a CHAR column matter to an expression: not in comparisons, nor where they are cut.
fn reads_padding(def: &TableDef, e: &Expr) -> bool {
    let spared = match &e.kind {
        ExprKind::Binary { op, .. } => op.is_comparison(),
        ExprKind::Function(call) => call.name.eq_ignore_ascii_case("rtrim"),
        _ => false,
    };
    let mut reads = false;
    e.below(&mut |below| {
        if let Below::Expr(inner) = below {
            reads |= !(spared && padded(def, inner)) && (padded(def, inner) || reads_padding(def, inner));
        }
    });
    reads
}

fn depends_on_mode(def: &TableDef, at: usize, mode: &str, state: &mut State) -> SqlError {
    let column = &def.columns[at];
    let expression = column.generated.as_ref().map_or("", |generated| &generated.expression);
    let error = SqlError::function_not_allowed_in(expression, "GENERATED ALWAYS AS", &column.name);
    state.warn(Level::Error, error.errno, error.message.clone());
    state.warn(Level::Warning, 1105, format!("Expression depends on the @@sql_mode value {mode}"));
    error
}

struct Finder<'d> {
    def: &'d TableDef,
    /// Columns before this one are known.
    known: usize,
    clause: Clause,
    /// The column or CHECK that the expression is of.
    name: &'d str,
    /// The first fault.
    found: Option<SqlError>,
}

impl Finder<'_> {
    fn refuse(&mut self, shown: String) {
        let error = SqlError::function_not_allowed_in(shown, self.clause.name(), self.name);
        self.found.get_or_insert(error);
    }
}

impl Rewrite for Finder<'_> {
    fn query(&mut self, _: &mut Query) {
        self.refuse("select ...".into());
    }

    fn expr(&mut self, e: &mut Expr) {
        match &e.kind {
            ExprKind::UserVar(name) | ExprKind::AssignUserVar { name, .. } => self.refuse(format!("@{name}")),
            ExprKind::SysVar(variable) => self.refuse(format!("@@{}", variable.name)),
            ExprKind::Column(column) => {
                let columns = &self.def.columns;
                let later = columns.iter().skip(self.known).find(|c| same_name(&c.name, &column.column));
                if let Some(later) = later.filter(|c| c.generated.is_some()) {
                    let error = SqlError::refers_to_uninitialized(self.name, &later.name);
                    self.found.get_or_insert(error);
                }
                let counts = columns.iter().find(|c| c.auto_increment && same_name(&c.name, &column.column));
                if let (Some(counts), Clause::Check) = (counts, self.clause) {
                    let clause = self.clause.name();
                    let error = SqlError::function_not_allowed_in("AUTO_INCREMENT", clause, &counts.name);
                    self.found.get_or_insert(error);
                }
            }
            ExprKind::Function(call) => {
                let name = call.name.to_ascii_lowercase();
                let now = name == "unix_timestamp" && call.args.is_empty();
                let zoned = self.clause == Clause::Check && name == "from_unixtime";
                if now || zoned || CHANGING.contains(&name.as_str()) {
                    let shown = match name.as_str() {
                        "now" | "localtime" | "localtimestamp" => "current_timestamp",
                        "current_date" => "curdate",
                        "current_time" => "curtime",
                        "schema" => "database",
                        "session_user" | "system_user" => "user",
                        other => other,
                    };
                    self.refuse(format!("{shown}()"));
                }
            }
            _ => {}
        }
        walk_expr(self, e);
    }
}
