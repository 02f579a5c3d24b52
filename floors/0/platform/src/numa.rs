//! On which NUMA nodes memory lies: spreading it over them, and reading back where the kernel put it.
//!
//! Policies are wishes about pages that are not there yet; [`bytes_by_node`] tells what came of them.

use std::collections::BTreeMap;
use std::io;
use std::marker::PhantomData;
use std::ops::Range;

use crate::topology::Topology;

#[cfg(test)]
mod tests;

/// Pages go where the thread runs that touches them first.
const MPOL_DEFAULT: libc::c_ulong = 0;
/// Pages go over the nodes of a mask in turn.
const MPOL_INTERLEAVE: libc::c_ulong = 3;

/// What became of the wish to spread memory over nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spread {
    /// Nobody wished it, or there is one node only.
    #[default]
    No,
    /// Pages go over so many nodes in turn.
    Over(usize),
    /// The kernel refused, with this error number; pages go where they are touched first.
    Refused(i32),
}

/// Spreads the pages of a mapping that are not there yet over the nodes that this process may use.
///
/// The range is of mappings of the caller's; a range that is not mapped is refused.
pub(crate) fn spread(start: *const u8, len: usize) -> Spread {
    over_nodes(|mask, bits| {
        // SAFETY: a policy changes no byte; the kernel reads `bits - 1` bits of the mask.
        unsafe {
            let (len, flags) = (len as libc::c_ulong, 0 as libc::c_ulong);
            libc::syscall(libc::SYS_mbind, start, len, MPOL_INTERLEAVE, mask.as_ptr(), bits, flags)
        }
    })
}

/// While this lives, memory that the current thread touches first goes over all nodes in turn: for tables that all
/// cores share and that one thread makes.
#[derive(Debug)]
pub struct SpreadThread {
    spread: Spread,
    /// The policy is the thread's own.
    here: PhantomData<*const ()>,
}

impl SpreadThread {
    /// Begins; does nothing where there is one node.
    #[must_use]
    pub fn begin() -> SpreadThread {
        let spread = over_nodes(|mask, bits| {
            // SAFETY: a policy changes no byte; the kernel reads `bits - 1` bits of the mask.
            unsafe { libc::syscall(libc::SYS_set_mempolicy, MPOL_INTERLEAVE, mask.as_ptr(), bits) }
        });
        SpreadThread { spread, here: PhantomData }
    }

    /// What became of it.
    #[must_use]
    pub fn spread(&self) -> Spread {
        self.spread
    }
}

impl Drop for SpreadThread {
    fn drop(&mut self) {
        if let Spread::Over(_) = self.spread {
            // SAFETY: as in `begin`; an empty mask is what the default policy wants.
            unsafe { libc::syscall(libc::SYS_set_mempolicy, MPOL_DEFAULT, std::ptr::null::<u64>(), 0_u64) };
        }
    }
}

/// Calls with the mask of this process's nodes and the bits that the kernel is to read of it, if there are two.
fn over_nodes(set: impl FnOnce(&[libc::c_ulong], libc::c_ulong) -> libc::c_long) -> Spread {
    let nodes = Topology::discover().nodes;
    if nodes.len() < 2 {
        return Spread::No;
    }
    let highest = nodes.iter().map(|node| node.number).max().unwrap_or(0);
    let mut mask = vec![0 as libc::c_ulong; highest / 64 + 1];
    for node in &nodes {
        mask[node.number / 64] |= 1 << (node.number % 64);
    }
    // The kernel takes one bit off.
    match set(&mask, (mask.len() * 64 + 1) as libc::c_ulong) {
        0 => Spread::Over(nodes.len()),
        _ => Spread::Refused(io::Error::last_os_error().raw_os_error().unwrap_or(0)),
    }
}

/// The bytes of a range of this process's memory on each node, as `/proc/self/numa_maps` has them: of whole mappings that
/// begin in the range. Empty where the kernel does not tell.
#[must_use]
pub fn bytes_by_node(range: Range<usize>) -> BTreeMap<usize, u64> {
    let maps = std::fs::read_to_string("/proc/self/numa_maps").unwrap_or_default();
    count_by_node(&maps, range)
}

/// Sums lines such as `7f0000000000 interleave:0-1 anon=1024 dirty=1024 N0=512 N1=512 kernelpagesize_kB=4`.
fn count_by_node(maps: &str, range: Range<usize>) -> BTreeMap<usize, u64> {
    let mut bytes = BTreeMap::new();
    for line in maps.lines() {
        let mut words = line.split(' ');
        let start = words.next().and_then(|word| usize::from_str_radix(word, 16).ok());
        if !start.is_some_and(|start| range.contains(&start)) {
            continue;
        }
        let values: Vec<(&str, u64)> = words
            .filter_map(|word| word.split_once('='))
            .filter_map(|(name, value)| Some((name, value.parse().ok()?)))
            .collect();
        let page =
            values.iter().find(|(name, _)| *name == "kernelpagesize_kB").map_or(4, |(_, kib)| *kib) << 10;
        for (name, pages) in &values {
            if let Some(node) = name.strip_prefix('N').and_then(|number| number.parse::<usize>().ok()) {
                *bytes.entry(node).or_default() += pages * page;
            }
        }
    }
    bytes
}
