//! Results of the `sql` room as packets.

use crate::input::{Input, Next, Payload};
use crate::status::{Counter, Status};
use protocol::flags::status as bits;
use protocol::packet::PacketBuffer;
use protocol::reply;
use runtime::net::Stream;
use runtime::turn_time;
use sql::error::SqlError;
use sql::output::{ColumnMeta, Done, Gone, Output, RowRef};
use std::time::Duration;
use types::row::{TEXT_NULL, WireOptions, write_value_binary, write_value_filled, write_value_text};
use types::{Charset, Value};

/// First byte of the packet that asks a client for a file.
const LOCAL_FILE: u8 = 0xFB;
/// Output beyond this goes to the client before more is made: what a slow reader can cost in memory.
const FLUSH_AT: usize = 64 << 10;
/// Memory that an idle connection keeps for its output.
pub const KEEP: usize = 16 << 10;

/// Sends bytes that wait.
pub fn flush(stream: &Stream, out: &mut PacketBuffer, status: &Status) -> Result<(), Gone> {
    if out.is_empty() {
        return Ok(());
    }
    status.add(Counter::BytesSent, out.len() as u64);
    let sent = stream.write_all(out.bytes());
    out.clear(KEEP);
    sent.map_err(|_| Gone)
}

/// A column's wire form, its names in the character set of results.
pub fn put_column(meta: &ColumnMeta, charset: Option<Charset>, out: &mut Vec<u8>) {
    let plain = column(meta);
    match charset {
        Some(charset) if charset != Charset::Utf8mb4 => {
            let into = |name| Charset::Utf8mb4.convert_cow(name, charset);
            let names = [plain.schema, plain.table, plain.org_table, plain.name, plain.org_name].map(into);
            let [schema, table, org_table, name, org_name] = &names;
            reply::Column { schema, table, org_table, name, org_name, ..plain }.encode(out);
        }
        _ => plain.encode(out),
    }
}

/// A column's definition as the protocol wants it.
pub fn column(meta: &ColumnMeta) -> reply::Column<'_> {
    reply::Column {
        schema: meta.schema.as_bytes(),
        table: meta.table.as_bytes(),
        org_table: meta.org_table.as_bytes(),
        name: meta.name.as_bytes(),
        org_name: meta.org_name.as_bytes(),
        collation: meta.collation.id(),
        length: meta.length,
        wire_type: meta.wire_type,
        flags: meta.flags,
        decimals: meta.decimals,
    }
}

/// Rows kept on the server for COM_STMT_FETCH: payloads of row packets.
#[derive(Debug, Default)]
pub struct Cursor {
    /// Rows not fetched yet, in order.
    pub rows: std::collections::VecDeque<Vec<u8>>,
    /// Bytes of them.
    pub bytes: usize,
}

/// Memory that one cursor's rows may take, in bytes.
const CURSOR_MAX: usize = 256 << 20;

/// The input of a connection, for the file of LOAD DATA LOCAL.
pub struct Upload<'c> {
    /// What came.
    pub input: &'c mut Input,
    /// Longest packet.
    pub limit: usize,
}

/// Input that is read at once.
const READ_CHUNK: usize = 64 << 10;
/// Time that a client has to send the next piece of its file (`net_read_timeout`).
const READ_TIME: Duration = Duration::from_secs(60);

impl Upload<'_> {
    /// The next packet of the file with its number; waits for it.
    fn next(&mut self, stream: &Stream, status: &Status, seq: u8) -> Result<(u8, Payload), Gone> {
        loop {
            match self.input.next(self.limit, seq).map_err(|_| Gone)? {
                Next::Whole(payload, seq) => return Ok((seq, payload)),
                Next::Partial(need) => {
                    let deadline = turn_time() + READ_TIME;
                    if !self.input.fill(stream, need, READ_CHUNK, deadline, status) {
                        return Err(Gone);
                    }
                }
            }
        }
    }
}

/// Writes results of one command into a connection's output.
pub struct Wire<'c> {
    stream: &'c Stream,
    out: &'c mut PacketBuffer,
    status: &'c Status,
    deprecate_eof: bool,
    binary: bool,
    columns: Vec<(u8, u8, usize)>,
    options: WireOptions,
    in_rows: bool,
    /// Where a client's own file comes in, if it sends any.
    pub upload: Option<Upload<'c>>,
    /// Set for a cursor: rows go there.
    pub cursor: Option<Cursor>,
    /// Whether the last statement ended with an error.
    pub failed: bool,
}

impl<'c> Wire<'c> {
    /// A wire for text results, or for binary ones of a prepared statement.
    pub fn new(
        stream: &'c Stream,
        out: &'c mut PacketBuffer,
        status: &'c Status,
        deprecate_eof: bool,
        binary: bool,
    ) -> Self {
        Self {
            stream,
            out,
            status,
            deprecate_eof,
            binary,
            columns: Vec::new(),
            options: WireOptions::default(),
            in_rows: false,
            upload: None,
            cursor: None,
            failed: false,
        }
    }

