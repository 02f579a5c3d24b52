//! The log and replication.

use super::Listing;
use super::diagnostics::range;
use crate::catalog::text;
use crate::error::SqlError;
use crate::session::{Running, State};
use crate::syntax::ast;
use binlog::LogPos;
use types::Value;

/// Columns of SLAVE STATUS; there are no replica threads, so there are no rows.
pub const REPLICA: &str = "Slave_IO_State:s30 Master_Host:s766 Master_User:s385 Master_Port:i7u Connect_Retry:i10 \
     Master_Log_File:s512 Read_Master_Log_Pos:b10u Relay_Log_File:s512 Relay_Log_Pos:b10u \
     Relay_Master_Log_File:s512 Slave_IO_Running:s3 Slave_SQL_Running:s3 Replicate_Do_DB:s20 \
     Replicate_Ignore_DB:s20 Replicate_Do_Table:s20 Replicate_Ignore_Table:s23 Replicate_Wild_Do_Table:s24 \
     Replicate_Wild_Ignore_Table:s28 Last_Errno:i4 Last_Error:s20 Skip_Counter:i10u Exec_Master_Log_Pos:b10u \
     Relay_Log_Space:b10u Until_Condition:s6 Until_Log_File:s512 Until_Log_Pos:b10u Master_SSL_Allowed:s7 \
     Master_SSL_CA_File:s512 Master_SSL_CA_Path:s512 Master_SSL_Cert:s512 Master_SSL_Cipher:s512 \
     Master_SSL_Key:s512 Seconds_Behind_Master:b10? Master_SSL_Verify_Server_Cert:s3 Last_IO_Errno:i4 \
     Last_IO_Error:s20 Last_SQL_Errno:i4 Last_SQL_Error:s20 Replicate_Ignore_Server_Ids:s512 \
     Master_Server_Id:i10u Master_SSL_Crl:s512 Master_SSL_Crlpath:s512 Using_Gtid:s11 Gtid_IO_Pos:s30 \
     Replicate_Do_Domain_Ids:s512 Replicate_Ignore_Domain_Ids:s512 Parallel_Mode:s12 SQL_Delay:i10u \
     SQL_Remaining_Delay:i8? Slave_SQL_Running_State:s20 Slave_DDL_Groups:b20u \
     Slave_Non_Transactional_Groups:b20u Slave_Transactional_Groups:b20u Replicate_Rewrite_DB:s23";

/// SHOW MASTER STATUS.
pub fn status(state: &State) -> Result<Listing, SqlError> {
    let mut listing = Listing::new("File:s512 Position:b20u Binlog_Do_DB:s255 Binlog_Ignore_DB:s255");
    let log = state.engine.log();
    let end = log.end();
    let name = log.segments().into_iter().find(|segment| segment.number == end.file).map(|s| s.name);
    let row = vec![text(name.unwrap_or_default()), Value::UInt(end.offset.into()), text(""), text("")];
    listing.rows.push(row);
    Ok(listing)
}

/// SHOW BINARY LOGS.
pub fn segments(state: &State) -> Result<Listing, SqlError> {
    let mut listing = Listing::new("Log_name:s255 File_size:b20u");
    let segments = state.engine.log().segments();
    listing.rows = segments.into_iter().map(|s| vec![text(s.name), Value::UInt(s.bytes)]).collect();
    Ok(listing)
}

/// SHOW BINLOG EVENTS: without LIMIT, those of one segment.
pub fn events(
    state: &mut State,
    name: Option<&str>,
    position: Option<u64>,
    limit: Option<&ast::Limit>,
    running: &Running<'_>,
) -> Result<Listing, SqlError> {
    let (skip, take) = range(state, limit, running)?;
    let columns = "Log_name:s20 Pos:b11u Event_type:s20 Server_id:i10u End_log_pos:b11u Info:s20";
    let mut listing = Listing::new(columns);
    let log = state.engine.log();
    let segments = log.segments();
    let segment = match name {
        Some(name) => segments.iter().find(|segment| segment.name == name),
        None => segments.first(),
    };
    let refused = |cause: &str| SqlError::error_when_executing("SHOW BINLOG EVENTS", cause);
    let segment = segment.ok_or_else(|| refused("Could not find target log"))?;
    let offset = u32::try_from(position.unwrap_or(0)).map_err(|_| refused("Wrong offset"))?;
    let mut reader = log.reader(LogPos::new(segment.number, offset));
    let mut seen = 0;
    while listing.rows.len() < take {
        runtime::slice_point();
        state.check_killed()?;
        let event = reader.next_event().map_err(|_| refused("Wrong offset or I/O error"))?;
        let Some(event) = event.filter(|event| event.position.file == segment.number) else { break };
        seen += 1;
        if seen <= skip {
            continue;
        }
        let kind = event.header.kind;
        listing.rows.push(vec![
            text(&segment.name),
            Value::UInt(event.position.offset.into()),
            text(kind.name()),
            Value::UInt(event.header.server_id.into()),
            Value::UInt(event.header.end.into()),
            text(event.describe().unwrap_or_default()),
        ]);
    }
    Ok(listing)
}
