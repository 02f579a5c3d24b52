//! Group commit: the first that waits leads a round for everybody, whoever comes meanwhile is in the next.

use super::Log;
use super::ahead::LARGE_ROUND;
use super::order::Batch;
use crate::error::{LogError, Result};
use crate::position::LogPos;
use platform::file::File;
use runtime::Waker;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Microseconds of a round up to which the next one may keep its event loop, where the committing session is the only busy one: as
/// long as a fiber may compute before it makes way.
const BRIEF_US: u64 = 500;

/// Resumed fibers a group, on all loops since the round before, up to which nothing goes on but these commits: a command that comes, a
/// wait for the force, and a lead or two.
const RESUMES_A_GROUP: u64 = 4;

/// Who leads and who waits.
#[derive(Default)]
pub(super) struct Forcing {
    led: bool,
    waiters: Vec<Waiter>,
    tickets: u64,
    failed: Option<Arc<str>>,
    /// The leader, while it waits for more groups.
    pub gatherer: Option<Waker>,
}

struct Waiter {
    ticket: u64,
    upto: LogPos,
    waker: Waker,
}

/// What a look at the state decides.
enum Role {
    /// The position is durable.
    Done,
    Leader,
    Follower,
}

impl Log {
    /// Waits until everything before `upto` is on the disk. Leads the write and force of all that is queued if nobody
    /// does; parks otherwise. A round starts as soon as the device is free, or a moment later where more groups are about to
    /// come (`gather`).
    pub fn force(&self, upto: LogPos) -> Result<()> {
        if self.durable() >= upto {
            return Ok(());
        }
        let ticket = {
            let mut forcing = self.forcing.lock();
            forcing.tickets += 1;
            forcing.tickets
        };
        loop {
            match self.role(ticket, upto)? {
                Role::Done => return Ok(()),
                Role::Leader => return self.lead(upto),
                Role::Follower => {
                    self.counters.wait();
                    runtime::park();
                }
            }
            // Without the lock, which all that one round wakes would queue for. An entry that a wake from elsewhere
            // left behind goes with the next round.
            if self.durable() >= upto {
                return Ok(());
            }
        }
    }

    fn role(&self, ticket: u64, upto: LogPos) -> Result<Role> {
        let mut forcing = self.forcing.lock();
        let is_done = self.durable() >= upto;
        if is_done || forcing.failed.is_some() || !forcing.led {
            forcing.waiters.retain(|waiter| waiter.ticket != ticket);
        }
        if is_done {
            return Ok(Role::Done);
        }
        if let Some(first) = &forcing.failed {
            return Err(LogError::Poisoned { first: first.clone() });
        }
        if !forcing.led {
            forcing.led = true;
            return Ok(Role::Leader);
        }
        if !forcing.waiters.iter().any(|waiter| waiter.ticket == ticket) {
            forcing.waiters.push(Waiter { ticket, upto, waker: Waker::current() });
        }
        let gatherer = forcing.gatherer.take();
        drop(forcing);
        gatherer.inspect(Waker::wake);
        Ok(Role::Follower)
    }

    /// Runs rounds until `upto` is durable, then hands the lead to the first that still waits.
    fn lead(&self, upto: LogPos) -> Result<()> {
        let lead = Lead { log: self, finished: false };
        // Many that one round woke are about to commit again. Without this the first of them would lead a round alone
        // and the others the next one: two forces where one does.
        if self.crowded.load(Ordering::Relaxed) {
            runtime::yield_now();
        }
        let mut are_all = self.gather();
        loop {
            let batch = self.order.lock().take_batch();
            let Some(batch) = batch else {
                break;
            };
            if let Err(error) = self.round(batch, are_all) {
                self.poison(&error);
                lead.finish();
                return Err(error);
            }
            if self.durable() >= upto {
                break;
            }
            self.wake_done();
            are_all = false;
        }
        lead.finish();
        if self.durable() >= upto {
            return Ok(());
        }
        match self.order.lock().check() {
            Err(LogError::Poisoned { first }) => Err(LogError::Poisoned { first }),
            _ => Err(LogError::Position { position: upto, problem: "nothing was placed before it" }),
        }
    }

