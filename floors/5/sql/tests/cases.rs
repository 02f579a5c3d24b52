//! Statements and MariaDB's answers to them: `cases/NAME.sql`, one statement a line, against `cases/NAME.answers`.
//!
//! An answer holds a result's header and rows as the client's batch mode writes them, then the diagnostics
//! (`Level Number Text`), errors among them. Answers were recorded from MariaDB 10.11; with `PENSTOCK_RECORD=1` and
//! `PENSTOCK_ORACLE_SOCKET` naming a server's socket they are recorded anew, in a
//! database of their own that goes when they are done.
//! Under a line `-- differs: WHY` stands a statement whose answer is Penstock's own: it is recorded from ours.
//! What stands behind a line `-- as USER` is asked by a new session of that account of `localhost`, or of the host that
//! is named with it.

mod harness;

use harness::{Client, Outcome, Server};
use sql::session::Level;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

fn path(name: &str, ending: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(format!("{name}.{ending}"))
}

/// A statement of a case file.
struct Marked {
    statement: String,
    /// Its answer is meant to differ.
    differs: bool,
    /// The account that asks it, and the number of the session.
    session: (String, usize),
}

fn marked_statements(name: &str) -> Vec<Marked> {
    let text = std::fs::read_to_string(path(name, "sql")).expect("read the statements");
    let mut differs = false;
    let mut session = ("root".to_owned(), 0);
    let mut found = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(user) = line.strip_prefix("-- as ") {
            session = (user.to_owned(), session.1 + 1);
        } else if line.starts_with("--") {
            differs = line.starts_with("-- differs");
        } else {
            let statement = line.trim_end_matches(';').to_owned();
            let differs = std::mem::take(&mut differs);
            found.push(Marked { statement, differs, session: session.clone() });
        }
    }
    found
}

/// What the client's batch mode does to a value.
fn escape(value: &str) -> String {
    value.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\0', "\\0")
}

fn answer(client: &mut Client, statement: &str) -> String {
    let mut out = format!("> {statement}\n");
    for Outcome { columns, rows, .. } in client.outcomes(statement) {
        if !rows.is_empty() {
            let names: Vec<&str> = columns.iter().map(|c| c.name.as_str()).collect();
            let _ = writeln!(out, "{}", names.join("\t"));
        }
        for row in rows {
            let row: Vec<String> = row.into_iter().map(|v| v.map_or("NULL".into(), |v| escape(&v))).collect();
            let _ = writeln!(out, "{}", row.join("\t"));
        }
    }
    for warning in &client.session.state.diagnostics.entries {
        let level = match warning.level {
            Level::Note => "Note",
            Level::Warning => "Warning",
            Level::Error => "Error",
        };
        let _ = writeln!(out, "! {level} {} {}", warning.errno, escape(&warning.message));
    }
    out
}

/// A session of an account, or of none, which may do everything.
fn connect(server: &Server, account: Option<&str>) -> Client {
    let mut client = server.connect();
    if let Some(account) = account {
        let (user, host) = account.split_once('@').unwrap_or((account, "localhost"));
        client.session.state.user = user.to_owned();
        client.session.state.set_account(format!("{user}@{host}"));
    }
    client.outcomes("USE test");
    client
}

fn ours(name: &str) -> Vec<String> {
    let server = Server::new();
    let statements = marked_statements(name);
    let has_accounts = statements.iter().any(|marked| marked.session.0 != "root");
    if has_accounts {
        let root = "GRANT ALL ON *.* TO root@localhost IDENTIFIED BY '' WITH GRANT OPTION";
        connect(&server, None).run(root);
    }
    let sessions = statements.chunk_by(|a, b| a.session == b.session);
    let answers = sessions.map(|statements| {
        let user = has_accounts.then_some(statements[0].session.0.as_str());
        let mut client = connect(&server, user);
        statements.iter().map(|marked| answer(&mut client, &marked.statement)).collect::<Vec<_>>()
    });
    answers.flatten().collect()
}

