//! Databases, tables, columns, indexes, and the statements that would make them.

use super::Listing;
use super::converted::converted;
use crate::admin::ddl::plain_default;
use crate::admin::dialect::Dialect;
use crate::admin::{account, show_create, view_definition, view_text};
use crate::catalog::{self, INFORMATION_SCHEMA, Wanted, mysql, text};
use crate::error::SqlError;
use crate::session::{State, variables};
use crate::syntax::ast::TableName;
use types::{ColumnType, DefaultValue, TableDef, Value, ViewDef};

/// Columns of PROCEDURE STATUS and its kin, of which there are never any rows.
pub const STORED: &str = "Db:s64 Name:s64 Type:s13 Definer:s384 Modified:d Created:d Security_type:s7 Comment:t \
     character_set_client:s32 collation_connection:s64 Database~Collation:s64";

/// A database that exists: the one named, or the default one; errors 1044, 1046, 1049.
fn database(state: &mut State, name: Option<&str>) -> Result<String, SqlError> {
    let name = name.or(state.database.as_deref()).ok_or_else(SqlError::no_db)?.to_owned();
    state.check_sees_database(&name)?;
    if let Some((own, _)) = catalog::virtual_database(&name) {
        return Ok(own.to_owned());
    }
    match state.engine.catalog().database(&name) {
        Some(_) => Ok(name),
        None => Err(SqlError::bad_db(name)),
    }
}

/// Database and name of a table that exists; errors 1046, 1146, 1109.
pub fn existing(state: &mut State, table: &TableName) -> Result<(String, String), SqlError> {
    definition(state, table, "SELECT").map(|(database, table)| (database, table.name))
}

/// Database and definition of a table or view; error 1142 names the command.
pub fn definition(
    state: &mut State,
    table: &TableName,
    command: &str,
) -> Result<(String, TableDef), SqlError> {
    let database = table.database.clone().or_else(|| state.database.clone()).ok_or_else(SqlError::no_db)?;
    if let Some(found) = catalog::found(&database, &table.name)? {
        state.check_sees_table(command, found.database, found.name)?;
        return Ok((found.database.to_owned(), found.definition()));
    }
    if let Some(own) = state.temporary(&database, &table.name) {
        let definition = TableDef::clone(own.def());
        return Ok((database, definition));
    }
    state.check_sees_table(command, &database, &table.name)?;
    if let Some(view) = catalog::view(state, &database, &table.name) {
        let definition = state.without_privileges(|state| view_definition(state, &view))?;
        return Ok((database, definition));
    }
    let catalog = state.engine.catalog();
    let found = catalog.table(&database, &table.name);
    let found = found.ok_or_else(|| SqlError::no_such_table(&database, &table.name))?;
    let definition = TableDef::clone(found.def());
    Ok((database, definition))
}

/// A column's head as MariaDB makes it of a LIKE pattern.
fn head(words: &str, pattern: Option<&str>) -> String {
    pattern.map_or_else(|| words.to_owned(), |pattern| format!("{words} ({pattern})"))
}

/// SHOW DATABASES.
pub fn databases(state: &mut State, pattern: Option<&str>) -> Result<Listing, SqlError> {
    let listing =
        Listing::of_virtual(state, "Database:s64", "SCHEMATA", &["SCHEMA_NAME"], Wanted::default(), |_| {
            true
        })?;
    let mut listing = listing.rename(0, head("Database", pattern));
    listing.rows.sort_by_key(|row| shown(&row[0]));
    Ok(listing)
}

fn shown(value: &Value) -> String {
    variables::shown(value)
}

fn is(value: &Value, text: &str) -> bool {
    matches!(value, Value::Str(s) if s.bytes.as_slice() == text.as_bytes())
}

