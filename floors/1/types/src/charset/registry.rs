//! The collations there are, with MariaDB's numbers, as `data/collations.txt` lists them. A collation's name says its
//! rule: `<character set>_<rule>`, with `nopad` somewhere in it where trailing spaces count.

use std::sync::LazyLock;

use super::collation::{Pad, Rule};
use super::sets::Encoding;
use super::uca::{UCA_1400, UNICODE_400, UNICODE_520, tailored};
use super::{Charset, Collation, CollationId, bytes};

static LIST: &str = include_str!("data/collations.txt");

const NONE: u16 = u16::MAX;

struct Registry {
    /// In order of id.
    collations: Box<[Collation]>,
    /// Position in `collations` by id.
    positions: Box<[u16]>,
}

static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::read);

impl Registry {
    fn read() -> Registry {
        let mut reader = Reader { tables: Vec::new() };
        let collations: Box<[Collation]> = LIST.lines().filter_map(|line| reader.collation(line)).collect();
        let last = collations.last().map_or(0, |collation| usize::from(collation.id.0));
        let mut positions = vec![NONE; last + 1].into_boxed_slice();
        for (i, collation) in collations.iter().enumerate() {
            positions[usize::from(collation.id.0)] = i as u16;
        }
        Registry { collations, positions }
    }
}

/// Reads the list from the beginning to the end: weights of bytes are numbered as their collations come.
struct Reader {
    /// Names of the collations with weights of bytes so far.
    tables: Vec<&'static str>,
}

impl Reader {
    /// A line: number, name, Sortlen.
    fn collation(&mut self, line: &'static str) -> Option<Collation> {
        let mut words = line.split(' ');
        let id = CollationId(words.next()?.parse().ok()?);
        let name = words.next()?;
        let sort_len = words.next()?.parse().ok()?;
        let (set, rule) = name.split_once('_').unwrap_or((name, "bin"));
        let charset = Charset::by_name(set)?;
        let pad = match name.contains("nopad_") || charset == Charset::Binary {
            true => Pad::None,
            false => Pad::Space,
        };
        let rule = match rule.split_once("nopad_") {
            Some((before, after)) => self.rule(charset, &format!("{before}{after}"))?,
            None => {
                if matches!(charset.encoding(), Encoding::Byte(_)) && !matches!(rule, "bin" | "german2_ci") {
                    self.tables.push(name);
                }
                self.rule(charset, rule)?
            }
        };
        let is_default = charset.default_collation() == id;
        Some(Collation { id, name, charset, is_default, sort_len, pad, rule })
    }

    fn rule(&self, charset: Charset, rule: &str) -> Option<Rule> {
        Some(match (charset.encoding(), rule) {
            (Encoding::Binary | Encoding::Byte(_) | Encoding::Utf8(_), "bin") => Rule::Bytes,
            (_, "bin") => Rule::Codes,
            (Encoding::Byte(_), "german2_ci") => Rule::Pairs(bytes::LATIN1_GERMAN2),
            (Encoding::Byte(_), rule) => {
                let name = format!("{}_{rule}", charset.name());
                Rule::Table(bytes::weights(self.tables.iter().position(|table| *table == name)?)?)
            }
            (_, "general_ci") => Rule::General,
            (_, "unicode_ci") => Rule::Uca(&UNICODE_400),
            (_, "unicode_520_ci") => Rule::Uca(&UNICODE_520),
            (_, "uca1400_ai_ci") => Rule::Uca(&UCA_1400),
            (_, rule) => Rule::Uca(tailored(rule.strip_suffix("_ci")?)?),
        })
    }
}

/// The position of a collation in the registry.
pub(super) fn position(id: u16) -> Option<usize> {
    let position = REGISTRY.positions.get(usize::from(id)).filter(|position| **position != NONE);
    position.map(|position| usize::from(*position))
}

/// The collation of an id that came out of the registry.
#[inline]
pub(super) fn get(id: u16) -> &'static Collation {
    let registry = &*REGISTRY;
    &registry.collations[usize::from(registry.positions[usize::from(id)])]
}

impl Collation {
    /// All collations in order of id.
    pub fn all() -> &'static [Collation] {
        &REGISTRY.collations
    }

    /// Whether several character sets have a collation of this name, each its own.
    pub fn has_common_name(&self) -> bool {
        self.name[self.charset.name().len()..].starts_with("_uca1400_")
    }

    /// The name in SHOW COLLATION: without the character set where several have it.
    pub fn common_name(&self) -> &'static str {
        if self.has_common_name() { &self.name[self.charset.name().len() + 1..] } else { self.name }
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
