//! The MySQL client/server protocol as MariaDB 10.11 speaks it: bytes in, bytes out.
//!
//! Both sides of the wire live here. Nothing in this room reads a socket, knows a table or keeps
//! a session: the `server` room feeds bytes in and takes bytes out, `client` drives any
//! `Read + Write`, and every decoder is total (an error, never a panic, never an allocation whose
//! size a peer chose).
//!
//! | module | what |
//! | --- | --- |
//! | [`packet`] | framing: 3-byte length, sequence number, payloads of 16 MiB and more |
//! | [`wire`] | little-endian integers, length-encoded integers and strings |
//! | [`flags`] | capabilities, server status, column flags, wire types |
//! | [`handshake`] | greeting, handshake response, auth switch |
//! | [`auth`] | `mysql_native_password`, `caching_sha2_password` (fast and full) |
//! | [`command`] | what a client asks: COM_QUERY, COM_STMT_EXECUTE and the rest |
//! | [`reply`] | OK, ERR, EOF, column definitions, rows |
//! | [`request`], [`scan`] | commands appended, answers counted: a client at full speed |
//! | [`client`] | a small blocking client for `penstock sql` and tests |
//!
//! Source: the MariaDB Knowledge Base, "Client/Server Protocol" and the pages below it.

#![forbid(unsafe_code)]

pub mod auth;
pub mod client;
pub mod command;
pub mod flags;
pub mod handshake;
pub mod packet;
pub mod reply;
pub mod request;
pub mod scan;
pub mod wire;

/// What went wrong while reading a peer's bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProtocolError {
    /// A field runs past the end of its packet; names the field.
    Truncated(&'static str),
    /// A field holds a value that the protocol does not know; names the field.
    Malformed(&'static str),
    /// Packets came out of order: the sequence number expected and the one found.
    OutOfOrder {
        /// The number that should have come.
        expected: u8,
        /// The number that came.
        found: u8,
    },
    /// A payload is longer than the receiver allows (`max_allowed_packet`), in bytes.
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
}

impl std::fmt::Display for ProtocolError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Truncated(field) => write!(f, "read {field}: packet ends inside it"),
            Self::Malformed(field) => write!(f, "read {field}: value out of range"),
            Self::OutOfOrder { expected, found } => {
                write!(f, "read packet: sequence number {found} where {expected} was due")
            }
            Self::TooLarge { limit } => write!(f, "read packet: longer than {limit} bytes"),
        }
    }
}

impl std::error::Error for ProtocolError {}
