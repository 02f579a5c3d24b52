//! Privileges: their names in MariaDB's order, and where each can be granted.

/// A privilege and the levels that it can be granted on.
pub struct Privilege {
    /// Name, upper case.
    pub name: &'static str,
    /// On a database.
    pub database: bool,
    /// On a table.
    pub table: bool,
}

const fn at(name: &'static str, database: bool, table: bool) -> Privilege {
    Privilege { name, database, table }
}

/// All privileges in the order that SHOW GRANTS lists them.
pub const ALL: &[Privilege] = &[
    at("SELECT", true, true),
    at("INSERT", true, true),
    at("UPDATE", true, true),
    at("DELETE", true, true),
    at("CREATE", true, true),
    at("DROP", true, true),
    at("RELOAD", false, false),
    at("SHUTDOWN", false, false),
    at("PROCESS", false, false),
    at("FILE", false, false),
    at("REFERENCES", true, true),
    at("INDEX", true, true),
    at("ALTER", true, true),
    at("SHOW DATABASES", false, false),
    at("SUPER", false, false),
    at("CREATE TEMPORARY TABLES", true, false),
    at("LOCK TABLES", true, false),
    at("EXECUTE", true, false),
    at("REPLICATION SLAVE", false, false),
    at("BINLOG MONITOR", false, false),
    at("CREATE VIEW", true, true),
    at("SHOW VIEW", true, true),
    at("CREATE ROUTINE", true, false),
    at("ALTER ROUTINE", true, false),
    at("CREATE USER", false, false),
    at("EVENT", true, false),
    at("TRIGGER", true, true),
    at("CREATE TABLESPACE", false, false),
    at("DELETE HISTORY", true, true),
    at("SET USER", false, false),
    at("FEDERATED ADMIN", false, false),
    at("CONNECTION ADMIN", false, false),
    at("READ_ONLY ADMIN", false, false),
    at("REPLICATION SLAVE ADMIN", false, false),
    at("REPLICATION MASTER ADMIN", false, false),
    at("BINLOG ADMIN", false, false),
    at("BINLOG REPLAY", false, false),
    at("SLAVE MONITOR", false, false),
];

/// The privilege by the name that GRANT gives; older and newer names of a few are known.
pub fn find(name: &str) -> Option<&'static Privilege> {
    let name = match name {
        "REPLICATION CLIENT" => "BINLOG MONITOR",
        "REPLICATION REPLICA" => "REPLICATION SLAVE",
        "REPLICA MONITOR" => "SLAVE MONITOR",
        "REPLICATION REPLICA ADMIN" => "REPLICATION SLAVE ADMIN",
        "READ ONLY ADMIN" => "READ_ONLY ADMIN",
        "DELETE VERSIONING ROWS" => "DELETE HISTORY",
        name => name,
    };
    ALL.iter().find(|privilege| privilege.name == name)
}

/// Whether a privilege stands before that of granting, in MariaDB's order.
pub fn is_before_grant(name: &str) -> bool {
    ALL.iter().take_while(|privilege| privilege.name != "REFERENCES").any(|privilege| privilege.name == name)
}

/// Where privileges hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Everywhere.
    Global,
    /// In a database.
    Database,
    /// On a table.
    Table,
}

impl Level {
    /// Whether a privilege can be granted here.
    pub fn takes(self, privilege: &Privilege) -> bool {
        match self {
            Self::Global => true,
            Self::Database => privilege.database,
            Self::Table => privilege.table,
        }
    }

    /// Names of all privileges of this level, in order.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        ALL.iter().filter(move |privilege| self.takes(privilege)).map(|privilege| privilege.name)
    }

    /// Sorts a list, and says `ALL` where it is complete.
    pub fn normal(self, held: &[String]) -> Vec<String> {
        let names: Vec<String> = match held.iter().any(|held| held == "ALL") {
            true => self.names().map(str::to_owned).collect(),
            false => self.names().filter(|name| held.iter().any(|h| h == name)).map(str::to_owned).collect(),
        };
        match names.len() == self.names().count() {
            true => vec!["ALL".to_owned()],
            false => names,
        }
    }
}
