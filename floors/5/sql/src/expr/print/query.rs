//! Queries as MariaDB writes them back: the text of views. Names are printed as they stand in the tree; whoever wants
//! them whole fills them in before.

use super::{Binding, print, quoted_name, write_args, write_list_of};
use crate::syntax::ast::{
    self, ExprKind, FrameBound, IndexHintKind, IndexHintScope, JoinCondition, JoinKind, Literal, OrderItem,
    Query, QueryBody, Select, SelectItem, SetOperator, TableRef, UnaryOp,
};

/// Where a query stands, which tells how its columns are named.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A view's own query, a derived table, an operand: each column has its name.
    Table,
    /// Inside an expression: only columns that were given a name have one.
    Expression,
    /// Of EXISTS: as [`Place::Expression`], and one row is enough.
    Exists,
}

/// The text of a query.
pub fn query_text(query: &Query) -> String {
    let mut out = String::new();
    let parenthesized = matches!(&query.body, QueryBody::Select(select) if select.parenthesized);
    if parenthesized {
        out.push('(');
    }
    write_query(query, Place::Table, &mut out);
    if parenthesized {
        out.push(')');
    }
    out
}

pub(super) fn write_query(query: &Query, place: Place, out: &mut String) {
    if let Some(with) = &query.with {
        out.push_str(if with.recursive { "with recursive " } else { "with " });
        write_list_of(&with.ctes, ", ", out, |cte, out| {
            out.push_str(&cte.name);
            write_names(&cte.columns, out);
            out.push_str(" as (");
            write_query(&cte.query, Place::Table, out);
            out.push(')');
            if !cte.cycle.is_empty() {
                out.push_str(" CYCLE ");
                write_list_of(&cte.cycle, ",", out, |name, out| quoted_name(name, out));
                out.push_str(" RESTRICT ");
            }
        });
    }
    write_body(&query.body, place, out);
    write_order(" order by ", &query.order_by, out);
    write_limit(query, place, out);
    if let Some(locking) = &query.locking {
        out.push_str(if locking.exclusive { " for update" } else { " lock in share mode" });
    }
}

/// LIMIT with its numbers.
pub(super) fn write_counts(limit: &ast::Limit, out: &mut String) {
    out.push_str(" limit ");
    if let Some(offset) = &limit.offset {
        print(offset, Binding::Lowest, out);
        out.push(',');
    }
    match &limit.count {
        Some(count) => print(count, Binding::Lowest, out),
        None => out.push_str("18446744073709551615"),
    }
}

fn write_limit(query: &Query, place: Place, out: &mut String) {
    match &query.limit {
        Some(limit) if limit.with_ties => {
            if let Some(offset) = &limit.offset {
                out.push_str(" offset ");
                print(offset, Binding::Lowest, out);
                out.push_str(" rows");
            }
            out.push_str(" fetch first ");
            if let Some(count) = &limit.count {
                print(count, Binding::Lowest, out);
            }
            out.push_str(" rows with ties");
        }
        Some(limit) if place == Place::Exists => {
            out.push_str(" limit ");
            if let Some(offset) = &limit.offset {
                print(offset, Binding::Lowest, out);
                out.push(',');
            }
            // One row is enough, but none stays none.
            let mut count = String::new();
            limit.count.iter().for_each(|e| print(e, Binding::Lowest, &mut count));
            out.push_str(if count == "0" { "0" } else { "1" });
        }
        Some(limit) => write_counts(limit, out),
        None if place == Place::Exists => out.push_str(" limit 1"),
        None => {}
    }
}

fn write_body(body: &QueryBody, place: Place, out: &mut String) {
    match body {
        QueryBody::Select(select) => write_select(select, place, out),
        QueryBody::Values(rows) => {
            out.push_str("values ");
            write_list_of(rows, ",", out, |row, out| {
                out.push('(');
                write_args(row, out);
                out.push(')');
            });
        }
        QueryBody::SetOps { first, rest } => {
            write_operand(first, place, out);
            for operation in rest {
                out.push_str(match operation.op {
                    SetOperator::Union => " union ",
                    SetOperator::Except => " except ",
                    SetOperator::Intersect => " intersect ",
                });
                if operation.all {
                    out.push_str("all ");
                }
                write_operand(&operation.body, place, out);
            }
        }
        QueryBody::Nested(query) => {
            out.push('(');
            write_query(query, place, out);
            out.push(')');
        }
    }
}

