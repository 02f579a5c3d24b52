//! Random statements of every kind, one after another in one session: queries, changes, definitions, transactions.
//!
//! What there is to name (tables, views, their columns) is asked of MariaDB after each definition, so that the generator
//! need not know what a definition does. Texts are drawn from lists in which no two values are equal under a
//! collation: which of equal spellings a group shows is chance on both servers.

use crate::dice::Dice;
use crate::schema::Sort;
use crate::statement::Statement;
use crate::term::{Role, Term};

mod change;
mod daily;
mod define;
mod load;
mod plain;
mod query;
mod view;

/// A column.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub sort: Sort,
    /// Its type as INFORMATION_SCHEMA writes it, with length and UNSIGNED.
    pub ty: String,
    /// It takes NULL.
    pub null: bool,
    /// Computed from others.
    pub generated: bool,
    /// AUTO_INCREMENT.
    pub auto: bool,
}

/// A table or view.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// The columns of its primary key.
    pub key: Vec<String>,
    /// It is a view.
    pub view: bool,
}

/// What there is.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// All tables and views.
    pub tables: Vec<Table>,
    /// Tables that have no rows yet.
    pub unfilled: Vec<String>,
    /// Names given out so far: no two objects get one name by chance.
    pub given: usize,
    /// LOAD DATA is wanted more often than other statements.
    pub loads: bool,
    /// What comes next, the last first: statements that belong to the one before.
    pub pending: Vec<Statement>,
}

/// Asks for what [`World::learn`] reads.
pub const CENSUS: &str = "SELECT c.TABLE_NAME, c.COLUMN_NAME, c.DATA_TYPE, c.COLUMN_TYPE, c.IS_NULLABLE, c.EXTRA, c.COLUMN_KEY, \
     t.TABLE_TYPE FROM INFORMATION_SCHEMA.COLUMNS c JOIN INFORMATION_SCHEMA.TABLES t USING (TABLE_SCHEMA, TABLE_NAME) \
     WHERE TABLE_SCHEMA = DATABASE() AND c.TABLE_NAME <> 'nothing' ORDER BY 1, c.ORDINAL_POSITION";

impl World {
    /// Takes the answer to [`CENSUS`] as what there is now.
    pub fn learn(&mut self, rows: &[protocol::client::TextRow]) {
        let before: Vec<String> = self.tables.drain(..).map(|table| table.name).collect();
        for row in rows {
            let text = |i: usize| String::from_utf8_lossy(row[i].as_deref().unwrap_or_default()).into_owned();
            let name = text(0);
            if self.tables.last().is_none_or(|table| table.name != name) {
                let view = text(7) == "VIEW";
                self.tables.push(Table { name, columns: Vec::new(), key: Vec::new(), view });
            }
            let Some(table) = self.tables.last_mut() else { continue };
            let extra = text(5);
            if !text(1).chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                // A name that a view makes up.
                continue;
            }
            if text(6) == "PRI" {
                table.key.push(text(1));
            }
            table.columns.push(Column {
                name: text(1),
                sort: sort_of(&text(2)),
                ty: text(3),
                null: text(4) == "YES",
                generated: extra.contains("GENERATED"),
                auto: extra.contains("auto_increment"),
            });
        }
        self.tables.retain(|table| !table.columns.is_empty());
        let new = self.tables.iter().filter(|table| !table.view && !before.contains(&table.name));
        self.unfilled.extend(new.map(|table| table.name.clone()));
    }

    /// Tables without views.
    pub fn base(&self) -> Vec<&Table> {
        self.tables.iter().filter(|table| !table.view).collect()
    }

    /// A name with a letter that nothing bears yet.
    pub fn fresh(&mut self, letter: char) -> String {
        self.given += 1;
        format!("{letter}{}", self.given)
    }
}

fn sort_of(data_type: &str) -> Sort {
    match data_type {
        "date" | "datetime" | "timestamp" => Sort::Date,
        "time" => Sort::Time,
        "tinyint" | "smallint" | "mediumint" | "int" | "bigint" | "decimal" | "float" | "double" | "bit"
        | "year" => Sort::Number,
        _ => Sort::Text,
    }
}

/// Words that stay.
fn fixed(text: impl Into<String>) -> Term {
    Term::words(Role::Fixed, text)
}

/// Words that may go.
fn optional(text: impl Into<String>) -> Term {
    Term::words(Role::Optional, text)
}

/// A clause that may go.
fn clause(template: &str, parts: Vec<Term>) -> Term {
    Term::of(Role::Optional, template, parts)
}

/// Members with commas between, all but the first of which may go.
fn list(members: Vec<Term>) -> Term {
    let members = members.into_iter().enumerate();
    Term::row(members.map(|(i, member)| if i == 0 { member } else { clause(", {}", vec![member]) }).collect())
}

/// The next statement of a session.
pub fn statement(dice: &mut Dice, world: &mut World) -> Statement {
    if let Some(next) = world.pending.pop() {
        return next;
    }
    let base = world.base().len();
    if base < 2 {
        return define::simple(dice, world);
    }
    if let Some(table) = world.unfilled.pop() {
        return change::fill(dice, world, &table);
    }
    if world.loads && dice.chance(1, 2) {
        return change::loaded(dice, world);
    }
    match dice.below(100) {
        0..=37 => query::statement(dice, world),
        38..=66 => change::statement(dice, world),
        67..=71 if base < 6 => define::create(dice, world),
        67..=85 => define::alter(dice, world),
        86..=91 => view::statement(dice, world),
        92..=93 => session(dice),
        94..=96 => daily::statement(dice, world),
        _ => define::other(dice, world),
    }
}

const SESSION: &[&str] = &[
    "BEGIN",
    "START TRANSACTION",
    "COMMIT",
    "ROLLBACK",
    "SAVEPOINT s1",
    "SAVEPOINT s2",
    "ROLLBACK TO SAVEPOINT s1",
    "ROLLBACK TO s2",
    "RELEASE SAVEPOINT s1",
    "SET autocommit = 0",
    "SET autocommit = 1",
    "SET foreign_key_checks = 0",
    "SET foreign_key_checks = 1",
    "SET unique_checks = 1",
    "SET SESSION sql_safe_updates = 0",
    "SET sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
    "SET sql_mode = ''",
    "SET sql_mode = 'TRADITIONAL'",
    "SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO'",
    "SET sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE'",
    "SET @v = 3",
    "SET insert_id = 70",
    "SET check_constraint_checks = 0",
    "SET check_constraint_checks = 1",
];

fn session(dice: &mut Dice) -> Statement {
    Statement::change(fixed(*dice.pick(SESSION)), Vec::new())
}
