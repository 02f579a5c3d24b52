//! Walking expressions.

use super::{Call, Expr, Kind, Named, TypeKind};
use crate::plan::SubqueryForm;
use types::{StrValue, Value};

impl Expr {
    /// Calls `f` for this expression and everything below it. Plans of subqueries are not entered, their left
    /// operands are.
    pub fn visit(&self, f: &mut dyn FnMut(&Expr)) {
        self.visit_until(&mut |e| {
            f(e);
            true
        });
    }

    /// As [`Expr::visit`]; where `f` answers false it is not called for what is below.
    pub fn visit_until(&self, f: &mut dyn FnMut(&Expr) -> bool) {
        if f(self) {
            self.children(&mut |child| child.visit_until(f));
        }
    }

    pub(in crate::expr) fn children<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        match &self.kind {
            Kind::Const(_) | Kind::Param(_) | Kind::Column(_) | Kind::UserVar(_) | Kind::SysVar(..) => {}
            Kind::AssignUserVar(_, e) | Kind::Not(e) | Kind::Is(_, _, e) => f(e),
            Kind::And(list) | Kind::Or(list) | Kind::Row(list) => list.iter().for_each(f),
            Kind::Compare(_, _, left, right) => {
                f(left);
                f(right);
            }
            Kind::CompareRows(_, _, left, right) => left.iter().chain(right).for_each(f),
            Kind::Between { operands, .. } => operands.iter().for_each(f),
            Kind::InList { operand, list, .. } => {
                f(operand);
                list.iter().for_each(|(_, e)| f(e));
            }
            Kind::InRows { operand, list, .. } => {
                operand.iter().for_each(&mut *f);
                list.iter().flatten().for_each(|(_, e)| f(e));
            }
            Kind::Like { operands, .. } => operands.iter().for_each(f),
            Kind::Case { operand, branches, otherwise } => {
                operand.iter().for_each(|e| f(e));
                for (_, when, then) in branches {
                    f(when);
                    f(then);
                }
                otherwise.iter().for_each(|e| f(e));
            }
            Kind::Call(call) => call.args.iter().for_each(f),
            Kind::Subquery(subquery) => match &subquery.form {
                SubqueryForm::Scalar | SubqueryForm::Column(_) | SubqueryForm::Exists => {}
                SubqueryForm::In { left, .. } | SubqueryForm::RowCompare { left, .. } => {
                    left.iter().for_each(f)
                }
                SubqueryForm::Quantified { left, .. } => f(left),
            },
        }
    }

    /// Puts what `f` gives in the place of this expression or, where it gives nothing, of those below it. Whatever holds
    /// a replacement may be NULL from then on. Whether anything was replaced.
    pub fn replace(&mut self, f: &mut dyn FnMut(&Expr) -> Option<Expr>) -> bool {
        if let Some(replacement) = f(self) {
            *self = replacement;
            return true;
        }
        let mut replaced = false;
        self.children_mut(&mut |child| replaced |= child.replace(f));
        self.ty.nullable |= replaced;
        replaced
    }

    /// Calls `f` for each expression right below it, but not in plans that others hold as well.
    pub fn children_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        match &mut self.kind {
            Kind::Const(_) | Kind::Param(_) | Kind::Column(_) | Kind::UserVar(_) | Kind::SysVar(..) => {}
            Kind::AssignUserVar(_, e) | Kind::Not(e) | Kind::Is(_, _, e) => f(e),
            Kind::And(list) | Kind::Or(list) | Kind::Row(list) => list.iter_mut().for_each(f),
            Kind::Compare(_, _, left, right) => {
                f(left);
                f(right);
            }
            Kind::CompareRows(_, _, left, right) => left.iter_mut().chain(right).for_each(f),
            Kind::Between { operands, .. } => operands.iter_mut().for_each(f),
            Kind::InList { operand, list, .. } => {
                f(operand);
                list.iter_mut().for_each(|(_, e)| f(e));
            }
            Kind::InRows { operand, list, .. } => {
                operand.iter_mut().for_each(&mut *f);
                list.iter_mut().flatten().for_each(|(_, e)| f(e));
            }
            Kind::Like { operands, .. } => operands.iter_mut().for_each(f),
            Kind::Case { operand, branches, otherwise } => {
                operand.iter_mut().for_each(|e| f(e));
                for (_, when, then) in branches {
                    f(when);
                    f(then);
                }
                otherwise.iter_mut().for_each(|e| f(e));
            }
            Kind::Call(call) => call.args.iter_mut().for_each(f),
            Kind::Subquery(subquery) => {
                // A plan that somebody else holds as well is not under construction any more.
                let Some(subquery) = std::sync::Arc::get_mut(subquery) else { return };
                match &mut subquery.form {
                    SubqueryForm::Scalar | SubqueryForm::Column(_) | SubqueryForm::Exists => {}
                    SubqueryForm::In { left, .. } | SubqueryForm::RowCompare { left, .. } => {
                        left.iter_mut().for_each(f)
                    }
                    SubqueryForm::Quantified { left, .. } => f(left),
                }
            }
        }
    }

    /// Whether two expressions are the same by structure: they give the same value for the same row.
    pub fn same(&self, other: &Expr) -> bool {
        self.matches(other, false, same_value)
    }

    /// Whether two expressions are the same by structure, or one and the same subquery, whatever values they give.
    pub fn is_written_as(&self, other: &Expr) -> bool {
        self.matches(other, true, same_value)
    }

    /// As [`Self::is_written_as`], integers in it whatever their sign, and formats of dates in whatever character set: those
    /// of parameters may have none.
    pub fn is_nearly_written_as(&self, other: &Expr) -> bool {
        let formats = matches!(&self.kind, Kind::Call(call) if call.name == "date_format");
        self.matches(
            other,
            true,
            match formats {
                true => same_format,
                false => same_number,
            },
        )
    }

    fn matches(&self, other: &Expr, changing: bool, constants: fn(&Value, &Value) -> bool) -> bool {
        // How a constant came about counts: with a number of another sign it may be of another type, or not be known yet.
        if changing && (self.computed().is_some() || other.computed().is_some()) {
            let [a, b] = [self, other].map(|e| e.computed().unwrap_or(e));
            return a.matches(b, changing, constants);
        }
        match (&self.kind, &other.kind) {
            (Kind::Const(a), Kind::Const(b)) => return constants(a, b),
            (Kind::Param(a), Kind::Param(b)) => return a == b,
            (Kind::Column(a), Kind::Column(b)) => return a == b,
            (Kind::UserVar(a), Kind::UserVar(b)) => return a == b,
            (Kind::SysVar(s, a), Kind::SysVar(t, b)) => return s == t && a == b,
            (Kind::Subquery(a), Kind::Subquery(b)) => return changing && std::sync::Arc::ptr_eq(a, b),
            (Kind::AssignUserVar(a, _), Kind::AssignUserVar(b, _)) if !changing || a != b => return false,
            (Kind::Compare(a, x, ..), Kind::Compare(b, y, ..)) if a != b || x != y => return false,
            (Kind::CompareRows(a, x, ..), Kind::CompareRows(b, y, ..)) if a != b || x != y => return false,
            (Kind::Between { negated: a, .. }, Kind::Between { negated: b, .. }) if a != b => return false,
            (Kind::InList { negated: a, .. }, Kind::InList { negated: b, .. }) if a != b => return false,
            (Kind::InRows { negated: a, .. }, Kind::InRows { negated: b, .. }) if a != b => return false,
            (Kind::Is(a, x, _), Kind::Is(b, y, _)) if a != b || x != y => return false,
            (
                Kind::Like { escape: a, collation: x, negated: m, .. },
                Kind::Like { escape: b, collation: y, negated: n, .. },
            ) if a != b || x != y || m != n => return false,
            (Kind::Call(a), Kind::Call(b)) if a.name != b.name || !(changing || a.deterministic) => {
                return false;
            }
            (Kind::Case { operand: a, .. }, Kind::Case { operand: b, .. }) if a.is_some() != b.is_some() => {
                return false;
            }
            (a, b) if std::mem::discriminant(a) != std::mem::discriminant(b) => return false,
            _ => {}
        }
        let (mut left, mut right) = (Vec::new(), Vec::new());
        self.children(&mut |e| left.push(e));
        other.children(&mut |e| right.push(e));
        left.len() == right.len() && left.iter().zip(&right).all(|(a, b)| a.matches(b, changing, constants))
    }

    /// Whether the value is known without any row, parameter or session.
    pub fn is_const(&self) -> bool {
        matches!(self.kind, Kind::Const(_))
    }

    /// Whether it is known to be NULL.
    pub fn is_null(&self) -> bool {
        matches!(self.kind, Kind::Const(Value::Null)) && self.ty.kind == TypeKind::Null
    }

    /// What a constant was computed from.
    fn computed(&self) -> Option<&Expr> {
        match &self.ty.origin {
            Named::Computed(of) if self.is_const() => Some(of),
            _ => None,
        }
    }

    /// Whether it is the word NULL, be it that of a subquery, and not computed.
    pub fn is_written_null(&self) -> bool {
        let computed =
            matches!(&self.ty.origin, Named::Computed(of) if !matches!(of.kind, Kind::Subquery(_)));
        self.is_null() && !computed
    }

    /// Whether it sets a user variable.
    pub fn sets_variable(&self) -> bool {
        let mut sets = false;
        self.visit(&mut |e| sets |= matches!(e.kind, Kind::AssignUserVar(..)));
        sets
    }

    /// Whether there is a query in it.
    pub fn has_subquery(&self) -> bool {
        let mut found = false;
        self.visit(&mut |e| found |= matches!(e.kind, Kind::Subquery(_)));
        found
    }

    /// Whether it reads a column.
    #[inline]
    pub fn reads_column(&self) -> bool {
        if matches!(self.kind, Kind::Const(_) | Kind::Param(_)) {
            return false;
        }
        let mut reads = false;
        self.visit(&mut |e| reads |= matches!(e.kind, Kind::Column(_)));
        reads
    }

    /// Whether it reads no row and changes nothing: its value is one for the whole run of its block.
    pub fn is_fixed(&self) -> bool {
        let mut fixed = true;
        self.visit(&mut |e| match &e.kind {
            Kind::Column(_) | Kind::UserVar(_) | Kind::AssignUserVar(..) => fixed = false,
            Kind::Subquery(subquery) => fixed &= !subquery.runs_again(),
            Kind::Call(call) => fixed &= call.deterministic,
            _ => {}
        });
        fixed
    }

    /// Whether it is made of constants and parameters alone.
    pub fn is_same_in_all_rows(&self) -> bool {
        self.is_same_but_for(|_| false)
    }

    /// As [`Self::is_same_in_all_rows`] for who asks for no value: what reads the session besides is the same, too.
    pub fn is_steady(&self) -> bool {
        self.is_same_but_for(Call::is_steady)
    }

    fn is_same_but_for(&self, steady: impl Fn(&Call) -> bool) -> bool {
        let mut same = true;
        self.visit(&mut |e| match &e.kind {
            Kind::Column(_) | Kind::UserVar(_) | Kind::AssignUserVar(..) => same = false,
            Kind::Subquery(_) | Kind::SysVar(..) => same = false,
            Kind::Call(call) => {
                same &= call.deterministic || call.tells_time() || steady(call);
            }
            _ => {}
        });
        same
    }

    /// Whether a function in it gives something else each time, as RAND does.
    pub fn changes_from_row_to_row(&self) -> bool {
        let mut changes = false;
        self.visit(&mut |e| {
            changes |= matches!(&e.kind, Kind::Call(call) if !call.is_stable());
        });
        changes
    }

    /// Whether it is a constant that can be no NULL: where only that is asked it is not even computed.
    pub fn is_never_null(&self) -> bool {
        !self.ty.nullable && self.is_same_in_all_rows()
    }

    /// Whether no column is made for it where MariaDB puts rows aside.
    pub fn is_put_aside_nowhere(&self) -> bool {
        self.is_same_in_all_rows() || self.is_known()
    }

    /// Whether it makes one group of all rows, as MariaDB sees before it reads any.
    pub fn is_one_to_groups(&self) -> bool {
        let steady = |call: &Call| call.is_steady() || call.is_foreknown();
        self.is_put_aside_nowhere() || self.is_fixed() || self.is_same_but_for(steady)
    }

    /// Whether it is a constant to the statement that begins: functions of constants and of user variables.
    pub fn is_known(&self) -> bool {
        let mut known = true;
        self.visit(&mut |e| match &e.kind {
            Kind::Column(_) | Kind::AssignUserVar(..) | Kind::Subquery(_) => known = false,
            Kind::SysVar(..) | Kind::Param(_) => known = false,
            Kind::Call(call) => known &= call.deterministic || call.tells_time(),
            _ => {}
        });
        known
    }

    /// Whether it is a constant to the statement: functions of constants and of numbers that the session has for it.
    pub fn is_told_by_session(&self) -> bool {
        const NUMBERS: &[&str] = &[
            "connection_id",
            "found_rows",
            "is_free_lock",
            "is_used_lock",
            "last_insert_id",
            "row_count",
            "unix_timestamp",
        ];
        let mut told = self.is_same_but_for(|call| NUMBERS.contains(&call.name));
        self.visit(&mut |e| told &= !matches!(e.kind, Kind::Param(_)));
        told
    }

    /// Whether it is a constant, or functions of constants.
    pub fn is_settled(&self) -> bool {
        let mut settled = self.is_same_in_all_rows();
        self.visit(&mut |e| settled &= !matches!(e.kind, Kind::Param(_)));
        settled
    }
}

/// As [`same_value`], integers whatever their sign.
fn same_number(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Int(a), Value::UInt(b)) | (Value::UInt(b), Value::Int(a)) => u64::try_from(*a) == Ok(*b),
        _ => same_value(a, b),
    }
}

/// As [`same_number`], ASCII whatever its character set.
fn same_format(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Str(a), Value::Str(b)) if is_ascii(a) && is_ascii(b) => a.plain() == b.plain(),
        _ => same_number(a, b),
    }
}

fn is_ascii(text: &StrValue) -> bool {
    text.collation.charset().is_ascii_based() && text.plain().is_ascii()
}

fn same_value(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Double(a), Value::Double(b)) => a.to_bits() == b.to_bits(),
        _ => a == b,
    }
}
