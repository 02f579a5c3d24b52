//! Binding window functions.
//!
//! A call is bound where it stands: its arguments, its type, the slot of its result. Its window waits until the select
//! list has its names ([`Binder::windows`]), for PARTITION BY and ORDER BY of a window see them. Windows are then put
//! into passes: one sort serves all windows whose keys are leading keys of it.

use super::scope::{Allowed, PendingWindow};
use super::{Binder, Clause, Scope};
use crate::error::SqlError;
use crate::expr::{Class, Expr, Kind, Named, Slot, Type, TypeKind, build};
use crate::plan::window::{FrameEnd, WindowCall, WindowFrame, WindowFunction, WindowPass, Windows};
use crate::plan::{AggregateCall, SortKey};
use crate::syntax::ast::{self, AggregateKind, ExprKind, FrameBound, FrameExclude, Over, WindowSpec};
use types::table::same_name;

/// A window with what it takes over from the one it names.
#[derive(Clone, Default)]
struct Window {
    partition: Vec<SortKey>,
    order: Vec<SortKey>,
    frame: Option<WindowFrame>,
}

/// A function over a window, bound as far as its place in the text allows.
struct Bound {
    name: String,
    function: WindowFunction,
    args: Vec<Expr>,
    ty: Type,
    /// A fault that is told when its window is bound.
    fault: Option<SqlError>,
}

/// A window of the WINDOW clause.
struct NamedWindow<'s> {
    name: &'s str,
    /// It has ORDER BY of its own.
    ordered: bool,
    window: Window,
}

