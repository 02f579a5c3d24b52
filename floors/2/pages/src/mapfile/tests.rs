//! Map blocks and page images as bytes.

use super::*;
use platform::sim::Rng;

fn chunk(rng: &mut Rng) -> Box<Chunk> {
    let mut chunk = Box::new([Entry::FREE; CHUNK_PAGES]);
    for entry in chunk.iter_mut() {
        let mut word = || rng.next_u64() as u32;
        *entry = Entry { slot: word(), tree: word(), crc: word(), generation: word() };
    }
    chunk
}

#[test]
fn blocks_decode_to_what_was_encoded() {
    let mut rng = Rng::new(1);
    let entries = chunk(&mut rng);
    let (image, crc) = encode_chunk(77, &entries, 5);
    let at = BlockRef { slots: [1, 2], crc, generation: 5 };
    assert_eq!(check_block(&image, 77, KIND_CHUNK, &at), Ok(()));
    assert!(decode_chunk(&image) == entries);
    assert!(check_block(&image, 78, KIND_CHUNK, &at).is_err());
    assert!(check_block(&image, 77, KIND_ROOT, &at).is_err());
    assert!(check_block(&image, 77, KIND_CHUNK, &BlockRef { generation: 4, ..at }).is_err());

    let mut root: Box<Root> = Box::new([BlockRef::default(); ROOT_CHUNKS]);
    root[3] = at;
    let (image, crc) = encode_root(2, &root, 6);
    let at = BlockRef { crc, generation: 6, ..at };
    assert_eq!(check_block(&image, 2, KIND_ROOT, &at), Ok(()));
    assert!(decode_root(&image) == root);
}

/// Any changed byte of a block or a page is noticed, also when its own checksum was made right again.
#[test]
fn changed_images_do_not_pass() {
    let mut rng = Rng::new(2);
    let (block, crc) = encode_chunk(1, &chunk(&mut rng), 5);
    let at = BlockRef { slots: [1, 2], crc, generation: 5 };
    let mut page_image = vec![0; PAGE_SIZE];
    rng.fill(&mut page_image);
    put_u32(&mut page_image, AT_PAGE, 9);
    put_u32(&mut page_image, page::AT_TREE, 4);
    page_image[AT_VERSION] = PAGE_VERSION;
    let crc = page::seal(&mut page_image, Slot(33), 5);
    let expected = Expected { page: PageNo(9), tree: TreeNo(4), slot: Slot(33), crc, generation: 5 };
    assert_eq!(page::check(&page_image, &expected), Ok(()));
    for round in 0..5_000 {
        let offset = if round % 2 == 0 { rng.below(40) } else { rng.below(PAGE_SIZE as u64) } as usize;
        let change = 1 + rng.below(255) as u8;
        for (image, is_page) in [(&block, false), (&page_image, true)] {
            let judge = |image: &[u8]| match is_page {
                true => page::check(image, &expected),
                false => check_block(image, 1, KIND_CHUNK, &at),
            };
            let mut image = image.clone();
            image[offset] ^= change;
            assert!(matches!(judge(&image), Err(Wrong::Checksum { .. })), "byte {offset}");
            let sum = checksum::crc32c(&image[4..]).to_le_bytes();
            image[..4].copy_from_slice(&sum);
            // Only a changed checksum field itself is undone by this.
            assert!(judge(&image).is_err() || offset < 4, "byte {offset} with a checksum to match");
        }
    }
}
