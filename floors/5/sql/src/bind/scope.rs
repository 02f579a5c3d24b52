//! Names in reach: the tables of a query block, and behind them the blocks around it.

use super::clause::Clause;
use super::listed::Listed;
use crate::admin::{Acts, Guard};
use crate::error::SqlError;
use crate::expr::{Expr, Kind, Slot, Type};
use crate::plan::window::WindowFunction;
use crate::syntax::ast::{self, Over};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;
use types::table::same_name;

/// The table name under which the new values of an INSERT stand in reach of ON DUPLICATE KEY UPDATE; no table can be
/// called so, for it ends in a space.
pub const VALUES_TABLE: &str = "VALUES ";

/// Where a column of a result comes from, for the wire's description of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// Database.
    pub schema: String,
    /// Table name or alias.
    pub table: String,
    /// The table's own name.
    pub org_table: String,
    /// The column's own name.
    pub org_name: String,
    /// Key, AUTO_INCREMENT and default flags of the protocol.
    pub flags: u16,
    /// A view or derived table that is merged here gives it its name.
    pub merged: bool,
    /// It is a column of a query in FROM, not of a table or view: nothing is written to it.
    pub of_query: bool,
    /// It is a column of a stored table that takes no NULL.
    pub firm: bool,
    /// It is such a date, but a row of an outer join may be without it.
    pub outer: bool,
    /// It takes no NULL, but the block around it may be a row without it.
    pub loosened: bool,
    /// It takes no NULL, but totals have one in its place.
    pub in_totals: bool,
    /// It is an expression, which a query merged here gives a name.
    pub computed: bool,
    /// It is a parameter, to which a query merged here gives a name.
    pub given: bool,
    /// It is what DEFAULT() gives of that column: described as the column, but nothing is written to it or copied of it.
    pub default: bool,
    /// That expression is never NULL, though a row of an outer join without it has NULL.
    pub never_null: bool,
    /// The stored column behind a view's or derived table's: database, table, column.
    pub base: Option<(String, String, String)>,
    /// Display width of an integer column, to which ZEROFILL fills it; 0 for others.
    pub width: u32,
    /// That temporary table, or one below, was made of a column that a merged query gives a name: what the stored column has
    /// by default is lost.
    pub remade: bool,
    /// What it is in the temporary table that the query below is made whole in, if it is.
    pub temporary: Option<Temporary>,
    /// Who may do what with it, where that is not known of its whole table.
    pub guard: Option<Arc<Guard>>,
}

/// A column of a temporary table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Temporary {
    /// The length that it was made with.
    pub length: u32,
    /// It takes NULL.
    pub nullable: bool,
}

impl Origin {
    /// A column's name with its table's and the database's, if there is one.
    pub(super) fn qualified(&self, table: &str, column: &str) -> String {
        match self.schema.is_empty() {
            true => format!("{table}.{column}"),
            false => format!("{}.{table}.{column}", self.schema),
        }
    }

    /// The stored column that it is, at whatever depth: database, table, column.
    pub fn stored(&self) -> Option<(&str, &str, &str)> {
        match &self.base {
            _ if self.default => None,
            Some((database, table, column)) => Some((database, table, column)),
            None if self.org_name.is_empty() || self.schema.is_empty() => None,
            None => Some((&self.schema, &self.org_table, &self.org_name)),
        }
    }

    /// The same behind a name that a view gives it.
    pub fn behind_view(&self) -> Arc<Origin> {
        Arc::new(Origin { merged: true, ..self.clone() })
    }

    /// As [`Origin::stored`], to be kept behind another name.
    pub fn to_base(&self) -> Option<(String, String, String)> {
        let owned = |(a, b, c): (&str, &str, &str)| (a.to_owned(), b.to_owned(), c.to_owned());
        self.stored().map(owned)
    }
}

/// A column that a FROM clause brings in.
#[derive(Debug, Clone)]
pub struct ScopeColumn {
    /// Name.
    pub name: String,
    /// What it is: a place in the block's row, or what the view merged here makes of such places.
    pub expr: Expr,
    /// Not shown by `*`.
    pub invisible: bool,
    /// Where it comes from.
    pub origin: Arc<Origin>,
}

