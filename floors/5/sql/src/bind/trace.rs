//! What the names of a query were found to be, for the text of a view: noted by place while the query is bound, then
//! filled into its tree.

use super::unread::{AsParsed, hide_place, unnamed, unread};
use super::{Binder, Scope};
use crate::expr::{Expr, Kind, expr_text};
use crate::syntax::ast::rewrite::{Rewrite, walk_expr, walk_query, walk_select, walk_table_ref};
use crate::syntax::ast::{
    self, BinaryOp, ColumnRef, ExprKind, JoinCondition, JoinKind, Name, QueryBody, SelectItem, Span, TableRef,
};
use std::collections::HashMap;
use types::CollationId;

type Place = (u32, u32);

fn place(span: Span) -> Place {
    (span.start, span.end)
}

/// Columns found, by the place of what named them.
#[derive(Debug, Default)]
pub struct Trace {
    columns: HashMap<Place, ColumnRef>,
    /// Databases of tables.
    tables: HashMap<Place, Name>,
    /// What `*` stands for: place of its SELECT, position in its list.
    stars: HashMap<(Place, usize), Vec<ColumnRef>>,
    /// The pairs that USING and NATURAL join by.
    joins: HashMap<Place, Vec<(ColumnRef, ColumnRef)>>,
    /// Digits of a second of TIME() and TIMESTAMP(), which are written as casts: those of what they are given.
    digits: HashMap<Place, u8>,
    /// It is for a message, where columns have their database also under an alias.
    told: bool,
}

impl Trace {
    /// For a message.
    pub(super) fn told() -> Self {
        Self { told: true, ..Self::default() }
    }
}

impl Trace {
    /// Fills in where a table is.
    pub(super) fn fill_database(&self, factor: &mut ast::TableFactor) {
        if let Some(database) = self.tables.get(&place(factor.span)) {
            factor.name.database = Some(database.clone());
        }
    }
}

impl Binder<'_> {
    /// Notes what a column's name was found to be.
    pub(super) fn trace_column(&mut self, span: Span, found: &Expr, written: &Name, scope: &Scope<'_>) {
        if self.trace.is_none() {
            return;
        }
        let column = self.column_name(found, scope);
        // A name that HAVING and the like took from the select list stays.
        let column = column.filter(|c| !scope.is_alias_of_other(written, &c.column));
        if let (Some(trace), Some(column)) = (&mut self.trace, column) {
            trace.columns.insert(place(span), column);
        }
    }

    /// Notes what members of a select list `*` stands for.
    pub(super) fn trace_star(&mut self, span: Span, at: usize, found: &[Expr], scope: &Scope<'_>) {
        if self.trace.is_none() {
            return;
        }
        let columns = found.iter().filter_map(|e| self.column_name(e, scope)).collect();
        if let Some(trace) = &mut self.trace {
            trace.stars.insert((place(span), at), columns);
        }
    }

    /// Notes where a table is.
    pub(super) fn trace_table(&mut self, span: Span, database: &str) {
        if let Some(trace) = &mut self.trace {
            trace.tables.insert(place(span), database.to_owned());
        }
    }

    /// Notes what a join by common names joins by.
    pub(super) fn trace_join(&mut self, join: &ast::Join, pairs: &[(Expr, Expr)], scope: &Scope<'_>) {
        if self.trace.is_none() {
            return;
        }
        let names = |(l, r): &(Expr, Expr)| Some((self.column_name(l, scope)?, self.column_name(r, scope)?));
        let pairs = pairs.iter().filter_map(names).collect();
        let at = join_place(join);
        if let Some(trace) = &mut self.trace {
            trace.joins.insert(at, pairs);
        }
    }

    /// Notes how many digits of a second a function's result has.
    pub(super) fn trace_digits(&mut self, span: Span, found: &Expr) {
        if let Some(trace) = &mut self.trace {
            trace.digits.insert(place(span), found.ty.decimals.min(6));
        }
    }

    /// A query inside an expression as messages tell it, where the names in it are traced.
    pub(super) fn told_query(&self, query: &ast::Query) -> Option<String> {
        let trace = self.trace.as_ref()?;
        let mut e = ast::Expr { kind: ExprKind::Subquery(Box::new(query.clone())), span: query.span };
        NormalForm::new(trace, self.state.vars.character_set_client).expr(&mut e);
        Some(expr_text(&e))
    }

    /// The whole name of a bound column. Columns of views are not given a database.
    fn column_name(&self, e: &Expr, scope: &Scope<'_>) -> Option<ColumnRef> {
        let Kind::Column(slot) = e.kind else { return None };
        if self.trace.as_ref().is_some_and(|trace| trace.told)
            && let Some((origin, (database, table, column))) =
                e.ty.origin.column().and_then(|origin| Some((origin, origin.stored()?)))
        {
            let table = if origin.base.is_none() { &origin.table } else { table };
            let named = |name: &str| Some(name.to_owned());
            return Some(ColumnRef {
                database: named(database),
                table: named(table),
                column: column.to_owned(),
            });
        }
        let (table, column) = scope.column_at(slot)?;
        let catalog = self.state.engine.catalog();
        let is_view = |db: &String| catalog.view(db, &table.alias).is_some();
        let database = table.database.clone().filter(|db| !is_view(db));
        Some(ColumnRef { database, table: Some(table.alias.clone()), column: column.name.clone() })
    }
}