/// An operand of a set operation: in parentheses where it was, and without an order that nothing depends on.
fn write_operand(body: &QueryBody, place: Place, out: &mut String) {
    match body {
        QueryBody::Select(select) if select.parenthesized => {
            out.push('(');
            write_select(select, place, out);
            out.push(')');
        }
        QueryBody::Nested(query) if query.limit.is_none() && !query.order_by.is_empty() => {
            let mut unordered = (**query).clone();
            unordered.order_by.clear();
            write_body(&QueryBody::Nested(Box::new(unordered)), place, out);
        }
        body => write_body(body, place, out),
    }
}

fn write_select(select: &Select, place: Place, out: &mut String) {
    out.push_str("select ");
    let options = &select.options;
    let words = [
        (options.straight_join, "straight_join "),
        (options.high_priority, "high_priority "),
        (options.distinct, "distinct "),
        (options.small_result, "sql_small_result "),
        (options.big_result, "sql_big_result "),
        (options.buffer_result, "sql_buffer_result "),
        (options.calc_found_rows, "sql_calc_found_rows "),
        (options.cache == Some(true), "sql_cache "),
        (options.cache == Some(false), "sql_no_cache "),
    ];
    words.iter().filter(|(said, _)| *said).for_each(|(_, word)| out.push_str(word));
    write_list_of(&select.items, ",", out, |item, out| write_item(item, place, out));
    if !select.from.is_empty() {
        out.push_str(" from ");
        write_from(&select.from, out);
    }
    if let Some(filter) = &select.filter {
        if select.from.is_empty() {
            out.push_str(" from DUAL ");
        }
        out.push_str(" where ");
        super::write_condition(filter, Binding::Lowest, false, out);
    }
    write_order(" group by ", &select.group_by, out);
    if select.rollup {
        out.push_str(" with rollup");
    }
    if let Some(having) = &select.having {
        out.push_str(" having ");
        super::write_condition(having, Binding::Lowest, false, out);
    }
}

fn write_item(item: &SelectItem, place: Place, out: &mut String) {
    match item {
        SelectItem::Star => out.push('*'),
        SelectItem::TableStar(name) => {
            write_table_name(name, out);
            out.push_str(".*");
        }
        SelectItem::Expr { expr, alias, name } => {
            print(expr, Binding::Lowest, out);
            let shown = alias.as_ref().or((place == Place::Table).then_some(name));
            if let Some(name) = shown {
                out.push_str(" AS ");
                quoted_name(name, out);
            }
        }
    }
}

pub(super) fn write_order(words: &str, items: &[OrderItem], out: &mut String) {
    if items.is_empty() {
        return;
    }
    out.push_str(words);
    write_list_of(items, ",", out, |item, out| {
        print(&item.expr, Binding::Lowest, out);
        write_direction(item, out);
    });
}

/// The order of a window: integers in it, which might be places in a list elsewhere, are written as an empty text.
fn write_window_order(words: &str, items: &[OrderItem], out: &mut String) {
    fn is_integer(e: &ast::Expr) -> bool {
        match &e.kind {
            ExprKind::Literal(Literal::Int(_) | Literal::Bool(_)) => true,
            ExprKind::Unary { op: UnaryOp::Neg | UnaryOp::Plus, expr } => is_integer(expr),
            _ => false,
        }
    }
    if items.is_empty() {
        return;
    }
    out.push_str(words);
    write_list_of(items, ",", out, |item, out| {
        match is_integer(&item.expr) {
            true => out.push_str("''"),
            false => print(&item.expr, Binding::Lowest, out),
        }
        write_direction(item, out);
    });
}

fn write_direction(item: &OrderItem, out: &mut String) {
    if item.desc {
        out.push_str(" desc");
    }
}

/// The members of FROM: those with a comma between are joined without parentheses.
fn write_from(list: &[TableRef], out: &mut String) {
    write_list_of(list, " join ", out, write_table);
}

