//! Binding LOAD DATA.

use super::insert::{Foreseen, InsertPlan, InsertRows};
use super::target::Target as Written;
use super::{Binder, Clause, Scope};
use crate::admin::Acts;
use crate::error::SqlError;
use crate::exec::fields::Fields;
use crate::exec::insert::given;
use crate::exec::load::{LoadPlan, Target};
use crate::exec::rules::Rules;
use crate::expr::Kind;
use crate::plan::{Join, Source};
use crate::syntax::ast::{self, LoadDuplicates, LoadTarget};
use engine::{Mdl, View};
use std::sync::Arc;
use types::table::same_name;
use types::{Charset, CollationId};

impl Binder<'_> {
    /// Binds a LOAD DATA.
    pub fn load(&mut self, load: &ast::LoadData) -> Result<LoadPlan, SqlError> {
        if !load.partitions.is_empty() {
            return Err(SqlError::new(1747, b"HY000", "PARTITION () clause on non partitioned table"));
        }
        let database = self.database(&load.table)?.to_owned();
        let name = &load.table.name;
        let replace = load.duplicates == LoadDuplicates::Replace;
        let charset = self.file_charset(load.charset.as_deref(), &database)?;
        if self.temporary(&database, name)?.is_none() {
            let wanted: &[&str] = if replace { &["INSERT", "DELETE"] } else { &["INSERT"] };
            self.state.check_table_all(wanted, &database, name)?;
        }
        let target = self.load_target(load, &database)?;
        let mut scope = Scope::new(None, 0);
        scope.wants.set(Acts::INSERT);
        self.add_target(&target, name, &database, &mut scope);
        let targets: Vec<Target> = match load.targets.is_empty() {
            true => target.shown().map(Target::Column).collect(),
            false => {
                let bound = load.targets.iter().map(|t| match t {
                    LoadTarget::Column(column) => {
                        target.column(column, name, Clause::Select).map(Target::Column)
                    }
                    LoadTarget::UserVar(name) => {
                        self.state.make_user_var_text(name.to_lowercase(), charset);
                        Ok(Target::Variable(name.to_lowercase()))
                    }
                });
                bound.collect::<Result<_, _>>()?
            }
        };
        let mut set = Vec::with_capacity(load.set.len());
        for assignment in &load.set {
            let column = target.column(&assignment.column, name, Clause::Select)?;
            set.push((column, self.given(&assignment.value, &scope, Clause::Select)?));
        }
        if let Some(guard) = &target.guard {
            let columns = &target.table.def().columns;
            let given = targets.iter().filter_map(|target| match target {
                Target::Column(at) => Some(columns[*at].name.as_str()),
                Target::Variable(_) => None,
            });
            let set = load.set.iter().map(|assignment| assignment.column.column.as_str());
            match load.targets.is_empty() {
                true => guard.check_all(given, Acts::INSERT)?,
                false => given.chain(set).try_for_each(|column| guard.check(column, Acts::INSERT))?,
            }
        }
        let (table, view, view_rule) = target.into_table();
        let rules = Rules::of(table.def(), self.state)?;
        let ignores = load.duplicates == LoadDuplicates::Ignore;
        let blank = self.blank_row(set.iter().map(|(_, given)| given), table.def())?;
        let insert = InsertPlan {
            table,
            blank,
            columns: Vec::new(),
            listed: true,
            rows: InsertRows::Values(Vec::new()),
            reads_itself: false,
            foreseen: Foreseen::Nothing,
            reads_early: false,
            only_warns: false,
            fills: false,
            replace,
            // Nothing can be said to a client that is sending its file: what is wrong with a row is a warning.
            ignore: ignores || (load.local && !replace),
            on_duplicate: Vec::new(),
            reads: Vec::new(),
            returning: None,
            keyless: false,
            hides_number: false,
            rules,
            view,
            view_rule,
        };
        let columns = &insert.table.def().columns;
        let width = |target: &Target| match target {
            Target::Column(column) => Ok(columns[*column].ty.text_bytes(columns[*column].collation) as usize),
            Target::Variable(_) => Err(SqlError::fixed_width_into_variable()),
        };
        let is_text = |target: &Target| match target {
            Target::Column(column) => {
                let ty = &columns[*column].ty;
                ty.has_charset() || matches!(ty, types::ColumnType::Fixed(_))
            }
            Target::Variable(_) => false,
        };
        let fields = Fields::of(&load.format, || targets.iter().map(width).collect())?
            .of_text(charset, targets.iter().map(is_text));
        let listed = !load.targets.is_empty();
        Ok(LoadPlan { insert, targets, listed, set, fields, charset, skip: load.ignore_lines })
    }

    /// What LOAD DATA writes: a table, or a view of columns of one.
    fn load_target(&mut self, load: &ast::LoadData, database: &str) -> Result<Written, SqlError> {
        let name = &load.table.name;
        if self.temporary(database, name)?.is_none()
            && let Some(view) = self.state.engine.catalog().view(database, name).cloned()
        {
            return self.load_view(&view, load);
        }
        let table = self.open(database, name, Mdl::Write)?;
        self.check_loaded(load, &table)?;
        Ok(Written::of(table))
    }

    fn load_view(&mut self, view: &Arc<View>, load: &ast::LoadData) -> Result<Written, SqlError> {
        let refused = || SqlError::non_updatable_table(&load.table.name, "LOAD");
        let mut scope = Scope::new(None, 0);
        let join = self.written_view(view, &mut scope)?;
        let access = match &join {
            _ if !view.def().updatable || self.is_only_read(view.def(), true) => return Err(refused()),
            Join::Table(access) => access,
            Join::Inner(_) => return Err(SqlError::wrong_usage("Multi-table VIEW", "LOAD")),
            _ => return Err(refused()),
        };
        let Source::Base(table) = &access.source else { return Err(refused()) };
        self.check_loaded(load, table)?;
        let place = |name: &str| {
            let is =
                |target: &LoadTarget| matches!(target, LoadTarget::Column(c) if same_name(&c.column, name));
            load.targets.iter().position(is)
        };
        let named = |name: &str| load.targets.is_empty() || place(name).is_some();
        let (mut columns, mut refused) = (Vec::new(), Vec::new());
        for column in scope.tables.iter().flat_map(|table| &table.columns) {
            match column.expr.kind {
                Kind::Column(slot) => {
                    columns.push((column.name.clone(), slot.index as usize, column.invisible))
                }
                _ if named(&column.name) => refused.push(&column.name),
                _ => {}
            }
        }
        // The first as they are listed.
        if let Some(column) = refused.into_iter().min_by_key(|name| place(name)) {
            if !load.targets.is_empty() {
                let given = |at: usize| columns.iter().any(|(name, of, _)| *of == at && named(name));
                given::check_named((table.def(), Some(view)), given, false, self.state)?;
            }
            return Err(SqlError::non_updatable_column(column));
        }
        let rule = std::mem::take(&mut self.view_rules).pop();
        Ok(Written {
            table: table.clone(),
            columns,
            view: Some(view.clone()),
            rule,
            guard: scope.guard_of_all(),
            constants: Vec::new(),
            hides_number: false,
            seen: None,
        })
    }

    /// The character set of a file: as said, else the database's; error 1115.
    fn file_charset(&self, name: Option<&str>, database: &str) -> Result<CollationId, SqlError> {
        let known = |name: &str| Charset::by_name(name).ok_or_else(|| SqlError::unknown_character_set(name));
        match name {
            Some(name) => known(name).map(|charset| charset.default_collation()),
            None => {
                let catalog = self.state.engine.catalog();
                let of = |db: &str| catalog.database(db).map(|d| d.def.collation);
                let session = self.state.database.as_deref().and_then(of);
                Ok(session.or_else(|| of(database)).unwrap_or(CollationId::UTF8MB4_GENERAL_CI))
            }
        }
    }
}
