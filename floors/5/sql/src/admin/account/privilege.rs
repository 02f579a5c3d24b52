//! Privileges: their names in MariaDB's order, and where each can be granted.

/// A privilege and the levels that it can be granted on.
pub struct Privilege {
    /// Name, upper case.
    pub name: &'static str,
    /// On a database.
    pub database: bool,
    /// On a table.
    pub table: bool,
    /// Context as SHOW PRIVILEGES names it.
    pub context: &'static str,
}

const fn at(name: &'static str, database: bool, table: bool, context: &'static str) -> Privilege {
    Privilege { name, database, table, context }
}

/// All privileges in the order that SHOW GRANTS lists them.
pub const ALL: &[Privilege] = &[
    at("SELECT", true, true, "Tables"),
    at("INSERT", true, true, "Tables"),
    at("UPDATE", true, true, "Tables"),
    at("DELETE", true, true, "Tables"),
    at("CREATE", true, true, "Databases,Tables,Indexes"),
    at("DROP", true, true, "Databases,Tables"),
    at("RELOAD", false, false, "Server Admin"),
    at("SHUTDOWN", false, false, "Server Admin"),
    at("PROCESS", false, false, "Server Admin"),
    at("FILE", false, false, "File access on server"),
    at("REFERENCES", true, true, "Databases,Tables"),
    at("INDEX", true, true, "Tables"),
    at("ALTER", true, true, "Tables"),
    at("SHOW DATABASES", false, false, "Server Admin"),
    at("SUPER", false, false, "Server Admin"),
    at("CREATE TEMPORARY TABLES", true, false, "Databases"),
    at("LOCK TABLES", true, false, "Databases"),
    at("EXECUTE", true, false, "Functions,Procedures"),
    at("REPLICATION SLAVE", false, false, "Server Admin"),
    at("BINLOG MONITOR", false, false, "Server"),
    at("CREATE VIEW", true, true, "Tables"),
    at("SHOW VIEW", true, true, "Tables"),
    at("CREATE ROUTINE", true, false, "Databases"),
    at("ALTER ROUTINE", true, false, "Functions,Procedures"),
    at("CREATE USER", false, false, "Server Admin"),
    at("EVENT", true, false, "Server Admin"),
    at("TRIGGER", true, true, "Tables"),
    at("CREATE TABLESPACE", false, false, "Server Admin"),
    at("DELETE HISTORY", true, true, "Tables"),
    at("SET USER", false, false, "Server"),
    at("FEDERATED ADMIN", false, false, "Server"),
    at("CONNECTION ADMIN", false, false, "Server"),
    at("READ_ONLY ADMIN", false, false, "Server"),
    at("REPLICATION SLAVE ADMIN", false, false, "Server"),
    at("REPLICATION MASTER ADMIN", false, false, "Server"),
    at("BINLOG ADMIN", false, false, "Server"),
    at("BINLOG REPLAY", false, false, "Server"),
    at("SLAVE MONITOR", false, false, "Server"),
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
