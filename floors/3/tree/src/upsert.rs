//! Changing one key: descend, latch the leaf, decide, change.

use std::borrow::Cow;

use crossbeam_utils::Backoff;
use pages::PageMut;

use crate::Tree;
use crate::error::{Result, TreeError};
use crate::finger::Finger;
use crate::node::{KEY_MAX, Node, NodeMut, RECORD_MAX};
use crate::overflow::{Reference, VALUE_MAX};
use crate::structure::UNDERFULL;

/// What becomes of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action<'v> {
    /// It gets this value.
    Put(Cow<'v, [u8]>),
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

/// Long values on their way in or out, kept between the attempts of one upsert.
#[derive(Default)]
struct Long {
    /// The old value that was read before latching, with the reference that it stood for.
    old: Option<(Reference, Vec<u8>)>,
    /// A chain written for the new value, not referred to yet.
    written: Option<Reference>,
}

/// What one attempt under the leaf's latch came to.
enum Attempt {
    /// Done; the chain that the old value had, and whether the leaf wants to be merged.
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
    pub fn upsert<'v>(&self, key: &[u8], decide: impl FnMut(Option<&[u8]>) -> Action<'v>) -> Result<()> {
        self.upsert_from(&mut Finger::default(), key, decide)
    }

    /// [`Tree::upsert`], looking first where the finger points.
    pub fn upsert_from<'v>(
        &self,
        finger: &mut Finger,
        key: &[u8],
        mut decide: impl FnMut(Option<&[u8]>) -> Action<'v>,
    ) -> Result<()> {
        if key.len() > KEY_MAX {
            return Err(TreeError::KeyTooLong { bytes: key.len() });
        }
        self.store.throttle();
        let mut long = Long::default();
        let outcome = self.upsert_with(finger, key, &mut decide, &mut long);
        // Left over: the closure changed its mind, or an error came between.
        if let Some(unused) = long.written {
            self.free_chain(unused)?;
        }
        outcome
    }

    fn upsert_with<'v>(
        &self,
        finger: &mut Finger,
        key: &[u8],
        decide: &mut dyn FnMut(Option<&[u8]>) -> Action<'v>,
        long: &mut Long,
    ) -> Result<()> {
        loop {
            let leaf = self.latch_leaf(finger, key)?;
            match self.attempt(leaf, key, decide, long)? {
                Attempt::Done { freed, underfull } => {
                    if let Some(freed) = freed {
                        self.free_chain(freed)?;
                    }
                    return if underfull { self.merge(0, key) } else { Ok(()) };
                }
                Attempt::ReadOld(reference) => {
                    let mut value = Vec::new();
                    // Damage shows as damage only if the leaf still holds this reference: `get` judges that.
                    if self.read_chain(reference, &mut value).is_ok() {
                        long.old = Some((reference, value));
                    } else {
                        self.get(key, &mut value)?;
                    }
                }
                Attempt::WriteChain(value) => {
                    if let Some(unused) = long.written.take() {
                        self.free_chain(unused)?;
                    }
                    long.written = Some(self.write_chain(&value)?);
                }
                Attempt::Full(need) => self.split(0, key, need)?,
            }
        }
    }

    /// Latches the leaf that covers `key`.
    fn latch_leaf(&self, finger: &mut Finger, key: &[u8]) -> Result<PageMut<'_>> {
        let backoff = Backoff::new();
        loop {
            if let Some(leaf) = self.leaf_from(finger, key)?.upgrade() {
                return Ok(leaf);
            }
            backoff.snooze();
        }
    }

    fn attempt<'v>(
        &self,
        mut leaf: PageMut<'_>,
        key: &[u8],
        decide: &mut dyn FnMut(Option<&[u8]>) -> Action<'v>,
        long: &mut Long,
    ) -> Result<Attempt> {
        let page = leaf.page();
        let fail = |nonsense| self.nonsense(page, nonsense);
        let node = Node::new(&*leaf);
        let (position, found) = node.search(key);
        let mut old_chain = None;
        let action = if found {
            let (stored, overflow) = node.value(position).map_err(fail)?;
            if overflow {
                let reference = Reference::decode(stored).map_err(fail)?;
                old_chain = Some(reference);
                match &long.old {
                    Some((known, value)) if *known == reference => decide(Some(value)),
                    _ => return Ok(Attempt::ReadOld(reference)),
                }
            } else {
                decide(Some(stored))
            }
        } else {
            decide(None)
        };
        let mut edit = NodeMut::new(&mut leaf).map_err(fail)?;
        match action {
            Action::Put(value) => {
                let reference;
                let (stored, overflow) = if key.len() + value.len() <= RECORD_MAX {
                    (&*value, false)
                } else if value.len() > VALUE_MAX {
                    return Err(TreeError::ValueTooLong { bytes: value.len() });
                } else if let Some(written) = long.written.filter(|written| written.matches(&value)) {
                    reference = written.encode();
                    (&reference[..], true)
                } else {
                    return Ok(Attempt::WriteChain(value.into_owned()));
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
            Action::Delete if found => {
                edit.remove(position).map_err(fail)?;
                Ok(Attempt::Done { freed: old_chain, underfull: edit.node().used() < UNDERFULL })
            }
            Action::Delete | Action::Keep => Ok(Attempt::Done { freed: None, underfull: false }),
        }
    }
}
