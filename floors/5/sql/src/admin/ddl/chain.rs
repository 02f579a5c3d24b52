//! The text of a view whose set operations bind in more than one way: MariaDB keeps a chain of INTERSECT behind UNION or
//! EXCEPT, and a chain in parentheses, as a derived table of a name of its own making.

use crate::syntax::ast::rewrite::{Rewrite, walk_expr, walk_query, walk_select, walk_table_ref};
use crate::syntax::ast::{
    self, ColumnRef, Expr, ExprKind, Query, QueryBody, Select, SelectItem, Span, TableRef,
};

/// Makes derived tables of the chains inside chains.
pub fn derive(query: &mut Query) {
    Chains { selects: 0 }.query(query);
}

/// Counts the SELECTs as they come, for the names.
struct Chains {
    selects: usize,
}

impl Chains {
    /// A body. A chain among the operands waits until the first SELECT behind it is read, as in MariaDB's parser: so does
    /// `before`, which stands ahead of this body.
    fn body(&mut self, body: &mut QueryBody, before: Option<&mut QueryBody>) {
        match body {
            QueryBody::Select(select) => self.select(select),
            QueryBody::Nested(query) => self.query(query),
            QueryBody::Values(rows) => {
                self.selects += 1;
                rows.iter_mut().flatten().for_each(|e| self.expr(e));
            }
            QueryBody::SetOps { first, rest } => {
                self.body(first, before);
                let mut waiting = matches!(&**first, QueryBody::Nested(_)).then_some(&mut **first);
                for operation in rest {
                    self.body(&mut operation.body, waiting);
                    waiting = Some(&mut operation.body);
                }
                if let Some(chain) = waiting {
                    self.wrap(chain);
                }
                return;
            }
        }
        if let Some(chain) = before {
            self.wrap(chain);
        }
    }

    fn wrap(&mut self, chain: &mut QueryBody) {
        let is_chain = match &*chain {
            QueryBody::SetOps { .. } => true,
            QueryBody::Nested(query) => matches!(query.body, QueryBody::SetOps { .. }),
            QueryBody::Select(_) | QueryBody::Values(_) => false,
        };
        let names = names(chain);
        if !is_chain || names.is_empty() {
            return;
        }
        self.selects += 1;
        let alias = format!("__{}", self.selects + 1);
        let column = |name: String| {
            let column = ColumnRef { database: None, table: Some(alias.clone()), column: name.clone() };
            let expr = Expr { kind: ExprKind::Column(column), span: Span::default() };
            SelectItem::Expr { expr, alias: None, name }
        };
        let items = names.into_iter().map(column).collect();
        let query = match std::mem::replace(chain, QueryBody::Values(Vec::new())) {
            QueryBody::Nested(query) => query,
            body => Box::new(ast::Query::from(body)),
        };
        *chain = QueryBody::Select(Box::new(Select {
            items,
            from: vec![TableRef::Derived { query, alias, columns: Vec::new(), lateral: false }],
            ..Select::default()
        }));
    }
}

/// The names of a body's columns; none where they are not told.
fn names(body: &QueryBody) -> Vec<String> {
    match body {
        QueryBody::Select(select) => {
            let name = |item: &SelectItem| match item {
                SelectItem::Expr { name, alias, .. } => Some(alias.clone().unwrap_or_else(|| name.clone())),
                SelectItem::Star | SelectItem::TableStar(_) => None,
            };
            select.items.iter().map(name).collect::<Option<_>>().unwrap_or_default()
        }
        QueryBody::Values(_) => Vec::new(),
        QueryBody::SetOps { first, .. } => names(first),
        QueryBody::Nested(query) => names(&query.body),
    }
}

impl Rewrite for Chains {
    fn query(&mut self, query: &mut Query) {
        if !matches!(query.body, QueryBody::SetOps { .. }) {
            return walk_query(self, query);
        }
        for cte in query.with.iter_mut().flat_map(|with| &mut with.ctes) {
            self.query(&mut cte.query);
        }
        self.body(&mut query.body, None);
    }

    fn select(&mut self, select: &mut Select) {
        self.selects += 1;
        walk_select(self, select);
    }

    fn table_ref(&mut self, table: &mut TableRef) {
        walk_table_ref(self, table);
    }

    fn expr(&mut self, e: &mut Expr) {
        walk_expr(self, e);
    }
}
