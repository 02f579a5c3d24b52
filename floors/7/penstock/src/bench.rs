//! `penstock bench`: the command line of the load generators.

use ::bench::commits::{self, Commits};
use ::bench::flexasync::in_process::{self, Home};
use ::bench::flexasync::{Flex, wire};
use ::bench::outcome::{Outcome, ServerOutcome};
use ::bench::sbtest::{Mix, MixWish, Pick, Tables};
use ::bench::scaling::{self, Scaling};
use ::bench::tables::TablesWish;
use ::bench::target::{Place, Target};
use ::bench::tpcc::{self, Tpcc};
use ::bench::watch::Wish;
use ::bench::{BenchError, answer_ok, disk, report, sbtest, tables, yesmark};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::path::PathBuf;
use std::process::ExitCode;

/// Declares `penstock bench`.
pub fn command() -> Command {
    let mixes = Mix::ALL.map(|mix| mix_command(mix.name(), "Run the statements of this mix"));
    Command::new("bench")
        .about("Measure this or any other MariaDB or MySQL server")
        .arg_required_else_help(true)
        .subcommand_required(true)
        .subcommand(with_load(with_forms(Command::new("yesmark").about("DO 0, as fast as it goes"))))
        .subcommands(mixes)
        .subcommand(mix_command("mixes", "Run all mixes, one after the other"))
        .subcommand(with_tables(with_servers(
            Command::new("prepare").about("Make the tables of the mixes, dropping what is there"),
        )))
        .subcommand(with_tables(with_servers(Command::new("cleanup").about("Drop the tables of the mixes"))))
        .subcommand(flexasync_command())
        .subcommand(
            with_flex(Command::new("scaling").about("flexasync over connections, rows and record sizes"))
                .arg(numbers("connections-list", "1,2,4,8", "Connections, one run each"))
                .arg(numbers("rows-list", "", "Rows of the table, one run each"))
                .arg(numbers("size-list", "", "Bytes of a record, one run each")),
        )
        .subcommand(
            with_load(Command::new("commits").about("What a commit costs, by how many commit at once"))
                .arg(database("commits"))
                .arg(number("rows", "10000", "Rows of the table"))
                .arg(numbers("steps", "1,8,64,256", "Connections that commit, one run each")),
        )
        .subcommand(tpcc_command())
        .subcommand(
            with_servers(Command::new("tables").about("Create, open and drop many tables"))
                .arg(database("bench_tables"))
                .arg(number("tables", "20000", "Number of tables"))
                .arg(Arg::new("keep").long("keep").action(ArgAction::SetTrue).help("Leave the tables behind"))
                .arg(rounds()),
        )
        .subcommand(
            Command::new("disk")
                .about("What a force costs on a directory's device, and so what a commit can cost there")
                .arg(
                    Arg::new("dir")
                        .value_name("DIR")
                        .required(true)
                        .value_parser(value_parser!(PathBuf))
                        .help("Directory on that device; what is written there is removed"),
                )
                .arg(seconds("seconds", "3", "How long each way of writing is measured").short('s'))
                .arg(path("json", "FILE", "Write all figures as JSON; - prints them"))
                .arg(path("report", "FILE", "Write a page with curves and bars, for a browser")),
        )
        .subcommand(
            Command::new("answer-ok")
                .about("Serve: read, frame, answer OK, and nothing else; the yardstick")
                .arg(path("socket", "PATH", "Unix socket to listen on").required(true))
                .arg(number("port", "0", "TCP port of 127.0.0.1 to listen on, too; 0: none"))
                .arg(number("threads", "0", "Event loops; 0: one a core")),
        )
}

fn mix_command(name: &'static str, about: &'static str) -> Command {
    let check = Arg::new("check").long("check").action(ArgAction::SetTrue);
    with_tables(with_load(with_forms(Command::new(name).about(about))))
        .arg(check.help("Look into every row that comes back"))
}

fn flexasync_command() -> Command {
    let about = "Insert, read, update, read, delete and miss every row by primary key, checking each";
    with_flex(Command::new("flexasync").about(about))
}

