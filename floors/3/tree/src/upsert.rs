//! Changing keys: descend, latch the leaf, decide, change. Keys that follow each other in a leaf share its latch.

use std::borrow::Cow;

use crossbeam_utils::Backoff;
use pages::PageMut;

use crate::Tree;
use crate::error::{Result, TreeError};
use crate::finger::Finger;
use crate::node::{KEY_MAX, Node, NodeMut, Pieces, RECORD_MAX};
use crate::overflow::{Reference, VALUE_MAX};
use crate::structure::UNDERFULL;

/// Most keys changed under one latch: readers of the leaf look again and again meanwhile.
const RUN_MAX: usize = 32;
/// Longest [`Head`].
const HEAD_MAX: usize = 15;

/// What becomes of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action<'v> {
    /// It gets this value.
    Put(Cow<'v, [u8]>),
    /// It gets the value that these make one behind the other.
    PutBehind(Head, &'v [u8]),
    /// It goes, if it is there.
    Delete,
    /// It stays as it is.
    Keep,
}

impl<'v> Action<'v> {
    /// [`Action::Put`] of a slice or a vector.
    pub fn put(value: impl Into<Cow<'v, [u8]>>) -> Self {
        Action::Put(value.into())
    }
}

/// A few bytes that stand before a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    bytes: [u8; HEAD_MAX],
    len: u8,
}

impl Head {
    /// # Panics
    /// If there are more than 15: a bug of the caller.
    #[inline]
    pub fn new(from: &[u8]) -> Head {
        let mut bytes = [0; HEAD_MAX];
        bytes[..from.len()].copy_from_slice(from);
        Head { bytes, len: from.len() as u8 }
    }

    #[inline]
    fn as_slice(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

/// Long values on their way in or out, kept between the attempts at one key.
#[derive(Default)]
struct Long {
    /// The old value that was read before latching, with the reference that it stood for.
    old: Option<(Reference, Vec<u8>)>,
    /// A chain written for the new value, not referred to yet.
    written: Option<Reference>,
}

/// Keys in ascending order, and what becomes of each.
struct Run<'r, K, D> {
    key: &'r K,
    count: usize,
    /// Those before it are done.
    done: &'r mut usize,
    decide: &'r mut D,
    long: Long,
}

/// What one attempt under the leaf's latch came to.
enum Attempt {
    /// As many as the leaf has, or as one latch allows; the chain that the last old value had, and whether the leaf
    /// wants to be merged.
    Done { freed: Option<Reference>, underfull: bool },
    /// The old value is here and must be read first.
    ReadOld(Reference),
    /// This value must be written to overflow pages first.
    WriteChain(Vec<u8>),
    /// The leaf lacks this many bytes.
    Full(usize),
}

impl Tree {
    /// Decides about `key` by its present value, under its leaf's latch.
    ///
    /// `decide` must not wait, and it may be called several times (a leaf must be split, a long value be read or
    /// written first): only its last answer counts. Nobody else changes the key between that call and its effect.
    pub fn upsert<'v>(&self, key: &[u8], mut decide: impl FnMut(Option<&[u8]>) -> Action<'v>) -> Result<()> {
        self.upsert_run(&mut Finger::default(), &mut 0, 1, |_| key, |_, old| decide(old))
    }

    /// [`Tree::upsert`] of the keys number `done` to `count`, which ascend: those that one leaf holds share its latch
    /// and its look-up. The first is looked for where the finger points. `done` tells how far it came, after an error
    /// too.
    pub fn upsert_run<'k, 'v>(
        &self,
        finger: &mut Finger,
        done: &mut usize,
        count: usize,
        key: impl Fn(usize) -> &'k [u8],
        mut decide: impl FnMut(usize, Option<&[u8]>) -> Action<'v>,
    ) -> Result<()> {
        while *done < count {
            self.store.throttle();
            let mut run =
                Run { key: &key, count, done: &mut *done, decide: &mut decide, long: Long::default() };
            let outcome = self.upsert_leaf(finger, &mut run);
            // Left over: the closure changed its mind, or an error came between.
            if let Some(unused) = run.long.written {
                self.free_chain(unused)?;
            }
            outcome?;
        }
        Ok(())
    }

