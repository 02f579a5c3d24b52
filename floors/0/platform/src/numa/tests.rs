use super::*;
use crate::mem::{Region, RegionOptions};

#[test]
fn lines_of_the_range_are_summed_by_node() {
    let maps = "7f0000000000 interleave:0-1 anon=1024 dirty=1024 active=0 N0=512 N1=512 kernelpagesize_kB=4\n\
                7f0000400000 default anon=3 dirty=3 N1=3 kernelpagesize_kB=2048\n\
                7f0000a00000 default file=/lib/x.so mapped=7 N0=7 kernelpagesize_kB=4\n\
                55aa00000000 default\n";
    let range = 0x7f00_0000_0000..0x7f00_00a0_0000;
    assert_eq!(count_by_node(maps, range), BTreeMap::from([(0, 2 << 20), (1, (2 << 20) + (6 << 20))]));
    assert_eq!(count_by_node(maps, 0..1), BTreeMap::new());
}

#[test]
fn what_was_touched_lies_somewhere() {
    let region = Region::new(8 << 20, RegionOptions { huge_pages: false, interleave: true }).unwrap();
    region.populate(0..4 << 20, &Topology::discover().cpus[..1]).unwrap();
    let start = region.as_ptr() as usize;
    let found = bytes_by_node(start..start + region.len());
    // A kernel without NUMA has no such file; under qemu's user mode it is the emulator's, with other addresses.
    let maps = std::fs::read_to_string("/proc/self/numa_maps").unwrap_or_default();
    if !maps.is_empty() && !maps.contains("/qemu-") {
        assert_eq!(found.values().sum::<u64>(), 4 << 20, "{found:?}");
    }
}

#[test]
fn spreading_what_one_node_has_is_nothing() {
    let spread = SpreadThread::begin().spread();
    match Topology::discover().nodes.len() {
        1 => assert_eq!(spread, Spread::No),
        nodes => {
            assert!(matches!(spread, Spread::Over(n) if n == nodes) || matches!(spread, Spread::Refused(_)))
        }
    }
}
