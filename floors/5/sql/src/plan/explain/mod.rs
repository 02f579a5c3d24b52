//! EXPLAIN and ANALYZE: what the planner chose, and what came of it, in MariaDB's words.
//!
//! | module | what |
//! | --- | --- |
//! | `condition` | conditions as text |
//! | `render` | the table form and the JSON form |
//!
//! A plan becomes a tree of blocks with their tables; ANALYZE runs the plan with counters ([`Actuals`]) by table first.

mod condition;
mod render;

use super::presort::has_alike_together;
use super::{Access, Body, Group, Join, KeyRange, QueryPlan, SelectPlan, Source, SubqueryForm, TableAccess};
use crate::bind::insert::{InsertPlan, InsertRows};
use crate::expr::{Expr, Kind};
use std::collections::HashMap;
use std::sync::Arc;
use types::{ColumnDef, ColumnType};

pub use render::{Explained, columns, json, traditional};

/// What came of one table.
#[derive(Debug, Clone, Copy, Default)]
pub struct Actual {
    /// How often it was read.
    pub loops: u64,
    /// Rows looked at.
    pub rows: u64,
    /// Rows that its conditions kept.
    pub kept: u64,
}

/// Counters of a run, by the address of each table of the plan.
#[derive(Debug, Default)]
pub struct Actuals {
    by_table: HashMap<usize, Actual>,
    /// Temporary files written.
    pub spilled: u64,
}

impl Actuals {
    /// The counters of a table.
    pub fn of(&mut self, table: &TableAccess) -> &mut Actual {
        self.by_table.entry(std::ptr::from_ref(table) as usize).or_default()
    }

    fn get(&self, table: &TableAccess) -> Actual {
        self.by_table.get(&(std::ptr::from_ref(table) as usize)).copied().unwrap_or_default()
    }
}

/// A query block.
#[derive(Default)]
pub struct Block {
    id: u32,
    kind: &'static str,
    tables: Vec<TableNode>,
    /// Instead of tables.
    message: Option<&'static str>,
    temporary: bool,
    filesort: bool,
    inner: Vec<Query>,
}

/// A query: one block, or several that a set operation joins.
pub enum Query {
    /// One block.
    Block(Box<Block>),
    /// Blocks of a set operation.
    Union(Vec<Query>),
}

/// The kind of the block of an INSERT that has its rows from no table: nothing is read.
const INSERT: &str = "INSERT";

/// A table of a block.
#[derive(Default)]
pub struct TableNode {
    name: String,
    access: &'static str,
    possible: Vec<String>,
    key: Option<String>,
    key_len: Option<String>,
    key_parts: Vec<String>,
    refs: Vec<String>,
    rows: f64,
    kept: f64,
    extra: Vec<&'static str>,
    /// How several indexes find the rows together.
    merged: Option<String>,
    condition: String,
    hash: bool,
    actual: Option<Actual>,
}

/// Makes the tree of a plan.
pub struct Explainer<'a> {
    next_id: u32,
    actuals: Option<&'a Actuals>,
    /// The blocks of derived tables shown already, by their number among the statement's results.
    shown: HashMap<usize, u32>,
    /// The blocks under way.
    blocks: Vec<(u32, Vec<condition::Names>)>,
}

impl<'a> Explainer<'a> {
    /// For a plan that was run with counters, or none.
    pub fn new(actuals: Option<&'a Actuals>) -> Self {
        Self { next_id: 1, actuals, shown: HashMap::new(), blocks: Vec::new() }
    }

    fn id(&mut self) -> u32 {
        self.next_id += 1;
        self.next_id - 1
    }

    /// A whole query.
    pub fn query(&mut self, plan: &QueryPlan, kind: &'static str) -> Query {
        match &plan.body {
            Body::Select(select) => self.block(select, kind),
            Body::Recursive(recursion) => {
                let anchors = recursion.anchors.iter().map(|plan| (plan, kind));
                let members = recursion.members.iter().map(|plan| (plan, "RECURSIVE UNION"));
                Query::Union(anchors.chain(members).map(|(plan, kind)| self.query(plan, kind)).collect())
            }
            Body::SetOps { first, rest, .. } => {
                let first = (&**first, if kind == "SIMPLE" { "PRIMARY" } else { kind });
                let others = rest.iter().map(|(op, _, plan)| {
                    let kind = match op {
                        crate::syntax::ast::SetOperator::Union => "UNION",
                        crate::syntax::ast::SetOperator::Except => "EXCEPT",
                        crate::syntax::ast::SetOperator::Intersect => "INTERSECT",
                    };
                    (plan, kind)
                });
                Query::Union(
                    std::iter::once(first).chain(others).map(|(p, kind)| self.query(p, kind)).collect(),
                )
            }
            Body::Values { .. } => {
                let message = Some("No tables used");
                Query::Block(Box::new(Block { id: self.id(), kind, message, ..Block::default() }))
            }
        }
    }