    /// Writes and forces one batch. `are_all`: nobody else is known to commit.
    fn round(&self, mut batch: Batch, are_all: bool) -> Result<()> {
        batch.set_mark(self.options.timestamp(), self.options.server_id, self.key);
        let file = batch.file.clone();
        let mut offset = u64::from(batch.start.offset);
        let mut writes: Vec<(u64, &[u8])> = Vec::with_capacity(batch.pieces.len());
        for piece in batch.pieces.iter().filter(|piece| !piece.is_empty()) {
            writes.push((offset, piece));
            offset += piece.len() as u64;
        }
        let (write_us, sync_us) =
            self.write_and_force(&*file, &writes, if are_all { batch.groups } else { 0 })?;
        self.counters.round(batch.groups, batch.bytes, write_us, sync_us);
        // Relaxed: hints.
        self.crowded.store(batch.groups > 1, Ordering::Relaxed);
        self.small_rounds.store(batch.bytes <= LARGE_ROUND, Ordering::Relaxed);
        self.brief.store(write_us + sync_us <= BRIEF_US, Ordering::Relaxed);
        if batch.ends_segment {
            self.finish_segment(&file, batch.end())?;
        }
        // Release: pairs with the acquire in `durable`.
        self.durable.store(batch.end().to_u64(), Ordering::Release);
        self.news.wake_all();
        let queued = {
            let mut order = self.order.lock();
            order.give_back(batch.pieces);
            order.queued()
        };
        self.gathering.note(batch.groups, queued, write_us + sync_us);
        self.grow_ahead(&file);
        Ok(())
    }

    /// Both in one trip to a helper thread, or without one where nobody else would be kept waiting
    /// (`docs/decisions/0170`); returns the microseconds that each took.
    /// `groups` are those of all who are known to commit, 0 where others may.
    fn write_and_force(&self, file: &dyn File, writes: &[(u64, &[u8])], groups: u64) -> Result<(u64, u64)> {
        let clock = &*self.options.clock;
        let both = || {
            let started = clock.now_ns();
            for (offset, bytes) in writes {
                file.write_all_at(bytes, *offset).map_err(LogError::io("write", file.name()))?;
            }
            let written = clock.now_ns();
            file.sync_data().map_err(LogError::io("force", file.name()))?;
            Ok(((written - started) / 1000, (clock.now_ns() - written) / 1000))
        };
        let resumes = runtime::resumes();
        let meanwhile = resumes.saturating_sub(self.resumes.swap(resumes, Ordering::Relaxed));
        let all_wait_for_it = meanwhile <= RESUMES_A_GROUP * groups;
        // A simulated disk does not block: the call stays here, so that runs repeat.
        match (file.raw_fd(), self.brief.load(Ordering::Relaxed)) {
            (None, _) => both(),
            (Some(_), true) if all_wait_for_it => both(),
            (Some(_), true) => runtime::offload_unless_only(both),
            (Some(_), false) => runtime::offload(both),
        }
    }

    /// Wakes those whose position is durable.
    fn wake_done(&self) {
        let durable = self.durable();
        let mut done = Vec::new();
        {
            let mut forcing = self.forcing.lock();
            forcing.waiters.retain(|waiter| {
                let keep = waiter.upto > durable;
                if !keep {
                    done.push(waiter.waker.clone());
                }
                keep
            });
        }
        for waker in done {
            waker.wake();
        }
    }

    /// After a failed write or force nothing is known about the disk: everybody hears the first failure, for ever.
    pub(super) fn poison(&self, error: &LogError) {
        let first: Arc<str> = match error {
            LogError::Poisoned { first } => first.clone(),
            error => error.to_string().into(),
        };
        self.order.lock().fail(&first);
        let waiters = {
            let mut forcing = self.forcing.lock();
            forcing.failed.get_or_insert(first);
            std::mem::take(&mut forcing.waiters)
        };
        for waiter in waiters {
            waiter.waker.wake();
        }
        self.news.wake_all();
    }
}

/// The lead; given up in any case, with the log poisoned if a panic ends it.
struct Lead<'a> {
    log: &'a Log,
    finished: bool,
}

impl Lead<'_> {
    /// Gives the lead up and wakes all that are done and the first that is not, who will lead.
    fn finish(mut self) {
        self.finished = true;
        let durable = self.log.durable();
        let mut woken = Vec::new();
        {
            let mut forcing = self.log.forcing.lock();
            forcing.led = false;
            let failed = forcing.failed.is_some();
            forcing.waiters.retain(|waiter| {
                let keep = waiter.upto > durable && !failed;
                if !keep {
                    woken.push(waiter.waker.clone());
                }
                keep
            });
            woken.extend(forcing.waiters.first().map(|waiter| waiter.waker.clone()));
        }
        for waker in woken {
            waker.wake();
        }
    }
}

impl Drop for Lead<'_> {
    fn drop(&mut self) {
        if !self.finished {
            self.log.poison(&LogError::Poisoned { first: "the round's leader panicked".into() });
            self.log.forcing.lock().led = false;
        }
    }
}
