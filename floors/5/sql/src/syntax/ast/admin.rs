//! SET, SHOW, transactions, accounts, maintenance.

use super::{Expr, Name, Statement, TableName, VarScope};

/// One assignment of SET.
#[derive(Debug, Clone, PartialEq)]
pub enum SetItem {
    /// A system variable; `value` is [`super::ExprKind::Default`] for `DEFAULT`, and a bare word is a column reference
    /// without a table, to be read as a string.
    Variable {
        /// The scope; session where not given.
        scope: Option<VarScope>,
        /// The part before the point of a structured variable.
        base: Option<Name>,
        /// The variable.
        name: Name,
        /// Its value.
        value: Expr,
    },
    /// `@name = value`.
    UserVar {
        /// The variable.
        name: Name,
        /// Its value.
        value: Expr,
    },
    /// `NAMES charset [COLLATE collation]`; none is `DEFAULT`.
    Names {
        /// The character set.
        charset: Option<Name>,
        /// The collation.
        collation: Option<Name>,
    },
    /// `CHARACTER SET charset`; none is `DEFAULT`.
    CharacterSet(Option<Name>),
    /// `PASSWORD [FOR account] = ...`.
    Password {
        /// The account; the current one where not given.
        account: Option<Account>,
        /// What it becomes.
        auth: Auth,
    },
    /// `[scope] TRANSACTION ...`; no scope means the next transaction only.
    Transaction {
        /// The scope.
        scope: Option<VarScope>,
        /// `ISOLATION LEVEL`.
        isolation: Option<IsolationLevel>,
        /// `READ ONLY` (true), `READ WRITE` (false).
        read_only: Option<bool>,
    },
    /// `ROLE name | NONE`.
    Role(Option<Account>),
    /// `DEFAULT ROLE name | CURRENT_ROLE | NONE FOR account`.
    DefaultRole {
        /// The role.
        role: Option<Account>,
        /// The account.
        account: Option<Account>,
    },
}

impl SetItem {
    /// The expression that is assigned, if one is.
    pub fn value(&self) -> Option<&Expr> {
        match self {
            SetItem::Variable { value, .. } | SetItem::UserVar { value, .. } => Some(value),
            _ => None,
        }
    }

    /// Whether tables are read for any of the values.
    pub fn any_has_from(items: &[SetItem]) -> bool {
        items.iter().filter_map(SetItem::value).any(Expr::has_from)
    }
}

/// Isolation levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum IsolationLevel {
    ReadUncommitted,
    ReadCommitted,
    RepeatableRead,
    Serializable,
}

/// `BEGIN`, `START TRANSACTION`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Begin {
    /// `WITH CONSISTENT SNAPSHOT`.
    pub consistent_snapshot: bool,
    /// `READ ONLY` (true), `READ WRITE` (false).
    pub read_only: Option<bool>,
}

/// `[AND [NO] CHAIN] [[NO] RELEASE]`; none is as `completion_type` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Completion {
    /// `CHAIN`.
    pub chain: Option<bool>,
    /// `RELEASE`.
    pub release: Option<bool>,
}

/// A distributed transaction's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Xid {
    /// Global part.
    pub gtrid: Vec<u8>,
    /// Branch.
    pub bqual: Vec<u8>,
    /// Format.
    pub format: u32,
}

/// `XA ...`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Xa {
    Start { xid: Xid, join: bool, resume: bool },
    End { xid: Xid, suspend: bool, for_migrate: bool },
    Prepare(Xid),
    Commit { xid: Xid, one_phase: bool },
    Rollback(Xid),
    Recover { convert: bool },
}

/// `LOCK TABLES`.
#[derive(Debug, Clone, PartialEq)]
pub struct LockTables {
    /// The tables.
    pub tables: Vec<LockTable>,
    /// `WAIT n`, `NOWAIT`.
    pub wait: super::LockWait,
}

/// A member of LOCK TABLES.
#[derive(Debug, Clone, PartialEq)]
pub struct LockTable {
    /// The table.
    pub name: TableName,
    /// Its alias.
    pub alias: Option<Name>,
    /// `WRITE`.
    pub write: bool,
    /// `READ LOCAL`, `WRITE CONCURRENT`.
    pub local: bool,
}

