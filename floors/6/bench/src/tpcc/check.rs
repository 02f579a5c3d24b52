//! The conditions of consistency (3.3.2.1 to 3.3.2.12), each as a query for what breaks it.

use super::Tpcc;
use crate::BenchError;
use crate::target::{Target, value};

/// One condition, and how many rows break it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// Its number in 3.3.2.
    pub number: usize,
    /// What it says.
    pub text: &'static str,
    /// Rows that break it; 0 is good.
    pub broken: u64,
}

/// Text and query of each. Sums of money are compared exactly: they are decimals. Condition 11 is asked for at any time,
/// not only at first: orders that are not new are the 2,100 delivered at first and those delivered since.
const CONDITIONS: [(&str, &str); 12] = [
    (
        "W_YTD = sum(D_YTD)",
        "SELECT COUNT(*) FROM (SELECT w_id FROM warehouse JOIN district ON d_w_id = w_id GROUP BY w_id, w_ytd \
         HAVING w_ytd <> SUM(d_ytd)) AS broken",
    ),
    (
        "D_NEXT_O_ID - 1 = max(O_ID) = max(NO_O_ID)",
        "SELECT COUNT(*) FROM district \
         JOIN (SELECT o_w_id, o_d_id, MAX(o_id) AS o_max FROM orders GROUP BY o_w_id, o_d_id) AS o \
         ON o_w_id = d_w_id AND o_d_id = d_id \
         LEFT JOIN (SELECT no_w_id, no_d_id, MAX(no_o_id) AS no_max FROM new_order GROUP BY no_w_id, no_d_id) AS n \
         ON no_w_id = d_w_id AND no_d_id = d_id \
         WHERE d_next_o_id - 1 <> o_max OR o_max <> no_max",
    ),
    (
        "max(NO_O_ID) - min(NO_O_ID) + 1 = rows in NEW-ORDER",
        "SELECT COUNT(*) FROM (SELECT no_w_id, no_d_id FROM new_order GROUP BY no_w_id, no_d_id \
         HAVING MAX(no_o_id) - MIN(no_o_id) + 1 <> COUNT(*)) AS broken",
    ),
    (
        "sum(O_OL_CNT) = rows in ORDER-LINE",
        "SELECT COUNT(*) FROM (SELECT o_w_id, o_d_id, SUM(o_ol_cnt) AS counted FROM orders GROUP BY o_w_id, o_d_id) \
         AS o LEFT JOIN (SELECT ol_w_id, ol_d_id, COUNT(*) AS found FROM order_line GROUP BY ol_w_id, ol_d_id) AS l \
         ON ol_w_id = o_w_id AND ol_d_id = o_d_id WHERE found IS NULL OR counted <> found",
    ),
    (
        "O_CARRIER_ID is null if and only if the order is in NEW-ORDER",
        "SELECT COUNT(*) FROM orders LEFT JOIN new_order \
         ON no_w_id = o_w_id AND no_d_id = o_d_id AND no_o_id = o_id \
         WHERE (o_carrier_id IS NULL) <> (no_o_id IS NOT NULL)",
    ),
    (
        "O_OL_CNT = the order's rows in ORDER-LINE",
        "SELECT COUNT(*) FROM orders LEFT JOIN (SELECT ol_w_id, ol_d_id, ol_o_id, COUNT(*) AS found FROM order_line \
         GROUP BY ol_w_id, ol_d_id, ol_o_id) AS l ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id \
         WHERE found IS NULL OR o_ol_cnt <> found",
    ),
    (
        "OL_DELIVERY_D is null if and only if O_CARRIER_ID is",
        "SELECT COUNT(*) FROM order_line LEFT JOIN orders \
         ON o_w_id = ol_w_id AND o_d_id = ol_d_id AND o_id = ol_o_id \
         WHERE o_id IS NULL OR (ol_delivery_d IS NULL) <> (o_carrier_id IS NULL)",
    ),
    (
        "W_YTD = sum(H_AMOUNT)",
        "SELECT COUNT(*) FROM warehouse LEFT JOIN (SELECT h_w_id, SUM(h_amount) AS paid FROM history GROUP BY h_w_id) \
         AS h ON h_w_id = w_id WHERE paid IS NULL OR w_ytd <> paid",
    ),
    (
        "D_YTD = sum(H_AMOUNT)",
        "SELECT COUNT(*) FROM district LEFT JOIN (SELECT h_w_id, h_d_id, SUM(h_amount) AS paid FROM history \
         GROUP BY h_w_id, h_d_id) AS h ON h_w_id = d_w_id AND h_d_id = d_id WHERE paid IS NULL OR d_ytd <> paid",
    ),
    (
        "C_BALANCE = sum(OL_AMOUNT delivered) - sum(H_AMOUNT)",
        "SELECT COUNT(*) FROM customer \
         LEFT JOIN (SELECT o_w_id, o_d_id, o_c_id, SUM(ol_amount) AS bought FROM orders JOIN order_line \
         ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id WHERE ol_delivery_d IS NOT NULL \
         GROUP BY o_w_id, o_d_id, o_c_id) AS o ON o_w_id = c_w_id AND o_d_id = c_d_id AND o_c_id = c_id \
         LEFT JOIN (SELECT h_c_w_id, h_c_d_id, h_c_id, SUM(h_amount) AS paid FROM history \
         GROUP BY h_c_w_id, h_c_d_id, h_c_id) AS h ON h_c_w_id = c_w_id AND h_c_d_id = c_d_id AND h_c_id = c_id \
         WHERE c_balance <> COALESCE(bought, 0) - COALESCE(paid, 0)",
    ),
    (
        "rows in ORDER - rows in NEW-ORDER = 2100 + deliveries",
        "SELECT COUNT(*) FROM (SELECT o_w_id, o_d_id, COUNT(*) AS placed FROM orders GROUP BY o_w_id, o_d_id) AS o \
         LEFT JOIN (SELECT no_w_id, no_d_id, COUNT(*) AS open FROM new_order GROUP BY no_w_id, no_d_id) AS n \
         ON no_w_id = o_w_id AND no_d_id = o_d_id \
         JOIN (SELECT c_w_id, c_d_id, SUM(c_delivery_cnt) AS delivered FROM customer GROUP BY c_w_id, c_d_id) AS c \
         ON c_w_id = o_w_id AND c_d_id = o_d_id WHERE placed - COALESCE(open, 0) <> 2100 + delivered",
    ),
    (
        "C_BALANCE + C_YTD_PAYMENT = sum(OL_AMOUNT delivered)",
        "SELECT COUNT(*) FROM customer \
         LEFT JOIN (SELECT o_w_id, o_d_id, o_c_id, SUM(ol_amount) AS bought FROM orders JOIN order_line \
         ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id WHERE ol_delivery_d IS NOT NULL \
         GROUP BY o_w_id, o_d_id, o_c_id) AS o ON o_w_id = c_w_id AND o_d_id = c_d_id AND o_c_id = c_id \
         WHERE c_balance + c_ytd_payment <> COALESCE(bought, 0)",
    ),
];

/// Asks a server for all conditions.
pub fn check(target: &Target, tpcc: &Tpcc) -> Result<Vec<Condition>, BenchError> {
    let mut client = target.connect(Some(&tpcc.database))?;
    let mut one = |(i, (text, sql)): (usize, &(&'static str, &str))| {
        let answer = value(&mut client, sql)?.and_then(|text| text.parse().ok());
        let broken = answer.ok_or_else(|| BenchError::Wish(format!("condition {}: no number", i + 1)))?;
        Ok(Condition { number: i + 1, text, broken })
    };
    CONDITIONS.iter().enumerate().map(&mut one).collect()
}
