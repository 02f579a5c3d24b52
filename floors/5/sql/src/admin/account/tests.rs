use super::privilege::Level;
use super::*;

#[test]
fn passwords_are_kept_as_mariadb_keeps_them() {
    assert_eq!(native(b"x"), "*B69027D44F6E5EDC07F1AEAD1477967B16F28227");
    assert_eq!(native(b""), "");
    assert_eq!(checked_hash(b"*b69027d44f6e5edc07f1aead1477967b16f28227").unwrap(), native(b"x"));
    assert_eq!(checked_hash(b"abc").unwrap_err().errno, 1372);
}

#[test]
fn lists_of_privileges_have_one_form() {
    let list = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
    assert_eq!(Level::Database.normal(&list(&["INSERT", "SELECT"])), ["SELECT", "INSERT"]);
    let all: Vec<String> = Level::Table.names().map(str::to_owned).collect();
    assert_eq!(Level::Table.normal(&all), ["ALL"]);
    assert_eq!(Level::Global.normal(&list(&["ALL", "SELECT"])), ["ALL"]);
    assert!(privilege::find("REPLICATION CLIENT").is_some() && privilege::find("NOTHING").is_none());
}

#[test]
fn records_keep_their_shape() {
    let text = r#"{"user":"root","host":"localhost","plugin":"mysql_native_password","authentication":"","privileges":["ALL"],"grant_option":true}"#;
    let account: Account = serde_json::from_str(text).unwrap();
    assert!(account.grant_option && account.scoped.is_empty() && !account.locked && !account.role);
    // What is not said was not written before there were roles either.
    assert!(!String::from_utf8(account.bytes()).unwrap().contains("role"));
}