fn write_table(table: &TableRef, out: &mut String) {
    match table {
        TableRef::Table(factor) => {
            write_table_name(&factor.name, out);
            if let Some(alias) = &factor.alias {
                out.push(' ');
                quoted_name(alias, out);
            }
            factor.hints.iter().for_each(|hint| write_hint(hint, out));
        }
        TableRef::Derived { query, alias, columns, .. } => {
            out.push('(');
            write_query(query, Place::Table, out);
            out.push_str(") ");
            quoted_name(alias, out);
            write_names(columns, out);
        }
        // Refused in views.
        TableRef::JsonTable(table) => quoted_name(&table.alias, out),
        TableRef::Join(join) => {
            out.push('(');
            write_table(&join.left, out);
            if join.condition == JoinCondition::Natural {
                out.push_str(" natural");
            }
            out.push_str(match join.kind {
                JoinKind::Inner => " join ",
                JoinKind::Left => " left join ",
                JoinKind::Right => " right join ",
                JoinKind::Straight => " straight_join ",
            });
            write_table(&join.right, out);
            match &join.condition {
                JoinCondition::On(condition) => {
                    out.push_str(" on(");
                    super::write_condition(condition, Binding::Lowest, false, out);
                    out.push(')');
                }
                JoinCondition::Using(names) => {
                    out.push_str(" using ");
                    write_names(names, out);
                }
                JoinCondition::None | JoinCondition::Natural => {}
            }
            out.push(')');
        }
    }
}

fn write_hint(hint: &ast::IndexHint, out: &mut String) {
    out.push_str(match hint.kind {
        IndexHintKind::Use => " USE INDEX",
        IndexHintKind::Force => " FORCE INDEX",
        IndexHintKind::Ignore => " IGNORE INDEX",
    });
    out.push_str(match hint.scope {
        IndexHintScope::All => " (",
        IndexHintScope::Join => " FOR JOIN (",
        IndexHintScope::OrderBy => " FOR ORDER BY (",
        IndexHintScope::GroupBy => " FOR GROUP BY (",
    });
    write_list_of(&hint.indexes, ",", out, |name, out| match name.eq_ignore_ascii_case("PRIMARY") {
        true => out.push_str("PRIMARY"),
        false => quoted_name(name, out),
    });
    out.push(')');
}

fn write_table_name(name: &ast::TableName, out: &mut String) {
    if let Some(database) = &name.database {
        quoted_name(database, out);
        out.push('.');
    }
    quoted_name(&name.name, out);
}

/// A list of names in parentheses, or nothing.
fn write_names(names: &[String], out: &mut String) {
    if !names.is_empty() {
        out.push('(');
        write_list_of(names, ",", out, |name, out| quoted_name(name, out));
        out.push(')');
    }
}

/// `over window`.
/// PERCENTILE_CONT and PERCENTILE_DISC, which have their order in front; MEDIAN is one of them.
pub(super) fn write_percentile(function: &ast::Expr, over: &ast::Over, out: &mut String) -> bool {
    let (ExprKind::Function(call), ast::Over::Spec(spec)) = (&function.kind, over) else { return false };
    let median = call.name == "median";
    if !median && !["percentile_cont", "percentile_disc"].contains(&call.name.as_str()) {
        return false;
    }
    match median {
        true => out.push_str("percentile_cont(0.5"),
        false => {
            out.push_str(&call.name);
            out.push('(');
            print(&call.args[0], Binding::Lowest, out);
        }
    }
    out.push_str(") within group (");
    write_window_order(" order by ", &spec.order_by, out);
    if median {
        out.push_str(" desc");
    }
    out.push_str(") over (");
    write_window_order(" partition by ", &spec.partition_by, out);
    out.push(')');
    true
}

pub(super) fn write_over(over: &ast::Over, out: &mut String) {
    match over {
        ast::Over::Named(name) => {
            out.push_str(" over ");
            out.push_str(name);
        }
        ast::Over::Spec(spec) => {
            out.push_str(" over (");
            write_window_order(" partition by ", &spec.partition_by, out);
            write_window_order(" order by ", &spec.order_by, out);
            if let Some(frame) = &spec.frame {
                out.push_str(if frame.rows { " rows " } else { " range " });
                out.push_str("between ");
                write_bound(&frame.start, out);
                out.push_str(" and ");
                write_bound(frame.end.as_ref().unwrap_or(&FrameBound::CurrentRow), out);
            }
            out.push(')');
        }
    }
}

/// An end of a frame, with the spaces that the original leaves.
fn write_bound(bound: &FrameBound, out: &mut String) {
    match bound {
        FrameBound::UnboundedPreceding => out.push_str(" unbounded  preceding "),
        FrameBound::UnboundedFollowing => out.push_str(" unbounded  following "),
        FrameBound::CurrentRow => out.push_str(" current row "),
        FrameBound::Preceding(e) => {
            print(e, Binding::Lowest, out);
            out.push_str(" preceding ");
        }
        FrameBound::Following(e) => {
            print(e, Binding::Lowest, out);
            out.push_str(" following ");
        }
    }
}