impl Binder<'_> {
    /// Binds `function OVER window` as far as its place in the text allows.
    pub(super) fn window_function(
        &mut self,
        function: &ast::Expr,
        over: &Over,
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Result<Expr, SqlError> {
        let place = scope.allowed.get();
        match place {
            Allowed::Windows => {}
            Allowed::Nothing | Allowed::Aggregates => {
                return Err(SqlError::wrong_placement_of_window_function());
            }
            Allowed::InGroupFunction { .. } | Allowed::InWindowFunction => {
                return Err(SqlError::window_function_in_group_function());
            }
        }
        check_frame(function, over)?;
        scope.allowed.set(Allowed::InWindowFunction);
        let bound = self.window_call(function, scope, clause);
        scope.allowed.set(place);
        let Bound { name, function, args, mut ty, fault } = bound?;
        if args.iter().any(|e| e.ty.labels.is_some()) {
            // Labels are texts from here on, whatever they are the least of.
            ty.origin = Named::Extreme(None, None, None);
            if ty.kind == TypeKind::VarChar {
                ty.labels = None;
            }
        } else if ty.length == 0 || ty.kind == TypeKind::Char {
            // The least of nothing is a text here, not the NULL that UNION takes it for; that of CHAR no such column.
            ty.origin = Named::default();
        } else if let Named::Extreme(Some(of), ..) = &mut ty.origin {
            *of = of.behind_view();
        }
        let slot = scope.reserve(1);
        let mean = matches!(&function, WindowFunction::Aggregate(call) if call.kind == AggregateKind::Avg);
        let pending = PendingWindow { name, function, args, over: over.clone(), ty: ty.clone(), slot, fault };
        scope.windows.borrow_mut().push(pending);
        let expr = Expr { kind: Kind::Column(Slot { level: scope.level, index: slot }), ty };
        // Of the rest, rows are put aside with the digits that columns have.
        Ok(if mean { build::with_all_digits(expr, AggregateKind::Avg, &[]) } else { expr })
    }

    fn window_call(
        &mut self,
        function: &ast::Expr,
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Result<Bound, SqlError> {
        match &function.kind {
            ExprKind::Aggregate(call) => {
                if let Some(what) = not_over_windows(call) {
                    return Err(SqlError::not_supported_yet(format!("{what} aggregate as window function")));
                }
                let args = self.scalars(&call.args, scope, clause)?;
                let ty = build::aggregate_type(call.kind, call.distinct, &args, self.state)?;
                let aggregate = AggregateCall::of(call.kind, args.clone(), ty.clone());
                let function = WindowFunction::Aggregate(Box::new(aggregate));
                Ok(Bound { name: String::new(), function, args, ty, fault: None })
            }
            ExprKind::Function(call) => {
                let (args, fault) = match call.name.as_str() {
                    "median" | "percentile_cont" | "percentile_disc" => {
                        self.percentile_arguments(call, scope, clause)?
                    }
                    _ => (self.scalars(&call.args, scope, clause)?, None),
                };
                let (function, ty) = plain_function(&call.name, &args)?;
                Ok(Bound { name: call.name.clone(), function, args, ty, fault })
            }
            _ => Err(SqlError::internal_error("bind window function")),
        }
    }

    /// A percentile's fraction and what it is taken of: that is the order of its window, whose fault is told as such behind
    /// those of all else.
    fn percentile_arguments(
        &mut self,
        call: &ast::FunctionCall,
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Result<(Vec<Expr>, Option<SqlError>), SqlError> {
        let (fraction, of) = match &call.args[..] {
            [of] => (build::constant(types::Value::Decimal(types::Decimal::parse(b"0.5").value)), of),
            [fraction, of] => (self.scalar(fraction, scope, clause)?, of),
            _ => return Err(SqlError::internal_error("bind percentile")),
        };
        if matches!(fraction.ty.class(), Class::Str | Class::Temporal) {
            return Err(SqlError::percentile_argument_type(&call.name));
        }
        let of = self.scalar(of, scope, Clause::OrderBy).and_then(|of| {
            match call.name != "percentile_disc" && of.ty.class() == Class::Str {
                true => Err(SqlError::percentile_needs_number("percentile_cont")),
                false => Ok(of),
            }
        });
        Ok(match of {
            Ok(of) => (vec![fraction, of], None),
            Err(fault) => (vec![fraction, build::constant(types::Value::Int(0))], Some(fault)),
        })
    }

    /// Binds the windows of all calls found in a block, once its select list has names.
    pub(super) fn windows(
        &mut self,
        select: &ast::Select,
        scope: &Scope<'_>,
        items: &[&Expr],
        order_by: &[SortKey],
    ) -> Result<Option<Windows>, SqlError> {
        let pending = scope.windows.borrow().clone();
        let place = scope.allowed.replace(Allowed::Aggregates);
        let mut named: Vec<NamedWindow<'_>> = Vec::with_capacity(select.windows.len());
        for (name, spec) in &select.windows {
            if named.iter().any(|n| same_name(n.name, name)) {
                return Err(SqlError::dup_window_name(name));
            }
            let window = self.window(spec, &named, scope, &pending)?;
            named.push(NamedWindow { name, ordered: !spec.order_by.is_empty(), window });
        }
        let mut passes = Passes::new(items, scope.level, &pending);
        order_by.iter().for_each(|key| passes.place(&key.expr));
        for call in &pending {
            let of_name = match &call.over {
                Over::Named(name) => {
                    let found = named.iter().find(|n| same_name(n.name, name));
                    Some(found.ok_or_else(|| SqlError::wrong_window_name(name))?)
                }
                Over::Spec(_) => None,
            };
            let ordered = match &call.over {
                Over::Named(_) => of_name.is_some_and(|n| n.ordered),
                Over::Spec(spec) => !spec.order_by.is_empty(),
            };
            if !ordered && needs_order(&call.function) {
                return Err(SqlError::no_order_list_in_window(&call.name));
            }
            let window = match (&call.over, of_name) {
                (Over::Spec(spec), _) => self.window(spec, &named, scope, &pending)?,
                (Over::Named(_), named) => named.map(|n| n.window.clone()).unwrap_or_default(),
            };
            if let Some(fault) = &call.fault {
                return Err(fault.clone());
            }
            passes.add(call, window)?;
        }
        scope.allowed.set(place);
        Ok((!pending.is_empty()).then(|| passes.finish(&pending, scope)))
    }

    fn window(
        &mut self,
        spec: &WindowSpec,
        named: &[NamedWindow<'_>],
        scope: &Scope<'_>,
        pending: &[PendingWindow],
    ) -> Result<Window, SqlError> {
        let base = match &spec.base {
            None => None,
            Some(name) => {
                let found = named.iter().find(|n| same_name(n.name, name));
                let found = found.ok_or_else(|| SqlError::wrong_window_name(name))?;
                if !spec.partition_by.is_empty() {
                    return Err(SqlError::partition_list_in_referencing_window(name));
                }
                if !spec.order_by.is_empty() && !found.window.order.is_empty() {
                    return Err(SqlError::order_list_in_referenced_window(name));
                }
                if found.window.frame.is_some() {
                    return Err(SqlError::frame_in_referenced_window(name));
                }
                Some(found.window.clone())
            }
        };
        let mut keys = |list: &[ast::OrderItem], clause| {
            list.iter()
                .map(|item| self.window_key(item, scope, clause, pending))
                .collect::<Result<Vec<_>, _>>()
        };
        let mut partition = keys(&spec.partition_by, Clause::GroupBy)?;
        let mut order = keys(&spec.order_by, Clause::OrderBy)?;
        if let Some(base) = base {
            partition = base.partition;
            order = if order.is_empty() { base.order } else { order };
        }
        let frame = spec.frame.as_ref().map(|frame| self.frame(frame, &order, scope)).transpose()?;
        Ok(Window { partition, order, frame })
    }

    fn window_key(
        &mut self,
        item: &ast::OrderItem,
        scope: &Scope<'_>,
        clause: Clause,
        pending: &[PendingWindow],
    ) -> Result<SortKey, SqlError> {
        let expr = self.listed(&item.expr, scope, clause)?;
        if reads_window(&expr, scope.level, pending) {
            return Err(SqlError::window_function_in_window_spec());
        }
        Ok(SortKey::new(expr, item.desc))
    }

    fn frame(
        &mut self,
        frame: &ast::Frame,
        order: &[SortKey],
        scope: &Scope<'_>,
    ) -> Result<WindowFrame, SqlError> {
        let end = frame.end.as_ref().unwrap_or(&FrameBound::CurrentRow);
        // A start behind the end, both in rows before or behind, is an empty frame and no error.
        let unacceptable = matches!(
            (&frame.start, end),
            (FrameBound::UnboundedFollowing, _)
                | (_, FrameBound::UnboundedPreceding)
                | (FrameBound::CurrentRow, FrameBound::Preceding(_))
                | (FrameBound::Following(_), FrameBound::CurrentRow)
        );
        if unacceptable {
            return Err(SqlError::bad_frame_bounds());
        }
        if frame.exclude != FrameExclude::NoOthers {
            return Err(SqlError::frame_exclusion_not_supported());
        }
        let mut bound = |bound: &FrameBound| -> Result<FrameEnd, SqlError> {
            let (e, following) = match bound {
                FrameBound::UnboundedPreceding | FrameBound::UnboundedFollowing => {
                    return Ok(FrameEnd::Unbounded);
                }
                FrameBound::CurrentRow => return Ok(FrameEnd::Current),
                FrameBound::Preceding(e) => (e, false),
                FrameBound::Following(e) => (e, true),
            };
            let distance = self.scalar(e, scope, Clause::Select)?;
            self.check_distance(&distance, frame.rows, order)?;
            Ok(if following { FrameEnd::Following(distance) } else { FrameEnd::Preceding(distance) })
        };
        Ok(WindowFrame { rows: frame.rows, start: bound(&frame.start)?, end: bound(end)? })
    }

    /// ROWS counts by integers; RANGE adds numbers to the one sort key.
    fn check_distance(&self, distance: &Expr, rows: bool, order: &[SortKey]) -> Result<(), SqlError> {
        let integer = distance.ty.class() == Class::Int;
        if rows {
            return if integer { Ok(()) } else { Err(SqlError::wrong_type_for_rows_frame()) };
        }
        let [key] = order else { return Err(SqlError::range_frame_needs_simple_order()) };
        let number = |ty: &Type| matches!(ty.class(), Class::Int | Class::Decimal | Class::Real);
        match number(&distance.ty) && number(&key.expr.ty) {
            true => Ok(()),
            false => Err(SqlError::wrong_type_for_range_frame()),
        }
    }
}

/// Whether an expression reads the result of a window function.
pub(super) fn reads_window(e: &Expr, level: u32, pending: &[PendingWindow]) -> bool {
    let mut found = false;
    e.visit(&mut |e| {
        if let Kind::Column(slot) = e.kind
            && slot.level == level
        {
            found |= pending.iter().any(|call| call.slot == slot.index);
        }
    });
    found
}

/// Aggregates that windows do not have, as error 1235 names them.
fn not_over_windows(call: &ast::Aggregate) -> Option<&'static str> {
    Some(match (call.kind, call.distinct) {
        (AggregateKind::GroupConcat, _) => "GROUP_CONCAT()",
        (AggregateKind::JsonArrayAgg, _) => "JSON_ARRAYAGG()",
        (AggregateKind::JsonObjectAgg, _) => "JSON_OBJECTAGG()",
        (AggregateKind::Count, true) => "COUNT(DISTINCT)",
        (AggregateKind::Sum, true) => "SUM(DISTINCT)",
        (AggregateKind::Avg, true) => "AVG(DISTINCT)",
        _ => return None,
    })
}

/// The function of a lower-case name over bound arguments, and its type.
fn plain_function(name: &str, args: &[Expr]) -> Result<(WindowFunction, Type), SqlError> {
    let counter = || Type { kind: TypeKind::LongLong, length: 21, ..build::boolean(false) };
    let double =
        |length, nullable| Type { kind: TypeKind::Double, length, decimals: 10, ..build::boolean(nullable) };
    // As MIN and MAX: a value that some row has, or NULL.
    let value = |at: usize| build::extreme_type(&args[at]);
    Ok(match name {
        "row_number" => (WindowFunction::RowNumber, counter()),
        "rank" => (WindowFunction::Rank, counter()),
        "dense_rank" => (WindowFunction::DenseRank, counter()),
        "ntile" => (WindowFunction::Ntile, counter()),
        "percent_rank" => (WindowFunction::PercentRank, double(17, true)),
        "cume_dist" => (WindowFunction::CumeDist, double(17, true)),
        "lag" => (WindowFunction::Lag, value(0)),
        "lead" => (WindowFunction::Lead, value(0)),
        "first_value" => (WindowFunction::FirstValue, value(0)),
        "last_value" => (WindowFunction::LastValue, value(0)),
        "nth_value" => (WindowFunction::NthValue, value(0)),
        "percentile_cont" | "median" => {
            let length = 15 + if name == "median" { 3 } else { literal_length(&args[0].ty) };
            (WindowFunction::PercentileCont, double(length, true))
        }
        "percentile_disc" => {
            // One of the values as they are.
            let own = args[1].ty.kind;
            let ty = value(1);
            let text = ty.class() == Class::Str && !matches!(own, TypeKind::Null | TypeKind::Geometry(_));
            (WindowFunction::PercentileDisc, if text { ty } else { Type { kind: own, ..ty } })
        }
        _ => return Err(SqlError::internal_error("bind window function of unknown name")),
    })
}

/// The length of a number's text as MariaDB reckons it for the percentiles.
fn literal_length(ty: &Type) -> u32 {
    match ty.class() {
        Class::Int => ty.length + 1,
        _ => ty.length - u32::from(ty.class() == Class::Decimal),
    }
}

/// Functions that mean nothing without an order, which the window must have of its own: one taken over does not count.
fn needs_order(function: &WindowFunction) -> bool {
    matches!(
        function,
        WindowFunction::Rank
            | WindowFunction::DenseRank
            | WindowFunction::PercentRank
            | WindowFunction::CumeDist
            | WindowFunction::Lag
            | WindowFunction::Lead
    )
}

/// Error 4017 for a frame that is written behind a function which has none: told before anything in it is looked at.
fn check_frame(function: &ast::Expr, over: &Over) -> Result<(), SqlError> {
    const FRAMELESS: [&str; 6] = ["row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile"];
    match (&function.kind, over) {
        (ExprKind::Function(call), Over::Spec(spec))
            if spec.frame.is_some() && FRAMELESS.contains(&call.name.as_str()) =>
        {
            Err(SqlError::window_frame_not_allowed(&call.name))
        }
        _ => Ok(()),
    }
}

/// Functions that see the whole partition, or their place in it.
fn takes_no_frame(function: &WindowFunction) -> bool {
    let apart = matches!(function, WindowFunction::Lag | WindowFunction::Lead);
    needs_order(function) && !apart || matches!(function, WindowFunction::RowNumber | WindowFunction::Ntile)
}

/// Puts windows into passes.
struct Passes<'i> {
    items: &'i [&'i Expr],
    /// What is read of rows and is no member of the select list, in the order it came: what functions, and members with
    /// functions in them, are made of, then keys.
    hidden: Vec<Expr>,
    passes: Vec<WindowPass>,
}

