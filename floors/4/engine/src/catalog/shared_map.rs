//! An ordered map whose copies share what they have in common: a tree of small nodes, copied on the way to a change.
//!
//! ```text
//! copy A --> [   *   |   *   ]          copy B --> [   *   |   *'  ]     one key put into B: the nodes on the way to
//!              leaf     leaf                         (A's)    leaf'      it are its own
//! ```
//!
//! A copy costs a counter; a change of a copy costs the nodes on one way down, some hundred words whatever the number of
//! entries. The catalog is such maps: each DDL makes a catalog of its own, whatever else there is.

use std::borrow::Borrow;
use std::slice;
use std::sync::Arc;

/// Most entries of a node.
const NODE_MAX: usize = 32;
/// Neighbours of no more entries together become one.
const NODE_JOIN: usize = NODE_MAX / 2;

/// None is empty, and all leaves are equally deep.
#[derive(Clone, Debug)]
enum Node<K, V> {
    Leaf(Vec<(K, V)>),
    /// Each child behind a bound: its keys are no greater, those of the next child are.
    Inner(Vec<Child<K, V>>),
}

type Child<K, V> = (K, Arc<Node<K, V>>);

/// An ordered map; see the module head.
#[derive(Debug)]
pub struct SharedMap<K, V> {
    root: Option<Arc<Node<K, V>>>,
    len: usize,
}

impl<K, V> Clone for SharedMap<K, V> {
    fn clone(&self) -> Self {
        SharedMap { root: self.root.clone(), len: self.len }
    }
}

impl<K, V> Default for SharedMap<K, V> {
    fn default() -> Self {
        SharedMap { root: None, len: 0 }
    }
}

impl<K: Ord + Clone, V: Clone> SharedMap<K, V> {
    /// Entries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let mut node = self.root.as_deref()?;
        loop {
            match node {
                Node::Leaf(entries) => {
                    let at = entries.binary_search_by(|(k, _)| k.borrow().cmp(key)).ok()?;
                    return Some(&entries[at].1);
                }
                Node::Inner(children) => node = &children.get(position(children, key))?.1,
            }
        }
    }

    /// Whether a key has a value.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.get(key).is_some()
    }

    /// Sets the value of a key; gives the one before.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let Some(root) = &mut self.root else {
            self.root = Some(Arc::new(Node::Leaf(vec![(key, value)])));
            self.len = 1;
            return None;
        };
        let Inserted { old, split } = insert(root, key, value);
        self.len += usize::from(old.is_none());
        if let Some((bound, right)) = split {
            let last = right.bound().clone();
            *root = Arc::new(Node::Inner(vec![(bound, root.clone()), (last, right)]));
        }
        old
    }

    /// Takes a key's value away.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        // Nothing is copied for a key that is not there.
        if !self.contains_key(key) {
            return None;
        }
        let value = remove(self.root.as_mut()?, key);
        self.len -= 1;
        while let Some(root) = &self.root {
            match &**root {
                Node::Inner(children) if children.len() == 1 => self.root = Some(children[0].1.clone()),
                node if node.len() == 0 => self.root = None,
                _ => break,
            }
        }
        value
    }

    /// All entries by key.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        let mut walk = Walk { above: Vec::new(), leaf: [].iter() };
        self.root.iter().for_each(|root| walk.enter(root));
        walk
    }

    /// The entries from a key on.
    pub fn iter_from<'m, Q: Ord + ?Sized>(
        &'m self,
        key: &Q,
    ) -> impl Iterator<Item = (&'m K, &'m V)> + use<'m, K, V, Q>
    where
        K: Borrow<Q>,
    {
        let mut walk = Walk { above: Vec::new(), leaf: [].iter() };
        let mut node = self.root.as_deref();
        while let Some(here) = node {
            node = match here {
                Node::Leaf(entries) => {
                    walk.leaf = entries[position(entries, key)..].iter();
                    None
                }
                Node::Inner(children) => {
                    let mut rest = children[position(children, key)..].iter();
                    let next = rest.next();
                    walk.above.push(rest);
                    next.map(|(_, child)| &**child)
                }
            };
        }
        walk
    }

    /// All keys, in order.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.iter().map(|(key, _)| key)
    }

    /// All values by key.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }
}

impl<K, V> Node<K, V> {
    fn len(&self) -> usize {
        match self {
            Node::Leaf(entries) => entries.len(),
            Node::Inner(children) => children.len(),
        }
    }