/// A table of a FROM clause.
#[derive(Debug, Clone)]
pub struct ScopeTable {
    /// Alias, or the table's name.
    pub alias: String,
    /// Database, for tables named without alias.
    pub database: Option<String>,
    /// Its columns.
    pub columns: Vec<ScopeColumn>,
    /// The places that it, or the tables of a view merged here, have in the block's row.
    pub slots: std::ops::Range<u32>,
}

/// A column that stands in reach without its table's name, with the number of its table.
#[derive(Debug, Clone)]
pub struct Visible {
    /// Name.
    pub name: String,
    /// What it is: one column, or `COALESCE` of two where a join merged them.
    pub expr: Expr,
    /// Where it comes from.
    pub origin: Arc<Origin>,
    /// Not shown by `*`.
    pub invisible: bool,
}

/// A select list's member, in reach by its alias in HAVING, GROUP BY and ORDER BY.
#[derive(Debug, Clone)]
pub struct Alias {
    /// Name.
    pub name: String,
    /// The expression it stands for.
    pub expr: Expr,
    /// Where the column comes from that it names; none where it is computed.
    pub column: Option<Arc<Origin>>,
}

/// Which functions over several rows may stand at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allowed {
    /// None: WHERE, ON, GROUP BY.
    Nothing,
    /// Aggregates: HAVING, and what a window is parted and ordered by.
    Aggregates,
    /// Aggregates and window functions: the select list and ORDER BY.
    Windows,
    /// None: arguments of an aggregate.
    InGroupFunction {
        /// Whether the aggregate itself stands at a place for such.
        placed: bool,
    },
    /// Aggregates: arguments of a window function.
    InWindowFunction,
}

impl Allowed {
    /// Whether an aggregate may stand at the place.
    pub fn takes_aggregates(self) -> bool {
        matches!(self, Self::Aggregates | Self::Windows | Self::InWindowFunction)
    }
}

/// A window function whose window is not bound yet.
#[derive(Debug, Clone)]
pub struct PendingWindow {
    /// The function's name, for messages; empty for aggregates.
    pub name: String,
    /// Which.
    pub function: WindowFunction,
    /// Arguments.
    pub args: Vec<Expr>,
    /// Its window.
    pub over: Over,
    /// Type of its result.
    pub ty: Type,
    /// The slot of its result.
    pub slot: u32,
    /// A fault that is told when its window is bound.
    pub fault: Option<SqlError>,
}

/// The names of one query block.
#[derive(Debug)]
pub struct Scope<'p> {
    /// The block around, for correlated names.
    pub parent: Option<&'p Scope<'p>>,
    /// Nesting level: the number of this block's frame.
    pub level: u32,
    /// Tables in reach by name.
    pub tables: Vec<ScopeTable>,
    /// Columns in reach without a table's name, in the order of `*`.
    pub visible: Vec<Visible>,
    /// Select list members, once they are bound.
    pub aliases: Vec<Alias>,
    /// GROUP BY's members, once they are bound, by the name that HAVING finds them under.
    pub groups: Vec<Alias>,
    /// Members of the select list and GROUP BY: HAVING sees no other columns outside aggregates.
    pub listed: Vec<Expr>,
    /// Members of the select list by name, as subqueries of the block find them; none where it is not bound yet.
    pub named: RefCell<Vec<Listed>>,
    /// HAVING of grouped rows is being bound: subqueries in it, too, see but what is listed.
    pub in_grouped_having: Cell<bool>,
    /// GROUP BY's members where ONLY_FULL_GROUP_BY holds HAVING to them.
    pub full_group: Option<Vec<Expr>>,
    /// Names that meant two things, and where: warning 1052 tells that the column was taken.
    pub disputed: RefCell<Vec<(String, Clause)>>,
    /// Aggregates collected in this block.
    pub aggregates: RefCell<Vec<crate::plan::AggregateCall>>,
    /// Window functions collected in this block.
    pub windows: RefCell<Vec<PendingWindow>>,
    /// Functions over several rows that may stand where binding goes on now.
    pub allowed: Cell<Allowed>,
    /// Lowest level that names of this block or of blocks inside it reached out to, `u32::MAX` for none.
    pub reaches: Cell<u32>,
    /// Width of the block's row so far.
    pub width: Cell<u32>,
    /// Which slots of the row something reads.
    pub used: RefCell<Vec<bool>>,
    /// It is a block whose rows have numbers: a SELECT, UPDATE or DELETE.
    pub numbers_rows: bool,
    /// ROWNUM() stands in the block: the order in which a derived table gives its rows shows.
    pub shows_order: bool,
    /// The place of ROWNUM() in its row, once something names it.
    pub row_number: Cell<Option<u32>>,
    /// ORDER BY of a view merged here: the order where the block says none.
    pub view_order: Vec<crate::plan::SortKey>,
    /// Slots on the two sides of each STRAIGHT_JOIN: the first are read before the second.
    pub straight: Vec<(BTreeSet<u32>, BTreeSet<u32>)>,
    /// What the inner joins of a view that is written through want of their rows, by ON, USING and NATURAL.
    pub joined_by: Vec<Expr>,
    /// Places in the row of tables that JOIN, and no comma, puts beside others.
    pub joined: Vec<u32>,
    /// `SELECT STRAIGHT_JOIN`: all tables are read in the order of FROM.
    pub in_order: bool,
    /// What is wrong with the first ON that has a fault: told after what is wrong with the select list and WHERE.
    pub late_error: RefCell<Option<SqlError>>,
    /// A query inside the aggregate that is being bound has one of this block's own: error 1111 once that query is bound.
    pub misplaced: Cell<bool>,
    /// What is done with the columns that are named.
    pub wants: Cell<Acts>,
    /// It is asked by EXISTS: what `*` stands for there is not read.
    pub only_exists: bool,
}

