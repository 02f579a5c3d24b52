//! Filling the tables (4.3.3): INSERTs of many rows, chunk by chunk as connections come for them. A chunk's rows follow
//! from its place alone, so it does not matter who makes it.

use super::Tpcc;
use super::draw::Draw;
use super::schema::{CUSTOMERS, DISTRICTS, FIRST_NEW, ITEMS, TABLES};
use crate::BenchError;
use crate::drive::Load;
use crate::outcome::ServerOutcome;
use crate::target::{Target, run};
use crate::watch::{Crew, Watcher, Wish};
use protocol::request::{begin_query, end, put_decimal};
use runtime::net::Stream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Rows of a table that one INSERT makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Chunk {
    /// Items from this one on.
    Item(u64),
    /// Warehouse, first item.
    Stock(u64, u64),
    District(u64),
    /// Warehouse, district, first customer or order.
    Customer(u64, u64, u64),
    History(u64, u64, u64),
    Orders(u64, u64, u64),
    NewOrder(u64, u64),
    /// The lines of orders from this one on.
    OrderLine(u64, u64, u64),
    /// All warehouses.
    Warehouse,
}

const ITEMS_A_CHUNK: u64 = 500;
const STOCKS_A_CHUNK: u64 = 125;
const CUSTOMERS_A_CHUNK: u64 = 60;
const ROWS_A_CHUNK: u64 = 500;
const ORDERS_WITH_LINES: u64 = 50;

/// All chunks but the warehouses, which come when these are there.
fn chunks(warehouses: u64) -> Vec<Chunk> {
    let starts = |count: u64, step: u64| (1..=count).step_by(step as usize);
    let mut all: Vec<Chunk> = starts(ITEMS, ITEMS_A_CHUNK).map(Chunk::Item).collect();
    for w in 1..=warehouses {
        all.push(Chunk::District(w));
        all.extend(starts(ITEMS, STOCKS_A_CHUNK).map(|i| Chunk::Stock(w, i)));
        for d in 1..=DISTRICTS {
            all.extend(starts(CUSTOMERS, CUSTOMERS_A_CHUNK).map(|c| Chunk::Customer(w, d, c)));
            all.extend(starts(CUSTOMERS, ROWS_A_CHUNK).map(|c| Chunk::History(w, d, c)));
            all.extend(starts(CUSTOMERS, ROWS_A_CHUNK).map(|o| Chunk::Orders(w, d, o)));
            all.push(Chunk::NewOrder(w, d));
            all.extend(starts(CUSTOMERS, ORDERS_WITH_LINES).map(|o| Chunk::OrderLine(w, d, o)));
        }
    }
    all
}

/// A statement being written: rows of values.
struct Rows<'a> {
    out: &'a mut Vec<u8>,
    draw: Draw,
    first_row: bool,
    first_value: bool,
}

impl Rows<'_> {
    fn row(&mut self, values: impl FnOnce(&mut Self)) {
        self.out.extend_from_slice(if self.first_row { b" (" } else { b",(" });
        self.first_row = false;
        self.first_value = true;
        values(self);
        self.out.push(b')');
    }

    fn comma(&mut self) {
        if !self.first_value {
            self.out.push(b',');
        }
        self.first_value = false;
    }

    fn number(&mut self, n: u64) {
        self.comma();
        put_decimal(self.out, n);
    }

    /// Something that is written as it is: NULL, a number with a point.
    fn raw(&mut self, text: &str) {
        self.comma();
        self.out.extend_from_slice(text.as_bytes());
    }

    fn quoted(&mut self, text: &[u8]) {
        self.text(|out, _| out.extend_from_slice(text));
    }

    fn text(&mut self, put: impl FnOnce(&mut Vec<u8>, &mut Draw)) {
        self.comma();
        self.out.push(b'\'');
        put(self.out, &mut self.draw);
        self.out.push(b'\'');
    }

    fn letters(&mut self, low: u64, high: u64) {
        self.text(|out, draw| draw.text(out, low, high));
    }

    /// A number with so many digits behind the point, drawn between two.
    fn point(&mut self, low: u64, high: u64, digits: usize) {
        let n = self.draw.number(low, high);
        let unit = 10u64.pow(digits as u32);
        self.raw(&format!("{}.{:0digits$}", n / unit, n % unit));
    }

    /// Two streets, city, state, zip (4.3.2.7).
    fn address(&mut self) {
        (0..3).for_each(|_| self.letters(10, 20));
        self.letters(2, 2);
        self.text(|out, draw| {
            draw.digits(out, 4);
            out.extend_from_slice(b"11111");
        });
    }
}

/// Draws that depend on a place only: `what` keeps the tables apart.
fn draw_of(what: u64, w: u64, d: u64, n: u64) -> Draw {
    Draw::new((((what << 20 | w) << 4 | d) << 20) | n)
}

