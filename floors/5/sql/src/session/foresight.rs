//! Statements looked up before their turn has come, so that what they will read can be brought near together.

use super::Session;
use super::plans::CachedPlan;
use smallvec::SmallVec;
use std::rc::Rc;
use std::sync::Arc;
use types::Value;

/// A statement looked up before its turn has come: its plan under the settings of that moment, and its parameters.
pub struct Foreseen {
    pub(super) settings: u64,
    pub(super) plan: Rc<CachedPlan>,
    pub(super) params: Vec<Value>,
}

impl Foreseen {
    /// The parameters that were read.
    pub fn into_params(self) -> Vec<Value> {
        self.params
    }
}

impl Session {
    /// Looks a text up among the kept plans without running it.
    pub fn foresee(&mut self, text: &[u8]) -> Option<Foreseen> {
        let settings = self.state.plan_settings();
        let (params, plan) = self.state.look_up(settings, text)?;
        Some(Foreseen { settings, plan: plan?, params })
    }

    /// The same for a prepared statement over one row; `params` gives its parameters, given how many there are.
    pub fn foresee_execute(
        &mut self,
        id: u32,
        params: impl FnOnce(usize) -> Option<Vec<Value>>,
    ) -> Option<Foreseen> {
        let prepared = self.prepared.get(&id)?;
        let (settings, plan) = prepared.kept_plan().filter(|(_, plan)| plan.row.is_some())?;
        Some(Foreseen { settings, plan, params: params(prepared.parameter_count())? })
    }

    /// Has the rows that statements to come read or change brought near, as far as their keys tell which: only a hint.
    pub fn prefetch<'f>(&self, foreseen: impl Iterator<Item = &'f Foreseen>) {
        let foreseen: SmallVec<[&Foreseen; 16]> = foreseen.collect();
        let table = |foreseen: &Foreseen| foreseen.plan.row.as_ref().map(|row| Arc::as_ptr(&row.table));
        for group in foreseen.chunk_by(|a, b| table(a) == table(b)) {
            let Some(row) = &group[0].plan.row else { continue };
            let Some(pin) = self.state.place.pin(&row.table) else { continue };
            let (mut bytes, mut ends) =
                (Vec::with_capacity(16 * group.len()), Vec::with_capacity(group.len()));
            for foreseen in group {
                let Some(row) = &foreseen.plan.row else { continue };
                let start = bytes.len();
                match row.append_key(&foreseen.params, &self.state, &mut bytes) {
                    Some(()) => ends.push(bytes.len()),
                    None => bytes.truncate(start),
                }
            }
            let mut start = 0;
            let keys = ends.iter().map(|&end| &bytes[std::mem::replace(&mut start, end)..end]);
            self.state.place.prefetch(&pin, keys);
        }
    }
}
