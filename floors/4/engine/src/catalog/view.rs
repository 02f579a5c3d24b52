//! A view as it is used: its definition and the lock of its name.

use crate::lock::metadata::NameLock;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use types::ViewDef;

/// A view. Immutable; DDL makes another one and marks this one as gone.
pub struct View {
    def: ViewDef,
    pub(crate) lock: Arc<NameLock>,
    gone: AtomicBool,
}

impl std::fmt::Debug for View {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "View({}.{})", self.def.db, self.def.name)
    }
}

impl View {
    pub(crate) fn new(def: ViewDef, lock: Arc<NameLock>) -> View {
        View { def, lock, gone: AtomicBool::new(false) }
    }

    /// The definition.
    pub fn def(&self) -> &ViewDef {
        &self.def
    }

    /// Whether no DDL has replaced or dropped this version. Certain only while its name is held.
    pub fn is_current(&self) -> bool {
        !self.gone.load(Ordering::Acquire)
    }

    /// DDL has replaced this version. Called under its exclusive name.
    pub(crate) fn mark_gone(&self) {
        self.gone.store(true, Ordering::Release);
    }
}