/// Output of EXPLAIN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub enum ExplainFormat {
    #[default]
    Traditional,
    Json,
}

/// `EXPLAIN`, `ANALYZE`.
#[derive(Debug, Clone, PartialEq)]
pub struct Explain {
    /// `ANALYZE statement`: runs it.
    pub analyze: bool,
    /// `EXTENDED`.
    pub extended: bool,
    /// `PARTITIONS`.
    pub partitions: bool,
    /// `FORMAT=`.
    pub format: ExplainFormat,
    /// The statement.
    pub statement: Statement,
}

/// `LIKE 'pattern'` or `WHERE expr` behind SHOW.
#[derive(Debug, Clone, PartialEq)]
pub enum ShowFilter {
    /// `LIKE`.
    Like(Vec<u8>),
    /// `WHERE`.
    Where(Expr),
}

/// `SHOW ...`.
#[derive(Debug, Clone, PartialEq)]
pub struct Show {
    /// What.
    pub kind: ShowKind,
    /// Which.
    pub filter: Option<ShowFilter>,
}

/// What is shown.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum ShowKind {
    Databases,
    Tables {
        full: bool,
        database: Option<Name>,
    },
    TableStatus {
        database: Option<Name>,
    },
    OpenTables {
        database: Option<Name>,
    },
    Columns {
        full: bool,
        table: TableName,
    },
    Index {
        table: TableName,
    },
    CreateTable(TableName),
    CreateView(TableName),
    CreateDatabase {
        name: Name,
        if_not_exists: bool,
    },
    CreateSequence(TableName),
    /// `PROCEDURE`, `FUNCTION`, `TRIGGER`, `EVENT`, `PACKAGE`, `PACKAGE BODY`.
    CreateStored {
        kind: &'static str,
        name: TableName,
    },
    CreateUser(Option<Account>),
    Grants(Option<Account>),
    Variables {
        global: bool,
    },
    Status {
        global: bool,
    },
    Warnings {
        limit: Option<super::Limit>,
    },
    /// `SHOW COUNT(*) WARNINGS`.
    CountWarnings,
    Errors {
        limit: Option<super::Limit>,
    },
    /// `SHOW COUNT(*) ERRORS`.
    CountErrors,
    ProcessList {
        full: bool,
    },
    Engines,
    /// `SHOW ENGINE name STATUS | MUTEX | LOGS`; the words upper case.
    Engine {
        name: Name,
        what: Name,
    },
    Plugins {
        soname: Option<Name>,
    },
    Privileges,
    Collation,
    CharacterSet,
    Triggers {
        full: bool,
        database: Option<Name>,
    },
    Events {
        database: Option<Name>,
    },
    /// `PROCEDURE`, `FUNCTION`, `PACKAGE`, `PACKAGE BODY`.
    StoredStatus {
        kind: &'static str,
    },
    MasterStatus,
    BinaryLogs,
    BinlogEvents {
        log: Option<String>,
        position: Option<u64>,
        limit: Option<super::Limit>,
    },
    RelaylogEvents {
        log: Option<String>,
        position: Option<u64>,
        limit: Option<super::Limit>,
    },
    SlaveHosts,
    SlaveStatus {
        all: bool,
        connection: Option<Name>,
    },
    Authors,
    Contributors,
    Profiles,
    Profile,
    UserStatistics,
    ClientStatistics,
    IndexStatistics,
    TableStatistics,
    LocaleTimeZones,
}

impl ShowKind {
    /// Whether the answer to COM_STMT_PREPARE tells the columns.
    pub fn is_described(&self) -> bool {
        !matches!(
            self,
            Self::Warnings { .. } | Self::Errors { .. } | Self::ProcessList { .. } | Self::Engines
        )
    }
}

/// `ANALYZE | CHECK | CHECKSUM | OPTIMIZE | REPAIR TABLE`.
#[derive(Debug, Clone, PartialEq)]
pub struct TableMaintenance {
    /// Which.
    pub kind: MaintenanceKind,
    /// The tables.
    pub tables: Vec<TableName>,
    /// Words behind (`QUICK`, `EXTENDED`, `FOR UPGRADE`, ...), upper case.
    pub options: Vec<Name>,
    /// `NO_WRITE_TO_BINLOG`, `LOCAL`.
    pub local: bool,
    /// `PERSISTENT FOR ...`.
    pub persistent: bool,
}