impl Scope<'_> {
    /// Whether a name is the select list's name for something else than the column of that name.
    fn is_alias_of_other(&self, written: &str, column: &str) -> bool {
        !types::table::same_name(written, column)
            && self.aliases.iter().any(|alias| types::table::same_name(&alias.name, written))
    }
}

fn ref_place(table: &TableRef) -> Place {
    match table {
        TableRef::Table(factor) => place(factor.span),
        TableRef::Derived { query, .. } => place(query.span),
        TableRef::JsonTable(table) => place(table.expr.span),
        TableRef::Join(join) => join_place(join),
    }
}

fn join_place(join: &ast::Join) -> Place {
    (ref_place(&join.left).0, ref_place(&join.right).1)
}

/// Fills the names in and leaves the query in normal form: whole names, no `*`, ON for USING, LEFT JOIN for RIGHT.
pub struct NormalForm<'t> {
    trace: &'t Trace,
    /// The character set of the text: literals become UTF-8.
    client: CollationId,
    /// Windows of the block under way, by name.
    windows: Vec<(Name, ast::WindowSpec)>,
    /// The common table expressions of a query that stay as they were written.
    left: fn(&ast::Query) -> Vec<usize>,
}

impl<'t> NormalForm<'t> {
    /// With what binding found.
    pub fn new(trace: &'t Trace, client: CollationId) -> Self {
        Self { trace, client, windows: Vec::new(), left: unread }
    }

    /// Of a view's text, as SHOW CREATE VIEW tells it.
    pub fn shown(trace: &'t Trace) -> Self {
        Self { left: unnamed, ..Self::new(trace, CollationId::UTF8MB4_GENERAL_CI) }
    }

    fn column(&self, column: &ColumnRef, span: Span) -> ast::Expr {
        ast::Expr { kind: ExprKind::Column(column.clone()), span }
    }

    /// A name of ORDER BY or GROUP BY that is the select list's stands for its expression; an empty text for an integer,
    /// which would be a place in the list.
    fn fill_order(&self, items: &mut [ast::OrderItem], list: &[SelectItem]) {
        for item in items {
            let ExprKind::Column(ColumnRef { table: None, column, .. }) = &item.expr.kind else { continue };
            let named = list.iter().find_map(|member| match member {
                SelectItem::Expr { expr, alias, name }
                    if types::table::same_name(alias.as_ref().unwrap_or(name), column) =>
                {
                    Some(expr)
                }
                _ => None,
            });
            if let Some(expr) = named {
                item.expr = expr.clone();
                hide_place(item);
            }
        }
    }

    fn fill_stars(&self, select: &mut ast::Select) {
        let at = place(select.span);
        let span = select.span;
        let mut items = Vec::with_capacity(select.items.len());
        for (i, item) in std::mem::take(&mut select.items).into_iter().enumerate() {
            match self.trace.stars.get(&(at, i)).filter(|_| !matches!(item, SelectItem::Expr { .. })) {
                Some(columns) => items.extend(columns.iter().map(|column| SelectItem::Expr {
                    expr: self.column(column, span),
                    alias: None,
                    name: column.column.clone(),
                })),
                None => items.push(item),
            }
        }
        select.items = items;
    }
}