/// SHOW TABLES.
pub fn tables(
    state: &mut State,
    name: Option<&str>,
    full: bool,
    pattern: Option<&str>,
) -> Result<Listing, SqlError> {
    let name = database(state, name)?;
    let (columns, sources): (_, &[&str]) = match full {
        true => ("Tables:s73 Table_type:s64", &["TABLE_NAME", "TABLE_TYPE"]),
        false => ("Tables:s73", &["TABLE_NAME"]),
    };
    let wanted = Wanted { database: Some(name.clone()), names_only: true, ..Wanted::default() };
    let listing = Listing::of_virtual(state, columns, "TABLES", sources, wanted, |row| is(&row[1], &name))?;
    Ok(listing.rename(0, head(&format!("Tables_in_{name}"), pattern)))
}

/// SHOW TABLE STATUS.
pub fn table_status(
    state: &mut State,
    name: Option<&str>,
    pattern: Option<&str>,
) -> Result<Listing, SqlError> {
    let name = database(state, name)?;
    let columns = "Name:s64 Engine:s64? Version:b21u? Row_format:s10? Rows:b21u? Avg_row_length:b21u? \
         Data_length:b21u? Max_data_length:b21u? Index_length:b21u? Data_free:b21u? Auto_increment:b21u? \
         Create_time:d? Update_time:d? Check_time:d? Collation:s64? Checksum:b21u? Create_options:s2048? \
         Comment:s2048 Max_index_length:b21u? Temporary:s1?";
    let sources = [
        "TABLE_NAME",
        "ENGINE",
        "VERSION",
        "ROW_FORMAT",
        "TABLE_ROWS",
        "AVG_ROW_LENGTH",
        "DATA_LENGTH",
        "MAX_DATA_LENGTH",
        "INDEX_LENGTH",
        "DATA_FREE",
        "AUTO_INCREMENT",
        "CREATE_TIME",
        "UPDATE_TIME",
        "CHECK_TIME",
        "TABLE_COLLATION",
        "CHECKSUM",
        "CREATE_OPTIONS",
        "TABLE_COMMENT",
        "MAX_INDEX_LENGTH",
        "TEMPORARY",
    ];
    let pattern = pattern.map(str::to_owned);
    let wanted = Wanted { database: Some(name.clone()), pattern, ..Wanted::default() };
    Listing::of_virtual(state, columns, "TABLES", &sources, wanted, |row| is(&row[1], &name))
}

/// SHOW OPEN TABLES: every definition is at hand; nothing tells which are in use.
pub fn open_tables(state: &mut State, name: Option<&str>) -> Result<Listing, SqlError> {
    let mut listing = Listing::new("Database:s64 Table:s64 In_use:b1 Name_locked:b4").like_on(1);
    let catalog = state.engine.catalog();
    for database in catalog.databases().filter(|database| name.is_none_or(|name| name == database.name)) {
        for table in database.tables.keys() {
            if state.sees_table(&database.name, table)? {
                listing.rows.push(vec![text(&database.name), text(table), Value::Int(0), Value::Int(0)]);
            }
        }
    }
    Ok(listing)
}

fn only(database: &str, table: &str) -> Wanted {
    let (database, table) = (Some(database.to_owned()), Some(table.to_owned()));
    Wanted { database, table, temporary: true, ..Wanted::default() }
}