/// Kinds of table maintenance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum MaintenanceKind {
    Analyze,
    Check,
    Checksum,
    Optimize,
    Repair,
}

/// `FLUSH`.
#[derive(Debug, Clone, PartialEq)]
pub struct Flush {
    /// `NO_WRITE_TO_BINLOG`, `LOCAL`.
    pub local: bool,
    /// What.
    pub targets: Vec<FlushTarget>,
}

/// What is flushed.
#[derive(Debug, Clone, PartialEq)]
pub enum FlushTarget {
    /// `TABLES [list] [WITH READ LOCK | FOR EXPORT]`.
    Tables {
        /// The tables; empty means all.
        tables: Vec<TableName>,
        /// `WITH READ LOCK`.
        read_lock: bool,
        /// `FOR EXPORT`.
        for_export: bool,
    },
    /// `LOGS`, or `BINARY LOGS` and so on: the words before LOGS, upper case, empty for all.
    Logs(Name),
    /// Any other, upper case: `PRIVILEGES`, `STATUS`, `HOSTS`, `USER_RESOURCES`, `QUERY CACHE`, ...
    Other(Name),
}

/// `RESET ...`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ResetTarget {
    Master,
    Slave { all: bool },
    QueryCache,
}

/// `KILL`.
#[derive(Debug, Clone, PartialEq)]
pub struct Kill {
    /// `QUERY` rather than `CONNECTION`.
    pub query: bool,
    /// `SOFT`.
    pub soft: bool,
    /// Whom.
    pub target: KillTarget,
}

/// Whom KILL ends.
#[derive(Debug, Clone, PartialEq)]
pub enum KillTarget {
    /// A connection's number.
    Id(Expr),
    /// A query's number.
    QueryId(Expr),
    /// All connections of an account.
    User(Account),
}

/// How far logs go.
#[derive(Debug, Clone, PartialEq)]
pub enum PurgeUntil {
    /// `TO 'name'`.
    Log(String),
    /// `BEFORE expr`.
    Before(Expr),
}

/// `BACKUP STAGE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BackupStage {
    Start,
    Flush,
    BlockDdl,
    BlockCommit,
    End,
}

/// Replication commands.
#[derive(Debug, Clone, PartialEq)]
pub enum Replication {
    /// `CHANGE MASTER ['name'] TO key = value, ...`: keys upper case.
    ChangeMaster {
        /// The connection.
        connection: Option<Name>,
        /// The settings.
        options: Vec<(Name, Expr)>,
    },
    /// `START [ALL] SLAVE[S]`.
    Start {
        /// The connection.
        connection: Option<Name>,
        /// `ALL SLAVES`.
        all: bool,
        /// `IO_THREAD`, `SQL_THREAD`: none means both.
        threads: Vec<Name>,
        /// `UNTIL key = value`.
        until: Vec<(Name, Expr)>,
    },
    /// `STOP [ALL] SLAVE[S]`.
    Stop {
        /// The connection.
        connection: Option<Name>,
        /// `ALL SLAVES`.
        all: bool,
        /// `IO_THREAD`, `SQL_THREAD`.
        threads: Vec<Name>,
    },
}

/// `'user'@'host'`, a role, or one of the words for it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Account {
    /// `user[@host]`; without host a user of any, a role or PUBLIC.
    Named {
        /// The user.
        user: String,
        /// The host.
        host: Option<String>,
    },
    /// `CURRENT_USER`.
    CurrentUser,
    /// `CURRENT_ROLE`.
    CurrentRole,
}

/// How an account proves itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Auth {
    /// `IDENTIFIED BY 'text'`, `PASSWORD('text')`.
    Password(Vec<u8>),
    /// `IDENTIFIED BY PASSWORD 'hash'`, `SET PASSWORD = 'hash'`.
    Hash(Vec<u8>),
    /// `IDENTIFIED VIA plugin [USING | AS 'hash' | PASSWORD('text')] [OR ...]`.
    Plugins(Vec<AuthPlugin>),
}