    /// One SELECT, or the search of an UPDATE or DELETE.
    pub fn block(&mut self, plan: &SelectPlan, kind: &'static str) -> Query {
        let mut block = Block { id: self.id(), kind, ..Block::default() };
        let skips = matches!(&plan.from, Some(Join::Table(table)) if table.skip.is_some());
        let groups = |group: &&Group| !group.keys.is_empty() && !group.in_order && !skips;
        block.temporary = plan.group.as_ref().is_some_and(|group| groups(&group))
            || plan.distinct && !has_alike_together(plan) && !skips
            || plan.windows.is_some();
        // Groups come out sorted by their keys, whatever order the query asks for afterwards.
        let sorts_groups = plan.group.as_ref().is_some_and(|group| groups(&group) && !group.as_found);
        block.filesort = sorts_groups || !plan.tail.order_by.is_empty() && !plan.presorted;
        let mut names = Vec::new();
        plan.from.iter().for_each(|join| {
            join.visit_tables(&mut |table| names.push(condition::Names::of(table)));
        });
        self.blocks.push((plan.level, names));
        match &plan.from {
            None => block.message = Some("No tables used"),
            Some(_) if plan.is_impossible() => block.message = Some("Impossible WHERE"),
            Some(_) if plan.leaves_nothing() => block.message = Some("Impossible HAVING"),
            Some(_) if plan.ends.is_some() && !skips => block.message = Some("Select tables optimized away"),
            Some(join) => {
                self.join(join, &mut block, &[]);
                let first_of = plan.first_of.map_or(usize::MAX, |step| join.tables_before(step));
                block.tables.iter_mut().skip(first_of).for_each(|table| table.extra.push("Distinct"));
            }
        }
        let mut subqueries = Vec::new();
        let mut collect = |e: &Expr| {
            e.visit(&mut |e| {
                // One that stands in several places is shown once.
                if let Kind::Subquery(subquery) = &e.kind
                    && !subqueries.iter().any(|known| Arc::ptr_eq(known, subquery))
                {
                    subqueries.push(subquery.clone());
                }
            });
        };
        plan.items.iter().chain(&plan.constant_filter).chain(&plan.filter).for_each(&mut collect);
        plan.having.iter().for_each(&mut collect);
        plan.tail.order_by.iter().for_each(|key| collect(&key.expr));
        if let Some(join) = &plan.from {
            filters_of(join, &mut collect);
        }
        for subquery in subqueries {
            let kind = match (subquery.correlated, &subquery.form) {
                (true, _) => "DEPENDENT SUBQUERY",
                (false, SubqueryForm::In { .. }) => "MATERIALIZED",
                (false, _) => "SUBQUERY",
            };
            let inner = self.query(&subquery.plan, kind);
            block.inner.push(inner);
        }
        self.blocks.pop();
        if kind == "SIMPLE" && !block.inner.is_empty() {
            block.kind = "PRIMARY";
        }
        Query::Block(Box::new(block))
    }

    /// An INSERT: the query that it takes rows from, else its table.
    pub fn insert(&mut self, plan: &InsertPlan) -> Query {
        if let InsertRows::Query(plan) = &plan.rows {
            return self.query(plan, "SIMPLE");
        }
        let mut block = Block { id: self.id(), kind: INSERT, ..Block::default() };
        let name = plan.table.name().to_owned();
        block.tables.push(TableNode { name, access: "ALL", kept: 1.0, ..TableNode::default() });
        Query::Block(Box::new(block))
    }

    fn join(&mut self, join: &Join, block: &mut Block, behind: &[&Expr]) {
        match join {
            Join::Table(table) => self.table(table, block, behind),
            Join::Inner(steps) => {
                for (join, conditions) in steps {
                    let conditions: Vec<&Expr> = conditions.iter().collect();
                    self.join(join, block, &conditions);
                }
            }
            Join::Left { left, right, on, absent, .. } => {
                self.join(left, block, behind);
                let on: Vec<&Expr> = on.iter().collect();
                self.join(right, block, &on);
                if *absent && let Some(last) = block.tables.last_mut() {
                    last.extra.push("Not exists");
                }
            }
            Join::Hash(hash) => {
                let first = block.tables.len();
                self.join(&hash.build, block, behind);
                if let Some(node) = block.tables.get_mut(first) {
                    node.hash = true;
                    node.access = match (node.access, hash.keys.is_empty()) {
                        ("ALL", false) => "hash_ALL",
                        ("range", false) => "hash_range",
                        ("ref", false) => "hash_ref",
                        ("index", false) => "hash_index",
                        (other, _) => other,
                    };
                    if !hash.keys.is_empty() {
                        node.refs =
                            hash.probe.iter().map(|e| condition::reference(e, &self.blocks)).collect();
                        node.key = node.key.take().or(Some("#hash#$hj".into()));
                    }
                    if !node.extra.contains(&"Using where") {
                        node.extra.push("Using where");
                    }
                    node.extra.push(match hash.keys.is_empty() {
                        true => "Using join buffer (flat, BNL join)",
                        false => "Using join buffer (flat, BNLH join)",
                    });
                }
            }
        }
    }