/// What a name was found to be.
pub(super) enum Found<'s> {
    Nothing,
    /// What it stands for, and which column it names.
    One(&'s Expr, Option<&'s Arc<Origin>>),
    Column(&'s ScopeColumn),
    Many,
}

impl<'p> Scope<'p> {
    /// An empty block.
    pub fn new(parent: Option<&'p Scope<'p>>, level: u32) -> Self {
        Self {
            parent,
            level,
            tables: Vec::new(),
            visible: Vec::new(),
            aliases: Vec::new(),
            groups: Vec::new(),
            listed: Vec::new(),
            named: RefCell::new(Vec::new()),
            in_grouped_having: Cell::new(false),
            full_group: None,
            disputed: RefCell::new(Vec::new()),
            aggregates: RefCell::new(Vec::new()),
            windows: RefCell::new(Vec::new()),
            allowed: Cell::new(Allowed::Nothing),
            reaches: Cell::new(u32::MAX),
            width: Cell::new(0),
            used: RefCell::new(Vec::new()),
            numbers_rows: false,
            shows_order: false,
            row_number: Cell::new(None),
            view_order: Vec::new(),
            straight: Vec::new(),
            joined_by: Vec::new(),
            joined: Vec::new(),
            in_order: false,
            late_error: RefCell::new(None),
            misplaced: Cell::new(false),
            wants: Cell::new(Acts::SELECT),
            only_exists: false,
        }
    }

    /// The error of an ON.
    pub fn check_late_error(&self) -> Result<(), SqlError> {
        self.late_error.take().map_or(Ok(()), Err)
    }

    /// Takes `n` places in the block's row; gives the first.
    pub fn reserve(&self, n: usize) -> u32 {
        let first = self.width.get();
        self.width.set(first + n as u32);
        first
    }

