//! Names of months and days in the languages of `lc_time_names`, and how their numbers are written.
//!
//! `data/locales.tsv` has a locale a line: its name, months, short months, days from Monday on, short days, each list
//! parted by `|`; what stands between groups of digits (`\0` is the byte that MariaDB has there), the decimal point, how
//! many digits the groups behind the first have. All is as MariaDB 10.11 shows it.

use super::super::build::silently;
use super::super::{Expr, Kind, Named};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::{Level, State};
use hashbrown::HashMap;
use std::sync::LazyLock;
use types::{Charset, Value};

/// The locales that there are, by MariaDB's numbers.
#[rustfmt::skip]
pub const NAMES: &[&str] = &[
    "en_US", "en_GB", "ja_JP", "sv_SE", "de_DE", "fr_FR", "ar_AE", "ar_BH", "ar_JO", "ar_SA", "ar_SY",
    "be_BY", "bg_BG", "ca_ES", "cs_CZ", "da_DK", "de_AT", "es_ES", "et_EE", "eu_ES", "fi_FI", "fo_FO",
    "gl_ES", "gu_IN", "he_IL", "hi_IN", "hr_HR", "hu_HU", "id_ID", "is_IS", "it_CH", "ko_KR", "lt_LT",
    "lv_LV", "mk_MK", "mn_MN", "ms_MY", "nb_NO", "nl_NL", "pl_PL", "pt_BR", "pt_PT", "ro_RO", "ru_RU",
    "ru_UA", "sk_SK", "sl_SI", "sq_AL", "sr_RS", "ta_IN", "te_IN", "th_TH", "tr_TR", "uk_UA", "ur_PK",
    "vi_VN", "zh_CN", "zh_TW", "ar_DZ", "ar_EG", "ar_IN", "ar_IQ", "ar_KW", "ar_LB", "ar_LY", "ar_MA",
    "ar_OM", "ar_QA", "ar_SD", "ar_TN", "ar_YE", "de_BE", "de_CH", "de_LU", "en_AU", "en_CA", "en_IN",
    "en_NZ", "en_PH", "en_ZA", "en_ZW", "es_AR", "es_BO", "es_CL", "es_CO", "es_CR", "es_DO", "es_EC",
    "es_GT", "es_HN", "es_MX", "es_NI", "es_PA", "es_PE", "es_PR", "es_PY", "es_SV", "es_US", "es_UY",
    "es_VE", "fr_BE", "fr_CA", "fr_CH", "fr_LU", "it_IT", "nl_BE", "no_NO", "sv_FI", "zh_HK", "el_GR",
    "rm_CH", "ka_GE",
];

/// A locale's words and marks.
pub struct Locale {
    months: Vec<&'static str>,
    short_months: Vec<&'static str>,
    days: Vec<&'static str>,
    short_days: Vec<&'static str>,
    separator: &'static str,
    point: &'static str,
    group: usize,
}

static LOCALES: LazyLock<HashMap<&'static str, Locale>> =
    LazyLock::new(|| include_str!("data/locales.tsv").lines().filter_map(read).collect());

fn read(line: &'static str) -> Option<(&'static str, Locale)> {
    let mut fields = line.split('\t');
    let name = fields.next()?;
    let mut list = || fields.next().map(|words| words.split('|').collect::<Vec<_>>());
    let (months, short_months, days, short_days) = (list()?, list()?, list()?, list()?);
    let separator = match fields.next()? {
        "\\0" => "\0",
        mark => mark,
    };
    let (point, group) = (fields.next()?, fields.next()?.parse().ok()?);
    Some((name, Locale { months, short_months, days, short_days, separator, point, group }))
}

fn longest(names: &[&str]) -> usize {
    names.iter().map(|name| name.chars().count()).max().unwrap_or(0)
}

/// The session's locale.
pub fn of(state: &State) -> &'static Locale {
    let named = state.vars.others.get("lc_time_names").map(super::super::compare_text);
    let found = named.and_then(|name| LOCALES.get(name.as_str()));
    found.unwrap_or_else(first)
}

