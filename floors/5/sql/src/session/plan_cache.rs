//! This core's kept plans, found by the texts of statements and the settings that binding depends on.
//!
//! A text that is like one of those read lately ([`crate::syntax::template`]) leads to its plan at once; another is read
//! for its shape ([`crate::syntax::shape`]), which leads there by a hash.

use super::State;
use super::mode::EMPTY_STRING_IS_NULL;
use super::plans::CachedPlan;
use super::prepared::Made;
use crate::syntax::shape::{Lifted, LiteralKind};
use crate::syntax::template::Templates;
use crate::syntax::{LexMode, Shape};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use types::{CollationId, Decimal, StrValue, TimeZone, Value};

/// Plans that a core keeps, and as many prepared statements; beyond this all go.
const PLANS_MAX: usize = 2048;

thread_local! {
    /// This core's plans: a fiber stays on its core, and a session that goes to another takes none with it.
    static CACHE: RefCell<Cache> = RefCell::new(Cache::default());
}

#[derive(Default)]
struct Cache {
    templates: Templates<Rc<CachedPlan>>,
    plans: HashTable<Kept>,
    prepared: HashTable<Rc<Made>>,
    /// Memory for the text at hand.
    shape: Shape,
    values: Vec<Lifted>,
}

/// A plan in the cache, with what it was made for.
struct Kept {
    settings: u64,
    shape_hash: u64,
    shape: Box<[u8]>,
    plan: Rc<CachedPlan>,
}

impl Kept {
    fn hash(settings: u64, shape_hash: u64) -> u64 {
        settings.rotate_left(32) ^ shape_hash
    }

    fn is(&self, settings: u64, shape: &Shape) -> bool {
        self.settings == settings && self.shape_hash == shape.hash() && *self.shape == *shape.bytes()
    }
}

/// What binding a statement depends on, beside the statement.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Settings {
    database: Option<String>,
    numbers: Numbers,
}

/// The settings that are copied in a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Numbers {
    restriction: u64,
    /// Names that the session's temporary tables hide.
    temporaries: u64,
    sql_mode: u64,
    collation_connection: CollationId,
    character_set_client: CollationId,
    character_set_results: Option<CollationId>,
    div_precision_increment: u8,
    group_concat_max_len: u64,
    wording: u64,
    time_zone: TimeZone,
}

/// What a text is read and looked up under.
#[derive(Debug, Clone, Copy)]
pub(super) struct Under {
    /// A hash of the settings that binding depends on; it tells modes apart, too.
    pub(super) settings: u64,
    pub(super) mode: LexMode,
}

impl State {
    /// What the next text is read and looked up under, made anew when a setting has changed.
    pub(super) fn plan_settings(&mut self) -> Under {
        let restriction = self.restriction();
        let vars = &self.vars;
        let numbers = Numbers {
            restriction,
            temporaries: self.temporaries.names(),
            sql_mode: vars.sql_mode,
            collation_connection: vars.collation_connection,
            character_set_client: vars.character_set_client,
            character_set_results: vars.character_set_results,
            div_precision_increment: vars.div_precision_increment,
            group_concat_max_len: vars.group_concat_max_len,
            wording: vars.wording,
            time_zone: vars.time_zone,
        };
        if let Some((known, under)) = &self.plan_settings
            && known.numbers == numbers
            && known.database == self.database
        {
            return *under;
        }
        let settings = Settings { database: self.database.clone(), numbers };
        let mut hasher = std::hash::DefaultHasher::new();
        settings.hash(&mut hasher);
        let under = Under { settings: hasher.finish(), mode: self.lex_mode() };
        self.plan_settings = Some((settings, under));
        under
    }

    /// The literals lifted out of a text as values, and the plan that this core keeps for it. `None`: it has no shape, or
    /// an odd literal.
    pub(super) fn look_up(&self, under: Under, text: &[u8]) -> Option<(Vec<Value>, Option<Rc<CachedPlan>>)> {
        CACHE.with_borrow_mut(|Cache { templates, plans, shape, values, .. }| {
            if let Some(plan) = templates.find(text, under.settings, values) {
                return Some((self.parameters(values, text, under.mode)?, Some(plan.clone())));
            }
            if !shape.read(text, under.mode) {
                return None;
            }
            let params = self.parameters(shape.literals(), text, under.mode)?;
            let hash = Kept::hash(under.settings, shape.hash());
            let plan = plans.find(hash, |kept| kept.is(under.settings, shape)).map(|kept| kept.plan.clone());
            if let Some(plan) = &plan {
                templates.keep(text, under.settings, shape.literals(), plan.clone());
            }
            Some((params, plan))
        })
    }

