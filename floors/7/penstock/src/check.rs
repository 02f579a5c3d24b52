//! `penstock check`: the command line of the verifier.

use ::check::{Algorithm, Counts, EXIT_UNREADABLE, Options, Progress, RewriteError};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Exit code: sums are not rewritten while a server runs.
const EXIT_IN_USE: u8 = 3;
const EXIT_CODES: &str = "\
Exit codes: 0 no damage, 1 a file could not be read or is of no known format, 2 wrong arguments,
3 --rewrite refused because a server runs;
damage of one kind: 10 content, 11 bit flip, 12 torn, 13 zeroed, 14 misdirected, 15 wrong space, 16 of another time,
17 structure, 18 unreadable; damage of several kinds: 20";

/// Declares `penstock check`.
pub fn command() -> Command {
    let switch = |name: &'static str, short: Option<char>, help: &'static str| {
        let arg = Arg::new(name).long(name).action(ArgAction::SetTrue).help(help);
        if let Some(short) = short { arg.short(short) } else { arg }
    };
    Command::new("check")
        .about("Verify files without a server: InnoDB tablespaces, binary logs, Penstock's own")
        .after_help(EXIT_CODES)
        .arg(crate::paths())
        .arg(crate::json())
        .arg(switch("summary", Some('S'), "Also count types of pages and how full indexes are"))
        .arg(switch("verbose", Some('v'), "Name every file, not only damaged ones"))
        .arg(switch("no-progress", None, "No progress bar (there is none without a terminal anyway)"))
        .arg(
            switch(
                "rewrite",
                None,
                "Give pages of InnoDB tablespaces whose sums are wrong new ones. This mends nothing: damage can no longer \
                 be seen afterwards. Refused while a server runs",
            )
            .conflicts_with_all(["json", "summary"]),
        )
        .arg(
            Arg::new("to")
                .long("to")
                .value_name("ALGORITHM")
                .requires("rewrite")
                .value_parser(["crc32", "innodb", "none"])
                .help("With --rewrite: sums of this algorithm, for all pages"),
        )
        .arg(
            Arg::new("threads")
                .long("threads")
                .value_name("N")
                .value_parser(value_parser!(u16).range(1..=1024))
                .help("Threads [default: one for each CPU]"),
        )
}

/// Checks, and ends with the report's exit code.
pub fn run(matches: &ArgMatches) -> ExitCode {
    let paths: Vec<PathBuf> = matches.get_many("paths").into_iter().flatten().cloned().collect();
    if matches.get_flag("rewrite") {
        return rewrite(&paths, matches.get_one::<String>("to").map(String::as_str));
    }
    let mut options = Options { summary: matches.get_flag("summary"), ..Options::default() };
    if let Some(threads) = matches.get_one::<u16>("threads") {
        options.threads = usize::from(*threads);
    }
    let is_quiet = matches.get_flag("no-progress") || !std::io::stderr().is_terminal();
    let report = if is_quiet {
        ::check::check(&paths, &options, &Progress::default())
    } else {
        with_bar(|progress| ::check::check(&paths, &options, progress))
    };
    let text =
        if matches.get_flag("json") { report.to_json() } else { report.to_text(matches.get_flag("verbose")) };
    // A reader that has seen enough closes the pipe: the exit code still tells.
    let _ = std::io::stdout().write_all(text.as_bytes());
    ExitCode::from(report.exit_code())
}

/// Rewrites sums, file by file. Directories are not taken: who does this names the files.
fn rewrite(paths: &[PathBuf], to: Option<&str>) -> ExitCode {
    let to = to.and_then(|name| Algorithm::ALL.into_iter().find(|algorithm| algorithm.name() == name));
    let mut code = 0;
    for path in paths {
        let name = path.display();
        match ::check::rewrite(path, to) {
            Ok(Counts { pages, rewritten, left }) => {
                println!(
                    "{name}: {rewritten} of {pages} pages have new sums, {left} are damaged and were left"
                );
            }
            Err(error) => {
                eprintln!("penstock: {name}: {error}");
                code = if matches!(error, RewriteError::InUse(_)) {
                    EXIT_IN_USE
                } else {
                    code.max(EXIT_UNREADABLE)
                };
            }
        }
    }
    ExitCode::from(code)
}

/// Does `work` beside a bar that shows how far it is.
fn with_bar<T>(work: impl FnOnce(&Progress) -> T) -> T {
    let progress = Progress::default();
    let bar = ProgressBar::new(0);
    let template = "{bar:40} {bytes}/{total_bytes} {bytes_per_sec} {msg}";
    bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    let (done, is_done) = std::sync::mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let (bar, shown) = (&bar, &progress);
        scope.spawn(move || {
            // Ends when the sender goes.
            while let Err(std::sync::mpsc::RecvTimeoutError::Timeout) =
                is_done.recv_timeout(Duration::from_millis(100))
            {
                bar.set_length(shown.total());
                bar.set_position(shown.done());
            }
            bar.finish_and_clear();
        });
        let result = work(&progress);
        drop(done);
        result
    })
}
