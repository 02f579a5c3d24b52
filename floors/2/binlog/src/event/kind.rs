//! Type numbers of events.

use std::fmt;

/// The type byte of an event. Any value is possible in a file; the known ones have names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventKind(pub u8);

macro_rules! kinds {
    ($($name:ident = $number:literal, $text:literal;)*) => {
        impl EventKind {
            $(
                #[doc = concat!("Type ", stringify!($number), ", shown as `", $text, "`.")]
                pub const $name: EventKind = EventKind($number);
            )*

            /// The name that SHOW BINLOG EVENTS gives the type.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self.0 {
                    $($number => $text,)*
                    _ => "Unknown",
                }
            }
        }
    };
}

kinds! {
    START_V3 = 1, "Start_v3";
    QUERY = 2, "Query";
    STOP = 3, "Stop";
    ROTATE = 4, "Rotate";
    INTVAR = 5, "Intvar";
    RAND = 13, "RAND";
    USER_VAR = 14, "User var";
    FORMAT_DESCRIPTION = 15, "Format_desc";
    XID = 16, "Xid";
    TABLE_MAP = 19, "Table_map";
    WRITE_ROWS_V1 = 23, "Write_rows_v1";
    UPDATE_ROWS_V1 = 24, "Update_rows_v1";
    DELETE_ROWS_V1 = 25, "Delete_rows_v1";
    INCIDENT = 26, "Incident";
    HEARTBEAT = 27, "Heartbeat";
    IGNORABLE = 28, "Ignorable";
    ROWS_QUERY = 29, "Rows_query";
    WRITE_ROWS_V2 = 30, "Write_rows";
    UPDATE_ROWS_V2 = 31, "Update_rows";
    DELETE_ROWS_V2 = 32, "Delete_rows";
    MYSQL_GTID = 33, "Gtid";
    ANONYMOUS_GTID = 34, "Anonymous_Gtid";
    PREVIOUS_GTIDS = 35, "Previous_gtids";
    TRANSACTION_CONTEXT = 36, "Transaction_context";
    VIEW_CHANGE = 37, "View_change";
    XA_PREPARE = 38, "XA_prepare";
    PARTIAL_UPDATE_ROWS = 39, "Update_rows_partial";
    TRANSACTION_PAYLOAD = 40, "Transaction_payload";
    HEARTBEAT_V2 = 41, "Heartbeat_v2";
    GTID_TAGGED = 42, "Gtid_tagged";
    ANNOTATE_ROWS = 160, "Annotate_rows";
    BINLOG_CHECKPOINT = 161, "Binlog_checkpoint";
    GTID = 162, "Gtid";
    GTID_LIST = 163, "Gtid_list";
    START_ENCRYPTION = 164, "Start_encryption";
    QUERY_COMPRESSED = 165, "Query_compressed";
}

impl fmt::Debug for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.name(), self.0)
    }
}
