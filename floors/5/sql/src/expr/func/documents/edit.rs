//! Changing documents: JSON_SET and its kin, arrays, merging.

use super::document::Json;
use super::path::{Path, Place, Step, find, is_key};

/// What JSON_SET, JSON_INSERT and JSON_REPLACE may do.
#[derive(Clone, Copy, PartialEq)]
pub enum Change {
    /// Put in the place of what is there, or add.
    Set,
    /// Only add.
    Insert,
    /// Only put in the place of what is there.
    Replace,
}

/// The first value that a path without wildcards leads to, to be changed.
fn locate<'j, 't>(json: &'j mut Json<'t>, path: &[Step]) -> Option<&'j mut Json<'t>> {
    let Some((step, rest)) = path.split_first() else { return Some(json) };
    match (json, step) {
        (Json::Object(members), Step::Key(name)) => {
            members.iter_mut().find(|(key, _)| is_key(key, name)).and_then(|(_, value)| locate(value, rest))
        }
        (Json::Array(list), Step::Index(place)) => {
            let at = place.of(list.len())?;
            locate(&mut list[at], rest)
        }
        (other @ (Json::Scalar(_) | Json::Text(_) | Json::Object(_)), Step::Index(Place::Start(0))) => {
            locate(other, rest)
        }
        _ => None,
    }
}

/// Takes a value out, leaving `null`.
fn taken<'t>(json: &mut Json<'t>) -> Json<'t> {
    std::mem::replace(json, Json::Scalar("null".into()))
}

/// Puts a value, which is only made where it is wanted, at a path, as far as `change` allows.
pub fn put<'t, E>(
    json: &mut Json<'t>,
    path: &[Step],
    change: Change,
    make: impl FnOnce() -> Result<Json<'t>, E>,
) -> Result<(), E> {
    let Some((last, before)) = path.split_last() else {
        if change != Change::Insert {
            *json = make()?;
        }
        return Ok(());
    };
    let Some(parent) = locate(json, before) else { return Ok(()) };
    let (replaces, adds) = (change != Change::Insert, change != Change::Replace);
    match (parent, last) {
        (Json::Object(members), Step::Key(name)) => {
            match members.iter_mut().find(|(key, _)| is_key(key, name)) {
                Some((_, old)) if replaces => *old = make()?,
                Some(_) => {}
                None if adds => members.push((super::document::escaped(name).into(), make()?)),
                None => {}
            }
        }
        (Json::Array(list), Step::Index(place)) => match place.of(list.len()) {
            Some(at) if replaces => list[at] = make()?,
            Some(_) => {}
            None if adds => list.push(make()?),
            None => {}
        },
        (other, Step::Index(Place::Start(0))) if replaces => *other = make()?,
        (other, Step::Index(Place::End(_))) if change == Change::Set => *other = make()?,
        (other, Step::Index(Place::Start(1..) | Place::End(_))) if adds => {
            *other = Json::Array(vec![taken(other), make()?])
        }
        _ => {}
    }
    Ok(())
}

/// Takes out what a path leads to.
pub fn remove(json: &mut Json<'_>, path: &[Step]) {
    let Some((last, before)) = path.split_last() else { return };
    match (locate(json, before), last) {
        (Some(Json::Object(members)), Step::Key(name)) => {
            if let Some(at) = members.iter().position(|(key, _)| is_key(key, name)) {
                members.remove(at);
            }
        }
        (Some(Json::Array(list)), Step::Index(place)) => {
            if let Some(at) = place.of(list.len()) {
                list.remove(at);
            }
        }
        _ => {}
    }
}

/// JSON_ARRAY_APPEND: whether the path leads somewhere. The value is only made where it does.
pub fn append<'t, E>(
    json: &mut Json<'t>,
    path: &[Step],
    make: impl FnOnce() -> Result<Json<'t>, E>,
) -> Result<bool, E> {
    match locate(json, path) {
        Some(Json::Array(list)) => list.push(make()?),
        Some(other) => *other = Json::Array(vec![taken(other), make()?]),
        None => return Ok(false),
    }
    Ok(true)
}

/// JSON_ARRAY_INSERT at a path that ends in an array's place. The value is only made where there is such an array.
pub fn insert<'t, E>(
    json: &mut Json<'t>,
    path: &[Step],
    make: impl FnOnce() -> Result<Json<'t>, E>,
) -> Result<bool, E> {
    let Some((Step::Index(place), before)) = path.split_last() else { return Ok(false) };
    if let Some(Json::Array(list)) = locate(json, before) {
        let at = match place {
            Place::Start(n) => (*n).min(list.len()),
            Place::End(n) => list.len().saturating_sub(*n),
        };
        list.insert(at, make()?);
    }
    Ok(true)
}

/// JSON_MERGE_PRESERVE of two: members of both; where neither is an object, arrays one after the other.
pub fn merged<'t>(a: Json<'t>, b: Json<'t>) -> Json<'t> {
    match (a, b) {
        (Json::Object(mut members), Json::Object(more)) => {
            for (key, value) in more {
                match members.iter_mut().find(|(own, _)| *own == key) {
                    Some((_, own)) => *own = merged(taken(own), value),
                    None => members.push((key, value)),
                }
            }
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
