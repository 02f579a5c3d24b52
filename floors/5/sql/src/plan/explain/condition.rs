//! Conditions as EXPLAIN shows them.

use crate::expr::{CompareOp, Expr, Kind, compare_text};
use crate::plan::{Source, TableAccess};
use crate::syntax::ast::IsTest;
use types::Value;

/// Names of a table's slots.
pub struct Names {
    alias: String,
    first: u32,
    columns: Vec<String>,
    prefix: String,
}

impl Names {
    /// The names of a table.
    pub fn of(table: &TableAccess) -> Names {
        let (columns, prefix) = match &table.source {
            Source::Base(base) => {
                let columns = base.def().columns.iter().map(|c| c.name.clone()).collect();
                (columns, format!("{}.", base.db()))
            }
            Source::Derived { plan, .. } | Source::Distinct { plan, .. } => {
                (plan.columns.iter().map(|c| c.name.clone()).collect(), String::new())
            }
            _ => (Vec::new(), String::new()),
        };
        Names { alias: table.alias.clone(), first: table.slots.start, columns, prefix }
    }

    fn column(&self, slot: u32) -> Option<String> {
        let column = self.columns.get(slot.checked_sub(self.first)? as usize)?;
        Some(format!("{}.{column}", self.alias))
    }
}

/// The tables of each block that what is explained stands in, by frame level, the innermost last.
pub type Blocks = [(u32, Vec<Names>)];

/// What a key is compared with: `const`, a column of another table, `func` for anything else.
pub fn reference(e: &Expr, blocks: &Blocks) -> String {
    match &e.kind {
        Kind::Const(_) | Kind::Param(_) => "const".into(),
        Kind::Column(slot) => {
            let block = blocks.iter().rev().find(|(level, _)| *level == slot.level);
            let named = |names: &Names| Some(format!("{}{}", names.prefix, names.column(slot.index)?));
            block.and_then(|(_, tables)| tables.iter().find_map(named)).unwrap_or("func".into())
        }
        _ if crate::plan::estimate::is_known_now(e) => "const".into(),
        _ => "func".into(),
    }
}

/// Several conditions together.
pub fn all(conditions: &[&Expr], names: &Names) -> String {
    let shown: Vec<String> = conditions.iter().map(|e| text(e, names)).collect();
    shown.join(" and ")
}

fn constant(value: &Value) -> String {
    match value {
        Value::Null => "NULL".into(),
        value if value.is_numeric() => compare_text(value),
        value => format!("'{}'", compare_text(value).replace('\'', "''")),
    }
}

fn list(members: &[Expr], between: &str, names: &Names) -> String {
    members.iter().map(|e| text(e, names)).collect::<Vec<_>>().join(between)
}

fn operator(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => "=",
        CompareOp::Ne => "<>",
        CompareOp::Lt => "<",
        CompareOp::Le => "<=",
        CompareOp::Gt => ">",
        CompareOp::Ge => ">=",
        CompareOp::NullSafeEq => "<=>",
    }
}

fn text(e: &Expr, names: &Names) -> String {
    let not = |negated: bool| if negated { "not " } else { "" };
    match &e.kind {
        Kind::Const(value) => constant(value),
        Kind::Param(_) => "?".into(),
        Kind::Column(slot) => {
            names.column(slot.index).unwrap_or_else(|| format!("column {}", slot.index + 1))
        }
        Kind::UserVar(name) => format!("@{name}"),
        Kind::SysVar(_, name) => format!("@@{name}"),
        Kind::And(members) => list(members, " and ", names),
        Kind::Or(members) => format!("({})", list(members, " or ", names)),
        Kind::Not(e) => format!("!({})", text(e, names)),
        Kind::Compare(op, _, left, right) => {
            format!("{} {} {}", text(left, names), operator(*op), text(right, names))
        }
        Kind::Between { operands: sides, negated, .. } => {
            let [operand, low, high] = &**sides;
            let (operand, low, high) = (text(operand, names), text(low, names), text(high, names));
            format!("{operand} {}between {low} and {high}", not(*negated))
        }
        Kind::InList { operand, list, negated, .. } => {
            let members: Vec<String> = list.iter().map(|(_, e)| text(e, names)).collect();
            format!("{} {}in ({})", text(operand, names), not(*negated), members.join(","))
        }
        Kind::Is(test, negated, operand) => {
            let test = match test {
                IsTest::Null | IsTest::Unknown => "null",
                IsTest::True => "true",
                IsTest::False => "false",
            };
            format!("{} is {}{test}", text(operand, names), not(*negated))
        }
        Kind::Like { operands: sides, negated, .. } => {
            format!("{} {}like {}", text(&sides[0], names), not(*negated), text(&sides[1], names))
        }
        Kind::Call(call) if call.args.len() == 2 && !call.name.starts_with(|c: char| c.is_alphabetic()) => {
            format!("{} {} {}", text(&call.args[0], names), call.name, text(&call.args[1], names))
        }
        Kind::Call(call) => format!("{}({})", call.name, list(&call.args, ",", names)),
        Kind::Row(members) => format!("({})", list(members, ",", names)),
        Kind::Subquery(_) => "<subquery>".into(),
        Kind::AssignUserVar(name, e) => format!("@{name}:={}", text(e, names)),
        Kind::CompareRows(op, _, left, right) => {
            format!("({}) {} ({})", list(left, ",", names), operator(*op), list(right, ",", names))
        }
        Kind::InRows { operand, negated, .. } => {
            format!("({}) {}in (...)", list(operand, ",", names), not(*negated))
        }
        Kind::Case { .. } => "case ... end".into(),
    }
}
