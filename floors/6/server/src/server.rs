//! Start and stop, and what connections share.

use crate::accounts::Accounts;
use crate::connection;
use crate::general_log::GeneralLog;
use crate::memory::Memory;
use crate::options::Options;
use crate::processes::Processes;
use crate::status::{Counter, Status};
use engine::{CheckpointPolicy, Engine, EngineError, RecoveryReport};
use parking_lot::Mutex;
use platform::file::{RealDir, SyncMode};
use runtime::net::{CloseHandle, Listener, UnixOptions};
use runtime::{Backend, Runtime, RuntimeOptions};
use sql::error::SqlError;
use sql::host::{Host, KillTarget, Process, StatusValue};
use sql::session::variables::Globals;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use types::Value;

/// What connections share.
pub struct Shared {
    /// The engine.
    pub engine: Engine,
    /// How the server was started.
    pub options: Options,
    /// Accounts.
    pub accounts: Accounts,
    /// Connections.
    pub processes: Arc<Processes>,
    /// Counters.
    pub status: Status,
    /// Where its memory lies.
    memory: Arc<Memory>,
    stop: Stop,
    event_loops: usize,
    globals: Globals,
    general_log: GeneralLog,
    tally: sql::session::counters::Tally,
}

/// The wish to stop, and whoever waits for it.
#[derive(Default)]
struct Stop {
    wanted: AtomicBool,
    waker: Mutex<Option<runtime::Waker>>,
}

impl Shared {
    /// Asks the server to stop.
    pub fn request_stop(&self) {
        // Release pairs with the acquire of whoever waits.
        self.stop.wanted.store(true, Ordering::Release);
        if let Some(waker) = &*self.stop.waker.lock() {
            waker.wake();
        }
    }

    /// Whether a failed write or force has ended all work; the server stops then.
    pub fn is_poisoned(&self) -> bool {
        if self.engine.poisoned().is_some() {
            self.request_stop();
            return true;
        }
        false
    }

    /// The line of COM_STATISTICS.
    pub fn statistics(&self) -> String {
        let uptime = self.status.uptime_s();
        let questions = self.status.sum(Counter::Questions);
        let per_second = questions as f64 / uptime.max(1) as f64;
        let slow = self.tally.sums()[sql::session::counters::Counter::SlowQueries as usize];
        format!(
            "Uptime: {uptime}  Threads: {}  Questions: {questions}  Slow queries: {slow}  Opens: 0  Open tables: {}  Queries per second avg: {per_second:.3}",
            self.processes.len(),
            self.engine.catalog().databases().map(|d| d.tables.len()).sum::<usize>(),
        )
    }
}

impl Host for Shared {
    fn status(&self, visit: &mut dyn FnMut(&str, StatusValue)) {
        let mut count = |name: &str, n: u64| visit(name, StatusValue::Count(n));
        self.status.visit(&mut count);
        count("Queries", self.status.sum(Counter::Questions));
        count("Threads_connected", self.processes.len() as u64);
        count("Threads_running", self.processes.running() as u64);
        count("Uptime_since_flush_status", self.status.uptime_s());
        let engine = self.engine.status();
        for (name, n) in [
            ("Penstock_commits", engine.commits),
            ("Penstock_rollbacks", engine.rollbacks),
            ("Penstock_checkpoints", engine.checkpoints),
            ("Penstock_versions_purged", engine.purged),
            ("Penstock_transaction_bytes", engine.transaction_bytes),
            ("Penstock_version_bytes", engine.version_bytes),
            ("Innodb_row_lock_waits", engine.lock_waits),
            ("Innodb_row_lock_current_waits", engine.lock_waits_now),
            ("Innodb_deadlocks", engine.deadlocks),
        ] {
            count(name, n);
        }
        crate::status::visit_storage(&self.engine, &engine, &mut count);
        self.memory.visit(&mut count);
        visit("Penstock_sync", StatusValue::Text(sync_text(self.options.sync).into()));
    }

