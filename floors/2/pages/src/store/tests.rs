//! The store's calls, one at a time.

use super::*;

fn small() -> Store {
    let options =
        PoolOptions { pool_bytes: 64 * PAGE_SIZE as u64, max_pages: 1 << 16, ..PoolOptions::default() };
    Store::in_memory(&options).unwrap()
}

#[test]
fn a_page_reads_as_it_was_written() {
    let store = small();
    let mut page = store.alloc(TreeNo(7), Kind(3)).unwrap();
    let number = page.page();
    assert!(page.iter().all(|&byte| byte == 0));
    page.write_at(5, b"hello");
    page.put_u32(100, 0xDEAD_BEEF);
    page.move_within(5, 7, 5);
    page.edit(200, 2, |two| two[1] = 9);
    assert_eq!(&page[5..12], b"hehello");
    drop(page);
    let found = store.read(number, |view| {
        let mut bytes = [0; 7];
        view.copy_out(5, &mut bytes);
        Ok((bytes, view.u32_at(100), view.u8_at(201), view.kind(), view.tree()))
    });
    assert_eq!(found.unwrap(), (*b"hehello", 0xDEAD_BEEF, 9, Kind(3), TreeNo(7)));
}

#[test]
fn a_look_is_valid_until_the_page_changes() {
    let store = small();
    let number = store.alloc(TreeNo(1), Kind(1)).unwrap().page();
    let first = store.optimistic(number).unwrap();
    // A latch under which nothing changed leaves the version.
    drop(store.lock(number).unwrap());
    assert!(first.validate());
    store.lock(number).unwrap().put_u8(0, 1);
    assert!(!first.validate());
    assert!(first.upgrade().is_none());
    let second = store.optimistic(number).unwrap();
    let latched = second.upgrade().unwrap();
    assert!(!second.validate(), "a latched page may be changing");
    drop(latched);
    assert!(second.validate());
}

#[test]
fn a_freed_page_is_gone_and_its_number_used_again() {
    let store = small();
    let number = store.alloc(TreeNo(1), Kind(1)).unwrap().page();
    let look = store.optimistic(number).unwrap();
    store.free(store.lock(number).unwrap());
    assert!(!look.validate());
    assert!(matches!(store.optimistic(number), Err(PageError::NotAllocated(_))));
    assert_eq!(store.trees(), []);
    let again = store.alloc(TreeNo(2), Kind(1)).unwrap();
    assert_eq!(again.page(), number);
    assert_eq!(store.trees(), [(TreeNo(2), 1)]);
}

#[test]
fn a_tree_goes_with_all_its_pages_wherever_they_lie() {
    let pages = 5 * crate::map::CHUNK_PAGES;
    let options = PoolOptions {
        pool_bytes: (pages + 64) as u64 * PAGE_SIZE as u64,
        max_pages: 1 << 16,
        ..PoolOptions::default()
    };
    let store = Store::in_memory(&options).unwrap();
    let mut of_three = 0;
    for n in 0..pages {
        // Tree 3 has pages in the second chunk and in the fourth.
        let chunk = (n + 1) / crate::map::CHUNK_PAGES;
        let tree = if n % 7 == 0 && (chunk == 1 || chunk == 3) { 3 } else { 1 + n as u32 % 2 };
        of_three += u64::from(tree == 3);
        store.alloc(TreeNo(tree), Kind(1)).unwrap();
    }
    assert_eq!(store.free_tree(TreeNo(3)).unwrap(), of_three);
    assert_eq!(store.free_tree(TreeNo(3)).unwrap(), 0);
    let left = |tree| store.tree_pages(TreeNo(tree));
    assert_eq!((left(1) + left(2), left(3)), (pages as u64 - of_three, 0));
    assert_eq!(
        store.free_tree(TreeNo(1)).unwrap() + store.free_tree(TreeNo(2)).unwrap(),
        pages as u64 - of_three
    );
    assert_eq!(store.trees(), []);
}
