//! A connection.

use super::{CloseHandle, Interest, Socket, cancel_error, is_would_block};
use crate::event_loop::{self, Ended, Exchanged, Fiber};
use io_uring::{opcode, types};
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendAncillaryBuffer, SendFlags};
use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::net::SocketAddr;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Who is at the other end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// A TCP connection from this address.
    Tcp(SocketAddr),
    /// A unix socket's client: the process that connected and its user.
    Unix {
        /// Process number; 0 for a client whose processes this one cannot see (another container's).
        pid: i32,
        /// User number.
        uid: u32,
    },
}

/// Bytes given to the kernel in one operation; it takes no more than 2 GiB.
const OPERATION_MAX: usize = 1 << 30;
/// Slices that the kernel takes at once (`UIO_MAXIOV`).
const SLICES_MAX: usize = 1024;

/// For send operations: the kernel goes on by itself until all is sent.
const SEND_FLAGS: i32 = libc::MSG_NOSIGNAL | libc::MSG_WAITALL;

fn direct_flags() -> SendFlags {
    SendFlags::DONTWAIT | SendFlags::NOSIGNAL
}

/// A connected socket. Reading and writing may be done by two fibers (or threads) at once, by one each.
pub struct Stream {
    socket: Arc<Socket>,
    peer: Peer,
    read_deadline: Deadline,
    write_deadline: Deadline,
    /// The last receive left bytes in the socket: try before waiting.
    more_to_read: AtomicBool,
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Stream({:?}, {:?})", self.socket.fd, self.peer)
    }
}

/// An instant that is set by one fiber and read by another: nanoseconds after a common start, 0 for none.
#[derive(Default)]
struct Deadline(AtomicU64);

fn epoch() -> Instant {
    static EPOCH: OnceLock<Instant> = OnceLock::new();
    *EPOCH.get_or_init(Instant::now)
}

impl Deadline {
    fn set(&self, deadline: Option<Instant>) {
        let nanos = deadline.map_or(0, |deadline| {
            // 500 years fit; the past is one nanosecond after the start.
            (deadline.saturating_duration_since(epoch()).as_nanos()).clamp(1, u128::from(u64::MAX)) as u64
        });
        self.0.store(nanos, Ordering::Relaxed);
    }

    fn get(&self) -> Option<Instant> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            nanos => epoch().checked_add(Duration::from_nanos(nanos)),
        }
    }
}

impl Stream {
    pub(super) fn new(fd: OwnedFd, peer: Peer) -> Stream {
        Stream {
            socket: Socket::new(fd),
            peer,
            read_deadline: Deadline::default(),
            write_deadline: Deadline::default(),
            more_to_read: AtomicBool::new(true),
        }
    }

    /// Takes over a TCP connection; small writes go out at once (`TCP_NODELAY`), dead peers are noticed (keepalive).
    pub fn from_tcp(tcp: std::net::TcpStream) -> io::Result<Stream> {
        let peer = Peer::Tcp(tcp.peer_addr()?);
        tcp.set_nonblocking(false)?;
        tcp.set_nodelay(true)?;
        rustix::net::sockopt::set_socket_keepalive(&tcp, true)?;
        Ok(Stream::new(tcp.into(), peer))
    }

    /// Takes over a unix socket.
    pub fn from_unix(unix: std::os::unix::net::UnixStream) -> io::Result<Stream> {
        unix.set_nonblocking(false)?;
        let peer = unix_peer(unix.as_fd())?;
        Ok(Stream::new(unix.into(), peer))
    }

    /// Connects over TCP.
    pub fn connect_tcp(address: SocketAddr, timeout: Duration) -> io::Result<Stream> {
        Stream::from_tcp(crate::offload(|| std::net::TcpStream::connect_timeout(&address, timeout))?)
    }

    /// Connects to a unix socket.
    pub fn connect_unix(path: &Path) -> io::Result<Stream> {
        Stream::from_unix(crate::offload(|| std::os::unix::net::UnixStream::connect(path))?)
    }

