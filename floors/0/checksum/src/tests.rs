use proptest::prelude::*;

use super::*;

/// Bytes that repeat nowhere near, from a small generator.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    (0..len)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 56) as u8
        })
        .collect()
}

fn check_against_definition<P: Polynomial>(kernel: Kernel) {
    let data = noise(4096 + 64);
    // The register after each prefix, bit by bit, once; every kernel must agree at every length.
    for start in [0, 1, 3, 7, 8, 15, 31, 33] {
        let mut expected = Crc::<P>::resume(0x1234_5678);
        for len in 0..=4096 {
            let found = Crc::<P>::resume(0x1234_5678).update_with(kernel, &data[start..start + len]);
            assert_eq!(found, expected, "{kernel:?}, {len} bytes at {start}");
            expected = expected.update_with(Kernel::Bitwise, &data[start + len..=start + len]);
        }
    }
}

#[test]
fn every_kernel_agrees_with_the_definition_at_every_length() {
    Kernel::available::<Ieee>().skip(1).for_each(check_against_definition::<Ieee>);
    Kernel::available::<Castagnoli>().skip(1).for_each(check_against_definition::<Castagnoli>);
}

#[test]
fn every_kernel_agrees_on_long_data() {
    fn check<P: Polynomial>(kernel: Kernel, data: &[u8]) {
        // Around what the kernels take at a time, and where a second and a third turn begin.
        let lengths =
            (4000..4700).chain([16_384, 65_279, 65_280, 65_281, 68_351, 68_352, 68_353, 130_560, 200_000]);
        for (at, len) in lengths.enumerate() {
            let data = &data[at % 67..][..len];
            let expected = Crc::<P>::resume(7).update_with(Kernel::Slicing, data);
            assert_eq!(Crc::<P>::resume(7).update_with(kernel, data), expected, "{kernel:?}, {len} bytes");
        }
    }
    let data = noise(200_100);
    Kernel::available::<Ieee>().skip(2).for_each(|kernel| check::<Ieee>(kernel, &data));
    Kernel::available::<Castagnoli>().skip(2).for_each(|kernel| check::<Castagnoli>(kernel, &data));
}

#[test]
fn known_sums() {
    // The check values of the catalogue of parametrised CRCs, and the iSCSI examples of RFC 3720, B.4.
    for kernel in Kernel::available::<Ieee>() {
        assert_eq!(Crc32::new().update_with(kernel, b"123456789").value(), 0xCBF4_3926);
    }
    for kernel in Kernel::available::<Castagnoli>() {
        let sum = |data: &[u8]| Crc32c::new().update_with(kernel, data).value();
        assert_eq!(sum(b"123456789"), 0xE306_9283);
        assert_eq!(sum(&[0; 32]), 0x8A91_36AA);
        assert_eq!(sum(&[0xFF; 32]), 0x62A8_AB43);
        assert_eq!(sum(&(0..32).collect::<Vec<u8>>()), 0x46DD_794E);
    }
    assert_eq!((crc32(b""), crc32c(b"")), (0, 0));
}

#[test]
fn the_ieee_sum_agrees_with_crc32fast() {
    let data = noise(1 << 18);
    for len in (0..=4096).chain([16_384, 65_535, 65_536, 1 << 18]) {
        assert_eq!(crc32(&data[..len]), crc32fast::hash(&data[..len]), "{len}");
    }
}

proptest! {
    #[test]
    fn parts_combine_to_the_whole(data in proptest::collection::vec(any::<u8>(), 0..2000), cut in any::<prop::sample::Index>()) {
        let cut = cut.index(data.len() + 1);
        let (a, b) = data.split_at(cut);
        prop_assert_eq!(Crc32::combine(crc32(a), crc32(b), b.len() as u64), crc32(&data));
        prop_assert_eq!(Crc32c::combine(crc32c(a), crc32c(b), b.len() as u64), crc32c(&data));
        prop_assert_eq!(Crc32::resume(crc32(a)).update(b).value(), crc32(&data));
    }

    #[test]
    fn appended_zeros_count(data in proptest::collection::vec(any::<u8>(), 0..50), zeros in 0..5000_usize) {
        let mut whole = data.clone();
        whole.resize(data.len() + zeros, 0);
        prop_assert_eq!(Crc32::new().update(&data).update_zeros(zeros as u64).value(), crc32(&whole));
        prop_assert_eq!(Crc32c::new().update(&data).update_zeros(zeros as u64).value(), crc32c(&whole));
    }

    #[test]
    fn far_apart_parts_combine_in_any_order(a: u32, b: u32, c: u32, len_b: u64, len_c in 0..u64::MAX / 4) {
        let len_b = len_b / 4;
        let left = Crc32c::combine(Crc32c::combine(a, b, len_b), c, len_c);
        let right = Crc32c::combine(a, Crc32c::combine(b, c, len_c), len_b + len_c);
        prop_assert_eq!(left, right);
    }
}

#[test]
fn a_flipped_bit_is_found_by_the_difference_of_the_sums() {
    fn all<P: crate::Polynomial>() {
        let data: Vec<u8> = (0..97_u8).map(|n| n.wrapping_mul(151)).collect();
        let sum = |data: &[u8]| Crc::<P>::new().update(data).value();
        for bit in 0..data.len() * 8 {
            let mut other = data.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            let found = Crc::<P>::flipped_bit(sum(&data) ^ sum(&other), data.len() as u64);
            assert_eq!(found, Some(((bit / 8) as u64, (bit % 8) as u8)));
        }
        assert_eq!(Crc::<P>::flipped_bit(0, 97), None);
        assert_eq!(Crc::<P>::flipped_bit(sum(b"a") ^ sum(b"b"), 0), None);
    }
    all::<crate::Ieee>();
    all::<crate::Castagnoli>();
}
