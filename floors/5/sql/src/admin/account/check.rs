//! Whether a session's account may do what a statement asks: looked at when tables are opened and before data
//! definition. An account with all privileges costs one comparison; plans of all others are kept apart by
//! [`State::restriction`].

use super::grant::{GRANT_OPTION, level};
use super::privilege::Level;
use super::record::{self, Account};
use super::require;
use super::roles::effective;
use crate::catalog::is_information_schema;
use crate::error::SqlError;
use crate::session::State;
use crate::syntax::ast::{
    AlterAction, ColumnSpec, MaintenanceKind, References, Statement, TableElement, TableName,
};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use types::CollationId;

/// What a session may do, as far as it has looked it up.
pub struct Held {
    /// The change of accounts that it follows.
    generation: u64,
    /// What its account, its role and PUBLIC may do, as one account; none for a session inside the server, of no account.
    record: Option<Account>,
    /// Everything is allowed.
    unlimited: bool,
    /// As [`State::restriction`] gives it.
    restriction: u64,
    /// `user@host`.
    account: String,
    /// The role that counts.
    role: Option<String>,
}

impl Held {
    /// What an account may do that has a role set.
    fn of(account: &str, role: Option<&str>, generation: u64, record: Option<Account>) -> Self {
        let all = record.as_ref().is_some_and(|record| record.privileges.iter().any(|name| name == "ALL"));
        let unlimited = all || account.is_empty();
        let mut hasher = std::hash::DefaultHasher::new();
        let everywhere = record.as_ref().map(|record| &record.privileges);
        (account, role, generation, everywhere).hash(&mut hasher);
        let restriction = if unlimited { 0 } else { hasher.finish() | 1 };
        let (account, role) = (account.to_owned(), role.map(str::to_owned));
        Self { generation, record, unlimited, restriction, account, role }
    }

    /// All that may be done, as one account; none for a session of no account.
    pub(super) fn record(&self) -> Option<&Account> {
        self.record.as_ref()
    }

    /// Whether everything is allowed.
    pub(super) fn is_unlimited(&self) -> bool {
        self.unlimited
    }

    /// User and host.
    pub(crate) fn who(&self) -> (String, String) {
        let (user, host) = self.account.rsplit_once('@').unwrap_or((&self.account, "%"));
        (user.to_owned(), host.to_owned())
    }

    /// What CURRENT_USER and CURRENT_ROLE are where this counts; none for nobody's.
    pub(crate) fn current(&self) -> Option<(&str, Option<&str>)> {
        (!self.account.is_empty()).then_some((&self.account, self.role.as_deref()))
    }

    /// Everything is allowed.
    pub(crate) fn unlimited() -> Self {
        Self::of("", None, 0, None)
    }

    /// Whether the account holds a privilege on a table, or on a database where no table is named.
    pub(crate) fn may(&self, privilege: &str, database: &str, table: Option<&str>) -> bool {
        if self.unlimited {
            return true;
        }
        let Some(record) = &self.record else { return false };
        let has = |names: &[String]| names.iter().any(|name| name == privilege || name == "ALL");
        let scoped = record.scoped.iter().any(|(scope, names)| match level(Some(scope)) {
            Level::Table => {
                table.is_some_and(|table| scope.split_once('.') == Some((database, table))) && has(names)
            }
            _ => matches_database(scope, database) && has(names),
        });
        scoped || has(&record.privileges)
    }
}

impl Held {
    /// Whether the account may pass on what it holds on a table.
    pub(super) fn may_grant(&self, database: &str, table: &str) -> bool {
        let everywhere = self.record.as_ref().is_some_and(|record| record.grant_option);
        let option = |names: &[String]| names.iter().any(|name| name == GRANT_OPTION);
        let scoped = self.record.iter().flat_map(|record| &record.scoped);
        self.account.is_empty()
            || everywhere
            || scoped.into_iter().any(|(scope, names)| match scope.split_once('.') {
                Some(own) => own == (database, table) && option(names),
                None => matches_database(scope, database) && option(names),
            })
    }

    /// Whether the account holds any privilege on a table as a whole.
    pub(crate) fn has_table(&self, database: &str, table: &str) -> bool {
        Level::Table.names().any(|privilege| self.may(privilege, database, Some(table)))
    }