    /// Reads what is there, waiting for at least one byte; 0 at the end of the stream.
    ///
    /// [`io::ErrorKind::TimedOut`] past the read deadline, [`io::ErrorKind::ConnectionAborted`] after a close from
    /// elsewhere or at the runtime's shutdown.
    pub fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        // SAFETY: bytes are a valid state of what may be uninitialised, and only bytes received are written there.
        self.read_some(unsafe { &mut *(std::ptr::from_mut(buffer) as *mut [MaybeUninit<u8>]) })
    }

    /// As [`Stream::read`], appending up to `limit` bytes to `buffer`. Room for them is made but not touched: a
    /// connection that waits for its next command takes no memory for it.
    pub fn read_to_vec(&self, buffer: &mut Vec<u8>, limit: usize) -> io::Result<usize> {
        buffer.reserve(limit);
        let room = buffer.spare_capacity_mut();
        let length = room.len().min(limit);
        let count = self.read_some(&mut room[..length])?;
        // SAFETY: `read_some` has filled so many bytes of the spare capacity.
        unsafe { buffer.set_len(buffer.len() + count) };
        Ok(count)
    }

    /// As [`Stream::write_all`] and then [`Stream::read_to_vec`]: an answer, and the wait for the next question. Both are
    /// asked of the kernel at once where no other connection of the loop is busy; then `bytes` are kept until something was
    /// read: not for large ones. With others it pays to send all answers first: by the time that the loop asks for the next
    /// questions some have come, and cost no wake-up.
    pub fn write_all_and_read(&self, bytes: &[u8], buffer: &mut Vec<u8>, limit: usize) -> io::Result<usize> {
        let ring = event_loop::current().filter(|fiber| fiber.is_alone() && !bytes.is_empty() && limit > 0);
        let Some(fiber) = ring.filter(|_| bytes.len().max(limit) <= OPERATION_MAX) else {
            self.write_all(bytes)?;
            return self.read_to_vec(buffer, limit);
        };
        crate::rank::assert_none_held();
        self.socket.check_open()?;
        buffer.reserve(limit);
        let room = &mut buffer.spare_capacity_mut()[..limit];
        let send = opcode::Send::new(self.target(), bytes.as_ptr(), bytes.len() as u32).flags(SEND_FLAGS);
        let receive = opcode::Recv::new(self.target(), room.as_mut_ptr().cast(), limit as u32);
        let (send, receive) = (send.build(), receive.build());
        let deadlines = (self.write_deadline.get(), self.read_deadline.get());
        // SAFETY: bytes, room and descriptor are borrowed until the end of the call; the send waits for all.
        let ended = unsafe { fiber.ring_exchange((send, deadlines.0), (receive, deadlines.1)) };
        match ended {
            Exchanged::Received(ended) => {
                if let Some(count) = self.received(ended)? {
                    // SAFETY: the kernel has filled so many bytes of the spare capacity.
                    unsafe { buffer.set_len(buffer.len() + count) };
                    return Ok(count);
                }
            }
            Exchanged::Sent(ended) => {
                let sent = self.sent_by_ring(ended, bytes.len())?;
                self.write_all(&bytes[sent..])?;
            }
        }
        self.read_to_vec(buffer, limit)
    }

    /// Reads into the beginning of `buffer`; as many bytes of it as returned are initialised then.
    fn read_some(&self, buffer: &mut [MaybeUninit<u8>]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        match event_loop::current() {
            Some(fiber) if fiber.has_ring() => self.read_by_ring(fiber, buffer),
            _ => loop {
                if let Some(count) = self.try_read(buffer)? {
                    return Ok(count);
                }
                self.socket.wait(Interest::Read, self.read_deadline.get())?;
            },
        }
    }

    /// Fills `buffer`; [`io::ErrorKind::UnexpectedEof`] if the stream ends before.
    pub fn read_exact(&self, buffer: &mut [u8]) -> io::Result<()> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.read(&mut buffer[filled..])? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                count => filled += count,
            }
        }
        Ok(())
    }

    /// Waits until there is something to read (or the end), without holding a buffer meanwhile.
    pub fn wait_readable(&self) -> io::Result<()> {
        self.socket.check_open()?;
        self.more_to_read.store(true, Ordering::Relaxed);
        self.socket.wait(Interest::Read, self.read_deadline.get())
    }

    /// One attempt; `None` if there is nothing yet.
    fn try_read(&self, buffer: &mut [MaybeUninit<u8>]) -> io::Result<Option<usize>> {
        loop {
            self.socket.check_open()?;
            match rustix::net::recv(&self.socket.fd, &mut *buffer, RecvFlags::DONTWAIT) {
                Ok(((filled, _), _)) => {
                    let count = filled.len();
                    // A peer that sends without end must not keep the loop.
                    crate::slice_point();
                    return Ok(Some(count));
                }
                Err(Errno::INTR) => {}
                Err(error) if is_would_block(error) => return Ok(None),
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn read_by_ring(&self, fiber: &Fiber, buffer: &mut [MaybeUninit<u8>]) -> io::Result<usize> {
        crate::rank::assert_none_held();
        if self.more_to_read.load(Ordering::Relaxed) {
            if let Some(count) = self.try_read(buffer)? {
                // A full buffer leaves more behind, most likely; a short read has taken all.
                self.more_to_read.store(count == buffer.len(), Ordering::Relaxed);
                return Ok(count);
            }
            self.more_to_read.store(false, Ordering::Relaxed);
        }
        loop {
            self.socket.check_open()?;
            let length = buffer.len().min(OPERATION_MAX) as u32;
            let receive = opcode::Recv::new(self.target(), buffer.as_mut_ptr().cast(), length).build();
            // SAFETY: buffer and descriptor are borrowed until the end of the call.
            let ended = unsafe { fiber.ring(receive, self.read_deadline.get(), true) };
            if let Some(count) = self.received(ended)? {
                return Ok(count);
            }
        }
    }

    /// What a receive has brought; `None` if it is to be tried again.
    fn received(&self, ended: Ended) -> io::Result<Option<usize>> {
        let count = self.outcome(ended)?;
        if let Some(count) = count {
            if count == 0 {
                self.socket.check_open()?;
            }
            self.more_to_read.store(ended.more_to_read, Ordering::Relaxed);
        }
        Ok(count)
    }

    fn target(&self) -> types::Fd {
        types::Fd(self.socket.fd.as_raw_fd())
    }

    /// What an operation has moved; `None` if it is to be tried again.
    fn outcome(&self, ended: Ended) -> io::Result<Option<usize>> {
        match (ended.count(), ended.cancelled) {
            (Ok(count), _) => Ok(Some(count)),
            (Err(_), Some(why)) => Err(cancel_error(why)),
            (Err(error), None) => match error.raw_os_error() {
                Some(libc::EINTR | libc::EAGAIN | libc::ECANCELED) => Ok(None),
                _ => {
                    self.socket.check_open()?;
                    Err(error)
                }
            },
        }
    }

    /// Writes all of `bytes`, waiting while the peer does not take them.
    ///
    /// Errors as [`Stream::read`], by the write deadline; an unknown part has been written then.
    pub fn write_all(&self, bytes: &[u8]) -> io::Result<()> {
        let ring = event_loop::current().filter(|fiber| fiber.has_ring());
        let mut rest = bytes;
        while !rest.is_empty() {
            self.socket.check_open()?;
            let sent = match ring {
                Some(fiber) => {
                    let length = rest.len().min(OPERATION_MAX) as u32;
                    let send =
                        opcode::Send::new(self.target(), rest.as_ptr(), length).flags(SEND_FLAGS).build();
                    // SAFETY: `bytes` and the descriptor are borrowed until the end of the call.
                    let ended = unsafe { fiber.ring(send, self.write_deadline.get(), true) };
                    self.sent_by_ring(ended, rest.len())?
                }
                None => self.sent(rustix::net::send(&self.socket.fd, rest, direct_flags()))?,
            };
            rest = &rest[sent..];
        }
        Ok(())
    }

    /// Writes all slices in order, as far as possible with one system call. `slices` is used up on the way.
    pub fn write_all_vectored(&self, mut slices: &mut [IoSlice<'_>]) -> io::Result<()> {
        let ring = event_loop::current().filter(|fiber| fiber.has_ring());
        // Empty ones in front would look like a send of nothing.
        IoSlice::advance_slices(&mut slices, 0);
        while !slices.is_empty() {
            self.socket.check_open()?;
            let some = &slices[..slices.len().min(SLICES_MAX)];
            let sent = match ring {
                Some(fiber) => {
                    let length = some.iter().map(|slice| slice.len()).sum();
                    // SAFETY: all zeros is a message of nothing to nobody.
                    let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
                    // `IoSlice` is promised to be an `iovec` in memory.
                    message.msg_iov = some.as_ptr().cast_mut().cast();
                    message.msg_iovlen = some.len() as _;
                    let send =
                        opcode::SendMsg::new(self.target(), &raw const message).flags(SEND_FLAGS as u32);
                    // SAFETY: message, slices (only read) and descriptor live until the end of the call.
                    let ended = unsafe { fiber.ring(send.build(), self.write_deadline.get(), true) };
                    self.sent_by_ring(ended, length)?
                }
                None => {
                    let mut no_control = SendAncillaryBuffer::default();
                    self.sent(rustix::net::sendmsg(&self.socket.fd, some, &mut no_control, direct_flags()))?
                }
            };
            IoSlice::advance_slices(&mut slices, sent);
        }
        Ok(())
    }

    /// Bytes that a send operation has taken.
    fn sent_by_ring(&self, ended: Ended, wanted: usize) -> io::Result<usize> {
        match self.outcome(ended)? {
            // A part, and then it was cancelled: that is no success.
            Some(count) if count < wanted && ended.cancelled.is_some() => {
                Err(ended.cancelled.map_or_else(|| io::ErrorKind::TimedOut.into(), cancel_error))
            }
            Some(0) => Err(io::ErrorKind::WriteZero.into()),
            Some(count) => Ok(count),
            None => Ok(0),
        }
    }

    /// Bytes that a direct send has taken, after waiting if the socket was full.
    fn sent(&self, outcome: Result<usize, Errno>) -> io::Result<usize> {
        match outcome {
            Ok(0) => Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => {
                // A peer that reads as fast as we write must not keep the loop.
                crate::slice_point();
                Ok(count)
            }
            Err(error) => self.after_failed_send(error).map(|()| 0),
        }
    }

    /// Waits if the socket was only full.
    fn after_failed_send(&self, error: Errno) -> io::Result<()> {
        match error {
            Errno::INTR => Ok(()),
            error if is_would_block(error) => self.socket.wait(Interest::Write, self.write_deadline.get()),
            error => {
                self.socket.check_open()?;
                Err(error.into())
            }
        }
    }

    /// Until when reads may wait; `None` for ever. A wait that is under way keeps its own.
    pub fn set_read_deadline(&self, deadline: Option<Instant>) {
        self.read_deadline.set(deadline);
    }

    /// Until when writes may wait; `None` for ever. A wait that is under way keeps its own.
    pub fn set_write_deadline(&self, deadline: Option<Instant>) {
        self.write_deadline.set(deadline);
    }

    /// Ends both directions: the peer reads what was written and then the end.
    pub fn shutdown(&self) -> io::Result<()> {
        match rustix::net::shutdown(&self.socket.fd, rustix::net::Shutdown::Both) {
            // The peer was faster.
            Ok(()) | Err(Errno::NOTCONN) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Who is at the other end.
    pub fn peer(&self) -> Peer {
        self.peer
    }

    /// A handle that closes this stream from elsewhere.
    pub fn close_handle(&self) -> CloseHandle {
        CloseHandle { socket: self.socket.clone() }
    }
}

impl AsFd for Stream {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.fd.as_fd()
    }
}

/// For layers over the stream that speak `std::io` (TLS).
impl io::Read for &Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Stream::read(self, buffer)
    }
}

/// For layers over the stream that speak `std::io` (TLS).
impl io::Write for &Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The credentials of a unix socket's other end.
pub(super) fn unix_peer(fd: BorrowedFd<'_>) -> io::Result<Peer> {
    // Not rustix's call, whose process number cannot be 0.
    let mut credentials = libc::ucred { pid: 0, uid: 0, gid: 0 };
    let mut length = size_of::<libc::ucred>() as libc::socklen_t;
    // SAFETY: the kernel writes at most `length` bytes, the size of what it is given.
    let got = unsafe {
        libc::getsockopt(
            fd.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_PEERCRED,
            (&raw mut credentials).cast(),
            &raw mut length,
        )
    };
    if got != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(Peer::Unix { pid: credentials.pid, uid: credentials.uid })
}
