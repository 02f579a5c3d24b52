//! Binding UPDATE and DELETE.

use super::apart::{is_made_apart, names_again};
use super::insert::{Given, Returning};
use super::scope::{Alias, ScopeTable};
use super::view::ViewRule;
use super::{Binder, Clause, Scope, assigned, condition, keys_apart};
use crate::admin::Acts;
use crate::error::{ER_NO_SUCH_TABLE, ER_NON_UPDATABLE_TABLE, ER_NONUPDATEABLE_COLUMN, SqlError};
use crate::exec::defaults::lacks_default;
use crate::exec::rules::Rules;
use crate::expr::{Expr, Kind, Slot, build};
use crate::plan::{Join, RowLock, RowSlots, SelectPlan, SortKey, Source, TableAccess, Tail, order};
use crate::session::mode;
use crate::syntax::ast::{self, LockWait, TableRef};
use engine::{Mdl, Table, View};
use std::sync::Arc;
use types::{IndexDef, IndexKind, TableDef};

/// An UPDATE or DELETE.
#[derive(Debug)]
pub struct ChangePlan {
    /// Finds the rows; each target's row is kept as the join runs.
    pub find: SelectPlan,
    /// The tables to be changed.
    pub targets: Vec<Changed>,
    /// UPDATE: target, column, value. DELETE: empty.
    pub assignments: Vec<(usize, usize, Given)>,
    /// Generated columns and CHECKs of each target.
    pub rules: Vec<Rules>,
    /// More than one table is in FROM, or the one in subqueries too: assignments see the old row only.
    pub multi_table: bool,
    /// Rows with columns in them are equated among its conditions: what MariaDB takes for no condition of an index.
    pub equates_rows: bool,
    /// IGNORE.
    pub ignore: bool,
    /// RETURNING of DELETE.
    pub returning: Option<Returning>,
    /// What the view that rows are changed through wants of them, over the rows in their slots.
    pub view_rule: Option<ViewRule>,
    /// Rows are changed in the order in which the one table gives them, and its reader alone finds them.
    pub alone: bool,
    /// The new values, or the view, read the row's slots as it is changed.
    pub reads_row: bool,
    /// It is limited, and goes through a view without a key of the table: a note says so.
    pub keyless: bool,
}

/// A table to be changed.
#[derive(Debug)]
pub struct Changed {
    /// The table.
    pub table: Arc<Table>,
    /// The slot of its first column.
    pub first: u32,
    /// Where its row stands as it is stored.
    pub row: RowSlots,
}

/// Views that are looked into for a join, one below the other.
const VIEWS_DEEP: usize = 64;

