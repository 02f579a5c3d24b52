//! The signals that end a server: waited for by one thread, seen by no other.

use std::io;

/// SIGTERM and SIGINT, blocked in the calling thread and all threads that it starts afterwards.
#[derive(Debug)]
pub struct TerminationSignals {
    set: libc::sigset_t,
}

impl TerminationSignals {
    /// Blocks them; call before other threads are started.
    pub fn block() -> io::Result<TerminationSignals> {
        // SAFETY: a signal set is plain memory that sigemptyset makes valid before anything reads it; the calls get
        // pointers to it that live for their time.
        let (set, result) = unsafe {
            let mut set = std::mem::zeroed::<libc::sigset_t>();
            libc::sigemptyset(&mut set);
            libc::sigaddset(&mut set, libc::SIGTERM);
            libc::sigaddset(&mut set, libc::SIGINT);
            let result = libc::pthread_sigmask(libc::SIG_BLOCK, &set, std::ptr::null_mut());
            (set, result)
        };
        match result {
            0 => Ok(TerminationSignals { set }),
            errno => Err(io::Error::from_raw_os_error(errno)),
        }
    }

    /// Waits for one of them; gives its name.
    pub fn wait(&self) -> &'static str {
        let mut signal = 0;
        // SAFETY: both pointers are to live values of the right types; sigwait writes the signal's number.
        while unsafe { libc::sigwait(&self.set, &mut signal) } != 0 {}
        if signal == libc::SIGINT { "SIGINT" } else { "SIGTERM" }
    }
}
