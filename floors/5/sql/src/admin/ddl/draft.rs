//! A table definition in the making: names not yet resolved, so that CREATE and ALTER may say them in any order.

use super::allowed::{self, Place, Rule};
use super::column::MAX_COMMENT;
use super::{default, foreign, index, names};
use crate::bind::Clause;
use crate::error::{ER_DUP_KEYNAME, ER_SPATIAL_CANT_HAVE_NULL, SqlError};
use crate::expr::{Expr, Kind};
use crate::session::{Level, State, expression_over, parse_kept};
use crate::syntax::ast;
use types::table::same_name;
use types::{
    CheckDef, CollationId, ColumnDef, ColumnType, DefaultValue, IndexAlgorithm, IndexDef, IndexKind,
    IndexOptions, ReferentialAction, TableDef, Value,
};

const MAX_COLUMNS: usize = 1017;
const MAX_ROW_BYTES: u64 = 65_535;

/// A column of a draft.
#[derive(Clone)]
pub struct DraftColumn {
    /// As it will be.
    pub def: ColumnDef,
    /// The column of the old table that its values come from.
    pub from: Option<usize>,
    /// The value of a DEFAULT that is a literal, until it is converted to the column: that is done last.
    pub default: Option<Value>,
}

/// A part of a key, its column by name.
#[derive(Clone)]
pub struct DraftPart {
    /// The column.
    pub column: String,
    /// `(n)`.
    pub length: Option<u64>,
    /// DESC.
    pub desc: bool,
}

/// A key of a draft.
pub struct DraftKey {
    /// The name; made from the first column where none is given.
    pub name: Option<String>,
    /// Kind.
    pub kind: IndexKind,
    /// Parts.
    pub parts: Vec<DraftPart>,
    /// COMMENT.
    pub comment: String,
    /// Its other words.
    pub options: IndexOptions,
    /// It was there before.
    pub old: bool,
}

/// A foreign key of a draft.
pub struct DraftForeign {
    /// Constraint name; made from the table's where none is given.
    pub name: Option<String>,
    /// The child's columns.
    pub columns: Vec<String>,
    /// Parent's database.
    pub ref_db: String,
    /// Parent.
    pub ref_table: String,
    /// Its columns.
    pub ref_columns: Vec<String>,
    /// ON DELETE.
    pub on_delete: ReferentialAction,
    /// ON UPDATE.
    pub on_update: ReferentialAction,
    /// Whether it is new: then it is held against its parent.
    pub new: bool,
    /// The name that messages know it by.
    pub said: Option<String>,
    /// Whether ALTER TABLE adds it.
    pub altering: bool,
}

/// A CHECK of a draft.
pub struct DraftCheck {
    /// Name; `CONSTRAINT_n` where none is given.
    pub name: Option<String>,
    /// Expression, as text.
    pub expression: String,
}

/// A definition in the making.
pub struct Draft {
    /// Database.
    pub db: String,
    /// Name.
    pub name: String,
    /// Columns in order.
    pub columns: Vec<DraftColumn>,
    /// Keys in order of appearance.
    pub keys: Vec<DraftKey>,
    /// Foreign keys.
    pub foreign_keys: Vec<DraftForeign>,
    /// Checks.
    pub checks: Vec<DraftCheck>,
    /// Default collation.
    pub collation: CollationId,
    /// COMMENT.
    pub comment: String,
    /// AUTO_INCREMENT=.
    pub auto_increment: Option<u64>,
    /// Other options.
    pub options: Vec<(String, String)>,
    /// Names of foreign keys that lose columns: refused when nothing else is wrong.
    pub cut: Vec<String>,
    /// Whether the keys stay in the order that they have.
    pub keeps_key_order: bool,
}

impl Draft {
    /// An empty table.
    pub fn new(db: &str, name: &str, collation: CollationId) -> Draft {
        Draft {
            db: db.to_owned(),
            name: name.to_owned(),
            columns: Vec::new(),
            keys: Vec::new(),
            foreign_keys: Vec::new(),
            checks: Vec::new(),
            collation,
            comment: String::new(),
            auto_increment: None,
            options: Vec::new(),
            cut: Vec::new(),
            keeps_key_order: false,
        }
    }

