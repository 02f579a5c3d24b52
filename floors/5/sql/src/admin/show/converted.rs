//! Expressions of a table's definition as SHOW CREATE TABLE writes them: texts that are put together in another character
//! set than their own are converted to it, constants beside YEAR and BIGINT columns are what the column would hold.

use crate::bind::Clause;
use crate::exec::Cx;
use crate::expr::build::{adapt_year, collate_operands, number_of_bytes};
use crate::expr::{Class, Coercibility, Kind, Type, TypeKind, expr_text, is_operator};
use crate::session::{State, bound_over, parse_kept};
use crate::syntax::ast::rewrite::{Rewrite, walk_expr};
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Literal, UnaryOp};
use std::borrow::Cow;
use types::convert::{self, StoreIssue, to_double};
use types::{Charset, CollationId, DefaultValue, TableDef, Value};

/// The definition with its expressions as they are shown.
pub(crate) fn converted<'d>(def: &'d TableDef, state: &mut State) -> Cow<'d, TableDef> {
    let computes = |column: &types::ColumnDef| {
        let expression = matches!(column.default, DefaultValue::Expression(_));
        expression || column.generated.is_some() || column.check.is_some()
    };
    if def.checks.is_empty() && !def.columns.iter().any(computes) {
        return Cow::Borrowed(def);
    }
    let mut shown = def.clone();
    // What a constant says of itself is not said here; the connection has no say in what it is: constants are read anew in
    // the table's character set.
    let told = state.diagnostics.told();
    let connection = std::mem::replace(&mut state.vars.collation_connection, def.collation);
    let mut show = |text: &mut String, clause| {
        if let Ok(mut expr) = parse_kept(text) {
            let mut converter = Converter { text, def, clause, state, converts: false };
            converter.expr(&mut expr);
            if converter.converts {
                let shown = expr_text(&expr);
                // CASE, and operators of a default, stand in parentheses where they are all there is.
                let bare = text.starts_with('(') && !shown.starts_with('(');
                let bare = bare && (shown.starts_with("case ") || is_operator(&expr));
                *text = if bare { format!("({shown})") } else { shown };
            }
        }
    };
    for column in &mut shown.columns {
        if let DefaultValue::Expression(text) = &mut column.default {
            show(text, Clause::Default);
        }
        if let Some(generated) = &mut column.generated {
            show(&mut generated.expression, Clause::Generated);
        }
        if let Some(check) = &mut column.check {
            show(check, Clause::Check);
        }
    }
    shown.checks.iter_mut().for_each(|check| show(&mut check.expression, Clause::Check));
    state.vars.collation_connection = connection;
    state.diagnostics.forget_since(told);
    Cow::Owned(shown)
}

struct Converter<'c> {
    /// The text that the expression was read from.
    text: &'c str,
    def: &'c TableDef,
    clause: Clause,
    state: &'c mut State,
    /// Some operand is converted.
    converts: bool,
}

impl Converter<'_> {
    /// Converts operands to the character set that they have together.
    fn together(&mut self, mut operands: Vec<&mut Expr>) {
        let list: Vec<Expr> = operands.iter().map(|e| (**e).clone()).collect();
        let Some(types) = self.types(&list) else { return };
        let all: Vec<&Type> = types.iter().collect();
        let texts = types.iter().filter(|ty| ty.class() == Class::Str && ty.kind != TypeKind::Null);
        // Beside a number, a date or bytes they are no texts.
        if texts.count() < 2 {
            return;
        }
        let Ok((collation, _)) = collate_operands(&all, "=") else { return };
        for (e, ty) in operands.iter_mut().zip(&types) {
            if is_converted(e, ty, collation) {
                let expr = Box::new((**e).clone());
                e.kind = ExprKind::ConvertUsing { expr, charset: collation.charset().name().into() };
                self.converts = true;
            }
        }
    }

    /// The same of operands that are compared: as numbers, where one of them is one.
    fn compared(&mut self, operands: Vec<&mut Expr>) {
        let list: Vec<Expr> = operands.iter().map(|e| (**e).clone()).collect();
        if self.types(&list).is_some_and(|types| types.iter().all(|ty| ty.class() == Class::Str)) {
            self.together(operands);
        }
    }

    fn types(&mut self, parts: &[Expr]) -> Option<Vec<Type>> {
        let bound = bound_over(self.text, parts, self.def, self.clause, self.state).ok()?;
        Some(bound.into_iter().map(|e| e.ty).collect())
    }

    fn constants(&mut self, list: &[Expr]) -> bool {
        let bound = bound_over(self.text, list, self.def, self.clause, self.state);
        bound.is_ok_and(|bound| bound.iter().all(crate::expr::Expr::is_settled))
    }

    /// A constant that a column is compared with is the number that the column would hold, if it would hold it.
    fn held(&mut self, column: &Expr, constant: &mut Expr) {
        let ExprKind::Column(name) = &column.kind else { return };
        let Some(def) = self.def.columns.iter().find(|def| def.name.eq_ignore_ascii_case(&name.column))
        else {
            return;
        };
        let parts = [column.clone(), constant.clone()];
        let Ok(bound) = bound_over(self.text, &parts, self.def, self.clause, self.state) else { return };
        let Ok([column, mut bound]) = <[_; 2]>::try_from(bound) else { return };
        if !bound.is_settled() {
            return;
        }
        let value = match column.ty.kind {
            TypeKind::Year if adapt_year(&column, &mut bound, self.state).is_ok() => match bound.kind {
                Kind::Const(value @ Value::Int(_)) => Some(value),
                _ => None,
            },
            // Integers that are computed stay as they were written.
            TypeKind::LongLong => {
                let number = number_of_bytes(&column.ty, &bound);
                let value = match number.unwrap_or(bound).eval(&mut Cx::new(self.state, &[])) {
                    Ok(Value::Null | Value::Int(_) | Value::UInt(_)) if !is_literal(constant) => return,
                    value => value.unwrap_or_default(),
                };
                let context = self.state.convert_context();
                let held = convert::store(value.clone(), &def.ty, def.collation, &context);
                let fits = held.issue != Some(StoreIssue::OutOfRange) && !value.is_null();
                let same = to_double(&held.value).value == to_double(&value).value;
                (fits && same).then_some(held.value)
            }
            _ => None,
        };
        let number = match value {
            Some(Value::Int(n)) => i128::from(n),
            Some(Value::UInt(n)) => i128::from(n),
            _ => return,
        };
        let literal =
            Expr { kind: ExprKind::Literal(Literal::Int(number.unsigned_abs() as u64)), ..*constant };
        constant.kind = match number < 0 {
            true => ExprKind::Unary { op: UnaryOp::Neg, expr: Box::new(literal) },
            false => literal.kind,
        };
        self.converts = true;
    }

    /// The same of some arguments of a function.
    fn arguments(&mut self, args: &mut [Expr], places: impl Fn(usize) -> bool) {
        let chosen = args.iter_mut().enumerate().filter(|(at, _)| places(*at));
        self.together(chosen.map(|(_, e)| e).collect());
    }
}

