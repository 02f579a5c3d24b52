//! The server: variables, status, processes, character sets, engines, accounts.

use super::Listing;
use crate::admin::account;
use crate::catalog::{self, Wanted, text};
use crate::error::SqlError;
use crate::host::StatusValue;
use crate::session::State;
use crate::syntax::ast;
use std::fmt::Write as _;
use types::Value;

const NAME_AND_VALUE: &str = "Variable_name:s64 Value:s4096";

/// SHOW VARIABLES.
pub fn variables(state: &State, global: bool) -> Listing {
    named(catalog::server::variables_of(state, global))
}

/// SHOW STATUS.
pub fn status(state: &State, global: bool) -> Listing {
    named(catalog::server::counters(state, global))
}

fn named(list: Vec<(String, String)>) -> Listing {
    let mut listing = Listing::new(NAME_AND_VALUE);
    listing.rows = list.into_iter().map(|(name, value)| vec![text(name), text(value)]).collect();
    listing
}

/// SHOW PROCESSLIST: without FULL, statements are cut to their first 100 characters.
pub fn processes(state: &State, full: bool) -> Result<Listing, SqlError> {
    let columns =
        "Id:b11 User:s128 Host:s64 db:s64? Command:s16 Time:i7? State:s30? Info:s100? Progress:D7,3";
    let mut listing = Listing::new(columns);
    let optional = |given: Option<&str>| given.map_or(Value::Null, text);
    let all = account::require(state, &["PROCESS"]).is_ok();
    for process in state.host.processes().into_iter().filter(|process| all || process.user == state.user) {
        let info = process.info.as_deref().map(|info| match info.char_indices().nth(100) {
            Some((end, _)) if !full => &info[..end],
            _ => info,
        });
        listing.rows.push(vec![
            Value::Int(process.id as i64),
            text(&process.user),
            text(&process.host),
            optional(process.database.as_deref()),
            text(process.command),
            Value::Int(process.time_s as i64),
            text(&process.state),
            optional(info),
            Value::Decimal(types::Decimal::parse(b"0.000").value),
        ]);
    }
    Ok(listing)
}

/// SHOW ENGINES.
pub fn engines(state: &mut State) -> Result<Listing, SqlError> {
    let columns = "Engine:s64 Support:s8 Comment:s160 Transactions:s3? XA:s3? Savepoints:s3?";
    let sources = ["ENGINE", "SUPPORT", "COMMENT", "TRANSACTIONS", "XA", "SAVEPOINTS"];
    Listing::of_virtual(state, columns, "ENGINES", &sources, Wanted::default(), |_| true)
}

/// SHOW ENGINE ... STATUS: the storage's counters, one a line.
pub fn engine(state: &State, name: &str, what: &str) -> Result<Listing, SqlError> {
    if name != "INNODB" {
        return Err(SqlError::unknown_storage_engine(name));
    }
    let mut listing = Listing::new("Type:s10 Name:s512 Status:s10");
    if what == "STATUS" {
        let mut lines = String::from("\n=====================================\nPENSTOCK STORAGE STATUS\n");
        lines += "=====================================\n";
        state.host.status(&mut |name, value| {
            let is_storage = ["Innodb_", "Penstock_", "Binlog_"].iter().any(|head| name.starts_with(head));
            if is_storage {
                let _ = match value {
                    StatusValue::Count(n) => writeln!(lines, "{name} {n}"),
                    StatusValue::Text(text) => writeln!(lines, "{name} {text}"),
                };
            }
        });
        lines += "----------------------------\nEND OF STATUS\n============================\n";
        listing.rows.push(vec![text("InnoDB"), text(""), text(lines)]);
    }
    Ok(listing)
}

/// SHOW PLUGINS.
pub fn plugins(state: &mut State) -> Result<Listing, SqlError> {
    let columns = "Name:s64 Status:s16 Type:s80 Library:s64? License:s80";
    let sources = ["PLUGIN_NAME", "PLUGIN_STATUS", "PLUGIN_TYPE", "PLUGIN_LIBRARY", "PLUGIN_LICENSE"];
    Listing::of_virtual(state, columns, "PLUGINS", &sources, Wanted::default(), |_| true)
}

/// SHOW COLLATION.
pub fn collations(state: &mut State) -> Result<Listing, SqlError> {
    let columns = "Collation:s64 Charset:s32? Id:b11? Default:s3? Compiled:s3 Sortlen:b3";
    let sources = ["COLLATION_NAME", "CHARACTER_SET_NAME", "ID", "IS_DEFAULT", "IS_COMPILED", "SORTLEN"];
    Listing::of_virtual(state, columns, "COLLATIONS", &sources, Wanted::default(), |_| true)
}

/// SHOW CHARACTER SET.
pub fn charsets(state: &mut State) -> Result<Listing, SqlError> {
    let columns = "Charset:s32 Description:s60 Default~collation:s64 Maxlen:b3";
    let sources = ["CHARACTER_SET_NAME", "DESCRIPTION", "DEFAULT_COLLATE_NAME", "MAXLEN"];
    Listing::of_virtual(state, columns, "CHARACTER_SETS", &sources, Wanted::default(), |_| true)
}

/// SHOW GRANTS.
pub fn grants(state: &mut State, account: Option<&ast::Account>) -> Result<Listing, SqlError> {
    let (head, rows) = account::grants(state, account)?;
    let mut listing = Listing::new("Grants:s1024").rename(0, head);
    listing.rows = rows.into_iter().map(|row| vec![text(row)]).collect();
    Ok(listing)
}

/// SHOW CREATE USER.
pub fn create_user(state: &mut State, account: Option<&ast::Account>) -> Result<Listing, SqlError> {
    let (head, statement) = account::create_user(state, account)?;
    let mut listing = Listing::new("Create:s1024").rename(0, head);
    listing.rows.push(vec![text(statement)]);
    Ok(listing)
}
