//! SHOW and DESCRIBE.
//!
//! | module | what is shown |
//! | --- | --- |
//! | `objects` | databases, tables, columns, indexes, CREATE statements |
//! | `converted` | expressions in these whose texts are converted |
//! | `server` | variables, status, processes, character sets, engines, accounts |
//! | `diagnostics` | WARNINGS, ERRORS and their counts |
//! | `log` | the log and replication |
//! | `listing` | rows that are all there, filtered and sent |

mod converted;
mod diagnostics;
mod listing;
mod log;
mod objects;
mod server;

use crate::error::SqlError;
use crate::output::Output;
use crate::session::{Ended, Running, Session, State};
use crate::syntax::ast::{Show, ShowFilter, ShowKind, TableName};
pub(crate) use converted::converted;
use listing::Listing;
pub(crate) use objects::definition;

/// SHOW.
pub(crate) fn run(
    session: &mut Session,
    show: &Show,
    running: &Running<'_>,
    out: &mut dyn Output,
) -> Result<(), Ended> {
    let pattern = match &show.filter {
        Some(ShowFilter::Like(pattern)) => Some(String::from_utf8_lossy(pattern).into_owned()),
        _ => None,
    };
    let mut listing = listing(session, &show.kind, pattern.as_deref(), running)?;
    listing.computed = !reads_catalogue(&show.kind);
    listing.send(session, show.filter.as_ref(), running, out)
}

/// Whether MariaDB answers with a query of INFORMATION_SCHEMA: FOUND_ROWS() counts its rows then, and its columns are
/// those of a table.
fn reads_catalogue(kind: &ShowKind) -> bool {
    matches!(
        kind,
        ShowKind::Databases
            | ShowKind::Tables { .. }
            | ShowKind::TableStatus { .. }
            | ShowKind::OpenTables { .. }
            | ShowKind::Columns { .. }
            | ShowKind::Index { .. }
            | ShowKind::Triggers { .. }
            | ShowKind::Events { .. }
            | ShowKind::StoredStatus { .. }
            | ShowKind::Variables { .. }
            | ShowKind::Status { .. }
            | ShowKind::Engines
            | ShowKind::Plugins { .. }
            | ShowKind::Collation
            | ShowKind::CharacterSet
    )
}

fn listing(
    session: &mut Session,
    kind: &ShowKind,
    pattern: Option<&str>,
    running: &Running<'_>,
) -> Result<Listing, SqlError> {
    let state = &mut session.state;
    match kind {
        ShowKind::Databases => objects::databases(state, pattern),
        ShowKind::Tables { full, database } => objects::tables(state, database.as_deref(), *full, pattern),
        ShowKind::TableStatus { database } => objects::table_status(state, database.as_deref(), pattern),
        ShowKind::OpenTables { database } => objects::open_tables(state, database.as_deref()),
        ShowKind::Columns { full, table } => objects::columns(state, table, *full),
        ShowKind::Index { table } => objects::indexes(state, table),
        ShowKind::CreateTable(table) => objects::create_table(state, table),
        ShowKind::CreateView(table) => objects::create_view(state, table),
        ShowKind::CreateDatabase { name, if_not_exists } => {
            objects::create_database(state, name, *if_not_exists)
        }
        ShowKind::CreateSequence(table) => {
            let (database, name) = objects::existing(state, table)?;
            Err(SqlError::new(4089, b"42S02", format!("'{database}.{name}' is not a SEQUENCE")))
        }
        ShowKind::CreateStored { kind, name } => Err(no_stored(state, kind, name)),
        ShowKind::Triggers { database, .. } => objects::triggers(state, database.as_deref()),
        ShowKind::Events { database } => objects::events(state, database.as_deref()),
        ShowKind::StoredStatus { .. } => Ok(Listing::new(objects::STORED).like_on(1)),
        ShowKind::CreateUser(account) => server::create_user(state, account.as_ref()),
        ShowKind::Grants(account) => server::grants(state, account.as_ref()),
        ShowKind::Variables { global } => Ok(server::variables(state, *global)),
        ShowKind::Status { global } => Ok(server::status(state, *global)),
        ShowKind::ProcessList { full } => server::processes(state, *full),
        ShowKind::Engines => server::engines(state),
        ShowKind::Engine { name, what } => server::engine(state, name, what),
        ShowKind::Plugins { .. } => server::plugins(state),
        ShowKind::Collation => server::collations(state),
        ShowKind::CharacterSet => server::charsets(state),
        ShowKind::Profiles => Ok(Listing::new("Query_ID:i10 Duration:f Query:s40")),
        ShowKind::Warnings { limit } => diagnostics::warnings(state, limit.as_ref(), false, running),
        ShowKind::Errors { limit } => diagnostics::warnings(state, limit.as_ref(), true, running),
        ShowKind::CountWarnings => Ok(diagnostics::count(state, false)),
        ShowKind::CountErrors => Ok(diagnostics::count(state, true)),
        ShowKind::MasterStatus => log::status(state),
        ShowKind::BinaryLogs => log::segments(state),
        ShowKind::BinlogEvents { log, position, limit } => {
            log::events(state, log.as_deref(), *position, limit.as_ref(), running)
        }
        ShowKind::SlaveHosts => Ok(Listing::new("Server_id:i10 Host:s20 Port:i7 Master_id:i10")),
        ShowKind::SlaveStatus { .. } => Ok(Listing::new(log::REPLICA)),
        ShowKind::Privileges => Err(SqlError::not_supported_yet("SHOW PRIVILEGES")),
        ShowKind::Profile => Err(SqlError::not_supported_yet("SHOW PROFILE")),
        ShowKind::RelaylogEvents { .. } => Err(SqlError::not_supported_yet("SHOW RELAYLOG EVENTS")),
        ShowKind::Authors => Err(SqlError::not_supported_yet("SHOW AUTHORS")),
        ShowKind::Contributors => Err(SqlError::not_supported_yet("SHOW CONTRIBUTORS")),
        ShowKind::UserStatistics
        | ShowKind::ClientStatistics
        | ShowKind::IndexStatistics
        | ShowKind::TableStatistics => Err(SqlError::not_supported_yet("statistics by user")),
        ShowKind::LocaleTimeZones => Err(SqlError::not_supported_yet("SHOW LOCALES")),
    }
}

/// DESCRIBE.
pub(crate) fn describe(
    session: &mut Session,
    table: &TableName,
    column: Option<&str>,
    running: &Running<'_>,
    out: &mut dyn Output,
) -> Result<(), Ended> {
    let listing = objects::columns(&mut session.state, table, false)?;
    let filter = column.map(|column| ShowFilter::Like(column.as_bytes().to_vec()));
    listing.send(session, filter.as_ref(), running, out)
}

/// The error for a stored program that does not exist: none does.
pub(crate) fn no_stored(state: &State, kind: &str, name: &TableName) -> SqlError {
    let database = name.database.as_ref().or(state.database.as_ref());
    match kind {
        "TRIGGER" => SqlError::trigger_does_not_exist(),
        "EVENT" => SqlError::new(1539, b"HY000", format!("Unknown event '{}'", name.name)),
        _ => match database {
            Some(database) => SqlError::does_not_exist(kind, format!("{database}.{}", name.name)),
            None => SqlError::no_db(),
        },
    }
}