    fn processes(&self) -> Vec<Process> {
        self.processes.list()
    }

    fn kill(&self, id: u64, target: KillTarget) -> Result<(), SqlError> {
        match self.processes.kill(id, target) {
            true => Ok(()),
            false => Err(SqlError::no_such_thread(id)),
        }
    }

    fn fact(&self, name: &str) -> Option<Value> {
        let options = &self.options;
        Some(match name {
            "version" => Value::text(crate::VERSION),
            "port" => Value::UInt(options.port.map_or(0, u64::from)),
            "socket" => Value::text(&options.socket.to_string_lossy()),
            "datadir" => {
                Value::text(&format!("{}/", options.datadir.to_string_lossy().trim_end_matches('/')))
            }
            "bind_address" => Value::text(&options.bind),
            "secure_file_priv" => Value::text(&options.secure_file_priv.as_ref()?.to_string_lossy()),
            "server_id" => Value::UInt(u64::from(options.server_id)),
            "max_connections" => Value::UInt(options.max_connections as u64),
            "max_allowed_packet" => Value::Int(options.max_allowed_packet as i64),
            "max_binlog_size" => Value::UInt(options.max_binlog_size),
            "innodb_buffer_pool_size" => Value::UInt(options.buffer_pool_size),
            "thread_pool_size" => Value::UInt(self.event_loops as u64),
            "hostname" => Value::text("localhost"),
            _ => return None,
        })
    }

    fn globals(&self) -> &Globals {
        &self.globals
    }

    fn tally(&self) -> &sql::session::counters::Tally {
        &self.tally
    }

    fn command_number(&self, command: &str) -> usize {
        crate::status::command_number(command)
    }

    fn count_command(&self, number: usize) {
        self.status.count_command(number);
    }

    fn log_command(&self, file: &str, connection: u64, command: &'static str, argument: &[u8]) {
        let path = self.options.datadir.join(file);
        if let Err(error) = self.general_log.write(&path, connection, command, argument) {
            tracing::error!("write the general log: {error}");
        }
    }

    fn shutdown(&self) {
        self.request_stop();
    }

    fn accounts_changed(&self) {
        self.accounts.reload();
    }
}

/// How files are forced, for people.
pub fn sync_text(mode: SyncMode) -> &'static str {
    match mode {
        SyncMode::Data => "data",
        SyncMode::Full => "full",
        SyncMode::None => {
            "none: NOT SAFE, a power cut loses acknowledged transactions and perhaps everything"
        }
    }
}

/// Why a server does not start.
#[derive(Debug)]
pub enum StartError {
    /// The data directory cannot be made or opened.
    DataDir(PathBuf, std::io::Error),
    /// The engine does not open.
    Engine(Box<EngineError>),
    /// An address or socket cannot be listened on.
    Listen(String, std::io::Error),
    /// The address to bind is none.
    BadAddress(String),
    /// An account without a password could be used from the network.
    OpenAccounts(Vec<String>, IpAddr),
    /// The event loops do not start.
    Runtime(std::io::Error),
}

impl std::fmt::Display for StartError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::DataDir(path, error) => write!(f, "open data directory {}: {error}", path.display()),
            Self::Engine(error) => match &**error {
                EngineError::Io { verb, source } if source.kind() == std::io::ErrorKind::WouldBlock => {
                    write!(f, "{verb}: another server is using it ({source})")
                }
                error => write!(f, "open the database: {error}"),
            },
            Self::Listen(what, error) => write!(f, "listen on {what}: {error}"),
            Self::BadAddress(text) => write!(f, "bind to '{text}': not an IP address"),
            Self::OpenAccounts(names, address) => write!(
                f,
                "refuse to listen on {address}: {} has no password. Set one from this machine first \
                 (SET PASSWORD FOR ... = PASSWORD('...'))",
                names.join(", ")
            ),
            Self::Runtime(error) => write!(f, "start the event loops: {error}"),
        }
    }
}

