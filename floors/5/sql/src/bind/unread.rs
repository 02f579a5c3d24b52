//! Common table expressions that nobody reads.
//!
//! In a view MariaDB opens their tables and looks at nothing else in them: what they name need not be there, and its
//! text keeps them as they were written. One that is read in several places stands for the first of them as the text
//! goes, the others have copies of it; so it stays as it was written too where that first place is in one that nobody
//! reads. A recursion has its own rows read wherever it is named. SHOW CREATE VIEW tells of all that is named as it is read.

use super::query::literal_position;
use super::trace::{self, Trace};
use super::{Binder, Scope};
use crate::error::SqlError;
use crate::syntax::ast::rewrite::{Rewrite, walk_expr, walk_query, walk_select, walk_table_ref};
use crate::syntax::ast::{
    self, ColumnRef, ExprKind, JoinCondition, JoinKind, Literal, Name, OrderItem, SelectItem, StrLiteral,
    TableRef, With,
};
use types::CollationId;
use types::table::same_name;

/// The common table expressions of a query, by number, whose own text nobody reads.
pub(super) fn unread(query: &ast::Query) -> Vec<usize> {
    let Some(with) = &query.with else { return Vec::new() };
    let uses = Uses::of(query, with);
    let mut read = vec![false; with.ctes.len()];
    loop {
        let next = (0..read.len()).find(|&at| !read[at] && uses.is_read(at, &read));
        match next {
            Some(at) => read[at] = true,
            None => return (0..read.len()).filter(|&at| !read[at]).collect(),
        }
    }
}

/// The common table expressions of a query, by number, that none of them names and not the query itself.
pub(super) fn unnamed(query: &ast::Query) -> Vec<usize> {
    let Some(with) = &query.with else { return Vec::new() };
    let uses = Uses::of(query, with);
    (0..with.ctes.len()).filter(|&at| !uses.places.iter().any(|&(_, named)| named == at)).collect()
}

/// Where common table expressions are named: in which of them, or in the query itself, in the order of the text.
struct Uses {
    places: Vec<(Option<usize>, usize)>,
}

impl Uses {
    fn of(query: &ast::Query, with: &With) -> Uses {
        let mut places = Vec::new();
        let mut look = |place: Option<usize>, inside: &ast::QueryBody| {
            let seen = place.filter(|_| !with.recursive).unwrap_or(with.ctes.len());
            inside.tables(true, &mut |name| {
                let mut known = with.ctes[..seen].iter();
                let named = known.position(|cte| name.database.is_none() && same_name(&cte.name, &name.name));
                places.extend(named.map(|named| (place, named)));
            });
        };
        for (at, cte) in with.ctes.iter().enumerate() {
            look(Some(at), &cte.query.body);
        }
        look(None, &query.body);
        Uses { places }
    }

    fn is_read(&self, at: usize, read: &[bool]) -> bool {
        let mut places = self.places.iter().filter(|(_, named)| *named == at).map(|(place, _)| *place);
        let is_read = |place: Option<usize>| place.is_none_or(|place| read[place]);
        match self.leads(at, at, &mut vec![false; read.len()]) {
            true => places.any(is_read),
            false => places.next().is_some_and(is_read),
        }
    }

    /// Whether one names another, itself or by way of others.
    fn leads(&self, from: usize, to: usize, seen: &mut [bool]) -> bool {
        self.places.iter().any(|&(place, named)| {
            place == Some(from)
                && (named == to || !std::mem::replace(&mut seen[named], true) && self.leads(named, to, seen))
        })
    }
}

impl Binder<'_> {
    /// Whether what nobody reads is left alone: in a view, where one is made, and where a change is prepared. SHOW CREATE VIEW looks into what is named.
    pub(super) fn leaves_unread(&self, named: bool) -> bool {
        let in_view = self.trace.is_some() || !self.view_stack.is_empty();
        in_view && !(named && self.reads_named) || self.passes_unnamed && !named
    }

    /// Opens the tables of a query that nobody reads.
    pub(super) fn open_unread(&mut self, query: &ast::Query) -> Result<(), SqlError> {
        let mut opening = Opening { binder: self, own: Vec::new(), opened: Ok(()) };
        opening.query(&mut query.clone());
        opening.opened
    }
}

/// Opens the tables that are named, but for the names of common table expressions.
struct Opening<'o, 'b> {
    binder: &'o mut Binder<'b>,
    own: Vec<Name>,
    opened: Result<(), SqlError>,
}

impl Rewrite for Opening<'_, '_> {
    fn query(&mut self, query: &mut ast::Query) {
        let outer = self.own.len();
        self.own.extend(query.with.iter().flat_map(|with| &with.ctes).map(|cte| cte.name.clone()));
        walk_query(self, query);
        self.own.truncate(outer);
    }

    fn table_ref(&mut self, table: &mut TableRef) {
        let TableRef::Table(factor) = table else { return walk_table_ref(self, table) };
        let own =
            factor.name.database.is_none() && self.own.iter().any(|name| same_name(name, &factor.name.name));
        if !own && self.opened.is_ok() && self.binder.cte_named(&factor.name).is_none() {
            let mut scope = Scope::new(None, 0);
            let opened = self.binder.table_factor(factor, &mut scope, &mut Vec::new());
            self.opened = opened.map(|_| ());
        }
    }
}

/// Leaves a query as MariaDB's parser does: databases are known, but `*` is a name, a place in an order is nothing, inner
/// joins by common names have no condition yet, and RIGHT JOIN is the other way round.
pub(super) struct AsParsed<'t> {
    pub(super) trace: &'t Trace,
    /// The character set of the text.
    pub(super) client: CollationId,
}

impl Rewrite for AsParsed<'_> {
    fn query(&mut self, query: &mut ast::Query) {
        walk_query(self, query);
        query.order_by.iter_mut().for_each(hide_place);
    }

    fn select(&mut self, select: &mut ast::Select) {
        let span = select.span;
        for item in &mut select.items {
            let table = match item {
                SelectItem::Star => None,
                SelectItem::TableStar(name) => Some(name.name.clone()),
                SelectItem::Expr { .. } => continue,
            };
            let kind = ExprKind::Column(ColumnRef { database: None, table, column: "*".into() });
            let expr = ast::Expr { kind, span };
            *item = SelectItem::Expr { expr, alias: None, name: "*".into() };
        }
        walk_select(self, select);
        select.group_by.iter_mut().for_each(hide_place);
    }

    fn table_ref(&mut self, table: &mut TableRef) {
        walk_table_ref(self, table);
        match table {
            TableRef::Table(factor) => self.trace.fill_database(factor),
            TableRef::Join(join) => {
                // MariaDB drops those of outer joins too, and cannot read its own text any more.
                let inner = matches!(join.kind, JoinKind::Inner | JoinKind::Straight);
                if inner && matches!(join.condition, JoinCondition::Using(_) | JoinCondition::Natural) {
                    join.condition = JoinCondition::None;
                }
                trace::turn_left(join);
            }
            TableRef::Derived { .. } | TableRef::JsonTable(_) => {}
        }
    }

    fn expr(&mut self, e: &mut ast::Expr) {
        if let Some(kind) = trace::as_in(&e.kind) {
            e.kind = kind;
        }
        trace::literal_in_utf8(e, self.client);
        walk_expr(self, e);
    }
}

/// A place in the select list is not told.
pub(super) fn hide_place(item: &mut OrderItem) {
    if literal_position(&item.expr).is_some() {
        let empty = StrLiteral { bytes: Vec::new(), charset: None, national: false };
        item.expr.kind = ExprKind::Literal(Literal::Str(empty));
    }
}
