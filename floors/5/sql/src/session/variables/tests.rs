use super::*;
use std::collections::HashSet;

#[test]
fn each_variable_is_declared_once_and_documented() {
    let mut names = HashSet::new();
    for variable in all() {
        assert!(names.insert(variable.name), "{} twice", variable.name);
        assert_eq!(variable.name, variable.name.to_lowercase());
        assert!(variable.doc.ends_with('.') && variable.doc.len() > 8, "{}", variable.name);
        let Home::Kept = variable.home else { continue };
        if let Kind::Choice(words) = variable.kind {
            assert!(words.contains(&variable.default), "{}", variable.name);
        }
    }
    assert!(names.len() > 200);
}

#[test]
fn defaults_lie_within_their_bounds() {
    for variable in all() {
        match (variable.kind, variable.default_value()) {
            (Kind::Unsigned(min, max), Value::UInt(n)) if !variable.is_read_only() => {
                assert!((min..=max).contains(&n), "{}", variable.name);
            }
            (Kind::Double(min, max), Value::Double(n)) => {
                assert!((min..=max).contains(&n), "{}", variable.name)
            }
            _ => {}
        }
    }
}

#[test]
fn what_connectors_ask_at_connect_is_known() {
    for name in "auto_increment_increment character_set_client character_set_connection character_set_results \
                 character_set_server collation_server collation_connection init_connect interactive_timeout license \
                 lower_case_table_names max_allowed_packet net_write_timeout performance_schema query_cache_size \
                 query_cache_type sql_mode system_time_zone time_zone transaction_isolation wait_timeout tx_isolation \
                 version_comment read_only session_track_system_variables default_storage_engine sql_auto_is_null \
                 storage_engine socket version transaction_read_only sql_select_limit"
        .split_whitespace()
    {
        assert!(find(name).is_ok(), "{name}");
    }
    assert_eq!(find("no_such_variable").err().map(|error| error.errno), Some(1193));
}
