//! Sockets, TCP and unix: listeners that spread connections over the loops, streams with deadlines.
//!
//! Descriptors stay in blocking mode, because io_uring completes an operation on a non-blocking one with EAGAIN instead
//! of waiting; direct calls ask for `MSG_DONTWAIT` each. (A listener is the exception: it is only ever polled.)
//!
//! On a loop with a ring, reads and writes are operations submitted with all others of the turn. A direct `send` would
//! save the fiber a switch, but measures dearer: the batch wakes the clients together, and more of them have asked
//! again when the loop looks next (docs/decisions/0001-event-loop.md).

mod listener;
mod stream;

pub use listener::{Listener, UnixOptions};
pub use stream::{Peer, Stream};

use crate::event_loop::{self, Cancelled, READABLE, Readiness, WRITABLE};
use io_uring::{opcode, types};
use rustix::event::{PollFd, PollFlags, poll};
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A socket and what its waiters need.
struct Socket {
    fd: OwnedFd,
    closed: AtomicBool,
    readiness: Arc<Readiness>,
}

/// What a waiter waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Interest {
    Read,
    Write,
}

/// Closes a stream or listener from elsewhere: another fiber, loop or thread. It may outlive them.
#[derive(Clone)]
pub struct CloseHandle {
    socket: Arc<Socket>,
}

impl std::fmt::Debug for CloseHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "CloseHandle({:?})", self.socket.fd)
    }
}

impl CloseHandle {
    /// Shuts the connection down both ways: whoever reads, writes or accepts on it gets
    /// [`io::ErrorKind::ConnectionAborted`] at once and from now on. The descriptor itself goes with its last owner, so
    /// its number cannot come to mean another socket meanwhile.
    pub fn close(&self) {
        self.socket.closed.store(true, Ordering::Release);
        // Fails if the peer is gone already; then waiters are awake anyhow.
        let _ = rustix::net::shutdown(&self.socket.fd, rustix::net::Shutdown::Both);
    }

    /// Whether [`CloseHandle::close`] was called.
    pub fn is_closed(&self) -> bool {
        self.socket.is_closed()
    }
}

impl Socket {
    fn new(fd: OwnedFd) -> Arc<Socket> {
        Arc::new(Socket { fd, closed: AtomicBool::new(false), readiness: Arc::default() })
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    fn check_open(&self) -> io::Result<()> {
        if self.is_closed() {
            return Err(io::Error::new(
                io::ErrorKind::ConnectionAborted,
                "the connection was closed from elsewhere",
            ));
        }
        Ok(())
    }

    /// Waits until the socket may be ready; the caller tries again.
    fn wait(&self, interest: Interest, deadline: Option<Instant>) -> io::Result<()> {
        crate::rank::assert_none_held();
        let Some(fiber) = event_loop::current() else { return self.wait_in_thread(interest, deadline) };
        let cancelled = if fiber.has_ring() {
            let flags = match interest {
                Interest::Read => libc::POLLIN | libc::POLLRDHUP,
                Interest::Write => libc::POLLOUT,
            };
            let entry = opcode::PollAdd::new(types::Fd(self.fd.as_raw_fd()), flags as u32).build();
            // SAFETY: the entry points to nothing; the descriptor is ours and `self` is borrowed until the end.
            unsafe { fiber.ring(entry, deadline, true) }.cancelled
        } else {
            let bit = if interest == Interest::Read { READABLE } else { WRITABLE };
            self.readiness.wait(fiber, self.fd.as_fd(), bit, deadline)?
        };
        match cancelled {
            None => self.check_open(),
            Some(why) => Err(cancel_error(why)),
        }
    }

    fn wait_in_thread(&self, interest: Interest, deadline: Option<Instant>) -> io::Result<()> {
        let flags = match interest {
            Interest::Read => PollFlags::IN | PollFlags::RDHUP,
            Interest::Write => PollFlags::OUT,
        };
        let timeout = match deadline {
            None => None,
            Some(deadline) => {
                let left = deadline.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return Err(cancel_error(Cancelled::Deadline));
                }
                // A time beyond what the kernel can name is never.
                left.try_into().ok()
            }
        };
        event_loop::with_stop_signal(|stop| {
            let socket = PollFd::new(&self.fd, flags);
            let (polled, stopped) = match stop {
                None => (poll(&mut [socket], timeout.as_ref()), false),
                Some(stop) => {
                    let mut both = [socket, PollFd::from_borrowed_fd(stop, PollFlags::IN)];
                    let polled = poll(&mut both, timeout.as_ref());
                    (polled, !both[1].revents().is_empty())
                }
            };
            match polled {
                Ok(_) if stopped => Err(cancel_error(Cancelled::Stop)),
                Ok(_) | Err(rustix::io::Errno::INTR) => self.check_open(),
                Err(error) => Err(error.into()),
            }
        })
    }
}

fn cancel_error(why: Cancelled) -> io::Error {
    match why {
        Cancelled::Deadline => io::Error::new(io::ErrorKind::TimedOut, "the deadline for the network passed"),
        Cancelled::Stop => io::Error::new(io::ErrorKind::ConnectionAborted, "the server is going down"),
    }
}

fn is_would_block(error: rustix::io::Errno) -> bool {
    error == rustix::io::Errno::AGAIN
}
