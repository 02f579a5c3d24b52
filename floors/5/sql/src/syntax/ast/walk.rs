//! Walking the statement tree.

use super::{DRAWN, Expr, ExprKind, FunctionCall, Over, Query, QueryBody, SelectItem, StoredCall, TableRef};

/// Where rows of a query come from.
pub enum Source<'t> {
    /// A table by name.
    Table(&'t super::TableName),
    /// A query in a FROM clause.
    Derived,
    /// VALUES or JSON_TABLE, whose literals are more than data: they name columns, paths, defaults.
    Literals,
}

/// What stands right below an expression.
pub enum Below<'t> {
    /// An expression.
    Expr(&'t Expr),
    /// A subquery.
    Query(&'t Query),
}

impl Expr {
    /// Calls `f` for everything right below.
    pub fn below<'t>(&'t self, f: &mut dyn FnMut(Below<'t>)) {
        let mut each = |list: &'t [Expr]| list.iter().for_each(|e| f(Below::Expr(e)));
        match &self.kind {
            ExprKind::And(list) | ExprKind::Or(list) | ExprKind::Row(list) => each(list),
            ExprKind::Char { args, .. } => each(args),
            ExprKind::MakeColumns { document, columns } => {
                document.iter().for_each(|e| f(Below::Expr(e)));
                columns.iter().flat_map(|c| [&c.key, &c.value]).for_each(|e| f(Below::Expr(e)));
            }
            ExprKind::Function(FunctionCall { args, .. }) | ExprKind::Stored(StoredCall { args, .. }) => {
                each(args);
            }
            ExprKind::Aggregate(call) => {
                each(&call.args);
                call.order_by.iter().for_each(|item| f(Below::Expr(&item.expr)));
            }
            ExprKind::InList { expr, list, .. } => {
                each(list);
                f(Below::Expr(expr));
            }
            ExprKind::Match { columns, against, .. } => {
                each(columns);
                f(Below::Expr(against));
            }
            ExprKind::Window { function, over } => {
                f(Below::Expr(function));
                if let Over::Spec(spec) = &**over {
                    let items = spec.partition_by.iter().chain(&spec.order_by);
                    items.for_each(|item| f(Below::Expr(&item.expr)));
                }
            }
            ExprKind::InSubquery { expr, query, .. } | ExprKind::Quantified { left: expr, query, .. } => {
                f(Below::Expr(expr));
                f(Below::Query(query));
            }
            ExprKind::Exists(query) | ExprKind::Subquery(query) => f(Below::Query(query)),
            ExprKind::Case { operand, branches, otherwise } => {
                operand.iter().chain(otherwise).for_each(|e| f(Below::Expr(e)));
                branches.iter().flat_map(|(when, then)| [when, then]).for_each(|e| f(Below::Expr(e)));
            }
            _ => self.operands().into_iter().flatten().for_each(|e| f(Below::Expr(e))),
        }
    }

    /// The operands of what has a few single ones.
    fn operands(&self) -> [Option<&Expr>; 3] {
        match &self.kind {
            ExprKind::AssignUserVar { value: e, .. }
            | ExprKind::Unary { expr: e, .. }
            | ExprKind::Is { expr: e, .. }
            | ExprKind::Cast { expr: e, .. }
            | ExprKind::ConvertUsing { expr: e, .. }
            | ExprKind::Collate { expr: e, .. }
            | ExprKind::Extract { expr: e, .. }
            | ExprKind::GetFormat { expr: e, .. }
            | ExprKind::WeightString { expr: e, .. } => [Some(e), None, None],
            ExprKind::Binary { left: a, right: b, .. }
            | ExprKind::Regexp { expr: a, pattern: b, .. }
            | ExprKind::DateArith { date: a, amount: b, .. }
            | ExprKind::GetColumn { document: a, key: b, .. }
            | ExprKind::TimestampDiff { from: a, to: b, .. } => [Some(a), Some(b), None],
            ExprKind::Between { expr, low, high, .. } => [Some(expr), Some(low), Some(high)],
            ExprKind::Like { expr, pattern, escape, .. } => [Some(expr), Some(pattern), escape.as_deref()],
            ExprKind::Trim { what, expr, .. } => [what.as_deref(), Some(expr), None],
            _ => [None; 3],
        }
    }

    /// Whether a subquery stands in the expression.
    pub fn has_subquery(&self) -> bool {
        let mut found = false;
        self.below(&mut |below| {
            found |= match below {
                Below::Expr(e) => e.has_subquery(),
                Below::Query(_) => true,
            }
        });
        found
    }

    /// Whether a subquery with a FROM clause stands in the expression.
    pub fn has_from(&self) -> bool {
        let mut found = false;
        self.below(&mut |below| {
            found = found
                || match below {
                    Below::Expr(e) => e.has_from(),
                    Below::Query(query) => query.has_from(),
                }
        });
        found
    }

    /// Whether something of a kind stands in the expression, subqueries left out.
    pub fn has(&self, kind: &dyn Fn(&ExprKind) -> bool) -> bool {
        let mut found = kind(&self.kind);
        self.below(&mut |below| {
            if let Below::Expr(e) = below {
                found = found || e.has(kind);
            }
        });
        found
    }

    /// Whether the number of this query block's row stands in the expression.
    pub fn has_row_number(&self) -> bool {
        self.has(&|kind| matches!(kind, ExprKind::Function(call) if call.is_row_number()))
    }

    /// Whether an aggregate or window function of this query block stands in the expression.
    pub fn has_group_function(&self) -> bool {
        self.has(&|kind| matches!(kind, ExprKind::Aggregate(_) | ExprKind::Window { .. }))
    }
}

impl Query {
    /// As [`QueryBody::tables`].
    pub fn tables<'t>(&'t self, subqueries: bool, f: &mut dyn FnMut(&'t super::TableName)) {
        self.sources(subqueries, &mut only_tables(f));
    }

    /// Whether VALUES or JSON_TABLE gives rows anywhere in the query.
    pub fn has_literal_rows(&self) -> bool {
        let mut found = false;
        self.sources(true, &mut |source| found |= matches!(source, Source::Literals));
        found
    }

    /// How many queries stand in FROM clauses, at any depth.
    pub fn derived_tables(&self) -> usize {
        let mut count = 0;
        self.sources(true, &mut |source| count += usize::from(matches!(source, Source::Derived)));
        count
    }

    /// Whether anything stands in a FROM clause, at any depth.
    pub fn has_from(&self) -> bool {
        let nested = |query: &Self| query.has_from();
        let mut found = self.with.iter().flat_map(|with| &with.ctes).any(|cte| nested(&cte.query));
        found |= self.body.has_from();
        found || self.order_by.iter().any(|item| item.expr.has_from())
    }

    /// Whether it gives something else each time that it runs, or does something then: it draws random numbers or sets
    /// variables, where its rows come from apart.
    pub fn is_drawn(&self) -> bool {
        self.body.is_drawn() || self.order_by.iter().any(|item| is_drawn(&item.expr))
    }

    fn sources<'t>(&'t self, subqueries: bool, f: &mut dyn FnMut(Source<'t>)) {
        self.with.iter().flat_map(|with| &with.ctes).for_each(|cte| cte.query.sources(subqueries, f));
        self.body.sources(subqueries, f);
        if subqueries {
            self.order_by.iter().for_each(|item| sources_of(&item.expr, f));
        }
    }
}

impl QueryBody {
    /// The members of a chain of set operations; what is no chain is its only member.
    pub fn operands(&self) -> Vec<&QueryBody> {
        match self {
            QueryBody::SetOps { first, rest } => {
                std::iter::once(&**first).chain(rest.iter().map(|operation| &operation.body)).collect()
            }
            QueryBody::Select(_) | QueryBody::Values(_) | QueryBody::Nested(_) => vec![self],
        }
    }

    /// Calls `f` for every table named in FROM, at any depth of derived tables and set operations; for those inside
    /// subqueries of expressions too where `subqueries` says so.
    pub fn tables<'t>(&'t self, subqueries: bool, f: &mut dyn FnMut(&'t super::TableName)) {
        self.sources(subqueries, &mut only_tables(f));
    }

    fn is_drawn(&self) -> bool {
        match self {
            QueryBody::Select(select) => {
                let mut drawn = false;
                select.expressions(&mut |e| drawn = drawn || is_drawn(e));
                drawn
            }
            QueryBody::Values(rows) => rows.iter().flatten().any(is_drawn),
            QueryBody::SetOps { first, rest } => {
                first.is_drawn() || rest.iter().any(|operation| operation.body.is_drawn())
            }
            QueryBody::Nested(query) => query.is_drawn(),
        }
    }

    fn has_from(&self) -> bool {
        match self {
            QueryBody::Select(select) => {
                let mut found = !select.from.is_empty();
                select.expressions(&mut |e| found = found || e.has_from());
                found
            }
            QueryBody::Values(rows) => rows.iter().flatten().any(Expr::has_from),
            QueryBody::SetOps { first, rest } => {
                first.has_from() || rest.iter().any(|operation| operation.body.has_from())
            }
            QueryBody::Nested(query) => query.has_from(),
        }
    }

    fn sources<'t>(&'t self, subqueries: bool, f: &mut dyn FnMut(Source<'t>)) {
        match self {
            QueryBody::Select(select) => select.sources(subqueries, f),
            QueryBody::Values(rows) => {
                f(Source::Literals);
                if subqueries {
                    rows.iter().flatten().for_each(|e| sources_of(e, f));
                }
            }
            QueryBody::SetOps { first, rest } => {
                first.sources(subqueries, f);
                rest.iter().for_each(|operation| operation.body.sources(subqueries, f));
            }
            QueryBody::Nested(query) => query.sources(subqueries, f),
        }
    }
}

impl TableRef {
    fn sources<'t>(&'t self, subqueries: bool, f: &mut dyn FnMut(Source<'t>)) {
        match self {
            TableRef::Table(factor) => f(Source::Table(&factor.name)),
            TableRef::Derived { query, .. } => {
                f(Source::Derived);
                query.sources(subqueries, f);
            }
            TableRef::JsonTable(_) => f(Source::Literals),
            TableRef::Join(join) => {
                join.left.sources(subqueries, f);
                join.right.sources(subqueries, f);
                if let super::JoinCondition::On(condition) = &join.condition
                    && subqueries
                {
                    sources_of(condition, f);
                }
            }
        }
    }
}

impl super::Select {
    /// As [`QueryBody::tables`].
    pub fn tables<'t>(&'t self, subqueries: bool, f: &mut dyn FnMut(&'t super::TableName)) {
        self.sources(subqueries, &mut only_tables(f));
    }

    fn sources<'t>(&'t self, subqueries: bool, f: &mut dyn FnMut(Source<'t>)) {
        self.from.iter().for_each(|table| table.sources(subqueries, f));
        if subqueries {
            self.expressions(&mut |e| sources_of(e, f));
        }
    }

    /// Calls `f` for the expressions of the block's clauses, joins apart.
    pub fn expressions<'t>(&'t self, f: &mut dyn FnMut(&'t Expr)) {
        for item in &self.items {
            if let SelectItem::Expr { expr, .. } = item {
                f(expr);
            }
        }
        self.filter.iter().chain(&self.having).for_each(&mut *f);
        self.group_by.iter().for_each(|item| f(&item.expr));
    }
}

fn only_tables<'t>(f: &mut dyn FnMut(&'t super::TableName)) -> impl FnMut(Source<'t>) {
    |source| {
        if let Source::Table(name) = source {
            f(name);
        }
    }
}

fn is_drawn(e: &Expr) -> bool {
    let mut drawn = match &e.kind {
        ExprKind::Function(call) => DRAWN.contains(&call.name.as_str()),
        kind => matches!(kind, ExprKind::AssignUserVar { .. }),
    };
    e.below(&mut |below| {
        drawn = drawn
            || match below {
                Below::Expr(e) => is_drawn(e),
                Below::Query(query) => query.is_drawn(),
            }
    });
    drawn
}

fn sources_of<'t>(e: &'t Expr, f: &mut dyn FnMut(Source<'t>)) {
    e.below(&mut |below| match below {
        Below::Expr(e) => sources_of(e, f),
        Below::Query(query) => query.sources(true, f),
    });
}
