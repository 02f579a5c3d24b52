//! Sorted results of long texts: rows that begin alike are told apart by the whole of them.

mod harness;

use harness::Server;

const COLLATIONS: &[&str] = &[
    "utf8mb4_general_ci",
    "utf8mb4_bin",
    "utf8mb4_unicode_ci",
    "utf8mb4_nopad_bin",
    "utf8mb4_general_nopad_ci",
    "utf8mb4_uca1400_ai_ci",
    "utf8mb3_czech_ci",
    "latin1_swedish_ci",
];

/// Pieces whose order differs between collations, and that meet the place where the start of a text is cut off.
const PIECES: &[&str] = &["a", "B", " ", "0123456789", "\u{e9}", "ch", "c", "-", "z", "\t"];

/// Texts of up to some 60 characters, many of which begin alike.
fn texts(count: usize) -> Vec<String> {
    let mut state = 7u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    let starts =
        ["", "https://example.org/", "               ", "cccccccccccccch", "\u{e9}\u{e9}\u{e9}\u{e9}"];
    (0..count)
        .map(|_| {
            let mut text = starts[below(starts.len())].to_owned();
            for _ in 0..below(24) {
                text += PIECES[below(PIECES.len())];
            }
            text
        })
        .collect()
}

#[test]
fn long_texts_are_sorted_by_the_whole_of_them() {
    let server = Server::new();
    let mut s = server.session();
    let rows: Vec<String> =
        texts(700).iter().enumerate().map(|(id, text)| format!("({id}, '{text}', {})", id % 3)).collect();
    for collation in COLLATIONS {
        let charset = collation.split('_').next().expect("a collation's name begins with its character set");
        s.run(&format!(
            "CREATE OR REPLACE TABLE t (id INT PRIMARY KEY, c VARCHAR(300) CHARACTER SET {charset} COLLATE {collation}, n INT)"
        ));
        s.run(&format!("INSERT INTO t VALUES {}, (1000, NULL, 1), (1001, NULL, 2)", rows.join(", ")));
        for direction in ["ASC", "DESC"] {
            // What is computed is sorted by another way.
            let by = format!("CONCAT(c, '') {direction}");
            for (sorted, expected) in [
                (
                    format!("SELECT id, c FROM t ORDER BY c {direction}"),
                    format!("SELECT id, c FROM t ORDER BY {by}, id"),
                ),
                (
                    format!("SELECT id FROM t ORDER BY c {direction} LIMIT 5, 20"),
                    format!("SELECT id FROM t ORDER BY {by}, id LIMIT 5, 20"),
                ),
                (
                    format!("SELECT id, c FROM t ORDER BY c {direction}, n DESC LIMIT 100"),
                    format!("SELECT id, c FROM t ORDER BY {by}, n DESC, id LIMIT 100"),
                ),
                (
                    format!("SELECT DISTINCT c FROM t ORDER BY c {direction}"),
                    format!("SELECT c FROM t WHERE id IN (SELECT MIN(id) FROM t GROUP BY c) ORDER BY {by}"),
                ),
            ] {
                assert_eq!(s.rows(&sorted), s.rows(&expected), "{collation}: {sorted}");
            }
        }
    }
}
