//! Changing documents in their text, of which no more is read than it takes to find the place.
//!
//! What is told of a fault that stands behind a change goes by the text that came of it.

use super::document::{Fault, Reader, escaped};
use super::path::{Place, Step, is_key};
use crate::session::Stop;
use std::ops::Range;

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

/// A change of a text: a value, between two others, takes the place of a part of it.
pub struct Splice {
    part: Range<usize>,
    before: String,
    after: &'static str,
}

/// A change that a text wants; none where it stays as it is.
pub type Wanted = Result<Option<Splice>, Fault>;

impl Splice {
    /// What comes of a text.
    pub fn of(&self, text: &str, value: &str) -> String {
        [&text[..self.part.start], &self.before, value, self.after, &text[self.part.end..]].concat()
    }
}

/// Puts a value at a path, as far as `change` allows.
pub fn put(text: &str, path: &[Step], change: Change, stop: &Stop) -> Wanted {
    let mut way = Way::new(text, stop);
    let (replaces, adds) = (change != Change::Insert, change != Change::Replace);
    let Some((last, before)) = path.split_last() else {
        return replaces.then(|| way.in_place()).transpose();
    };
    if !way.follow(before)? {
        return Ok(None);
    }
    let (found, name) = match (way.reader.start()?, last) {
        (b'{', Step::Key(name)) => (way.seek_member(name)?, format!("\"{}\":", escaped(name))),
        (b'[', Step::Index(place)) => {
            let at = way.place(*place)?;
            (way.seek_item(at.unwrap_or(usize::MAX))?, String::new())
        }
        (_, Step::Index(Place::Start(0))) => (true, String::new()),
        (_, Step::Index(Place::End(_))) if change == Change::Set => (true, String::new()),
        (_, Step::Index(_)) => return adds.then(|| way.wrapped()).transpose(),
        _ => return Ok(None),
    };
    match found {
        true if replaces => way.in_place().map(Some),
        false if adds => Ok(Some(way.added(&name))),
        _ => Ok(None),
    }
}

/// JSON_ARRAY_APPEND; none where the path leads nowhere.
pub fn append(text: &str, path: &[Step], stop: &Stop) -> Wanted {
    let mut way = Way::new(text, stop);
    if !way.follow(path)? {
        return Ok(None);
    }
    if way.reader.start()? != b'[' {
        return way.wrapped().map(Some);
    }
    way.seek_item(usize::MAX)?;
    Ok(Some(way.added("")))
}

/// JSON_ARRAY_INSERT at a path that ends in an array's place.
pub fn insert(text: &str, path: &[Step], stop: &Stop) -> Wanted {
    let mut way = Way::new(text, stop);
    let Some((Step::Index(place), before)) = path.split_last() else { return Ok(None) };
    if !way.follow(before)? || way.reader.start()? != b'[' {
        return Ok(None);
    }
    let at = match place {
        Place::Start(n) => *n,
        Place::End(n) => way.count()?.checked_sub(*n).unwrap_or(usize::MAX),
    };
    if !way.seek_item(at)? {
        return Ok(Some(way.added("")));
    }
    let at = way.reader.at;
    Ok(Some(Splice { part: at..at, before: String::new(), after: ", " }))
}

/// Takes out what a path leads to.
pub fn remove(text: &str, path: &[Step], stop: &Stop) -> Wanted {
    let mut way = Way::new(text, stop);
    let Some((last, before)) = path.split_last() else { return Ok(None) };
    if !way.follow(before)? || !way.step(last)? {
        return Ok(None);
    }
    way.taken_out(matches!(last, Step::Key(_)))
}

/// A reader on its way to where a path leads.
struct Way<'t, 's> {
    text: &'t str,
    reader: Reader<'t, 's>,
    /// How many arrays and objects are around.
    depth: usize,
    /// How many members of the innermost one were passed.
    passed: usize,
    /// Where the last one of them ends.
    end: usize,
    /// Where the member begins that it stands at, with its name.
    start: usize,
}

/// Whether there is nothing that a path's last step could be taken from: the text was read to its end for it.
pub fn misses(text: &str, path: &[Step], stop: &Stop) -> Result<bool, Fault> {
    let above = path.split_last().map_or(path, |(_, above)| above);
    Way::new(text, stop).follow(above).map(|found| !found)
}