    /// Whether the account holds any privilege on a table or its columns.
    fn sees_table(&self, database: &str, table: &str) -> bool {
        self.has_table(database, table) || self.sees_columns(database, table)
    }

    /// Whether the account holds any privilege on a database or on something in it.
    fn sees_database(&self, database: &str) -> bool {
        let within = |scope: &String| scope.split_once('.').is_some_and(|(scope, _)| scope == database);
        is_information_schema(database)
            || self.may("SHOW DATABASES", database, None)
            || Level::Database.names().any(|privilege| self.may(privilege, database, None))
            || self.record.as_ref().is_some_and(|record| record.scopes().into_iter().any(within))
    }
}

/// What the definer of a view may do; none where nothing is looked at, because the session is of no account. Error
/// 1449 for a definer that is gone, 1045 where the session could not be told who that is.
pub(crate) fn definer(state: &State, (user, host): &(String, String)) -> Result<Option<Arc<Held>>, SqlError> {
    if state.account.is_empty() {
        return Ok(None);
    }
    match record::find(state, user, host) {
        Some(record) => {
            let whole = match record.role {
                true => effective(&state.engine, Account::new_role(user), Some(user)),
                false => effective(&state.engine, record, None),
            };
            let held = match host.is_empty() {
                // Neither errors nor CURRENT_USER name roles.
                true => Held::of("@", Some(user), 0, Some(whole)),
                false => Held::of(&format!("{user}@{host}"), None, 0, Some(whole)),
            };
            Ok(Some(Arc::new(held)))
        }
        None => {
            require(state, &["SUPER", "SET USER"]).map_err(|_| {
                let (user, host) = state.own_name();
                SqlError::access_denied(user, host, "NO")
            })?;
            Err(SqlError::no_such_user(user, host))
        }
    }
}

impl State {
    #[inline]
    pub(crate) fn held(&mut self) -> Result<&Held, SqlError> {
        let generation = self.host.globals().accounts_generation();
        if self.held.as_ref().is_none_or(|held| held.generation != generation) {
            self.look_up_held(generation);
        }
        self.held.as_ref().ok_or_else(|| SqlError::internal_error("look up privileges"))
    }

    #[cold]
    fn look_up_held(&mut self, generation: u64) {
        let whole = (!self.account.is_empty()).then(|| self.effective());
        let record = whole.map(|whole| Account {
            privileges: self.everywhere.privileges.clone(),
            grant_option: self.everywhere.grant_option,
            ..whole
        });
        self.held = Some(Held::of(&self.account, self.role.as_deref(), generation, record));
    }

    /// A number that accounts of different privileges do not share: 0 for those that may do everything.
    #[inline]
    pub(crate) fn restriction(&mut self) -> u64 {
        self.held().map_or(1, |held| held.restriction)
    }

    /// Whether the account holds a privilege on a table, or on a database where no table is named.
    pub(crate) fn may(
        &mut self,
        privilege: &str,
        database: &str,
        table: Option<&str>,
    ) -> Result<bool, SqlError> {
        Ok(self.held()?.may(privilege, database, table))
    }

    /// Whether the account holds any privilege on a table.
    pub(crate) fn sees_table(&mut self, database: &str, table: &str) -> Result<bool, SqlError> {
        Ok(self.held()?.sees_table(database, table))
    }

    /// Whether the account holds any privilege on a database or on something in it.
    pub(crate) fn sees_database(&mut self, database: &str) -> Result<bool, SqlError> {
        Ok(self.held()?.sees_database(database))
    }

    /// Error 1044 unless the account holds any privilege on a database or on something in it.
    pub(crate) fn check_sees_database(&mut self, database: &str) -> Result<(), SqlError> {
        match self.sees_database(database)? {
            true => Ok(()),
            false => Err(self.database_denied(database)),
        }
    }

