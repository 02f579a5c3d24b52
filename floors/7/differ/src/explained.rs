//! Differences that are meant or accepted: each has its line in `docs/differences.md`.

use crate::side::Answer;

mod alike;
mod columns;
mod errors;
mod groups;
mod parameters;
mod rows;
mod tables;
mod warnings;

/// An accepted difference.
pub struct Explained {
    /// Its name there.
    pub name: &'static str,
    /// Whether it covers what these two (Penstock's first) answered to a statement.
    pub covers: fn(&str, &Answer, &Answer) -> bool,
}

/// All of them, by what they are about.
fn all() -> impl Iterator<Item = &'static Explained> {
    [warnings::ALL, columns::ALL, errors::ALL, rows::ALL, groups::ALL, parameters::ALL].into_iter().flatten()
}

/// The names of the differences that explain two answers: one that covers all there is, or one for each part that
/// differs (warnings, counts, types, and what is left).
pub fn explanation(sql: &str, ours: &Answer, theirs: &Answer) -> Option<Vec<&'static str>> {
    let covering =
        |ours: &Answer, theirs: &Answer| all().find(|e| (e.covers)(sql, ours, theirs)).map(|e| e.name);
    if let Some(name) = covering(ours, theirs) {
        return Some(vec![name]);
    }
    let parts: [fn(&mut Answer, &Answer); 3] = [
        |answer, theirs| answer.warnings = theirs.warnings.clone(),
        |answer, theirs| answer.counts = theirs.counts.clone(),
        |answer, theirs| answer.columns = theirs.columns.clone(),
    ];
    let (mut names, mut reached) = (Vec::new(), ours.clone());
    for part in parts {
        let mut next = reached.clone();
        part(&mut next, theirs);
        if reached.differs(&next, false, false).is_some() {
            names.push(covering(&reached, &next)?);
        }
        reached = next;
    }
    if reached.differs(theirs, false, false).is_some() {
        names.push(covering(&reached, theirs)?);
    }
    (!names.is_empty()).then_some(names)
}

/// The name of the difference that explains what a table holds behind a change that both told the same of.
pub fn behind(change: &str, ours: &Answer, theirs: &Answer) -> Option<&'static str> {
    tables::BEHIND.iter().find(|e| (e.covers)(change, ours, theirs)).map(|e| e.name)
}

#[cfg(test)]
mod tests {
    use super::{all, tables};

    #[test]
    fn each_explained_difference_is_in_the_docs() {
        let page = include_str!("../../../../docs/differences.md");
        for explained in all().chain(tables::BEHIND) {
            assert!(
                page.contains(&format!("| `{}` |", explained.name)),
                "docs/differences.md: {}",
                explained.name
            );
        }
    }
}
