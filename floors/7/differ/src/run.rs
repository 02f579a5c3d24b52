//! Runs statements on both servers and compares.

use crate::again::again;
use crate::application;
use crate::dice::Dice;
use crate::expression::Reach;
use crate::keep::{ENOUGH, Kept};
use crate::prepared::Binding;
use crate::script::{self, World};
use crate::session::{DATABASE, MODES, expressions_session, session};
use crate::side::{Answer, Side};
use crate::statement::{self, Effect, Statement, Way};
use crate::term::{Role, Term};
use crate::{Draw, Options, Protocol, changed, explained, nested, schema, servers, sweep};
use protocol::client::TextRow;
use std::collections::{BTreeMap, BTreeSet};

/// The views and their queries, in capital letters as the statements are.
const VIEWS: &str = "SELECT TABLE_NAME, REPLACE(REPLACE(UPPER(VIEW_DEFINITION), '`', ''), ' ON(', ' ON (') \
    FROM INFORMATION_SCHEMA.VIEWS WHERE TABLE_SCHEMA = 'penstock_differ' ORDER BY LENGTH(TABLE_NAME), TABLE_NAME";

/// A length of GROUP_CONCAT's results that is no other session's.
const UNLIKE: &str = "1048577";

type Rows = Vec<TextRow>;

/// Both servers, and what came of the statements so far.
pub struct Run {
    pub(crate) options: Options,
    pub(crate) ours: Side,
    pub(crate) theirs: Side,
    /// A change that did not do the same on both sides was explained: tables are no longer the same.
    apart: bool,
    /// MariaDB ended at a statement, or did not come to an end with it: what the session stood on is lost.
    crashed: bool,
    /// The MariaDB that was started here.
    mariadb: Option<servers::Running>,
    ran: usize,
    /// Statements that differ in the same respect where they are sent once, as text.
    as_text: usize,
    explained: BTreeMap<&'static str, usize>,
    pub(crate) kept: Kept,
}

/// A difference: in which respect, and in the answer to which probe behind the statement (its own where there is none).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What differs.
    pub respect: &'static str,
    /// The probe's place.
    pub probe: Option<usize>,
    /// Penstock's and MariaDB's error numbers.
    pub errors: (Option<u16>, Option<u16>),
}

/// What a session's statements stand on: how it begins, and what changed something since.
#[derive(Default)]
pub struct Past {
    /// The session's beginning.
    pub session: Vec<String>,
    /// Statements since.
    pub statements: Vec<Statement>,
}

/// Runs the statements that the options ask for; the number of unexplained differences.
pub fn run(options: Options) -> Result<usize, String> {
    let started = |given: &Option<std::path::PathBuf>,
                   start: &dyn Fn() -> Result<servers::Running, String>| {
        match given {
            Some(socket) => Ok((None, socket.clone())),
            None => start().map(|server| {
                let socket = server.socket.clone();
                (Some(server), socket)
            }),
        }
    };
    let (_penstock, ours) = started(&options.penstock_socket, &|| servers::penstock(&options.penstock))?;
    let (mariadb, theirs) = started(&options.mariadb_socket, &servers::mariadb)?;
    std::fs::create_dir_all(&options.out).map_err(|e| format!("make {}: {e}", options.out.display()))?;
    let mut run = Run {
        ours: Side::new("penstock", &ours),
        theirs: Side::new("mariadb", &theirs),
        mariadb,
        apart: false,
        crashed: false,
        // What a sweep goes through differs by itself: none of it stands for the rest.
        kept: Kept::new(&options.out, if options.draw == Draw::Sweep { usize::MAX } else { ENOUGH }),
        options,
        ran: 0,
        as_text: 0,
        explained: BTreeMap::new(),
    };
    let mut seed = run.options.seed;
    while run.wants_more() {
        let outcome = match run.options.draw {
            Draw::Expressions => run.expressions(seed),
            Draw::Statements => run.script(seed),
            Draw::Applications => run.application(seed),
            Draw::Changed => run.changed(seed),
            Draw::Nested => run.nested(seed),
            Draw::All => match seed % 3 {
                0 => run.script(seed),
                1 => run.expressions(seed),
                _ => run.application(seed),
            },
            Draw::Sweep => run.sweep(seed),
        };
        if let Err(error) = outcome {
            run.begin_anew(error)?;
        }
        seed += 1;
        if run.options.draw == Draw::Sweep {
            // That was all of it.
            break;
        }
    }
    println!("statements {}, seeds {} to {}", run.ran, run.options.seed, seed - 1);
    if run.as_text > 0 {
        println!("as text, too: {}", run.as_text);
    }
    for (name, count) in &run.explained {
        println!("explained {name}: {count}");
    }
    Ok(run.kept.summary())
}