    /// Error 1142 unless the account holds any privilege on a table; those on its columns count where the command is
    /// SELECT.
    pub(crate) fn check_sees_table(
        &mut self,
        command: &str,
        database: &str,
        table: &str,
    ) -> Result<(), SqlError> {
        let held = self.held()?;
        let sees = match command {
            "SELECT" => held.sees_table(database, table),
            _ => held.has_table(database, table),
        };
        match is_information_schema(database) || sees {
            true => Ok(()),
            false => Err(self.denied(command, database, table)),
        }
    }

    /// Error 1044 for the session's account.
    pub(crate) fn database_denied(&self, database: &str) -> SqlError {
        let (user, host) = self.own_name();
        SqlError::db_access_denied(user, host, database)
    }

    /// Error 1142 for the session's account.
    pub(crate) fn denied(&self, command: impl std::fmt::Display, database: &str, table: &str) -> SqlError {
        let (user, host) = self.told_name();
        SqlError::table_access_denied(command, user, host, database, table)
    }

    /// How errors of tables and columns name the session's account: with the client's host.
    pub(crate) fn told_name(&self) -> (String, String) {
        (self.own_name().0, self.client_host.clone())
    }

    /// Does something that privileges have no say in, because they were looked at before.
    pub(crate) fn without_privileges<T>(&mut self, work: impl FnOnce(&mut State) -> T) -> T {
        let account = std::mem::take(&mut self.account);
        let held = self.held.take();
        let done = work(self);
        self.account = account;
        self.held = held;
        done
    }

    /// Error 1142 unless the account holds a privilege on a table or on one of its columns.
    pub(crate) fn check_table(
        &mut self,
        privilege: &str,
        database: &str,
        table: &str,
    ) -> Result<(), SqlError> {
        self.check_table_all(&[privilege], database, table)
    }

    /// Error 1142 with those of several privileges that the account does not hold on a table.
    pub(crate) fn check_table_all(
        &mut self,
        privileges: &[&str],
        database: &str,
        table: &str,
    ) -> Result<(), SqlError> {
        let held = self.held()?;
        let lacking = privileges.iter().filter(|name| !held.may_some(name, database, table));
        let lacking: Vec<&str> = lacking.copied().collect();
        match lacking.is_empty() {
            true => Ok(()),
            false => Err(self.denied(lacking.join(", "), database, table)),
        }
    }

    /// Error 1044 unless the account holds a privilege on a database.
    pub(crate) fn check_database(&mut self, privilege: &str, database: &str) -> Result<(), SqlError> {
        match self.may(privilege, database, None)? {
            true => Ok(()),
            false => Err(self.database_denied(database)),
        }
    }

    fn check_name(&mut self, privilege: &str, name: &TableName) -> Result<(), SqlError> {
        self.check_name_all(&[privilege], name)
    }

    /// The database that a name is of; an empty one where none is said.
    fn database_of(&self, name: &TableName) -> String {
        name.database.clone().or_else(|| self.database.clone()).unwrap_or_default()
    }

    /// Error 1142 unless the account holds any privilege on a table or its columns.
    fn check_any_name(&mut self, command: &str, name: &TableName) -> Result<(), SqlError> {
        let database = self.database_of(name);
        match is_information_schema(&database) || self.sees_table(&database, &name.name)? {
            true => Ok(()),
            false => Err(self.denied(command, &database, &name.name)),
        }
    }

    fn check_name_all(&mut self, privileges: &[&str], name: &TableName) -> Result<(), SqlError> {
        let database = self.database_of(name);
        match is_information_schema(&database) {
            // What nobody may do there is said by the statement itself.
            true => Ok(()),
            false => self.check_table_all(privileges, &database, &name.name),
        }
    }

    /// Error 1142 for a foreign key to a table that the account may do nothing with as a whole.
    fn check_parent(&mut self, child: &TableName, parent: &References) -> Result<(), SqlError> {
        let database = parent.table.database.as_ref().or(child.database.as_ref());
        let database = database.cloned().or_else(|| self.database.clone()).unwrap_or_default();
        let (held, parent) = (self.held()?, &parent.table.name);
        let of = ["SELECT", "INSERT", "UPDATE", "DELETE", "REFERENCES"];
        match of.iter().any(|name| held.may(name, &database, Some(parent))) {
            true => Ok(()),
            false => Err(self.denied("REFERENCES", &database, parent)),
        }
    }

