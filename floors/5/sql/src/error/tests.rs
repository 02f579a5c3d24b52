use super::message_in;
use types::Charset;

#[test]
fn messages_show_control_characters_by_their_numbers() {
    let shown = |message| message_in(message, Some(Charset::Utf8mb4)).into_owned();
    assert_eq!(shown("Unknown column 'a\u{1}b\u{7F}'"), "Unknown column 'a\\0001b\\007F'");
    assert_eq!(shown("'\u{E9}\u{80}'"), "'\u{E9}\\0080'");
    assert_eq!(shown("near 'a\tb\r\nc'"), "near 'a\tb\r\nc'");
    assert_eq!(message_in("'a\u{C}'", None), "'a\\000C'");
    assert_eq!(message_in("'\u{4E2D}\u{1}'", Some(Charset::Latin1)), "'\\4E2D\\0001'");
}
