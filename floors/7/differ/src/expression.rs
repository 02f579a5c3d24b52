//! Random expressions over all types, operators and functions.

use crate::dice::Dice;
use crate::schema::{Sort, Table, literal};
use crate::term::{Role, Term};

/// Templates by the sort of their value. In them `n`, `t`, `d`, `c`, `j` in braces are operands of a sort (number, text,
/// date, time ("clock"), document), `i` a small number as written, `a` anything, `b` a condition, `p` a JSON path.
const NUMBERS: &[&str] = &[
    "{n} + {n}",
    "{n} - {n}",
    "{n} * {n}",
    "{n} / {n}",
    "{n} DIV {n}",
    "{n} % {n}",
    "-{n}",
    "ABS({n})",
    "ROUND({n})",
    "ROUND({n}, {i})",
    "TRUNCATE({n}, {i})",
    "CEIL({n})",
    "FLOOR({n})",
    "SIGN({n})",
    "MOD({n}, {n})",
    "{n} & {n}",
    "{n} | {n}",
    "{n} ^ {n}",
    "~{n}",
    "{n} << {i}",
    "{n} >> {i}",
    "SQRT({n})",
    "LENGTH({t})",
    "CHAR_LENGTH({t})",
    "LOCATE({t}, {t})",
    "INSTR({t}, {t})",
    "ASCII({t})",
    "ORD({t})",
    "FIND_IN_SET({t}, {t})",
    "FIELD({t}, {t}, {t})",
    "STRCMP({t}, {t})",
    "BIT_COUNT({n})",
    "BIT_LENGTH({t})",
    "CRC32({t})",
    "YEAR({d})",
    "MONTH({d})",
    "DAY({d})",
    "DAYOFWEEK({d})",
    "DAYOFYEAR({d})",
    "WEEK({d}, {i})",
    "QUARTER({d})",
    "WEEKDAY({d})",
    "HOUR({c})",
    "MINUTE({c})",
    "SECOND({c})",
    "MICROSECOND({d})",
    "TO_DAYS({d})",
    "TO_SECONDS({d})",
    "UNIX_TIMESTAMP({d})",
    "TIME_TO_SEC({c})",
    "DATEDIFF({d}, {d})",
    "TIMESTAMPDIFF(DAY, {d}, {d})",
    "TIMESTAMPDIFF(SECOND, {d}, {d})",
    "YEARWEEK({d})",
    "PERIOD_DIFF({i}, {i})",
    "EXTRACT(YEAR_MONTH FROM {d})",
    "EXTRACT(HOUR_SECOND FROM {c})",
    "CAST({a} AS SIGNED)",
    "CAST({a} AS UNSIGNED)",
    "CAST({a} AS DECIMAL(10,2))",
    "CAST({a} AS DOUBLE)",
    "IF({b}, {n}, {n})",
    "IFNULL({n}, {n})",
    "NULLIF({n}, {n})",
    "COALESCE({n}, {n}, {n})",
    "CASE WHEN {b} THEN {n} ELSE {n} END",
    "CASE {n} WHEN {n} THEN {n} END",
    "GREATEST({n}, {n})",
    "LEAST({n}, {n}, {n})",
    "INTERVAL({n}, {i}, {i})",
    "JSON_LENGTH({j})",
    "JSON_DEPTH({j})",
    "JSON_VALID({t})",
    "JSON_CONTAINS({j}, {j})",
    "JSON_OVERLAPS({j}, {j})",
    "JSON_EQUALS({j}, {j})",
    "JSON_CONTAINS_PATH({j}, 'one', {p})",
    "JSON_EXISTS({j}, {p})",
    "({n})",
    "REGEXP_INSTR({t}, {t})",
    "INET_ATON({t})",
    "IS_IPV4({t})",
    "({b})",
    "COERCIBILITY({a})",
    "ISNULL({a})",
];
const TEXTS: &[&str] = &[
    "CONCAT({t}, {a})",
    "CONCAT_WS({t}, {a}, {a})",
    "UPPER({t})",
    "LOWER({t})",
    "SUBSTRING({t}, {i})",
    "SUBSTRING({t}, {i}, {i})",
    "LEFT({t}, {i})",
    "RIGHT({t}, {i})",
    "TRIM({t})",
    "LTRIM({t})",
    "RTRIM({t})",
    "TRIM(LEADING {t} FROM {t})",
    "REPLACE({t}, {t}, {t})",
    "REPEAT({t}, {i})",
    "REVERSE({t})",
    "LPAD({t}, {i}, {t})",
    "RPAD({t}, {i}, {t})",
    "SPACE({i})",
    "HEX({a})",
    "UNHEX({t})",
    "QUOTE({t})",
    "SOUNDEX({t})",
    "ELT({i}, {t}, {t})",
    "MAKE_SET({i}, {t}, {t})",
    "EXPORT_SET({i}, {t}, {t})",
    "INSERT({t}, {i}, {i}, {t})",
    "SUBSTRING_INDEX({t}, {t}, {i})",
    "FORMAT({n}, {i})",
    "CONV({i}, 10, {i})",
    "BIN({n})",
    "OCT({n})",
    "MD5({t})",
    "SHA1({t})",
    "SHA2({t}, 256)",
    "TO_BASE64({t})",
    "FROM_BASE64({t})",
    "CHAR({i}, {i})",
    "CAST({a} AS CHAR)",
    "CAST({a} AS CHAR(3))",
    "CAST({a} AS BINARY)",
    "CONVERT({t} USING latin1)",
    "CONVERT({t} USING utf8mb3)",
    "{t} COLLATE utf8mb4_bin",
    "{t} COLLATE utf8mb4_unicode_ci",
    "IF({b}, {t}, {t})",
    "IFNULL({t}, {a})",
    "NULLIF({t}, {t})",
    "COALESCE({t}, {a})",
    "CASE WHEN {b} THEN {t} ELSE {a} END",
    "GREATEST({t}, {t})",
    "LEAST({t}, {t})",
    "DATE_FORMAT({d}, '%Y-%m-%d %H:%i:%s.%f')",
    "DATE_FORMAT({d}, '%W %M %e %y %j %u')",
    "TIME_FORMAT({c}, '%H:%i:%s')",
    "DAYNAME({d})",
    "MONTHNAME({d})",
    "CHARSET({a})",
    "COLLATION({a})",
    "REGEXP_REPLACE({t}, {t}, {t})",
    "REGEXP_SUBSTR({t}, {t})",
    "JSON_UNQUOTE({j})",
    "JSON_QUOTE({t})",
    "JSON_VALUE({j}, {p})",
    "JSON_TYPE({j})",
    "INET_NTOA({n})",
    "({t})",
    "TO_CHAR({d}, 'YYYY-MM-DD')",
    "NATURAL_SORT_KEY({t})",
    "HEX(WEIGHT_STRING({t}))",
    "UNCOMPRESS(COMPRESS({t}))",
    "SFORMAT('{{}}-{{}}', {t}, {n})",
];
const DATES: &[&str] = &[
    "DATE({d})",
    "TIMESTAMP({d})",
    "TIMESTAMP({d}, {c})",
    "{d} + INTERVAL {i} DAY",
    "{d} - INTERVAL {i} MONTH",
    "DATE_ADD({d}, INTERVAL {i} HOUR)",
    "DATE_SUB({d}, INTERVAL {n} SECOND)",
    "ADDDATE({d}, {i})",
    "LAST_DAY({d})",
    "MAKEDATE({i}, {i})",
    "FROM_DAYS({n})",
    "FROM_UNIXTIME({n})",
    "STR_TO_DATE({t}, '%Y-%m-%d')",
    "ADDTIME({d}, {c})",
    "CAST({a} AS DATE)",
    "CAST({a} AS DATETIME)",
    "CAST({a} AS DATETIME(2))",
    "IF({b}, {d}, {d})",
    "IFNULL({d}, {d})",
    "COALESCE({d}, {d})",
    "GREATEST({d}, {d})",
    "LEAST({d}, {d})",
    "CONVERT_TZ({d}, '+00:00', '+05:30')",
    "DATE'2020-01-31'",
    "TIMESTAMP'2020-01-31 10:20:30.5'",
    "NOW()",
    "CURDATE()",
    "NOW(3)",
    "ADD_MONTHS({d}, {i})",
];
const TIMES: &[&str] = &[
    "TIME({c})",
    "TIME({d})",
    "SEC_TO_TIME({n})",
    "TIMEDIFF({c}, {c})",
    "ADDTIME({c}, {c})",
    "SUBTIME({c}, {c})",
    "MAKETIME({i}, {i}, {n})",
    "CAST({a} AS TIME)",
    "CAST({a} AS TIME(3))",
    "IF({b}, {c}, {c})",
    "TIME'10:11:12.5'",
    "CURTIME()",
    "COALESCE({c}, {c})",
    "GREATEST({c}, {c})",
];
const DOCUMENTS: &[&str] = &[
    "JSON_EXTRACT({j}, {p})",
    "JSON_ARRAY({a}, {a})",
    "JSON_OBJECT({t}, {a})",
    "JSON_SET({j}, {p}, {a})",
    "JSON_INSERT({j}, {p}, {a})",
    "JSON_REPLACE({j}, {p}, {a})",
    "JSON_REMOVE({j}, {p})",
    "JSON_KEYS({j})",
    "JSON_MERGE_PATCH({j}, {j})",
    "JSON_MERGE_PRESERVE({j}, {j})",
    "JSON_ARRAY_APPEND({j}, {p}, {a})",
    "JSON_ARRAY_INSERT({j}, {p}, {a})",
    "JSON_COMPACT({j})",
    "JSON_LOOSE({j})",
    "JSON_DETAILED({j})",
    "JSON_NORMALIZE({j})",
    "JSON_QUERY({j}, {p})",
    "JSON_SEARCH({j}, 'all', {t})",
];
const CONDITIONS: &[&str] = &[
    "{n} = {n}",
    "{n} < {n}",
    "{n} >= {n}",
    "{t} = {t}",
    "{t} <> {t}",
    "{t} < {t}",
    "{d} = {d}",
    "{d} > {d}",
    "{c} < {c}",
    "{a} = {a}",
    "{a} <=> {a}",
    "{a} < {a}",
    "{n} BETWEEN {n} AND {n}",
    "{t} BETWEEN {t} AND {t}",
    "{d} BETWEEN {d} AND {d}",
    "{n} IN ({n}, {n})",
    "{t} IN ({t}, {t})",
    "{d} IN ({d}, {d})",
    "{n} NOT IN ({n}, {n})",
    "{t} LIKE {t}",
    "{t} NOT LIKE {t}",
    "{t} REGEXP {t}",
    "{a} IS NULL",
    "{a} IS NOT NULL",
    "{b} AND {b}",
    "{b} OR {b}",
    "NOT {b}",
    "{b} XOR {b}",
    "{b} IS TRUE",
    "{b} IS NOT FALSE",
    "({n}, {t}) = ({n}, {t})",
    "({b})",
    "{a} IN ({a}, {a})",
];