    fn table(&mut self, table: &TableAccess, block: &mut Block, behind: &[&Expr]) {
        let mut node = TableNode {
            name: table.alias.clone(),
            rows: table.rows.max(1.0),
            kept: table.kept.clamp(0.0, 1.0),
            actual: self.actuals.map(|actuals| actuals.get(table)),
            ..TableNode::default()
        };
        match &table.source {
            Source::Derived { plan, number, .. } => {
                let id = match self.shown.get(number) {
                    // A common table expression that several uses share is made, and shown, once.
                    Some(id) => *id,
                    None => {
                        let inner = self.query(plan, "DERIVED");
                        let id = first_id(&inner);
                        block.inner.push(inner);
                        self.shown.insert(*number, id);
                        id
                    }
                };
                node.name = format!("<derived{id}>");
                block.kind = if block.kind == "SIMPLE" { "PRIMARY" } else { block.kind };
            }
            Source::Lateral(lateral) => {
                let inner = self.query(&lateral.plan, "LATERAL DERIVED");
                node.name = format!("<derived{}>", first_id(&inner));
                block.inner.push(inner);
                block.kind = if block.kind == "SIMPLE" { "PRIMARY" } else { block.kind };
            }
            Source::Distinct { plan, .. } => {
                let inner = self.query(plan, "MATERIALIZED");
                node.name = format!("<subquery{}>", first_id(&inner));
                block.inner.push(inner);
                block.kind = if block.kind == "SIMPLE" { "PRIMARY" } else { block.kind };
            }
            Source::Round(_) => node.name = format!("<derived{}>", block.id.saturating_sub(1)),
            Source::Base(_) | Source::Virtual(_) | Source::Json(_) | Source::Sequence(_) => {}
        }
        self.access(table, &mut node);
        let names = condition::Names::of(table);
        let mut conditions: Vec<&Expr> = match table.access {
            Access::Point(..) | Access::Ranges { .. } => table.residual.iter().collect(),
            _ => table.filter.iter().collect(),
        };
        conditions.extend(behind);
        if !conditions.is_empty() || (node.access == "range" && !table.keys_only) {
            node.extra.push("Using where");
        }
        if table.skip.is_some() {
            node.extra.push("Using index for group-by");
        } else if table.keys_only || table.covered.is_some() || table.is_in_primary() {
            node.extra.push("Using index");
        }
        node.condition = condition::all(&conditions, &names);
        block.tables.push(node);
    }

    fn access(&self, table: &TableAccess, node: &mut TableNode) {
        let Source::Base(base) = &table.source else {
            node.access = "ALL";
            return;
        };
        let def = base.def();
        let leads = |index: &types::IndexDef| {
            let first = index.parts.first().map(|part| table.slots.start + part.column as u32);
            table.filter.iter().any(|e| first.is_some_and(|slot| bounds(e, slot)))
        };
        let allowed = def.indexes.iter().enumerate().filter(|(number, _)| table.hints.may_find(*number));
        node.possible = allowed.filter(|(_, i)| leads(i)).map(|(_, i)| i.name.clone()).collect();
        let mut take = |number: usize, parts: usize, refs: Vec<String>| {
            let Some(index) = def.indexes.get(number) else { return };
            node.key = Some(index.name.clone());
            let used = index.parts.iter().take(parts);
            node.key_len = Some(key_len(def, index, parts).to_string());
            node.key_parts = used.map(|part| def.columns[part.column].name.clone()).collect();
            node.refs = refs;
        };
        match &table.access {
            Access::Scan => node.access = "ALL",
            Access::Point(index, keys) => {
                let fixed = keys.iter().all(super::estimate::is_known_now);
                node.access = if fixed { "const" } else { "eq_ref" };
                take(
                    *index,
                    keys.len(),
                    keys.iter().map(|e| condition::reference(e, &self.blocks)).collect(),
                );
            }
            Access::Ranges { index, ranges, .. } => {
                let parts = ranges.iter().map(parts_of).max().unwrap_or(0);
                match &ranges[..] {
                    [range] if range.equal.len() == parts => {
                        node.access = "ref";
                        let refs =
                            range.equal.iter().map(|(e, _)| condition::reference(e, &self.blocks)).collect();
                        take(*index, parts, refs);
                    }
                    _ => {
                        node.access = "range";
                        take(*index, parts, Vec::new());
                    }
                }
            }
            Access::Union(members) => {
                node.access = "index_merge";
                let named = members.iter().filter_map(|(number, ranges)| {
                    let index = def.indexes.get(*number)?;
                    Some((index, ranges.iter().map(parts_of).max().unwrap_or(0)))
                });
                let (names, lengths): (Vec<String>, Vec<String>) = named
                    .map(|(index, parts)| (index.name.clone(), key_len(def, index, parts).to_string()))
                    .unzip();
                node.key = Some(names.join(","));
                node.key_len = Some(lengths.join(","));
                node.refs = Vec::new();
                node.merged = Some(format!("Using union({})", names.join(",")));
            }
            Access::Index { index, .. } => {
                node.access = "index";
                take(*index, def.indexes.get(*index).map_or(0, |i| i.parts.len()), Vec::new());
            }
        }
    }
}

