//! Variables that are lists of switches: `name=on,name=off,...`. Setting some leaves the others as they are.

use super::values::wrong;
use super::{text, text_of};
use crate::error::SqlError;
use types::Value;

/// The switches of `optimizer_switch`, with their defaults.
pub(super) const OPTIMIZER: &[(&str, bool)] = &[
    ("index_merge", true),
    ("index_merge_union", true),
    ("index_merge_sort_union", true),
    ("index_merge_intersection", true),
    ("index_merge_sort_intersection", false),
    ("engine_condition_pushdown", false),
    ("index_condition_pushdown", true),
    ("derived_merge", true),
    ("derived_with_keys", true),
    ("firstmatch", true),
    ("loosescan", true),
    ("materialization", true),
    ("in_to_exists", true),
    ("semijoin", true),
    ("partial_match_rowid_merge", true),
    ("partial_match_table_scan", true),
    ("subquery_cache", true),
    ("mrr", false),
    ("mrr_cost_based", false),
    ("mrr_sort_keys", false),
    ("outer_join_with_cache", true),
    ("semijoin_with_cache", true),
    ("join_cache_incremental", true),
    ("join_cache_hashed", true),
    ("join_cache_bka", true),
    ("optimize_join_buffer_size", true),
    ("table_elimination", true),
    ("extended_keys", true),
    ("exists_to_in", true),
    ("orderby_uses_equalities", true),
    ("condition_pushdown_for_derived", true),
    ("split_materialized", true),
    ("condition_pushdown_for_subquery", true),
    ("rowid_filter", true),
    ("condition_pushdown_from_having", true),
    ("not_null_range_scan", false),
    ("hash_join_cardinality", false),
    ("cset_narrowing", false),
];

/// The text of all switches.
fn shown(flags: &[(&str, bool)], is_on: impl Fn(usize) -> bool) -> Value {
    let each = flags.iter().enumerate();
    let each = each.map(|(at, (name, _))| format!("{name}={}", if is_on(at) { "on" } else { "off" }));
    text(&each.collect::<Vec<_>>().join(","))
}

/// The text of the defaults.
pub(super) fn defaults(flags: &[(&str, bool)]) -> Value {
    shown(flags, |at| flags[at].1)
}

/// Whether a switch stands on in the text of a list.
pub fn is_on(list: &str, name: &str) -> bool {
    list.split(',').any(|one| one.strip_prefix(name) == Some("=on"))
}

/// The text of all switches once `given` has changed those of `held`: `name=on`, `name=off` or `name=default`, each
/// switch once, and `default` for all that are not named; or a number with a bit for each. Errors 1231 and 1232.
pub(super) fn changed(
    name: &'static str,
    flags: &[(&str, bool)],
    held: &Value,
    given: &Value,
) -> Result<Value, SqlError> {
    let list = match given {
        Value::Str(_) => text_of(given),
        Value::Int(n) if *n >= 0 && *n >> flags.len() == 0 => return Ok(shown(flags, |at| n >> at & 1 == 1)),
        Value::UInt(n) if *n >> flags.len() == 0 => return Ok(shown(flags, |at| n >> at & 1 == 1)),
        Value::Int(_) | Value::UInt(_) | Value::Null => return Err(wrong(name, given)),
        _ => return Err(SqlError::wrong_type_for_var(name)),
    };
    let held = text_of(held);
    let mut set: Vec<Option<bool>> = vec![None; flags.len()];
    let mut all_default = false;
    let list = list.trim_end_matches(' ');
    let mut rest = Some(list).filter(|list| !list.is_empty());
    while let Some(part) = rest {
        let wrong_part = || SqlError::wrong_value_for_var(name, part.to_owned());
        let (one, behind) = part.split_once(',').map_or((part, None), |(one, behind)| (one, Some(behind)));
        rest = behind;
        if one.eq_ignore_ascii_case("default") && !all_default {
            all_default = true;
            continue;
        }
        let (flag, value) = one.split_once('=').ok_or_else(wrong_part)?;
        let at = flags.iter().position(|(name, _)| name.eq_ignore_ascii_case(flag)).ok_or_else(wrong_part)?;
        let value = match value.to_ascii_lowercase().as_str() {
            "on" => true,
            "off" => false,
            "default" => flags[at].1,
            _ => return Err(wrong_part()),
        };
        if set[at].replace(value).is_some() {
            return Err(wrong_part());
        }
    }
    let kept = |at: usize| if all_default { flags[at].1 } else { is_on(&held, flags[at].0) };
    Ok(shown(flags, |at| set[at].unwrap_or_else(|| kept(at))))
}
