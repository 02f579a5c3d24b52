//! Where a server is, and connecting to it.

use crate::BenchError;
use protocol::client::{Client, ClientError};
use protocol::flags::capability;
use runtime::net::{Peer, Stream};
use std::io;
use std::net::ToSocketAddrs;
use std::path::PathBuf;
use std::time::Duration;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The way to a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A unix socket.
    Unix(PathBuf),
    /// TCP: host and port.
    Tcp(String, u16),
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Place::Unix(path) => write!(f, "{}", path.display()),
            Place::Tcp(host, port) => write!(f, "{host}:{port}"),
        }
    }
}

/// A server and the account to use there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The way to it.
    pub place: Place,
    /// User name.
    pub user: String,
    /// Password, empty for none.
    pub password: String,
    /// The server's process, where it is not found out by itself.
    pub pid: Option<u32>,
}

/// A socket as [`Client`] wants it.
pub struct Line(Stream);

impl io::Read for Line {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl io::Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Line {
    /// The socket itself.
    pub fn into_stream(self) -> Stream {
        self.0
    }
}

/// A connection outside of the load.
pub type Connection = Client<Line>;

impl Target {
    /// Reads `mysql://[user[:password]@]host[:port]`, `unix:[user[:password]@]/path` or a bare `/path`.
    pub fn parse(text: &str) -> Result<Target, BenchError> {
        let wrong = |why| BenchError::Address(text.to_owned(), why);
        let (unix, rest) = match (text.strip_prefix("mysql://"), text.strip_prefix("unix:")) {
            (Some(rest), _) => (false, rest.trim_end_matches('/')),
            (_, Some(rest)) => (true, rest),
            _ if text.starts_with('/') || text.starts_with("./") => (true, text),
            _ => return Err(wrong("it starts neither with mysql:// nor with unix: nor with a path")),
        };
        let (account, rest) = match rest.rsplit_once('@') {
            Some((account, rest)) => (Some(account), rest),
            None => (None, rest),
        };
        let (user, password) = account.map_or(("root", ""), |a| a.split_once(':').unwrap_or((a, "")));
        let place = if unix {
            Place::Unix(rest.into())
        } else {
            let (host, port) = rest.rsplit_once(':').unwrap_or((rest, "3306"));
            Place::Tcp(host.to_owned(), port.parse().map_err(|_| wrong("the port is no number"))?)
        };
        Ok(Target { place, user: user.to_owned(), password: password.to_owned(), pid: None })
    }

    /// A new connection, in `database` if one is given. Waits in a fiber or in a thread.
    pub fn connect(&self, database: Option<&str>) -> Result<Connection, BenchError> {
        let failed = |error| BenchError::Connect(self.place.to_string(), error);
        let stream = self.stream().map_err(|error| failed(ClientError::Io(error)))?;
        let secure = matches!(self.place, Place::Unix(_));
        let client = Client::connect(Line(stream), &self.user, &self.password, database, secure);
        let client = client.map_err(failed)?;
        if client.greeting.capabilities & capability::DEPRECATE_EOF == 0 {
            let why = "the server is too old: it does not know DEPRECATE_EOF";
            return Err(failed(ClientError::Io(io::Error::other(why))));
        }
        Ok(client)
    }

    fn stream(&self) -> io::Result<Stream> {
        match &self.place {
            Place::Unix(path) => Stream::connect_unix(path),
            Place::Tcp(host, port) => {
                let mut last = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
                for address in runtime::offload(|| (host.as_str(), *port).to_socket_addrs())? {
                    match Stream::connect_tcp(address, CONNECT_TIMEOUT) {
                        Ok(stream) => return Ok(stream),
                        Err(error) => last = error,
                    }
                }
                Err(last)
            }
        }
    }

    /// The server's process: as told, or as the kernel says of a unix socket's other end.
    pub fn server_pid(&self) -> Option<u32> {
        if self.pid.is_some() {
            return self.pid;
        }
        let Place::Unix(path) = &self.place else { return None };
        match Stream::connect_unix(path).ok()?.peer() {
            Peer::Unix { pid, .. } if pid > 0 => u32::try_from(pid).ok(),
            _ => None,
        }
    }
}

/// Runs statements that must succeed.
pub fn run(client: &mut Connection, sql: &str) -> Result<(), BenchError> {
    client.query(sql).map(drop).map_err(|error| BenchError::Statement(sql.to_owned(), error))
}

/// The first value of a query's first row.
pub fn value(client: &mut Connection, sql: &str) -> Result<Option<String>, BenchError> {
    let rows = client.rows(sql).map_err(|error| BenchError::Statement(sql.to_owned(), error))?;
    let first = rows.into_iter().next().and_then(|row| row.into_iter().next_back()).flatten();
    Ok(first.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_read() {
        let target = |place, user: &str, password: &str| Target {
            place,
            user: user.into(),
            password: password.into(),
            pid: None,
        };
        let tcp = |host: &str, port| Place::Tcp(host.into(), port);
        for (text, expected) in [
            ("mysql://h", target(tcp("h", 3306), "root", "")),
            ("mysql://u:p:q@h:1234/", target(tcp("h", 1234), "u", "p:q")),
            ("unix:/run/s.sock", target(Place::Unix("/run/s.sock".into()), "root", "")),
            ("unix:u@/run/s.sock", target(Place::Unix("/run/s.sock".into()), "u", "")),
            ("./s", target(Place::Unix("./s".into()), "root", "")),
        ] {
            assert_eq!(Target::parse(text).expect(text), expected);
        }
        assert!(Target::parse("h:3306").is_err());
        assert!(Target::parse("mysql://h:x").is_err());
    }
}