    /// A table that is there, to be altered.
    pub fn of(def: &TableDef) -> Draft {
        let name = |&at: &usize| def.columns[at].name.clone();
        let key = |index: &IndexDef| DraftKey {
            name: Some(index.name.clone()),
            kind: index.kind,
            parts: index
                .parts
                .iter()
                .map(|part| DraftPart {
                    column: name(&part.column),
                    // What a SPATIAL key takes is not said.
                    length: part.prefix_chars.map(u64::from).filter(|_| index.kind != IndexKind::Spatial),
                    desc: part.desc,
                })
                .collect(),
            comment: index.comment.clone(),
            options: index.options,
            old: true,
        };
        let foreign = |key: &types::ForeignKeyDef| DraftForeign {
            name: Some(key.name.clone()),
            columns: key.columns.iter().map(name).collect(),
            ref_db: key.ref_db.clone(),
            ref_table: key.ref_table.clone(),
            ref_columns: key.ref_columns.clone(),
            on_delete: key.on_delete,
            on_update: key.on_update,
            new: false,
            said: None,
            altering: true,
        };
        let check = |check: &CheckDef| DraftCheck {
            name: Some(check.name.clone()),
            expression: check.expression.clone(),
        };
        Draft {
            columns: def
                .columns
                .iter()
                .enumerate()
                .map(|(at, def)| DraftColumn { def: def.clone(), from: Some(at), default: None })
                .collect(),
            keys: def.indexes.iter().map(key).collect(),
            foreign_keys: def.foreign_keys.iter().map(foreign).collect(),
            checks: def.checks.iter().map(check).collect(),
            comment: def.comment.clone(),
            auto_increment: def.auto_increment,
            options: def.options.clone(),
            ..Draft::new(&def.db, &def.name, def.collation)
        }
    }

