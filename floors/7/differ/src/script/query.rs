//! Queries of every form.

use super::plain::{Cte, Draw, Name, Scope, any};
use super::{Table, World, clause, fixed, list, optional};
use crate::dice::Dice;
use crate::schema::Sort;
use crate::statement::{Statement, Way};
use crate::term::{Role, Term};

/// A query and what it gives.
pub struct Block {
    /// Its text.
    pub term: Term,
    /// Its columns.
    pub columns: Vec<Name>,
    /// Its rows come in one order only.
    pub ordered: bool,
}

/// What a FROM clause brings.
struct Source {
    term: Term,
    /// Names to use in expressions.
    names: Vec<Name>,
    /// Expressions that tell each row from all others, or make those alike that they do not.
    identity: Vec<String>,
}

/// A query as a statement.
pub fn statement(dice: &mut Dice, world: &World) -> Statement {
    let parameters = dice.chance(1, 12);
    let binary = dice.chance(1, 8);
    let mut draw = Draw::new(dice, world);
    if parameters {
        draw.parameters = Some(Vec::new());
    }
    let block = draw.top(2);
    let given = draw.parameters.take().unwrap_or_default();
    let mut statement = Statement::query(block.term, block.ordered);
    if parameters {
        let text = statement.term.to_string().replace('\\', "\\\\").replace('\'', "''");
        let using = if given.is_empty() { String::new() } else { format!(" USING {}", given.join(", ")) };
        statement.term = fixed(format!("EXECUTE IMMEDIATE '{text}'{using}"));
    } else if binary {
        statement.way = Way::Binary;
    }
    statement
}

