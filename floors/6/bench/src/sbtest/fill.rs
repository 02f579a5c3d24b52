//! Making the tables.

use super::Tables;
use super::load::Filler;
use crate::BenchError;
use crate::Random;
use crate::drive::Load;
use crate::outcome::ServerOutcome;
use crate::target::{Target, run};
use crate::watch::{Crew, Watcher, Wish};
use protocol::request::{begin_query, end, put_decimal};
use runtime::net::Stream;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Rows of one INSERT: about 40 KiB.
const CHUNK: u64 = 200;

/// Fills the tables, chunk by chunk as connections come for them.
struct Fill {
    tables: Tables,
    /// The next chunk, counted through all tables.
    next: Arc<AtomicU64>,
    random: Random,
    filler: Filler,
}

impl Load for Fill {
    fn next(&mut self, out: &mut Vec<u8>) -> bool {
        let a_table = self.tables.rows.div_ceil(CHUNK);
        // Relaxed: only uniqueness counts.
        let chunk = self.next.fetch_add(1, Ordering::Relaxed);
        if chunk >= a_table * self.tables.tables {
            return false;
        }
        let (table, first) = (chunk / a_table + 1, chunk % a_table * CHUNK + 1);
        let at = begin_query(out);
        out.extend_from_slice(b"INSERT INTO sbtest");
        put_decimal(out, table);
        out.extend_from_slice(b" (id, k, c, pad) VALUES ");
        for id in first..=(first + CHUNK - 1).min(self.tables.rows) {
            if id > first {
                out.push(b',');
            }
            self.filler.refill(&mut self.random);
            out.push(b'(');
            put_decimal(out, id);
            out.push(b',');
            put_decimal(out, self.random.below(self.tables.rows) + 1);
            out.extend_from_slice(b",'");
            out.extend_from_slice(&self.filler.c);
            out.extend_from_slice(b"','");
            out.extend_from_slice(&self.filler.pad);
            out.extend_from_slice(b"')");
        }
        end(out, at);
        true
    }
}

/// Makes and fills the tables, then their indexes, as sysbench does.
pub fn prepare(target: &Target, wish: &Wish, tables: &Tables) -> Result<ServerOutcome, BenchError> {
    let mut client = target.connect(None)?;
    run(&mut client, &format!("CREATE DATABASE IF NOT EXISTS `{}`", tables.database))?;
    run(&mut client, &format!("USE `{}`", tables.database))?;
    for table in 1..=tables.tables {
        run(&mut client, &format!("DROP TABLE IF EXISTS sbtest{table}"))?;
        run(
            &mut client,
            &format!(
                "CREATE TABLE sbtest{table} (id INTEGER NOT NULL AUTO_INCREMENT, k INTEGER DEFAULT '0' NOT NULL, \
                 c CHAR(120) DEFAULT '' NOT NULL, pad CHAR(60) DEFAULT '' NOT NULL, PRIMARY KEY (id)) \
                 ENGINE=InnoDB"
            ),
        )?;
    }
    let crew = Crew::start(wish)?;
    let mut watcher = Watcher::of(target, wish)?;
    let next = Arc::new(AtomicU64::new(0));
    let connect = |number: usize| -> Result<(Stream, Fill), BenchError> {
        let client = target.connect(Some(&tables.database))?;
        let random = Random::new(!(number as u64));
        let load = Fill { tables: tables.clone(), next: next.clone(), random, filler: Filler::new() };
        Ok((client.into_stream().into_stream(), load))
    };
    let loads = (0..wish.connections).map(connect).collect::<Result<Vec<_>, _>>()?;
    // One chunk at a time; what is wished for the mixes does not matter here.
    let wish = Wish { depth: 1, rate: None, ..wish.clone() };
    let total = tables.rows.div_ceil(CHUNK) * tables.tables;
    let phase = crew.run_whole("prepare", &mut watcher, loads, &wish, Some(total))?.0;
    for table in 1..=tables.tables {
        run(&mut client, &format!("CREATE INDEX k_{table} ON sbtest{table}(k)"))?;
    }
    Ok(ServerOutcome { name: target.place.to_string(), version: watcher.version(), phases: vec![phase] })
}
