//! Binding FROM: tables, derived tables, joins.

use super::guard::guard_columns;
use super::scope::{Origin, ScopeColumn, ScopeTable, Temporary, Visible};
use super::view::Called;
use super::{Binder, Clause, Scope};
use crate::catalog::{self, INFORMATION_SCHEMA};
use crate::error::SqlError;
use crate::expr::{Class, CompareOp, Expr, Kind, Named, Slot, Type, TypeKind, build};
use crate::output::flag;
use crate::plan::hints::{Hints, hinted};
use crate::plan::sequence::Sequence;
use crate::plan::{Body, Join, MAX_TABLES, OutputColumn, QueryPlan, Source, TableAccess};
use crate::syntax::ast::{self, IndexHintKind, JoinCondition, JoinKind, TableRef};
use engine::Mdl;
use std::sync::Arc;
use types::table::same_name;
use types::{DefaultValue, IndexKind, TableDef, ViewCheck};

/// The columns behind a join by common names, and the pairs that it wants equal.
type Merged = (Vec<Visible>, Vec<(Expr, Expr)>);

impl Binder<'_> {
    /// Binds a FROM list into `scope`; gives its join tree, conditions of inner joins apart.
    pub(super) fn from(
        &mut self,
        list: &[TableRef],
        scope: &mut Scope<'_>,
    ) -> Result<(Option<Join>, Vec<Expr>), SqlError> {
        let mut steps = Vec::new();
        let mut conditions = Vec::new();
        for item in list {
            let (join, visible) = self.table_ref(item, scope, &mut conditions)?;
            steps.push((join, Vec::new()));
            scope.visible.extend(visible);
        }
        let join = flatten(steps);
        if join.as_ref().is_some_and(|join| join.tables() > MAX_TABLES) {
            return Err(SqlError::too_many_tables(MAX_TABLES));
        }
        Ok((join, conditions))
    }

    fn table_ref(
        &mut self,
        item: &TableRef,
        scope: &mut Scope<'_>,
        conditions: &mut Vec<Expr>,
    ) -> Result<(Join, Vec<Visible>), SqlError> {
        match item {
            TableRef::Table(factor) => self.table_factor(factor, scope, conditions),
            TableRef::Derived { query, alias, columns, lateral } => {
                if *lateral {
                    return Err(SqlError::not_supported_yet("LATERAL"));
                }
                self.derived_table(query, alias, columns, scope, conditions)
            }
            TableRef::JsonTable(table) => self.json_table(table, scope),
            TableRef::Join(join) => self.join(join, scope, conditions),
        }
    }

    /// Binds a query that is a table of FROM, merged where it may be.
    pub(super) fn derived_table(
        &mut self,
        query: &ast::Query,
        alias: &str,
        columns: &[String],
        scope: &mut Scope<'_>,
        conditions: &mut Vec<Expr>,
    ) -> Result<(Join, Vec<Visible>), SqlError> {
        let called = Called { alias, database: None, view: None, guard: None, columns };
        // FOR UPDATE is for the block's own tables, also where MariaDB merges.
        let lock = self.lock.take();
        let bound = self.in_from(query, &called, true, scope, conditions, false, ViewCheck::None);
        self.lock = lock;
        bound
    }

    /// Binds a query that stands in FROM: it sees nothing of the blocks around it.
    pub(super) fn derived_plan(&mut self, query: &ast::Query) -> Result<QueryPlan, SqlError> {
        let lock = self.lock.take();
        // A plan that several uses share is made at once.
        let own = self.bound_again < super::cte::AGAIN_MAX;
        self.waits = own && matches!(query.body, ast::QueryBody::Select(_)) && query.with.is_none();
        let bound = self.bind_query(query, None, 0);
        self.lock = lock;
        Ok(bound?.0)
    }

    pub(super) fn table_factor(
        &mut self,
        factor: &ast::TableFactor,
        scope: &mut Scope<'_>,
        conditions: &mut Vec<Expr>,
    ) -> Result<(Join, Vec<Visible>), SqlError> {
        if !factor.partitions.is_empty() {
            return Err(SqlError::new(1747, b"HY000", "PARTITION () clause on non partitioned table"));
        }
        let alias = factor.alias.as_deref().unwrap_or(&factor.name.name);
        if let Some(position) = self.cte_named(&factor.name) {
            if self.is_cte_of_one_use(position) {
                return self.cte_in_place(position, alias, scope, conditions);
            }
            let merges = self.trace.is_none() && self.cte_merges(position);
            let (source, columns, names) = self.cte(position, scope.level > 0)?;
            let called = Called { alias, database: None, view: None, guard: None, columns: &names };
            return self.derived(source, &columns, &called, merges, scope);
        }
        let database = self.database(&factor.name)?.to_owned();
        self.trace_table(factor.span, &database);
        if self.temporary(&database, &factor.name.name)?.is_none()
            && let Some(view) = self.state.engine.catalog().view(&database, &factor.name.name).cloned()
        {
            return self.view(&view, factor.alias.as_deref(), scope, conditions);
        }
        if let Some(view) = catalog::mysql::view(&database, &factor.name.name) {
            self.may_only_read()?;
            return self.own_view(view, factor.alias.as_deref(), scope, conditions);
        }
        if let Some(table) = catalog::found(&database, &factor.name.name)? {
            return self.virtual_table(table, alias, scope);
        }
        if let Some(sequence) = Sequence::named(&factor.name.name)
            && self.state.engine.catalog().table(&database, &factor.name.name).is_none()
        {
            return self.sequence(sequence?, &factor.name.name, &database, alias, scope);
        }
        if self.mdl == Mdl::Read && self.writes(&database, &factor.name.name) {
            self.check_access(Mdl::Read, &database, &factor.name.name)?;
        }
        let table = self.open(&database, &factor.name.name, self.mdl)?;
        check_hints(&factor.hints, table.def(), alias)?;
        let named = factor.alias.is_none().then_some(database);
        let first = scope.reserve(table.def().columns.len());
        let mut columns = stored_columns(table.def(), alias, scope.level, first);
        if !table.is_temporary() {
            let guard = self.guard(self.mdl, false, table.db(), table.name())?;
            guard_columns(&mut columns, guard.as_ref());
        }
        let hints = Hints::new(&factor.hints, table.def());
        let slots = first..scope.width.get();
        let access =
            TableAccess { hints, lock: self.lock, ..TableAccess::new(alias, Source::Base(table), slots) };
        self.add_table(scope, alias, named, columns, access)
    }

    /// Puts what a source's rows have in reach. `merges`: MariaDB makes the query a part of the block around it, so that
    /// its columns are described as what they are there.
    pub(super) fn derived(
        &mut self,
        source: Source,
        output: &[OutputColumn],
        called: &Called<'_>,
        merges: bool,
        scope: &mut Scope<'_>,
    ) -> Result<(Join, Vec<Visible>), SqlError> {
        let (alias, names) = (called.alias, called.columns);
        if !names.is_empty() && names.len() != output.len() {
            return Err(SqlError::view_wrong_list());
        }
        unique_names(output, names)?;
        // Those of JSON_TABLE have the types that are said.
        let computes = !matches!(&source, Source::Json(_));
        let recurs =
            matches!(&source, Source::Derived { plan, .. } if matches!(plan.body, Body::Recursive(_)));
        let items = match &source {
            Source::Derived { plan, .. } => match &plan.body {
                Body::Select(select) => &select.items[..],
                _ => &[],
            },
            _ => &[],
        };
        let first = scope.reserve(output.len());
        let mut columns: Vec<ScopeColumn> = Vec::with_capacity(output.len());
        for (i, column) in output.iter().enumerate() {
            let name = names.get(i).unwrap_or(&column.name).clone();
            let inner = column.origin.as_ref();
            let base = inner.map(|o| o.table.clone()).unwrap_or_default();
            let of_extreme = match &column.ty.origin {
                Named::Extreme(Some(of), ..) if !of.merged => of.flags & flag::NO_DEFAULT,
                _ => 0,
            };
            let flags = inner.map_or(0, |o| o.flags) | of_extreme;
            let computed = merges && inner.is_none_or(|o| o.computed);
            let origin = Origin {
                table: alias.to_owned(),
                org_table: if called.view.is_some() { base } else { alias.to_owned() },
                org_name: name.clone(),
                base: inner.and_then(|o| o.to_base()),
                width: inner.map_or(0, |o| o.width),
                temporary: match merges {
                    true => inner.and_then(|o| o.temporary),
                    false => {
                        let own = column.ty.length + column.ty.missing_sign();
                        let below = inner.filter(|o| !o.computed).and_then(|o| o.temporary);
                        let length = match below {
                            Some(below) if column.ty.class() == Class::Int => below.length,
                            _ => own,
                        };
                        Some(Temporary { length, nullable: column.ty.nullable })
                    }
                },
                flags: if merges { flags } else { flags & flag::NO_DEFAULT },
                merged: merges,
                of_query: called.view.is_none(),
                in_totals: inner.is_some_and(|o| o.in_totals),
                computed,
                default: merges && inner.is_some_and(|o| o.default),
                remade: inner.is_some_and(|o| o.remade || o.merged && !merges),
                guard: called.guard.clone(),
                never_null: computed
                    && (items.get(i).is_some_and(never_null) || inner.is_some_and(|o| o.never_null)),
                ..Origin::default()
            };
            let slot = Slot { level: scope.level, index: first + i as u32 };
            let mut ty = if merges { column.ty.clone() } else { build::kept(column.ty.clone()) };
            // A name in between hides that there is but a sign more.
            ty.spare = if ty.class() == Class::Int { 0 } else { ty.spare };
            if computed {
                ty.origin = Named::Merged;
            } else if !merges {
                ty = if computes { build::in_bytes_of_table(ty) } else { ty };
                ty = build::in_temporary_table(ty);
                let number = ty.class() == Class::Int
                    && !ty.zerofill
                    && !matches!(ty.kind, TypeKind::Bit | TypeKind::Year);
                let hides = match ty.origin {
                    Named::Merged => true,
                    Named::Written(_) => build::is_number_of_bytes(&ty),
                    // Its table's now, to messages.
                    Named::Column(_) => number,
                    Named::United => recurs && number || matches!(source, Source::Round(_)),
                    _ => false,
                };
                if hides {
                    ty.origin = Named::default();
                }
                if let Named::Column(of) = &mut ty.origin {
                    *of = Arc::new(Origin { firm: false, ..(**of).clone() });
                }
                ty.origin.show_as(|| format!("`{alias}`.`{name}`"));
            }
            let expr = Expr { kind: Kind::Column(slot), ty };
            columns.push(ScopeColumn { name, expr, invisible: false, origin: Arc::new(origin) });
        }
        let access = TableAccess::new(alias, source, first..scope.width.get());
        self.add_table(scope, alias, called.database.clone(), columns, access)
    }

    fn virtual_table(
        &mut self,
        table: &'static catalog::VirtualTable,
        alias: &str,
        scope: &mut Scope<'_>,
    ) -> Result<(Join, Vec<Visible>), SqlError> {
        if table.database != INFORMATION_SCHEMA {
            self.may_only_read()?;
            self.check_privilege("SELECT", table.database, table.name)?;
            self.state.check_locked(table.database, table.name, false)?;
        }
        let def = table.definition();
        let first = scope.reserve(def.columns.len());
        let mut columns = stored_columns(&def, alias, scope.level, first);
        if table.database != INFORMATION_SCHEMA {
            let guard = self.guard(Mdl::Read, false, table.database, table.name)?;
            guard_columns(&mut columns, guard.as_ref());
        }
        let access = TableAccess::new(alias, Source::Virtual(table), first..scope.width.get());
        self.add_table(scope, alias, Some(table.database.to_owned()), columns, access)
    }

    /// Error 1235 where a table of the database `mysql` is to be changed.
    fn may_only_read(&self) -> Result<(), SqlError> {
        match self.mdl {
            Mdl::Write => Err(catalog::mysql::refuse_change()),
            _ => Ok(()),
        }
    }

    /// A sequence table; error 1031 where it is to be changed.
    fn sequence(
        &mut self,
        sequence: Sequence,
        name: &str,
        database: &str,
        alias: &str,
        scope: &mut Scope<'_>,
    ) -> Result<(Join, Vec<Visible>), SqlError> {
        if self.mdl == Mdl::Write {
            return Err(SqlError::illegal_for_engine("SEQUENCE", database, name));
        }
        let def = Sequence::definition(database, name);
        let first = scope.reserve(def.columns.len());
        let columns = stored_columns(&def, alias, scope.level, first);
        let access = TableAccess::new(alias, Source::Sequence(sequence), first..scope.width.get());
        let named = (alias == name).then(|| database.to_owned());
        self.add_table(scope, alias, named, columns, access)
    }

    fn add_table(
        &mut self,
        scope: &mut Scope<'_>,
        alias: &str,
        database: Option<String>,
        columns: Vec<ScopeColumn>,
        access: TableAccess,
    ) -> Result<(Join, Vec<Visible>), SqlError> {
        let visible = columns.iter().map(Visible::of).collect();
        let slots = access.slots.clone();
        scope.add_named(ScopeTable { alias: alias.to_owned(), database, columns, slots })?;
        Ok((Join::Table(Box::new(access)), visible))
    }

    fn join(
        &mut self,
        join: &ast::Join,
        scope: &mut Scope<'_>,
        conditions: &mut Vec<Expr>,
    ) -> Result<(Join, Vec<Visible>), SqlError> {
        let start = scope.tables.len();
        let mut left_conditions = Vec::new();
        let nullable = self.nullable_side;
        self.nullable_side = nullable || join.kind == JoinKind::Right;
        let (left, left_visible) = self.table_ref(&join.left, scope, &mut left_conditions)?;
        let middle = scope.tables.len();
        let mut right_conditions = Vec::new();
        self.nullable_side = nullable || join.kind == JoinKind::Left;
        // A JSON_TABLE sees what it is joined to.
        let shown = scope.visible.len();
        if matches!(join.right, TableRef::JsonTable(_)) {
            scope.visible.extend(left_visible.iter().cloned());
        }
        let bound = self.table_ref(&join.right, scope, &mut right_conditions);
        scope.visible.truncate(shown);
        let (right, right_visible) = bound?;
        self.nullable_side = nullable;
        let end = scope.tables.len();
        let right_join = join.kind == JoinKind::Right;

        let common = match &join.condition {
            JoinCondition::Using(names) => names.clone(),
            JoinCondition::Natural => common_names(&left_visible, &right_visible),
            _ => Vec::new(),
        };
        let (visible, pairs) = self.merge_columns(&common, left_visible, right_visible, right_join)?;
        self.trace_join(join, &pairs, scope);
        let mut on = Vec::with_capacity(pairs.len());
        for (l, r) in pairs {
            match build::binary(ast::BinaryOp::Eq, l, r, self.state) {
                Ok(equal) => on.push(equal),
                Err(error) => drop(scope.late_error.borrow_mut().get_or_insert(error)),
            }
        }
        if let JoinCondition::On(condition) = &join.condition {
            let outer_tables: Vec<ScopeTable> = scope.tables.drain(..start).collect();
            let outer_visible = std::mem::replace(&mut scope.visible, visible.clone());
            let filters = matches!(join.kind, JoinKind::Inner | JoinKind::Straight) && !nullable;
            let around = std::mem::replace(&mut self.on_filters, filters);
            let bound = self.condition(condition, scope, Clause::On);
            self.on_filters = around;
            scope.visible = outer_visible;
            scope.tables.splice(0..0, outer_tables);
            match bound {
                Ok(bound) => build::conjuncts(bound, &mut on),
                Err(error) => drop(scope.late_error.borrow_mut().get_or_insert(error)),
            }
        }
        for condition in &on {
            scope.mark_used(condition);
        }
        scope.joined.extend(scope.tables[start..end].iter().flat_map(|table| table.slots.clone()));
        match join.kind {
            JoinKind::Inner | JoinKind::Straight => {
                if join.kind == JoinKind::Straight {
                    let slots = |tables: &[ScopeTable]| tables.iter().flat_map(|t| t.slots.clone()).collect();
                    let (first, then) = scope.tables[start..end].split_at(middle - start);
                    let pair = (slots(first), slots(then));
                    scope.straight.push(pair);
                }
                conditions.append(&mut left_conditions);
                conditions.append(&mut right_conditions);
                if self.mdl == Mdl::Write {
                    scope.joined_by.extend_from_slice(&on);
                }
                conditions.append(&mut on);
                let steps = vec![(left, Vec::new()), (right, Vec::new())];
                Ok((flatten(steps).unwrap_or_else(|| unreachable!("two operands")), visible))
            }
            JoinKind::Left | JoinKind::Right => {
                let (kept, joined, range, kept_conditions, joined_conditions) = match right_join {
                    false => (left, right, middle..end, left_conditions, right_conditions),
                    true => (right, left, start..middle, right_conditions, left_conditions),
                };
                conditions.extend(kept_conditions);
                on.extend(joined_conditions);
                let right_slots = make_nullable(&mut scope.tables[range]);
                let visible = visible.into_iter().map(|v| v.nullable_if_in(&right_slots)).collect();
                let (left, right) = (Box::new(kept), Box::new(joined));
                Ok((Join::Left { left, right, on, right_slots, absent: false }, visible))
            }
        }
    }

    /// The columns in reach behind a join with USING or NATURAL, and the pairs that it wants equal. Those in common come
    /// first, in the order that they have on the side that all rows are kept of, however USING lists them.
    fn merge_columns(
        &mut self,
        common: &[String],
        mut left: Vec<Visible>,
        mut right: Vec<Visible>,
        right_join: bool,
    ) -> Result<Merged, SqlError> {
        let mut pairs = Vec::new();
        let mut merged = Vec::new();
        let kept: Vec<String> =
            if right_join { &right } else { &left }.iter().map(|v| v.name.clone()).collect();
        for name in common {
            let l = take_named(&mut left, name)?;
            let r = take_named(&mut right, name)?;
            pairs.push((l.expr.clone(), r.expr.clone()));
            merged.push(if right_join { r } else { l });
        }
        merged.sort_by_key(|v| kept.iter().position(|name| same_name(name, &v.name)));
        let (first, second) = if right_join && !common.is_empty() { (right, left) } else { (left, right) };
        merged.extend(first);
        merged.extend(second);
        Ok((merged, pairs))
    }
}

