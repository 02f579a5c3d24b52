//! Numbers of the protocol: capabilities, server status, column flags, wire types, commands.

/// Capability bits that client and server agree on in the handshake.
pub mod capability {
    /// The client is a MySQL client; MariaDB clears it to say that extended capabilities follow.
    pub const CLIENT_MYSQL: u64 = 1;
    /// Affected rows count matched rows, not changed ones.
    pub const FOUND_ROWS: u64 = 1 << 1;
    /// Column flags are two bytes.
    pub const LONG_FLAG: u64 = 1 << 2;
    /// The handshake response names a database.
    pub const CONNECT_WITH_DB: u64 = 1 << 3;
    /// `db.table.column` is refused.
    pub const NO_SCHEMA: u64 = 1 << 4;
    /// zlib compression.
    pub const COMPRESS: u64 = 1 << 5;
    /// The client is an ODBC client; nothing changes.
    pub const ODBC: u64 = 1 << 6;
    /// LOAD DATA LOCAL is allowed.
    pub const LOCAL_FILES: u64 = 1 << 7;
    /// A space may stand between a function's name and its parenthesis.
    pub const IGNORE_SPACE: u64 = 1 << 8;
    /// The 4.1 protocol, the only one spoken here.
    pub const PROTOCOL_41: u64 = 1 << 9;
    /// `interactive_timeout` instead of `wait_timeout`.
    pub const INTERACTIVE: u64 = 1 << 10;
    /// TLS after an SSLRequest packet.
    pub const SSL: u64 = 1 << 11;
    /// The client knows server status flags.
    pub const TRANSACTIONS: u64 = 1 << 13;
    /// 4.1 authentication (old bit).
    pub const SECURE_CONNECTION: u64 = 1 << 15;
    /// Several statements in one COM_QUERY.
    pub const MULTI_STATEMENTS: u64 = 1 << 16;
    /// Several results to one COM_QUERY.
    pub const MULTI_RESULTS: u64 = 1 << 17;
    /// Several results to one COM_STMT_EXECUTE.
    pub const PS_MULTI_RESULTS: u64 = 1 << 18;
    /// Named authentication methods.
    pub const PLUGIN_AUTH: u64 = 1 << 19;
    /// Connection attributes in the handshake response.
    pub const CONNECT_ATTRS: u64 = 1 << 20;
    /// The authentication answer has a length-encoded length.
    pub const PLUGIN_AUTH_LENENC: u64 = 1 << 21;
    /// The client handles expired passwords.
    pub const EXPIRED_PASSWORDS: u64 = 1 << 22;
    /// Session state changes in OK packets.
    pub const SESSION_TRACK: u64 = 1 << 23;
    /// OK packets stand where EOF packets stood.
    pub const DEPRECATE_EOF: u64 = 1 << 24;
    /// COM_STMT_BULK_EXECUTE (MariaDB; one of the extended capabilities, which stand above bit 31).
    pub const STMT_BULK: u64 = 1 << 34;
}

/// Server status bits in OK and EOF packets.
pub mod status {
    /// A transaction is open.
    pub const IN_TRANSACTION: u16 = 1;
    /// `autocommit` is on.
    pub const AUTOCOMMIT: u16 = 1 << 1;
    /// Another result follows this one.
    pub const MORE_RESULTS: u16 = 1 << 3;
    /// The query used no good index.
    pub const NO_GOOD_INDEX_USED: u16 = 1 << 4;
    /// The query used no index.
    pub const NO_INDEX_USED: u16 = 1 << 5;
    /// A cursor was opened for COM_STMT_FETCH.
    pub const CURSOR_EXISTS: u16 = 1 << 6;
    /// The last row of a cursor was sent.
    pub const LAST_ROW_SENT: u16 = 1 << 7;
    /// A database was dropped.
    pub const DB_DROPPED: u16 = 1 << 8;
    /// `NO_BACKSLASH_ESCAPES` is in `sql_mode`.
    pub const NO_BACKSLASH_ESCAPES: u16 = 1 << 9;
    /// Metadata of a prepared statement changed since it was prepared.
    pub const METADATA_CHANGED: u16 = 1 << 10;
    /// The OK packet carries session state changes.
    pub const SESSION_STATE_CHANGED: u16 = 1 << 14;
}

/// Types of columns and parameters on the wire.
pub mod wire_type {
    /// DECIMAL of servers before 5.0.
    pub const DECIMAL: u8 = 0;
    /// TINYINT.
    pub const TINY: u8 = 1;
    /// SMALLINT.
    pub const SHORT: u8 = 2;
    /// INT.
    pub const LONG: u8 = 3;
    /// FLOAT.
    pub const FLOAT: u8 = 4;
    /// DOUBLE.
    pub const DOUBLE: u8 = 5;
    /// The NULL literal.
    pub const NULL: u8 = 6;
    /// TIMESTAMP.
    pub const TIMESTAMP: u8 = 7;
    /// BIGINT.
    pub const LONGLONG: u8 = 8;
    /// MEDIUMINT.
    pub const INT24: u8 = 9;
    /// DATE.
    pub const DATE: u8 = 10;
    /// TIME.
    pub const TIME: u8 = 11;
    /// DATETIME.
    pub const DATETIME: u8 = 12;
    /// YEAR.
    pub const YEAR: u8 = 13;
    /// VARCHAR as in binlogs.
    pub const VARCHAR: u8 = 15;
    /// BIT.
    pub const BIT: u8 = 16;
    /// JSON (MySQL).
    pub const JSON: u8 = 245;
    /// DECIMAL.
    pub const NEWDECIMAL: u8 = 246;
    /// ENUM.
    pub const ENUM: u8 = 247;
    /// SET.
    pub const SET: u8 = 248;
    /// TINYBLOB and TINYTEXT.
    pub const TINY_BLOB: u8 = 249;
    /// MEDIUMBLOB and MEDIUMTEXT.
    pub const MEDIUM_BLOB: u8 = 250;
    /// LONGBLOB and LONGTEXT.
    pub const LONG_BLOB: u8 = 251;
    /// BLOB and TEXT.
    pub const BLOB: u8 = 252;
    /// VARCHAR and VARBINARY.
    pub const VAR_STRING: u8 = 253;
    /// CHAR and BINARY.
    pub const STRING: u8 = 254;
    /// GEOMETRY.
    pub const GEOMETRY: u8 = 255;
}
