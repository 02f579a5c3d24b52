//! `penstock sql`: a small client, so that a newcomer needs nothing else.

use clap::{Arg, ArgMatches, Command};
use protocol::client::{Client, ClientError, QueryResult};
use protocol::flags::wire_type;
use protocol::reply::OwnedColumn;
use rustyline::error::ReadlineError;
use std::io::{IsTerminal, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Declares `penstock sql`.
pub fn command() -> Command {
    let text = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    Command::new("sql")
        .about("Talk SQL to a server: one statement, or as many as you type")
        .arg(text(
            "socket",
            "PATH",
            "Unix socket [default: ./penstock-data/penstock.sock when no --host is given]",
        ))
        .arg(text("host", "HOST", "Connect over TCP to this host"))
        .arg(text("port", "N", "TCP port").default_value("3306"))
        .arg(text("user", "NAME", "User name").default_value("root").short('u'))
        .arg(text("password", "TEXT", "Password").env("PENSTOCK_PASSWORD").default_value(""))
        .arg(text("database", "NAME", "Database to start in").short('D'))
        .arg(
            Arg::new("statement")
                .value_name("STATEMENT")
                .help("Statements to run; without any, they are read from the terminal"),
        )
}

/// A connection over either kind of socket.
enum Socket {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.read(buffer),
            Self::Unix(stream) => stream.read(buffer),
        }
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.write(bytes),
            Self::Unix(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Runs the client.
pub fn run(matches: &ArgMatches) -> ExitCode {
    let mut client = match connect(matches) {
        Ok(client) => client,
        Err(message) => {
            eprintln!("penstock sql: {message}");
            return ExitCode::FAILURE;
        }
    };
    let outcome = match matches.get_one::<String>("statement") {
        Some(statement) => show(&mut client, statement),
        None if std::io::stdin().is_terminal() => interactive(&mut client),
        None => {
            let mut text = String::new();
            match std::io::stdin().read_to_string(&mut text) {
                Ok(_) => show(&mut client, &text),
                Err(error) => Err(ClientError::Io(error)),
            }
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn connect(matches: &ArgMatches) -> Result<Client<Socket>, String> {
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let (socket, secure) = match text("host") {
        Some(host) => {
            let port = text("port").unwrap_or("3306");
            let address = format!("{host}:{port}");
            let stream = TcpStream::connect(&address).map_err(|e| format!("connect to {address}: {e}"))?;
            stream.set_nodelay(true).map_err(|e| e.to_string())?;
            (Socket::Tcp(stream), false)
        }
        None => {
            let path = text("socket").unwrap_or("./penstock-data/penstock.sock");
            let stream = UnixStream::connect(path).map_err(|e| format!("connect to {path}: {e}"))?;
            (Socket::Unix(stream), true)
        }
    };
    let (user, password) = (text("user").unwrap_or("root"), text("password").unwrap_or(""));
    Client::connect(socket, user, password, text("database"), secure).map_err(|e| e.to_string())
}

fn interactive(client: &mut Client<Socket>) -> Result<(), ClientError> {
    println!("Connected to {}. End statements with ';', leave with 'exit'.", client.greeting.version);
    let Ok(mut editor) = rustyline::DefaultEditor::new() else {
        return Err(ClientError::Io(std::io::Error::other("the terminal cannot be edited")));
    };
    let mut statement = String::new();
    loop {
        let prompt = if statement.is_empty() { "penstock> " } else { "       -> " };
        match editor.readline(prompt) {
            Ok(line) if statement.is_empty() && matches!(line.trim(), "exit" | "quit" | "\\q") => {
                return Ok(());
            }
            Ok(line) => {
                statement.push_str(&line);
                statement.push('\n');
                if !statement.trim_end().ends_with(';') {
                    continue;
                }
                let _ = editor.add_history_entry(statement.trim());
                match show(client, &statement) {
                    Err(error @ (ClientError::Io(_) | ClientError::Protocol(_))) => return Err(error),
                    Err(error) => println!("{error}\n"),
                    Ok(()) => {}
                }
                statement.clear();
            }
            Err(ReadlineError::Interrupted) => statement.clear(),
            Err(_) => return Ok(()),
        }
    }
}

/// Runs statements and prints their results.
fn show(client: &mut Client<Socket>, statements: &str) -> Result<(), ClientError> {
    let begun = Instant::now();
    let results = client.query(statements.trim().trim_end_matches(';'))?;
    let took = begun.elapsed();
    for result in results {
        print!("{}", text_of(&result, took));
    }
    Ok(())
}

fn text_of(result: &QueryResult, took: Duration) -> String {
    let seconds = took.as_secs_f64();
    match result {
        QueryResult::Done(ok) => {
            let info = if ok.info.is_empty() { String::new() } else { format!("  {}", ok.info) };
            format!("OK, {} affected ({seconds:.3} s){info}\n\n", rows(ok.affected_rows))
        }
        QueryResult::Rows { columns, rows: found, .. } => {
            format!("{}{} ({seconds:.3} s)\n\n", table(columns, found), rows(found.len() as u64))
        }
    }
}

fn rows(n: u64) -> String {
    format!("{n} row{}", if n == 1 { "" } else { "s" })
}

fn table(columns: &[OwnedColumn], rows: &[protocol::client::TextRow]) -> String {
    let cell = |value: &Option<Vec<u8>>| match value {
        None => "NULL".to_owned(),
        Some(bytes) => String::from_utf8_lossy(bytes).replace('\n', "\\n"),
    };
    let cells: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    let mut widths: Vec<usize> = columns.iter().map(|c| c.name.chars().count()).collect();
    for row in &cells {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let rule: String = widths.iter().map(|w| format!("+{}", "-".repeat(w + 2))).collect::<String>() + "+\n";
    let right = |c: &OwnedColumn| {
        matches!(
            c.wire_type,
            wire_type::TINY
                | wire_type::SHORT
                | wire_type::INT24
                | wire_type::LONG
                | wire_type::LONGLONG
                | wire_type::FLOAT
                | wire_type::DOUBLE
                | wire_type::NEWDECIMAL
        )
    };
    let mut text = rule.clone();
    for (column, width) in columns.iter().zip(&widths) {
        text += &format!("| {:<width$} ", column.name);
    }
    text += "|\n";
    text += &rule;
    for row in &cells {
        for ((cell, column), width) in row.iter().zip(columns).zip(&widths) {
            let padding = " ".repeat(width - cell.chars().count());
            text +=
                &if right(column) { format!("| {padding}{cell} ") } else { format!("| {cell}{padding} ") };
        }
        text += "|\n";
    }
    text + &rule
}