/// SHOW COLUMNS and DESCRIBE.
pub fn columns(state: &mut State, table: &TableName, full: bool) -> Result<Listing, SqlError> {
    let (database, definition) = definition(state, table, "SELECT")?;
    let (columns, sources): (_, &[&str]) = match full {
        false => (
            "Field:s64 Type:t Null:s3 Key:s3 Default:t? Extra:s80",
            &["COLUMN_NAME", "COLUMN_TYPE", "IS_NULLABLE", "COLUMN_KEY", "COLUMN_DEFAULT", "EXTRA"],
        ),
        true => (
            "Field:s64 Type:t Collation:s64? Null:s3 Key:s3 Default:t? Extra:s80 Privileges:s80 Comment:s1024",
            &[
                "COLUMN_NAME",
                "COLUMN_TYPE",
                "COLLATION_NAME",
                "IS_NULLABLE",
                "COLUMN_KEY",
                "COLUMN_DEFAULT",
                "EXTRA",
                "PRIVILEGES",
                "COLUMN_COMMENT",
            ],
        ),
    };
    let is_view = view_of(state, table)?.is_some();
    let wanted = only(&database, &definition.name);
    let mut listing = Listing::of_virtual(state, columns, "COLUMNS", sources, wanted, |row| {
        is(&row[1], &database) && is(&row[2], &definition.name)
    })?;
    let place = sources.iter().position(|source| *source == "COLUMN_DEFAULT").unwrap_or(0);
    for row in &mut listing.rows {
        let name = variables::shown(&row[0]);
        let Some(column) = definition.columns.iter().find(|column| column.name == name) else { continue };
        // SHOW gives the default's own text where the catalog gives an expression for it.
        match &column.default {
            DefaultValue::None | DefaultValue::Null | DefaultValue::Missing => row[place] = Value::Null,
            // Numbers have no quotes, and that of long text is an expression.
            DefaultValue::Literal(_) if column.ty.is_numeric() => {}
            DefaultValue::Literal(_)
                if matches!(column.ty, ColumnType::Bit(_) | ColumnType::Text(_) | ColumnType::Blob(_))
                    && !is_view => {}
            DefaultValue::Literal(literal) if matches!(column.ty, ColumnType::Char(_)) => {
                row[place] = text(plain_default(literal, column, state.vars.sql_mode));
            }
            DefaultValue::Literal(literal) => {
                row[place] = text(column.collation.charset().to_utf8_lossy(literal));
            }
            DefaultValue::CurrentTimestamp | DefaultValue::Expression(_) => {}
        }
    }
    Ok(listing)
}

/// SHOW INDEX.
pub fn indexes(state: &mut State, table: &TableName) -> Result<Listing, SqlError> {
    let (database, definition) = definition(state, table, "SELECT")?;
    let columns = "Table:s64 Non_unique:b1 Key_name:s64 Seq_in_index:i2u Column_name:s64 Collation:s1? \
         Cardinality:b21? Sub_part:b3? Packed:s10? Null:s3 Index_type:s16 Comment:s16? Index_comment:s1024 Ignored:s3";
    let sources = [
        "TABLE_NAME",
        "NON_UNIQUE",
        "INDEX_NAME",
        "SEQ_IN_INDEX",
        "COLUMN_NAME",
        "COLLATION",
        "CARDINALITY",
        "SUB_PART",
        "PACKED",
        "NULLABLE",
        "INDEX_TYPE",
        "COMMENT",
        "INDEX_COMMENT",
        "IGNORED",
    ];
    let wanted = only(&database, &definition.name);
    Listing::of_virtual(state, columns, "STATISTICS", &sources, wanted, |row| {
        is(&row[1], &database) && is(&row[2], &definition.name)
    })
}

/// SHOW CREATE TABLE.
pub fn create_table(state: &mut State, table: &TableName) -> Result<Listing, SqlError> {
    if view_of(state, table)?.is_some() {
        return create_view(state, table);
    }
    let (database, definition) = definition(state, table, "SHOW")?;
    let catalog = state.engine.catalog();
    let own = state.temporary(&database, &definition.name);
    let dialect = Dialect::of(state)?;
    let found = own.or_else(|| catalog.table(&database, &definition.name)).cloned();
    let sql = match found {
        Some(table) => {
            let present = show_create::present(&table);
            let shown = converted(&present, state);
            let text = show_create::create_table_text(&shown, &dialect);
            match table.is_temporary() {
                true => text.replacen("CREATE TABLE", "CREATE TEMPORARY TABLE", 1),
                false => text,
            }
        }
        None if database != INFORMATION_SCHEMA => show_create::create_table_text(&definition, &dialect),
        None => show_create::create_table_text(&definition, &dialect)
            .replacen("CREATE TABLE", "CREATE TEMPORARY TABLE", 1)
            .replacen("ENGINE=InnoDB", "ENGINE=MEMORY", 1),
    };
    let mut listing = Listing::new("Table:s64 Create~Table:s1024");
    listing.rows.push(vec![text(&definition.name), text(sql)]);
    Ok(listing)
}

