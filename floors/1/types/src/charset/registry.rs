//! The collations there are, with MariaDB's numbers.

use super::collation::{Pad, Rule};
use super::tables;
use super::uca::{UCA_1400, UNICODE_400, UNICODE_520};
use super::{Charset, Collation, CollationId};

const fn entry(
    id: u16,
    name: &'static str,
    charset: Charset,
    sort_len: u8,
    rule: Rule,
    pad: Pad,
) -> Collation {
    let is_default = charset.default_collation().0 == id;
    Collation { id: CollationId(id), name, charset, is_default, sort_len, pad, rule }
}

use Charset::{Ascii, Binary, Latin1, Utf8mb3, Utf8mb4};
use Rule::{Bytes, General, Table, Uca};

/// In order of id.
static COLLATIONS: [Collation; 34] = [
    entry(5, "latin1_german1_ci", Latin1, 1, Table(tables::LATIN1_GERMAN1), Pad::Space),
    entry(8, "latin1_swedish_ci", Latin1, 1, Table(tables::LATIN1_SWEDISH), Pad::Space),
    entry(11, "ascii_general_ci", Ascii, 1, Table(tables::ASCII_GENERAL), Pad::Space),
    entry(15, "latin1_danish_ci", Latin1, 1, Table(tables::LATIN1_DANISH), Pad::Space),
    entry(33, "utf8mb3_general_ci", Utf8mb3, 1, General, Pad::Space),
    entry(45, "utf8mb4_general_ci", Utf8mb4, 1, General, Pad::Space),
    entry(46, "utf8mb4_bin", Utf8mb4, 1, Bytes, Pad::Space),
    entry(47, "latin1_bin", Latin1, 1, Bytes, Pad::Space),
    entry(48, "latin1_general_ci", Latin1, 1, Table(tables::LATIN1_GENERAL_CI), Pad::Space),
    entry(49, "latin1_general_cs", Latin1, 1, Table(tables::LATIN1_GENERAL_CS), Pad::Space),
    entry(63, "binary", Binary, 1, Bytes, Pad::None),
    entry(65, "ascii_bin", Ascii, 1, Bytes, Pad::Space),
    entry(83, "utf8mb3_bin", Utf8mb3, 1, Bytes, Pad::Space),
    entry(94, "latin1_spanish_ci", Latin1, 1, Table(tables::LATIN1_SPANISH), Pad::Space),
    entry(192, "utf8mb3_unicode_ci", Utf8mb3, 8, Uca(&UNICODE_400), Pad::Space),
    entry(214, "utf8mb3_unicode_520_ci", Utf8mb3, 8, Uca(&UNICODE_520), Pad::Space),
    entry(224, "utf8mb4_unicode_ci", Utf8mb4, 8, Uca(&UNICODE_400), Pad::Space),
    entry(246, "utf8mb4_unicode_520_ci", Utf8mb4, 8, Uca(&UNICODE_520), Pad::Space),
    entry(1032, "latin1_swedish_nopad_ci", Latin1, 1, Table(tables::LATIN1_SWEDISH), Pad::None),
    entry(1035, "ascii_general_nopad_ci", Ascii, 1, Table(tables::ASCII_GENERAL), Pad::None),
    entry(1057, "utf8mb3_general_nopad_ci", Utf8mb3, 1, General, Pad::None),
    entry(1069, "utf8mb4_general_nopad_ci", Utf8mb4, 1, General, Pad::None),
    entry(1070, "utf8mb4_nopad_bin", Utf8mb4, 1, Bytes, Pad::None),
    entry(1071, "latin1_nopad_bin", Latin1, 1, Bytes, Pad::None),
    entry(1089, "ascii_nopad_bin", Ascii, 1, Bytes, Pad::None),
    entry(1107, "utf8mb3_nopad_bin", Utf8mb3, 1, Bytes, Pad::None),
    entry(1216, "utf8mb3_unicode_nopad_ci", Utf8mb3, 8, Uca(&UNICODE_400), Pad::None),
    entry(1238, "utf8mb3_unicode_520_nopad_ci", Utf8mb3, 8, Uca(&UNICODE_520), Pad::None),
    entry(1248, "utf8mb4_unicode_nopad_ci", Utf8mb4, 8, Uca(&UNICODE_400), Pad::None),
    entry(1270, "utf8mb4_unicode_520_nopad_ci", Utf8mb4, 8, Uca(&UNICODE_520), Pad::None),
    entry(2048, "utf8mb3_uca1400_ai_ci", Utf8mb3, 8, Uca(&UCA_1400), Pad::Space),
    entry(2052, "utf8mb3_uca1400_nopad_ai_ci", Utf8mb3, 8, Uca(&UCA_1400), Pad::None),
    entry(2304, "utf8mb4_uca1400_ai_ci", Utf8mb4, 8, Uca(&UCA_1400), Pad::Space),
    entry(2308, "utf8mb4_uca1400_nopad_ai_ci", Utf8mb4, 8, Uca(&UCA_1400), Pad::None),
];

const NONE: u8 = u8::MAX;

/// Position in `COLLATIONS` by id.
static POSITIONS: [u8; 2400] = {
    let mut table = [NONE; 2400];
    let mut i = 0;
    while i < COLLATIONS.len() {
        table[COLLATIONS[i].id.0 as usize] = i as u8;
        i += 1;
    }
    table
};

/// The position of a collation in the registry.
pub(super) fn position(id: u16) -> Option<usize> {
    POSITIONS
        .get(usize::from(id))
        .filter(|position| **position != NONE)
        .map(|position| usize::from(*position))
}

/// The collation of an id that came out of the registry.
#[inline]
pub(super) fn get(id: u16) -> &'static Collation {
    &COLLATIONS[usize::from(POSITIONS[usize::from(id)])]
}

impl Collation {
    /// All collations in order of id.
    pub fn all() -> &'static [Collation] {
        &COLLATIONS
    }

    /// By name as COLLATE gives it beside a character set: a full name, or one of those that leave the character set
    /// out (`uca1400_ai_ci`).
    pub fn by_name_for(charset: Charset, name: &str) -> Option<&'static Collation> {
        let short = name.get(..8).is_some_and(|head| head.eq_ignore_ascii_case("uca1400_"));
        if short {
            Collation::by_name(&format!("{}_{name}", charset.name()))
        } else {
            Collation::by_name(name)
        }
    }

    /// By name in any case; names of `utf8_` are those of utf8mb3.
    pub fn by_name(name: &str) -> Option<&'static Collation> {
        let find =
            |name: &str| Collation::all().iter().find(|collation| collation.name.eq_ignore_ascii_case(name));
        // MySQL 8's collations, by the nearest that there are.
        let name = match name.to_ascii_lowercase().as_str() {
            "utf8mb4_0900_ai_ci" => "utf8mb4_uca1400_nopad_ai_ci",
            "utf8mb4_0900_bin" => "utf8mb4_nopad_bin",
            _ => name,
        };
        find(name).or_else(|| {
            let rest = name.get(..5).filter(|head| head.eq_ignore_ascii_case("utf8_")).map(|_| &name[5..])?;
            find(&format!("utf8mb3_{rest}"))
        })
    }
}