const PATHS: &[&str] = &[
    "'$'",
    "'$.a'",
    "'$.b[0]'",
    "'$[1]'",
    "'$.*'",
    "'$[*]'",
    "'$.b[2].c'",
    "'$**.c'",
    "'$[last]'",
    "'$.x.y'",
];

/// What expressions may name.
pub struct Names<'t> {
    /// Tables in reach, with the names they go by; names are qualified where there are several.
    pub tables: Vec<(String, &'t Table)>,
}

impl Names<'_> {
    fn column(&self, dice: &mut Dice, sort: Sort) -> Option<String> {
        let mut fits = Vec::new();
        for (alias, table) in &self.tables {
            let columns = table.columns.iter().filter(|c| c.sort == sort);
            fits.extend(columns.map(|c| match self.tables.len() {
                1 => c.name.clone(),
                _ => format!("{alias}.{}", c.name),
            }));
        }
        (!fits.is_empty()).then(|| dice.pick(&fits).clone())
    }
}

/// Any sort.
pub fn any_sort(dice: &mut Dice) -> Sort {
    match dice.below(14) {
        0..=4 => Sort::Number,
        5..=9 => Sort::Text,
        10 | 11 => Sort::Date,
        12 => Sort::Time,
        _ => Sort::Json,
    }
}

