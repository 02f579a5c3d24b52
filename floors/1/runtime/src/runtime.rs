//! The set of event loops of a process, one a core: start, spawn, shutdown.

use crate::WaitQueue;
use crate::balance::Balance;
use crate::counters::Counters;
use crate::event_loop::{EventLoop, Job, Mail, PanicHook, Shared};
use parking_lot::Mutex;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// What an event loop asks the kernel for completions with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Backend {
    /// io_uring, or epoll where the kernel refuses it.
    #[default]
    Auto,
    /// io_uring; starting fails where the kernel refuses it.
    IoUring,
    /// epoll.
    Epoll,
}

/// How to start a runtime.
#[derive(Clone)]
pub struct RuntimeOptions {
    /// Event loops; 0: one for each core that the process may use.
    pub threads: usize,
    /// The kernel's interface.
    pub backend: Backend,
    /// Pin each loop's thread to a core.
    pub pin: bool,
    /// Bytes of stack of a fiber: address space, of which only what is used takes memory.
    pub fiber_stack: usize,
    /// Hears the message of each panic that ended a fiber; the default drops it, the standard panic hook has printed it.
    pub on_panic: Arc<dyn Fn(&str) + Send + Sync>,
}

impl Default for RuntimeOptions {
    fn default() -> RuntimeOptions {
        RuntimeOptions {
            threads: 0,
            backend: Backend::Auto,
            pin: false,
            // Frames of a debug build are several times as large.
            fiber_stack: if cfg!(debug_assertions) { 4 << 20 } else { 1 << 20 },
            on_panic: Arc::new(|_| {}),
        }
    }
}

impl std::fmt::Debug for RuntimeOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RuntimeOptions")
            .field("threads", &self.threads)
            .field("backend", &self.backend)
            .field("pin", &self.pin)
            .field("fiber_stack", &self.fiber_stack)
            .finish_non_exhaustive()
    }
}

/// The event loops; clones are the same runtime.
#[derive(Clone)]
pub struct Runtime {
    inner: Arc<Inner>,
}

struct Inner {
    loops: Vec<Arc<Shared>>,
    threads: Mutex<Vec<thread::JoinHandle<usize>>>,
    stopping: AtomicBool,
    next: AtomicUsize,
}

impl std::fmt::Debug for Runtime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Runtime({} loops, {:?})", self.cores(), self.backend())
    }
}

/// How a fiber ended that gave no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JoinError {
    /// It panicked with this message.
    Panicked(String),
    /// The runtime went down before it ran.
    Stopped,
}

impl std::fmt::Display for JoinError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            JoinError::Panicked(message) => write!(f, "the fiber panicked: {message}"),
            JoinError::Stopped => f.write_str("the runtime went down before the fiber ran"),
        }
    }
}

impl std::error::Error for JoinError {}

/// Waits for a fiber's value. Dropping it lets the fiber go on alone.
#[derive(Debug)]
pub struct JoinHandle<T> {
    packet: Arc<Packet<T>>,
}

#[derive(Debug)]
struct Packet<T> {
    outcome: Mutex<Option<Result<T, JoinError>>>,
    waiting: WaitQueue,
}

/// Leaves an outcome however the fiber ends, also unrun.
struct Deliver<T>(Arc<Packet<T>>);

impl<T> Deliver<T> {
    fn set(&self, outcome: Result<T, JoinError>) {
        self.0.outcome.lock().get_or_insert(outcome);
        self.0.waiting.wake_all();
    }
}

impl<T> Drop for Deliver<T> {
    fn drop(&mut self) {
        self.set(Err(JoinError::Stopped));
    }
}

impl<T> JoinHandle<T> {
    /// Waits until the fiber has ended.
    pub fn join(self) -> Result<T, JoinError> {
        self.packet.waiting.wait(|| self.packet.outcome.lock().take())
    }

    /// Whether the fiber has ended.
    pub fn is_finished(&self) -> bool {
        self.packet.outcome.lock().is_some()
    }
}

/// What a shutdown left behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShutdownReport {
    /// Fibers that had not ended after the grace period; their memory is leaked, they never run again.
    pub abandoned: usize,
}

impl Runtime {
    /// Starts the event loops; all are ready when this returns.
    pub fn start(options: RuntimeOptions) -> io::Result<Runtime> {
        let threads = match options.threads {
            0 => platform::topology::Topology::discover().parallelism(),
            threads => threads,
        };
        let cores: Vec<usize> = match options.pin {
            true => platform::topology::Topology::discover().cpus.iter().map(|cpu| cpu.number).collect(),
            false => Vec::new(),
        };
        let loops = (0..threads).map(|i| Shared::new(i).map(Arc::new)).collect::<io::Result<Vec<_>>>()?;
        let runtime = Runtime {
            inner: Arc::new(Inner {
                loops,
                threads: Mutex::default(),
                stopping: AtomicBool::new(false),
                next: AtomicUsize::new(0),
            }),
        };
        let balance = Arc::new(Balance::new(runtime.inner.loops.clone()));
        let (ready, started) = mpsc::channel();
        for shared in &runtime.inner.loops {
            let core = cores.get(shared.index % cores.len().max(1)).copied();
            let (shared, balance, ready) = (shared.clone(), balance.clone(), ready.clone());
            let (backend, stack, hook) = (options.backend, options.fiber_stack, options.on_panic.clone());
            let thread = thread::Builder::new()
                .name(format!("loop-{}", shared.index))
                .spawn(move || loop_thread(shared, balance, core, backend, stack, hook, &ready));
            match thread {
                Ok(thread) => runtime.inner.threads.lock().push(thread),
                Err(error) => {
                    runtime.shutdown(Duration::ZERO);
                    return Err(error);
                }
            }
        }
        drop(ready);
        let mut outcome = Ok(());
        for result in started.iter().take(threads) {
            outcome = outcome.and(result);
        }
        match outcome {
            Ok(()) => Ok(runtime),
            Err(error) => {
                runtime.shutdown(Duration::ZERO);
                Err(error)
            }
        }
    }