    /// The same for the foreign key that a column may say with itself.
    fn check_parent_of(&mut self, child: &TableName, column: &ColumnSpec) -> Result<(), SqlError> {
        column.references.as_deref().map_or(Ok(()), |(_, parent)| self.check_parent(child, parent))
    }
}

/// A database's name against a grant's, in which `%` and `_` stand for any characters.
fn matches_database(pattern: &str, database: &str) -> bool {
    CollationId::UTF8MB4_BIN.collation().like(database.as_bytes(), pattern.as_bytes(), Some(u32::from(b'\\')))
}

/// Errors 1044 and 1142 for data definition that the account may not do.
pub fn definition(state: &mut State, statement: &Statement) -> Result<(), SqlError> {
    match statement {
        Statement::CreateDatabase(create) => state.check_database("CREATE", &create.name),
        Statement::DropDatabase(drop) => state.check_database("DROP", &drop.name),
        Statement::AlterDatabase(alter) => {
            let name = alter.name.clone().or_else(|| state.database.clone()).unwrap_or_default();
            state.check_database("ALTER", &name)
        }
        Statement::CreateTable(create) if create.temporary => {
            let database = create.name.database.clone().or_else(|| state.database.clone());
            state.check_database("CREATE TEMPORARY TABLES", &database.unwrap_or_default())
        }
        Statement::DropTable(drop) if drop.temporary => Ok(()),
        Statement::CreateTable(create) => {
            match create.select.is_some() {
                true => state.check_name_all(&["INSERT", "CREATE"], &create.name)?,
                false => state.check_name("CREATE", &create.name)?,
            }
            if create.or_replace {
                state.check_name("DROP", &create.name)?;
            }
            for element in &create.elements {
                match element {
                    TableElement::ForeignKey(key) => state.check_parent(&create.name, &key.references)?,
                    TableElement::Column(column) => state.check_parent_of(&create.name, column)?,
                    _ => {}
                }
            }
            create.like.as_ref().map_or(Ok(()), |like| state.check_name("SELECT", like))
        }
        Statement::CreateView(create) => {
            state.check_name("CREATE VIEW", &create.name)?;
            match create.or_replace || create.alter {
                true => state.check_name("DROP", &create.name),
                false => Ok(()),
            }
        }
        Statement::DropView(drop) => drop.views.iter().try_for_each(|v| state.check_name("DROP", v)),
        Statement::DropTable(drop) => drop.tables.iter().try_for_each(|t| state.check_name("DROP", t)),
        Statement::Truncate(table) => state.check_name("DROP", table),
        Statement::AlterTable(alter) => {
            state.check_name("ALTER", &alter.name)?;
            alter.actions.iter().try_for_each(|action| match action {
                AlterAction::AddForeignKey(key) => state.check_parent(&alter.name, &key.references),
                AlterAction::AddColumn { column, .. }
                | AlterAction::ModifyColumn { column, .. }
                | AlterAction::ChangeColumn { column, .. } => state.check_parent_of(&alter.name, column),
                _ => Ok(()),
            })
        }
        Statement::CreateIndex(create) => state.check_name("INDEX", &create.table),
        Statement::DropIndex(drop) => state.check_name("INDEX", &drop.table),
        Statement::RenameTable(rename) => rename.pairs.iter().try_for_each(|(from, to)| {
            state.check_name("ALTER", from)?;
            state.check_name("DROP", from)?;
            state.check_name("CREATE", to)?;
            state.check_name("INSERT", to)
        }),
        Statement::LockTables(lock) => lock.tables.iter().try_for_each(|table| {
            let database = table.name.database.clone().or_else(|| state.database.clone()).unwrap_or_default();
            state.check_database("LOCK TABLES", &database)
        }),
        Statement::TableMaintenance(maintenance) => {
            maintenance.tables.iter().try_for_each(|table| match maintenance.kind {
                MaintenanceKind::Check => state.check_any_name("CHECK TABLE", table),
                MaintenanceKind::Checksum => state.check_name("SELECT", table),
                _ => state.check_name_all(&["SELECT", "INSERT"], table),
            })
        }
        _ => Ok(()),
    }
}
