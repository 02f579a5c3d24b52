//! What is left of a block's names once it is bound: the places in its row.

use super::scope::Scope;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// The places in a bound block's row, and the order that is wanted of its tables.
pub struct Places {
    level: u32,
    /// How many there are.
    pub width: u32,
    used: Vec<bool>,
    straight: Vec<(BTreeSet<u32>, BTreeSet<u32>)>,
    in_order: bool,
}

impl Scope<'_> {
    /// What planning the block asks for once it is bound.
    pub fn places(&self) -> Places {
        Places {
            level: self.level,
            width: self.width.get(),
            used: self.used.borrow().clone(),
            straight: self.straight.clone(),
            in_order: self.in_order,
        }
    }

    /// The block as planning asks for it.
    pub fn of_places(places: Places) -> Scope<'static> {
        Scope {
            width: Cell::new(places.width),
            used: RefCell::new(places.used),
            straight: places.straight,
            in_order: places.in_order,
            ..Scope::new(None, places.level)
        }
    }
}