    /// How many event loops there are.
    pub fn cores(&self) -> usize {
        self.inner.loops.len()
    }

    /// What the loops use ([`Backend::IoUring`] only if all do).
    pub fn backend(&self) -> Backend {
        if self.inner.loops.iter().all(|shared| shared.uses_ring.load(Ordering::Acquire)) {
            Backend::IoUring
        } else {
            Backend::Epoll
        }
    }

    /// Runs `job` in a new fiber on the loop that has the fewest.
    pub fn spawn<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
        let loops = &self.inner.loops;
        // Equal loads go round, or a burst of short fibers would all meet on the first loop.
        let first = self.inner.next.fetch_add(1, Ordering::Relaxed);
        let core = (0..loops.len())
            .map(|i| (first + i) % loops.len())
            .min_by_key(|&i| loops[i].load.load(Ordering::Relaxed))
            .unwrap_or(0);
        self.spawn_on(core, job)
    }

    /// Runs `job` in a new fiber on loop `core` (counted round if there are fewer).
    pub fn spawn_on<T: Send + 'static>(
        &self,
        core: usize,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> JoinHandle<T> {
        let packet = Arc::new(Packet { outcome: Mutex::new(None), waiting: WaitQueue::new() });
        let deliver = Deliver(packet.clone());
        let job: Job = Box::new(move || {
            match std::panic::catch_unwind(std::panic::AssertUnwindSafe(job)) {
                Ok(value) => deliver.set(Ok(value)),
                Err(panic) => {
                    deliver.set(Err(JoinError::Panicked(crate::panic_message(&*panic))));
                    drop(deliver);
                    // On to the loop, which counts and reports it.
                    std::panic::resume_unwind(panic);
                }
            }
        });
        start_on(&self.inner.loops[core % self.inner.loops.len()], job);
        JoinHandle { packet }
    }

    /// Whether a shutdown has begun.
    pub fn is_stopping(&self) -> bool {
        self.inner.stopping.load(Ordering::Acquire)
    }

    /// Ends the runtime: listeners stop, waits for the network end with [`io::ErrorKind::ConnectionAborted`], parked
    /// fibers are woken to look at their conditions; then waits up to `grace` for the fibers to end, and leaves behind
    /// those that do not. Call it from a thread, not from a fiber of this runtime.
    pub fn shutdown(&self, grace: Duration) -> ShutdownReport {
        assert!(crate::core_id().is_none(), "a fiber cannot wait for the end of its own event loop");
        self.inner.stopping.store(true, Ordering::Release);
        for shared in &self.inner.loops {
            shared.stopping.store(true, Ordering::Release);
            shared.send(Mail::Stop);
        }
        let deadline = Instant::now() + grace;
        let threads = std::mem::take(&mut *self.inner.threads.lock());
        while Instant::now() < deadline && threads.iter().any(|thread| !thread.is_finished()) {
            thread::sleep(Duration::from_millis(1));
        }
        for shared in &self.inner.loops {
            shared.send(Mail::Abandon);
        }
        let abandoned = threads.into_iter().map(|thread| thread.join().unwrap_or(0)).sum();
        ShutdownReport { abandoned }
    }

    /// What all loops have done.
    pub fn counters(&self) -> Counters {
        self.loop_counters().into_iter().fold(Counters::default(), |sum, counters| sum + counters)
    }

    /// What each loop has done.
    pub fn loop_counters(&self) -> Vec<Counters> {
        self.inner.loops.iter().map(|shared| shared.counters.read()).collect()
    }

    /// Fibers alive on all loops, those on their way included.
    pub fn fibers(&self) -> usize {
        self.inner.loops.iter().map(|shared| shared.load.load(Ordering::Relaxed)).sum()
    }
}

/// Has a loop run `job` in a new fiber; dropped unrun where the loop has ended.
pub(crate) fn start_on(shared: &Shared, job: Job) {
    shared.load.fetch_add(1, Ordering::Relaxed);
    shared.send(Mail::Spawn(job));
}

/// An event loop's thread; returns how many fibers it left behind.
fn loop_thread(
    shared: Arc<Shared>,
    balance: Arc<Balance>,
    core: Option<usize>,
    backend: Backend,
    fiber_stack: usize,
    hook: PanicHook,
    ready: &mpsc::Sender<io::Result<()>>,
) -> usize {
    if let Some(core) = core {
        // Best effort: a container may forbid it, and the loop runs without.
        let _ = platform::topology::pin_current(core);
    }
    let event_loop = match EventLoop::new(shared.clone(), balance, backend, fiber_stack, hook) {
        Ok(event_loop) => event_loop,
        Err(error) => {
            shared.close();
            let _ = ready.send(Err(error));
            return 0;
        }
    };
    let _ = ready.send(Ok(()));
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| event_loop.run())) {
        Ok(abandoned) => abandoned,
        // A bug of the loop itself. Its fibers' stacks may be in use by the kernel, so nothing may be unwound or freed.
        Err(_) => std::process::abort(),
    }
}
