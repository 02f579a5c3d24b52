use types::charset::{Charset, Collation};

use crate::{Random, ask, assert_same, hex};

/// Characters that tell collations apart: case, accents, spaces, controls, expansions, ignorables, other planes.
const INTERESTING: &[u32] = &[
    0x20, 0x20, 0x09, 0x01, 0x61, 0x41, 0x62, 0x42, 0x7A, 0x5F, 0x7E, 0x30, 0xE4, 0xC4, 0xDF, 0xE6, 0xE9,
    0xF1, 0xFF, 0x152, 0x131, 0x130, 0x17F, 0x3B1, 0x391, 0x3AC, 0x430, 0x410, 0x451, 0xAD, 0x300, 0x301,
    0x4E00, 0x9FA5, 0x3042, 0xAC00, 0xD7A3, 0xFB01, 0xFFFD, 0x1F600, 0x10400, 0x10428, 0x20000, 0x1E9E,
    0xE000, 0x2126,
];

fn random_text(random: &mut Random, charset: Charset, max: usize) -> Vec<u8> {
    let mut text = Vec::new();
    for _ in 0..random.below(max + 1) {
        if charset == Charset::Binary {
            text.push(*random.pick(&[0, 1, 0x20, 0x41, 0xFF]));
            continue;
        }
        while !charset.encode(*random.pick(INTERESTING), &mut text) {}
    }
    text
}

#[test]
fn the_registry_is_mariadbs() {
    let sql = "select a.full_collation_name, a.character_set_name, a.id, ifnull(a.is_default, ''), c.sortlen from \
               information_schema.collation_character_set_applicability a join information_schema.collations c on \
               a.collation_name = c.collation_name;";
    let Some(rows) = ask(sql) else { return };
    let mut cases = Vec::new();
    for collation in Collation::all() {
        let id = collation.id.id().to_string();
        let theirs = rows.iter().find(|row| row[2] == id).map(|row| row.join("|")).unwrap_or_default();
        let default = if collation.is_default { "Yes" } else { "" };
        let ours =
            format!("{}|{}|{id}|{default}|{}", collation.name, collation.charset.name(), collation.sort_len);
        cases.push((collation.name.to_string(), ours, theirs));
    }
    assert_same("collations", &cases);
}

#[test]
fn comparison_weights_and_case_are_mariadbs() {
    let mut random = Random(0xABCDEF);
    let (mut sql, mut ours) = (String::new(), Vec::new());
    for collation in Collation::all() {
        let (charset, name) = (collation.charset, collation.name);
        for _ in 0..60 {
            let (a, b) = (random_text(&mut random, charset, 4), random_text(&mut random, charset, 4));
            let literal = |t: &[u8]| format!("_{} 0x{} collate `{name}`", charset.name(), hex(t));
            let literal = |t: &[u8]| {
                if t.is_empty() { format!("_{} '' collate `{name}`", charset.name()) } else { literal(t) }
            };
            sql.push_str(&format!(
                "select strcmp({0}, {1}), hex(weight_string({0})), hex(upper({0})), hex(lower({0}));\n",
                literal(&a),
                literal(&b)
            ));
            let (mut weights, mut upper, mut lower) = (Vec::new(), Vec::new(), Vec::new());
            collation.weight_string(&a, &mut weights);
            collation.upper(&a, &mut upper);
            collation.lower(&a, &mut lower);
            let order = collation.compare(&a, &b) as i32;
            let case = format!("{name} {} {}", hex(&a), hex(&b));
            ours.push((case, format!("{order}|{}|{}|{}", hex(&weights), hex(&upper), hex(&lower))));
        }
    }
    let Some(rows) = ask(&sql) else { return };
    assert_eq!(rows.len(), ours.len());
    let cases: Vec<_> =
        ours.into_iter().zip(rows).map(|((case, ours), row)| (case, ours, row.join("|"))).collect();
    assert_same("strings", &cases);
}