impl Run {
    /// Whether MariaDB ended or hung at a statement; it is started anew then, and what the session stood on is lost.
    fn revived(&mut self, statement: &Statement) -> Result<bool, String> {
        if !std::mem::take(&mut self.crashed) {
            return Ok(false);
        }
        println!("MariaDB crashes: {}", statement.term);
        self.restart_mariadb()?;
        Ok(true)
    }

    /// After an error between statements: it is none where MariaDB ended or hangs behind the last one.
    fn begin_anew(&mut self, error: String) -> Result<(), String> {
        let theirs = |server: &servers::Running| server.has_ended() || error.starts_with(self.theirs.name);
        if !self.mariadb.as_ref().is_some_and(theirs) {
            return Err(error);
        }
        println!("MariaDB ends or hangs: {error}");
        *self.explained.entry("mariadb-crashes").or_default() += 1;
        self.crashed = false;
        self.restart_mariadb()
    }

    fn restart_mariadb(&mut self) -> Result<(), String> {
        self.mariadb = None;
        let mariadb = servers::mariadb()?;
        self.theirs = Side::new("mariadb", &mariadb.socket);
        self.mariadb = Some(mariadb);
        Ok(())
    }

    /// Begins a session on an empty database.
    pub(crate) fn begin(&mut self, session: &[String]) -> Result<(), String> {
        for side in [&mut self.ours, &mut self.theirs] {
            side.restart(&[format!("DROP DATABASE IF EXISTS {DATABASE}")])
                .and_then(|()| side.restart(session))
                .map_err(|e| format!("{}: {e}", side.name))?;
        }
        Ok(())
    }