    /// The position of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|c| same_name(&c.def.name, name))
    }

    /// Adds an index as written. FULLTEXT ones are left out with a warning, so that dumps load: MATCH needs them and
    /// says that they are not there.
    pub fn add_index(&mut self, spec: &ast::IndexSpec, state: &mut State) -> Result<(), SqlError> {
        let kind = match spec.kind {
            ast::IndexKind::Primary => IndexKind::Primary,
            ast::IndexKind::Unique => IndexKind::Unique,
            ast::IndexKind::Plain => IndexKind::Key,
            ast::IndexKind::Fulltext => {
                let warning = SqlError::engine_cant_handle_fulltext("InnoDB");
                state.warn(Level::Warning, warning.errno, warning.message);
                return Ok(());
            }
            ast::IndexKind::Spatial => IndexKind::Spatial,
        };
        let name = spec.name.clone().or_else(|| spec.constraint.clone());
        let name = match kind {
            IndexKind::Primary => Some("PRIMARY".to_owned()),
            _ => name,
        };
        if kind != IndexKind::Primary
            && let Some(name) = &name
        {
            names::index(name)?;
            if name.eq_ignore_ascii_case("PRIMARY") {
                return Err(SqlError::wrong_name_for_index(name));
            }
        }
        let error = SqlError::too_long_index_comment(name.as_deref().unwrap_or_default(), MAX_COMMENT);
        let comment = names::comment(spec.comment.as_deref().unwrap_or_default(), MAX_COMMENT, error, state)?;
        let part = |part: &ast::KeyPart| DraftPart {
            column: part.column.clone(),
            length: part.length,
            desc: part.desc,
        };
        let parts = spec.parts.iter().map(part).collect();
        let algorithm = match spec.algorithm.as_deref() {
            Some("btree") => Some(IndexAlgorithm::Btree),
            Some("hash") => Some(IndexAlgorithm::Hash),
            _ => None,
        };
        let options = IndexOptions { algorithm, ignored: spec.ignored, generated: false };
        self.keys.push(DraftKey { name, kind, parts, comment, options, old: false });
        Ok(())
    }

    /// Adds a foreign key as written, and the key that serves it.
    pub fn add_foreign_key(&mut self, spec: &ast::ForeignKeySpec) -> Result<(), SqlError> {
        let name = spec.constraint.clone().or_else(|| spec.index.clone());
        if let Some(name) = &name {
            names::index(name)?;
        }
        let references = &spec.references;
        let ref_columns = references.columns.clone();
        if ref_columns.len() != spec.columns.len() && !ref_columns.is_empty() {
            let shown = name.as_deref().unwrap_or("foreign key without name");
            return Err(SqlError::wrong_fk_def(shown, "Key reference and table reference don't match"));
        }
        let part = |column: &String| DraftPart { column: column.clone(), length: None, desc: false };
        self.keys.push(DraftKey {
            name: name.clone(),
            kind: IndexKind::Key,
            parts: spec.columns.iter().map(part).collect(),
            comment: String::new(),
            // It goes where another key serves.
            options: IndexOptions { generated: true, ..IndexOptions::default() },
            old: false,
        });
        self.foreign_keys.push(DraftForeign {
            name,
            columns: spec.columns.clone(),
            ref_db: references.table.database.clone().unwrap_or_else(|| self.db.clone()),
            ref_table: references.table.name.clone(),
            ref_columns,
            on_delete: foreign::action(references.on_delete),
            on_update: foreign::action(references.on_update),
            new: true,
            said: spec.index.clone().or_else(|| spec.constraint.clone()),
            altering: false,
        });
        Ok(())
    }

    /// Adds a CHECK as written; an empty name is none.
    pub fn add_check(&mut self, spec: &ast::CheckSpec) -> Result<(), SqlError> {
        let name = spec.name.clone().filter(|name| !name.is_empty());
        if let Some(name) = &name {
            names::check(name)?;
        }
        let shown = name.as_deref().unwrap_or_default();
        let expression = allowed::text(Clause::Check, shown, &spec.expr)?;
        self.checks.push(DraftCheck { name, expression });
        Ok(())
    }

    /// Resolves all names and checks the whole.
    pub fn finish(mut self, state: &mut State) -> Result<TableDef, SqlError> {
        self.settle_labels(state)?;
        self.check_columns()?;
        index::drop_unneeded(&mut self.keys);
        let loose: Vec<bool> = self.columns.iter().map(|column| column.def.nullable).collect();
        self.primary_key_is_not_null();
        let defaults: Vec<Option<Value>> = self.columns.iter_mut().map(|c| c.default.take()).collect();
        let mut def = TableDef {
            db: self.db,
            name: self.name,
            columns: self.columns.into_iter().map(|c| c.def).collect(),
            indexes: Vec::new(),
            foreign_keys: Vec::new(),
            checks: Vec::new(),
            collation: self.collation,
            comment: self.comment,
            auto_increment: self.auto_increment,
            options: self.options,
        };
        let known = |part: &DraftPart| def.column_index(&part.column).is_some();
        if self.keys.iter().flat_map(|key| &key.parts).all(known)
            && let Err(fault) = foreign::check_written(&def, &self.foreign_keys)
        {
            // What is wrong with keys is told before, but for their names.
            let keys = index::resolve(&def, &loose, self.keys, self.keeps_key_order, state);
            return Err(keys
                .err()
                .filter(|error| ![ER_DUP_KEYNAME, ER_SPATIAL_CANT_HAVE_NULL].contains(&error.errno))
                .unwrap_or(fault));
        }
        check_calls(&def)?;
        def.indexes = index::resolve(&def, &loose, self.keys, self.keeps_key_order, state)?;
        check_auto_increment(&def)?;
        check_row_size(&def)?;
        check_invisible(&def, &defaults)?;
        def.checks = name_checks(self.checks, &def, &self.foreign_keys)?;
        foreign::check_against_expressions(&def, &self.foreign_keys, state)?;
        for check in &def.checks {
            obeys(&def, Place::Check(&check.name), Rule::Calls, &check.expression)?;
        }
        check_constants(&mut def, defaults, state)?;
        check_expressions(&def, state)?;
        check_order(&def, state)?;
        foreign::resolve(&mut def, self.foreign_keys, state)?;
        Ok(def)
    }

    /// Defaults that name members of ENUM and SET are looked up before anything else is looked at.
    fn settle_labels(&mut self, state: &mut State) -> Result<(), SqlError> {
        for column in &mut self.columns {
            if matches!(column.def.ty, ColumnType::Enum(_) | ColumnType::Set(_))
                && let Some(value) = column.default.take()
            {
                column.def.default = default::literal(value, &column.def, state)?;
            }
        }
        Ok(())
    }

    fn check_columns(&self) -> Result<(), SqlError> {
        // One at least that is seen.
        if self.columns.iter().all(|column| column.def.invisible) {
            return Err(SqlError::table_must_have_columns());
        }
        if self.columns.len() > MAX_COLUMNS {
            return Err(SqlError::too_many_fields());
        }
        let unknown = |name: &&String| self.column(name).is_none();
        let mut foreign = self.foreign_keys.iter().filter(|key| key.new && key.altering);
        if let Some(name) = foreign.find_map(|key| key.columns.iter().find(unknown)) {
            return Err(SqlError::key_column_does_not_exist(name));
        }
        for (at, column) in self.columns.iter().enumerate() {
            if self.columns[..at].iter().any(|c| same_name(&c.def.name, &column.def.name)) {
                return Err(SqlError::dup_fieldname(&column.def.name));
            }
        }
        Ok(())
    }

    fn primary_key_is_not_null(&mut self) {
        let parts: Vec<String> = self
            .keys
            .iter()
            .filter(|key| key.kind == IndexKind::Primary)
            .flat_map(|key| key.parts.iter().map(|part| part.column.clone()))
            .collect();
        for name in parts {
            let Some(at) = self.column(&name) else { continue };
            let column = &mut self.columns[at].def;
            column.nullable = false;
            match column.default {
                DefaultValue::Missing if column.auto_increment => {}
                DefaultValue::Null | DefaultValue::Missing => column.default = DefaultValue::None,
                _ => {}
            }
        }
    }
}