impl Binder<'_> {
    /// Binds an UPDATE.
    pub fn update(&mut self, update: &ast::Update) -> Result<ChangePlan, SqlError> {
        self.privilege = "UPDATE";
        self.changes_join = of_several(update);
        let mut scope = Scope::new(None, 0);
        scope.numbers_rows = true;
        let (join, conditions) = self.change_from(&update.tables, &mut scope)?;
        let Some(mut join) = join else { return Err(SqlError::no_tables_used()) };
        let multi_table = !matches!(join, Join::Table(_)) || self.reads_itself(update, &join);
        let several = of_several(update);
        self.check_written_alone(&update.tables, several)?;
        let slots = self.assigned_slots(update, several, &scope);
        if let (Ok(slots), true) = (&slots, several) {
            let changes = |table: &ScopeTable| slots.iter().any(|slot| table.slots.contains(&slot.index));
            self.check_joined(&scope.tables, changes)?;
            check_tables(slots, &mut join, &scope)?;
            self.check_assigned(update, &scope)?;
        }
        if let (Err(_), false) = (&slots, multi_table) {
            self.conditions_of(update, &scope)?;
            if self.prepares {
                self.assigned_values(update, &scope)?;
            }
        }
        // Values of several tables are told of as those of a query.
        let clause = if multi_table { Clause::Select } else { Clause::Set };
        let said = self.state.diagnostics.entries.len();
        let assigned = self.assigned(update, &slots?, &mut join, &scope, clause);
        if assigned.as_ref().is_err_and(|error| error.errno != ER_NON_UPDATABLE_TABLE) {
            self.conditions_of(update, &scope)?;
        }
        let (targets, assignments) = assigned?;
        keys_apart::check(&scope, &targets, &assignments)?;
        self.check_one_table(&scope, &targets)?;
        let tail = (&update.order_by[..], update.limit.as_ref());
        let find = self.change_find(join, conditions, update.filter.as_ref(), tail, &mut scope);
        if find.is_err() {
            // Faults of conditions come before what there is to say of assignments.
            self.state.diagnostics.forget_from(said);
        }
        let mut find = find?;
        let rules = targets
            .iter()
            .map(|target| Rules::of(target.table.def(), self.state))
            .collect::<Result<_, _>>()?;
        let ignore = update.ignore;
        let keyless = self.lacks_key(&update.tables, update.limit.as_ref(), &targets, &scope)?;
        let view_rule = std::mem::take(&mut self.view_rules).pop();
        let alone = !multi_table && reads_alone(&mut find);
        let reads_row = view_rule.is_some() || assignments.iter().any(|(.., given)| reads_slots(given));
        Ok(ChangePlan {
            find,
            targets,
            assignments,
            rules,
            multi_table,
            equates_rows: update.filter.as_ref().is_some_and(condition::equates_rows),
            ignore,
            returning: None,
            view_rule,
            alone,
            reads_row,
            keyless,
        })
    }

    /// Binds an UPDATE that is prepared: of what several tables are given only the tables that it reads matter yet.
    pub fn update_open(&mut self, update: &ast::Update) -> Result<(), SqlError> {
        let told = self.state.diagnostics.told();
        match self.update(update) {
            Err(error) if of_several(update) && error.errno != ER_NO_SUCH_TABLE => {
                self.state.diagnostics.forget_since(told);
                let mut bare = update.clone();
                if !matches!(bare.tables[..], [TableRef::Table(_)]) {
                    bare.order_by.clear();
                }
                for given in &mut bare.assignments {
                    given.value.kind = ast::ExprKind::Column(given.column.clone());
                }
                self.update(&bare).map(drop)
            }
            // Which columns of its one table can have values is looked at when it runs.
            Err(error) if !of_several(update) && error.errno == ER_NONUPDATEABLE_COLUMN => Ok(()),
            bound => bound.map(drop),
        }
    }

    /// Binds the values that an UPDATE assigns, whose faults alone are told where it is prepared: error 1364 for columns
    /// without a default.
    fn assigned_values(&mut self, update: &ast::Update, scope: &Scope<'_>) -> Result<(), SqlError> {
        update.assignments.iter().try_for_each(|assignment| {
            let column = &assignment.column;
            match self.given(&assignment.value, scope, Clause::Set)? {
                Given::Default => self.default_of(column, ast::Span::default(), scope, Clause::Set).map(drop),
                _ => Ok(()),
            }
        })
    }

    /// The faults of an UPDATE's conditions and order, which are told before those of what it assigns.
    fn conditions_of(&mut self, update: &ast::Update, scope: &Scope<'_>) -> Result<(), SqlError> {
        if let Some(filter) = &update.filter {
            self.condition(filter, scope, Clause::Where)?;
        }
        scope.check_late_error()?;
        let mut order = update.order_by.iter();
        order.try_for_each(|item| self.order_of_rows(&item.expr, scope).map(drop))
    }

    /// A member of ORDER BY, which can name no position: there is no select list.
    fn order_of_rows(&mut self, e: &ast::Expr, scope: &Scope<'_>) -> Result<Expr, SqlError> {
        match self.position_of(e)? {
            Some(position) => Err(SqlError::bad_field(position, Clause::OrderBy.name())),
            None => self.scalar(e, scope, Clause::OrderBy),
        }
    }

    /// The slots of the columns that an UPDATE assigns to.
    fn assigned_slots(
        &mut self,
        update: &ast::Update,
        several: bool,
        scope: &Scope<'_>,
    ) -> Result<Vec<Slot>, SqlError> {
        let mut slots = Vec::with_capacity(update.assignments.len());
        let mut of_query = Ok(());
        // Of several tables it is looked first at which are changed.
        let acts = if several { Acts::NONE } else { Acts::UPDATE };
        for assignment in &update.assignments {
            let c = &assignment.column;
            let bound = resolve_assigned(c, acts, scope)?;
            match (scope.named(c), bound.kind) {
                (Some((table, column)), _) if column.origin.of_query => {
                    of_query = of_query.and(Err(SqlError::non_updatable_table(&table.alias, "UPDATE")));
                }
                (_, Kind::Column(slot)) => slots.push(slot),
                _ => return Err(SqlError::non_updatable_column(&c.column)),
            }
        }
        of_query?;
        for assignment in &update.assignments {
            self.check_updatable(scope, &assignment.column, several)?;
        }
        Ok(slots)
    }

    /// Error 1143 for columns of several tables that may not be changed.
    fn check_assigned(&self, update: &ast::Update, scope: &Scope<'_>) -> Result<(), SqlError> {
        let mut assigned = update.assignments.iter().map(|assignment| &assignment.column);
        assigned.try_for_each(|column| resolve_assigned(column, Acts::UPDATE, scope).map(drop))
    }

    /// What an UPDATE assigns to columns at `slots`: the tables that it changes, and for each column its table's place
    /// among them, its own and the value.
    #[allow(clippy::type_complexity)]
    fn assigned(
        &mut self,
        update: &ast::Update,
        slots: &[Slot],
        join: &mut Join,
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Result<(Vec<Changed>, Vec<(usize, usize, Given)>), SqlError> {
        let mut targets: Vec<Changed> = Vec::new();
        let mut assignments = Vec::with_capacity(slots.len());
        for (&slot, assignment) in slots.iter().zip(&update.assignments) {
            let value = self.given(&assignment.value, scope, clause)?;
            let (target, column) = self.target_of(slot, join, &mut targets, scope, "UPDATE")?;
            let def = &targets[target].table.def().columns[column];
            if matches!(value, Given::Default) && lacks_default(def) {
                return Err(SqlError::no_default_for_field(&def.name));
            }
            if let Given::Expr(e) = &value
                && !self.prepares
            {
                let lenient = update.ignore || !self.state.vars.is_strict();
                assigned::check(&e.ty, column, targets[target].table.def(), lenient, self.state)?;
            }
            let again = |(t, c, _): &(usize, usize, Given)| (*t, *c) == (target, column);
            if self.state.vars.has_mode(mode::SIMULTANEOUS_ASSIGNMENT) && assignments.iter().any(again) {
                let table = &targets[target].table.def().name;
                return Err(SqlError::updated_only_once(table, &def.name));
            }
            assignments.push((target, column, value));
        }
        Ok((targets, assignments))
    }

    /// Binds a DELETE.
    pub fn delete(&mut self, delete: &ast::Delete) -> Result<ChangePlan, SqlError> {
        self.privilege = "DELETE";
        let multi_table = !delete.targets.is_empty();
        let mut scope = Scope::new(None, 0);
        scope.numbers_rows = true;
        (self.changes_some, self.changes_join) = (multi_table, multi_table);
        let bound = self.change_from(&delete.from, &mut scope);
        self.changes_some = false;
        let (join, conditions) = bound?;
        let Some(mut join) = join else { return Err(SqlError::no_tables_used()) };
        let mut targets = Vec::new();
        if multi_table {
            let mut named = Vec::new();
            for name in &delete.targets {
                let found = scope.tables.iter().find(|t| t.is_named(name.database.as_deref(), &name.name));
                let found = found.ok_or_else(|| SqlError::unknown_table(&name.name, "MULTI DELETE"))?;
                self.delete_target(found.slots.clone(), &found.alias, &mut join, &mut targets, &scope, true)?;
                if let Some(target) = targets.last() {
                    let view = self.view_of(found).map(|view| view.def().name.clone());
                    named.push((found.alias.clone(), target.table.clone(), view));
                }
            }
            self.check_apart(delete, &named)?;
            if targets.iter().any(|target| !target.table.is_temporary()) {
                self.state.check_reads_only()?;
            }
        } else {
            let table = scope.tables.first().ok_or_else(SqlError::no_tables_used)?;
            self.delete_target(table.slots.clone(), &table.alias, &mut join, &mut targets, &scope, false)?;
        }
        let returning = self.returning(delete.returning.as_deref(), &mut scope)?;
        let keyless = self.lacks_key(&delete.from, delete.limit.as_ref(), &targets, &scope)?;
        let tail = (&delete.order_by[..], delete.limit.as_ref());
        let mut find = self.change_find(join, conditions, delete.filter.as_ref(), tail, &mut scope)?;
        let alone = !multi_table && reads_alone(&mut find);
        Ok(ChangePlan {
            find,
            targets,
            assignments: Vec::new(),
            rules: Vec::new(),
            multi_table,
            equates_rows: false,
            ignore: delete.ignore,
            returning,
            view_rule: None,
            alone,
            reads_row: false,
            keyless,
        })
    }

    /// Makes the table in these slots a target of DELETE: error 1395 for a view that joins several.
    fn delete_target(
        &mut self,
        slots: std::ops::Range<u32>,
        alias: &str,
        join: &mut Join,
        targets: &mut Vec<Changed>,
        scope: &Scope<'_>,
        several: bool,
    ) -> Result<(), SqlError> {
        let slot = Slot { level: 0, index: slots.start };
        let whole = table_with(join, slot.index).is_none_or(|access| access.slots == slots);
        let named = scope.tables.iter().find(|table| table.slots == slots);
        let shown = named.and_then(|table| table.columns.first()).map(|column| &column.origin.org_table);
        let view = self.views.iter().find(|view| Some(&view.def().name) == shown || view.def().name == alias);
        let Some(def) = view.map(|view| view.def()) else {
            return self.target_of(slot, join, targets, scope, "DELETE").map(|_| ());
        };
        let joined = || several && self.is_joined(def);
        let only_read = || self.is_only_read(def, false) && (whole || !several);
        if joined() || !whole && (def.updatable || several) && !only_read() {
            return Err(SqlError::view_delete_merge_view(&def.db, &def.name));
        }
        if only_read() {
            return Err(SqlError::non_updatable_table(alias, "DELETE"));
        }
        if !def.updatable {
            return Err(SqlError::non_updatable_table(alias, "DELETE"));
        }
        self.target_of(slot, join, targets, scope, "DELETE").map(|_| ())
    }

    /// Error 1288 for a single view that nothing can be written to: it comes before all others.
    fn check_written_alone(&mut self, tables: &[TableRef], several: bool) -> Result<(), SqlError> {
        let Some((own, view)) = self.single_view(tables)? else { return Ok(()) };
        let def = view.def();
        let refused = match several {
            true => is_made_apart(def),
            false => !self.joins(def) && (!def.updatable || self.is_only_read(def, false)),
        };
        match refused {
            true => {
                Err(SqlError::non_updatable_table(own.alias.as_ref().unwrap_or(&own.name.name), "UPDATE"))
            }
            false => Ok(()),
        }
    }

    /// Whether a view's query is a join, or a view's below it that it reads alone.
    fn joins(&self, view: &types::ViewDef) -> bool {
        let mut view = view.clone();
        for _ in 0..VIEWS_DEEP {
            let Ok(query) = super::view::parse_view(&view.query) else { return false };
            let ast::QueryBody::Select(select) = &query.body else { return false };
            let own = match select.from.as_slice() {
                [] => return false,
                [TableRef::Table(own)] if query.with.is_none() => own,
                [only] => return matches!(only, TableRef::Join(_)),
                _ => return true,
            };
            let database = own.name.database.as_ref().unwrap_or(&view.db);
            match self.state.engine.catalog().view(database, &own.name.name) {
                Some(below) => view = below.def().clone(),
                None => return false,
            }
        }
        false
    }

    /// The view that is all there is to be changed.
    fn single_view<'t>(
        &self,
        tables: &'t [TableRef],
    ) -> Result<Option<(&'t ast::TableFactor, Arc<View>)>, SqlError> {
        let [TableRef::Table(own)] = tables else { return Ok(None) };
        let database = self.database(&own.name)?;
        if self.temporary(database, &own.name.name)?.is_some() {
            return Ok(None);
        }
        let view = self.state.engine.catalog().view(database, &own.name.name).cloned();
        Ok(view.map(|view| (own, view)))
    }

    /// Whether a change with LIMIT goes through a view that shows too little to know rows apart.
    fn lacks_key(
        &self,
        tables: &[TableRef],
        limit: Option<&ast::Limit>,
        targets: &[Changed],
        scope: &Scope<'_>,
    ) -> Result<bool, SqlError> {
        let ([target], Some(_), Some(_)) = (targets, limit, self.single_view(tables)?) else {
            return Ok(false);
        };
        let places = scope.tables.iter().flat_map(|table| &table.columns).filter_map(|column| {
            match column.expr.kind {
                Kind::Column(slot) => slot.index.checked_sub(target.first).map(|at| at as usize),
                _ => None,
            }
        });
        Ok(shows_no_key(target.table.def(), &places.collect::<Vec<_>>()))
    }

    /// Error 1393 for an UPDATE of several tables through one view.
    fn check_one_table(&self, scope: &Scope<'_>, targets: &[Changed]) -> Result<(), SqlError> {
        for table in &scope.tables {
            let inside = targets.iter().filter(|target| table.slots.contains(&target.first)).count();
            if let Some(view) = self.view_of(table).filter(|_| inside > 1) {
                return Err(SqlError::view_multi_update(&view.def().db, &view.def().name));
            }
        }
        Ok(())
    }

    fn change_from(
        &mut self,
        tables: &[TableRef],
        scope: &mut Scope<'_>,
    ) -> Result<(Option<Join>, Vec<Expr>), SqlError> {
        self.mdl = Mdl::Write;
        let bound = self.from(tables, scope);
        self.mdl = Mdl::Read;
        bound
    }

    /// Makes the table that has `slot` a target of the change; gives its number and the column.
    fn target_of(
        &self,
        slot: Slot,
        join: &mut Join,
        targets: &mut Vec<Changed>,
        scope: &Scope<'_>,
        statement: &str,
    ) -> Result<(usize, usize), SqlError> {
        let Some(access) = table_with(join, slot.index) else {
            return Err(SqlError::internal_error("find the table to change"));
        };
        let column = (slot.index - access.slots.start) as usize;
        let table = written_to(access, slot, scope, statement)?.clone();
        let named = scope.table_with(slot.index);
        let first = access.slots.start;
        let def = table.def();
        self.check_changed(&def.db, &def.name)?;
        let view = named.and_then(|named| named.columns.first()).map(|column| &column.origin.org_table);
        if let Some((database, view)) = self.only_read.iter().find(|(_, name)| Some(name) == view) {
            self.check_changed(database, view)?;
        }
        if let Some(number) = targets.iter().position(|target| target.first == first) {
            return Ok((number, column));
        }
        let key = scope.reserve(2);
        let row = RowSlots { key, image: key + 1 };
        access.target = Some(row);
        access.lock = Some(RowLock { exclusive: true, wait: LockWait::Default });
        targets.push(Changed { table, first, row });
        for index in row.all() {
            scope.mark_used(&Expr { kind: Kind::Column(Slot { level: 0, index }), ty: build::boolean(true) });
        }
        null_where_missing(join, first, row);
        Ok((targets.len() - 1, column))
    }

    fn change_find(
        &mut self,
        join: Join,
        mut conditions: Vec<Expr>,
        filter: Option<&ast::Expr>,
        (order_by, limit): (&[ast::OrderItem], Option<&ast::Limit>),
        scope: &mut Scope<'_>,
    ) -> Result<SelectPlan, SqlError> {
        if let Some(filter) = filter {
            self.changes_one = matches!(join, Join::Table(_));
            build::conjuncts(self.condition(filter, scope, Clause::Where)?, &mut conditions);
        }
        scope.check_late_error()?;
        scope.aliases = Vec::<Alias>::new();
        let mut keys = Vec::with_capacity(order_by.len());
        for item in order_by {
            keys.push(SortKey::new(self.order_of_rows(&item.expr, scope)?, item.desc));
        }
        let limits = self.limit(limit, scope)?;
        let mut find = SelectPlan {
            width: scope.width.get() as usize,
            from: Some(join),
            tail: Tail { order_by: keys, ..limits },
            ..SelectPlan::default()
        };
        order::optimize(&mut find, conditions, (scope, &[]), self)?;
        Ok(find)
    }
}