    /// The column of the block's tables that a statement names, with its table.
    pub fn named(&self, name: &ast::ColumnRef) -> Option<(&ScopeTable, &ScopeColumn)> {
        let of_table = |table: &&ScopeTable| {
            name.table.as_ref().is_none_or(|own| table.is_named(name.database.as_deref(), own))
        };
        let column = |table: &'_ ScopeTable| {
            table.columns.iter().position(|column| same_name(&column.name, &name.column))
        };
        let mut tables = self.tables.iter().filter(of_table);
        tables.find_map(|table| column(table).map(|at| (table, &table.columns[at])))
    }

    /// Resolves a column name: this block first, then the blocks around it.
    pub fn resolve(
        &self,
        database: Option<&str>,
        table: Option<&str>,
        column: &str,
        clause: Clause,
    ) -> Result<Expr, SqlError> {
        let shown = || match (database, table) {
            (Some(db), Some(table)) => format!("{db}.{table}.{column}"),
            (None, Some(table)) => format!("{table}.{column}"),
            _ => column.to_owned(),
        };
        let mut block = Some(self);
        let mut innermost = true;
        let mut in_aggregate = false;
        while let Some(scope) = block {
            let clause_here = match innermost {
                true => clause,
                // What an aggregate computes with is there before grouping.
                false if scope.in_grouped_having.get() && !in_aggregate => Clause::Having,
                false => Clause::Select,
            };
            let stored = match clause_here {
                Clause::Having if !innermost && scope.allowed.get() == Allowed::Aggregates => {
                    scope.find_in_groups(database, table, column, clause)?
                }
                _ => Found::Nothing,
            };
            let found = match stored {
                Found::Nothing => scope.find_here(database, table, column, clause_here),
                stored => stored,
            };
            let found = match found {
                Found::Many => return Err(SqlError::ambiguous_column(shown(), clause.name())),
                Found::One(expr, origin) => {
                    origin.map_or(Ok(()), |origin| origin.check(column, scope.wants.get()))?;
                    Some(expr.clone())
                }
                Found::Column(found) => {
                    found.origin.check(column, scope.wants.get())?;
                    Some(found.expr.clone())
                }
                Found::Nothing if innermost || table.is_some() => None,
                Found::Nothing => scope.find_listed_for_inner(column, clause)?,
            };
            if let Some(expr) = found {
                if clause_here == Clause::Having {
                    scope.check_grouped(&expr, column)?;
                    if !innermost {
                        scope.check_reference(&expr, column, clause)?;
                    }
                }
                if !innermost && clause == Clause::Having && !in_aggregate {
                    scope.check_forward(database, table, column)?;
                }
                scope.mark_used(&expr);
                if !innermost {
                    self.note_reach(scope.level);
                }
                return Ok(expr);
            }
            in_aggregate |= matches!(scope.allowed.get(), Allowed::InGroupFunction { .. });
            block = scope.parent;
            innermost = false;
        }
        if self.parent.is_none() && clause != Clause::Having {
            self.check_unknown(database, table, column)?;
        }
        let bare = !matches!(clause, Clause::Having | Clause::JsonTable) && self.has_no_tables();
        match table.filter(|_| bare) {
            Some(table) => {
                let shown = database.map_or(table.to_owned(), |db| format!("{db}.{table}"));
                Err(SqlError::unknown_table(shown, clause.name()))
            }
            None => Err(SqlError::bad_field(shown(), clause.name())),
        }
    }

    /// Whether neither this block nor any around it has a table.
    fn has_no_tables(&self) -> bool {
        self.tables.is_empty() && self.parent.is_none_or(Scope::has_no_tables)
    }

    /// Remembers that something reads the columns in `expr`.
    pub fn mark_used(&self, expr: &Expr) {
        let mut used = self.used.borrow_mut();
        expr.visit(&mut |e| {
            if let Kind::Column(slot) = e.kind
                && slot.level == self.level
            {
                let index = slot.index as usize;
                if used.len() <= index {
                    used.resize(index + 1, false);
                }
                used[index] = true;
            }
        });
    }

    /// Adds what a query merged into this block reads.
    pub fn take_used(&self, inner: &Scope<'_>) {
        let inner = inner.used.borrow();
        let mut used = self.used.borrow_mut();
        if used.len() < inner.len() {
            used.resize(inner.len(), false);
        }
        used.iter_mut().zip(inner.iter()).for_each(|(used, inner)| *used |= inner);
    }

    /// Adds a table of FROM; error 1066 for a name that is there already.
    pub fn add_named(&mut self, table: ScopeTable) -> Result<(), SqlError> {
        let (alias, database) = (&table.alias, &table.database);
        let same = |t: &ScopeTable| {
            t.alias == *alias && (t.database == *database || t.database.is_none() || database.is_none())
        };
        if self.tables.iter().any(same) {
            return Err(SqlError::nonuniq_table(alias));
        }
        self.tables.push(table);
        Ok(())
    }

    /// Whether something reads a slot.
    pub fn is_used(&self, slot: u32) -> bool {
        self.used.borrow().get(slot as usize).copied().unwrap_or(false)
    }

    /// The block that an aggregate over `args` here belongs to: the innermost of which it reads a column, if aggregates
    /// may stand in that one where binding is, else another one between. None where there is no such, or where an
    /// aggregate of that block is around.
    pub fn owner_of(&self, args: &[Expr]) -> Option<&Scope<'p>> {
        let (mut innermost, mut grouped) = (None, Vec::new());
        for e in args {
            crate::plan::walk::visit_deep(e, &mut |e| match e.kind {
                Kind::Column(slot) if self.is_of_group_around(slot) => grouped.push(slot.level),
                Kind::Column(slot) if slot.level <= self.level => {
                    innermost = innermost.max(Some(slot.level));
                }
                _ => {}
            });
        }
        // One that reads no column goes out only where it cannot stand here.
        let goes_out = innermost.is_none() && self.allowed.get() == Allowed::Nothing;
        let wanted = innermost.unwrap_or(if goes_out { 0 } else { self.level });
        let around = std::iter::successors(self.parent, |scope| scope.parent);
        let mut around: Vec<&Scope<'p>> = around.take_while(|scope| scope.level >= wanted).collect();
        // The block that it reads, else the nearest one around, else its own.
        if !goes_out {
            around.sort_by_key(|scope| scope.level != wanted);
        }
        around.push(self);
        around.into_iter().find_map(|scope| match scope.allowed.get() {
            place if place.takes_aggregates() => Some(Some(scope).filter(|s| !grouped.contains(&s.level))),
            // It would be one of that block's inside another one.
            Allowed::InGroupFunction { placed: true } => {
                scope.misplaced.set(scope.level != self.level);
                Some(None)
            }
            _ => None,
        })?
    }

    /// Whether what is bound here is inside an aggregate around that will be refused for it.
    pub fn is_in_misplaced(&self) -> bool {
        std::iter::successors(self.parent, |scope| scope.parent).any(|scope| scope.misplaced.get())
    }

    /// Whether a slot has an aggregate of a block around: what it reads is not read here.
    fn is_of_group_around(&self, slot: Slot) -> bool {
        let mut around = std::iter::successors(self.parent, |scope| scope.parent);
        let block = around.find(|scope| scope.level == slot.level);
        block.is_some_and(|scope| scope.aggregates.borrow().iter().any(|call| call.slot == slot.index))
    }

    /// Remembers, in this block and those between, that a name reached out to `level`.
    pub(super) fn note_reach(&self, level: u32) {
        let mut block = Some(self);
        while let Some(scope) = block {
            if scope.level <= level {
                return;
            }
            scope.reaches.set(scope.reaches.get().min(level));
            block = scope.parent;
        }
    }

    fn find_here(
        &self,
        database: Option<&str>,
        table: Option<&str>,
        column: &str,
        clause: Clause,
    ) -> Found<'_> {
        let having = clause == Clause::Having && self.allowed.get() == Allowed::Aggregates;
        if let Some(table) = table {
            return match self.find_in_table(database, table, column) {
                Found::Column(column) if having && !self.is_listed(&column.expr) => Found::Nothing,
                found => found,
            };
        }
        match clause {
            Clause::Having if having => {
                let group = find_named(&self.groups, column);
                match self.rather(self.find_alias(column), group, column, clause) {
                    Found::Nothing => match self.find_listed(column) {
                        Found::Nothing => self.find_behind_alias(column),
                        found => found,
                    },
                    found => found,
                }
            }
            Clause::Having | Clause::OrderBy | Clause::GroupBy => match self.find_visible(column) {
                Found::Nothing => self.find_alias(column),
                found => found,
            },
            _ => self.find_visible(column),
        }
    }

    /// The table of the block that a column is of.
    pub(super) fn table_with(&self, slot: u32) -> Option<&ScopeTable> {
        self.tables.iter().find(|table| table.slots.contains(&slot))
    }

    pub(super) fn is_listed(&self, column: &Expr) -> bool {
        self.listed.iter().any(|e| e.same(column) || e.is_written_as(column))
    }

    fn find_listed(&self, column: &str) -> Found<'_> {
        only(self.visible.iter().filter(|v| same_name(&v.name, column) && self.is_listed(&v.expr)))
    }

    pub(super) fn find_in_table(&self, database: Option<&str>, table: &str, column: &str) -> Found<'_> {
        let mut found = Found::Nothing;
        for candidate in self.tables.iter().filter(|t| t.is_named(database, table)) {
            for c in candidate.columns.iter().filter(|c| same_name(&c.name, column)) {
                if !matches!(found, Found::Nothing) {
                    return Found::Many;
                }
                found = Found::Column(c);
            }
        }
        found
    }

    /// How many tables have a column of that name.
    pub(super) fn tables_with(&self, column: &str) -> usize {
        let has = |table: &&ScopeTable| table.columns.iter().any(|c| same_name(&c.name, column));
        self.tables.iter().filter(has).count()
    }

    /// Has the columns of all tables seen by name.
    pub(super) fn show_all(&mut self) {
        self.visible = self.tables.iter().flat_map(|table| &table.columns).map(Visible::of).collect();
    }

    pub(super) fn find_visible(&self, column: &str) -> Found<'_> {
        only(self.visible.iter().filter(|v| same_name(&v.name, column)))
    }

    /// What a name means that the select list has too: the other meaning, with a warning, where both differ.
    pub(super) fn rather<'s>(
        &self,
        alias: Found<'s>,
        other: Found<'s>,
        column: &str,
        clause: Clause,
    ) -> Found<'s> {
        match (alias, other) {
            (Found::Many, _) => Found::Many,
            (alias, Found::Nothing) => alias,
            (Found::One(alias, named), Found::One(other, of)) if !same_column(alias, named, other, of) => {
                self.disputed.borrow_mut().push((column.to_owned(), clause));
                Found::One(other, of)
            }
            (_, other) => other,
        }
    }

    /// A select list's member by its name: the first computed one, else the column, if there is but one.
    pub(super) fn find_alias(&self, column: &str) -> Found<'_> {
        // Aggregates and windows stand in slots, too, but are no columns.
        let of_table = |slot: Slot| slot.level != self.level || self.is_stored(slot);
        let is_column =
            |a: &Alias| a.column.is_some() || matches!(a.expr.kind, Kind::Column(slot) if of_table(slot));
        match self.aliases.iter().find(|a| same_name(&a.name, column) && !is_column(a)) {
            Some(alias) => Found::One(&alias.expr, None),
            None => find_named(&self.aliases, column),
        }
    }

    /// The table and its column that a bound name is, this block's or one's around it.
    pub fn column_at(&self, slot: Slot) -> Option<(&ScopeTable, &ScopeColumn)> {
        let mut block = Some(self);
        while let Some(scope) = block {
            for table in scope.tables.iter().filter(|_| scope.level == slot.level) {
                if let Some(column) = table.columns.iter().find(|column| column.is_at(slot)) {
                    return Some((table, column));
                }
            }
            block = scope.parent;
        }
        None
    }

    /// Where a bound column comes from, for the wire.
    pub fn origin_of(&self, slot: Slot) -> Option<Arc<Origin>> {
        self.column_at(slot).map(|(_, column)| column.origin.clone())
    }
}