impl Draw<'_> {
    /// A whole query: with common table expressions, set operations, order and limit.
    pub fn top(&mut self, depth: usize) -> Block {
        let mut parts = Vec::new();
        if self.dice.chance(1, 6) {
            parts.push(self.with(depth));
        }
        let block = if self.dice.chance(1, 5) {
            self.set_operation(&Scope::EMPTY, depth, None)
        } else {
            self.block(&Scope::EMPTY, depth, None, true)
        };
        parts.push(block.term);
        Block { term: Term::row(parts), ..block }
    }

    /// WITH, its members from now on in reach.
    fn with(&mut self, depth: usize) -> Term {
        let mut members = Vec::new();
        for _ in 0..self.dice.between(1, 2) {
            let name = self.alias('w');
            if self.dice.chance(1, 3) {
                let (text, sorts) = self.recursion(&name);
                members.push(text);
                let columns = ["n", "s"].iter().zip(sorts);
                let columns = columns.map(|(name, sort)| Name { text: (*name).into(), sort }).collect();
                self.ctes.push(Cte { name, columns });
                continue;
            }
            let query = self.query(&Scope::EMPTY, depth.saturating_sub(1));
            let mut columns = query.columns;
            let mut head = name.clone();
            if self.dice.chance(1, 3) {
                for (i, column) in columns.iter_mut().enumerate() {
                    column.text = format!("q{i}");
                }
                let names: Vec<&str> = columns.iter().map(|column| column.text.as_str()).collect();
                head = format!("{name} ({})", names.join(", "));
            }
            members.push(Term::of(Role::Fixed, &format!("{head} AS ({{}})"), vec![query.term]));
            self.ctes.push(Cte { name, columns });
        }
        Term::of(
            Role::Fixed,
            "WITH RECURSIVE {} ",
            vec![Term::row(
                members
                    .into_iter()
                    .enumerate()
                    .map(|(i, m)| if i == 0 { m } else { Term::of(Role::Fixed, ", {}", vec![m]) })
                    .collect(),
            )],
        )
    }

    /// A recursive member that ends.
    fn recursion(&mut self, name: &str) -> (Term, [Sort; 2]) {
        let all = if self.dice.chance(2, 3) { "ALL " } else { "" };
        let end = self.dice.between(2, 7);
        let table = self.any_table().clone();
        let joined = table.columns.iter().find(|c| c.sort == Sort::Number && c.ty.contains("int"));
        let text = match (self.dice.below(4), joined) {
            (0, Some(column)) => format!(
                "{name} (n, s) AS (SELECT 1, CAST('a' AS CHAR(40)) UNION {all}SELECT x.n + 1, CONCAT(x.s, '-', y.{}) \
                 FROM {name} x JOIN {} y ON y.{} = x.n WHERE x.n < {end})",
                column.name, table.name, column.name
            ),
            (1, Some(column)) => format!(
                "{name} (n, s) AS (SELECT {}, 'a' FROM {} UNION {all}SELECT n + 1, s FROM {name} WHERE n < {end})",
                column.name, table.name
            ),
            (2, _) => format!(
                "{name} AS (SELECT 1 AS n, CAST('' AS CHAR(30)) AS s UNION {all}SELECT n + 1, CONCAT(s, n) FROM {name} \
                 WHERE n < {end})"
            ),
            _ => format!(
                "{name} (n, s) AS (SELECT 1, 'ab' UNION {all}SELECT n * 2, s FROM {name} WHERE n < {end})"
            ),
        };
        (fixed(text), [Sort::Number, Sort::Text])
    }

    fn any_table(&mut self) -> &Table {
        let world = self.world;
        self.dice.pick(&world.tables)
    }

    /// A query for a place where its columns need names of their own.
    pub fn query(&mut self, outer: &Scope<'_>, depth: usize) -> Block {
        let sorts: Vec<Sort> = (0..self.dice.between(1, 3)).map(|_| any(self.dice)).collect();
        if depth > 0 && self.dice.chance(1, 6) {
            return self.set_operation(outer, depth - 1, Some(&sorts));
        }
        self.block(outer, depth, Some(&sorts), false)
    }

    /// UNION, INTERSECT, EXCEPT.
    fn set_operation(&mut self, outer: &Scope<'_>, depth: usize, wish: Option<&[Sort]>) -> Block {
        let drawn: Vec<Sort> = (0..self.dice.between(1, 3)).map(|_| any(self.dice)).collect();
        let sorts = wish.unwrap_or(&drawn);
        let depth = depth.saturating_sub(1);
        let first = self.block(outer, depth, Some(sorts), false);
        let columns = first.columns;
        let mut parts = vec![Term::of(Role::Fixed, "({})", vec![first.term])];
        for _ in 0..self.dice.between(1, 3) {
            let word = *self.dice.pick(&[
                "UNION",
                "UNION ALL",
                "UNION DISTINCT",
                "EXCEPT",
                "INTERSECT",
                "EXCEPT ALL",
                "INTERSECT ALL",
            ]);
            let next = self.block(outer, depth, Some(sorts), false);
            let template = if self.dice.chance(1, 2) || next.term.to_string().contains(" ORDER BY ") {
                // Else the order would be the whole's.
                format!(" {word} ({{}})")
            } else {
                format!(" {word} {{}}")
            };
            parts.push(clause(&template, vec![next.term]));
        }
        let ordered = self.dice.chance(1, 3);
        if ordered {
            let keys: Vec<String> = (1..=sorts.len()).map(|i| i.to_string()).collect();
            parts.push(optional(format!(" ORDER BY {}", keys.join(", "))));
            if self.dice.chance(1, 2) {
                parts.push(optional(format!(" LIMIT {}", self.dice.between(0, 5))));
            }
        }
        // Equal numbers of several types look alike only after the result's type is known.
        Block { term: Term::row(parts), columns, ordered: false }
    }

    /// SELECT ... of one query block; `wish`: the sorts of its columns, each of which then has a name of its own.
    pub fn block(&mut self, outer: &Scope<'_>, depth: usize, wish: Option<&[Sort]>, last: bool) -> Block {
        let source = self.source(outer, depth);
        let scope = Scope {
            names: &source.names,
            outer: Some(outer).filter(|o| !o.names.is_empty() || o.outer.is_some()),
        };
        match self.dice.below(10) {
            0..=2 => self.grouped(&source, &scope, depth, wish),
            3 if wish.is_none() => self.windowed(&source, &scope, depth),
            _ => self.rows(&source, &scope, depth, wish, last),
        }
    }

    fn condition_clause(&mut self, scope: &Scope<'_>, depth: usize) -> Option<Term> {
        self.dice.chance(1, 2).then(|| {
            let condition = self.condition(scope, depth);
            clause(" WHERE {}", vec![condition])
        })
    }

    /// A block without groups.
    fn rows(
        &mut self,
        source: &Source,
        scope: &Scope<'_>,
        depth: usize,
        wish: Option<&[Sort]>,
        last: bool,
    ) -> Block {
        let distinct = self.dice.chance(1, 6);
        let (mut items, mut columns) = (Vec::new(), Vec::new());
        let star = wish.is_none() && self.dice.chance(1, 8);
        if star {
            items.push(fixed("*"));
        } else {
            let drawn: Vec<Sort> = (0..self.dice.between(1, 4)).map(|_| any(self.dice)).collect();
            for &sort in wish.unwrap_or(&drawn) {
                let value = self.scalar(scope, sort, depth.min(2));
                items.push(self.item(value, sort, wish.is_some(), &mut columns));
            }
        }
        let count = items.len();
        let head = if distinct { "SELECT DISTINCT " } else { "SELECT " };
        let listed = if wish.is_some() { fixed_list(items) } else { list(items) };
        let mut parts = vec![fixed(head), listed, source.term.clone()];
        parts.extend(self.condition_clause(scope, depth));
        let mut ordered = false;
        if self.dice.chance(1, 3) && (last || self.dice.chance(1, 2)) {
            let mut keys = Vec::new();
            if distinct || star || self.dice.chance(1, 3) {
                keys.extend((1..=count).map(|i| i.to_string()));
            } else {
                let sort = any(self.dice);
                keys.push(self.scalar(scope, sort, depth.min(1)).to_string());
                if self.dice.chance(1, 3) {
                    keys[0] += " DESC";
                }
            }
            if !distinct && !star {
                keys.extend(source.identity.iter().cloned());
                ordered = true;
            }
            parts.push(optional(format!(" ORDER BY {}", keys.join(", "))));
            if ordered && self.dice.chance(1, 2) {
                parts.push(optional(self.limit()));
            }
        }
        Block { term: Term::row(parts), columns, ordered: false }
    }

    fn limit(&mut self) -> String {
        let (n, m) = (self.dice.between(0, 4), self.dice.between(0, 3));
        match self.dice.below(8) {
            0 => format!(" LIMIT {m}, {n}"),
            1 => format!(" LIMIT {n} OFFSET {m}"),
            2 => format!(" OFFSET {m} ROWS FETCH NEXT {} ROWS ONLY", n + 1),
            3 => format!(" FETCH FIRST {} ROWS ONLY", n + 1),
            _ => format!(" LIMIT {n}"),
        }
    }

    /// An item of a select list, with a name where it needs one.
    fn item(&mut self, value: Term, sort: Sort, named: bool, columns: &mut Vec<Name>) -> Term {
        if !named && self.dice.chance(2, 3) {
            return value;
        }
        let name = format!("r{}", columns.len());
        columns.push(Name { text: name.clone(), sort });
        let word = if self.dice.chance(1, 4) { " " } else { " AS " };
        Term::of(Role::Fixed, &format!("{{}}{word}{name}"), vec![value])
    }

    /// A block with GROUP BY, or aggregates alone.
    fn grouped(&mut self, source: &Source, scope: &Scope<'_>, depth: usize, wish: Option<&[Sort]>) -> Block {
        let keys: Vec<(Term, Sort)> = (0..self.dice.below(3))
            .map(|_| {
                let sort = any(self.dice);
                let depth = self.dice.below(2);
                (self.scalar(&Scope { names: scope.names, outer: None }, sort, depth), sort)
            })
            .collect();
        let drawn: Vec<Sort> = (0..self.dice.between(1, 4)).map(|_| any(self.dice)).collect();
        let (mut items, mut columns) = (Vec::new(), Vec::new());
        for &sort in wish.unwrap_or(&drawn) {
            let fits: Vec<&(Term, Sort)> = keys.iter().filter(|(_, s)| *s == sort).collect();
            let value = if !fits.is_empty() && self.dice.chance(1, 2) {
                self.dice.pick(&fits).0.clone()
            } else {
                self.aggregate(scope, sort)
            };
            items.push(self.item(value, sort, wish.is_some(), &mut columns));
        }
        let listed = if wish.is_some() { fixed_list(items) } else { list(items) };
        let mut parts = vec![fixed("SELECT "), listed, source.term.clone()];
        parts.extend(self.condition_clause(scope, depth));
        if !keys.is_empty() {
            let by: Vec<Term> = keys.iter().map(|(key, _)| key.clone()).collect();
            parts.push(Term::of(Role::Fixed, " GROUP BY {}", vec![fixed_list(by)]));
            if self.dice.chance(1, 6) {
                parts.push(optional(" WITH ROLLUP"));
            }
        }
        if self.dice.chance(1, 4) {
            let value = self.aggregate(scope, Sort::Number);
            let operator = *self.dice.pick(&[">", "<", "=", "<>", ">="]);
            let literal = self.literal(Sort::Number);
            parts.push(clause(&format!(" HAVING {{}} {operator} {{}}"), vec![value, literal]));
        }
        Block { term: Term::row(parts), columns, ordered: false }
    }

    fn aggregate(&mut self, scope: &Scope<'_>, sort: Sort) -> Term {
        let own = Scope { names: scope.names, outer: None };
        let depth = self.dice.below(2);
        let (template, inner): (&str, Sort) = match sort {
            Sort::Number => {
                let any = any(self.dice);
                *self.dice.pick(&[
                    ("COUNT(*)", any),
                    ("COUNT({})", any),
                    ("COUNT(DISTINCT {})", any),
                    ("SUM({})", Sort::Number),
                    ("AVG({})", Sort::Number),
                    ("MIN({})", Sort::Number),
                    ("MAX({})", Sort::Number),
                    ("SUM(DISTINCT {})", Sort::Number),
                    ("BIT_OR({})", Sort::Number),
                    ("BIT_AND({})", Sort::Number),
                    ("MAX({}) + 1", Sort::Number),
                    ("COUNT(*) + SUM({})", Sort::Number),
                ])
            }
            Sort::Text | Sort::Json | Sort::Fixed | Sort::Place | Sort::Xml => {
                let value = self.scalar(&own, Sort::Text, depth);
                let more = *self.dice.pick(&["", " DESC", " SEPARATOR '-'", " LIMIT 2"]);
                let distinct = if self.dice.chance(1, 3) { "DISTINCT " } else { "" };
                if self.dice.chance(1, 2) {
                    let template = format!("GROUP_CONCAT({distinct}{{}} ORDER BY {{}}{more})");
                    return Term::of(Role::Expr, &template, vec![value.clone(), value]);
                }
                (*self.dice.pick(&["MIN({})", "MAX({})"]), Sort::Text)
            }
            other => (*self.dice.pick(&["MIN({})", "MAX({})"]), other),
        };
        if !template.contains("{}") {
            return Term::words(Role::Expr, template);
        }
        let value = self.scalar(&own, inner, depth);
        Term::of(Role::Expr, template, vec![value])
    }

    /// A block with window functions, all over one window.
    fn windowed(&mut self, source: &Source, scope: &Scope<'_>, depth: usize) -> Block {
        let own = Scope { names: scope.names, outer: None };
        let partition = match self.dice.below(2) {
            0 => String::new(),
            _ => {
                let sort = any(self.dice);
                let key = self.scalar(&own, sort, 0);
                format!("PARTITION BY {key} ")
            }
        };
        let sort = any(self.dice);
        let mut keys = vec![self.scalar(&own, sort, 0).to_string()];
        if self.dice.chance(1, 3) {
            keys[0] += " DESC";
        }
        let unique = self.dice.chance(2, 3);
        if unique {
            keys.extend(source.identity.iter().cloned());
        }
        let order = format!("{partition}ORDER BY {}", keys.join(", "));
        let frame = if unique && self.dice.chance(1, 2) {
            let start =
                *self.dice.pick(&["UNBOUNDED PRECEDING", "1 PRECEDING", "CURRENT ROW", "2 PRECEDING"]);
            let end = *self.dice.pick(&["UNBOUNDED FOLLOWING", "1 FOLLOWING", "CURRENT ROW", "2 FOLLOWING"]);
            format!(" ROWS BETWEEN {start} AND {end}")
        } else {
            String::new()
        };
        let named = self.dice.chance(1, 4);
        let mut items: Vec<Term> = source.identity.iter().take(3).map(fixed).collect();
        if items.is_empty() {
            items.push(fixed("1"));
        }
        for _ in 0..self.dice.between(1, 3) {
            let sort = any(self.dice);
            let value = self.scalar(&own, sort, 1);
            let number = self.scalar(&own, Sort::Number, 0);
            let (call, framed) = match self.dice.below(14) {
                0 => (Term::of(Role::Fixed, "SUM({})", vec![number]), true),
                1 => (Term::of(Role::Fixed, "AVG({})", vec![number]), true),
                2 => (Term::of(Role::Fixed, "COUNT({})", vec![value]), true),
                3 => (Term::of(Role::Fixed, "MIN({})", vec![value]), true),
                4 => (Term::of(Role::Fixed, "MAX({})", vec![value]), true),
                5 => (fixed("RANK()"), false),
                6 => (fixed("DENSE_RANK()"), false),
                7 => (fixed("PERCENT_RANK()"), false),
                8 => (fixed("CUME_DIST()"), false),
                _ if !unique => (fixed("COUNT(*)"), true),
                9 => (fixed("ROW_NUMBER()"), false),
                10 => (fixed("NTILE(3)"), false),
                11 => (Term::of(Role::Fixed, "LAG({})", vec![value]), false),
                12 => (Term::of(Role::Fixed, "LEAD({}, 2)", vec![value]), false),
                _ => {
                    let template =
                        *self.dice.pick(&["FIRST_VALUE({})", "LAST_VALUE({})", "NTH_VALUE({}, 2)"]);
                    (Term::of(Role::Fixed, template, vec![value]), true)
                }
            };
            let over = match (named, framed) {
                (true, true) => format!(" OVER (w{frame})"),
                (true, false) => " OVER w".into(),
                (false, true) => format!(" OVER ({order}{frame})"),
                (false, false) => format!(" OVER ({order})"),
            };
            items.push(Term::row(vec![call, fixed(over)]));
        }
        let mut parts = vec![fixed("SELECT "), list(items), source.term.clone()];
        parts.extend(self.condition_clause(scope, depth));
        if named {
            parts.push(fixed(format!(" WINDOW w AS ({order})")));
        }
        Block { term: Term::row(parts), columns: Vec::new(), ordered: false }
    }

    /// FROM: tables, derived tables and common table expressions, joined.
    fn source(&mut self, outer: &Scope<'_>, depth: usize) -> Source {
        let count = *self.dice.pick(&[1, 1, 1, 2, 2, 2, 3]);
        let mut all = self.factor(depth);
        for i in 1..count {
            let next = self.factor(depth);
            all = self.join(outer, all, next, i == 1 && count == 2);
        }
        Source { term: Term::of(Role::Fixed, " FROM {}", vec![all.term]), ..all }
    }

    fn join(&mut self, outer: &Scope<'_>, left: Source, right: Source, alone: bool) -> Source {
        let mut names = left.names.clone();
        names.extend(right.names.iter().cloned());
        let mut identity = left.identity;
        identity.extend(right.identity);
        let bare = |names: &[Name]| -> Vec<String> {
            names.iter().filter_map(|n| n.text.split_once('.').map(|(_, c)| c.to_owned())).collect()
        };
        let (ours, theirs) = (bare(&left.names), bare(&right.names));
        let common: Vec<&String> = ours.iter().filter(|name| theirs.contains(name)).collect();
        let kind = *self.dice.pick(&["JOIN", "LEFT JOIN", "RIGHT JOIN", "INNER JOIN", "LEFT OUTER JOIN"]);
        let term = if alone && !common.is_empty() && self.dice.chance(1, 4) {
            if self.dice.chance(1, 2) {
                let kind = *self.dice.pick(&["", "LEFT ", "RIGHT ", "INNER "]);
                Term::of(Role::Fixed, &format!("{{}} NATURAL {kind}JOIN {{}}"), vec![left.term, right.term])
            } else {
                let column = *self.dice.pick(&common);
                if let Some(name) = names.iter().find(|n| n.text.ends_with(&format!(".{column}"))).cloned() {
                    names.push(Name { text: column.clone(), sort: name.sort });
                }
                Term::of(
                    Role::Fixed,
                    &format!("{{}} {kind} {{}} USING ({column})"),
                    vec![left.term, right.term],
                )
            }
        } else {
            match self.dice.below(8) {
                0 => Term::of(Role::Fixed, "{}, {}", vec![left.term, right.term]),
                1 => Term::of(Role::Fixed, "{} CROSS JOIN {}", vec![left.term, right.term]),
                _ => {
                    // Mostly an equality that an index or a hash may serve.
                    let (one, other) = (
                        Scope { names: &left.names, outer: None },
                        Scope { names: &right.names, outer: None },
                    );
                    let sort = any(self.dice);
                    let pair = (self.column(&one, sort), self.column(&other, sort));
                    let on = match pair {
                        (Some(a), Some(b)) if self.dice.chance(3, 4) => {
                            Term::of(Role::Expr, "{} = {}", vec![a, b])
                        }
                        _ => {
                            let scope =
                                Scope { names: &names, outer: Some(outer).filter(|o| !o.names.is_empty()) };
                            self.condition(&scope, 1)
                        }
                    };
                    let word = if self.dice.chance(1, 8) { "STRAIGHT_JOIN" } else { kind };
                    let template = if self.dice.chance(1, 5) && !alone {
                        format!("({{}} {word} {{}} ON {{}})")
                    } else {
                        format!("{{}} {word} {{}} ON {{}}")
                    };
                    Term::of(Role::Fixed, &template, vec![left.term, right.term, on])
                }
            }
        };
        Source { term, names, identity }
    }

    /// A table, derived table or common table expression.
    fn factor(&mut self, depth: usize) -> Source {
        let alias = self.alias('a');
        if !self.ctes.is_empty() && self.dice.chance(1, 2) {
            let cte = self.dice.pick(&self.ctes).clone();
            return named(&alias, fixed(format!("{} AS {alias}", cte.name)), &cte.columns);
        }
        if depth > 0 && self.dice.chance(1, 7) {
            let query = self.query(&Scope::EMPTY, depth - 1);
            return named(
                &alias,
                Term::of(Role::Fixed, &format!("({{}}) AS {alias}"), vec![query.term]),
                &query.columns,
            );
        }
        let table = self.any_table().clone();
        let name =
            |column: &super::Column| Name { text: format!("{alias}.{}", column.name), sort: column.sort };
        let identity = match table.key.is_empty() {
            true => table.columns.iter().map(|c| format!("{alias}.{}", c.name)).collect(),
            false => table.key.iter().map(|c| format!("{alias}.{c}")).collect(),
        };
        Source {
            term: fixed(format!("{} {alias}", table.name)),
            names: table.columns.iter().map(name).collect(),
            identity,
        }
    }

    /// A query of one value: an aggregate, so that it has one row.
    pub fn scalar_subquery(&mut self, outer: &Scope<'_>, sort: Sort, depth: usize) -> Term {
        let source = self.source(outer, depth.min(1));
        let scope = Scope { names: &source.names, outer: Some(outer) };
        let value = self.aggregate(&scope, sort);
        let mut parts = vec![value, source.term.clone()];
        parts.push(self.condition_clause(&scope, depth).unwrap_or_else(|| fixed("")));
        Term::of(Role::Expr, "(SELECT {}{}{})", parts)
    }

    /// EXISTS, IN, ANY, ALL.
    pub fn subquery_condition(&mut self, outer: &Scope<'_>, depth: usize) -> Term {
        let sort = any(self.dice);
        let not = if self.dice.chance(1, 3) { "NOT " } else { "" };
        match self.dice.below(4) {
            0 => {
                let query = self.block(outer, depth, None, false);
                Term::of(Role::Expr, &format!("{not}EXISTS ({{}})"), vec![query.term])
            }
            1 => {
                let value = self.scalar(outer, sort, 0);
                let operator = *self.dice.pick(&["=", "<", ">", "<>", ">=", "<="]);
                let word = *self.dice.pick(&["ANY", "ALL", "SOME"]);
                let query = self.plain_block(outer, depth, sort);
                Term::of(Role::Expr, &format!("{{}} {operator} {word} ({{}})"), vec![value, query])
            }
            _ => {
                let value = self.scalar(outer, sort, 0);
                let query = self.plain_block(outer, depth, sort);
                Term::of(Role::Expr, &format!("{{}} {not}IN ({{}})"), vec![value, query])
            }
        }
    }

    /// A block of one column without LIMIT, which IN takes.
    fn plain_block(&mut self, outer: &Scope<'_>, depth: usize, sort: Sort) -> Term {
        let source = self.source(outer, depth);
        let scope = Scope { names: &source.names, outer: Some(outer) };
        if self.dice.chance(1, 4) {
            return self.grouped(&source, &scope, depth, Some(&[sort])).term;
        }
        let value = self.scalar(&scope, sort, depth.min(1));
        let condition = self.condition_clause(&scope, depth).unwrap_or_else(|| fixed(""));
        Term::of(Role::Fixed, "SELECT {}{}{}", vec![value, source.term.clone(), condition])
    }
}

/// Members with commas between, all of which stay.
fn fixed_list(members: Vec<Term>) -> Term {
    let members = members.into_iter().enumerate();
    Term::row(members.map(|(i, m)| if i == 0 { m } else { Term::of(Role::Fixed, ", {}", vec![m]) }).collect())
}

/// A source whose columns tell its rows apart as far as anything does.
fn named(alias: &str, term: Term, columns: &[Name]) -> Source {
    let names: Vec<Name> =
        columns.iter().map(|c| Name { text: format!("{alias}.{}", c.text), sort: c.sort }).collect();
    let identity = names.iter().map(|name| name.text.clone()).collect();
    Source { term, names, identity }
}