    /// Changes one key of the run, and those behind it that the same leaf holds.
    fn upsert_leaf<'k, 'v, K, D>(&self, finger: &mut Finger, run: &mut Run<'_, K, D>) -> Result<()>
    where
        K: Fn(usize) -> &'k [u8],
        D: FnMut(usize, Option<&[u8]>) -> Action<'v>,
    {
        loop {
            let key = (run.key)(*run.done);
            if key.len() > KEY_MAX {
                return Err(TreeError::KeyTooLong { bytes: key.len() });
            }
            let leaf = self.latch_leaf(finger, key)?;
            match self.attempt(leaf, run)? {
                Attempt::Done { freed, underfull } => {
                    if let Some(freed) = freed {
                        self.free_chain(freed)?;
                    }
                    return if underfull { self.merge(0, key) } else { Ok(()) };
                }
                Attempt::ReadOld(reference) => {
                    let (key, mut value) = ((run.key)(*run.done), Vec::new());
                    // Damage shows as damage only if the leaf still holds this reference: `get` judges that.
                    if self.read_chain(reference, &mut value).is_ok() {
                        run.long.old = Some((reference, value));
                    } else {
                        self.get(key, &mut value)?;
                    }
                }
                Attempt::WriteChain(value) => {
                    if let Some(unused) = run.long.written.take() {
                        self.free_chain(unused)?;
                    }
                    run.long.written = Some(self.write_chain(&value)?);
                }
                Attempt::Full(need) => self.split(0, (run.key)(*run.done), need)?,
            }
        }
    }

    /// Latches the leaf that covers `key`.
    fn latch_leaf(&self, finger: &mut Finger, key: &[u8]) -> Result<PageMut<'_>> {
        let backoff = Backoff::new();
        loop {
            let leaf = self.leaf_from(finger, key)?;
            let leaf = leaf.ok_or(TreeError::NotPlanted(self.tree))?;
            if let Some(leaf) = leaf.upgrade() {
                return Ok(leaf);
            }
            backoff.snooze();
        }
    }

    fn attempt<'k, 'v, K, D>(&self, mut leaf: PageMut<'_>, run: &mut Run<'_, K, D>) -> Result<Attempt>
    where
        K: Fn(usize) -> &'k [u8],
        D: FnMut(usize, Option<&[u8]>) -> Action<'v>,
    {
        let most = run.count.min(*run.done + RUN_MAX);
        let mut thinner = false;
        loop {
            match self.attempt_one(&mut leaf, run)? {
                Attempt::Done { freed, underfull } => {
                    *run.done += 1;
                    thinner |= underfull;
                    let at = *run.done;
                    if freed.is_some() || at >= most {
                        return Ok(Attempt::Done { freed, underfull: thinner });
                    }
                    let next = (run.key)(at);
                    if next.len() > KEY_MAX || !Node::new(&*leaf).reaches(next) {
                        return Ok(Attempt::Done { freed, underfull: thinner });
                    }
                }
                // First what those before it left to do; this one is looked at again.
                _ if thinner => return Ok(Attempt::Done { freed: None, underfull: true }),
                wanted => return Ok(wanted),
            }
        }
    }

    /// One key under its leaf's latch.
    fn attempt_one<'k, 'v, K, D>(&self, leaf: &mut PageMut<'_>, run: &mut Run<'_, K, D>) -> Result<Attempt>
    where
        K: Fn(usize) -> &'k [u8],
        D: FnMut(usize, Option<&[u8]>) -> Action<'v>,
    {
        let (at, page) = (*run.done, leaf.page());
        let (key, long) = ((run.key)(at), &mut run.long);
        let fail = |nonsense| self.nonsense(page, nonsense);
        let node = Node::new(&**leaf);
        let (position, found) = node.search(key);
        let mut old_chain = None;
        let action = if found {
            let (stored, overflow) = node.value(position).map_err(fail)?;
            if overflow {
                let reference = Reference::decode(stored).map_err(fail)?;
                old_chain = Some(reference);
                match &long.old {
                    Some((known, value)) if *known == reference => (run.decide)(at, Some(value)),
                    _ => return Ok(Attempt::ReadOld(reference)),
                }
            } else {
                (run.decide)(at, Some(stored))
            }
        } else {
            (run.decide)(at, None)
        };
        let mut edit = NodeMut::new(leaf).map_err(fail)?;
        let value = match &action {
            Action::Put(value) => Pieces::from(&**value),
            Action::PutBehind(head, body) => Pieces { head: head.as_slice(), body },
            Action::Delete if found => {
                edit.remove(position).map_err(fail)?;
                return Ok(Attempt::Done { freed: old_chain, underfull: edit.node().used() < UNDERFULL });
            }
            Action::Delete | Action::Keep => return Ok(Attempt::Done { freed: None, underfull: false }),
        };
        let reference;
        let (stored, overflow) = if key.len() + value.len() <= RECORD_MAX {
            (value, false)
        } else if value.len() > VALUE_MAX {
            return Err(TreeError::ValueTooLong { bytes: value.len() });
        } else {
            let whole = [value.head, value.body].concat();
            let Some(written) = long.written.filter(|written| written.matches(&whole)) else {
                return Ok(Attempt::WriteChain(whole));
            };
            reference = written.encode();
            (Pieces::from(&reference[..]), true)
        };
        let fits = if found {
            edit.replace_value(position, stored, overflow)
        } else {
            edit.insert_leaf(position, key, stored, overflow)
        };
        if !fits.map_err(fail)? {
            return Ok(Attempt::Full(edit.leaf_need(key, stored)));
        }
        if overflow {
            long.written = None;
        }
        Ok(Attempt::Done { freed: old_chain, underfull: false })
    }
}