impl std::error::Error for StartError {}

/// What a start came to, for the first screen.
#[derive(Debug)]
pub struct StartReport {
    /// What recovery did.
    pub recovery: RecoveryReport,
    /// The TCP address listened on.
    pub tcp: Option<SocketAddr>,
    /// The unix socket listened on.
    pub socket: PathBuf,
    /// Event loops.
    pub event_loops: usize,
    /// The kernel's interface that they use.
    pub backend: Backend,
    /// How long the start took.
    pub took: Duration,
}

/// What the changes of a transaction may take on the smallest machine, in bytes.
const LEAST_TRANSACTION: usize = 64 << 20;

/// A running server.
pub struct Server {
    shared: Arc<Shared>,
    runtime: Runtime,
    listeners: Vec<CloseHandle>,
}

/// Time that sessions have to notice that the server stops.
const STOP_GRACE: Duration = Duration::from_secs(5);
/// How often damage found in the page file is looked for, to be logged.
const DAMAGE_TICK: Duration = Duration::from_secs(1);

impl Server {
    /// Opens the database and listens.
    pub fn start(options: Options) -> Result<(Self, StartReport), StartError> {
        let begun = Instant::now();
        let data_dir = |error| StartError::DataDir(options.datadir.clone(), error);
        let dir = RealDir::new(&options.datadir, true).map_err(data_dir)?.with_sync(options.sync);
        if options.sync == SyncMode::None {
            tracing::warn!("sync={}", sync_text(options.sync));
        }
        let memory = Arc::new(Memory::new(&options));
        let mut engine_options = engine::Options::new(Arc::new(dir));
        engine_options.pool_bytes = options.buffer_pool_size;
        engine_options.interleave = memory.interleaves();
        engine_options.direct = options.direct_io;
        if !options.preallocate {
            // As little as the page file and the log take at least.
            (engine_options.extent_bytes, engine_options.extent_max) = (0, 0);
            (engine_options.log.preallocate_bytes, engine_options.log.cleared_bytes) = (0, 0);
        }
        let machine = usize::try_from(platform::system::memory_bytes()).unwrap_or(usize::MAX);
        engine_options.write_set_bytes = (machine / 4).max(LEAST_TRANSACTION);
        engine_options.write_sets_bytes = (machine / 2).max(LEAST_TRANSACTION);
        engine_options.server_id = options.server_id;
        engine_options.log.server_id = options.server_id;
        engine_options.log.max_segment_bytes = u32::try_from(options.max_binlog_size).unwrap_or(1 << 30);
        engine_options.log.server_version = crate::VERSION.into();
        engine_options.checkpoint =
            CheckpointPolicy { log_bytes: options.checkpoint_log_size, ..CheckpointPolicy::default() };
        let (engine, recovery) = Engine::open(engine_options).map_err(|e| StartError::Engine(Box::new(e)))?;
        let transaction = options.max_binlog_cache_size.map(usize::try_from);
        engine.set_transaction_limit(transaction.map(|bytes| bytes.unwrap_or(usize::MAX)));
        tell_of_hidden(&engine);
        let accounts = Accounts::open(engine.clone()).map_err(|e| StartError::Engine(Box::new(e)))?;
        let address: IpAddr =
            options.bind.parse().map_err(|_| StartError::BadAddress(options.bind.clone()))?;
        let open = accounts.open_to_the_world();
        if options.port.is_some() && !address.is_loopback() && !open.is_empty() {
            return Err(StartError::OpenAccounts(open, address));
        }
        let backend = match options.event_loop.as_str() {
            "io_uring" => Backend::IoUring,
            "epoll" => Backend::Epoll,
            _ => Backend::Auto,
        };
        let runtime_options = RuntimeOptions {
            threads: options.threads,
            backend,
            pin: memory.pins(),
            on_panic: Arc::new(|message| tracing::error!("a session failed: {message}")),
            ..RuntimeOptions::default()
        };
        let runtime = Runtime::start(runtime_options).map_err(StartError::Runtime)?;
        let shared = Arc::new(Shared {
            engine,
            accounts,
            processes: Arc::default(),
            status: Status::new(runtime.cores()),
            memory,
            stop: Stop::default(),
            event_loops: runtime.cores(),
            globals: Globals::new(),
            general_log: GeneralLog::new(&options),
            tally: sql::session::counters::Tally::new(),
            options: options.clone(),
        });
        let (listeners, tcp) = listen(&shared, &runtime, &options, address)?;
        shared.memory.prepare(&shared.engine, &options);
        let report = StartReport {
            recovery,
            tcp,
            socket: options.socket.clone(),
            event_loops: runtime.cores(),
            backend: runtime.backend(),
            took: begun.elapsed(),
        };
        Ok((Self { shared, runtime, listeners }, report))
    }

