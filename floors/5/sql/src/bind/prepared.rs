//! Queries that are prepared, with a fault: MariaDB looks at the queries in FROM before any SELECT that reads them, at those of
//! the last SELECT first.

use super::Binder;
use crate::error::SqlError;
use crate::syntax::ast::walk::Below;
use crate::syntax::ast::{self, QueryBody, TableRef};

/// The error of a name that is not found.
const UNKNOWN_COLUMN: u16 = 1054;

/// A query that stands in FROM, or does so once MariaDB has put operands of set operations together.
enum Derived<'q> {
    Query(&'q ast::Query),
    Operand(&'q QueryBody),
}

impl Binder<'_> {
    /// The fault of a query in FROM which is told before that of the whole, a name that is not found.
    pub fn fault_in_from(&mut self, query: &ast::Query) -> Option<SqlError> {
        if let Some(with) = &query.with {
            self.enter_with(with, query).ok()?;
        }
        let mut selects = Vec::new();
        of_body(&query.body, &mut selects);
        for derived in selects.iter().rev().flatten() {
            let bound = match derived {
                Derived::Query(query) => self.bind_query(query, None, 0),
                Derived::Operand(body) => self.operand(body, None, 0),
            };
            if let Err(error) = bound {
                return (error.errno == UNKNOWN_COLUMN).then_some(error);
            }
        }
        None
    }
}

/// What each SELECT of a query reads in FROM, in the order in which they are written.
fn of_query<'q>(query: &'q ast::Query, selects: &mut Vec<Vec<Derived<'q>>>) {
    for cte in query.with.iter().flat_map(|with| &with.ctes) {
        of_query(&cte.query, selects);
    }
    of_body(&query.body, selects);
}

fn of_body<'q>(body: &'q QueryBody, selects: &mut Vec<Vec<Derived<'q>>>) {
    match body {
        QueryBody::Select(select) => {
            let mut from = Vec::new();
            select.from.iter().for_each(|table| of_table(table, &mut from));
            selects.push(from.iter().copied().map(Derived::Query).collect());
            from.into_iter().for_each(|query| of_query(query, selects));
            select.expressions(&mut |e| of_expression(e, selects));
        }
        QueryBody::Values(_) => {}
        QueryBody::Nested(query) => of_query(query, selects),
        QueryBody::SetOps { first, rest } => {
            for operand in std::iter::once(&**first).chain(rest.iter().map(|next| &next.body)) {
                of_body(operand, selects);
                let joined = match operand {
                    QueryBody::Nested(query) => matches!(query.body, QueryBody::SetOps { .. }),
                    operand => matches!(operand, QueryBody::SetOps { .. }),
                };
                if joined {
                    selects.push(vec![Derived::Operand(operand)]);
                }
            }
        }
    }
}

fn of_table<'q>(table: &'q TableRef, from: &mut Vec<&'q ast::Query>) {
    match table {
        TableRef::Derived { query, lateral: false, .. } => from.push(query),
        TableRef::Join(join) => {
            of_table(&join.left, from);
            of_table(&join.right, from);
        }
        TableRef::Derived { .. } | TableRef::Table(_) | TableRef::JsonTable(_) => {}
    }
}

fn of_expression<'q>(e: &'q ast::Expr, selects: &mut Vec<Vec<Derived<'q>>>) {
    e.below(&mut |below| match below {
        Below::Expr(e) => of_expression(e, selects),
        Below::Query(query) => of_query(query, selects),
    });
}
