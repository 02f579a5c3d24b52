//! Statements looked up before their turn has come, so that what they will read can be brought near together.

use super::plans::CachedPlan;
use super::prepared::Prepared;
use super::{Announced, Session};
use engine::Sighting;
use smallvec::SmallVec;
use std::rc::Rc;
use std::sync::Arc;
use types::Value;

/// A statement looked up before its turn has come: its plan under the settings of that moment, and its parameters.
pub struct Foreseen {
    pub(super) settings: u64,
    pub(super) plan: Rc<CachedPlan>,
    pub(super) params: Vec<Value>,
    pub(super) announced: Announced,
    /// The statement, where it is a prepared one.
    pub(super) prepared: Option<Rc<Prepared>>,
    near: Option<Near>,
}

/// The row that a statement is about, and where it was seen.
struct Near {
    key: Vec<u8>,
    sighting: Option<Sighting>,
}

impl Foreseen {
    /// The key of the row that the statement is about, and where the row was seen, if it is run by this plan.
    pub(super) fn near(&self, plan: &CachedPlan) -> Option<(&[u8], Option<Sighting>)> {
        let near = self.near.as_ref().filter(|_| std::ptr::eq(&*self.plan, plan))?;
        Some((&near.key, near.sighting))
    }
}

impl Session {
    /// Looks a text up among the kept plans without running it.
    pub fn foresee(&mut self, text: &[u8]) -> Option<Foreseen> {
        let under = self.state.plan_settings();
        let (params, plan) = self.state.look_up(under, text)?;
        let announced = Announced::new();
        Some(Foreseen {
            settings: under.settings,
            plan: plan?,
            params,
            announced,
            prepared: None,
            near: None,
        })
    }

    /// The same for a prepared statement that has run before; `params` gives its parameters and their types, given how many
    /// there are.
    pub fn foresee_execute(
        &mut self,
        id: u32,
        params: impl FnOnce(usize) -> Option<(Vec<Value>, Announced)>,
    ) -> Option<Foreseen> {
        let prepared = self.prepared.get(&id)?;
        let (settings, plan) = prepared.kept_plan()?;
        let (params, announced) = params(prepared.parameter_count())?;
        Some(Foreseen { settings, plan, params, announced, prepared: Some(prepared.clone()), near: None })
    }

    /// Has the rows that statements to come read or change brought near, as far as their keys tell which: only a hint.
    pub fn prefetch<'f>(&self, foreseen: impl Iterator<Item = &'f mut Foreseen>) {
        let mut foreseen: SmallVec<[&mut Foreseen; 16]> = foreseen.collect();
        for one in &mut foreseen {
            let mut key = Vec::with_capacity(16);
            if let Some(row) = &one.plan.row
                && row.append_key(&one.params, &self.state, &mut key).is_some()
            {
                one.near = Some(Near { key, sighting: None });
            }
        }
        foreseen.retain(|one| one.near.is_some());
        let table = |one: &Foreseen| one.plan.row.as_ref().map(|row| Arc::as_ptr(&row.table));
        for group in foreseen.chunk_by_mut(|a, b| table(a) == table(b)) {
            let plan = group[0].plan.clone();
            let Some(row) = &plan.row else { continue };
            let Some(pin) = self.state.place.pin(&row.table) else { continue };
            let mut sightings: SmallVec<[Option<Sighting>; 16]> = SmallVec::from_elem(None, group.len());
            let keys = group.iter().filter_map(|one| one.near.as_ref()).map(|near| &near.key[..]);
            self.state.place.prefetch(&pin, keys, |at, sighting| sightings[at] = Some(sighting));
            for (near, sighting) in group.iter_mut().filter_map(|one| one.near.as_mut()).zip(sightings) {
                near.sighting = sighting;
            }
        }
    }
}