/// Error 1060 where two columns of a derived table have one name.
pub(super) fn unique_names(output: &[OutputColumn], names: &[String]) -> Result<(), SqlError> {
    let mut seen = hashbrown::HashSet::with_capacity(output.len());
    for (i, column) in output.iter().enumerate() {
        let name = names.get(i).unwrap_or(&column.name);
        if !seen.insert(name.to_lowercase()) {
            return Err(SqlError::dup_fieldname(name));
        }
    }
    Ok(())
}

/// Index hints name indexes of the table, and do not both allow some and insist on others.
fn check_hints(hints: &[ast::IndexHint], def: &TableDef, alias: &str) -> Result<(), SqlError> {
    let has = |kind| hints.iter().any(|hint| hint.kind == kind);
    if has(IndexHintKind::Use) && has(IndexHintKind::Force) {
        return Err(SqlError::wrong_usage("USE INDEX", "FORCE INDEX"));
    }
    let known = |name: &String| hinted(def, name).is_some();
    match hints.iter().flat_map(|hint| &hint.indexes).find(|name| !known(name)) {
        Some(name) => Err(SqlError::key_does_not_exist(name, alias)),
        None => Ok(()),
    }
}

fn take_named(columns: &mut Vec<Visible>, name: &str) -> Result<Visible, SqlError> {
    let mut matches = columns.iter().enumerate().filter(|(_, v)| same_name(&v.name, name)).map(|(i, _)| i);
    match (matches.next(), matches.next()) {
        (Some(at), None) => Ok(columns.remove(at)),
        (None, _) => Err(SqlError::bad_field(name, Clause::From.name())),
        _ => Err(SqlError::ambiguous_column(name, Clause::From.name())),
    }
}