#[test]
fn like_is_mariadbs() {
    let mut random = Random(0x51EE);
    let (mut sql, mut ours) = (String::new(), Vec::new());
    for collation in Collation::all() {
        let (charset, name) = (collation.charset, collation.name);
        for _ in 0..60 {
            let text = random_text(&mut random, charset, 6);
            let mut pattern = Vec::new();
            for _ in 0..random.below(6) {
                match random.below(6) {
                    0 => assert!(charset.encode(0x25, &mut pattern)),
                    1 => assert!(charset.encode(0x5F, &mut pattern)),
                    2 => assert!(charset.encode(0x21, &mut pattern)),
                    _ => {
                        let at = random.below(text.len() + 1);
                        let piece = &text[charset.offset_of_char(&text, at)..];
                        pattern.extend_from_slice(&piece[..charset.char_len(piece)]);
                    }
                }
            }
            let literal = |t: &[u8]| match t {
                [] => format!("_{} '' collate `{name}`", charset.name()),
                t => format!("_{} 0x{} collate `{name}`", charset.name(), hex(t)),
            };
            sql.push_str(&format!("select {} like {} escape '!';\n", literal(&text), literal(&pattern)));
            let case = format!("{name} {} like {}", hex(&text), hex(&pattern));
            ours.push((case, u8::from(collation.like(&text, &pattern, Some(0x21))).to_string()));
        }
    }
    let Some(rows) = ask(&sql) else { return };
    assert_eq!(rows.len(), ours.len());
    let cases: Vec<_> =
        ours.into_iter().zip(rows).map(|((case, ours), row)| (case, ours, row.join("|"))).collect();
    assert_same("patterns", &cases);
}

/// A checksum of each 256 code points' weights, capitals and small letters, so that all of Unicode is compared.
#[test]
fn every_character_weighs_the_same() {
    for name in
        ["utf8mb4_general_ci", "utf8mb4_unicode_ci", "utf8mb4_unicode_520_ci", "utf8mb4_uca1400_ai_ci"]
    {
        let collation = Collation::by_name(name).unwrap();
        let character = "convert(convert(unhex(lpad(hex(seq), 8, '0')) using utf32) using utf8mb4)";
        let text = format!("{character} collate {name}");
        let sql = format!(
            "use mysql; set group_concat_max_len = 1000000; select seq div 256, crc32(group_concat(concat_ws(' ', \
             hex(weight_string({text})), hex(upper({text})), hex(lower({text}))) order by seq)) from seq_0_to_1114111 \
             where seq not between 0xD800 and 0xDFFF and (seq < 0x20000 or seq % 0x1000 < 0x100) group by seq div 256;"
        );
        let Some(rows) = ask(&sql) else { return };
        assert!(rows.len() > 600);
        let mut cases = Vec::new();
        for row in rows {
            let page: u32 = row[0].parse().unwrap();
            let all: Vec<String> = (page * 256..page * 256 + 256)
                .map(|code| {
                    let (mut text, mut weights, mut upper, mut lower) =
                        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
                    assert!(Charset::Utf8mb4.encode(code, &mut text));
                    collation.weight_string(&text, &mut weights);
                    collation.upper(&text, &mut upper);
                    collation.lower(&text, &mut lower);
                    format!("{} {} {}", hex(&weights), hex(&upper), hex(&lower))
                })
                .collect();
            let ours = checksum::crc32(all.join(",").as_bytes());
            cases.push((format!("{name}, page {page:X}"), ours.to_string(), row[1].clone()));
        }
        assert_same("pages", &cases);
    }
}

#[test]
fn searches_are_mariadbs() {
    let mut random = Random(0xF1AD);
    let (mut sql, mut ours) = (String::new(), Vec::new());
    for collation in Collation::all() {
        let (charset, name) = (collation.charset, collation.name);
        for _ in 0..40 {
            let text = random_text(&mut random, charset, 8);
            let needle = if random.below(2) == 0 {
                let from = charset.offset_of_char(&text, random.below(4));
                let to = from + charset.offset_of_char(&text[from..], random.below(3));
                let mut folded = Vec::new();
                collation.upper(&text[from..to], &mut folded);
                folded
            } else {
                random_text(&mut random, charset, 2)
            };
            let literal = |t: &[u8]| match t {
                [] => format!("_{} '' collate `{name}`", charset.name()),
                t => format!("_{} 0x{} collate `{name}`", charset.name(), hex(t)),
            };
            sql.push_str(&format!("select locate({}, {});\n", literal(&needle), literal(&text)));
            let found = collation.find(&text, &needle, 0);
            let position = found.map_or(0, |range| charset.char_count(&text[..range.start]) + 1);
            ours.push((format!("{name}: {} in {}", hex(&needle), hex(&text)), position.to_string()));
        }
    }
    let Some(rows) = ask(&sql) else { return };
    assert_eq!(rows.len(), ours.len());
    let cases: Vec<_> =
        ours.into_iter().zip(rows).map(|((case, ours), row)| (case, ours, row.join("|"))).collect();
    assert_same("searches", &cases);
}