fn is_literal(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Literal(_))
}

/// Whether an operand is converted: a literal is simply one of the other character set, bytes are what they are, and
/// addresses and UUIDs are ASCII in any.
fn is_converted(e: &Expr, ty: &Type, to: CollationId) -> bool {
    let (own, to) = (ty.collation.charset(), to.charset());
    // Texts made of NULL alone count as latin1.
    let nothing = ty.coercibility == Coercibility::Ignorable && to != Charset::Latin1;
    ty.class() == Class::Str
        && !matches!(ty.kind, TypeKind::Null | TypeKind::Fixed(_))
        && !matches!(e.kind, ExprKind::Literal(_))
        && own != to
        && to != Charset::Binary
        && (own != Charset::Binary || nothing)
}

impl Rewrite for Converter<'_> {
    fn expr(&mut self, e: &mut Expr) {
        walk_expr(self, e);
        match &mut e.kind {
            ExprKind::Binary { op, left, right } if compares(*op) => {
                match (&mut left.kind, &mut right.kind) {
                    (ExprKind::Row(left), ExprKind::Row(right)) => {
                        for (left, right) in left.iter_mut().zip(right) {
                            self.compared(vec![left, right]);
                        }
                    }
                    _ => {
                        self.compared(vec![left, right]);
                        self.held(left, right);
                        self.held(right, left);
                    }
                }
            }
            ExprKind::Like { expr, pattern, .. } | ExprKind::Regexp { expr, pattern, .. } => {
                self.compared(vec![expr, pattern]);
            }
            ExprKind::Between { expr, low, high, .. } => {
                self.compared(vec![expr, low, high]);
                self.held(expr, low);
                self.held(expr, high);
            }
            ExprKind::InList { expr, list, .. } => {
                let operands = std::iter::once(&mut **expr).chain(list.iter_mut());
                self.compared(operands.collect());
                if self.constants(list) {
                    list.iter_mut().for_each(|member| self.held(expr, member));
                }
                if let [member] = &list[..] {
                    self.held(member, expr);
                }
            }
            ExprKind::Function(call) if call.name == "nullif" => {
                if let [left, right] = &mut call.args[..] {
                    self.held(left, right);
                    self.held(right, left);
                }
            }
            ExprKind::Trim { what: Some(what), expr, .. } => self.together(vec![what, expr]),
            ExprKind::Case { operand, branches, otherwise } => {
                let (mut asked, mut given) = (Vec::new(), Vec::new());
                let compares = operand.is_some();
                asked.extend(operand.as_deref_mut());
                for (when, then) in branches {
                    if compares {
                        asked.push(when);
                    }
                    given.push(then);
                }
                given.extend(otherwise.as_deref_mut());
                self.together(given);
                self.compared(asked);
            }
            ExprKind::Function(call) => {
                let places: fn(usize) -> bool = match &*call.name {
                    "concat" | "concat_ws" | "ifnull" | "nvl" | "coalesce" | "greatest" | "least"
                    | "replace" | "json_object" | "json_array" | "field" | "find_in_set" | "strcmp" => {
                        |_| true
                    }
                    "if" | "nvl2" | "elt" | "make_set" => |at| at > 0,
                    "export_set" => |at| (1..4).contains(&at),
                    "lpad" | "rpad" => |at| at != 1,
                    "insert" => |at| at == 0 || at == 3,
                    "substring_index" | "locate" | "instr" => |at| at < 2,
                    _ => return,
                };
                self.arguments(&mut call.args, places);
            }
            _ => {}
        }
    }
}

fn compares(op: BinaryOp) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne, NullSafeEq};
    matches!(op, Eq | Ne | Lt | Le | Gt | Ge | NullSafeEq)
}
