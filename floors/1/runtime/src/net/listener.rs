//! Accepting connections.

use super::stream::{Peer, Stream, unix_peer};
use super::{CloseHandle, Interest, Socket, is_would_block};
use crate::Runtime;
use rustix::io::Errno;
use rustix::net::SocketFlags;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Connections that the kernel keeps for us until they are accepted (it caps this by `net.core.somaxconn`).
const BACKLOG: i32 = 4096;
/// Pause after an accept failed for want of descriptors or memory.
const EXHAUSTED_PAUSE: Duration = Duration::from_millis(100);

/// How long the address of a server that was killed may seem in use: the kernel ends what its rings were at, the wait for
/// connections among it, a moment after the process is gone.
const LINGERS: Duration = Duration::from_secs(2);
/// Pause between two looks at an address in use.
const LINGER_PAUSE: Duration = Duration::from_millis(10);

/// A socket that accepts connections.
pub struct Listener {
    socket: Arc<Socket>,
    kind: Kind,
}

enum Kind {
    Tcp(SocketAddr),
    Unix(SocketFile),
}

/// The file of a unix socket, removed with its listener.
struct SocketFile {
    path: PathBuf,
    device: u64,
    inode: u64,
}

/// How to bind a unix socket.
#[derive(Debug, Clone, Copy)]
pub struct UnixOptions {
    /// Permissions of the socket file: who may connect.
    pub mode: u32,
}

impl Default for UnixOptions {
    /// Everybody may connect, as with MariaDB: accounts decide who gets in.
    fn default() -> UnixOptions {
        UnixOptions { mode: 0o777 }
    }
}

impl std::fmt::Debug for Listener {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.kind {
            Kind::Tcp(address) => write!(f, "Listener({address})"),
            Kind::Unix(file) => write!(f, "Listener({})", file.path.display()),
        }
    }
}

impl Listener {
    /// Listens on a TCP address; port 0 chooses one ([`Listener::tcp_address`]).
    pub fn bind_tcp(address: SocketAddr) -> io::Result<Listener> {
        // std sets SO_REUSEADDR; a second listen call only enlarges the backlog.
        let tcp = once_free(|| TcpListener::bind(address))?;
        tcp.set_nonblocking(true)?;
        rustix::net::listen(&tcp, BACKLOG)?;
        let address = tcp.local_addr()?;
        Ok(Listener { socket: Socket::new(tcp.into()), kind: Kind::Tcp(address) })
    }

