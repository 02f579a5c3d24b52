//! Casts as MariaDB writes them back.

use super::{Binding, print};
use crate::syntax::ast::{self, CastType};

pub(super) fn write_cast(e: &ast::Expr, ty: &CastType, out: &mut String) {
    out.push_str("cast(");
    print(e, Binding::Lowest, out);
    out.push_str(" as ");
    out.push_str(&target(ty));
    out.push(')');
}

/// The type of a cast.
pub(super) fn target(ty: &CastType) -> String {
    let fraction = |word: &str, fsp: u8| if fsp == 0 { word.to_owned() } else { format!("{word}({fsp})") };
    let sized = |length: Option<u32>| length.map_or(String::new(), |n| format!("({n})"));
    match ty {
        CastType::Binary(length) => format!("char{} charset binary", sized(*length)),
        CastType::Char { length, charset } => {
            let set = charset.charset.as_deref().unwrap_or("utf8mb4").to_lowercase();
            format!("char{} charset {set}", sized(*length))
        }
        CastType::Signed => "signed".into(),
        CastType::Unsigned => "unsigned".into(),
        CastType::Date => "date".into(),
        CastType::Time(fsp) => fraction("time", *fsp),
        CastType::DateTime(fsp) => fraction("datetime", *fsp),
        CastType::Decimal { precision, scale } => format!("decimal({precision},{scale})"),
        CastType::Double(None) => "double".into(),
        CastType::Double(Some((m, d))) => format!("double({m},{d})"),
        CastType::Float => "float".into(),
        CastType::IntervalDaySecond(fsp) => fraction("interval day_second", *fsp),
        CastType::Json => "json".into(),
        CastType::Year => "year".into(),
        CastType::Named(name) => name.to_lowercase(),
    }
}
