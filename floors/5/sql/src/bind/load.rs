//! Binding LOAD DATA.

use super::dml::{InsertPlan, InsertRows};
use super::{Binder, Clause, Scope};
use crate::error::SqlError;
use crate::exec::fields::Fields;
use crate::exec::load::{LoadPlan, Target};
use crate::exec::rules::Rules;
use crate::syntax::ast::{self, LoadDuplicates, LoadTarget};
use types::{Charset, CollationId};

impl Binder<'_> {
    /// Binds a LOAD DATA.
    pub fn load(&mut self, load: &ast::LoadData) -> Result<LoadPlan, SqlError> {
        if !load.partitions.is_empty() {
            return Err(SqlError::new(1747, b"HY000", "PARTITION () clause on non partitioned table"));
        }
        let database = self.database(&load.table)?.to_owned();
        let name = &load.table.name;
        // The statement is an INSERT whose rows are not written in it.
        let insert = ast::Insert {
            replace: load.duplicates == LoadDuplicates::Replace,
            priority: ast::Priority::Normal,
            ignore: false,
            table: load.table.clone(),
            partitions: Vec::new(),
            columns: Vec::new(),
            explicit_columns: false,
            source: ast::InsertSource::Values(Vec::new()),
            row_alias: None,
            fills: false,
            on_duplicate: Vec::new(),
            returning: None,
        };
        let target = self.insert_target(&insert, &database)?;
        if insert.replace {
            self.state.check_table("DELETE", &database, name)?;
        }
        let mut scope = Scope::new(None, 0);
        self.add_target(&target, name, &database, &mut scope);
        let targets = match load.targets.is_empty() {
            true => target.shown().map(Target::Column).collect(),
            false => {
                let bound = load.targets.iter().map(|t| match t {
                    LoadTarget::Column(column) => {
                        target.column(column, name, Clause::Select).map(Target::Column)
                    }
                    LoadTarget::UserVar(name) => Ok(Target::Variable(name.to_lowercase())),
                });
                bound.collect::<Result<_, _>>()?
            }
        };
        let mut set = Vec::with_capacity(load.set.len());
        for assignment in &load.set {
            let column = target.column(&assignment.column, name, Clause::Set)?;
            set.push((column, self.given(&assignment.value, &scope, Clause::Set)?));
        }
        let (table, view, view_rule) = target.into_table();
        let rules = Rules::of(table.def(), self.state)?;
        let ignores = load.duplicates == LoadDuplicates::Ignore;
        let insert = InsertPlan {
            table,
            columns: Vec::new(),
            listed: true,
            rows: InsertRows::Values(Vec::new()),
            replace: insert.replace,
            // Nothing can be said to a client that is sending its file: what is wrong with a row is a warning.
            ignore: ignores || (load.local && !insert.replace),
            on_duplicate: Vec::new(),
            reads: Vec::new(),
            returning: None,
            rules,
            view,
            view_rule,
        };
        let charset = self.file_charset(load.charset.as_deref(), &database)?;
        let (fields, skip) = (Fields::of(&load.format)?, load.ignore_lines);
        Ok(LoadPlan { insert, targets, set, fields, charset, skip })
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