    /// Waits until somebody asks the server to stop: a client, [`Server::stopper`], or a failed disk.
    pub fn wait(&self) {
        *self.shared.stop.waker.lock() = Some(runtime::Waker::current());
        while !self.shared.stop.wanted.load(Ordering::Acquire) {
            self.log_damage();
            runtime::park_until(Instant::now() + DAMAGE_TICK);
        }
    }

    /// Says in the log what damage was found in the page file: what was healed as a warning, what was not as an error.
    fn log_damage(&self) {
        for damage in self.shared.engine.take_damage() {
            match damage.healed {
                true => tracing::warn!("{damage}"),
                false => tracing::error!("{damage}"),
            }
        }
    }

    /// Asks the server to stop, from another thread.
    pub fn stopper(&self) -> impl Fn() + Send + Sync + 'static {
        let shared = self.shared.clone();
        move || shared.request_stop()
    }

    /// What connections share, for tests and metrics.
    pub fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Stops: no new connections, the old ones end, a last checkpoint is made.
    pub fn stop(self) -> Result<(), EngineError> {
        self.listeners.iter().for_each(CloseHandle::close);
        self.shared.processes.close_all();
        self.runtime.shutdown(STOP_GRACE);
        self.log_damage();
        let poisoned = self.shared.engine.poisoned();
        match poisoned {
            Some(why) => Err(EngineError::Poisoned(why)),
            None => self.shared.engine.close(),
        }
    }
}

/// Earlier versions let users make a database called `mysql`; the server has one of its own now.
fn tell_of_hidden(engine: &Engine) {
    let catalog = engine.catalog();
    if let Some(database) = catalog.database(sql::catalog::mysql::MYSQL) {
        tracing::warn!(
            "the database `mysql` that was made here ({} tables) is hidden where its names are those of the server's own; \
             DROP DATABASE mysql removes it",
            database.tables.len() + database.views.len()
        );
    }
}

fn listen(
    shared: &Arc<Shared>,
    runtime: &Runtime,
    options: &Options,
    address: IpAddr,
) -> Result<(Vec<CloseHandle>, Option<SocketAddr>), StartError> {
    let mut handles = Vec::new();
    let mut serve = |listener: Listener| {
        let shared = shared.clone();
        let handler = move |stream| connection::serve(&shared, stream);
        handles.push(listener.serve(runtime, handler, |error| tracing::warn!("accept connection: {error}")));
    };
    let mut tcp = None;
    if let Some(port) = options.port {
        let wanted = SocketAddr::new(address, port);
        let listener = Listener::bind_tcp(wanted).map_err(|e| StartError::Listen(wanted.to_string(), e))?;
        tcp = listener.tcp_address();
        serve(listener);
    }
    let socket = Listener::bind_unix(&options.socket, UnixOptions::default())
        .map_err(|e| StartError::Listen(options.socket.display().to_string(), e))?;
    serve(socket);
    Ok((handles, tcp))
}
