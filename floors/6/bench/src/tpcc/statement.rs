//! The statements of the five transactions, prepared once a connection.

use super::schema::DISTRICTS;
use crate::BenchError;
use crate::target::Connection;
use protocol::request::{Execute, Parameter, end, put_bytes, put_integer};

/// A value of a statement.
#[derive(Debug, Clone, Copy)]
pub(super) enum Value<'a> {
    Int(u64),
    /// Cents.
    Money(i64),
    Text(&'a [u8]),
}

/// Declares the statements: name, types of the parameters (i: integer, m: money, t: text), text.
macro_rules! statements {
    ($($name:ident $types:literal $sql:literal)*) => {
        /// A statement.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Statement { $($name,)* }

        const TEXTS: &[(&str, &str)] = &[$(($types, $sql),)*];
    };
}

statements! {
    // New-Order, 2.4.2
    CustomerAndWarehouse "iii"
        "SELECT c_discount, c_last, c_credit, w_tax FROM customer, warehouse \
         WHERE w_id = ? AND c_w_id = w_id AND c_d_id = ? AND c_id = ?"
    NextOrder "ii" "SELECT d_next_o_id, d_tax FROM district WHERE d_w_id = ? AND d_id = ? FOR UPDATE"
    SetNextOrder "iii" "UPDATE district SET d_next_o_id = ? + 1 WHERE d_w_id = ? AND d_id = ?"
    InsertOrder "iiiitii"
        "INSERT INTO orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local) \
         VALUES (?, ?, ?, ?, ?, ?, ?)"
    InsertNewOrder "iii" "INSERT INTO new_order (no_o_id, no_d_id, no_w_id) VALUES (?, ?, ?)"
    Item "i" "SELECT i_price, i_name, i_data FROM item WHERE i_id = ?"
    UpdateStock "iiiii"
        "UPDATE stock SET s_quantity = ?, s_ytd = s_ytd + ?, s_order_cnt = s_order_cnt + 1, \
         s_remote_cnt = s_remote_cnt + ? WHERE s_w_id = ? AND s_i_id = ?"
    InsertLine "iiiiiiimt"
        "INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity, \
         ol_amount, ol_dist_info) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
    // Payment, 2.5.2
    PayWarehouse "mi" "UPDATE warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?"
    Warehouse "i"
        "SELECT w_street_1, w_street_2, w_city, w_state, w_zip, w_name FROM warehouse WHERE w_id = ?"
    PayDistrict "mii" "UPDATE district SET d_ytd = d_ytd + ? WHERE d_w_id = ? AND d_id = ?"
    District "ii"
        "SELECT d_street_1, d_street_2, d_city, d_state, d_zip, d_name FROM district \
         WHERE d_w_id = ? AND d_id = ?"
    CustomersOfName "iit"
        "SELECT c_id FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ? ORDER BY c_first"
    CustomerToPay "iii"
        "SELECT c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip, c_phone, c_credit, \
         c_credit_lim, c_discount, c_balance, c_since FROM customer \
         WHERE c_w_id = ? AND c_d_id = ? AND c_id = ? FOR UPDATE"
    CustomerData "iii" "SELECT c_data FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?"
    PayCustomer "mmiii"
        "UPDATE customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?, \
         c_payment_cnt = c_payment_cnt + 1 WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?"
    PayCustomerWithData "mmtiii"
        "UPDATE customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?, \
         c_payment_cnt = c_payment_cnt + 1, c_data = ? WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?"
    InsertHistory "iiiiitmt"
        "INSERT INTO history (h_c_d_id, h_c_w_id, h_c_id, h_d_id, h_w_id, h_date, h_amount, h_data) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    // Order-Status, 2.6.2
    CustomerStatus "iii"
        "SELECT c_balance, c_first, c_middle, c_last FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?"
    LastOrder "iii"
        "SELECT o_id, o_carrier_id, o_entry_d FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ? \
         ORDER BY o_id DESC LIMIT 1"
    LinesOfOrder "iii"
        "SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d FROM order_line \
         WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?"
    // Delivery, 2.7.4
    OldestNewOrder "ii"
        "SELECT no_o_id FROM new_order WHERE no_w_id = ? AND no_d_id = ? ORDER BY no_o_id LIMIT 1 FOR UPDATE"
    DeleteNewOrder "iii" "DELETE FROM new_order WHERE no_w_id = ? AND no_d_id = ? AND no_o_id = ?"
    CustomerOfOrder "iii" "SELECT o_c_id FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?"
    SetCarrier "iiii" "UPDATE orders SET o_carrier_id = ? WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?"
    DeliverLines "tiii"
        "UPDATE order_line SET ol_delivery_d = ? WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?"
    AmountOfOrder "iii"
        "SELECT SUM(ol_amount) FROM order_line WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?"
    DeliverCustomer "miii"
        "UPDATE customer SET c_balance = c_balance + ?, c_delivery_cnt = c_delivery_cnt + 1 \
         WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?"
    // Stock-Level, 2.8.2
    LastOrderNumber "ii" "SELECT d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ?"
    LowStocks "iiiiii"
        "SELECT COUNT(DISTINCT s_i_id) FROM order_line, stock WHERE ol_w_id = ? AND ol_d_id = ? \
         AND ol_o_id < ? AND ol_o_id >= ? - 20 AND s_w_id = ? AND s_i_id = ol_i_id AND s_quantity < ?"
}