/// `en_US`.
pub fn first() -> &'static Locale {
    // It is there: a test reads the file.
    &LOCALES[NAMES[0]]
}

/// The locale that a text names; what is none is the first of all, with a warning.
fn named(name: &Value, state: &mut State) -> &'static Locale {
    let shown = super::super::compare_text(name);
    let same = |known: &&&str| known.eq_ignore_ascii_case(&shown);
    let known = NAMES.iter().find(same).and_then(|name| LOCALES.get(*name));
    known.unwrap_or_else(|| {
        let shown = if name.is_null() { "NULL" } else { &shown };
        state.warn(Level::Warning, 1649, format!("Unknown locale: '{shown}'"));
        first()
    })
}

/// The locale that an argument names, where there is one; what is written in the statement was looked at beforehand.
pub fn asked(cx: &mut Cx<'_>, name: Option<&Expr>) -> Result<Option<&'static Locale>, SqlError> {
    let Some(e) = name else { return Ok(None) };
    let name = e.eval(cx)?;
    Ok(Some(match is_written(e) {
        true => silently(cx.state, |state| named(&name, state)).0,
        false => named(&name, cx.state),
    }))
}

/// Tells of a name that is written in the statement and is that of no locale, whether it is wanted or not.
pub fn foresee(name: Option<&Expr>, state: &mut State) {
    if let Some(e) = name
        && is_written(e)
        && let Kind::Const(name) = &e.kind
    {
        state.leniently(|state| named(name, state));
    }
}

/// Whether it is a constant as it stands.
fn is_written(e: &Expr) -> bool {
    matches!(e.kind, Kind::Const(_)) && !matches!(e.ty.origin, Named::Computed(_))
}

impl Locale {
    /// A number of digits alone before and behind its point, with the locale's marks; no point where nothing is behind it.
    pub fn marked(&self, whole: &str, fraction: &str) -> String {
        let mut out = String::new();
        for (at, digit) in whole.chars().enumerate() {
            let left = whole.len() - at;
            if at > 0 && left >= 3 && (left - 3).is_multiple_of(self.group) {
                out.push_str(self.separator);
            }
            out.push(digit);
        }
        if !fraction.is_empty() {
            out.push_str(self.point);
            out.push_str(fraction);
        }
        out
    }

    /// A month (1 to 12) in full.
    pub fn month(&self, month: u8) -> Option<&'static str> {
        self.months.get(usize::from(month).checked_sub(1)?).copied()
    }

    /// Characters of the longest name of a month.
    pub fn longest_month(&self) -> usize {
        longest(&self.months)
    }

    /// Characters of the longest name of a day.
    pub fn longest_day(&self) -> usize {
        longest(&self.days)
    }

    /// A month (1 to 12) in short.
    pub fn short_month(&self, month: u8) -> Option<&'static str> {
        self.short_months.get(usize::from(month).checked_sub(1)?).copied()
    }

    /// A day of the week (0 is Monday) in full.
    pub fn day(&self, weekday: u8) -> Option<&'static str> {
        self.days.get(usize::from(weekday)).copied()
    }

    /// A day of the week (0 is Monday) in short.
    pub fn short_day(&self, weekday: u8) -> Option<&'static str> {
        self.short_days.get(usize::from(weekday)).copied()
    }
}

/// A name's bytes as they stand in plain text of a character set: UTF-8 where that is not made of bytes.
pub fn plain(name: &str, charset: Charset) -> Vec<u8> {
    match charset.is_ascii_based() {
        true => Charset::Utf8mb4.convert_cow(name.as_bytes(), charset).into_owned(),
        false => name.as_bytes().to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::{LOCALES, NAMES};

    #[test]
    fn every_locale_has_its_words() {
        assert_eq!(LOCALES.len(), NAMES.len());
        for name in NAMES {
            let locale = &LOCALES[name];
            assert_eq!((locale.months.len(), locale.short_months.len()), (12, 12), "{name}");
            assert_eq!((locale.days.len(), locale.short_days.len()), (7, 7), "{name}");
        }
    }
}