/// How many lines an order has at first.
fn lines_of(w: u64, d: u64, order: u64) -> u64 {
    draw_of(1, w, d, order).number(5, 15)
}

/// Writes chunks.
struct Fill {
    warehouses: u64,
    chunks: Arc<Vec<Chunk>>,
    next: Arc<AtomicUsize>,
    now: Arc<str>,
}

impl Load for Fill {
    fn next(&mut self, out: &mut Vec<u8>) -> bool {
        // Relaxed: only uniqueness counts.
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let Some(&chunk) = self.chunks.get(number) else { return false };
        let at = begin_query(out);
        out.extend_from_slice(format!("INSERT INTO {} VALUES", chunk.table()).as_bytes());
        let draw = draw_of(2, 0, 0, number as u64);
        let mut rows = Rows { out: &mut *out, draw, first_row: true, first_value: true };
        self.put(chunk, &mut rows);
        end(out, at);
        true
    }
}

impl Chunk {
    fn table(self) -> &'static str {
        match self {
            Chunk::Item(_) => "item",
            Chunk::Stock(..) => "stock",
            Chunk::District(_) => "district",
            Chunk::Customer(..) => "customer",
            Chunk::History(..) => "history",
            Chunk::Orders(..) => "orders",
            Chunk::NewOrder(..) => "new_order",
            Chunk::OrderLine(..) => "order_line",
            Chunk::Warehouse => "warehouse",
        }
    }
}

impl Fill {
    fn put(&self, chunk: Chunk, rows: &mut Rows<'_>) {
        let range = |first: u64, step: u64, last: u64| first..(first + step).min(last + 1);
        match chunk {
            Chunk::Item(i) => range(i, ITEMS_A_CHUNK, ITEMS).for_each(|i| rows.row(|r| item(r, i))),
            Chunk::Stock(w, i) => range(i, STOCKS_A_CHUNK, ITEMS).for_each(|i| rows.row(|r| stock(r, w, i))),
            Chunk::District(w) => (1..=DISTRICTS).for_each(|d| rows.row(|r| district(r, w, d))),
            Chunk::Customer(w, d, c) => range(c, CUSTOMERS_A_CHUNK, CUSTOMERS)
                .for_each(|c| rows.row(|r| customer(r, w, d, c, &self.now))),
            Chunk::History(w, d, c) => {
                range(c, ROWS_A_CHUNK, CUSTOMERS).for_each(|c| rows.row(|r| history(r, w, d, c, &self.now)));
            }
            Chunk::Orders(w, d, first) => {
                let customers = draw_of(3, w, d, 0).permutation(CUSTOMERS);
                for o in range(first, ROWS_A_CHUNK, CUSTOMERS) {
                    rows.row(|r| order(r, w, d, o, customers[o as usize - 1], &self.now));
                }
            }
            Chunk::NewOrder(w, d) => (FIRST_NEW..=CUSTOMERS).for_each(|o| {
                rows.row(|r| [o, d, w].into_iter().for_each(|n| r.number(n)));
            }),
            Chunk::OrderLine(w, d, first) => {
                for o in range(first, ORDERS_WITH_LINES, CUSTOMERS) {
                    (1..=lines_of(w, d, o)).for_each(|n| rows.row(|r| line(r, [w, d, o, n], &self.now)));
                }
            }
            Chunk::Warehouse => (1..=self.warehouses).for_each(|w| rows.row(|r| warehouse(r, w))),
        }
    }
}

fn item(r: &mut Rows<'_>, i: u64) {
    r.number(i);
    let image = r.draw.number(1, 10_000);
    r.number(image);
    r.letters(14, 24);
    r.point(100, 10_000, 2);
    r.text(|out, draw| draw.data(out));
}

fn warehouse(r: &mut Rows<'_>, w: u64) {
    r.number(w);
    r.letters(6, 10);
    r.address();
    r.point(0, 2000, 4);
    r.raw("300000.00");
}

fn district(r: &mut Rows<'_>, w: u64, d: u64) {
    r.number(d);
    r.number(w);
    r.letters(6, 10);
    r.address();
    r.point(0, 2000, 4);
    r.raw("30000.00");
    r.number(CUSTOMERS + 1);
}

fn stock(r: &mut Rows<'_>, w: u64, i: u64) {
    r.number(i);
    r.number(w);
    let quantity = r.draw.number(10, 100);
    r.number(quantity);
    (0..DISTRICTS).for_each(|_| r.letters(24, 24));
    (0..3).for_each(|_| r.number(0));
    r.text(|out, draw| draw.data(out));
}

fn customer(r: &mut Rows<'_>, w: u64, d: u64, c: u64, now: &str) {
    [c, d, w].into_iter().for_each(|n| r.number(n));
    r.letters(8, 16);
    r.quoted(b"OE");
    let name = r.draw.name_to_fill(c);
    r.quoted(name.as_bytes());
    r.address();
    r.text(|out, draw| draw.digits(out, 16));
    r.quoted(now.as_bytes());
    let credit: &[u8] = if r.draw.chance(10) { b"BC" } else { b"GC" };
    r.quoted(credit);
    r.raw("50000.00");
    r.point(0, 5000, 4);
    r.raw("-10.00");
    r.raw("10.00");
    r.number(1);
    r.number(0);
    r.letters(300, 500);
}

