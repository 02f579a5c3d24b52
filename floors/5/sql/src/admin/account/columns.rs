//! Privileges on columns: what an account holds of a table that it may not use as a whole.
//!
//! A table is opened where its account holds the privilege on the table or on any column of it. In the second case the
//! columns that its names are found to be are looked at one by one, by the table's [`Guard`]; in the first there is none.

use super::check::Held;
use super::hashed;
use super::record::Account;
use crate::error::SqlError;
use crate::session::State;
use std::sync::Arc;
use types::table::same_name;

/// Privileges that columns can have, as a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Acts(u8);

/// The privileges that are granted on columns, in their order.
pub const ON_COLUMNS: [&str; 4] = ["SELECT", "INSERT", "UPDATE", "REFERENCES"];
/// Of these a view wants one.
const DML: [&str; 4] = ["SELECT", "INSERT", "UPDATE", "DELETE"];
/// What a view wants of the columns that it shows.
const ANY: &str = "ANY";

impl Acts {
    /// Nothing.
    pub const NONE: Acts = Acts(0);
    /// To be read.
    pub const SELECT: Acts = Acts(1);
    /// To be given a value in a new row.
    pub const INSERT: Acts = Acts(1 << 1);
    /// To be changed.
    pub const UPDATE: Acts = Acts(1 << 2);
    /// To be shown by a view.
    pub const ANY: Acts = Acts(1 << 4);

    /// By name.
    fn named(name: &str) -> Acts {
        ON_COLUMNS.iter().position(|known| *known == name).map_or(Acts::NONE, |at| Acts(1 << at))
    }

    fn of(names: &[String]) -> Acts {
        names.iter().fold(Acts::NONE, |acts, name| acts.and(Acts::named(name)))
    }

    /// Both.
    #[must_use]
    pub fn and(self, other: Acts) -> Acts {
        Acts(self.0 | other.0)
    }

    fn without(self, other: Acts) -> Acts {
        Acts(self.0 & !other.0)
    }

    fn within(self, other: Acts) -> Acts {
        Acts(self.0 & other.0)
    }

    fn is_none(self) -> bool {
        self.0 == 0
    }

    fn text(self) -> String {
        let names = ON_COLUMNS.iter().chain([&ANY]).enumerate();
        let names = names.filter(|(at, _)| self.0 & 1 << at != 0).map(|(_, name)| *name);
        names.collect::<Vec<_>>().join(", ")
    }
}

/// What an account holds of a table's columns, where it holds not all on the table that the statement wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guard {
    /// User and host.
    who: (String, String),
    database: String,
    table: String,
    /// Of the table that a view shows: who defined the view may do no more than that.
    below: Option<Arc<Guard>>,
    /// What it does not hold on the table.
    lacking: Acts,
    /// The columns that it holds something on.
    columns: Vec<(String, Acts)>,
}

impl Guard {
    fn lacks(&self, column: &str, wanted: Acts) -> Acts {
        let wanted = wanted.within(self.lacking);
        if wanted.is_none() {
            return wanted;
        }
        let columns = self.columns.iter().filter(|(name, _)| same_name(name, column));
        wanted.without(columns.fold(Acts::NONE, |held, (_, acts)| held.and(*acts)))
    }

    /// Error 1143 where something is not held on a column. Which columns there are is not told either.
    pub fn check(&self, column: &str, wanted: Acts) -> Result<(), SqlError> {
        let lacking = self.lacks(column, wanted);
        match lacking.is_none() {
            true => self.below.as_ref().map_or(Ok(()), |below| below.check(column, wanted)),
            false => {
                let (user, host) = &self.who;
                Err(SqlError::column_access_denied(lacking.text(), user, host, column, &self.table))
            }
        }
    }

    /// The guard of one column, under another name.
    #[must_use]
    pub fn renamed(&self, column: &str, name: &str) -> Guard {
        let own = self.columns.iter().filter(|(known, _)| same_name(known, column));
        Guard { columns: own.map(|(_, acts)| (name.to_owned(), *acts)).collect(), ..self.clone() }
    }

    /// The guard of a view over that of the table that it shows.
    #[must_use]
    pub fn over(&self, below: Arc<Guard>) -> Guard {
        Guard { below: Some(below), ..self.clone() }
    }

    /// The same for all columns that nobody names: error 1142 once one of them is known to be there.
    pub fn check_all<'c>(
        &self,
        columns: impl Iterator<Item = &'c str>,
        wanted: Acts,
    ) -> Result<(), SqlError> {
        let mut known = false;
        for column in columns {
            known |= self.columns.iter().any(|(name, _)| same_name(name, column));
            self.check(column, wanted).map_err(|error| match known {
                true => {
                    let (user, host) = &self.who;
                    SqlError::table_access_denied(wanted.text(), user, host, &self.database, &self.table)
                }
                false => error,
            })?;
        }
        Ok(())
    }
}

