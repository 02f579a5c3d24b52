//! Aggregate calls in a plan.

use super::SortKey;
use crate::expr::{Class, Expr, Type};
use crate::syntax::ast::AggregateKind;

/// An aggregate call.
#[derive(Debug, Clone)]
pub struct AggregateCall {
    /// Which.
    pub kind: AggregateKind,
    /// DISTINCT.
    pub distinct: bool,
    /// DISTINCT was said of it, but no two rows of a group are equal.
    pub forgets_distinct: bool,
    /// Rows of a group with the same arguments come one behind the other: DISTINCT looks at the last ones alone.
    pub alike_together: bool,
    /// Arguments.
    pub args: Vec<Expr>,
    /// ORDER BY of GROUP_CONCAT.
    pub order_by: Vec<SortKey>,
    /// SEPARATOR of GROUP_CONCAT.
    pub separator: Vec<u8>,
    /// LIMIT and OFFSET of GROUP_CONCAT.
    pub limit: Option<(u64, u64)>,
    /// Type of the result.
    pub ty: Type,
    /// The slot of its result.
    pub slot: u32,
    /// It is one of many groups: MariaDB reckons in the rows of a table then.
    pub of_group: bool,
    /// Its group is whole when it is put aside in a table.
    pub put_aside: bool,
    /// The rows are put aside in a table before they are sorted for their groups.
    pub rows_aside: bool,
    /// Labels are compared by number: an index tells which is the least or greatest.
    pub by_number: bool,
}

impl AggregateCall {
    /// A call over arguments that gives a type; all else is as where nothing is said of it.
    pub fn of(kind: AggregateKind, args: Vec<Expr>, ty: Type) -> AggregateCall {
        AggregateCall {
            kind,
            distinct: false,
            forgets_distinct: false,
            alike_together: false,
            args,
            order_by: Vec::new(),
            separator: Vec::new(),
            limit: None,
            ty,
            slot: 0,
            of_group: false,
            put_aside: false,
            rows_aside: false,
            by_number: false,
        }
    }

    /// Whether it counts rows whatever its argument, which is never NULL and the same in all: that is not looked at.
    pub fn counts_rows(&self) -> bool {
        let sure = |e: &Expr| !e.ty.nullable && e.is_fixed();
        self.kind == AggregateKind::Count && !self.distinct && self.args.iter().all(sure)
    }

    /// The slot of what it is to who reckons with doubles: a mean of exact numbers is the sum, divided by the count, and bits
    /// are a number with a sign.
    pub fn real_slot(&self) -> Option<u32> {
        let mean = self.kind == AggregateKind::Avg && self.ty.class() == Class::Decimal;
        (mean || self.kind.is_of_bits()).then_some(self.slot + 1)
    }

    /// The slots that it fills.
    pub fn slots(&self) -> impl Iterator<Item = u32> {
        std::iter::once(self.slot).chain(self.real_slot())
    }

    /// Whether a double that it gives is put aside in a column of fixed digits: those of sums have as many as they need.
    pub fn fixes_digits(&self) -> bool {
        let extreme = matches!(self.kind, AggregateKind::Min | AggregateKind::Max);
        let mean = self.kind == AggregateKind::Avg && !self.of_group;
        let aside = extreme && self.of_group || (extreme || mean) && self.put_aside;
        aside && self.ty.decimals < 31
    }

    /// Whether it reckons with its arguments as numbers.
    pub fn reckons(&self) -> bool {
        use AggregateKind::{Avg, StddevPop, StddevSamp, Sum, VarPop, VarSamp};
        self.kind.is_of_bits() || matches!(self.kind, Sum | Avg | StddevPop | StddevSamp | VarPop | VarSamp)
    }

    /// Whether its rows wait until they are in order, or known to be distinct.
    pub fn waits(&self) -> bool {
        self.distinct || !self.order_by.is_empty()
    }

    /// Whether its result lists its rows' values one by one.
    pub fn lists(&self) -> bool {
        use AggregateKind::{GroupConcat, JsonArrayAgg, JsonObjectAgg};
        matches!(self.kind, GroupConcat | JsonArrayAgg | JsonObjectAgg)
    }
}