    /// Literals of a text as values; `None` where one of them is odd.
    fn parameters(&self, literals: &[Lifted], text: &[u8], mode: LexMode) -> Option<Vec<Value>> {
        let mut params = Vec::with_capacity(literals.len());
        for literal in literals {
            params.push(self.parameter(literal, text, mode)?);
        }
        Some(params)
    }

    fn parameter(&self, literal: &Lifted, text: &[u8], mode: LexMode) -> Option<Value> {
        let bytes = literal.bytes(text, mode);
        Some(match literal.kind {
            LiteralKind::Int => Value::Int(literal.int as i64),
            LiteralKind::UInt => Value::UInt(literal.int),
            LiteralKind::Decimal => {
                let parsed = Decimal::parse(&bytes);
                if parsed.out_of_range || parsed.garbage {
                    return None;
                }
                Value::Decimal(parsed.value)
            }
            LiteralKind::Float => Value::Double(std::str::from_utf8(&bytes).ok()?.parse().ok()?),
            // The text is no plan's then: it has a NULL of its own.
            LiteralKind::Str if bytes.is_empty() && self.vars.has_mode(EMPTY_STRING_IS_NULL) => return None,
            LiteralKind::Str => {
                let (client, connection) = (self.vars.character_set_client, self.vars.collation_connection);
                let converted = client.charset().convert_cow(&bytes, connection.charset());
                Value::Str(StrValue::new(&converted, connection))
            }
        })
    }
}

/// Where the literals start in a text that the parser is to lift out; `None`: the text has no shape.
pub(super) fn lifted_of(text: &[u8], under: Under) -> Option<Vec<u32>> {
    CACHE.with_borrow_mut(|cache| cache.shape.read(text, under.mode).then(|| cache.shape.offsets()))
}

/// Keeps a plan for a text and all of its shape, in the place of the one before.
pub(super) fn keep(text: &[u8], under: Under, plan: &Rc<CachedPlan>) {
    CACHE.with_borrow_mut(|Cache { templates, plans, shape, .. }| {
        if !shape.read(text, under.mode) {
            return;
        }
        if plans.len() >= PLANS_MAX {
            plans.clear();
            templates.clear();
        }
        templates.keep(text, under.settings, shape.literals(), plan.clone());
        let (settings, shape_hash) = (under.settings, shape.hash());
        let rehash = |kept: &Kept| Kept::hash(kept.settings, kept.shape_hash);
        let kept = Kept { settings, shape_hash, shape: shape.bytes().into(), plan: plan.clone() };
        match plans.entry(Kept::hash(settings, shape_hash), |kept| kept.is(settings, shape), rehash) {
            Entry::Occupied(mut entry) => *entry.get_mut() = kept,
            Entry::Vacant(entry) => drop(entry.insert(kept)),
        }
    });
}

impl Made {
    fn hash(settings: u64, text: &[u8]) -> u64 {
        let mut hasher = std::hash::DefaultHasher::new();
        text.hash(&mut hasher);
        hasher.finish() ^ settings
    }

    fn is(&self, settings: u64, text: &[u8]) -> bool {
        self.read.settings == settings && self.read.text == text
    }
}

/// A statement that some session has prepared from this text, and run.
pub(super) fn find_prepared(settings: u64, text: &[u8]) -> Option<Rc<Made>> {
    let hash = Made::hash(settings, text);
    CACHE.with_borrow(|cache| cache.prepared.find(hash, |made| made.is(settings, text)).cloned())
}

/// Keeps a prepared statement for all that prepare the same text, in the place of the one before.
pub(super) fn keep_prepared(made: &Rc<Made>) {
    CACHE.with_borrow_mut(|Cache { prepared, .. }| {
        if prepared.len() >= PLANS_MAX {
            prepared.clear();
        }
        let hash = |made: &Rc<Made>| Made::hash(made.read.settings, &made.read.text);
        match prepared.entry(hash(made), |kept| kept.is(made.read.settings, &made.read.text), hash) {
            Entry::Occupied(mut entry) => *entry.get_mut() = made.clone(),
            Entry::Vacant(entry) => drop(entry.insert(made.clone())),
        }
    });
}