/// The only column of some.
fn only<'s>(mut columns: impl Iterator<Item = &'s Visible>) -> Found<'s> {
    match (columns.next(), columns.next()) {
        (None, _) => Found::Nothing,
        (Some(one), None) => Found::One(&one.expr, Some(&one.origin)),
        _ => Found::Many,
    }
}

/// What stands under a name; `Many` where that is two different columns.
fn find_named<'s>(list: &'s [Alias], name: &str) -> Found<'s> {
    let mut found = Found::Nothing;
    for alias in list.iter().filter(|a| same_name(&a.name, name)) {
        match found {
            Found::One(first, of) if !same_column(first, of, &alias.expr, alias.column.as_ref()) => {
                return Found::Many;
            }
            Found::One(..) => {}
            _ => found = Found::One(&alias.expr, alias.column.as_ref()),
        }
    }
    found
}

/// Whether two expressions are one column. What merged queries compute is known by what names it.
pub(super) fn same_column(
    a: &Expr,
    a_of: Option<&Arc<Origin>>,
    b: &Expr,
    b_of: Option<&Arc<Origin>>,
) -> bool {
    match (&a.kind, &b.kind) {
        (Kind::Column(x), Kind::Column(y)) => x == y,
        _ => a_of.zip(b_of).is_some_and(|(x, y)| Arc::ptr_eq(x, y)),
    }
}

impl ScopeColumn {
    /// Whether it is the column at a place of the block's row.
    pub fn is_at(&self, slot: Slot) -> bool {
        matches!(self.expr.kind, Kind::Column(own) if own == slot)
    }
}

impl ScopeTable {
    /// Whether `[database.]table` names this table. Table names are compared as written.
    pub fn is_named(&self, database: Option<&str>, table: &str) -> bool {
        self.alias == table && database.is_none_or(|db| self.database.as_deref() == Some(db))
    }
}