fn common_names(left: &[Visible], right: &[Visible]) -> Vec<String> {
    let is_common =
        |v: &&Visible| !v.invisible && right.iter().any(|r| !r.invisible && same_name(&r.name, &v.name));
    left.iter().filter(is_common).map(|v| v.name.clone()).collect()
}

/// Joins of inner joins are one list; a single table stands alone.
fn flatten(steps: Vec<(Join, Vec<Expr>)>) -> Option<Join> {
    let mut flat = Vec::new();
    for (join, conditions) in steps {
        match join {
            Join::Inner(inner) => flat.extend(inner),
            other => flat.push((other, conditions)),
        }
    }
    if flat.len() > 1 {
        return Some(Join::Inner(flat));
    }
    flat.pop().map(|(join, _)| join)
}

/// Whether an expression has a value whatever the row: also where an outer join has none.
fn never_null(e: &Expr) -> bool {
    match &e.kind {
        Kind::Is(..) | Kind::Compare(CompareOp::NullSafeEq, ..) => true,
        Kind::Call(call) if call.name == "isnull" => true,
        Kind::Call(call) if call.is_first_of_several() => call.args.iter().any(never_null),
        _ => {
            let mut of_row = false;
            e.visit(&mut |e| of_row |= matches!(e.kind, Kind::Column(_) | Kind::Subquery(_)));
            !of_row && !e.ty.nullable
        }
    }
}

