//! Page file, page map, buffer pool, latches, eviction, shadow checkpoints.
//!
//! A [`Store`] keeps numbered pages of [`PAGE_SIZE`] bytes, each owned by a tree. `pages` does not know what a row, a
//! key or a transaction is: a page's payload is bytes, the checkpoint's `meta` is bytes.
//!
//! # How to read and change pages
//!
//! - [`Store::read`] and [`Store::optimistic`] take no latch and write no shared memory: they copy out through a
//!   [`PageView`] and then ask whether what they copied is one state of the page. Until that answer everything copied
//!   may be garbage; a view never reads outside its page.
//! - [`Store::lock`] (or [`Optimistic::upgrade`]) gives a [`PageMut`], the exclusive latch. It reads as `&[u8]`; it
//!   writes by methods ([`PageMut::write_at`], [`PageMut::move_within`], ...), because readers without a latch may be
//!   looking: every store into a frame is a relaxed atomic one of a whole aligned word, so there is no data race.
//! - Anything that may wait (`lock`, `read`, `optimistic`, `load`, `alloc`, `free_tree`, `checkpoint`) is called with
//!   no latch held. With latches held there are [`Store::try_lock_resident`] and [`Store::try_alloc`]; when they say
//!   no: let go, [`Store::load`] or [`Store::make_room`], start again.
//!
//! ```
//! use pages::{Kind, PoolOptions, Store, TreeNo};
//! # let dir = platform::sim::Disk::new(1).dir();
//! # let options = PoolOptions { max_pages: 1 << 16, extent_min: 1 << 20, ..PoolOptions::default() };
//! let (store, _) = Store::create(&dir, &options)?;
//! let mut page = store.alloc(TreeNo(1), Kind(1))?;
//! let number = page.page();
//! page.write_at(100, b"bytes");
//! drop(page);
//! assert_eq!(store.read(number, |view| Ok(view.u8_at(100)))?, b'b');
//! store.checkpoint(|_| b"log position".to_vec())?;
//! # drop(store);
//! let (store, report) = Store::open(&dir, &options)?;
//! assert_eq!(report.meta, b"log position");
//! assert_eq!(&store.lock(number)?[100..105], b"bytes");
//! # Ok::<(), pages::PageError>(())
//! ```
//!
//! # Ranks
//!
//! A page latch has the rank of this floor; latches of several pages may be held together (the order among them is
//! the tree's matter). Inside: page latch, then map lock, then slot lock, then copies lock; none is held while
//! waiting.
//!
//! # Durability
//!
//! What [`Store::checkpoint`] wrote is what [`Store::open`] finds: all pages as they were when the generation was
//! closed, none of the later changes. See the head of `checkpoint` and `docs/on-disk-format.md`.

/// This room's floor: the rank of its latches.
pub(crate) const FLOOR: u8 = 2;

mod ahead;
mod buffer;
mod checkpoint;
mod counters;
mod error;
mod evict;
mod exclusive;
mod frames;
mod inspect;
mod latch;
mod load;
mod map;
mod mapfile;
mod open;
mod page;
mod slots;
mod store;
mod superblock;
mod view;
mod words;

pub use ahead::ReadAhead;
pub use checkpoint::{CheckpointReport, Close};
pub use counters::Counters;
pub use error::{Damage, PageError, Result, Wrong};
pub use exclusive::PageMut;
pub use frames::Placement;
pub use inspect::{Inspection, PagePlace, inspect, is_page_file};
pub use open::{FILE_NAME, OpenReport};
pub use page::{HEADER_SIZE, Kind, PAGE_SIZE, PAYLOAD_SIZE, PageNo, TreeNo};
pub use store::{DirectIo, Look, NotResident, Optimistic, PoolOptions, Retry, Store};
pub use view::PageView;