impl Held {
    /// What the account holds on columns of a table.
    fn on_columns(&self, database: &str, table: &str) -> impl Iterator<Item = (&String, Acts)> {
        let columns = self.record().map(|record| &record.columns);
        let of_table = columns.and_then(|columns| columns.get(&format!("{database}.{table}")));
        of_table.into_iter().flatten().map(|(column, names)| (column, Acts::of(names)))
    }

    /// Whether the account holds a privilege on a table or on one of its columns.
    pub(crate) fn may_some(&self, privilege: &str, database: &str, table: &str) -> bool {
        let acts = Acts::named(privilege);
        self.may(privilege, database, Some(table))
            || !acts.is_none()
                && self.on_columns(database, table).any(|(_, held)| !held.within(acts).is_none())
    }

    /// Whether the account holds any privilege on columns of a table.
    pub(super) fn sees_columns(&self, database: &str, table: &str) -> bool {
        self.on_columns(database, table).next().is_some()
    }

    /// The privileges of [`ON_COLUMNS`] that the account holds on a column.
    pub(crate) fn on_column(&self, database: &str, table: &str, column: &str) -> Vec<&'static str> {
        let own = self.on_columns(database, table).filter(|(name, _)| same_name(name, column));
        let own = own.fold(Acts::NONE, |held, (_, acts)| held.and(acts));
        let has =
            |name: &&str| !own.within(Acts::named(name)).is_none() || self.may(name, database, Some(table));
        ON_COLUMNS.into_iter().filter(has).collect()
    }

    /// Whether a view may show something of a table.
    pub(crate) fn may_any(&self, database: &str, table: &str) -> bool {
        DML.iter().any(|name| self.may_some(name, database, table))
    }

    /// What guards a table's columns, for a statement that wants no more than `wanted` of them; none where nothing is
    /// lacking.
    fn guard(&self, who: (String, String), database: &str, table: &str, wanted: Acts) -> Option<Arc<Guard>> {
        let mut lacking = wanted;
        for name in ON_COLUMNS {
            if self.may(name, database, Some(table)) {
                lacking = lacking.without(Acts::named(name));
            }
        }
        if DML.iter().any(|name| self.may(name, database, Some(table))) {
            lacking = lacking.without(Acts::ANY);
        }
        if lacking.is_none() {
            return None;
        }
        let some = |acts: Acts| if acts.is_none() { acts } else { acts.and(Acts::ANY) };
        let columns = self.on_columns(database, table);
        Some(Arc::new(Guard {
            who,
            database: database.to_owned(),
            table: table.to_owned(),
            below: None,
            lacking,
            columns: columns.map(|(name, acts)| (name.clone(), some(acts))).collect(),
        }))
    }
}

/// What guards a table's columns from whom: another account than the session's, or that.
pub(crate) fn guard(
    state: &mut State,
    security: Option<&Held>,
    (database, table): (&str, &str),
    wanted: Acts,
) -> Result<Option<Arc<Guard>>, SqlError> {
    match security {
        Some(held) if held.is_unlimited() => Ok(None),
        Some(held) => Ok(held.guard(held.who(), database, table, wanted)),
        None if state.restriction() == 0 => Ok(None),
        None => {
            let who = state.told_name();
            Ok(state.held()?.guard(who, database, table, wanted))
        }
    }
}

/// The columns of a grant in the order that MariaDB tells them in.
pub(crate) fn in_order(columns: &[(String, Vec<String>)]) -> Vec<&(String, Vec<String>)> {
    let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
    hashed::order(&names).into_iter().map(|at| &columns[at]).collect()
}

/// Adds privileges on columns of a table.
pub(super) fn add(account: &mut Account, scope: &str, granted: &[(String, Vec<String>)]) {
    if granted.is_empty() {
        return;
    }
    let columns = account.columns.entry(scope.to_owned()).or_default();
    for (column, names) in granted {
        match columns.iter_mut().find(|(known, _)| known == column) {
            Some((_, held)) => {
                held.extend(names.iter().filter(|name| !held.contains(name)).cloned().collect::<Vec<_>>())
            }
            None => columns.push((column.clone(), names.clone())),
        }
    }
}

/// Takes privileges on columns of a table back, and those that go on the table itself. Whether there was something on
/// each of the columns.
pub(super) fn take(
    account: &mut Account,
    scope: &str,
    gone: &[(String, Vec<String>)],
    of_table: &[String],
) -> bool {
    let Some(columns) = account.columns.get_mut(scope) else { return gone.is_empty() };
    for (column, names) in gone {
        match columns.iter_mut().find(|(known, _)| known == column) {
            Some((_, held)) => held.retain(|name| !names.contains(name)),
            None => return false,
        }
    }
    for (_, held) in columns.iter_mut() {
        held.retain(|name| !of_table.iter().any(|gone| gone == name || gone == "ALL"));
    }
    columns.retain(|(_, held)| !held.is_empty());
    if columns.is_empty() {
        account.columns.remove(scope);
    }
    true
}