/// Columns of the inner side of an outer join may be NULL; gives their slots.
fn make_nullable(tables: &mut [ScopeTable]) -> Vec<u32> {
    let mut slots = Vec::new();
    for table in tables {
        table.columns.iter_mut().for_each(|column| may_lack(&mut column.expr.ty));
        slots.extend(table.slots.clone());
    }
    slots
}

/// A value may be NULL now; of a number that never was one no place for a sign is missing.
fn may_lack(ty: &mut Type) {
    ty.written &= ty.nullable;
    ty.nullable = true;
    if let (Named::Column(of), TypeKind::Date | TypeKind::DateTime) = (&mut ty.origin, ty.kind)
        && of.firm
        && !of.outer
    {
        *of = Arc::new(Origin { outer: true, ..(**of).clone() });
    }
}

impl Visible {
    /// A column as a FROM clause shows it.
    pub fn of(column: &ScopeColumn) -> Self {
        let expr = column.expr.clone();
        Self { name: column.name.clone(), expr, origin: column.origin.clone(), invisible: column.invisible }
    }

    fn nullable_if_in(mut self, slots: &[u32]) -> Self {
        if let Kind::Column(slot) = self.expr.kind
            && slots.contains(&slot.index)
        {
            may_lack(&mut self.expr.ty);
        }
        self
    }
}

