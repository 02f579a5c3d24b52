//! Which collation several texts have together, by how strongly each holds on to its own and which characters it has.

use super::super::{Class, Coercibility, Expr, Kind, Named, Repertoire, Type, TypeKind};
use crate::error::SqlError;
use std::cell::Cell;
use types::{Charset, CollationId, StrValue, Value};

/// The collation of several strings together, and how strongly it holds; error 1267 where they do not agree.
pub fn collate_operands(
    operands: &[&Type],
    operation: &str,
) -> Result<(CollationId, Coercibility), SqlError> {
    match collate_result(operands, operation)? {
        (_, Coercibility::None) => Err(illegal_mix(operands, operation)),
        agreed => Ok(agreed),
    }
}

/// As [`collate_operands`] for a result that is text: columns of one character set whose collations do not agree give a
/// text that agrees with nothing but an explicit collation.
pub fn collate_result(operands: &[&Type], operation: &str) -> Result<(CollationId, Coercibility), SqlError> {
    // What is made of NULL alone has no say beside a number.
    let numbers = operands.iter().any(|ty| !is_text(ty) && ty.kind != TypeKind::Null);
    let has_say = |ty: &Type| is_text(ty) && !(numbers && ty.coercibility == Coercibility::Ignorable);
    // A parameter that is not known yet has none, but may have any character.
    let widens = |ty: &Type| ty.kind == TypeKind::Null && ty.repertoire > Repertoire::Ascii;
    let texts = operands.iter().filter(|ty| has_say(ty) || widens(ty));
    let mut texts = texts.skip_while(|ty| !has_say(ty));
    let Some(first) = texts.next() else {
        let connection = operands.iter().map(|ty| ty.collation).find(|c| *c != CollationId::BINARY);
        return Ok((connection.unwrap_or(CollationId::UTF8MB4_GENERAL_CI), Coercibility::Coercible));
    };
    let mut agreed = Agreed::of(first);
    let mut apart = false;
    for ty in texts {
        if widens(ty) {
            agreed.repertoire = Repertoire::Any;
            continue;
        }
        let Some(next) = agreed.with(&Agreed::of(ty)) else {
            if agreed.coercibility == Coercibility::Explicit {
                return Err(illegal_mix(operands, operation));
            }
            // An explicit collation among the rest still settles it.
            apart = true;
            agreed = Agreed { collation: CollationId::BINARY, coercibility: Coercibility::None, ..agreed };
            continue;
        };
        agreed = next;
    }
    let fits = |ty: &&Type| convertible(ty, agreed.collation.charset());
    match apart && agreed.coercibility != Coercibility::Explicit || !operands.iter().all(fits) {
        true => Err(illegal_mix(operands, operation)),
        false => Ok((agreed.collation, agreed.coercibility)),
    }
}

/// Whether an operand's text is of a character set of its own; a BIT column's is its bytes.
pub fn is_text(ty: &Type) -> bool {
    ty.class() == Class::Str && ty.kind != TypeKind::Null || ty.is_bits() || ty.is_existence()
}

/// Whether two operands that are compared have to agree on a collation: a text beside a UUID or an address is read as one.
pub fn are_compared_as_texts(a: &Type, b: &Type) -> bool {
    [a, b].iter().all(|ty| ty.class() == Class::Str && !matches!(ty.kind, TypeKind::Fixed(_)))
}

thread_local! {
    static CHARACTERS_ASKED: Cell<u64> = const { Cell::new(0) };
}

/// How often it has mattered on this thread what characters a text has. What is bound between two equal answers is bound
/// alike whatever the characters of its parameters are.
pub fn characters_asked() -> u64 {
    CHARACTERS_ASKED.get()
}

fn ask_characters() {
    CHARACTERS_ASKED.set(CHARACTERS_ASKED.get().wrapping_add(1));
}

