//! Files of statements: LOAD DATA, SELECT ... INTO OUTFILE and DUMPFILE.
//!
//! They want the FILE privilege and keep to `secure_file_priv`. A file is written only where there is none.

use super::statement::{Ended, Running};
use super::variables::global_switch;
use super::{Level, Session, State};
use crate::admin::require;
use crate::bind::Binder;
use crate::error::SqlError;
use crate::exec::fields::Fields;
use crate::exec::load::Loader;
use crate::exec::{Cx, Flow, query};
use crate::expr::Class;
use crate::expr::build::text_bytes;
use crate::output::{ColumnMeta, Done, Output, flag};
use crate::plan::{OutputColumn, QueryPlan};
use crate::syntax::ast::{self, SelectInto};
use platform::file::{Dir, File, OpenMode, RealDir};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use types::Value;
use types::row::{write_value_filled, write_value_text};

/// Bytes read or written at once.
const CHUNK: usize = 256 << 10;

impl Session {
    /// LOAD DATA.
    pub(super) fn load_data(
        &mut self,
        load: &ast::LoadData,
        running: &Running<'_>,
        out: &mut dyn Output,
    ) -> Result<(), Ended> {
        match load.local {
            true if !(out.sends_files() && global_switch(&self.state, "local_infile")?) => {
                return Err(SqlError::load_infile_capability_disabled().into());
            }
            true => {}
            false => require(&self.state, &["FILE"])?,
        }
        let plan = Binder::new(&mut self.state, running.text, running.params).load(load)?;
        self.enter_change(plan.insert.table.is_temporary(), true)?;
        let facts = &mut self.state.statement;
        facts.ignore = plan.insert.ignore;
        facts.target = Some(plan.insert.table.clone());
        let file = match load.local {
            true => None,
            false => Some(open_to_read(&self.state, &load.path, plan.insert.table.db())?),
        };
        let mut cx = Cx::new(&mut self.state, running.params);
        let mut loader = Loader::new(&plan, &mut cx)?;
        let read = match file {
            Some(file) => read_all(&*file, &load.path, &mut |bytes| loader.push(bytes, &mut cx)),
            None => {
                // The client sends all of it, whatever becomes of the rows.
                let mut failed = None;
                out.local_file(&load.path, &mut |bytes| {
                    if failed.is_none() {
                        failed = loader.push(bytes, &mut cx).err();
                    }
                })?;
                failed.map_or(Ok(()), Err)
            }
        };
        if let Err(error) = read {
            loader.give_up(&mut cx);
            return Err(error.into());
        }
        let counts = loader.finish(&mut cx)?;
        drop(cx);
        self.state.check_fault()?;
        let replaced = if plan.insert.replace { counts.duplicates } else { 0 };
        let skipped = counts.records - counts.changed.min(counts.records);
        self.state.row_count = counts.affected as i64;
        let info = format!(
            "Records: {}  Deleted: {replaced}  Skipped: {skipped}  Warnings: {}",
            counts.records,
            self.state.diagnostics.count()
        );
        // The number that was given first is LAST_INSERT_ID()'s alone.
        self.finish(Done { affected_rows: counts.affected, info, ..Done::default() }, running, out)
    }

    /// Writes a query's rows into a file; gives how many.
    pub(super) fn select_into_file(
        &mut self,
        plan: &QueryPlan,
        into: &SelectInto,
        running: &Running<'_>,
    ) -> Result<u64, SqlError> {
        require(&self.state, &["FILE"])?;
        let (path, fields, charset) = match into {
            SelectInto::Outfile { path, charset, format } => {
                let widths = || plan.columns.iter().map(width).collect();
                (path, Some(Fields::of(format, widths)?), charset.as_deref())
            }
            SelectInto::Dumpfile(path) => (path, None, None),
            SelectInto::Variables(_) => return Err(SqlError::internal_error("write a file")),
        };
        let mut options = self.state.wire_options();
        options.charset = match charset {
            Some(name) => {
                Some(types::Charset::by_name(name).ok_or_else(|| SqlError::unknown_character_set(name))?)
            }
            None => None,
        };
        let database = self.state.database.clone().unwrap_or_default();
        let file = create(&self.state, path, &database)?;
        let is_string = |column: &OutputColumn| matches!(column.ty.class(), Class::Str | Class::Temporal);
        let strings: Vec<bool> = plan.columns.iter().map(is_string).collect();
        if fields.as_ref().is_some_and(Fields::are_ambiguous) && strings.contains(&false) {
            let error = SqlError::ambiguous_field_term();
            self.state.warn(Level::Warning, error.errno, error.message);
        }
        let described = self.state.describe(&plan.columns);
        let (mut written, mut rows, mut buffer) = (0, 0, Vec::new());
        let mut cx = Cx::new(&mut self.state, running.params);
        query::run(plan, &mut cx, &mut |cx, row| {
            rows += 1;
            if fields.is_none() && rows > 1 {
                return Err(SqlError::too_many_rows());
            }
            let text = |(i, value): (usize, &Value)| (value_text(value, &described[i], &options), strings[i]);
            let texts: Vec<(Option<Vec<u8>>, bool)> = row.iter().enumerate().map(text).collect();
            match &fields {
                Some(fields) => fields.write(&texts, &mut buffer),
                None => texts.into_iter().for_each(|(text, _)| buffer.extend(text.unwrap_or_default())),
            }
            cx.check_interrupt()?;
            if buffer.len() >= CHUNK {
                write(&*file, &mut buffer, &mut written, path)?;
            }
            Ok(Flow::Continue)
        })?;
        write(&*file, &mut buffer, &mut written, path)?;
        Ok(rows)
    }
}

