//! Pages that pass their checksum and still say nonsense: what the tree makes of them.

use std::ops::Bound;

use pages::{Kind, PAYLOAD_SIZE, PoolOptions, Store, TreeNo};
use tree::{Action, Direction, Tree};

const TREE: TreeNo = TreeNo(1);
/// Pages of the tree; the first is the root.
const PAGES: usize = 4;

fn store() -> Store {
    let options =
        PoolOptions { pool_bytes: 1 << 20, max_pages: 1024, extent_min: 1 << 20, ..PoolOptions::default() };
    Store::in_memory(&options).expect("a small store opens")
}

/// Takes `data` as the payloads of the pages of a tree, a payload each, and reads, checks and changes the tree.
pub fn run(data: &[u8]) {
    let store = store();
    let tree = Tree::create(&store, TREE).expect("an empty tree");
    let mut pages = vec![tree.root()];
    while pages.len() < PAGES {
        pages.push(store.alloc(TREE, Kind(1)).expect("room for a page").page());
    }
    for (page, payload) in pages.iter().zip(data.chunks(PAYLOAD_SIZE)) {
        store.lock(*page).expect("a page in the pool").write_at(0, payload);
    }
    let mut value = Vec::new();
    for key in [&b""[..], b"key000010", b"key000190x", &[0xFF; 40]] {
        let _ = tree.get(key, &mut value);
        let _ = tree.range_estimate(Bound::Included(key), Bound::Unbounded);
    }
    for direction in [Direction::Forward, Direction::Backward] {
        let mut cursor = tree.cursor(Bound::Unbounded, Bound::Unbounded, direction);
        let mut key = Vec::new();
        // A tree of so few pages holds no more keys than bytes; nonsense must not go round for ever.
        let mut keys = 0;
        while let Ok(true) = cursor.next(&tree, &mut key, &mut value) {
            keys += 1;
            assert!(keys < PAGES * PAYLOAD_SIZE, "the cursor goes round");
        }
    }
    let _ = tree.check();
    let _ = tree.upsert(b"key000010", |_| Action::put(&b"new"[..]));
    let _ = tree.upsert(b"key000020", |_| Action::Delete);
    let _ = tree.upsert(b"long", |_| Action::put(vec![1; 9000]));
}

/// A tree of some rows, and an empty one.
pub fn seeds() -> Vec<Vec<u8>> {
    let full = |keys: usize, bytes: usize| {
        let store = store();
        let tree = Tree::create(&store, TREE).expect("an empty tree");
        for key in 0..keys {
            let value = vec![b'v'; bytes];
            tree.upsert(format!("key{key:06}").as_bytes(), |_| Action::put(&value[..]))
                .expect("room for a row");
        }
        let mut seed = Vec::new();
        for page in (tree.root().0..).take(PAGES) {
            let mut payload = [0; PAYLOAD_SIZE];
            let copied = store.read(pages::PageNo(page), |view| {
                view.copy_payload(&mut payload);
                Ok(())
            });
            if copied.is_err() {
                break;
            }
            seed.extend(payload);
        }
        seed
    };
    vec![full(0, 0), full(20, 30), full(200, 100), full(3, 9000)]
}