/// One AUTO_INCREMENT column at most, and it leads a key.
fn check_auto_increment(def: &TableDef) -> Result<(), SqlError> {
    let mut automatic = def.columns.iter().enumerate().filter(|(_, c)| c.auto_increment);
    let Some((at, _)) = automatic.next() else { return Ok(()) };
    let leads = def.indexes.iter().any(|index| index.parts.first().is_some_and(|p| p.column == at));
    match leads && automatic.next().is_none() {
        true => Ok(()),
        false => Err(SqlError::wrong_auto_key()),
    }
}

/// MariaDB's limit of a row, BLOBs counted by their length and place only.
fn check_row_size(def: &TableDef) -> Result<(), SqlError> {
    let nullable = def.columns.iter().filter(|c| c.nullable).count() as u64;
    let bytes: u64 = def.columns.iter().map(column_bytes).sum();
    match bytes + nullable.div_ceil(8) > MAX_ROW_BYTES {
        true => Err(SqlError::too_big_row_size(MAX_ROW_BYTES)),
        false => Ok(()),
    }
}

fn column_bytes(column: &ColumnDef) -> u64 {
    match &column.ty {
        ty if ty.is_blob() => ty.length_bytes(column.collation) as u64 + 8,
        ColumnType::Char(_) | ColumnType::Binary(_) => u64::from(column.ty.max_bytes(column.collation)),
        ty if ty.is_string() => {
            u64::from(ty.max_bytes(column.collation)) + ty.length_bytes(column.collation) as u64
        }
        ty => index::fixed_bytes(ty),
    }
}

/// Gives checks without a name one; error 1826 for a name that another constraint of the table has.
fn name_checks(
    checks: Vec<DraftCheck>,
    def: &TableDef,
    foreign_keys: &[DraftForeign],
) -> Result<Vec<CheckDef>, SqlError> {
    let of_columns = def.columns.iter().filter(|column| column.check.is_some()).map(|column| &column.name);
    let keys = def.indexes.iter().filter(|index| index.is_unique()).map(|index| &index.name);
    let foreign = foreign_keys.iter().filter_map(|key| key.name.as_ref());
    let mut taken: Vec<String> = of_columns.clone().chain(keys).chain(foreign).cloned().collect();
    let written: Vec<String> = checks.iter().filter_map(|check| check.name.clone()).collect();
    let used = |names: &[String], name: &str| names.iter().any(|taken| same_name(taken, name));
    let mut next = 0;
    let mut named = Vec::with_capacity(checks.len());
    for check in checks {
        let name = check.name.unwrap_or_else(|| {
            loop {
                next += 1;
                let name = format!("CONSTRAINT_{next}");
                if !used(&written, &name) && !of_columns.clone().any(|column| same_name(column, &name)) {
                    return name;
                }
            }
        });
        if used(&taken, &name) {
            return Err(SqlError::dup_constraint_name("CHECK", name));
        }
        taken.push(name.clone());
        named.push(CheckDef { name, expression: check.expression });
    }
    Ok(named)
}

/// The columns that an expression names.
fn named_in(expr: &Expr) -> Vec<usize> {
    let mut named = Vec::new();
    expr.visit(&mut |e| {
        if let Kind::Column(slot) = &e.kind {
            named.push(slot.index as usize);
        }
    });
    named
}

/// Error 4029 for columns that have no value yet when a default is computed.
fn check_default(def: &TableDef, at: usize, default: &Expr, state: &mut State) -> Result<(), SqlError> {
    for other in named_in(default) {
        let column = &def.columns[other];
        let computed = match &column.default {
            DefaultValue::Expression(text) => {
                let mut depends = false;
                expression_over(text, def, Clause::Default, state)?.visit(&mut |e| {
                    depends |= match &e.kind {
                        Kind::Column(_) => true,
                        Kind::Call(call) => !call.deterministic,
                        _ => false,
                    };
                });
                depends
            }
            _ => false,
        };
        if column.generated.is_some() || (computed && other >= at) {
            return Err(SqlError::refers_to_uninitialized(&def.columns[at].name, &column.name));
        }
    }
    Ok(())
}

