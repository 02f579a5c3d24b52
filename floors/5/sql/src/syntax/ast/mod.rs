//! The statement tree: what the text says, nothing of what it means.
//!
//! One file an idea: `expr` (expressions), `call` (calls in them), `query` (SELECT and everything below it), `dml` (changes), `ddl` (tables,
//! databases, views), `alter` (ALTER TABLE), `admin` (SET, SHOW, transactions, accounts and the rest), `walk` (walking it),
//! `rewrite` (changing it in place).
//!
//! Invariants:
//! - names are kept as written (letter case is the binder's business) and unquoted; function names are lower case;
//! - a [`Span`] points into the text that was handed to the parser, so that a column takes its name from the
//!   statement's own words and an expression can be stored as it was written;
//! - no tree is deeper than the parser's MAX_DEPTH: whoever walks it may recurse. `AND`, `OR` and set
//!   operations are lists, so their length costs no depth.

pub mod admin;
pub mod alter;
pub mod call;
pub mod ddl;
pub mod dml;
pub mod expr;
pub mod query;
pub mod rewrite;
pub mod walk;

pub use admin::*;
pub use alter::*;
pub use call::*;
pub use ddl::*;
pub use dml::*;
pub use expr::*;
pub use query::*;

/// A name as written, without its quotes.
pub type Name = String;

/// A half-open byte range of the text handed to the parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes of `text` under this span; empty where the span does not belong to `text`.
    pub fn of(self, text: &[u8]) -> &[u8] {
        text.get(self.start as usize..self.end as usize).unwrap_or(&[])
    }

    /// From the start of `self` to the end of `other`.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end.max(self.start) }
    }
}

/// `[database.]table`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct TableName {
    /// The database, where given.
    pub database: Option<Name>,
    /// The table or view.
    pub name: Name,
}

/// One statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    /// Only comments.
    Empty,
    /// `SELECT`, `VALUES`, `WITH ... SELECT`, set operations, parenthesised.
    Query(Box<Query>),
    /// `INSERT` and `REPLACE`.
    Insert(Box<Insert>),
    /// `UPDATE`.
    Update(Box<Update>),
    /// `DELETE`.
    Delete(Box<Delete>),
    /// `LOAD DATA`.
    LoadData(Box<LoadData>),
    /// `DO expr, ...`.
    Do(Vec<Expr>),
    /// `CALL name(args)`.
    Call {
        /// Database of the procedure.
        database: Option<Name>,
        /// Its name.
        name: Name,
        /// Its arguments.
        args: Vec<Expr>,
    },

    /// `CREATE TABLE`.
    CreateTable(Box<CreateTable>),
    /// `ALTER TABLE`.
    AlterTable(Box<AlterTable>),
    /// `DROP TABLE`.
    DropTable(DropTable),
    /// `RENAME TABLE`.
    RenameTable(RenameTable),
    /// `TRUNCATE [TABLE]`.
    Truncate(TableName),
    /// `CREATE INDEX`.
    CreateIndex(Box<CreateIndex>),
    /// `DROP INDEX`.
    DropIndex(DropIndex),
    /// `CREATE DATABASE`.
    CreateDatabase(CreateDatabase),
    /// `ALTER DATABASE`.
    AlterDatabase(AlterDatabase),
    /// `DROP DATABASE`.
    DropDatabase(DropDatabase),
    /// `CREATE VIEW` and `ALTER VIEW`.
    CreateView(Box<CreateView>),
    /// `DROP VIEW`.
    DropView(DropView),
    /// `DROP PROCEDURE | FUNCTION | TRIGGER | EVENT | PACKAGE | SEQUENCE`: known so that `IF EXISTS` can be answered.
    DropStored(DropStored),

    /// `SET ...`, all forms but `SET STATEMENT`.
    Set(Vec<SetItem>),
    /// `SET STATEMENT a = 1, ... FOR statement`.
    SetStatement {
        /// The variables set for the one statement.
        items: Vec<SetItem>,
        /// The statement.
        statement: Box<Statement>,
    },
    /// `SHOW ...`.
    Show(Box<Show>),
    /// `DESCRIBE table [column | 'pattern']`.
    Describe {
        /// The table.
        table: TableName,
        /// A column name or LIKE pattern.
        column: Option<Name>,
    },
    /// `EXPLAIN statement` and `ANALYZE statement`.
    Explain(Box<Explain>),
    /// `EXPLAIN FOR CONNECTION n`, `SHOW EXPLAIN FOR n`.
    ExplainConnection {
        /// The connection's number.
        connection: Expr,
        /// `FORMAT=JSON`.
        format: ExplainFormat,
    },
    /// `USE database`.
    Use(Name),
    /// `HELP 'topic'`.
    Help(Name),

    /// `BEGIN`, `START TRANSACTION`.
    Begin(Begin),
    /// `COMMIT`.
    Commit(Completion),
    /// `ROLLBACK` of the whole transaction.
    Rollback(Completion),
    /// `SAVEPOINT name`.
    Savepoint(Name),
    /// `ROLLBACK TO [SAVEPOINT] name`.
    RollbackTo(Name),
    /// `RELEASE SAVEPOINT name`.
    ReleaseSavepoint(Name),
    /// `XA ...`.
    Xa(Xa),
    /// `LOCK TABLES`.
    LockTables(LockTables),
    /// `UNLOCK TABLES`.
    UnlockTables,

    /// `PREPARE name FROM text`.
    Prepare {
        /// The statement's name.
        name: Name,
        /// Its text: a literal, a user variable or any expression.
        source: Expr,
    },
    /// `EXECUTE name [USING ...]`.
    Execute {
        /// The statement's name.
        name: Name,
        /// The parameters.
        using: Vec<Expr>,
    },
    /// `EXECUTE IMMEDIATE text [USING ...]`.
    ExecuteImmediate {
        /// The statement's text.
        source: Expr,
        /// The parameters.
        using: Vec<Expr>,
    },
    /// `DEALLOCATE PREPARE name`, `DROP PREPARE name`.
    Deallocate(Name),

    /// `ANALYZE | CHECK | CHECKSUM | OPTIMIZE | REPAIR TABLE`.
    TableMaintenance(TableMaintenance),
    /// `FLUSH ...`.
    Flush(Flush),
    /// `RESET ...`.
    Reset(Vec<ResetTarget>),
    /// `KILL ...`.
    Kill(Kill),
    /// `PURGE BINARY LOGS ...`.
    PurgeBinaryLogs(PurgeUntil),
    /// `SHUTDOWN`.
    Shutdown {
        /// `WAIT FOR ALL SLAVES`.
        wait_for_replicas: bool,
    },
    /// `BACKUP STAGE ...`.
    BackupStage(BackupStage),
    /// `BACKUP LOCK table`.
    BackupLock(TableName),
    /// `BACKUP UNLOCK`.
    BackupUnlock,
    /// `CREATE USER`, `ALTER USER`.
    User(Box<UserStatement>),
    /// `DROP USER`, `DROP ROLE`.
    DropUser(DropUser),
    /// `RENAME USER a TO b, ...`.
    RenameUser(Vec<(Account, Account)>),
    /// `CREATE ROLE`.
    CreateRole(CreateRole),
    /// `GRANT ...`.
    Grant(Box<Grant>),
    /// `REVOKE ...`.
    Revoke(Box<Grant>),
    /// `CHANGE MASTER ... TO`, `START | STOP SLAVE`: kept by name, acted on by the server.
    Replication(Replication),
}