fn first_id(query: &Query) -> u32 {
    match query {
        Query::Block(block) => block.id,
        Query::Union(members) => members.first().map_or(0, first_id),
    }
}

/// Bytes of an index's first parts.
pub fn key_len(def: &types::TableDef, index: &types::IndexDef, parts: usize) -> u32 {
    let used = index.parts.iter().take(parts);
    used.map(|part| key_bytes(&def.columns[part.column], part.prefix_chars)).sum()
}

fn parts_of(range: &KeyRange) -> usize {
    let bounded = !range.low.is_empty() || !range.high.is_empty() || range.starts_with.is_some();
    range.equal.len() + usize::from(bounded)
}

/// Whether a condition bounds a column in a way that indexes serve.
fn bounds(e: &Expr, slot: u32) -> bool {
    let is_slot = |e: &Expr| matches!(e.kind, Kind::Column(s) if s.index == slot);
    match &e.kind {
        Kind::Compare(op, _, left, right) => {
            *op != crate::expr::CompareOp::Ne && (is_slot(left) || is_slot(right))
        }
        Kind::Between { operands, negated: false, .. } => is_slot(&operands[0]),
        Kind::InList { operand, negated: false, .. } => is_slot(operand),
        Kind::Is(crate::syntax::ast::IsTest::Null, false, operand) => is_slot(operand),
        Kind::Like { operands, negated: false, .. } => is_slot(&operands[0]),
        Kind::Or(list) => list.iter().all(|e| bounds(e, slot)),
        Kind::And(list) => list.iter().any(|e| bounds(e, slot)),
        _ => false,
    }
}

fn filters_of(join: &Join, collect: &mut dyn FnMut(&Expr)) {
    match join {
        Join::Table(table) => table.filter.iter().for_each(collect),
        Join::Inner(steps) => {
            for (join, conditions) in steps {
                filters_of(join, collect);
                conditions.iter().for_each(&mut *collect);
            }
        }
        Join::Left { left, right, on, .. } => {
            filters_of(left, collect);
            filters_of(right, collect);
            on.iter().for_each(collect);
        }
        Join::Hash(hash) => filters_of(&hash.build, collect),
    }
}

/// Bytes that a column takes in a key, as MariaDB counts them.
fn key_bytes(column: &ColumnDef, prefix_chars: Option<u32>) -> u32 {
    let widest = column.collation.charset().max_char_bytes() as u32;
    let fraction = |fsp: &u8| u32::from(*fsp).div_ceil(2);
    let own = match &column.ty {
        ColumnType::Integer(ty) => ty.size.bytes() as u32,
        ColumnType::Year => 1,
        ColumnType::Fixed(ty) => ty.size() as u32,
        ColumnType::Float(_) => 4,
        ColumnType::Double(_) => 8,
        ColumnType::Decimal(ty) => types::decimal::stored_bytes(ty.precision, ty.scale) as u32,
        ColumnType::Date => 3,
        ColumnType::Time(fsp) => 3 + fraction(fsp),
        ColumnType::DateTime(fsp) => 5 + fraction(fsp),
        ColumnType::Timestamp(fsp) => 4 + fraction(fsp),
        ColumnType::Char(n) => prefix_chars.unwrap_or(*n) * widest,
        ColumnType::VarChar(n) => prefix_chars.unwrap_or(*n) * widest + 2,
        ColumnType::Binary(n) => prefix_chars.unwrap_or(*n),
        ColumnType::VarBinary(n) => prefix_chars.unwrap_or(*n) + 2,
        ColumnType::Enum(labels) => {
            if labels.len() < 256 {
                1
            } else {
                2
            }
        }
        ColumnType::Set(labels) => match labels.len().div_ceil(8) as u32 {
            bytes @ ..=4 => bytes.max(1),
            _ => 8,
        },
        ColumnType::Bit(width) => u32::from(*width).div_ceil(8),
        _ => prefix_chars.unwrap_or(255) * widest + 2,
    };
    own + u32::from(column.nullable)
}
