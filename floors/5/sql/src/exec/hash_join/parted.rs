//! Hash joins without room: both sides go to files by their keys' hash and are joined part by part.

use super::{Building, Built, Table, built, key_of};
use crate::error::SqlError;
use crate::exec::filed::Filing;
use crate::exec::memory::Operator;
use crate::exec::spill::RowFile;
use crate::exec::{Cx, Flow, Materialized, Next};
use crate::plan::HashJoin;
use std::hash::Hasher;
use types::Value;

/// Files that both sides are parted into.
const PARTS: usize = 32;

/// Both sides of a join in files, parted by their keys.
pub struct Parted {
    build: Vec<RowFile>,
    /// Whole frames of the rows around.
    probe: Vec<RowFile>,
}

impl Parted {
    /// Empty files.
    pub(super) fn new(cx: &mut Cx<'_>) -> Result<Box<Parted>, SqlError> {
        let files = |cx: &mut Cx<'_>| (0..PARTS).map(|_| RowFile::new(cx)).collect::<Result<Vec<_>, _>>();
        Ok(Box::new(Parted { build: files(cx)?, probe: files(cx)? }))
    }

    /// One more row to be kept.
    pub(super) fn push(&mut self, key: &[u8], row: &[Value]) -> Result<(), SqlError> {
        self.build[part_of(key)].push(key, row).map(drop)
    }
}

fn part_of(key: &[u8]) -> usize {
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(key);
    hasher.finish() as usize % PARTS
}

/// Runs what gives the rows around, and `each` for every one of them. Where the rows kept have no room, the rows
/// around wait in files too, and both are joined part by part in the end.
pub fn in_turns(
    hash: &HashJoin,
    level: u32,
    cx: &mut Cx<'_>,
    around: &mut dyn FnMut(&mut Cx<'_>, Next<'_>) -> Result<Flow, SqlError>,
    each: Next<'_>,
) -> Result<Flow, SqlError> {
    let flow = around(cx, &mut |cx| match waits(hash, level, cx)? {
        true => Ok(Flow::Continue),
        false => each(cx),
    })?;
    let parted = match cx.materialized.get_mut(hash.number).map(Option::take) {
        Some(Some(Materialized::Parted(parted))) if flow == Flow::Continue => parted,
        Some(other) => {
            cx.materialized[hash.number] = other;
            return Ok(flow);
        }
        None => return Ok(flow),
    };
    let Parted { build, probe } = *parted;
    let (mut key, mut row) = (Vec::new(), Vec::new());
    for (build, probe) in build.into_iter().zip(probe) {
        // A part without room is that of few keys with many rows.
        let fits = build.bytes() <= cx.work_memory(Operator::Join) as u64;
        let mut building = match fits {
            true => Building::Held(Table::new(hash.slots.len())),
            false => Building::Filed(Filing::new(cx)?),
        };
        let mut rows = build.read()?;
        while rows.next(&mut key, &mut row)? {
            cx.check_interrupt()?;
            building.push(&key, std::mem::take(&mut row), cx)?;
        }
        let bytes = match building.finish(hash, cx)? {
            Built::Held(table) => table.bytes,
            Built::Filed(filed) => filed.bytes(),
            Built::Rows(_) | Built::Parted => 0,
        };
        let mut rows = probe.read()?;
        while rows.next(&mut key, &mut row)? {
            cx.check_interrupt()?;
            std::mem::swap(cx.frame_mut(level, 0), &mut row);
            if each(cx)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        cx.release(bytes);
    }
    cx.forget(hash.number);
    Ok(Flow::Continue)
}

/// Whether the row in the frame has to wait until its part of the rows kept is in memory; it does then.
fn waits(hash: &HashJoin, level: u32, cx: &mut Cx<'_>) -> Result<bool, SqlError> {
    if !matches!(built(hash, level, cx)?, Built::Parted) {
        return Ok(false);
    }
    let mut key = cx.take_key();
    let waits = key_of(&hash.probe, &hash.how, cx, &mut key)?;
    if waits {
        let frame = std::mem::take(cx.frame_mut(level, 0));
        let pushed = match cx.materialized.get_mut(hash.number) {
            Some(Some(Materialized::Parted(parted))) => {
                parted.probe[part_of(&key)].push(&[], &frame).map(drop)
            }
            _ => Err(SqlError::internal_error("part a join")),
        };
        *cx.frame_mut(level, 0) = frame;
        pushed?;
    }
    cx.give_key(key);
    Ok(waits)
}