    fn row_payload(&self, row: RowRef<'_>, out: &mut Vec<u8>) -> bool {
        match (row, self.binary) {
            (RowRef::Values(values), false) => {
                for (value, (_, decimals, fill)) in values.iter().zip(&self.columns) {
                    match fill {
                        0 => write_value_text(value, *decimals, &self.options, out),
                        _ => write_value_filled(value, *fill, *decimals, &self.options, out),
                    }
                }
                true
            }
            (RowRef::Values(values), true) => {
                let bitmap = reply::begin_binary_row(out, values.len());
                for (i, (value, (wire_type, decimals, fill))) in values.iter().zip(&self.columns).enumerate()
                {
                    match (value, *wire_type) {
                        (Value::Null, _) => reply::set_binary_null(out, bitmap, i),
                        // A decimal goes as its text here, too.
                        (_, types::column::wire::NEWDECIMAL) if *fill > 0 => {
                            write_value_filled(value, *fill, *decimals, &self.options, out);
                        }
                        _ => write_value_binary(value, *wire_type, *decimals, &self.options, out),
                    }
                }
                true
            }
            (RowRef::Stored { layout, image, columns }, binary) => {
                let bitmap = if binary { reply::begin_binary_row(out, columns.len()) } else { 0 };
                for (i, &column) in columns.iter().enumerate() {
                    let Ok(bytes) = layout.column_bytes(image, column) else { return false };
                    let written = match (bytes, binary) {
                        (None, true) => {
                            reply::set_binary_null(out, bitmap, i);
                            Ok(())
                        }
                        (None, false) => {
                            out.push(TEXT_NULL);
                            Ok(())
                        }
                        (Some(bytes), true) => layout.column(column).write_binary(bytes, &self.options, out),
                        (Some(bytes), false) => layout.column(column).write_text(bytes, &self.options, out),
                    };
                    if written.is_err() {
                        return false;
                    }
                }
                true
            }
        }
    }
}

impl Output for Wire<'_> {
    fn columns(&mut self, columns: &[ColumnMeta], options: &WireOptions) -> Result<(), Gone> {
        self.options = *options;
        self.columns.clear();
        let fill =
            |c: &ColumnMeta| if c.flags & sql::output::flag::ZEROFILL != 0 { c.length as usize } else { 0 };
        self.columns.extend(columns.iter().map(|c| (c.wire_type, c.decimals, fill(c))));
        protocol::wire::put_lenenc(self.out.begin(), columns.len() as u64);
        self.out.end();
        for meta in columns {
            put_column(meta, options.charset, self.out.begin());
            self.out.end();
        }
        if !self.deprecate_eof && self.cursor.is_none() {
            reply::encode_eof(self.out.begin(), 0, 0);
            self.out.end();
        }
        self.in_rows = true;
        Ok(())
    }

    fn row(&mut self, row: RowRef<'_>) -> Result<(), Gone> {
        if self.cursor.is_some() {
            let mut payload = Vec::new();
            self.row_payload(row, &mut payload);
            let cursor = self.cursor.get_or_insert_default();
            cursor.bytes += payload.len();
            cursor.rows.push_back(payload);
            return if cursor.bytes > CURSOR_MAX { Err(Gone) } else { Ok(()) };
        }
        let mut out = std::mem::take(self.out.begin());
        let good = self.row_payload(row, &mut out);
        *self.out.payload() = out;
        match good {
            true => self.out.end(),
            false => {
                self.out.abandon();
                let error = SqlError::new(1712, b"HY000", "Data is corrupted: stored row does not read");
                self.error(&error)?;
                return Err(Gone);
            }
        }
        if self.out.len() >= FLUSH_AT {
            flush(self.stream, self.out, self.status)?;
        }
        Ok(())
    }

    fn done(&mut self, done: &Done) -> Result<(), Gone> {
        let mut status = done.status | if done.more_results { bits::MORE_RESULTS } else { 0 };
        if self.cursor.is_some() && self.in_rows {
            status |= bits::CURSOR_EXISTS;
        }
        let ok = reply::Ok {
            affected_rows: done.affected_rows,
            last_insert_id: done.last_insert_id,
            status,
            warnings: done.warnings,
            info: done.info.clone(),
        };
        match (std::mem::take(&mut self.in_rows), self.deprecate_eof) {
            (false, _) => ok.encode(self.out.begin()),
            (true, true) => ok.encode_end_of_rows(self.out.begin()),
            (true, false) => reply::encode_eof(self.out.begin(), status, done.warnings),
        }
        self.out.end();
        self.failed = false;
        Ok(())
    }

    fn sends_files(&self) -> bool {
        self.upload.is_some()
    }

    fn local_file(&mut self, name: &str, take: &mut dyn FnMut(&[u8])) -> Result<(), Gone> {
        let upload = self.upload.as_mut().ok_or(Gone)?;
        let request = self.out.begin();
        request.push(LOCAL_FILE);
        request.extend_from_slice(name.as_bytes());
        self.out.end();
        let mut seq = self.out.seq();
        flush(self.stream, self.out, self.status)?;
        loop {
            let (last, payload) = upload.next(self.stream, self.status, seq)?;
            seq = last.wrapping_add(1);
            let bytes = upload.input.payload(&payload);
            if bytes.is_empty() {
                self.out.set_seq(seq);
                return Ok(());
            }
            take(bytes);
        }
    }

    fn error(&mut self, error: &SqlError) -> Result<(), Gone> {
        self.in_rows = false;
        self.failed = true;
        put_error(error, self.out);
        Ok(())
    }
}

/// Puts an ERR packet into the output.
pub fn put_error(error: &SqlError, out: &mut PacketBuffer) {
    let packet = reply::Err { number: error.errno, sqlstate: error.sqlstate, message: error.message.clone() };
    packet.encode(out.begin());
    out.end();
}