    /// No key in it is greater.
    fn bound(&self) -> &K {
        match self {
            Node::Leaf(entries) => &entries[entries.len() - 1].0,
            Node::Inner(children) => &children[children.len() - 1].0,
        }
    }
}

/// Where the first key (or bound) lies that is not below this one.
fn position<K: Borrow<Q>, T, Q: Ord + ?Sized>(entries: &[(K, T)], key: &Q) -> usize {
    entries.partition_point(|(k, _)| k.borrow() < key)
}

/// What an insertion gives: the value before, and the bound of the node's lower half with the upper half, if it was split.
struct Inserted<K, V> {
    old: Option<V>,
    split: Option<(K, Arc<Node<K, V>>)>,
}

fn insert<K: Ord + Clone, V: Clone>(node: &mut Arc<Node<K, V>>, key: K, value: V) -> Inserted<K, V> {
    match Arc::make_mut(node) {
        Node::Leaf(entries) => {
            let at = position(entries, &key);
            if let Some((_, old)) = entries.get_mut(at).filter(|(k, _)| *k == key) {
                return Inserted { old: Some(std::mem::replace(old, value)), split: None };
            }
            entries.insert(at, (key, value));
            Inserted {
                old: None,
                split: split(entries, at).map(|(bound, right)| (bound, Arc::new(Node::Leaf(right)))),
            }
        }
        Node::Inner(children) => {
            let mut at = position(children, &key);
            if at == children.len() {
                // Behind everything: the last child takes it.
                at -= 1;
                children[at].0 = key.clone();
            }
            let Inserted { old, split: below } = insert(&mut children[at].1, key, value);
            let Some((bound, right)) = below else { return Inserted { old, split: None } };
            let above = std::mem::replace(&mut children[at].0, bound);
            children.insert(at + 1, (above, right));
            let split = split(children, at + 1);
            Inserted { old, split: split.map(|(bound, right)| (bound, Arc::new(Node::Inner(right)))) }
        }
    }
}

/// Splits a node that has become too large by an entry at `at`; gives the bound of what stays and the rest.
fn split<K: Clone, T>(entries: &mut Vec<(K, T)>, at: usize) -> Option<(K, Vec<(K, T)>)> {
    if entries.len() <= NODE_MAX {
        return None;
    }
    // Keys that ascend leave full nodes behind.
    let middle = if at == NODE_MAX { NODE_MAX } else { entries.len() / 2 };
    let right = entries.split_off(middle);
    Some((entries[middle - 1].0.clone(), right))
}

/// Takes a key away that is there.
fn remove<K: Ord + Clone + Borrow<Q>, V: Clone, Q: Ord + ?Sized>(
    node: &mut Arc<Node<K, V>>,
    key: &Q,
) -> Option<V> {
    match Arc::make_mut(node) {
        Node::Leaf(entries) => {
            let at = position(entries, key);
            (at < entries.len()).then(|| entries.remove(at).1)
        }
        Node::Inner(children) => {
            let at = position(children, key);
            let value = remove(&mut children.get_mut(at)?.1, key);
            if children[at].1.len() == 0 {
                children.remove(at);
            } else if !join(children, at) && at > 0 {
                join(children, at - 1);
            }
            value
        }
    }
}

/// Makes one of two neighbours that have few entries together.
fn join<K: Clone, V: Clone>(children: &mut Vec<Child<K, V>>, at: usize) -> bool {
    let few = |next: &Child<K, V>| children[at].1.len() + next.1.len() <= NODE_JOIN;
    if !children.get(at + 1).is_some_and(few) {
        return false;
    }
    let (bound, right) = children.remove(at + 1);
    let (left_bound, left) = &mut children[at];
    *left_bound = bound;
    match (Arc::make_mut(left), &*right) {
        (Node::Leaf(left), Node::Leaf(right)) => left.extend_from_slice(right),
        (Node::Inner(left), Node::Inner(right)) => left.extend_from_slice(right),
        _ => unreachable!("neighbours are equally deep"),
    }
    true
}

/// Entries still to come.
struct Walk<'m, K, V> {
    /// Of each inner node on the way down the children not yet visited.
    above: Vec<slice::Iter<'m, Child<K, V>>>,
    leaf: slice::Iter<'m, (K, V)>,
}

impl<'m, K, V> Walk<'m, K, V> {
    fn enter(&mut self, node: &'m Node<K, V>) {
        match node {
            Node::Leaf(entries) => self.leaf = entries.iter(),
            Node::Inner(children) => self.above.push(children.iter()),
        }
    }
}

