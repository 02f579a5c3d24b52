//! The two lock-free protocols of the room, apart from what they drive, so that a model checker can run them: generic
//! over the atomic byte, which is `loom`'s in the models below and the machine's everywhere else.

use std::sync::atomic::{AtomicU8, Ordering};

/// An atomic byte, and the fence that goes with it.
pub(crate) trait Byte {
    fn new(value: u8) -> Self;
    fn load(&self, order: Ordering) -> u8;
    fn store(&self, value: u8, order: Ordering);
    fn swap(&self, value: u8, order: Ordering) -> u8;
    fn replace_if(&self, old: u8, new: u8) -> bool;
    fn fence();
}

impl Byte for AtomicU8 {
    fn new(value: u8) -> Self {
        AtomicU8::new(value)
    }

    fn load(&self, order: Ordering) -> u8 {
        self.load(order)
    }

    fn store(&self, value: u8, order: Ordering) {
        self.store(value, order);
    }

    fn swap(&self, value: u8, order: Ordering) -> u8 {
        self.swap(value, order)
    }

    fn replace_if(&self, old: u8, new: u8) -> bool {
        self.compare_exchange(old, new, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    fn fence() {
        std::sync::atomic::fence(Ordering::SeqCst);
    }
}

const RUNNING: u8 = 0;
const PARKED: u8 = 1;
const NOTIFIED: u8 = 2;

/// Whether a task runs, is parked, or was notified: see the head of the module `task`.
#[derive(Debug)]
pub(crate) struct ParkState<B = AtomicU8>(B);

impl<B: Byte> ParkState<B> {
    pub(crate) fn new() -> ParkState<B> {
        ParkState(B::new(RUNNING))
    }

    /// RUNNING to PARKED; false when a notification came before, which is used up.
    pub(crate) fn try_park(&self) -> bool {
        if self.0.replace_if(RUNNING, PARKED) {
            return true;
        }
        // A swap, not a store: a second notification that this overwrites must be acquired too, or what it announced
        // could stay unseen with none left to come.
        self.0.swap(RUNNING, Ordering::AcqRel);
        false
    }

    /// The parked task goes on.
    pub(crate) fn unpark(&self) {
        self.0.swap(RUNNING, Ordering::AcqRel);
    }

    /// Ends this park or the next; true if the caller has to schedule the task: exactly one does for each park.
    pub(crate) fn notify(&self) -> bool {
        self.0.swap(NOTIFIED, Ordering::AcqRel) == PARKED
    }

    pub(crate) fn is_parked(&self) -> bool {
        self.0.load(Ordering::Acquire) == PARKED
    }
}

/// Who rings for a sleeper: see the head of the module `event_loop::shared`.
///
/// ```text
/// sender:  mail = 1;    fence;  if asleep and swap(asleep, 0): ring
/// sleeper: asleep = 1;  fence;  if mail: asleep = 0, do not sleep
/// ```
#[derive(Debug)]
pub(crate) struct Doorbell<B = AtomicU8> {
    mail: B,
    asleep: B,
}

impl<B: Byte> Doorbell<B> {
    pub(crate) fn new() -> Doorbell<B> {
        Doorbell { mail: B::new(0), asleep: B::new(0) }
    }

    /// Says that there is mail; true if the sender has to ring: the sleeper sleeps, or is about to.
    pub(crate) fn announce(&self) -> bool {
        self.mail.store(1, Ordering::Release);
        B::fence();
        self.asleep.load(Ordering::Relaxed) == 1 && self.asleep.swap(0, Ordering::AcqRel) == 1
    }

    /// Whether mail was announced and not yet taken.
    pub(crate) fn has_mail(&self) -> bool {
        self.mail.load(Ordering::Acquire) == 1
    }

    /// Said under the lock that the mail is taken under.
    pub(crate) fn taken(&self) {
        self.mail.store(0, Ordering::Relaxed);
    }

    /// Says that the sleeper is about to sleep; false when there is mail, and it must not.
    pub(crate) fn fall_asleep(&self) -> bool {
        self.asleep.store(1, Ordering::Relaxed);
        B::fence();
        if self.has_mail() {
            self.wake_up();
            return false;
        }
        true
    }

    /// Says that the sleeper is awake.
    pub(crate) fn wake_up(&self) {
        self.asleep.store(0, Ordering::Relaxed);
    }
}

#[cfg(test)]
pub(crate) mod tests;