/// Asks MariaDB.
fn record(name: &str, socket: &str) {
    let database = format!("penstock_cases_{name}_{}", std::process::id());
    let begin = format!(
        "CREATE DATABASE IF NOT EXISTS penstock_clear; \
         CREATE TABLE IF NOT EXISTS penstock_clear.c (a INT); \
         CREATE DATABASE {database} CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;\n",
    );
    let statements = marked_statements(name);
    run(socket, "root", begin);
    let mut text = String::new();
    for statements in statements.chunk_by(|a, b| a.session == b.session) {
        let account = &statements[0].session.0;
        let user = account.split_once('@').map_or(account.as_str(), |(user, _)| user);
        // Diagnostics are cleared by what reads a table.
        let clear = match user {
            "root" => "SELECT * FROM penstock_clear.c",
            _ => "SELECT * FROM information_schema.engines WHERE engine = ''",
        };
        let mut script = format!("SET character_set_server = utf8mb4; USE {database};\n");
        for Marked { statement, .. } in statements {
            let _ = writeln!(script, "SELECT '##begin';\n{clear};\n{statement};\nSHOW WARNINGS;");
        }
        script.push_str("SELECT '##end';\n");
        let answers = run(socket, user, script);
        text.push_str(answers.split("##end\n").next().unwrap_or_default());
    }
    run(socket, "root", format!("DROP DATABASE {database};\n"));
    let text = text.replace(&database, "test");
    let mut answers = String::new();
    let sections = text.split("##begin\n##begin\n").skip(1);
    let own = ours(name);
    for (at, (Marked { statement, differs, .. }, section)) in statements.iter().zip(sections).enumerate() {
        if *differs {
            answers.push_str(&own[at]);
            continue;
        }
        let _ = writeln!(answers, "> {statement}");
        let (result, warnings) = match section.split_once("Level\tCode\tMessage\n") {
            Some((result, warnings)) => (result, warnings),
            None => (section, ""),
        };
        answers.push_str(result);
        for warning in warnings.lines() {
            let _ = writeln!(answers, "! {}", warning.replacen('\t', " ", 2));
        }
    }
    std::fs::write(path(name, "answers"), answers).expect("write the answers");
}

/// What MariaDB's client prints for a script that an account runs.
fn run(socket: &str, user: &str, script: String) -> String {
    let mut child = Command::new("mariadb")
        .args(["-S", socket, "-u", user, "-f", "--batch", "--default-character-set=utf8mb4"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("start the client");
    let mut input = child.stdin.take().expect("its input");
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
    let output = child.wait_with_output().expect("wait for the client");
    writer.join().expect("write the script").expect("write the script");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn check(name: &str) {
    if std::env::var_os("PENSTOCK_RECORD").is_some() {
        let socket = std::env::var("PENSTOCK_ORACLE_SOCKET").expect("PENSTOCK_ORACLE_SOCKET names a socket");
        return record(name, &socket);
    }
    let answers = std::fs::read_to_string(path(name, "answers")).expect("read the answers");
    let mut expected: Vec<String> = Vec::new();
    for line in answers.lines() {
        match line.starts_with("> ") {
            true => expected.push(format!("{line}\n")),
            false => {
                let last = expected.last_mut().expect("an answer starts with its statement");
                let _ = writeln!(last, "{line}");
            }
        }
    }
    let ours = ours(name);
    assert_eq!(ours.len(), expected.len(), "record the answers of {name} anew");
    let mut wrong = String::new();
    for (ours, expected) in ours.iter().zip(&expected) {
        if ours != expected {
            let _ = writeln!(wrong, "MariaDB {expected}ours    {ours}");
        }
    }
    let count = wrong.matches("\nours    > ").count();
    assert!(wrong.is_empty(), "{name}: {count} of {} differ\n{wrong}", expected.len());
}

macro_rules! cases {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                check(stringify!($name));
            }
        )*
    };
}

