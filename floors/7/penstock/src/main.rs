//! `penstock`: the one binary.

#![forbid(unsafe_code)]

mod bench;
mod check;
mod files;
mod serve;
mod shell;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use server::options::{DECLARATIONS, Declaration, Kind, environment_name};
use std::path::PathBuf;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let matches = command().get_matches();
    match matches.subcommand() {
        Some(("serve", given)) => serve::run(given),
        Some(("sql", given)) => shell::run(given),
        Some(("bench", given)) => crate::bench::run(given),
        Some(("check", given)) => crate::check::run(given),
        Some(("files", given)) => crate::files::run(given),
        _ => {
            let _ = command().print_help();
            ExitCode::from(2)
        }
    }
}

fn command() -> Command {
    Command::new("penstock")
        .version(server::VERSION)
        .about("A MariaDB/MySQL-compatible OLTP database server")
        .arg_required_else_help(true)
        .subcommand(serve_command())
        .subcommand(shell::command())
        .subcommand(crate::bench::command())
        .subcommand(crate::check::command())
        .subcommand(crate::files::command())
}

/// The files that `check` and `files` look at.
fn paths() -> Arg {
    Arg::new("paths")
        .value_name("FILE|DIR")
        .num_args(1..)
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .help("Files, or directories with all below them")
}

/// The switch that makes either print for programs.
fn json() -> Arg {
    Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON instead of text")
}

/// `penstock serve`, its flags made from the server's declarations.
fn serve_command() -> Command {
    let mut command = Command::new("serve").about("Run the server").arg(
        Arg::new("config")
            .long("config")
            .value_name("FILE")
            .env("PENSTOCK_CONFIG")
            .help("TOML file with options"),
    );
    for declaration in DECLARATIONS {
        command = command.arg(flag(declaration));
    }
    command
}

fn flag(declaration: &'static Declaration) -> Arg {
    let value = match declaration.kind {
        Kind::Path => "PATH",
        Kind::Text => "TEXT",
        Kind::Number { .. } => "N",
        Kind::Bytes { .. } => "BYTES",
        Kind::Choice(_) => "WORD",
        Kind::Switch => "BOOL",
    };
    let mut help = declaration.doc.to_owned();
    if !declaration.default.is_empty() {
        help += &format!(" [default: {}]", declaration.default);
    }
    if let Kind::Choice(words) = declaration.kind {
        help += &format!(" [one of: {}]", words.join(", "));
    }
    Arg::new(declaration.name)
        .long(declaration.name)
        .value_name(value)
        .env(environment_name(declaration.name))
        .action(ArgAction::Set)
        .help(help)
}

/// The texts given by flag or environment, by option name.
fn given_texts(matches: &ArgMatches) -> std::collections::BTreeMap<String, String> {
    let text =
        |d: &Declaration| matches.get_one::<String>(d.name).map(|text| (d.name.to_owned(), text.clone()));
    DECLARATIONS.iter().filter_map(text).collect()
}