/// The columns of a stored table as a FROM clause sees them.
pub fn stored_columns(def: &TableDef, alias: &str, level: u32, first: u32) -> Vec<ScopeColumn> {
    let column = |(i, c): (usize, &types::ColumnDef)| {
        let origin = Arc::new(Origin {
            schema: def.db.clone(),
            table: alias.to_owned(),
            org_table: def.name.clone(),
            org_name: c.name.clone(),
            flags: column_flags(def, i),
            firm: !c.nullable,
            width: match &c.ty {
                types::ColumnType::Integer(ty) => u32::from(ty.width),
                _ => 0,
            },
            ..Origin::default()
        });
        let kind = Kind::Column(Slot { level, index: first + i as u32 });
        let ty = Type { origin: Named::Column(origin.clone()), ..build::column_type(c) };
        ScopeColumn { name: c.name.clone(), expr: Expr { kind, ty }, invisible: c.invisible, origin }
    };
    def.columns.iter().enumerate().map(column).collect()
}

/// The flags that a table's column has on the wire beside those of its type.
pub fn column_flags(def: &TableDef, position: usize) -> u16 {
    let column = &def.columns[position];
    let mut flags = 0;
    // Without a primary key the first unique one without NULL passes for it.
    let whole = |p: &types::IndexPart| p.prefix_chars.is_none() && !def.columns[p.column].nullable;
    let passes =
        |index: &types::IndexDef| index.is_unique() && !index.is_digest() && index.parts.iter().all(whole);
    let primary = def.primary_index().or_else(|| def.indexes.iter().position(passes));
    for (number, index) in def.indexes.iter().enumerate() {
        let Some(part) = index.parts.iter().position(|p| p.column == position) else { continue };
        flags |= flag::PART_KEY;
        flags |= match index.kind {
            _ if primary == Some(number) => flag::PRI_KEY,
            IndexKind::Unique if part == 0 && index.parts.len() == 1 => flag::UNIQUE_KEY,
            IndexKind::Unique | IndexKind::Key | IndexKind::Spatial if part == 0 => flag::MULTIPLE_KEY,
            _ => 0,
        };
    }
    if column.auto_increment {
        flags |= flag::AUTO_INCREMENT;
    }
    if column.on_update_now {
        flags |= flag::ON_UPDATE_NOW;
    }
    let set_by_itself = column.on_update_now || column.default == DefaultValue::CurrentTimestamp;
    if set_by_itself && matches!(column.ty, types::ColumnType::Timestamp(_)) {
        flags |= flag::TIMESTAMP;
    }
    let given = match column.default {
        DefaultValue::None => column.nullable || column.auto_increment,
        DefaultValue::Missing => false,
        _ => true,
    };
    // Those of the catalogue's tables have none, NULL or not.
    if !given || def.db == INFORMATION_SCHEMA {
        flags |= flag::NO_DEFAULT;
    }
    flags
}

impl Scope<'_> {
    /// Puts the columns of a table definition in reach, in slots of their own.
    pub fn add_columns_of(&mut self, def: &TableDef) {
        let first = self.reserve(def.columns.len());
        let columns = stored_columns(def, &def.name, self.level, first);
        self.visible.extend(columns.iter().map(Visible::of));
        let slots = first..self.width.get();
        let (alias, database) = (def.name.clone(), Some(def.db.clone()));
        self.tables.push(ScopeTable { alias, database, columns, slots });
    }
}