cases! {
    aggregates
    aggregates_beside
    aggregates_of_nothing
    alter
    alter_in_passing
    altered_anew
    applications_asked
    bits_floats_and_frames
    calendar
    calls_of_every_kind
    changes
    charsets
    chosen_decimals
    constraints
    create
    drawn_once_more
    faults_in_order
    faults_of_values
    fixed_types
    generated
    geometry
    geometry_relations
    found
    found_as_numbers
    ctes
    dates_among_others
    days_and_instants
    dynamic_columns
    dates_as_numbers
    dates_handed_on
    times_foreknown
    decimals_kept_whole
    defaults
    defaults_padded
    grouping
    ignored
    roles
    joins
    joined_and_nested
    frames
    generated_numbers
    hints
    json
    json_table
    keys_follow
    oracle_functions
    row_numbers
    shown_of_types
    late_orders
    leftovers
    limits
    locales
    made_of_expressions
    covering
    groups_asked_for
    index_order
    insert_select
    made_of_queries
    manners
    listed_names
    more
    mutual_recursion
    copied
    drawn_apart
    applications_drawn
    seen_by_drawing
    rows_among_rows
    rows_counted
    views_kept
    beyond_the_packet
    names
    nested_queries
    nested_joins_2
    joined_changes
    joins_by_cost
    operands_of_calls
    operands_of_charsets
    operands_of_dates
    operands_of_numbers
    numbers_of_rows
    queries
    rows_from_queries
    self_updates
    spills
    planned
    stored_conditions
    stored_conversions
    rows_in_lists
    zero_dates
    kinds_settled
    known_when_run
    planned_with_around
    read_by_nobody
    joined_as_numbers
    alter_order
    keys_of_text
    opaque_operands
    values_of_sessions
    values_kept
    warnings_deserved
    long_texts
    names_order
    described
    mysql_database
    row_faults
    json_compared
    json_in_sets
    joined_lengths
    named_arguments
    reckoned_as_stored
    texts_of_index_entries
    sums_as_stored
    ranges_of_derived
    entries_of_nothing
    locales_numbers
    ranges
    refused
    read_operands
    read_while_changed
    rollup
    row_order
    sets
    temporary
    texts_of_calls
    definitions_told
    refused_while_read
    statements_settled
    told_again
    definitions_changed
    view_texts
    views
    wanted_as_numbers
    windows
    windows_first_ranks
    first_partner
    first_rows_of_joins
    different_in_order
    column_privileges
    labels_joined
    tables_left_out
    determined_keys
    beginnings_in_indexes
    added_in_place
    members_by_index
    conditions_inside
    years_bits_and_texts
    show_create_modes
    defaults_of_rows
    cut_values
    texts_and_names
    passed_over
    screened
    user_variables
    bit_literals
    constraint_rules
    safe_updates
    declared_charsets
    kept_digits
    kept_aside
    empty_strings
    counters
    numbers_reserved
    written_views
    updated_in_place
    suite_finds
    xml
    addresses_and_texts
    times_compared
    aggregates_read
    aggregated_quotients
    united_texts
    rare_functions
    statements_told
    functions_followed
    rows_settled
    warnings_settled
    mended_counts_6
    mended_counts_7
    mended_errors_6
    mended_errors_7
    mended_errors_8
    mended_expressions_5
    mended_more_5
    mended_statements_5
    mended_warnings_6
    mended_rows_6
    mended_rows_7
    mended_rows_18
    mended_rows_8
    mended_rows_9
    mended_rows_10
    mended_rows_11
    mended_rows_12
    mended_rows_13
    mended_rows_14
    mended_rows_15
    mended_rows_17
    mended_rows_19
    mended_rows_20
    mended_rows_21
    mended_warnings_8
    mended_prepared_9
    mended_prepared_10
    mended_suite_1
    calls_and_names
    changed_words
    changed_words_2
    changed_words_3
    changed_words_4
    changed_words_5
    names_of_views
    mended_prepared_11
    mended_prepared_12
    mended_prepared_13
    mended_prepared_14
    json_at_a_glance
}