/// Defaults that are the same for every row, in the order of their columns: literals, and expressions of constants. Names
/// that there are not are told behind them.
fn check_constants(
    def: &mut TableDef,
    literals: Vec<Option<Value>>,
    state: &mut State,
) -> Result<(), SqlError> {
    for (at, literal) in literals.into_iter().enumerate() {
        if let Some(value) = literal {
            if value.is_null() {
                return Err(SqlError::invalid_default(&def.columns[at].name));
            }
            def.columns[at].default = default::literal(value, &def.columns[at], state)?;
        } else if let DefaultValue::Expression(text) = &def.columns[at].default {
            let column = &def.columns[at];
            let bind = |state: &mut State| known(text, def, Clause::Default, state);
            if let (Ok(expr), _) = crate::expr::build::silently(state, bind) {
                default::constant(&expr, column, state)?;
            }
        }
    }
    Ok(())
}

fn obeys(def: &TableDef, place: Place<'_>, rule: Rule, text: &str) -> Result<(), SqlError> {
    allowed::check(def, place, rule, &mut parse_kept(text)?)
}

/// Nothing is called that must not be.
fn check_calls(def: &TableDef) -> Result<(), SqlError> {
    for (at, column) in def.columns.iter().enumerate() {
        if let DefaultValue::Expression(default) = &column.default {
            obeys(def, Place::Default(&column.name), Rule::Calls, default)?;
        }
        if let Some(check) = &column.check {
            obeys(def, Place::Check(&column.name), Rule::Calls, check)?;
        }
        if let Some(generated) = &column.generated {
            obeys(def, Place::Generated(at), Rule::Calls, &generated.expression)?;
        }
    }
    Ok(())
}

/// Columns that nobody has to know of need a value.
fn check_invisible(def: &TableDef, literals: &[Option<Value>]) -> Result<(), SqlError> {
    for (column, literal) in def.columns.iter().zip(literals) {
        let given =
            literal.is_some() || column.nullable || column.auto_increment || column.generated.is_some();
        if column.invisible && !given && column.default == DefaultValue::None {
            return Err(SqlError::invisible_without_default(&column.name));
        }
    }
    Ok(())
}

/// Binds every expression of the definition once, so that a wrong name is told now.
fn check_expressions(def: &TableDef, state: &mut State) -> Result<(), SqlError> {
    for (at, column) in def.columns.iter().enumerate() {
        if let DefaultValue::Expression(default) = &column.default {
            let expr = known(default, def, Clause::Default, state)?;
            let counts = |at: &usize| def.columns[*at].auto_increment;
            if let Some(other) = named_in(&expr).into_iter().find(counts) {
                let name = &def.columns[other].name;
                return Err(SqlError::function_not_allowed_in("AUTO_INCREMENT", "DEFAULT", name));
            }
        }
        if let Some(check) = &column.check {
            obeys(def, Place::Check(&column.name), Rule::Counters, check)?;
            known(check, def, Clause::Check, state)?;
        }
        if let Some(generated) = &column.generated {
            let expr = known(&generated.expression, def, Clause::Generated, state)?;
            super::generated::check_rounding(def, at, &expr, state)?;
            super::generated::check_padding(def, at, &parse_kept(&generated.expression)?, state)?;
        }
    }
    for check in &def.checks {
        obeys(def, Place::Check(&check.name), Rule::Counters, &check.expression)?;
        known(&check.expression, def, Clause::Check, state)?;
    }
    Ok(())
}

/// Every expression has the values that it reads.
fn check_order(def: &TableDef, state: &mut State) -> Result<(), SqlError> {
    for (at, column) in def.columns.iter().enumerate() {
        if let DefaultValue::Expression(default) = &column.default {
            let bound =
                crate::expr::build::silently(state, |state| known(default, def, Clause::Default, state));
            check_default(def, at, &bound.0?, state)?;
        }
        if let Some(generated) = &column.generated {
            obeys(def, Place::Generated(at), Rule::Order, &generated.expression)?;
        }
    }
    Ok(())
}

/// A kept expression, bound; of one that names an unknown column a second error is told.
fn known(text: &str, def: &TableDef, clause: Clause, state: &mut State) -> Result<Expr, SqlError> {
    let bound = expression_over(text, def, clause, state);
    // Names, collations and types that do not go together.
    if let Err(error) = &bound
        && matches!(error.errno, 1054 | 1253 | 1267 | 1270 | 1271 | 4078 | 4079)
    {
        let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        let shown = inner.filter(|_| clause == Clause::Default).unwrap_or(text);
        let second = SqlError::evaluating_expression(shown);
        state.warn(Level::Error, error.errno, error.message.clone());
        state.warn(Level::Error, second.errno, second.message);
    }
    bound
}
