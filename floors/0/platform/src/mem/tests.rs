use super::*;
use crate::topology::Topology;

fn write(region: &Region, offset: usize, byte: u8) {
    assert!(offset < region.len());
    // SAFETY: inside the region, committed by the test, and only this thread uses it.
    unsafe { region.as_ptr().add(offset).write(byte) }
}

fn read(region: &Region, offset: usize) -> u8 {
    assert!(offset < region.len());
    // SAFETY: as above.
    unsafe { region.as_ptr().add(offset).read() }
}

#[test]
fn a_region_is_aligned_zeroed_and_writable() {
    let region = Region::new(3 << 20, RegionOptions::default()).unwrap();
    assert_eq!(region.len(), 4 << 20);
    assert!((region.as_ptr() as usize).is_multiple_of(HUGE_PAGE));
    for offset in [0, 12_345, (4 << 20) - 1] {
        assert_eq!(read(&region, offset), 0);
        write(&region, offset, 7);
        assert_eq!(read(&region, offset), 7);
    }
    region.populate(0..region.len(), &Topology::discover().cpus).unwrap();
    assert_eq!(read(&region, 12_345), 7, "populating keeps what is there");
}

#[test]
fn huge_reservations_cost_nothing_until_committed() {
    let region = Region::reserve(1 << 40, RegionOptions { huge_pages: false, interleave: true }).unwrap();
    let last = region.len() - HUGE_PAGE;
    region.commit(last..region.len()).unwrap();
    write(&region, last, 1);
    assert_eq!(read(&region, last), 1);
    // SAFETY: nobody else uses the region.
    unsafe { region.discard(last..region.len()) }.unwrap();
    assert_eq!(read(&region, last), 0);
}

#[test]
fn ranges_outside_are_refused() {
    let region = Region::new(1, RegionOptions::default()).unwrap();
    let len = region.len();
    assert!(region.commit(0..len + 1).is_err());
    // SAFETY: as above.
    assert!(unsafe { region.discard(0..len + page_size()) }.is_err());
    assert!(region.populate(len..len + 1, &[]).is_err());
    assert!(Region::reserve(usize::MAX, RegionOptions::default()).is_err());
}

#[test]
fn wishes_are_reported() {
    let region = Region::reserve(1, RegionOptions { huge_pages: false, interleave: false }).unwrap();
    assert_eq!(region.report(), RegionReport::default());
    let nodes = Topology::discover().nodes.len();
    let region = Region::reserve(1, RegionOptions::default()).unwrap();
    match region.report().spread {
        Spread::Over(spread) => assert!(nodes > 1 && spread == nodes),
        Spread::No => assert_eq!(nodes, 1),
        Spread::Refused(errno) => assert!(errno > 0),
    }
}
