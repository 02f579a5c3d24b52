use super::*;
use crate::syntax::shape::Shape;
use crate::syntax::template::Templates;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::time::Instant;

/// Statements that the mutations start from: one of each kind at least.
const SEEDS: &[&str] = &[
    "select distinct a.*, b as `x y`, count(distinct c, d) over (partition by e order by f rows between 1 preceding and current row) from t1 a left join (select 1 union all select 2) b using (id) where a in (1,2) and b like 'x%' escape '!' group by 1 with rollup having 2 order by 3 desc limit 4, 5 for update skip locked",
    "with recursive r(n) as (select 1 union select n+1 from r where n < 10) select * from r",
    "insert ignore into d.t partition (p) (a,b) values (1,default),(null,x'41') on duplicate key update a=values(a)+1, b=default(b) returning *",
    "replace into t set a = 1, b = date'2001-01-01'",
    "update low_priority t1, t2 set t1.a = t2.b where t1.id = t2.id",
    "delete t1.*, d.t2 from t1 join d.t2 on a=b where c is not null",
    "create table if not exists t (a int unsigned not null auto_increment primary key, b varchar(10) character set latin1 default 'x' comment 'c', c decimal(10,2) as (a*2) stored, key k (b(3) desc), constraint f foreign key (a) references p (id) on delete cascade, check (a > 0)) engine=innodb default charset=utf8mb4",
    "alter table t add column (x int, y text), drop index i, change a b bigint first, rename to u, convert to character set utf8mb4, order by a",
    "set names utf8mb4 collate utf8mb4_bin, @a = 1, global x = on, @@session.sql_mode = concat(@@sql_mode, ',X')",
    "show full columns from t from d like 'x%'",
    "grant select (a,b), insert on d.* to 'u'@'%' identified by 'p' require ssl with grant option",
    "select /*!40101 1 + */ 2, /*!99999 3 */ {d '2001-01-01'}, n'x', _utf8mb4 'y' 'z', @`a b` := 5, 1.5e3, .5, 0b01, -- c\n \\N",
    "load data local infile 'f' replace into table t fields terminated by ',' lines terminated by '\\n' ignore 1 lines (a, @b) set c = @b",
    "xa start 'a','b',3",
    "select * from json_table('[1]', '$[*]' columns (i for ordinality, v int path '$' default '1' on empty)) j",
    "select trim(leading 'x' from y), substring(a from 1 for 2), position('a' in b), extract(year from d), d + interval 1 day, timestampadd(day, 1, d), cast(a as char(5) character set latin1), convert(b using utf8), group_concat(distinct a order by b separator ',' limit 3), match (a) against ('x' in boolean mode)",
];

/// Bytes that mean something somewhere.
const PIECES: &[&str] = &[
    "(",
    ")",
    ",",
    ";",
    "'",
    "\"",
    "`",
    "/*",
    "*/",
    "/*!",
    "--",
    "#",
    "@",
    "@@",
    "?",
    "\\",
    "\0",
    "\u{e9}",
    "select ",
    " from ",
    " union ",
    " not ",
    " in ",
    " as ",
    "1",
    "1e",
    "0x",
    "x'",
    ".",
    ":=",
    "->",
    "null",
    " interval ",
    " join ",
];

fn mutate(rng: &mut StdRng, text: &mut Vec<u8>) {
    for _ in 0..rng.random_range(1..6) {
        let at = rng.random_range(0..=text.len());
        match rng.random_range(0..5) {
            0 => text.truncate(at),
            1 if at < text.len() => text[at] = rng.random(),
            2 => {
                let end = (at + rng.random_range(0..20)).min(text.len());
                text.drain(at..end);
            }
            3 => {
                let piece = PIECES[rng.random_range(0..PIECES.len())];
                text.splice(at..at, piece.bytes());
            }
            _ => {
                let other = SEEDS[rng.random_range(0..SEEDS.len())].as_bytes();
                let from = rng.random_range(0..other.len());
                let to = (from + rng.random_range(1..40)).min(other.len());
                text.splice(at..at, other[from..to].iter().copied());
            }
        }
    }
}

/// Changes digits and strings, and sometimes what stands behind them.
fn change_values(rng: &mut StdRng, text: &mut Vec<u8>, round: usize) {
    for at in (0..text.len()).rev() {
        if !matches!(text[at], b'0'..=b'9' | b'\'' | b'"') || rng.random_range(0..3) != 0 {
            continue;
        }
        let digit = text[at].is_ascii_digit();
        match rng.random_range(0..12) {
            0..4 if digit => text[at] = b'0' + rng.random_range(0..10),
            4..6 if digit => {
                drop(text.splice(at..at, b"12345678901234567890"[..rng.random_range(1..20)].to_vec()))
            }
            6 if digit && round > 0 => text.insert(at + 1, b".ex_ '"[rng.random_range(0..6)]),
            7 if digit => drop(text.remove(at)),
            0..4 => text.insert(at + 1, b'q'),
            4 => text.insert(at + 1, b'\\'),
            5 => text.insert(at, text[at]),
            6..8 => text[at] = b'\\',
            _ => {}
        }
    }
}

/// No text makes lexer, parser or shape panic or take long.
#[test]
fn mutated_statements_are_parsed_or_refused() {
    let mut rng = StdRng::seed_from_u64(20_261_121);
    let (mut shape, mut values) = (Shape::default(), Vec::new());
    let mut templates = Templates::<Vec<u8>>::default();
    let (mut parsed, mut refused, mut alike) = (0, 0, 0);
    for round in 0..6_000 {
        let mut text = SEEDS[round % SEEDS.len()].as_bytes().to_vec();
        mutate(&mut rng, &mut text);
        let mode = LexMode {
            ansi_quotes: rng.random(),
            no_backslash_escapes: rng.random(),
            pipes_as_concat: rng.random(),
            ignore_space: rng.random(),
            high_not_precedence: rng.random(),
            empty_string_is_null: false,
            oracle: rng.random(),
            client: rng.random::<bool>().then_some(types::Charset::Latin1),
        };
        let start = Instant::now();
        match parse(
            &text,
            0,
            ParseOptions { mode, params: rng.random(), several: rng.random(), ..ParseOptions::default() },
        ) {
            Ok(_) => parsed += 1,
            Err(_) => refused += 1,
        }
        // Over and over, with values that have changed: what is told of a text by one like it is what it is.
        for again in 0..3 {
            let read = shape.read(&text, mode);
            if let Some(found) = templates.find(&text, round as u64, &mut values) {
                let same = read && shape.bytes() == &found[..] && shape.literals() == values;
                assert!(same, "{}", String::from_utf8_lossy(&text));
                alike += 1;
            } else if read {
                templates.keep(&text, round as u64, shape.literals(), shape.bytes().to_vec());
            }
            change_values(&mut rng, &mut text, again);
        }
        if shape.read(&text, mode) {
            let offsets = shape.offsets();
            let _ = parse(&text, 0, ParseOptions { mode, lifted: &offsets, ..ParseOptions::default() });
        }
        assert!(start.elapsed().as_millis() < 2_000, "{}", String::from_utf8_lossy(&text));
    }
    // the mutations must leave some statements whole, or nothing behind the first token is tried
    assert!(parsed > 200 && refused > 200, "{parsed} parsed, {refused} refused");
    assert!(alike > 200, "{alike} texts like one before");
}

#[test]
fn the_seeds_are_statements() {
    for seed in SEEDS {
        if let Err(e) = statement(seed) {
            panic!("{seed}: {e}");
        }
    }
}