impl NormalForm<'_> {
    /// A window of the block by its name, with what it has from others.
    fn window(&self, name: &str) -> Option<ast::WindowSpec> {
        let (_, spec) = self.windows.iter().find(|(n, _)| types::table::same_name(n, name))?;
        let mut spec = spec.clone();
        self.refine(&mut spec);
        Some(spec)
    }

    /// Fills in what a window has from the one that it refines.
    fn refine(&self, spec: &mut ast::WindowSpec) {
        if let Some(base) = spec.base.take().and_then(|name| self.window(&name)) {
            spec.partition_by = base.partition_by;
            if spec.order_by.is_empty() {
                spec.order_by = base.order_by;
            }
        }
    }
}

impl Rewrite for NormalForm<'_> {
    fn query(&mut self, query: &mut ast::Query) {
        let unread = (self.left)(query);
        let mut left = Vec::new();
        for &at in &unread {
            let cte = query.with.as_mut().and_then(|with| with.ctes.get_mut(at));
            left.extend(cte.map(|cte| cte.query.clone()));
        }
        walk_query(self, query);
        let ctes = query.with.iter_mut().flat_map(|with| &mut with.ctes);
        for (at, cte) in ctes.enumerate() {
            match unread.iter().position(|&unread| unread == at) {
                Some(place) => {
                    cte.query.clone_from(&left[place]);
                    AsParsed { trace: self.trace, client: self.client }.query(&mut cte.query);
                }
                None if !cte.columns.is_empty() => name_body(&mut cte.query.body, &cte.columns),
                None => {}
            }
        }
        if let QueryBody::Select(select) = &query.body {
            self.fill_order(&mut query.order_by, &select.items);
        }
    }

    fn select(&mut self, select: &mut ast::Select) {
        let around = std::mem::replace(&mut self.windows, std::mem::take(&mut select.windows));
        walk_select(self, select);
        self.windows = around;
        let list = select.items.clone();
        self.fill_order(&mut select.group_by, &list);
        self.fill_stars(select);
    }

    fn table_ref(&mut self, table: &mut TableRef) {
        if let TableRef::Join(join) = table {
            let pairs = self.trace.joins.get(&join_place(join));
            match (&join.condition, pairs) {
                (JoinCondition::Using(_) | JoinCondition::Natural, Some(pairs)) if !pairs.is_empty() => {
                    join.condition = JoinCondition::On(equal_pairs(pairs));
                }
                (JoinCondition::Natural, _) => join.condition = JoinCondition::None,
                _ => {}
            }
            walk_table_ref(self, table);
        } else {
            walk_table_ref(self, table);
        }
        match table {
            TableRef::Table(factor) => self.trace.fill_database(factor),
            TableRef::Join(join) => turn_left(join),
            TableRef::Derived { .. } | TableRef::JsonTable(_) => {}
        }
    }

    fn expr(&mut self, e: &mut ast::Expr) {
        if let Some(kind) = as_in(&e.kind) {
            e.kind = kind;
        }
        match &mut e.kind {
            ExprKind::Column(column) | ExprKind::DefaultOf(column) => {
                if let Some(found) = self.trace.columns.get(&place(e.span)) {
                    *column = found.clone();
                }
            }
            ExprKind::Literal(_) => literal_in_utf8(e, self.client),
            ExprKind::Exists(query) => {
                unread_stars(&mut query.body);
                walk_expr(self, e);
            }
            ExprKind::Window { over, .. } => {
                match &mut **over {
                    ast::Over::Named(name) => {
                        if let Some(spec) = self.window(name) {
                            **over = ast::Over::Spec(spec);
                        }
                    }
                    ast::Over::Spec(spec) => self.refine(spec),
                }
                walk_expr(self, e);
            }
            _ => walk_expr(self, e),
        }
        if let Some(cast) = self.trace.digits.get(&place(e.span)).and_then(|&digits| as_cast(&e.kind, digits))
        {
            e.kind = cast;
        }
    }
}