/// Whether the rows of one table are found by reading it, in the order wanted: then they are taken as they are read, and
/// the table's own slots for them are not filled.
fn reads_alone(find: &mut SelectPlan) -> bool {
    let in_order = find.tail.order_by.is_empty() || find.presorted;
    let Some(Join::Table(access)) = &mut find.from else { return false };
    let alone = in_order && find.row_number.is_none() && matches!(access.source, Source::Base(_));
    if alone {
        access.target = None;
    }
    alone
}

/// Whether a value reads what stands in slots; a subquery may.
fn reads_slots(given: &Given) -> bool {
    let Given::Expr(expr) = given else { return false };
    let mut reads = false;
    expr.visit(&mut |e| reads |= matches!(e.kind, Kind::Column(_) | Kind::Subquery(_)));
    reads
}

/// Error 1288 for columns of several tables that are assigned to: it comes before all that is wrong with what they are
/// given.
fn check_tables(slots: &[Slot], join: &mut Join, scope: &Scope<'_>) -> Result<(), SqlError> {
    slots.iter().try_for_each(|slot| match table_with(join, slot.index) {
        Some(access) => written_to(access, *slot, scope, "UPDATE").map(drop),
        None => Ok(()),
    })
}

/// The table that a column of the join is stored in; error 1288 where it is none's.
fn written_to<'t>(
    access: &'t TableAccess,
    slot: Slot,
    scope: &Scope<'_>,
    statement: &str,
) -> Result<&'t Arc<Table>, SqlError> {
    match &access.source {
        Source::Base(table) => Ok(table),
        _ => {
            let alias = scope.table_with(slot.index).map_or(&access.alias, |table| &table.alias);
            Err(SqlError::non_updatable_table(alias, statement))
        }
    }
}