/// The statements of one connection.
pub(super) struct Prepared {
    all: Vec<Execute>,
    /// Reading stock, by district.
    stock: Vec<Execute>,
}

fn prepare_one(client: &mut Connection, types: &str, sql: &str) -> Result<Execute, BenchError> {
    let statement = client.prepare(sql).map_err(|error| BenchError::Statement(sql.to_owned(), error))?;
    let parameter = |letter: char| match letter {
        'i' => Parameter::Signed,
        'm' => Parameter::Decimal,
        _ => Parameter::Bytes,
    };
    Ok(Execute::new(statement.id, &types.chars().map(parameter).collect::<Vec<_>>()))
}

impl Prepared {
    pub fn prepare(client: &mut Connection) -> Result<Prepared, BenchError> {
        let mut one = |(types, sql): &(&str, &str)| prepare_one(client, types, sql);
        let all = TEXTS.iter().map(&mut one).collect::<Result<Vec<_>, _>>()?;
        let stock = |d: u64| {
            let sql = format!(
                "SELECT s_quantity, s_dist_{d:02}, s_data FROM stock WHERE s_w_id = ? AND s_i_id = ? FOR UPDATE"
            );
            prepare_one(client, "ii", &sql)
        };
        Ok(Prepared { all, stock: (1..=DISTRICTS).map(stock).collect::<Result<_, _>>()? })
    }

    /// Appends an execution.
    pub fn put(&mut self, statement: Statement, values: &[Value<'_>], out: &mut Vec<u8>) {
        put(&mut self.all[statement as usize], values, out);
    }

    /// Appends the execution of the read of a district's stock.
    pub fn put_stock(&mut self, district: u64, values: &[Value<'_>], out: &mut Vec<u8>) {
        put(&mut self.stock[district as usize - 1], values, out);
    }
}

fn put(execute: &mut Execute, values: &[Value<'_>], out: &mut Vec<u8>) {
    let at = execute.begin(out);
    for value in values {
        match *value {
            Value::Int(n) => put_integer(out, n),
            Value::Text(text) => put_bytes(out, text),
            Value::Money(cents) => put_bytes(out, money(cents).as_bytes()),
        }
    }
    end(out, at);
}

/// Cents as a decimal.
pub(super) fn money(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", cents.unsigned_abs() / 100, cents.unsigned_abs() % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mark_has_its_type() {
        for (types, sql) in TEXTS {
            assert_eq!(types.len(), sql.matches('?').count(), "{sql}");
        }
    }

    #[test]
    fn cents_are_written_with_a_point() {
        assert_eq!([5, -1234, 100].map(money), ["0.05", "-12.34", "1.00"]);
    }
}