/// Puts a constant in the place of stars that stand for columns that nobody looks at.
fn unread_stars(body: &mut QueryBody) {
    match body {
        QueryBody::Select(select) => {
            for item in &mut select.items {
                if matches!(item, SelectItem::Star | SelectItem::TableStar(_)) {
                    let kind = ExprKind::Literal(ast::Literal::Int(1));
                    let expr = ast::Expr { kind, span: select.span };
                    *item = SelectItem::Expr { expr, alias: None, name: "1".into() };
                }
            }
        }
        QueryBody::Values(_) => {}
        QueryBody::SetOps { first, rest } => {
            unread_stars(first);
            rest.iter_mut().for_each(|step| unread_stars(&mut step.body));
        }
        QueryBody::Nested(query) => unread_stars(&mut query.body),
    }
}

/// TIME() and TIMESTAMP() of one argument as the casts that they are.
fn as_cast(kind: &ExprKind, digits: u8) -> Option<ExprKind> {
    let ExprKind::Function(call) = kind else { return None };
    let [of] = call.args.as_slice() else { return None };
    let ty = match call.name.as_str() {
        "time" => ast::CastType::Time(digits),
        "timestamp" => ast::CastType::DateTime(digits),
        _ => return None,
    };
    Some(ExprKind::Cast { expr: Box::new(of.clone()), ty })
}

/// A text in the client's character set becomes one in UTF-8.
pub(super) fn literal_in_utf8(e: &mut ast::Expr, client: CollationId) {
    if let ExprKind::Literal(ast::Literal::Str(literal)) = &mut e.kind
        && literal.charset.is_none()
    {
        literal.bytes = client.charset().to_utf8_lossy(&literal.bytes).into_bytes();
    }
}

/// RIGHT JOIN is LEFT JOIN the other way round.
pub(super) fn turn_left(join: &mut ast::Join) {
    if join.kind == JoinKind::Right {
        std::mem::swap(&mut join.left, &mut join.right);
        join.kind = JoinKind::Left;
    }
}

/// `<> ALL` is NOT IN, and `NOT (<> ALL)` is IN.
pub(super) fn as_in(kind: &ExprKind) -> Option<ExprKind> {
    let within = |kind: &ExprKind| match kind {
        ExprKind::Quantified { op: BinaryOp::Ne, left, all: true, query } => Some(ExprKind::Quantified {
            op: BinaryOp::Eq,
            left: left.clone(),
            all: false,
            query: query.clone(),
        }),
        _ => None,
    };
    if let ExprKind::Unary { op: ast::UnaryOp::Not, expr } = kind {
        return within(&expr.kind);
    }
    let expr = Box::new(ast::Expr { kind: within(kind)?, span: Span::default() });
    Some(ExprKind::Unary { op: ast::UnaryOp::Not, expr })
}

fn equal_pairs(pairs: &[(ColumnRef, ColumnRef)]) -> ast::Expr {
    let span = Span::default();
    let column = |c: &ColumnRef| Box::new(ast::Expr { kind: ExprKind::Column(c.clone()), span });
    let equal = |(l, r): &(ColumnRef, ColumnRef)| ast::Expr {
        kind: ExprKind::Binary { op: BinaryOp::Eq, left: column(l), right: column(r) },
        span,
    };
    let mut list: Vec<ast::Expr> = pairs.iter().map(equal).collect();
    match list.len() {
        1 => list.remove(0),
        _ => ast::Expr { kind: ExprKind::And(list), span },
    }
}

/// Gives the columns of a query names.
pub(crate) fn name_body(body: &mut QueryBody, chosen: &[String]) {
    match body {
        QueryBody::Select(select) => {
            for (item, chosen) in select.items.iter_mut().zip(chosen) {
                if let SelectItem::Expr { name, alias, .. } = item
                    && *name != *chosen
                {
                    name.clone_from(chosen);
                    *alias = Some(chosen.clone());
                }
            }
        }
        QueryBody::Values(_) => {}
        QueryBody::SetOps { first, .. } => name_body(first, chosen),
        QueryBody::Nested(query) => name_body(&mut query.body, chosen),
    }
}