impl<'t, 's> Way<'t, 's> {
    fn new(text: &'t str, stop: &'s Stop) -> Way<'t, 's> {
        Way { text, reader: Reader::new(text, stop), depth: 0, passed: 0, end: 0, start: 0 }
    }

    /// Goes where a path leads; whether that is anywhere.
    fn follow(&mut self, path: &[Step]) -> Result<bool, Fault> {
        for step in path {
            let itself = *step == Step::Index(Place::Start(0)) && self.reader.start()? != b'[';
            if !itself && !self.step(step)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Goes to a member; whether there is one.
    fn step(&mut self, step: &Step) -> Result<bool, Fault> {
        match (self.reader.start()?, step) {
            (b'{', Step::Key(name)) => self.seek_member(name),
            (b'[', Step::Index(place)) => match self.place(*place)? {
                Some(at) => self.seek_item(at),
                None => Ok(false),
            },
            _ => Ok(false),
        }
    }

    /// Goes to an object's first member of a name, or else to its end.
    fn seek_member(&mut self, name: &str) -> Result<bool, Fault> {
        self.enter();
        while self.reader.next(b'}', self.passed == 0)? {
            self.reader.start()?;
            self.start = self.reader.at;
            if is_key(self.reader.key()?, name) {
                return Ok(true);
            }
            self.pass()?;
        }
        Ok(false)
    }

    /// Goes to an array's item, or else to its end.
    fn seek_item(&mut self, at: usize) -> Result<bool, Fault> {
        self.enter();
        while self.reader.next(b']', self.passed == 0)? {
            if self.passed == at {
                self.start = self.reader.at;
                return Ok(true);
            }
            self.pass()?;
        }
        Ok(false)
    }

    fn enter(&mut self) {
        (self.depth, self.passed) = (self.depth + 1, 0);
    }

    fn pass(&mut self) -> Result<(), Fault> {
        self.reader.skip(self.depth)?;
        (self.passed, self.end) = (self.passed + 1, self.reader.at);
        Ok(())
    }

    /// The number of an array's place, if that is within or behind it.
    fn place(&self, place: Place) -> Result<Option<usize>, Fault> {
        match place {
            Place::Start(n) => Ok(Some(n)),
            Place::End(n) => self.count().map(|count| count.checked_sub(n + 1)),
        }
    }

    /// How many items an array has.
    fn count(&self) -> Result<usize, Fault> {
        let (mut reader, mut count) = (self.reader.clone(), 0);
        while reader.next(b']', count == 0)? {
            reader.skip(self.depth + 1)?;
            count += 1;
        }
        Ok(count)
    }

    /// Where the value stands that is next.
    fn value(&mut self) -> Result<Range<usize>, Fault> {
        self.reader.start()?;
        let start = self.reader.at;
        self.reader.skip(self.depth)?;
        Ok(start..self.reader.at)
    }

    /// Another value in the place of the next one.
    fn in_place(&mut self) -> Result<Splice, Fault> {
        Ok(Splice { part: self.value()?, before: String::new(), after: "" })
    }

    /// An array of the next value and another one.
    fn wrapped(&mut self) -> Result<Splice, Fault> {
        let part = self.value()?;
        let before = format!("[{}, ", &self.text[part.clone()]);
        Ok(Splice { part, before, after: "]" })
    }

    /// A member more, at the end of an array or object.
    fn added(&self, name: &str) -> Splice {
        let comma = if self.passed > 0 { ", " } else { "" };
        let at = self.reader.at;
        Splice { part: at..at, before: format!("{comma}{name}"), after: "" }
    }

    /// One member less: what follows it is read up to its name, or its comma in an array.
    fn taken_out(&mut self, named: bool) -> Wanted {
        let start = match self.passed {
            0 => self.start,
            _ if named => self.end,
            _ => self.start - 1,
        };
        self.reader.skip(self.depth)?;
        let more = self.reader.next(if named { b'}' } else { b']' }, false)?;
        if more && named {
            self.reader.quote()?;
        }
        let before = if more && self.passed > 0 { "," } else { "" };
        Ok(Some(Splice { part: start..self.reader.at, before: before.into(), after: "" }))
    }
}