/// Whether all that a text can be has a place in a character set.
fn convertible(ty: &Type, charset: Charset) -> bool {
    let own = ty.collation.charset();
    let torn = own == Charset::Ascii && charset.is_unicode() && ty.repertoire > Repertoire::Plain;
    let all =
        !torn && !matches!(charset, Charset::Ascii | Charset::Latin1 | Charset::Utf8mb3 | Charset::Ucs2);
    ty.class() != Class::Str
        || ty.kind == TypeKind::Null
        || all
        || own == charset
        || own == Charset::Binary
        || {
            ask_characters();
            match charset {
                // Bytes that are none of its characters.
                _ if torn => false,
                Charset::Utf8mb3 | Charset::Ucs2 => ty.repertoire != Repertoire::Beyond,
                Charset::Latin1 => ty.repertoire <= Repertoire::Latin,
                _ => ty.repertoire <= Repertoire::Plain,
            }
        }
}

/// Which characters a constant has.
pub fn repertoire_of(value: &StrValue) -> Repertoire {
    let charset = value.collation.charset();
    if charset.is_ascii_based() && value.bytes.is_ascii() {
        return Repertoire::Ascii;
    }
    let latin = charset.convert_cow(&value.bytes, Charset::Latin1);
    match Charset::Latin1.convert_cow(&latin, charset)[..] == value.bytes[..] {
        _ if value.bytes.is_empty() => Repertoire::Ascii,
        true => match charset.to_utf8_lossy(&value.bytes).is_ascii() {
            true => Repertoire::Ascii,
            false => Repertoire::Latin,
        },
        false => match charset.to_utf8_lossy(&value.bytes).chars().any(|c| c > '\u{ffff}') {
            true => Repertoire::Beyond,
            false => Repertoire::Any,
        },
    }
}

/// What several texts agree on.
#[derive(Clone, Copy)]
struct Agreed {
    collation: CollationId,
    coercibility: Coercibility,
    repertoire: Repertoire,
}

impl Agreed {
    fn of(ty: &Type) -> Agreed {
        match ty.kind {
            TypeKind::Bit => Agreed {
                collation: CollationId::BINARY,
                coercibility: Coercibility::Implicit,
                repertoire: Repertoire::Any,
            },
            _ => Agreed { collation: ty.collation, coercibility: ty.coercibility, repertoire: ty.repertoire },
        }
    }

    /// Whether all of the other's text goes into this one's character set, and this one is the stronger.
    fn takes(&self, other: &Agreed) -> bool {
        ask_characters();
        let (own, its) = (self.collation.charset(), other.collation.charset());
        let stronger = self.coercibility < other.coercibility;
        let alike = self.coercibility == other.coercibility;
        let wider = own.is_unicode() && (stronger || alike && (!its.is_unicode() || own.extends(its)));
        let plain = other.repertoire == Repertoire::Ascii
            && (stronger || alike && self.repertoire != Repertoire::Ascii);
        wider || plain
    }

    /// What both agree on, if they do.
    fn with(&self, other: &Agreed) -> Option<Agreed> {
        let repertoire = self.repertoire.max(other.repertoire);
        // What gives way is forgotten with its characters, what is agreed on already has those of the other one besides.
        let agreed = |one: &Agreed| match std::ptr::eq(one, self) {
            true => Some(Agreed { repertoire, ..*one }),
            false => Some(*one),
        };
        let (own, its) = (self.collation.charset(), other.collation.charset());
        if own != its {
            return match (own, its) {
                (Charset::Binary, _) if self.coercibility <= other.coercibility => agreed(self),
                (Charset::Binary, _) => agreed(other),
                (_, Charset::Binary) if other.coercibility <= self.coercibility => agreed(other),
                (_, Charset::Binary) => agreed(self),
                _ if self.takes(other) => agreed(self),
                _ if other.takes(self) => agreed(other),
                _ if self.coercibility < other.coercibility
                    && other.coercibility >= Coercibility::SysConst =>
                {
                    agreed(self)
                }
                _ if other.coercibility < self.coercibility
                    && self.coercibility >= Coercibility::SysConst =>
                {
                    agreed(other)
                }
                _ => None,
            };
        }
        match self.coercibility.cmp(&other.coercibility) {
            std::cmp::Ordering::Less => return agreed(self),
            std::cmp::Ordering::Greater => return agreed(other),
            std::cmp::Ordering::Equal => {}
        }
        let bytewise = |one: &Agreed| one.collation.collation().is_bytewise();
        match self.coercibility {
            _ if self.collation == other.collation => agreed(self),
            Coercibility::Explicit => None,
            _ if bytewise(self) && !bytewise(other) => agreed(self),
            _ if bytewise(other) && !bytewise(self) => agreed(other),
            // There is nothing stricter that both could give way to.
            _ if bytewise(self) => None,
            _ => {
                Some(Agreed { collation: own.bin_collation(), coercibility: Coercibility::None, repertoire })
            }
        }
    }
}