impl<'m, K, V> Iterator for Walk<'m, K, V> {
    type Item = (&'m K, &'m V);

    fn next(&mut self) -> Option<(&'m K, &'m V)> {
        loop {
            if let Some((key, value)) = self.leaf.next() {
                return Some((key, value));
            }
            match self.above.last_mut()?.next() {
                Some((_, child)) => self.enter(child),
                None => {
                    self.above.pop();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// The depth of a node whose keys lie behind `below` and up to `bound`.
    fn depth(node: &Node<u16, u32>, below: Option<u16>, bound: u16) -> usize {
        assert!((1..=NODE_MAX).contains(&node.len()));
        match node {
            Node::Leaf(entries) => {
                assert!(
                    entries.iter().all(|(key, _)| below.is_none_or(|below| below < *key) && *key <= bound)
                );
                1
            }
            Node::Inner(children) => {
                let mut below = below;
                let depths: Vec<usize> = children
                    .iter()
                    .map(|(bound, child)| depth(child, below.replace(*bound), *bound))
                    .collect();
                assert!(
                    depths.iter().all(|depth| *depth == depths[0]) && below.is_some_and(|last| last <= bound)
                );
                depths[0] + 1
            }
        }
    }

    fn assert_same(map: &SharedMap<u16, u32>, model: &BTreeMap<u16, u32>) {
        assert!(map.iter().eq(model.iter()));
        assert_eq!(map.len(), model.len());
        map.root.iter().for_each(|root| assert!(depth(root, None, u16::MAX) <= 4));
    }

    proptest! {
        #[test]
        fn it_is_an_ordered_map(changes in prop::collection::vec((0u16..1500, any::<Option<u32>>()), 0..3000)) {
            let (mut map, mut model) = (SharedMap::default(), BTreeMap::new());
            let (mut before, mut model_before) = (map.clone(), model.clone());
            for (n, (key, value)) in changes.into_iter().enumerate() {
                if n % 500 == 0 {
                    (before, model_before) = (map.clone(), model.clone());
                }
                match value {
                    Some(value) => prop_assert_eq!(map.insert(key, value), model.insert(key, value)),
                    None => prop_assert_eq!(map.remove(&key), model.remove(&key)),
                }
                prop_assert_eq!(map.get(&key), model.get(&key));
            }
            assert_same(&map, &model);
            // The copy saw nothing of what came after it.
            assert_same(&before, &model_before);
            for from in [0, 1, 700, 1499, 2000] {
                prop_assert!(map.iter_from(&from).eq(model.range(from..)));
            }
            for key in 0..1500 {
                prop_assert_eq!(map.remove(&key), model.remove(&key));
            }
            assert_same(&map, &model);
        }
    }

    #[test]
    fn keys_that_ascend_fill_their_nodes() {
        fn leaves(node: &Node<u16, u32>) -> usize {
            match node {
                Node::Leaf(_) => 1,
                Node::Inner(children) => children.iter().map(|(_, child)| leaves(child)).sum(),
            }
        }
        let mut map = SharedMap::default();
        (0..5000u16).for_each(|n| assert_eq!(map.insert(n, u32::from(n)), None));
        assert_eq!(map.root.as_deref().map(leaves), Some(5000usize.div_ceil(NODE_MAX)));
        (0..5000u16).rev().for_each(|n| assert_eq!(map.remove(&n), Some(u32::from(n))));
        assert!(map.is_empty() && map.root.is_none());
    }

    #[test]
    fn a_change_of_a_copy_leaves_the_rest_shared() {
        fn own(a: &Arc<Node<u16, u32>>, b: &Arc<Node<u16, u32>>) -> usize {
            match (&**a, &**b) {
                _ if Arc::ptr_eq(a, b) => 0,
                (Node::Inner(a), Node::Inner(b)) => {
                    1 + a.iter().zip(b).map(|(a, b)| own(&a.1, &b.1)).sum::<usize>()
                }
                _ => 1,
            }
        }
        let mut map = SharedMap::default();
        (0..20_000u16).for_each(|n| assert_eq!(map.insert(n, u32::from(n)), None));
        let mut copy = map.clone();
        copy.insert(10_000, 0);
        copy.remove(&10_001);
        let (Some(a), Some(b)) = (&map.root, &copy.root) else { panic!("both have entries") };
        assert!(own(a, b) <= 4, "{} nodes", own(a, b));
    }
}