    /// Listens on a unix socket. A socket file that a dead server left is replaced; one that a server goes on
    /// answering on is [`io::ErrorKind::AddrInUse`], and a file that is no socket [`io::ErrorKind::AlreadyExists`].
    pub fn bind_unix(path: &Path, options: UnixOptions) -> io::Result<Listener> {
        once_free(|| clear_stale(path))?;
        let unix = UnixListener::bind(path)?;
        unix.set_nonblocking(true)?;
        rustix::net::listen(&unix, BACKLOG)?;
        let meta = std::fs::symlink_metadata(path)?;
        let file = SocketFile { path: path.to_owned(), device: meta.dev(), inode: meta.ino() };
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(options.mode))?;
        Ok(Listener { socket: Socket::new(unix.into()), kind: Kind::Unix(file) })
    }

    /// The address of a TCP listener, with the port that was chosen.
    pub fn tcp_address(&self) -> Option<SocketAddr> {
        match &self.kind {
            Kind::Tcp(address) => Some(*address),
            Kind::Unix(_) => None,
        }
    }

    /// Waits for the next connection.
    ///
    /// [`io::ErrorKind::ConnectionAborted`] after a close from elsewhere or at the runtime's shutdown; errors for want
    /// of descriptors or memory may pass.
    pub fn accept(&self) -> io::Result<Stream> {
        loop {
            self.socket.check_open()?;
            match rustix::net::acceptfrom_with(&self.socket.fd, SocketFlags::CLOEXEC) {
                Ok((fd, address)) => {
                    let address = address.and_then(|address| SocketAddr::try_from(address).ok());
                    // A client that is gone already is no failure of the listener.
                    if let Ok(stream) = self.greet(fd, address) {
                        return Ok(stream);
                    }
                }
                Err(error) if is_would_block(error) => self.socket.wait(Interest::Read, None)?,
                // The client went before we came to it, or the network failed for it: accept(2) asks to go on.
                Err(
                    Errno::INTR
                    | Errno::CONNABORTED
                    | Errno::PROTO
                    | Errno::NETDOWN
                    | Errno::NOPROTOOPT
                    | Errno::HOSTDOWN
                    | Errno::HOSTUNREACH
                    | Errno::OPNOTSUPP
                    | Errno::NETUNREACH,
                ) => {}
                Err(error) => {
                    self.socket.check_open()?;
                    return Err(error.into());
                }
            }
        }
    }

    /// Makes a stream of what was accepted.
    fn greet(&self, fd: OwnedFd, address: Option<SocketAddr>) -> io::Result<Stream> {
        let peer = match &self.kind {
            Kind::Unix(_) => unix_peer(fd.as_fd())?,
            Kind::Tcp(_) => {
                rustix::net::sockopt::set_tcp_nodelay(&fd, true)?;
                rustix::net::sockopt::set_socket_keepalive(&fd, true)?;
                Peer::Tcp(address.ok_or(io::ErrorKind::NotConnected)?)
            }
        };
        Ok(Stream::new(fd, peer))
    }

    /// Accepts in a fiber of `runtime` until closed or shut down, and runs `handler` in a new fiber for each connection,
    /// on the loop with the fewest. `on_error` hears of accepts that failed; after each there is a pause.
    pub fn serve(
        self,
        runtime: &Runtime,
        handler: impl Fn(Stream) + Send + Sync + 'static,
        on_error: impl Fn(&io::Error) + Send + 'static,
    ) -> CloseHandle {
        let close = self.close_handle();
        let handler = Arc::new(handler);
        let spawner = runtime.clone();
        runtime.spawn(move || {
            loop {
                match self.accept() {
                    Ok(stream) => {
                        let handler = handler.clone();
                        drop(spawner.spawn(move || handler(stream)));
                    }
                    Err(_) if self.socket.is_closed() || spawner.is_stopping() => return,
                    Err(error) => {
                        on_error(&error);
                        crate::sleep(EXHAUSTED_PAUSE);
                    }
                }
            }
        });
        close
    }

    /// A handle that ends accepting from elsewhere.
    pub fn close_handle(&self) -> CloseHandle {
        CloseHandle { socket: self.socket.clone() }
    }
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.fd.as_fd()
    }
}

/// Does again what fails because an address is in use, for as long as that may pass.
fn once_free<T>(mut take: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    let begun = Instant::now();
    loop {
        match take() {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && begun.elapsed() < LINGERS => {
                std::thread::sleep(LINGER_PAUSE);
            }
            taken => return taken,
        }
    }
}

/// Makes way for a socket file, unless somebody lives there.
fn clear_stale(path: &Path) -> io::Result<()> {
    let meta = match std::fs::symlink_metadata(path) {
        Ok(meta) => meta,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if !meta.file_type().is_socket() {
        let message = format!("{} exists and is not a socket", path.display());
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
    }
    match UnixStream::connect(path) {
        Ok(_) => {
            let message = format!("another server answers on the socket {}", path.display());
            Err(io::Error::new(io::ErrorKind::AddrInUse, message))
        }
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => std::fs::remove_file(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => {
            let message =
                format!("find out whether a server lives on the socket {}: {error}", path.display());
            Err(io::Error::new(error.kind(), message))
        }
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        // Another server may have replaced it.
        if std::fs::symlink_metadata(&self.path)
            .is_ok_and(|meta| meta.dev() == self.device && meta.ino() == self.inode)
        {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