/// The view of a name, if it is one's.
fn view_of(state: &State, table: &TableName) -> Result<Option<ViewDef>, SqlError> {
    let database = table.database.as_ref().or(state.database.as_ref()).ok_or_else(SqlError::no_db)?;
    if state.temporary(database, &table.name).is_some() {
        return Ok(None);
    }
    Ok(catalog::view(state, database, &table.name))
}

/// SHOW CREATE VIEW.
pub fn create_view(state: &mut State, table: &TableName) -> Result<Listing, SqlError> {
    let Some(def) = view_of(state, table)? else {
        let (database, name) = existing(state, table)?;
        return Err(SqlError::wrong_object(database, name, "VIEW"));
    };
    state.check_table("SELECT", &def.db, &def.name)?;
    state.check_table("SHOW VIEW", &def.db, &def.name)?;
    if !def.invoker && !mysql::has(&def.db, &def.name) {
        account::note_gone(state, &def.definer);
    }
    let sql = state.without_privileges(|state| view_text(state, &def))?;
    let mut listing =
        Listing::new("View:s64 Create~View:s1024 character_set_client:s32 collation_connection:s64");
    let connection = text(def.connection.name());
    listing.rows.push(vec![text(&def.name), text(sql), text(&def.client_charset), connection]);
    Ok(listing)
}

/// SHOW CREATE DATABASE.
pub fn create_database(state: &mut State, name: &str, if_not_exists: bool) -> Result<Listing, SqlError> {
    if !state.sees_database(name)? {
        // With the client's host, other than for all other statements.
        let (user, host) = state.told_name();
        return Err(SqlError::db_access_denied(user, host, name));
    }
    let name = database(state, Some(name))?;
    let definition = match catalog::virtual_database(&name) {
        Some((_, collation)) => engine::DatabaseDef { collation, comment: String::new() },
        None => {
            let catalog = state.engine.catalog();
            catalog
                .database(&name)
                .map(|database| database.def.clone())
                .ok_or_else(|| SqlError::bad_db(&name))?
        }
    };
    let mut sql = show_create::create_database_text(&name, &definition, &Dialect::of(state)?);
    if if_not_exists {
        sql = sql.replacen("CREATE DATABASE", "CREATE DATABASE /*!32312 IF NOT EXISTS*/", 1);
    }
    let mut listing = Listing::new("Database:s64 Create~Database:s1024");
    listing.rows.push(vec![text(&name), text(sql)]);
    Ok(listing)
}

/// SHOW TRIGGERS: there are none.
pub fn triggers(state: &mut State, name: Option<&str>) -> Result<Listing, SqlError> {
    database(state, name)?;
    let columns = "Trigger:s64 Event:s6 Table:s64 Statement:t? Timing:s6 Created:d? sql_mode:s8192 Definer:s384? \
         character_set_client:s32 collation_connection:s64 Database~Collation:s64";
    Ok(Listing::new(columns).like_on(2))
}

/// SHOW EVENTS: there are none.
pub fn events(state: &mut State, name: Option<&str>) -> Result<Listing, SqlError> {
    database(state, name)?;
    let columns = "Db:s64 Name:s64 Definer:s384 Time~zone:s64 Type:s9 Execute~at:d? Interval~value:s256? \
         Interval~field:s18? Starts:d? Ends:d? Status:s18 Originator:b10 character_set_client:s32 \
         collation_connection:s64 Database~Collation:s64";
    Ok(Listing::new(columns).like_on(1))
}