/// The bytes of a constant beside the characters of a collation are characters of it; those of a literal that are none are
/// error 1300.
pub(super) fn take_as_characters(e: &mut Expr, collation: CollationId) -> Result<(), SqlError> {
    if matches!(e.kind, Kind::Param(_)) {
        ask_characters();
    }
    let Kind::Const(Value::Str(s)) = &mut e.kind else { return Ok(()) };
    if s.collation != CollationId::BINARY {
        return Ok(());
    }
    let charset = collation.charset();
    let bytes = Charset::Binary.convert_cow(&s.bytes, charset);
    let good = charset.valid_prefix(&bytes);
    if good < bytes.len() {
        return match e.ty.origin {
            Named::Computed(_) => Ok(()),
            _ => Err(no_characters(charset, &bytes[good..])),
        };
    }
    let characters = StrValue::owned(bytes.into_owned(), collation);
    e.kind = Kind::Const(Value::Str(characters));
    e.ty = Type { collation, hex: false, ..e.ty.clone() };
    Ok(())
}

/// Error 1300 for bytes of a literal that begin no character.
pub(super) fn no_characters(charset: Charset, bytes: &[u8]) -> SqlError {
    /// Bytes that the message shows.
    const SHOWN: usize = 3;
    let shown = bytes.iter().take(SHOWN).map(|byte| format!("{byte:02X}")).collect::<String>();
    SqlError::invalid_character_string(charset.name(), shown)
}

/// Errors 1267, 1270 and 1271.
pub(super) fn illegal_mix(operands: &[&Type], operation: &str) -> SqlError {
    let described = |ty: &&&Type| {
        let derivation = match ty.coercibility {
            Coercibility::Explicit => "EXPLICIT",
            Coercibility::None => "NONE",
            Coercibility::Implicit => "IMPLICIT",
            Coercibility::SysConst => "SYSCONST",
            Coercibility::Coercible => "COERCIBLE",
            Coercibility::Numeric => "NUMERIC",
            Coercibility::Ignorable => "IGNORABLE",
        };
        match ty.class() {
            Class::Str if ty.kind == TypeKind::Null => (CollationId::BINARY.name(), derivation),
            Class::Str => (ty.collation.name(), derivation),
            _ if is_text(ty) => (CollationId::BINARY.name(), derivation),
            // Numbers and dates are ASCII, of MariaDB's oldest character set.
            _ => (CollationId::LATIN1_SWEDISH_CI.name(), derivation),
        }
    };
    let all: Vec<_> = operands.iter().map(|ty| described(&ty)).collect();
    match &all[..] {
        [a, b] => SqlError::illegal_mix_of_2(a.0, a.1, b.0, b.1, operation),
        [a, b, c] => SqlError::illegal_mix_of_3(a.0, a.1, b.0, b.1, c.0, c.1, operation),
        _ => SqlError::illegal_mix_of_n(operation),
    }
}