/// An expression of a sort, `depth` operators deep at most.
pub fn expression(dice: &mut Dice, names: &Names<'_>, sort: Sort, depth: usize) -> Term {
    // Now and then something else stands where a sort is asked for.
    let sort = if dice.chance(1, 12) { any_sort(dice) } else { sort };
    if depth == 0 || dice.chance(1, 4) {
        let text = match names.column(dice, sort) {
            Some(column) if dice.chance(3, 4) => column,
            _ => literal(dice, sort),
        };
        return Term::words(Role::Expr, text);
    }
    let list = match sort {
        Sort::Number => NUMBERS,
        Sort::Text => TEXTS,
        Sort::Date => DATES,
        Sort::Time => TIMES,
        Sort::Json => DOCUMENTS,
    };
    let template = *dice.pick(list);
    filled(dice, names, template, depth)
}

/// A condition.
pub fn condition(dice: &mut Dice, names: &Names<'_>, depth: usize) -> Term {
    let template = *dice.pick(CONDITIONS);
    filled(dice, names, template, depth)
}

fn filled(dice: &mut Dice, names: &Names<'_>, template: &str, depth: usize) -> Term {
    let (mut shape, mut parts, mut rest) = (String::new(), Vec::new(), template);
    while let Some((before, after)) = rest.split_once('{') {
        let inside = depth.saturating_sub(1);
        shape.push_str(before);
        // Doubled braces are SFORMAT's own.
        if let Some(after) = after.strip_prefix("{}}") {
            parts.push(Term::words(Role::Fixed, "{}"));
            shape.push_str("{}");
            rest = after;
            continue;
        }
        let (kind, after) = after.split_once('}').expect("braces in pairs");
        let part = match kind {
            "n" => expression(dice, names, Sort::Number, inside),
            "t" => expression(dice, names, Sort::Text, inside),
            "d" => expression(dice, names, Sort::Date, inside),
            "c" => expression(dice, names, Sort::Time, inside),
            "j" => expression(dice, names, Sort::Json, inside),
            "i" => Term::words(Role::Expr, dice.between(-1, 12).to_string()),
            "p" => Term::words(Role::Fixed, *dice.pick(PATHS)),
            "b" if inside == 0 => Term::words(Role::Expr, *dice.pick(&["TRUE", "FALSE", "NULL", "1", "0"])),
            "b" => condition(dice, names, inside),
            _ => {
                let sort = any_sort(dice);
                expression(dice, names, sort, inside)
            }
        };
        let wrapped = !matches!(part.pieces.len(), 0 | 1) && !template.contains('(');
        shape.push_str(if wrapped { "({})" } else { "{}" });
        parts.push(part);
        rest = after;
    }
    shape.push_str(rest);
    Term::of(Role::Expr, &shape, parts)
}
