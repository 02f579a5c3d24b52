//! Merging documents, and gathering what several paths lead to.

use super::document::Json;
use super::path::{Path, Step, find};

/// Takes a value out, leaving `null`.
fn taken<'t>(json: &mut Json<'t>) -> Json<'t> {
    std::mem::replace(json, Json::Scalar("null".into()))
}

/// JSON_MERGE_PRESERVE of two: members of both; where neither is an object, arrays one after the other.
pub fn merged<'t>(a: Json<'t>, b: Json<'t>) -> Json<'t> {
    match (a, b) {
        (Json::Object(mut members), Json::Object(more)) => {
            // Keys may be there twice: each member takes the first of its key, members without one are all new.
            let (known, new): (Vec<_>, Vec<_>) =
                more.into_iter().partition(|(key, _)| members.iter().any(|(own, _)| own == key));
            for (own, value) in &mut members {
                if let Some((_, more)) = known.iter().find(|(key, _)| key == own) {
                    *value = merged(taken(value), more.clone());
                }
            }
            members.extend(new);
            Json::Object(members)
        }
        (a, b) => {
            let list = |json| match json {
                Json::Array(list) => list,
                other => vec![other],
            };
            let mut all = list(a);
            all.extend(list(b));
            Json::Array(all)
        }
    }
}

/// JSON_MERGE_PATCH of two (RFC 7396).
pub fn patched<'t>(target: Json<'t>, patch: Json<'t>) -> Json<'t> {
    let Json::Object(changes) = patch else { return patch };
    let mut members = match target {
        Json::Object(members) => members,
        _ => Vec::new(),
    };
    // Keys may be there twice: members take the first change of theirs, changes without a member are all new.
    let (known, new): (Vec<_>, Vec<_>) =
        changes.into_iter().partition(|(key, _)| members.iter().any(|(own, _)| own == key));
    members.retain_mut(|(own, value)| match known.iter().find(|(key, _)| key == own) {
        Some((_, change)) if change.is_null() => false,
        Some((_, change)) => {
            *value = patched(taken(value), change.clone());
            true
        }
        None => true,
    });
    let new = new.into_iter().filter(|(_, value)| !value.is_null());
    members.extend(new.map(|(key, value)| (key, patched(Json::Scalar("null".into()), value))));
    Json::Object(members)
}

/// The values that any of several paths leads to, once for each path, in the order of the document.
pub fn gathered<'j, 't>(json: &'j Json<'t>, paths: &[Path]) -> Vec<&'j Json<'t>> {
    let mut times: std::collections::HashMap<*const Json<'_>, usize> = std::collections::HashMap::new();
    for path in paths {
        let mut hits: Vec<&Json<'_>> = Vec::new();
        find(json, path, &mut hits);
        if paths.len() < 2 && !path.contains(&Step::Anywhere) {
            return hits;
        }
        let once: std::collections::HashSet<_> = hits.into_iter().map(std::ptr::from_ref).collect();
        once.into_iter().for_each(|hit| *times.entry(hit).or_default() += 1);
    }
    let (mut ordered, mut open) = (Vec::with_capacity(times.len()), vec![json]);
    while let Some(value) = open.pop() {
        let found = times.get(&std::ptr::from_ref(value)).copied().unwrap_or(0);
        ordered.extend(std::iter::repeat_n(value, found));
        let children: Vec<_> = value.children().collect();
        open.extend(children.into_iter().rev());
    }
    ordered
}
