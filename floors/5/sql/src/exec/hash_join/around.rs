//! A side of a join that runs once: the rows around it are kept as long as they are few.
//!
//! Then nothing of the side itself has to be kept: its rows are gone through once, and each finds the rows around with
//! an equal key, in the order in which these came. That is cheaper where the side is the larger one, and it is the order
//! in which MariaDB's join buffer gives rows; applications have come to see it. Rows around that found none come in the
//! end, as there. Once the rows around have no room they go on one by one, and the side's rows are kept.

use super::{Table, key_of, parted};
use crate::error::SqlError;
use crate::exec::join::Nulls;
use crate::exec::memory::Operator;
use crate::exec::{Cx, Flow, Next, join};
use crate::expr::Expr;
use crate::plan::{HashJoin, KeptAround};

/// Gives the rows around.
pub type Around<'k> = &'k mut dyn FnMut(&mut Cx<'_>, Next<'_>) -> Result<Flow, SqlError>;

/// A side of a join with what makes pairs of it.
pub struct Side<'p> {
    /// The side.
    pub hash: &'p HashJoin,
    /// Conditions on pairs.
    pub on: &'p [Expr],
    /// What becomes of a row around that makes no pair; it is dropped where nothing is told.
    pub nulls: Option<Nulls<'p>>,
    /// Frame level.
    pub level: u32,
}

impl Side<'_> {
    /// Calls `next` for each pair.
    pub fn run(&self, cx: &mut Cx<'_>, around: Around<'_>, next: Next<'_>) -> Result<Flow, SqlError> {
        let Some(KeptAround { slots, many }) = &self.hash.around else {
            return self.one_by_one(cx, around, next);
        };
        let room = if *many { cx.work_memory(Operator::Join) } else { cx.join_buffer() };
        let mut kept = Some(Kept { table: Table::new(slots.len()), slots, level: self.level });
        let mut keep_first = |cx: &mut Cx<'_>, each: Next<'_>| {
            around(cx, &mut |cx| {
                let Some(rows) = &mut kept else { return each(cx) };
                rows.push(self.hash, cx)?;
                if rows.table.bytes <= room {
                    return Ok(Flow::Continue);
                }
                let flow = rows.hand_on(cx, each)?;
                cx.release(rows.table.bytes);
                kept = None;
                Ok(flow)
            })
        };
        let flow = self.one_by_one(cx, &mut keep_first, next)?;
        let Some(rows) = kept.filter(|_| flow == Flow::Continue) else { return Ok(flow) };
        let flow = self.through(&rows, cx, next)?;
        cx.release(rows.table.bytes);
        Ok(flow)
    }

    /// Keeps the side's rows, and looks for each row around.
    fn one_by_one(&self, cx: &mut Cx<'_>, around: Around<'_>, next: Next<'_>) -> Result<Flow, SqlError> {
        let Self { hash, on, nulls, level } = *self;
        let mut each = |cx: &mut Cx<'_>| {
            join::pairs(cx, level, on, nulls, |cx, pair| super::run(hash, level, cx, pair), next)
        };
        match hash.spills() {
            true => parted::in_turns(hash, level, cx, around, &mut each),
            false => around(cx, &mut each),
        }
    }

    /// Goes through the side's rows, and looks for each among the rows around.
    fn through(&self, kept: &Kept<'_>, cx: &mut Cx<'_>, next: Next<'_>) -> Result<Flow, SqlError> {
        if kept.table.is_empty() {
            return Ok(Flow::Continue);
        }
        let Self { hash, on, nulls, level } = *self;
        let alone = nulls.is_some_and(|nulls| nulls.alone);
        let mut paired = vec![false; if nulls.is_some() { kept.table.len() } else { 0 }];
        let mut key = Vec::new();
        let flow = join::run(&hash.build, level, cx, &mut |cx| {
            if !key_of(&hash.keys, &hash.how, cx, &mut key)? {
                return Ok(Flow::Continue);
            }
            for row in kept.table.rows_of(&key) {
                if alone && paired[row as usize] {
                    continue;
                }
                kept.restore(row, cx)?;
                if !join::all(on, cx)? {
                    continue;
                }
                if let Some(paired) = paired.get_mut(row as usize) {
                    *paired = true;
                }
                if !alone && next(cx)? == Flow::Stop {
                    return Ok(Flow::Stop);
                }
            }
            Ok(Flow::Continue)
        })?;
        let Some(nulls) = nulls.filter(|_| flow == Flow::Continue) else { return Ok(flow) };
        for row in (0..).zip(paired).filter_map(|(row, paired)| (!paired).then_some(row)) {
            kept.restore(row, cx)?;
            join::set_null(nulls.slots, level, cx);
            if next(cx)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }
}

/// Rows around, by what they look for.
struct Kept<'p> {
    table: Table,
    slots: &'p [u32],
    level: u32,
}

impl Kept<'_> {
    /// Keeps the row in the frame.
    fn push(&mut self, hash: &HashJoin, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let mut key = cx.take_key();
        let keyed = key_of(&hash.probe, &hash.how, cx, &mut key)?;
        let frame = cx.frame_mut(self.level, 0);
        let values = self.slots.iter().map(|&slot| frame.get(slot as usize).cloned().unwrap_or_default());
        let bytes = match keyed {
            true => self.table.push(&key, values)?,
            false => self.table.push_unkeyed(&[], values)?.1,
        };
        cx.give_key(key);
        cx.charge(bytes)
    }

    /// Puts a row back into the frame.
    fn restore(&self, row: u32, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        cx.check_interrupt()?;
        let width = self.slots.last().map_or(0, |&slot| slot as usize + 1);
        let frame = cx.frame_mut(self.level, width);
        for (&slot, value) in self.slots.iter().zip(self.table.row(row)) {
            frame[slot as usize].clone_from(value);
        }
        Ok(())
    }

    /// Calls `each` for all rows; the one that came last is in the frame in the end, as it was.
    fn hand_on(&self, cx: &mut Cx<'_>, each: Next<'_>) -> Result<Flow, SqlError> {
        for row in 0..self.table.len() as u32 {
            self.restore(row, cx)?;
            if each(cx)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }
}
