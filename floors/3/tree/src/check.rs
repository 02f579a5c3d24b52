//! The verifier: every page of a tree, what it says and how it fits its neighbours.
//!
//! It reads page by page and keeps the numbers of those seen, nothing more of them. The tree must not change
//! meanwhile.

use std::collections::HashSet;

use pages::{PAYLOAD_SIZE, PageNo, PageView};

use crate::error::{Result, TreeError};
use crate::node::{Node, Nonsense};
use crate::overflow::{OVERFLOW, Reference};
use crate::{NODE, Tree};

/// What a tree consists of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// Levels, the leaves' included.
    pub height: u64,
    /// Inner nodes.
    pub inner_pages: u64,
    /// Leaves.
    pub leaf_pages: u64,
    /// Pages of long values.
    pub overflow_pages: u64,
    /// Keys.
    pub keys: u64,
    /// Bytes of all keys.
    pub key_bytes: u64,
    /// Bytes of all values.
    pub value_bytes: u64,
    /// Bytes in use in leaves, of `leaf_pages` payloads.
    pub leaf_bytes_used: u64,
}

/// A page to look at, and what its parent says about it.
struct Due {
    page: PageNo,
    level: Option<u8>,
    lower: Vec<u8>,
    upper: Option<Vec<u8>>,
}

/// A check under way.
struct Checker<'t, 'f> {
    tree: &'t Tree,
    report: CheckReport,
    seen: HashSet<u32>,
    due: Vec<Due>,
    found: &'f mut dyn FnMut(TreeError),
}

impl Tree {
    /// Checks the whole tree: each node in itself, order and fences between them, levels, each page reached once,
    /// long values whole, and no page of the tree's number unreached. The first thing wrong is the error.
    pub fn check(&self) -> Result<CheckReport> {
        let mut first = None;
        let report = self.check_all(|error| {
            first.get_or_insert(error);
        });
        match first {
            Some(error) => Err(error),
            None => Ok(report),
        }
    }

    /// [`Tree::check`] that goes on behind what is wrong, telling `found` of each thing.
    pub fn check_all(&self, mut found: impl FnMut(TreeError)) -> CheckReport {
        let root = Due { page: self.root(), level: None, lower: Vec::new(), upper: None };
        let mut checker = Checker {
            tree: self,
            report: CheckReport::default(),
            seen: HashSet::new(),
            due: if root.page == PageNo::NONE { Vec::new() } else { vec![root] },
            found: &mut found,
        };
        let mut whole = true;
        while let Some(due) = checker.due.pop() {
            if let Err(error) = checker.check_node(due) {
                whole = false;
                (checker.found)(error);
            }
        }
        let owned = self.store.tree_pages(self.tree);
        // Below a page that could not be read lie others; only without one is the sum telling.
        if whole && owned != checker.seen.len() as u64 {
            (checker.found)(
                self.nonsense(self.root(), Nonsense("the tree owns pages that it does not reach")),
            );
        }
        checker.report
    }
}

impl Checker<'_, '_> {
    fn check_node(&mut self, due: Due) -> Result<()> {
        let tree = self.tree;
        let fail = |reason| tree.nonsense(due.page, Nonsense(reason));
        self.note(due.page)?;
        let payload = self.read(due.page, NODE)?;
        let node = Node::new(&payload[..]);
        node.verify().map_err(|nonsense| tree.nonsense(due.page, nonsense))?;
        let level = node.level();
        match due.level {
            Some(expected) if expected != level => return Err(fail("level does not follow its parent's")),
            Some(_) => {}
            None => self.report.height = u64::from(level) + 1,
        }
        let nonsense = |nonsense| tree.nonsense(due.page, nonsense);
        if node.lower().map_err(nonsense)? != due.lower
            || node.upper().map_err(nonsense)? != due.upper.as_deref()
        {
            return Err(fail("fences differ from the parent's separators"));
        }
        if level == 0 {
            self.report.leaf_pages += 1;
            self.report.leaf_bytes_used += node.used() as u64;
            return self.check_records(node).map_err(|problem| match problem {
                Problem::Nonsense(inner) => nonsense(inner),
                Problem::Tree(error) => error,
            });
        }
        self.report.inner_pages += 1;
        let mut lower = due.lower;
        for position in 0..=node.count() {
            let upper = if position < node.count() {
                Some(node.key(position).map_err(nonsense)?.to_vec())
            } else {
                due.upper.clone()
            };
            let next = upper.clone().unwrap_or_default();
            let lower = std::mem::replace(&mut lower, next);
            let page = PageNo(node.child(position));
            self.due.push(Due { page, level: Some(level - 1), lower, upper });
        }
        Ok(())
    }

    fn check_records(&mut self, leaf: Node<'_, [u8]>) -> Result<(), Problem> {
        for position in 0..leaf.count() {
            let (value, overflow) = leaf.value(position)?;
            self.report.keys += 1;
            self.report.key_bytes += leaf.key(position)?.len() as u64;
            if overflow {
                let reference = Reference::decode(value)?;
                self.report.value_bytes += u64::from(reference.len);
                self.check_chain(reference)?;
            } else {
                self.report.value_bytes += value.len() as u64;
            }
        }
        Ok(())
    }

    fn check_chain(&mut self, reference: Reference) -> Result<()> {
        self.tree.read_chain(reference, &mut Vec::new())?;
        let mut at = reference.first;
        while at != 0 {
            self.note(PageNo(at))?;
            self.report.overflow_pages += 1;
            let payload = self.read(PageNo(at), OVERFLOW)?;
            at = u32::from_le_bytes([payload[0], payload[1], payload[2], payload[3]]);
        }
        Ok(())
    }

    fn note(&mut self, page: PageNo) -> Result<()> {
        if self.seen.insert(page.0) {
            return Ok(());
        }
        Err(self.tree.nonsense(page, Nonsense("page reached twice")))
    }

    fn read(&self, page: PageNo, kind: pages::Kind) -> Result<Box<[u8; PAYLOAD_SIZE]>> {
        let mut payload = Box::new([0; PAYLOAD_SIZE]);
        let ours = self.tree.store.read(page, |view: &PageView<'_>| {
            view.copy_payload(&mut payload);
            Ok(view.kind() == kind && view.tree() == self.tree.tree)
        })?;
        if ours {
            Ok(payload)
        } else {
            Err(self.tree.nonsense(page, Nonsense("not a page of this tree and kind")))
        }
    }
}

/// What is wrong with a leaf's records: the leaf itself, or something that they refer to.
enum Problem {
    Nonsense(Nonsense),
    Tree(TreeError),
}

impl From<Nonsense> for Problem {
    fn from(nonsense: Nonsense) -> Self {
        Problem::Nonsense(nonsense)
    }
}

impl From<TreeError> for Problem {
    fn from(error: TreeError) -> Self {
        Problem::Tree(error)
    }
}
