//! What can go wrong with a tree.

use std::fmt;

use pages::{PageError, PageNo, TreeNo};

use crate::node::{KEY_MAX, Nonsense};
use crate::overflow::VALUE_MAX;

/// This room's results.
pub type Result<T, E = TreeError> = std::result::Result<T, E>;

/// Errors of a tree.
#[derive(Debug)]
pub enum TreeError {
    /// A page could not be had.
    Page(PageError),
    /// A page came whole from the store, but what it says contradicts itself or its neighbours.
    Corrupt {
        /// The tree.
        tree: TreeNo,
        /// The page.
        page: PageNo,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A key beyond [`KEY_MAX`].
    KeyTooLong {
        /// Its length.
        bytes: usize,
    },
    /// A value beyond [`VALUE_MAX`].
    ValueTooLong {
        /// Its length.
        bytes: usize,
    },
    /// A change of a tree that has no page yet.
    NotPlanted(TreeNo),
    /// A bulk load into a tree that holds something.
    NotEmpty(TreeNo),
    /// A bulk load from keys that do not ascend strictly.
    OutOfOrder(TreeNo),
}

impl TreeError {
    pub(crate) fn corrupt(tree: TreeNo, page: PageNo, nonsense: Nonsense) -> TreeError {
        TreeError::Corrupt { tree, page, reason: nonsense.0 }
    }
}

impl From<PageError> for TreeError {
    fn from(error: PageError) -> Self {
        TreeError::Page(error)
    }
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TreeError::Page(error) => error.fmt(f),
            TreeError::Corrupt { tree, page, reason } => write!(f, "read tree {tree}: page {page}: {reason}"),
            TreeError::KeyTooLong { bytes } => write!(f, "store key: {bytes} bytes, at most {KEY_MAX} fit"),
            TreeError::ValueTooLong { bytes } => {
                write!(f, "store value: {bytes} bytes, at most {VALUE_MAX} fit")
            }
            TreeError::NotPlanted(tree) => write!(f, "change tree {tree}: it has no page"),
            TreeError::NotEmpty(tree) => write!(f, "load tree {tree}: it is not empty"),
            TreeError::OutOfOrder(tree) => write!(f, "load tree {tree}: keys do not ascend"),
        }
    }
}

impl std::error::Error for TreeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            TreeError::Page(error) => Some(error),
            TreeError::Corrupt { .. }
            | TreeError::KeyTooLong { .. }
            | TreeError::ValueTooLong { .. }
            | TreeError::NotPlanted(_)
            | TreeError::NotEmpty(_)
            | TreeError::OutOfOrder(_) => None,
        }
    }
}