impl<'i> Passes<'i> {
    fn new(items: &'i [&'i Expr], level: u32, pending: &[PendingWindow]) -> Self {
        let mut passes = Self { items, hidden: Vec::new(), passes: Vec::new() };
        for item in items.iter().filter(|item| reads_window(item, level, pending)) {
            item.visit_until(&mut |e| {
                let window = match e.kind {
                    Kind::Column(slot) if slot.level == level => {
                        pending.iter().find(|call| call.slot == slot.index)
                    }
                    _ => None,
                };
                if let Some(window) = window {
                    let args = match &window.function {
                        WindowFunction::Aggregate(call) => &call.args,
                        _ => &window.args,
                    };
                    args.iter().for_each(|arg| passes.hide(arg));
                }
                let enters = reads_window(e, level, pending);
                if !enters {
                    passes.hide(e);
                }
                enters
            });
        }
        passes
    }

    /// Gives a key a place, unless it is a member of the select list.
    fn place(&mut self, key: &Expr) {
        if !self.items.iter().any(|item| item.same(key)) {
            self.hide(key);
        }
    }

    /// Gives an expression a place among those that are no members of the select list, unless it has one.
    fn hide(&mut self, e: &Expr) {
        if !e.is_const() && !self.hidden.iter().any(|hidden| hidden.same(e)) {
            self.hidden.push(e.clone());
        }
    }

    fn add(&mut self, call: &PendingWindow, window: Window) -> Result<(), SqlError> {
        let mut window = window;
        if window.frame.is_some() && takes_no_frame(&call.function) {
            return Err(SqlError::window_frame_not_allowed(&call.name));
        }
        if matches!(call.function, WindowFunction::PercentileCont | WindowFunction::PercentileDisc)
            && let [key] = &mut window.order[..]
        {
            key.expr = call.args[1].clone();
        }
        let partition = window.partition.len();
        let frame = window.frame.unwrap_or_else(|| WindowFrame::default_of(!window.order.is_empty()));
        let keys: Vec<SortKey> = window.partition.into_iter().chain(window.order).collect();
        for key in &keys {
            self.place(&key.expr);
        }
        let call = WindowCall {
            function: call.function.clone(),
            args: call.args.clone(),
            partition,
            order: keys.len(),
            frame,
            ty: call.ty.clone(),
            slot: call.slot,
        };
        self.passes.push(WindowPass { keys, calls: vec![call] });
        Ok(())
    }

    /// The place of a key among the columns of the table that MariaDB would keep the rows in: its passes are sorted by
    /// that, and so is, in the end, a result without ORDER BY. Constants have none.
    fn rank(&self, key: &SortKey) -> (i64, bool) {
        let hidden = self.hidden.iter().position(|e| e.same(&key.expr)).map(|at| -1 - at as i64);
        let listed = self.items.iter().position(|item| item.same(&key.expr)).map(|at| at as i64);
        (listed.or(hidden).unwrap_or(0), key.desc)
    }

    fn finish(mut self, pending: &[PendingWindow], scope: &Scope<'_>) -> Windows {
        let mut sorted = std::mem::take(&mut self.passes);
        sorted.sort_by_cached_key(|pass| {
            let keys = pass.keys.iter().filter(|key| !key.expr.is_const());
            keys.map(|key| self.rank(key)).collect::<Vec<_>>()
        });
        let mut passes: Vec<WindowPass> = Vec::new();
        for mut pass in sorted {
            match passes.last_mut().filter(|last| is_prefix(&last.keys, &pass.keys)) {
                Some(last) => {
                    last.keys = pass.keys;
                    last.calls.append(&mut pass.calls);
                }
                None => passes.push(pass),
            }
        }
        let grouped = !scope.aggregates.borrow().is_empty();
        if let [only] = &mut passes[..]
            && only.keys.is_empty()
            && !grouped
        {
            only.keys.extend(self.usual_order(pending, scope));
        }
        let mut slots: Vec<u32> = (0..scope.width.get()).filter(|&slot| scope.is_used(slot)).collect();
        slots.extend(scope.aggregates.borrow().iter().flat_map(AggregateCall::slots));
        slots.extend(pending.iter().map(|call| call.slot));
        // What ORDER BY reads of a function is used already.
        let mut known = hashbrown::HashSet::new();
        slots.retain(|slot| known.insert(*slot));
        Windows { passes, slots, most: None }
    }

    /// What MariaDB sorts by where no window says: the first column of its table of rows.
    fn usual_order(&self, pending: &[PendingWindow], scope: &Scope<'_>) -> Option<SortKey> {
        let mut args = pending.iter().flat_map(|call| &call.args).filter(|e| !e.is_const());
        let expr = args.next_back().or(self.items.first().copied())?;
        let plain = !reads_window(expr, scope.level, pending);
        plain.then(|| SortKey::new(expr.clone(), false))
    }
}

fn is_prefix(short: &[SortKey], long: &[SortKey]) -> bool {
    short.len() <= long.len() && short.iter().zip(long).all(|(a, b)| a.desc == b.desc && a.expr.same(&b.expr))
}