/// One way of `IDENTIFIED VIA a OR b`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthPlugin {
    /// The plugin.
    pub plugin: Name,
    /// `USING 'string'`.
    pub hash: Option<Vec<u8>>,
    /// `USING PASSWORD('text')`, MySQL's `BY 'text'`.
    pub password: Option<Vec<u8>>,
}

/// An account with its proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountSpec {
    /// Who.
    pub account: Account,
    /// How proved; none where not said.
    pub auth: Option<Auth>,
}

/// `CREATE USER`, `ALTER USER`.
#[derive(Debug, Clone, PartialEq)]
pub struct UserStatement {
    /// `ALTER`.
    pub alter: bool,
    /// `OR REPLACE`.
    pub or_replace: bool,
    /// `IF [NOT] EXISTS`.
    pub if_exists: bool,
    /// The accounts.
    pub accounts: Vec<AccountSpec>,
    /// The rest.
    pub options: AccountOptions,
}

/// What may follow the accounts of CREATE USER, ALTER USER and GRANT.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AccountOptions {
    /// `REQUIRE ...`.
    pub require: Option<Require>,
    /// `WITH MAX_QUERIES_PER_HOUR n` and so on: names upper case.
    pub limits: Vec<(Name, u64)>,
    /// `ACCOUNT LOCK` (true), `UNLOCK` (false).
    pub lock: Option<bool>,
    /// `PASSWORD EXPIRE ...`.
    pub expire: Option<PasswordExpire>,
}

/// `REQUIRE ...`.
#[derive(Debug, Clone, PartialEq)]
pub enum Require {
    /// `NONE`.
    None,
    /// `SSL`.
    Ssl,
    /// `X509`.
    X509,
    /// `SUBJECT`, `ISSUER`, `CIPHER`: names upper case.
    Specified(Vec<(Name, String)>),
}

/// `PASSWORD EXPIRE ...`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasswordExpire {
    /// At once.
    Now,
    /// `NEVER`.
    Never,
    /// `DEFAULT`.
    Default,
    /// `INTERVAL n DAY`.
    Days(u64),
}

/// `CREATE ROLE`.
#[derive(Debug, Clone, PartialEq)]
pub struct CreateRole {
    /// `OR REPLACE`.
    pub or_replace: bool,
    /// `IF NOT EXISTS`.
    pub if_not_exists: bool,
    /// The roles.
    pub roles: Vec<Account>,
    /// `WITH ADMIN`: whoever may grant them.
    pub admin: Option<Account>,
}

/// `DROP USER`, `DROP ROLE`.
#[derive(Debug, Clone, PartialEq)]
pub struct DropUser {
    /// `ROLE`.
    pub role: bool,
    /// `IF EXISTS`.
    pub if_exists: bool,
    /// Whom.
    pub accounts: Vec<Account>,
}

/// `GRANT`, `REVOKE`.
#[derive(Debug, Clone, PartialEq)]
pub struct Grant {
    /// What.
    pub what: GrantWhat,
    /// To or from whom.
    pub accounts: Vec<AccountSpec>,
    /// `WITH GRANT OPTION`.
    pub with_grant: bool,
    /// The rest.
    pub options: AccountOptions,
}

/// What is granted.
#[derive(Debug, Clone, PartialEq)]
pub enum GrantWhat {
    /// Privileges on something.
    Privileges {
        /// The privileges, upper case, `ALL` for all of them; each with its columns.
        privileges: Vec<(Name, Vec<Name>)>,
        /// On what.
        on: GrantOn,
    },
    /// A role.
    Role {
        /// The role.
        role: Account,
        /// `WITH ADMIN OPTION`; of REVOKE `ADMIN OPTION FOR`, which takes nothing but that.
        admin_option: bool,
    },
    /// `PROXY ON account`.
    Proxy(Account),
    /// `REVOKE ALL PRIVILEGES, GRANT OPTION FROM`.
    AllAndGrantOption,
}

/// On what privileges are granted.
#[derive(Debug, Clone, PartialEq)]
pub enum GrantOn {
    /// `*.*`.
    Global,
    /// `database.*`; the current one where not given.
    Database(Option<Name>),
    /// A table or view.
    Table(TableName),
    /// `PROCEDURE`, `FUNCTION`, ...
    Stored {
        /// Which.
        kind: &'static str,
        /// Its name.
        name: TableName,
    },
}