    /// Makes tables of a seed and runs expressions over them.
    fn expressions(&mut self, seed: u64) -> Result<(), String> {
        let mut dice = Dice::new(seed);
        let mut past = Past { session: expressions_session(&mut dice), statements: Vec::new() };
        self.begin(&past.session)?;
        let mut tables = Vec::new();
        for name in ["t1", "t2"] {
            let (table, create) = schema::table(&mut dice, name);
            for sql in [create, schema::rows(&mut dice, &table)] {
                let mut made = Statement::words(sql);
                made.effect = Effect::Tables;
                self.compare(&made, &past, seed, false);
                past.statements.push(made);
            }
            self.compare(&Statement::words(format!("SELECT * FROM {name}")), &past, seed, false);
            tables.push(table);
        }
        for _ in 0..self.options.per_schema {
            let reach = Reach { tables: &tables, family: self.options.family };
            let statement = self.sent(statement::statement(&mut dice, reach), seed);
            let same = self.compare(&statement, &past, seed, false);
            if self.revived(&statement)? || std::mem::take(&mut self.apart) {
                return Ok(());
            }
            if statement.effect != Effect::None {
                past.statements.push(statement);
                if !same {
                    // What follows would only tell the same again.
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// A session of statements of every form.
    fn script(&mut self, seed: u64) -> Result<(), String> {
        let mut dice = Dice::new(seed);
        let mut past = Past { session: session(dice.pick::<&str>(MODES)), statements: Vec::new() };
        self.begin(&past.session)?;
        let mut world = World { loads: self.options.family == Some("loads"), ..World::default() };
        for _ in 0..self.options.per_schema {
            let statement = self.sent(script::statement(&mut dice, &mut world), seed);
            let same = self.compare(&statement, &past, seed, true);
            if self.revived(&statement)? {
                return Ok(());
            }
            if !self.goes_on(&statement, same, &mut past)? {
                return Ok(());
            }
            if statement.effect == Effect::Tables {
                world.learn(&self.census()?.1);
            }
        }
        Ok(())
    }

    /// A session of an application.
    fn application(&mut self, seed: u64) -> Result<(), String> {
        let mut dice = Dice::new(seed);
        let mut application = application::Session::new(&mut dice, self.options.family)?;
        let mut settings = session(MODES[0]);
        settings.extend(application.settings());
        let tables = application.tables(&mut dice);
        self.over_tables(seed, settings, tables, true, || application.statement(&mut dice))
    }

    /// Joins within joins over tables of a seed.
    fn nested(&mut self, seed: u64) -> Result<(), String> {
        let mut dice = Dice::new(seed);
        let mut nested = nested::Session::new(&mut dice);
        self.over_tables(seed, session(MODES[0]), nested.tables(), false, || nested.statement(&mut dice))
    }

    /// Makes tables, and runs the statements over them that are drawn one by one.
    fn over_tables(
        &mut self,
        seed: u64,
        settings: Vec<String>,
        tables: Vec<Statement>,
        counted: bool,
        mut next: impl FnMut() -> Statement,
    ) -> Result<(), String> {
        let mut past = Past { session: settings, statements: Vec::new() };
        self.begin(&past.session)?;
        for made in tables {
            self.compare(&made, &past, seed, counted);
            past.statements.push(made);
        }
        for _ in 0..self.options.per_schema {
            let statement = self.sent(next(), seed);
            let same = self.compare(&statement, &past, seed, counted);
            if self.revived(&statement)? || !self.goes_on(&statement, same, &mut past)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The statements of a case, and between them its queries with other words.
    fn changed(&mut self, seed: u64) -> Result<(), String> {
        let mut dice = Dice::new(seed);
        let case = changed::Case::any(&mut dice)?;
        let mut past = Past { session: session(MODES[0]), statements: Vec::new() };
        // Cases make databases of their own.
        past.session.push("SET character_set_server = utf8mb4".into());
        self.begin(&past.session)?;
        for statement in &case.statements {
            if statement.effect == Effect::Tables {
                // What it says has been recorded.
                let sql = statement.term.to_string();
                for side in [&mut self.ours, &mut self.theirs] {
                    side.run(&sql);
                }
                self.forget_found_rows();
                past.statements.push(statement.clone());
                continue;
            }
            let same = self.compare(statement, &past, seed, false);
            if self.revived(statement)? {
                return Ok(());
            }
            if !self.goes_on(statement, same, &mut past)? {
                return Ok(());
            }
            for _ in 0..changed::TIMES {
                let Some(query) = case.changed(statement, &mut dice).filter(|_| self.wants_more()) else {
                    break;
                };
                let query = self.sent(query, seed);
                self.compare(&query, &past, seed, false);
                if self.revived(&query)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Every form over every type, in the order of a seed.
    fn sweep(&mut self, seed: u64) -> Result<(), String> {
        let mut past = Past { session: session(sweep::mode(seed)), statements: Vec::new() };
        self.begin(&past.session)?;
        for sql in sweep::table() {
            let mut made = Statement::words(sql);
            made.effect = Effect::Tables;
            self.compare(&made, &past, seed, false);
            past.statements.push(made);
        }
        let made = past.statements.len();
        for unit in sweep::units(self.options.family, &mut Dice::new(seed)) {
            if !self.wants_more() {
                break;
            }
            for statement in unit {
                let statement = self.sent(statement, seed);
                let same = self.compare(&statement, &past, seed, false);
                if self.revived(&statement)? {
                    self.replay(&past.session, &past.statements[..made])?;
                    break;
                }
                past.statements.push(statement);
                if std::mem::take(&mut self.apart) || !same {
                    break;
                }
            }
            past.statements.truncate(made);
        }
        Ok(())
    }

    /// Whether the options ask for more statements.
    fn wants_more(&self) -> bool {
        self.ran < self.options.statements && self.kept.kinds() < self.options.stop_after
    }

    fn census(&mut self) -> Result<(Rows, Rows), String> {
        let rows = |side: &mut Side| side.rows(script::CENSUS).map_err(|e| format!("{}: {e}", side.name));
        let both = (rows(&mut self.ours)?, rows(&mut self.theirs)?);
        // What is said of a view that cannot be read would be told by a BEGIN behind it, too.
        self.forget_found_rows();
        Ok(both)
    }

    /// Takes a statement that changed something into the past; whether what follows has the same to stand on.
    fn goes_on(&mut self, statement: &Statement, same: bool, past: &mut Past) -> Result<bool, String> {
        if statement.effect == Effect::None {
            return Ok(true);
        }
        past.statements.push(statement.clone());
        Ok(!std::mem::take(&mut self.apart) && same || self.alike(past)?)
    }

    /// Whether both have the same tables and rows after a statement that differed; tables that only one has are dropped.
    fn alike(&mut self, past: &mut Past) -> Result<bool, String> {
        let names = |rows: &Rows| rows.iter().map(|row| text(row, 0)).collect::<BTreeSet<_>>();
        let (ours, theirs) = self.census()?;
        for name in names(&ours).symmetric_difference(&names(&theirs)) {
            for kind in ["VIEW", "TABLE"] {
                let drop = Statement::words(format!("DROP {kind} IF EXISTS {name}"));
                self.ask(&drop, false);
                past.statements.push(drop);
            }
        }
        let (ours, theirs) = self.census()?;
        if ours != theirs {
            return Ok(false);
        }
        for name in names(&theirs) {
            for query in [format!("SHOW CREATE TABLE {name}"), format!("SELECT * FROM {name}")] {
                let (ours, theirs) = self.ask(&Statement::words(query), false);
                if matches!(ours.differs(&theirs, false, false), Some("gone" | "rows" | "error")) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// What both answer to a statement: to the first execution in which they differ, or to the last one. What MariaDB does
    /// not prepare is sent as it takes it.
    pub(crate) fn ask(&mut self, statement: &Statement, counted: bool) -> (Answer, Answer) {
        let sql = statement.term.to_string();
        let mut way = statement.way;
        while let Some(plainer) = way.plainer() {
            let [_, theirs] = [&mut self.ours, &mut self.theirs].map(|side| side.prepares(&sql, way));
            if theirs {
                break;
            }
            way = plainer;
        }
        let ours = self.ours.ask(&sql, way, counted);
        let theirs = self.theirs.ask(&sql, way, counted);
        let mut pairs = ours.into_iter().zip(theirs);
        let mut pair = pairs.next().unwrap_or_default();
        for next in pairs {
            let differs = |(ours, theirs): &(Answer, Answer)| {
                ours.differs(theirs, statement.ordered, self.options.lengths)
            };
            if differs(&pair).is_some() {
                break;
            }
            // MariaDB tells other flags of some columns than it did before, for the same values.
            let told_otherwise = pair.0.columns == next.0.columns && pair.1.columns != next.1.columns;
            if told_otherwise && way.repeats(&sql) && differs(&next) == Some("types") {
                continue;
            }
            pair = next;
        }
        pair
    }

    /// How a statement of a seed's is sent.
    fn sent(&self, mut statement: Statement, seed: u64) -> Statement {
        match self.options.protocol {
            Protocol::Text => {}
            Protocol::Again => statement.way = Way::Again(seed),
            Protocol::Prepared => {
                statement.way = Way::Bound(Binding::new(seed, &statement.term.to_string()));
            }
        }
        statement
    }

    /// Whether a statement differs in the same respect where it is sent once and as text: drawing texts tells that.
    fn differs_as_text(
        &mut self,
        statement: &Statement,
        past: &Past,
        wanted: &Difference,
        counted: bool,
    ) -> bool {
        if statement.way == Way::Text || wanted.probe.is_some() {
            return false;
        }
        let mut texts = vec![Statement { way: Way::Text, ..statement.clone() }];
        if let Way::Again(salt) = statement.way {
            let other = again(salt, &statement.term.to_string());
            texts.push(Statement { term: Term::words(Role::Fixed, other), ..texts[0].clone() });
        }
        texts.iter().any(|text| {
            if statement.effect != Effect::None && self.replay(&past.session, &past.statements).is_err() {
                return false;
            }
            // No plan is known under a setting that nothing else has.
            self.set(UNLIKE);
            let difference = self.difference(text, counted, false);
            self.set("DEFAULT");
            difference.is_some_and(|difference| difference == *wanted)
        })
    }

    /// Sets the one setting that plans are kept apart by and hardly anything is computed by.
    fn set(&mut self, value: &str) {
        let set = format!("SET group_concat_max_len = {value}");
        for side in [&mut self.ours, &mut self.theirs] {
            side.run(&set);
        }
    }

    /// The first difference in what both answer to a statement and to the probes behind it that nothing explains.
    pub(crate) fn difference(
        &mut self,
        statement: &Statement,
        counted: bool,
        count: bool,
    ) -> Option<Difference> {
        if self.crashed {
            return None;
        }
        let mut asked = vec![(None, statement.clone())];
        for (i, probe) in statement.probes.iter().enumerate() {
            asked.push((Some(i), Statement::words(probe)));
        }
        let asked_effect = statement.effect;
        let change = statement.term.to_string();
        for (probe, statement) in asked {
            let told = counted && probe.is_none();
            let (ours, theirs) = self.ask(&statement, told);
            if !told {
                self.forget_found_rows();
            }
            if ours.too_long && theirs.too_long {
                if count {
                    *self.explained.entry("too-many-rows").or_default() += 1;
                }
                return None;
            }
            if theirs.gone.is_some() && ours.gone.is_none() && self.mariadb.is_some() {
                if count {
                    *self.explained.entry("mariadb-crashes").or_default() += 1;
                }
                self.crashed = true;
                return None;
            }
            let Some(respect) = ours.differs(&theirs, statement.ordered, self.options.lengths) else {
                continue;
            };
            let sql = self.with_views(meant(&statement.term.to_string()));
            let wanted = |name: &&str| self.options.look_into.iter().any(|wanted| wanted == name);
            let explanation =
                explained::explanation(&sql, &ours, &theirs).filter(|names| !names.iter().any(wanted));
            if let Some(names) = explanation {
                for name in names.into_iter().filter(|_| count) {
                    *self.explained.entry(name).or_default() += 1;
                }
                if counted {
                    self.forget_found_rows();
                }
                // What follows would differ for the same reason.
                let done = |a: &Answer| a.done.as_ref().map(|(rows, id, _)| (*rows, *id));
                let other = ours.error.is_some() != theirs.error.is_some()
                    || done(&ours) != done(&theirs)
                    || left_out(&ours) != left_out(&theirs);
                if probe.is_none() && other {
                    self.apart |= asked_effect != Effect::None;
                    return None;
                }
                continue;
            }
            if probe.is_some() && sql.starts_with("SELECT * FROM ") {
                let change = self.with_views(meant(&change));
                if let Some(name) = explained::behind(&change, &ours, &theirs) {
                    if count {
                        *self.explained.entry(name).or_default() += 1;
                    }
                    self.apart = true;
                    return None;
                }
            }
            if probe.is_none() && self.other_plan(&statement, &sql, &ours, counted) {
                if count {
                    *self.explained.entry("other-plan").or_default() += 1;
                }
                return None;
            }
            if probe.is_none() && self.other_rows_of_all(&statement, &sql, &ours, &theirs, counted) {
                if count {
                    *self.explained.entry("rows-of-a-limit").or_default() += 1;
                }
                return None;
            }
            let number = |answer: &Answer| answer.error.as_ref().map(|(number, ..)| *number);
            return Some(Difference { respect, probe, errors: (number(&ours), number(&theirs)) });
        }
        None
    }

    /// A statement, and behind it the queries of the views that it names, and of those that they name: what explains a
    /// difference may stand in them.
    fn with_views(&mut self, sql: &str) -> String {
        let mut whole = sql.to_owned();
        if sql.starts_with("CREATE") || sql.starts_with("ALTER") || sql.starts_with("SHOW") {
            return whole;
        }
        let views = self.theirs.rows(VIEWS).unwrap_or_default();
        let mut views: Vec<(String, String)> = views.iter().map(|row| (text(row, 0), text(row, 1))).collect();
        while let Some(at) = views.iter().position(|(name, _)| names(&whole.to_ascii_lowercase(), name)) {
            whole += " ; ";
            whole += &views.swap_remove(at).1;
        }
        self.forget_found_rows();
        whole
    }

    /// Does what changed something once more, on an empty database.
    pub(crate) fn replay(&mut self, session: &[String], statements: &[Statement]) -> Result<(), String> {
        if self.crashed {
            return Err("MariaDB is gone".into());
        }
        self.begin(session)?;
        for statement in statements {
            if statement.way != Way::Text {
                self.ask(statement, false);
                continue;
            }
            let sql = statement.term.to_string();
            for side in [&mut self.ours, &mut self.theirs] {
                side.run(&sql);
            }
        }
        self.forget_found_rows();
        Ok(())
    }

    /// What FOUND_ROWS() and SHOW WARNINGS say stays until a query: the statements behind one of which they are not asked,
    /// or that is known to leave another, would tell it too.
    fn forget_found_rows(&mut self) {
        for side in [&mut self.ours, &mut self.theirs] {
            side.run("SELECT a FROM nothing");
        }
    }

    /// Runs a statement on both; whether they agree.
    fn compare(&mut self, statement: &Statement, past: &Past, seed: u64, counted: bool) -> bool {
        self.ran += 1;
        let Some(difference) = self.difference(statement, counted, true) else { return true };
        if difference.errors.0.is_some() && difference.errors.1.is_some() {
            let explained = self.two_faults(statement, past, &difference, counted);
            if let Err(error) = self.replay(&past.session, &past.statements) {
                eprintln!("{error}");
            }
            if explained {
                *self.explained.entry("two-faults").or_default() += 1;
                return true;
            }
        }
        if self.differs_as_text(statement, past, &difference, counted) {
            self.as_text += 1;
            self.catch_up(statement, past);
            return false;
        }
        self.forget_found_rows();
        if self.kept.known_well(statement, &difference) {
            return false;
        }
        self.report(statement, past, difference, seed, counted);
        self.catch_up(statement, past);
        false
    }

    /// Does the past once more, and what a statement changes.
    fn catch_up(&mut self, statement: &Statement, past: &Past) {
        let mut statements = past.statements.clone();
        if statement.effect != Effect::None {
            statements.push(statement.clone());
        }
        if let Err(error) = self.replay(&past.session, &statements) {
            eprintln!("{error}");
        }
    }
}

/// What a statement that runs another one says in the end.
fn meant(said: &str) -> &str {
    let inner = match said.strip_prefix("EXECUTE p") {
        Some(rest) => rest.split_once(" -- "),
        None => said.strip_prefix("SET STATEMENT ").and_then(|rest| rest.split_once(" FOR ")),
    };
    inner.map_or(said, |(_, inner)| inner)
}

/// The rows that a change left out for others that are like them.
fn left_out(answer: &Answer) -> Option<&str> {
    let (_, _, info) = answer.done.as_ref()?;
    info.split_once("  Duplicates: ")?.1.split_once("  ").map(|(count, _)| count)
}

pub(crate) fn text(row: &TextRow, place: usize) -> String {
    String::from_utf8_lossy(row[place].as_deref().unwrap_or_default()).into_owned()
}

/// Whether a word stands in a text by itself.
fn names(text: &str, word: &str) -> bool {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    text.match_indices(word)
        .any(|(at, _)| !part(text[..at].chars().next_back()) && !part(text[at + word.len()..].chars().next()))
}
