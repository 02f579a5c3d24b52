//! yesmark: how fast a server does nothing. `DO 0` from all connections, as text or prepared.

use crate::BenchError;
use crate::drive::Load;
use crate::outcome::{Phase, ServerOutcome};
use crate::target::Target;
use crate::watch::{Crew, Watcher, Wish};
use protocol::request::{Execute, put_query};
use protocol::scan::Answer;
use runtime::net::Stream;

const STATEMENT: &str = "DO 0";

/// The same command again and again.
struct Same {
    command: Vec<u8>,
}

impl Load for Same {
    #[inline]
    fn next(&mut self, out: &mut Vec<u8>) -> bool {
        out.extend_from_slice(&self.command);
        true
    }

    #[inline]
    fn answered(&mut self, answer: &Answer<'_>) -> Result<u64, String> {
        match answer {
            Answer::Ok(_) => Ok(1),
            other => Err(format!("{STATEMENT} was answered by {other:?}")),
        }
    }
}

/// Runs it against one server: as text, prepared, or both one after the other.
pub fn run(target: &Target, wish: &Wish, text: bool, prepared: bool) -> Result<ServerOutcome, BenchError> {
    let crew = Crew::start(wish)?;
    let mut watcher = Watcher::of(target, wish)?;
    let mut phases = Vec::new();
    for (name, prepare, wanted) in [("text", false, text), ("prepared", true, prepared)] {
        if wanted {
            phases.push(phase(name, target, &crew, &mut watcher, wish, prepare)?);
        }
    }
    Ok(ServerOutcome { name: target.place.to_string(), version: watcher.version(), phases })
}

fn phase(
    name: &str,
    target: &Target,
    crew: &Crew,
    watcher: &mut Watcher,
    wish: &Wish,
    prepare: bool,
) -> Result<Phase, BenchError> {
    let connect = |_| -> Result<(Stream, Same), BenchError> {
        let mut client = target.connect(None)?;
        let mut command = Vec::new();
        if prepare {
            let failed = |error| BenchError::Statement(STATEMENT.into(), error);
            let statement = client.prepare(STATEMENT).map_err(failed)?;
            Execute::new(statement.id, &[]).put(&mut command);
        } else {
            put_query(&mut command, STATEMENT);
        }
        Ok((client.into_stream().into_stream(), Same { command }))
    };
    let loads = (0..wish.connections).map(connect).collect::<Result<Vec<_>, _>>()?;
    Ok(crew.run_timed(name, watcher, loads, wish)?.0)
}
