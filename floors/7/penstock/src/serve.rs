//! `penstock serve`.

use clap::ArgMatches;
use platform::file::SyncMode;
use platform::system::{cpu_name, memory_bytes};
use server::{Options, Server, StartReport};
use std::process::ExitCode;
use tracing_subscriber::EnvFilter;

/// Runs the server until it is told to stop.
pub fn run(matches: &ArgMatches) -> ExitCode {
    match options(matches).and_then(serve) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("penstock: {message}");
            ExitCode::FAILURE
        }
    }
}

fn options(matches: &ArgMatches) -> Result<Options, String> {
    let mut texts = match matches.get_one::<String>("config") {
        None => std::collections::BTreeMap::new(),
        Some(path) => {
            let text = std::fs::read_to_string(path).map_err(|e| format!("read {path}: {e}"))?;
            server::options::parse_toml(&text).map_err(|e| format!("{path}: {e}"))?
        }
    };
    for (name, text) in crate::given_texts(matches) {
        texts.retain(|given, _| given.replace('_', "-") != name);
        texts.insert(name, text);
    }
    Options::from_texts(&texts, memory_bytes()).map_err(|e| e.to_string())
}

fn serve(options: Options) -> Result<(), String> {
    let filter = EnvFilter::new(&options.log_level);
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(false).init();
    let signals =
        platform::signals::TerminationSignals::block().map_err(|e| format!("block signals: {e}"))?;
    let _ = platform::system::raise_open_files_limit();
    let (server, report) = Server::start(options.clone()).map_err(|e| e.to_string())?;
    print!("{}", first_screen(&options, &report));
    let stop = server.stopper();
    let waiter = std::thread::Builder::new().name("signals".into()).spawn(move || {
        let name = signals.wait();
        tracing::info!("{name}: stopping");
        stop();
    });
    waiter.map_err(|e| format!("start the signal thread: {e}"))?;
    server.wait();
    server.stop().map_err(|e| format!("stopped: {e}"))?;
    println!("Stopped cleanly.");
    Ok(())
}

fn first_screen(options: &Options, report: &StartReport) -> String {
    let recovery = &report.recovery;
    let mut text = format!("Penstock {}: a MariaDB-compatible database server\n\n", server::VERSION);
    let mut line = |name: &str, value: String| text += &format!("  {name:<12} {value}\n");
    let first = if recovery.created { " (made now)" } else { "" };
    line("data", format!("{}{first}", options.datadir.display()));
    if let Some(address) = report.tcp {
        line("tcp", address.to_string());
    }
    line("socket", report.socket.display().to_string());
    if options.sync != SyncMode::Data {
        line("sync", server::sync_text(options.sync).to_owned());
    }
    line("buffer pool", format!("{} MiB", options.buffer_pool_size >> 20));
    line("event loops", format!("{} on {} ({:?})", report.event_loops, cpu_name(), report.backend));
    let replayed = match (recovery.created, recovery.groups) {
        (true, _) => "nothing to replay".to_owned(),
        (false, 0) => "nothing to replay: it was stopped cleanly".to_owned(),
        (false, groups) => format!("{groups} transactions, {} bytes of log replayed", recovery.bytes),
    };
    line("recovery", replayed);
    line("ready in", format!("{:.0?}", report.took));
    text += "\nConnect:\n";
    if let Some(address) = report.tcp {
        text += &format!("  mariadb -h {} -P {} -u root\n", address.ip(), address.port());
    }
    text += &format!("  penstock sql --socket {}\n", report.socket.display());
    text += "Stop it with Ctrl-C.\n\n";
    text
}