fn history(r: &mut Rows<'_>, w: u64, d: u64, c: u64, now: &str) {
    [c, d, w, d, w].into_iter().for_each(|n| r.number(n));
    r.quoted(now.as_bytes());
    r.raw("10.00");
    r.letters(12, 24);
}

fn order(r: &mut Rows<'_>, w: u64, d: u64, o: u64, customer: u64, now: &str) {
    [o, d, w, customer].into_iter().for_each(|n| r.number(n));
    r.quoted(now.as_bytes());
    if o < FIRST_NEW {
        let carrier = r.draw.number(1, 10);
        r.number(carrier);
    } else {
        r.raw("NULL");
    }
    r.number(lines_of(w, d, o));
    r.number(1);
}

fn line(r: &mut Rows<'_>, [w, d, o, number]: [u64; 4], now: &str) {
    [o, d, w, number].into_iter().for_each(|n| r.number(n));
    let item = r.draw.number(1, ITEMS);
    r.number(item);
    r.number(w);
    if o < FIRST_NEW {
        r.quoted(now.as_bytes());
    } else {
        r.raw("NULL");
    }
    r.number(5);
    if o < FIRST_NEW {
        r.raw("0.00");
    } else {
        r.point(1, 999_999, 2);
    }
    r.letters(24, 24);
}

/// Makes and fills the tables.
pub fn prepare(target: &Target, wish: &Wish, tpcc: &Tpcc) -> Result<ServerOutcome, BenchError> {
    let mut client = target.connect(None)?;
    run(&mut client, &format!("CREATE DATABASE IF NOT EXISTS `{}`", tpcc.database))?;
    run(&mut client, &format!("USE `{}`", tpcc.database))?;
    for (name, columns) in TABLES {
        run(&mut client, &format!("DROP TABLE IF EXISTS {name}"))?;
        run(&mut client, &format!("CREATE TABLE {name} ({columns}) ENGINE=InnoDB"))?;
    }
    let crew = Crew::start(wish)?;
    let mut watcher = Watcher::of(target, wish)?;
    let now: Arc<str> = chrono::Local::now().format("%Y-%m-%d %H:%M:%S").to_string().into();
    // One chunk at a time; what is wished for the mix does not matter here.
    let wish = Wish { depth: 1, rate: None, ..wish.clone() };
    let mut phases = Vec::new();
    for (name, chunks) in [("prepare", chunks(tpcc.warehouses)), ("warehouses", vec![Chunk::Warehouse])] {
        let (chunks, next) = (Arc::new(chunks), Arc::new(AtomicUsize::new(0)));
        let total = chunks.len() as u64;
        let connect = |_| -> Result<(Stream, Fill), BenchError> {
            let client = target.connect(Some(&tpcc.database))?;
            let (chunks, next, now) = (chunks.clone(), next.clone(), now.clone());
            let fill = Fill { warehouses: tpcc.warehouses, chunks, next, now };
            Ok((client.into_stream().into_stream(), fill))
        };
        let loads = (0..wish.connections).map(connect).collect::<Result<Vec<_>, _>>()?;
        let phase = crew.run_whole(name, &mut watcher, loads, &wish, Some(total))?.0;
        // Half-filled tables help nobody: the warehouses stay away.
        let failed = phase.total.complaints_count() > 0;
        phases.push(phase);
        if failed {
            break;
        }
    }
    Ok(ServerOutcome { name: target.place.to_string(), version: watcher.version(), phases })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn the_chunks_of_a_warehouse_have_the_specifications_rows() {
        let all = Arc::new(chunks(1));
        let mut fill =
            Fill { warehouses: 1, chunks: all, next: Arc::default(), now: "2026-01-01 00:00:00".into() };
        let mut rows: HashMap<String, u64> = HashMap::new();
        let mut out = Vec::new();
        while fill.next(&mut out) {
            let text = std::str::from_utf8(&out[5..]).expect("text");
            let (table, values) = text.split_once(" VALUES").expect("values");
            *rows.entry(table["INSERT INTO ".len()..].to_owned()).or_default() +=
                values.matches(['(']).count() as u64;
            assert!(out.len() < 1 << 20, "{} bytes", out.len());
            out.clear();
        }
        let of = |table: &str| rows[table];
        assert_eq!((of("item"), of("stock"), of("district")), (100_000, 100_000, 10));
        assert_eq!(
            (of("customer"), of("history"), of("orders"), of("new_order")),
            (30_000, 30_000, 30_000, 9000)
        );
        assert!((295_000..305_000).contains(&of("order_line")), "{}", of("order_line"));
    }
}
