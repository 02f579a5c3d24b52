//! GET_LOCK and its relatives: names that sessions hold, one table a process.
//!
//! A session may hold a name several times and must release it as often; whatever it still holds goes when it ends or
//! is reset ([`HeldLocks`] does so when dropped). Waiting parks the fiber on the table's queue; KILL is looked for a few
//! times a second.

use super::super::build::{boolean, type_name};
use super::super::{Class, Expr, Type, TypeKind};
use super::Function;
use super::pieces::int_type;
use super::string::text;
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::State;
use hashbrown::HashMap;
use parking_lot::Mutex;
use runtime::WaitQueue;
use std::time::{Duration, Instant};
use types::convert::to_double;
use types::{CollationId, Value};

/// Bytes of the longest name.
const NAME_MAX: usize = 192;
/// How often a waiter looks for KILL.
const KILL_INTERVAL: Duration = Duration::from_millis(200);

/// Who holds which name: the connection and how many times.
static TABLE: Mutex<Option<HashMap<String, (u64, u64)>>> = Mutex::new(None);
/// Sessions that wait for a name.
static WAITERS: WaitQueue = WaitQueue::new();

macro_rules! function {
    ($name:literal, $count:expr, $ty:expr, $evaluate:expr) => {
        Function { name: $name, min: $count, max: $count, ty: $ty, evaluate: $evaluate, deterministic: false }
    };
}

/// The functions of this module.
pub static FUNCTIONS: &[Function] = &[
    function!("get_lock", 2, |args, _| named(args, "get_lock").map(|()| boolean(true)), get_lock),
    function!("release_lock", 1, |args, _| named(args, "release_lock").map(|()| boolean(true)), release_lock),
    function!(
        "is_free_lock",
        1,
        |args, _| named(args, "is_free_lock").map(|()| boolean(true)),
        |cx, args, _| {
            let name = name_of(cx, &args[0])?;
            Ok(name.map_or(Value::Null, |name| Value::from(holder_of(&name).is_none())))
        }
    ),
    function!("is_used_lock", 1, used_type, |cx, args, _| {
        let name = name_of(cx, &args[0])?;
        Ok(name.and_then(|name| holder_of(&name)).map_or(Value::Null, Value::UInt))
    }),
    function!("release_all_locks", 0, released_type, |cx, _, _| {
        cx.state.pay()?;
        Ok(Value::UInt(cx.state.locks.release_all(cx.state.connection_id)))
    }),
];

/// The names that a session holds.
#[derive(Debug, Default)]
pub struct HeldLocks {
    names: Vec<String>,
    connection_id: u64,
}

impl HeldLocks {
    /// Releases every name, however often it is held; how many holds that were.
    pub fn release_all(&mut self, connection_id: u64) -> u64 {
        let mut released = 0;
        if self.names.is_empty() {
            return released;
        }
        let mut table = TABLE.lock();
        for name in self.names.drain(..) {
            let Some(held) = table.as_mut() else { continue };
            if held.get(&name).is_some_and(|(holder, _)| *holder == connection_id) {
                released += held.remove(&name).map_or(0, |(_, times)| times);
            }
        }
        drop(table);
        WAITERS.wake_all();
        released
    }
}

impl Drop for HeldLocks {
    fn drop(&mut self) {
        self.release_all(self.connection_id);
    }
}

/// Names are texts.
fn named(args: &[Expr], function: &str) -> Result<(), SqlError> {
    match args[0].ty.class() {
        Class::Str => Ok(()),
        _ => Err(SqlError::illegal_parameter_type(type_name(&args[0].ty), function)),
    }
}

fn used_type(args: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    named(args, "is_used_lock")?;
    Ok(Type { nullable: true, ..int_type(&[], 10) })
}

fn released_type(_: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    Ok(Type { kind: TypeKind::Long, unsigned: true, ..int_type(&[], 11) })
}

/// A lock's name in one case; nothing for NULL or an empty one.
fn name_of(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<String>, SqlError> {
    let Some(bytes) = text(cx, e, CollationId::UTF8MB4_GENERAL_CI)? else { return Ok(None) };
    let written = String::from_utf8_lossy(&bytes);
    let name = written.to_lowercase();
    if name.len() > NAME_MAX {
        return Err(SqlError::too_long_ident(shortened(&written)));
    }
    Ok(Some(name).filter(|name| !name.is_empty()))
}

/// What a message shows of a name: of long ones the beginning.
fn shortened(name: &str) -> String {
    const SHOWN: usize = 100;
    super::super::compare::short(name.to_owned(), SHOWN)
}

fn holder_of(name: &str) -> Option<u64> {
    TABLE.lock().as_ref()?.get(name).map(|(holder, _)| *holder)
}

/// Takes the name if it is free or held by this connection already.
fn try_take(name: &str, connection: u64) -> Option<()> {
    let mut table = TABLE.lock();
    let (holder, times) = table.get_or_insert_default().entry(name.to_owned()).or_insert((connection, 0));
    (*holder == connection).then(|| *times += 1)
}

fn get_lock(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let name = name_of(cx, &args[0])?;
    let timeout = args[1].eval(cx)?;
    let Some(name) = name.filter(|_| !timeout.is_null()) else { return Ok(Value::Null) };
    // Nobody waits for what is owed by one who waits.
    cx.state.pay()?;
    let seconds = to_double(&timeout).value;
    let connection = cx.state.connection_id;
    // A negative time-out is none at all.
    let wait = if seconds < 0.0 { f64::from(u32::MAX) } else { seconds.min(f64::from(u32::MAX)) };
    let deadline = Instant::now() + Duration::from_secs_f64(wait);
    loop {
        let step = deadline.min(Instant::now() + KILL_INTERVAL);
        if WAITERS.wait_until(step, || try_take(&name, connection)).is_some() {
            let held = &mut cx.state.locks;
            held.connection_id = connection;
            if !held.names.contains(&name) {
                held.names.push(name);
            }
            return Ok(Value::Int(1));
        }
        cx.check_interrupt()?;
        if Instant::now() >= deadline {
            return Ok(Value::Int(0));
        }
    }
}

fn release_lock(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let Some(name) = name_of(cx, &args[0])? else { return Ok(Value::Null) };
    // Who gets the lock next finds what was committed under it.
    cx.state.pay()?;
    let mut table = TABLE.lock();
    let Some((holder, times)) = table.as_mut().and_then(|table| table.get_mut(&name)) else {
        return Ok(Value::Null);
    };
    if *holder != cx.state.connection_id {
        return Ok(Value::Int(0));
    }
    *times -= 1;
    if *times == 0 {
        table.as_mut().and_then(|table| table.remove(&name));
        cx.state.locks.names.retain(|held| *held != name);
        drop(table);
        WAITERS.wake_all();
    }
    Ok(Value::Int(1))
}
