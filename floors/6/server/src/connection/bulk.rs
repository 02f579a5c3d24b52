//! COM_STMT_BULK_EXECUTE: a prepared statement for many sets of parameters at once, as MariaDB's connectors send
//! batches.

use super::{Connection, End};
use crate::parameter::parameter_value;
use crate::status::Counter;
use crate::wire::{Wire, put_error};
use protocol::command::{BULK_SENDS_TYPES, BulkParameter, BulkSets};
use protocol::flags::capability as cap;
use sql::error::SqlError;
use sql::session::{Mark, ParameterSet};
use types::Value;

const FUNCTION: &str = "mysqld_stmt_bulk_execute";

impl Connection {
    pub(super) fn execute_bulk(&mut self, id: u32, flags: u16, sets: &[u8]) -> Result<(), End> {
        self.shared.status.add(Counter::StmtExecute, 1);
        let known = self.session.parameter_count(id).zip(self.statements.get_mut(&id));
        let Some((count, facts)) = known else {
            put_error(&SqlError::unknown_stmt_handler(id, FUNCTION), &mut self.channel.out);
            return Ok(());
        };
        facts.cursor = None;
        let announced = self.capabilities & cap::STMT_BULK != 0;
        if !announced || flags & !BULK_SENDS_TYPES != 0 || count == 0 {
            put_error(&SqlError::unsupported_in_prepared(), &mut self.channel.out);
            return Ok(());
        }
        let wrong = || SqlError::wrong_arguments(FUNCTION);
        let Ok(mut sets) = BulkSets::new(sets, flags, count, &mut facts.types) else {
            put_error(&wrong(), &mut self.channel.out);
            return Ok(());
        };
        let vars = &self.session.state.vars;
        let (client, connection) = (vars.character_set_client, vars.collation_connection);
        let mut read = Vec::with_capacity(count);
        let mut next = || -> Result<Option<ParameterSet>, SqlError> {
            if !sets.next(&mut read).map_err(|_| wrong())? {
                return Ok(None);
            }
            let mut set = ParameterSet::default();
            for (i, (parameter, ty)) in read.iter().zip(&facts.types).enumerate() {
                set.values.push(match parameter {
                    BulkParameter::Value(value) => parameter_value(value, *ty, None, client, connection),
                    BulkParameter::Default | BulkParameter::Ignore => Value::Null,
                });
                match parameter {
                    BulkParameter::Value(_) => {}
                    BulkParameter::Default => set.marks.push((i as u32, Mark::Default)),
                    BulkParameter::Ignore => set.marks.push((i as u32, Mark::Ignore)),
                }
            }
            Ok(Some(set))
        };
        self.seat.begin("Execute", b"");
        let deprecate = self.capabilities & cap::DEPRECATE_EOF != 0;
        let channel = &mut self.channel;
        let mut wire = Wire::new(&channel.stream, &mut channel.out, &self.shared.status, deprecate, true);
        Ok(self.session.execute_bulk(id, &mut next, &mut wire)?)
    }
}
