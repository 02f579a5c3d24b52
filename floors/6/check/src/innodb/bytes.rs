//! Big-endian numbers in a page, and whether bytes are all zero.

/// Two bytes at `at`, which the caller knows to be inside.
pub fn be16(page: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([page[at], page[at + 1]])
}

/// Four bytes at `at`.
pub fn be32(page: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([page[at], page[at + 1], page[at + 2], page[at + 3]])
}

/// Eight bytes at `at`.
pub fn be64(page: &[u8], at: usize) -> u64 {
    u64::from(be32(page, at)) << 32 | u64::from(be32(page, at + 4))
}

/// Whether there is nothing but zeros.
pub fn is_zero(bytes: &[u8]) -> bool {
    let (blocks, rest) = bytes.as_chunks::<64>();
    blocks.iter().all(|block| *block == [0; 64]) && rest.iter().all(|byte| *byte == 0)
}