/// Bytes of a column's field in a file where nothing parts the fields. MariaDB's file would have 4 GiB of spaces behind a LONGTEXT.
fn width(column: &OutputColumn) -> Result<usize, SqlError> {
    match text_bytes(column) {
        u32::MAX => {
            Err(SqlError::not_supported_yet("LONGTEXT, LONGBLOB and GEOMETRY in fields of fixed width"))
        }
        bytes => Ok(bytes as usize),
    }
}

/// A value's text without the length before it; none for NULL.
fn value_text(value: &Value, column: &ColumnMeta, options: &types::row::WireOptions) -> Option<Vec<u8>> {
    if value.is_null() {
        return None;
    }
    let mut bytes = Vec::new();
    match column.flags & flag::ZEROFILL {
        0 => write_value_text(value, column.decimals, options, &mut bytes),
        _ => write_value_filled(value, column.length as usize, column.decimals, options, &mut bytes),
    }
    let head = match bytes.first() {
        Some(0xFC) => 3,
        Some(0xFD) => 4,
        Some(0xFE) => 9,
        _ => 1,
    };
    bytes.drain(..head.min(bytes.len()));
    Some(bytes)
}

fn write(file: &dyn File, buffer: &mut Vec<u8>, at: &mut u64, path: &str) -> Result<(), SqlError> {
    let (bytes, offset) = (std::mem::take(buffer), *at);
    runtime::io::write_all_at(file, &bytes, offset)
        .map_err(|error| SqlError::error_on_write(path, cause(&error)))?;
    *at += bytes.len() as u64;
    Ok(())
}

fn read_all(
    file: &dyn File,
    path: &str,
    push: &mut dyn FnMut(&[u8]) -> Result<(), SqlError>,
) -> Result<(), SqlError> {
    let mut buffer = vec![0; CHUNK];
    let mut at = 0;
    loop {
        let read = runtime::io::read_at(file, &mut buffer, at);
        let n = read.map_err(|error| {
            SqlError::new(2, b"HY000", format!("Error reading file '{path}' (Errcode: {})", cause(&error)))
        })?;
        if n == 0 {
            return Ok(());
        }
        push(&buffer[..n])?;
        at += n as u64;
    }
}

/// A system error as messages show it.
fn cause(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    format!("{} \"{text}\"", error.raw_os_error().unwrap_or(0))
}

/// Where a statement's file is: relative names stand in the database's directory.
fn place(state: &State, path: &str, database: &str) -> Result<(PathBuf, String), SqlError> {
    let data = match state.host.fact("datadir") {
        Some(Value::Str(text)) => PathBuf::from(String::from_utf8_lossy(&text.bytes).into_owned()),
        _ => PathBuf::from("."),
    };
    let full = data.join(database).join(path);
    let refused = || SqlError::option_prevents_statement("--secure-file-priv");
    let dir = full.parent().map(Path::to_path_buf).unwrap_or(data);
    let name = full.file_name().map(|name| name.to_string_lossy().into_owned()).ok_or_else(refused)?;
    if let Some(Value::Str(allowed)) = state.host.fact("secure_file_priv") {
        let allowed = PathBuf::from(String::from_utf8_lossy(&allowed.bytes).into_owned());
        // A file's own name may be a link that leads out.
        let real = full.canonicalize().or_else(|_| dir.canonicalize());
        let inside =
            matches!((&real, &allowed.canonicalize()), (Ok(real), Ok(allowed)) if real.starts_with(allowed));
        if !inside {
            return Err(refused());
        }
    }
    Ok((dir, name))
}

/// Opens a file in its place.
fn open((dir, name): &(PathBuf, String), mode: OpenMode) -> io::Result<Arc<dyn File>> {
    RealDir::new(dir, false)?.open(name, mode)
}

fn open_to_read(state: &State, path: &str, database: &str) -> Result<Arc<dyn File>, SqlError> {
    open(&place(state, path, database)?, OpenMode::READ).map_err(|error| {
        SqlError::new(13, b"HY000", format!("Can't get stat of '{path}' (Errcode: {})", cause(&error)))
    })
}

/// The whole of a file that everybody may read, as LOAD_FILE() gives it: nothing where that cannot be done. `may_hold` is
/// asked whether so many bytes may be had.
pub(crate) fn content(state: &State, path: &str, may_hold: impl FnOnce(u64) -> bool) -> Option<Vec<u8>> {
    require(state, &["FILE"]).ok()?;
    let place = place(state, path, "").ok()?;
    let facts = std::fs::metadata(place.0.join(&place.1)).ok()?;
    let read_by_all = facts.permissions().mode() & 0o004 != 0;
    if !facts.is_file() || !read_by_all || !may_hold(facts.len()) {
        return None;
    }
    let file = open(&place, OpenMode::READ).ok()?;
    let mut bytes = Vec::with_capacity(facts.len() as usize);
    let read = read_all(&*file, path, &mut |part| {
        bytes.extend_from_slice(part);
        match bytes.len() as u64 <= facts.len() {
            true => Ok(()),
            false => Err(SqlError::internal_error("read a file that grows")),
        }
    });
    read.ok().map(|()| bytes)
}

fn create(state: &State, path: &str, database: &str) -> Result<Arc<dyn File>, SqlError> {
    open(&place(state, path, database)?, OpenMode::NEW).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => SqlError::file_exists(path),
        _ => {
            let words = format!("Can't create/write to file '{path}' (Errcode: {})", cause(&error));
            SqlError::new(1, b"HY000", words)
        }
    })
}