/// What to do to how many rows, in flexasync's way.
fn with_flex(command: Command) -> Command {
    let switch = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
    };
    with_servers(command)
        .arg(database("flexasync"))
        .arg(number("rows", "1000000", "Rows in all"))
        .arg(number("size", "100", "Bytes of a record"))
        .arg(number("operations", "1", "Rows of a transaction"))
        .arg(number(
            "bulk",
            "1",
            "Rows written by one command (MariaDB's bulk execution); 1: a statement for each row",
        ))
        .arg(number(
            "parallel",
            "8",
            "Transactions that a thread has under way; connections = threads x parallel",
        ))
        .arg(switch("scattered", "Keys in random order over 64 bits"))
        .arg(switch("in-process", "Against the engine in this process instead of a server"))
        .arg(path("datadir", "DIR", "With --in-process: where [default: a directory that is removed]"))
        .arg(number("pool-mib", "1024", "With --in-process: memory for pages, in MiB"))
        .arg(switch("unforced", "With --in-process: write the log, but do not force it at each commit"))
        .arg(rounds())
}

fn tpcc_command() -> Command {
    let action = Arg::new("action")
        .value_parser(["run", "prepare", "check", "cleanup"])
        .default_value("run")
        .help("Run the mix (making the tables where they are missing), make them, check them, drop them");
    let think = Arg::new("think").long("think").action(ArgAction::SetTrue);
    with_load(Command::new("tpcc").about("TPC-C: five transactions over nine tables, checked afterwards"))
        .arg(action)
        .arg(database("tpcc"))
        .arg(number("warehouses", "4", "Number of warehouses"))
        .arg(think.help("Key and think between transactions as long as the specification says"))
}

fn database(default: &'static str) -> Arg {
    Arg::new("database").long("database").value_name("NAME").default_value(default).help("Database")
}

fn rounds() -> Arg {
    number("rounds", "1", "How often the servers take turns")
}

fn number(name: &'static str, default: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("N")
        .value_parser(value_parser!(u64).range(..1 << 32))
        .default_value(default)
        .help(help)
}

fn numbers(name: &'static str, default: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("N,N,...")
        .value_parser(|text: &str| -> Result<Vec<u64>, std::num::ParseIntError> {
            text.split(',').filter(|n| !n.is_empty()).map(str::parse).collect()
        })
        .default_value(default)
        .help(help)
}

fn seconds(name: &'static str, default: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("SECONDS")
        .value_parser(value_parser!(f64))
        .default_value(default)
        .help(help)
}

fn path(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).value_parser(value_parser!(PathBuf)).help(help)
}

/// Which servers, and what to leave behind.
fn with_servers(command: Command) -> Command {
    let text = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    command
        .arg(path("socket", "PATH", "Unix socket of the server [default: ./penstock-data/penstock.sock]"))
        .arg(text("host", "HOST", "Connect over TCP to this host"))
        .arg(text("port", "N", "TCP port").value_parser(value_parser!(u16)).default_value("3306"))
        .arg(text("user", "NAME", "User name").default_value("root").short('u'))
        .arg(text("password", "TEXT", "Password").env("PENSTOCK_PASSWORD").default_value(""))
        .arg(
            text("server-pid", "PID", "The server's process, where no unix socket tells")
                .value_parser(value_parser!(u32)),
        )
        .arg(text(
            "vs",
            "URL",
            "Another server to measure in turn: mysql://user:password@host:port or unix:/path",
        ))
        .arg(number("connections", "8", "Connections under load").short('c'))
        .arg(number("threads", "0", "Event loops of the client; 0: one a core"))
        .arg(number("depth", "1", "Most commands of a connection that wait for answers").short('d'))
        .arg(path("json", "FILE", "Write all figures as JSON; - prints them"))
        .arg(path("report", "FILE", "Write a page with curves and bars, for a browser"))
}

/// How long, how fast.
fn with_load(command: Command) -> Command {
    with_servers(command)
        .arg(seconds("seconds", "10", "How long each part runs").short('s'))
        .arg(seconds("warmup", "0", "How long it runs before that unmeasured"))
        .arg(
            Arg::new("rate")
                .long("rate")
                .value_name("N")
                .value_parser(value_parser!(f64))
                .help("Send so many commands a second at intended times (open loop)"),
        )
        .arg(rounds())
        .arg(Arg::new("live").long("live").action(ArgAction::SetTrue).help("Print a line each second"))
}

fn with_forms(command: Command) -> Command {
    command.arg(
        Arg::new("form")
            .long("form")
            .value_name("FORM")
            .value_parser(["text", "prepared", "both"])
            .default_value("both")
            .help("How statements are sent"),
    )
}

