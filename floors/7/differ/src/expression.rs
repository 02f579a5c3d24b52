//! Random expressions over all types, operators and functions.

use crate::dice::Dice;
use crate::schema::{Sort, Table, literal};
use crate::term::{Role, Term};
use families::Family;
use templates as plain;

pub mod families;
mod subquery;
mod templates;

pub use subquery::Reach;

/// What expressions may name.
#[derive(Clone)]
pub struct Names<'t> {
    /// Tables in reach, with the names they go by; names are qualified where there are several.
    pub tables: Vec<(String, &'t Table)>,
    /// What subqueries may read, and which family is drawn more often.
    pub reach: Reach<'t>,
}

impl Names<'_> {
    fn column(&self, dice: &mut Dice, sort: Sort) -> Option<String> {
        let mut fits = Vec::new();
        for (alias, table) in &self.tables {
            let columns = table.columns.iter().filter(|c| c.sort == sort);
            fits.extend(columns.map(|c| match self.tables.len() {
                1 => c.name.clone(),
                _ => format!("{alias}.{}", c.name),
            }));
        }
        (!fits.is_empty()).then(|| dice.pick(&fits).clone())
    }
}

/// Any sort.
pub fn any_sort(dice: &mut Dice) -> Sort {
    match dice.below(48) {
        0..=15 => Sort::Number,
        16..=31 => Sort::Text,
        32..=37 => Sort::Date,
        38..=41 => Sort::Time,
        42..=44 => Sort::Json,
        45 | 46 => Sort::Fixed,
        _ => Sort::Place,
    }
}

/// An expression of a sort, `depth` operators deep at most.
pub fn expression(dice: &mut Dice, names: &Names<'_>, sort: Sort, depth: usize) -> Term {
    // Now and then something else stands where a sort is asked for.
    let sort = if dice.chance(1, 12) { any_sort(dice) } else { sort };
    if depth == 0 || dice.chance(1, 4) {
        let text = match names.column(dice, sort) {
            Some(column) if dice.chance(3, 4) => column,
            _ => literal(dice, sort),
        };
        return Term::words(Role::Expr, text);
    }
    if names.reach.draws(dice, "subqueries", 16) {
        return subquery::value(dice, names, sort, depth);
    }
    let template = match family(dice, names, |family| of_sort(family, sort)) {
        Some(list) => *dice.pick(list),
        None => match sort {
            Sort::Number => *dice.pick(plain::NUMBERS),
            Sort::Text => *dice.pick(plain::TEXTS),
            Sort::Date => *dice.pick(plain::DATES),
            Sort::Time => *dice.pick(plain::TIMES),
            Sort::Json => *dice.pick(plain::DOCUMENTS),
            Sort::Fixed | Sort::Place | Sort::Xml => {
                let lists: Vec<_> = families::FAMILIES.iter().filter_map(|f| of_sort(f, sort)).collect();
                let list = lists[dice.below(lists.len())];
                *dice.pick(list)
            }
        },
    };
    filled(dice, names, template, depth)
}

fn of_sort(family: &'static Family, sort: Sort) -> Option<&'static [&'static str]> {
    family.values.iter().find(|(of, _)| *of == sort).map(|(_, list)| *list)
}

/// Now and then one of the families that have what is asked for.
fn family(
    dice: &mut Dice,
    names: &Names<'_>,
    list: impl Fn(&'static Family) -> Option<&'static [&'static str]>,
) -> Option<&'static [&'static str]> {
    let drawn = names.reach.family;
    if let Some(wanted) = drawn
        && dice.chance(1, 2)
    {
        return families::FAMILIES.iter().find(|family| family.name == wanted).and_then(&list);
    }
    if !dice.chance(1, 5) {
        return None;
    }
    let lists: Vec<_> = families::FAMILIES.iter().filter_map(list).collect();
    (!lists.is_empty()).then(|| *dice.pick(&lists))
}

/// A condition.
pub fn condition(dice: &mut Dice, names: &Names<'_>, depth: usize) -> Term {
    if names.reach.draws(dice, "subqueries", 16) {
        return subquery::condition_or(dice, names, depth);
    }
    let list = |family: &'static Family| (!family.conditions.is_empty()).then_some(family.conditions);
    let template = match family(dice, names, list) {
        Some(list) => *dice.pick(list),
        None => *dice.pick(plain::CONDITIONS),
    };
    filled(dice, names, template, depth)
}

/// A template with operands in its places.
pub fn filled(dice: &mut Dice, names: &Names<'_>, template: &str, depth: usize) -> Term {
    let (mut shape, mut parts, mut rest) = (String::new(), Vec::new(), template);
    while let Some((before, after)) = rest.split_once('{') {
        let inside = depth.saturating_sub(1);
        shape.push_str(before);
        // Doubled braces are SFORMAT's own.
        if let Some(after) = after.strip_prefix("{}}") {
            parts.push(Term::words(Role::Fixed, "{}"));
            shape.push_str("{}");
            rest = after;
            continue;
        }
        let (kind, after) = after.split_once('}').expect("braces in pairs");
        let part = match kind {
            "n" => expression(dice, names, Sort::Number, inside),
            "t" => expression(dice, names, Sort::Text, inside),
            "d" => expression(dice, names, Sort::Date, inside),
            "c" => expression(dice, names, Sort::Time, inside),
            "j" => expression(dice, names, Sort::Json, inside),
            "g" => expression(dice, names, Sort::Place, inside),
            "u" => expression(dice, names, Sort::Fixed, inside),
            "x" => expression(dice, names, Sort::Xml, inside),
            "i" => Term::words(Role::Expr, dice.between(-1, 12).to_string()),
            "p" => Term::words(Role::Fixed, *dice.pick(plain::PATHS)),
            "q" => Term::words(Role::Fixed, *dice.pick(families::XPATHS)),
            "z" => Term::words(Role::Fixed, *dice.pick(families::ZONES)),
            "v" => Term::words(Role::Expr, *dice.pick(families::VARIABLES)),
            "b" if inside == 0 => Term::words(Role::Expr, *dice.pick(&["TRUE", "FALSE", "NULL", "1", "0"])),
            "b" => condition(dice, names, inside),
            _ => {
                let sort = any_sort(dice);
                expression(dice, names, sort, inside)
            }
        };
        let wrapped = !matches!(part.pieces.len(), 0 | 1) && !template.contains('(');
        shape.push_str(if wrapped { "({})" } else { "{}" });
        parts.push(part);
        rest = after;
    }
    shape.push_str(rest);
    Term::of(Role::Expr, &shape, parts)
}