/// Makes the stored row of the table in slots from `first` on NULL wherever the table's columns become so.
fn null_where_missing(join: &mut Join, first: u32, row: RowSlots) {
    match join {
        Join::Table(_) => {}
        Join::Inner(steps) => {
            steps.iter_mut().for_each(|(join, _)| null_where_missing(join, first, row));
        }
        Join::Left { left, right, right_slots, .. } => {
            if right_slots.contains(&first) {
                right_slots.extend(row.all());
            }
            null_where_missing(left, first, row);
            null_where_missing(right, first, row);
        }
        Join::Hash(hash) => null_where_missing(&mut hash.build, first, row),
    }
}

/// The column that an assignment names, of which so much is wanted.
fn resolve_assigned(column: &ast::ColumnRef, acts: Acts, scope: &Scope<'_>) -> Result<Expr, SqlError> {
    let (database, table) = (column.database.as_deref(), column.table.as_deref());
    scope.wanting(acts, || scope.resolve(database, table, &column.column, Clause::Set))
}

/// The table of a join that has a slot.
pub(super) fn table_with(join: &mut Join, slot: u32) -> Option<&mut crate::plan::TableAccess> {
    match join {
        Join::Table(table) => table.slots.contains(&slot).then_some(&mut **table),
        Join::Inner(steps) => steps.iter_mut().find_map(|(join, _)| table_with(join, slot)),
        Join::Left { left, right, .. } => table_with(left, slot).or_else(|| table_with(right, slot)),
        Join::Hash(hash) => table_with(&mut hash.build, slot),
    }
}

/// Whether columns in these places hold no key of a table whose rows they are: no unique one without NULL, and not all.
pub(super) fn shows_no_key(table: &TableDef, places: &[usize]) -> bool {
    let shown = |at: usize| places.contains(&at);
    let whole = |index: &IndexDef| {
        index.kind != IndexKind::Key
            && !index.is_digest()
            && index.parts.iter().all(|part| shown(part.column) && !table.columns[part.column].nullable)
    };
    // A key of digests is one of a column that nobody sees.
    let hidden = table.indexes.iter().any(IndexDef::is_digest);
    !table.indexes.iter().any(whole) && (hidden || !(0..table.columns.len()).all(shown))
}

/// Whether an UPDATE is of several tables, or names its own again.
fn of_several(update: &ast::Update) -> bool {
    match update.tables.as_slice() {
        [TableRef::Table(own)] => names_again(update, &own.name),
        _ => true,
    }
}