fn with_tables(command: Command) -> Command {
    command
        .arg(
            Arg::new("database").long("database").value_name("NAME").default_value("sbtest").help("Database"),
        )
        .arg(number("tables", "1", "Number of tables"))
        .arg(number("rows", "100000", "Rows of a table"))
        .arg(number("range", "100", "Rows of a range"))
        .arg(
            Arg::new("pick")
                .long("pick")
                .value_name("HOW")
                .value_parser(["uniform", "hot", "zipf"])
                .default_value("uniform")
                .help("How ids are picked: all alike, three of four from the middle hundredth, or by Zipf's law"),
        )
}

/// Runs a benchmark.
pub fn run(matches: &ArgMatches) -> ExitCode {
    let Some((name, given)) = matches.subcommand() else { return ExitCode::from(2) };
    let _ = platform::system::raise_open_files_limit();
    match dispatch(name, &Given(given)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(errors) => {
            eprintln!("penstock bench {name}: {errors} answers were errors or wrong");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("penstock bench {name}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs one; how many answers were errors or wrong.
fn dispatch(name: &str, given: &Given<'_>) -> Result<u64, BenchError> {
    let wish = given.wish(name == "yesmark");
    if name == "answer-ok" {
        let socket = given.path("socket").unwrap_or_default();
        let port = u16::try_from(given.number("port")).ok().filter(|port| *port > 0);
        let _server = answer_ok::start(&socket, port, given.number("threads") as usize)?;
        println!("Answering OK on {}. Stop it with Ctrl-C.", socket.display());
        loop {
            std::thread::park();
        }
    }
    if name == "disk" {
        return given.disk();
    }
    let servers = given.servers()?;
    let (text, prepared) = given.forms();
    let tables = || given.tables();
    let mixes = |mixes: Vec<Mix>| MixWish { mixes, text, prepared, check: given.switch("check") };
    let outcome = match name {
        "yesmark" => in_turn(name, given, &servers, &wish, |t| yesmark::run(t, &wish, text, prepared))?,
        "prepare" => {
            let tables = tables()?;
            in_turn(name, given, &servers, &wish, |t| sbtest::prepare(t, &wish, &tables))?
        }
        "cleanup" => {
            let tables = tables()?;
            servers.iter().try_for_each(|server| sbtest::cleanup(server, &tables))?;
            return Ok(0);
        }
        "tpcc" => return given.tpcc(&servers, &wish),
        "flexasync" => given.flexasync(name, &servers, wish)?,
        "scaling" => given.scaling(name, &servers, wish)?,
        "commits" => {
            let (database, rows, steps) =
                (given.text("database"), given.number("rows"), given.numbers("steps"));
            let commits = Commits { database, rows, steps }.checked()?;
            in_turn(name, given, &servers, &wish, |t| commits::run(t, &wish, &commits))?
        }
        "tables" => {
            let tables = TablesWish {
                database: given.text("database"),
                count: given.number("tables"),
                keep: given.switch("keep"),
            };
            in_turn(name, given, &servers, &wish, |t| tables::run(t, &wish, &tables))?
        }
        _ => {
            let wanted = Mix::ALL.into_iter().filter(|mix| name == "mixes" || name == mix.name()).collect();
            let (tables, mixes) = (tables()?, mixes(wanted));
            for server in &servers {
                if !sbtest::prepared_already(server, &tables) {
                    eprintln!("Making {} tables of {} rows on {}", tables.tables, tables.rows, server.place);
                    sbtest::prepare(server, &wish, &tables)?;
                }
            }
            in_turn(name, given, &servers, &wish, |t| sbtest::run_mixes(t, &wish, &tables, &mixes))?
        }
    };
    given.hand_over(&outcome)?;
    Ok(outcome.complaints())
}

/// Runs a benchmark on the servers in turn, A B A B, as many rounds as wished for.
fn in_turn(
    name: &str,
    given: &Given<'_>,
    servers: &[Target],
    wish: &Wish,
    mut run: impl FnMut(&Target) -> Result<ServerOutcome, BenchError>,
) -> Result<Outcome, BenchError> {
    let rate = wish.rate.map_or(String::new(), |rate| format!(", {rate} commands/s intended"));
    let length = if wish.seconds > 0.0 { format!(", {} s each", wish.seconds) } else { String::new() };
    let settings = format!(
        "{}, depth {}{length}{rate}{}, rounds {}",
        plural(wish.connections, "connection"),
        wish.depth,
        given.settings(),
        given.rounds()
    );
    let mut outcome = Outcome::begin(name, settings);
    for _ in 0..given.rounds() {
        for (i, server) in servers.iter().enumerate() {
            let came = run(server)?;
            match outcome.servers.get_mut(i) {
                Some(mine) => mine.add(came),
                None => outcome.servers.push(came),
            }
        }
    }
    Ok(outcome)
}

fn plural(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// What was given on the command line. Options that a subcommand does not have read as not given.
struct Given<'a>(&'a ArgMatches);

impl Given<'_> {
    fn get<T: Clone + Send + Sync + 'static>(&self, name: &str) -> Option<T> {
        self.0.try_get_one::<T>(name).ok().flatten().cloned()
    }

    fn number(&self, name: &str) -> u64 {
        self.get(name).unwrap_or(0)
    }

    fn numbers(&self, name: &str) -> Vec<u64> {
        self.get(name).unwrap_or_default()
    }

    fn path(&self, name: &str) -> Option<PathBuf> {
        self.get(name)
    }

    fn text(&self, name: &str) -> String {
        self.get(name).unwrap_or_default()
    }

    fn switch(&self, name: &str) -> bool {
        self.get(name).unwrap_or(false)
    }

    /// What else the figures depend on, as far as this subcommand has it.
    fn settings(&self) -> String {
        let mut text = String::new();
        for name in ["tables", "rows", "range", "size", "operations", "bulk", "warehouses"] {
            if let Some(n) = self.get::<u64>(name) {
                text += &format!(", {name} {n}");
            }
        }
        for name in ["check", "scattered", "in-process", "unforced", "think"] {
            if self.switch(name) {
                text += &format!(", {name}");
            }
        }
        if self.text("pick") == "hot" { text + ", pick hot" } else { text }
    }

    fn rounds(&self) -> u64 {
        self.number("rounds").max(1)
    }

    fn wish(&self, live: bool) -> Wish {
        Wish {
            connections: self.number("connections").max(1) as usize,
            threads: self.number("threads") as usize,
            depth: self.number("depth").max(1) as usize,
            seconds: self.get("seconds").unwrap_or(0.0),
            warmup: self.get("warmup").unwrap_or(0.0),
            rate: self.get("rate"),
            live: live || self.switch("live"),
        }
    }

    /// Text, prepared.
    fn forms(&self) -> (bool, bool) {
        let form = self.text("form");
        (form != "prepared", form != "text")
    }

    fn servers(&self) -> Result<Vec<Target>, BenchError> {
        let place = match self.get::<String>("host") {
            Some(host) => Place::Tcp(host, self.get("port").unwrap_or(3306)),
            None => {
                Place::Unix(self.path("socket").unwrap_or_else(|| "./penstock-data/penstock.sock".into()))
            }
        };
        let first = Target {
            place,
            user: self.text("user"),
            password: self.text("password"),
            pid: self.get("server-pid"),
        };
        let second = self.get::<String>("vs").map(|url| Target::parse(&url)).transpose()?;
        Ok([first].into_iter().chain(second).collect())
    }

    fn tables(&self) -> Result<Tables, BenchError> {
        let pick = match self.text("pick").as_str() {
            "hot" => Pick::Hot,
            "zipf" => Pick::Zipf,
            _ => Pick::Uniform,
        };
        let (tables, rows, range) = (self.number("tables"), self.number("rows"), self.number("range"));
        Tables { database: self.text("database"), tables, rows, range, pick }.checked()
    }

    fn flex(&self) -> Result<Flex, BenchError> {
        let flex = Flex {
            database: self.text("database"),
            rows: self.number("rows"),
            size: self.number("size") as usize,
            operations: self.number("operations"),
            bulk: self.number("bulk"),
            scattered: self.switch("scattered"),
        };
        flex.checked()
    }

    /// The wish of a benchmark whose connections are threads x parallel.
    fn flex_wish(&self, wish: Wish) -> Wish {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if wish.threads == 0 { cores } else { wish.threads };
        let connections = threads * self.number("parallel").max(1) as usize;
        Wish { threads, connections, ..wish }
    }

    /// Where the engine lives that runs in this process, under `passing` unless told; `None`: a server is meant.
    fn home(&self, passing: &std::path::Path) -> Option<Home> {
        self.switch("in-process").then(|| Home {
            dir: self.path("datadir").unwrap_or_else(|| passing.join("engine")),
            pool_bytes: self.number("pool-mib") << 20,
            forced: !self.switch("unforced"),
        })
    }

    fn flexasync(&self, name: &str, servers: &[Target], wish: Wish) -> Result<Outcome, BenchError> {
        let (flex, wish) = (self.flex()?, self.flex_wish(wish));
        let passing = in_process::passing_home()?;
        match self.home(passing.path()) {
            None => in_turn(name, self, servers, &wish, |t| wire::run(t, &wish, &flex)),
            // One engine, whatever servers are named.
            Some(home) => in_turn(name, self, &servers[..1], &wish, |_| in_process::run(&home, &wish, &flex)),
        }
    }

    fn scaling(&self, name: &str, servers: &[Target], wish: Wish) -> Result<Outcome, BenchError> {
        let (base, wish) = (self.flex()?, self.flex_wish(wish));
        let (connections, rows) = (self.numbers("connections-list"), self.numbers("rows-list"));
        let scaling = Scaling { base, connections, rows, sizes: self.numbers("size-list") };
        let passing = in_process::passing_home()?;
        let home = self.home(passing.path());
        let servers = if home.is_some() { &servers[..1] } else { servers };
        let mut outcome =
            in_turn(name, self, servers, &wish, |t| scaling::run(t, home.as_ref(), &wish, &scaling))?;
        outcome.sweeps = scaling.sweeps();
        Ok(outcome)
    }

    /// Measures a device.
    fn disk(&self) -> Result<u64, BenchError> {
        let seconds = self.get("seconds").unwrap_or(0.0);
        let disk = disk::run(&self.path("dir").unwrap_or_default(), seconds)?;
        let mut outcome = Outcome::begin("disk", format!("{seconds} s each"));
        let advice = disk.advice();
        outcome.servers.push(disk.outcome);
        self.hand_over(&outcome)?;
        eprint!("{advice}");
        Ok(0)
    }

    /// Runs, makes, checks or drops; how much was wrong.
    fn tpcc(&self, servers: &[Target], wish: &Wish) -> Result<u64, BenchError> {
        let tpcc = Tpcc {
            database: self.text("database"),
            warehouses: self.number("warehouses"),
            think: self.switch("think"),
        };
        let tpcc = tpcc.checked()?;
        let action = self.text("action");
        let mut wrong = 0;
        match action.as_str() {
            "cleanup" => servers.iter().try_for_each(|server| tpcc::cleanup(server, &tpcc))?,
            "prepare" => {
                let outcome =
                    in_turn("tpcc prepare", self, servers, wish, |t| tpcc::prepare(t, wish, &tpcc))?;
                self.hand_over(&outcome)?;
                wrong += outcome.complaints();
            }
            "run" => {
                for server in servers.iter().filter(|server| !tpcc::prepared_already(server, &tpcc)) {
                    eprintln!("Making {} on {}", plural(tpcc.warehouses as usize, "warehouse"), server.place);
                    tpcc::prepare(server, wish, &tpcc)?;
                }
                let outcome = in_turn("tpcc", self, servers, wish, |t| tpcc::run_mix(t, wish, &tpcc))?;
                self.hand_over(&outcome)?;
                wrong += outcome.complaints();
            }
            _ => {}
        }
        if matches!(action.as_str(), "run" | "check") {
            for server in servers {
                wrong += show_conditions(server, &tpcc::check(server, &tpcc)?);
            }
        }
        Ok(wrong)
    }

    /// Prints the outcome and writes what was asked for.
    fn hand_over(&self, outcome: &Outcome) -> Result<(), BenchError> {
        let json = self.path("json");
        match &json {
            Some(path) if path.as_os_str() == "-" => println!("{:#}", outcome.json()),
            _ => print!("{}", outcome.table()),
        }
        if let Some(path) = json.filter(|path| path.as_os_str() != "-") {
            write(&path, &format!("{:#}\n", outcome.json()))?;
        }
        if let Some(path) = self.path("report") {
            write(&path, &report::page(outcome))?;
        }
        Ok(())
    }
}

/// Prints what became of the conditions of consistency; how many rows break one. They go where messages go: what is
/// printed may be JSON.
fn show_conditions(server: &Target, conditions: &[tpcc::Condition]) -> u64 {
    for condition in conditions.iter().filter(|c| c.broken > 0) {
        eprintln!(
            "{}: condition {} is broken {} times: {}",
            server.place, condition.number, condition.broken, condition.text
        );
    }
    let good = conditions.iter().filter(|c| c.broken == 0).count();
    eprintln!("{}: {good} of {} conditions of consistency hold", server.place, conditions.len());
    conditions.iter().map(|c| c.broken).sum()
}

fn write(path: &PathBuf, text: &str) -> Result<(), BenchError> {
    std::fs::write(path, text).map_err(|e| BenchError::System(format!("write {}", path.display()), e))
}
