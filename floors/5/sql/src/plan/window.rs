//! Window functions in a plan: passes over the block's rows, each sorted one way.

use super::{AggregateCall, SelectPlan, SortKey};
use crate::expr::build::FREE_DECIMALS;
use crate::expr::{CompareOp, Expr, Kind, Slot, Type};
use crate::session::State;
use types::Value;
use types::convert::of_digits;

/// All window functions of a SELECT block.
#[derive(Debug)]
pub struct Windows {
    /// Passes in the order they are run; the rows leave in the order of the last one.
    pub passes: Vec<WindowPass>,
    /// Slots of the block's frame that somebody reads behind grouping: a row is kept as their values.
    pub slots: Vec<u32>,
    /// Of the one function, a rank, only results of at most this are asked for: the other rows need not come.
    pub most: Option<Expr>,
}

impl Windows {
    /// Whether rows of different values of a column are in different partitions, whatever the function.
    pub fn part_by(&self, slot: Slot) -> bool {
        self.passes.iter().all(|pass| {
            pass.calls.iter().all(|call| pass.keys[..call.partition].iter().any(|key| key.is_column(slot)))
        })
    }

    /// The one function, where there is no other and it tells a row's rank.
    pub fn only_rank(&self) -> Option<(&WindowPass, &WindowCall)> {
        let [pass] = &self.passes[..] else { return None };
        let [call] = &pass.calls[..] else { return None };
        call.function.is_rank().then_some((pass, call))
    }

    /// Takes note of a condition on the rows' results, the columns in it told as slots of the block, where it asks for the
    /// first ranks.
    pub fn ask_for_first(&mut self, condition: &Expr, level: u32) {
        let Some((_, call)) = self.only_rank() else { return };
        let is_rank = |e: &Expr| matches!(e.kind, Kind::Column(Slot { level: l, index }) if (l, index) == (level, call.slot));
        let most = match &condition.kind {
            Kind::Compare(op, _, left, right) => match op {
                CompareOp::Lt | CompareOp::Le | CompareOp::Eq if is_rank(left) => right,
                CompareOp::Gt | CompareOp::Ge | CompareOp::Eq if is_rank(right) => left,
                _ => return,
            },
            Kind::Between { operands, negated: false, .. } if is_rank(&operands[0]) => &operands[2],
            _ => return,
        };
        if matches!(most.kind, Kind::Const(_) | Kind::Param(_)) {
            self.most.get_or_insert_with(|| most.clone());
        }
    }

    /// Gives doubles of a select list's row that are computed the digits of the columns that MariaDB puts them into; what is
    /// made of groups it is made of later.
    pub fn round(&self, plan: &SelectPlan, row: &mut [Value], state: &State) {
        for (value, item) in row.iter_mut().zip(&plan.items) {
            let aside = plan.group.is_none() && is_computed(item);
            match value {
                Value::Double(n)
                    if item.ty.decimals < FREE_DECIMALS && (aside || self.makes(item, plan.level)) =>
                {
                    *n = of_digits(*n, item.ty.decimals);
                }
                Value::Int(_) | Value::Decimal(_) | Value::Date(_) | Value::DateTime(..) | Value::Str(_)
                    if aside && !self.makes(item, plan.level) =>
                {
                    *value = item.laid_aside(std::mem::take(value), state);
                }
                _ => {}
            }
        }
    }

    /// Whether something is made of the functions.
    fn makes(&self, e: &Expr, level: u32) -> bool {
        let mut made = false;
        e.visit(&mut |e| {
            if let Kind::Column(slot) = e.kind
                && slot.level == level
            {
                let mut calls = self.passes.iter().flat_map(|pass| &pass.calls);
                made |= calls.any(|call| call.slot == slot.index);
            }
        });
        made
    }
}

fn is_computed(e: &Expr) -> bool {
    !matches!(e.kind, Kind::Column(_)) && !e.is_const()
}

/// Window functions whose windows are all in reach of one sort.
#[derive(Debug)]
pub struct WindowPass {
    /// What the rows are sorted by; each call's partition and order are its leading keys.
    pub keys: Vec<SortKey>,
    /// The functions.
    pub calls: Vec<WindowCall>,
}

/// A window function's call.
#[derive(Debug)]
pub struct WindowCall {
    /// Which.
    pub function: WindowFunction,
    /// Arguments.
    pub args: Vec<Expr>,
    /// How many leading keys of the pass part the rows.
    pub partition: usize,
    /// How many leading keys of the pass, those of the partition among them, order its rows.
    pub order: usize,
    /// Its frame.
    pub frame: WindowFrame,
    /// Type of the result.
    pub ty: Type,
    /// The slot of its result.
    pub slot: u32,
}

/// Window functions.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub enum WindowFunction {
    RowNumber,
    Rank,
    DenseRank,
    PercentRank,
    CumeDist,
    Ntile,
    Lag,
    Lead,
    FirstValue,
    LastValue,
    NthValue,
    /// The fraction, then the value that the rows are ordered by.
    PercentileCont,
    /// As [`WindowFunction::PercentileCont`].
    PercentileDisc,
    /// An aggregate over the frame.
    Aggregate(Box<AggregateCall>),
}

impl WindowFunction {
    /// Whether it follows from the row before, and never falls within a partition.
    pub fn is_rank(&self) -> bool {
        matches!(self, Self::RowNumber | Self::Rank | Self::DenseRank)
    }
}

/// The rows around the current one that a function sees.
#[derive(Debug, Clone)]
pub struct WindowFrame {
    /// Bounds count rows rather than distances of the sort key.
    pub rows: bool,
    /// Where it starts.
    pub start: FrameEnd,
    /// Where it ends.
    pub end: FrameEnd,
}

/// One end of a frame.
#[derive(Debug, Clone)]
pub enum FrameEnd {
    /// The partition's end on that side.
    Unbounded,
    /// The current row; with RANGE all its peers.
    Current,
    /// So far before the current row.
    Preceding(Expr),
    /// So far behind it.
    Following(Expr),
}

impl WindowFrame {
    /// The frame where none is given: up to the current row's peers if the rows are ordered, else the whole partition.
    pub fn default_of(ordered: bool) -> Self {
        let end = if ordered { FrameEnd::Current } else { FrameEnd::Unbounded };
        Self { rows: false, start: FrameEnd::Unbounded, end }
    }
}
