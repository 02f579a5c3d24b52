//! The five transactions (2.4 to 2.8). Input is drawn before, so that a transaction broken off is run again as it was.

use super::draw::{Draw, ORIGINAL};
use super::schema::{DISTRICTS, ITEMS};
use super::statement::Statement as S;
use super::statement::Value::{Int, Money, Text};
use super::statement::money;
use super::talk::{Talk, Trouble};

/// The kinds of transactions; a deck of cards holds each so many times (5.2.4.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    NewOrder,
    Payment,
    OrderStatus,
    Delivery,
    StockLevel,
}

impl Kind {
    pub const ALL: [Kind; 5] =
        [Kind::NewOrder, Kind::Payment, Kind::OrderStatus, Kind::Delivery, Kind::StockLevel];

    /// Cards of the deck.
    pub fn cards(self) -> usize {
        match self {
            Kind::NewOrder | Kind::Payment => 10,
            Kind::OrderStatus | Kind::Delivery | Kind::StockLevel => 1,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Kind::NewOrder => "new-order",
            Kind::Payment => "payment",
            Kind::OrderStatus => "order-status",
            Kind::Delivery => "delivery",
            Kind::StockLevel => "stock-level",
        }
    }

    /// Seconds of keying, and of thinking on average (5.2.5.7).
    pub fn pauses(self) -> (f64, f64) {
        match self {
            Kind::NewOrder => (18.0, 12.0),
            Kind::Payment => (3.0, 12.0),
            Kind::OrderStatus => (2.0, 10.0),
            Kind::Delivery | Kind::StockLevel => (2.0, 5.0),
        }
    }
}

/// A customer, by number or by name.
#[derive(Debug, Clone)]
pub(super) enum Who {
    Number(u64),
    Name(String),
}

#[derive(Debug, Clone)]
pub(super) struct Line {
    item: u64,
    supply: u64,
    quantity: u64,
}

/// What a transaction is about.
#[derive(Debug, Clone)]
pub(super) enum Input {
    NewOrder { d: u64, customer: u64, lines: Vec<Line> },
    Payment { d: u64, customer_w: u64, customer_d: u64, who: Who, amount: i64 },
    OrderStatus { d: u64, who: Who },
    Delivery { carrier: u64 },
    StockLevel { d: u64, threshold: u64 },
}

/// How a transaction ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Committed,
    /// As the specification wants it for one new order in a hundred.
    RolledBack,
}

/// A terminal's place: its warehouse, its district (for stock levels), the number of warehouses.
#[derive(Debug, Clone, Copy)]
pub(super) struct Home {
    pub w: u64,
    pub d: u64,
    pub warehouses: u64,
}

impl Home {
    /// Another warehouse than home, where there is one.
    fn another(self, draw: &mut Draw) -> u64 {
        if self.warehouses == 1 {
            return self.w;
        }
        let w = draw.number(1, self.warehouses - 1);
        if w >= self.w { w + 1 } else { w }
    }
}

impl Input {
    pub fn draw(kind: Kind, home: Home, draw: &mut Draw) -> Input {
        let d = draw.number(1, DISTRICTS);
        match kind {
            Kind::NewOrder => {
                let customer = draw.customer();
                let count = draw.number(5, 15);
                let mut lines: Vec<Line> = (0..count)
                    .map(|_| Line {
                        item: draw.item(),
                        supply: if draw.chance(1) { home.another(draw) } else { home.w },
                        quantity: draw.number(1, 10),
                    })
                    .collect();
                if let Some(last) = lines.last_mut().filter(|_| draw.chance(1)) {
                    last.item = ITEMS + 1;
                }
                Input::NewOrder { d, customer, lines }
            }
            Kind::Payment => {
                let (customer_w, customer_d) = match draw.chance(85) {
                    true => (home.w, d),
                    false => (home.another(draw), draw.number(1, DISTRICTS)),
                };
                let amount = draw.number(100, 500_000) as i64;
                Input::Payment { d, customer_w, customer_d, who: who(draw), amount }
            }
            Kind::OrderStatus => Input::OrderStatus { d, who: who(draw) },
            Kind::Delivery => Input::Delivery { carrier: draw.number(1, 10) },
            Kind::StockLevel => Input::StockLevel { d: home.d, threshold: draw.number(10, 20) },
        }
    }
}

fn who(draw: &mut Draw) -> Who {
    if draw.chance(60) { Who::Name(draw.name_to_find()) } else { Who::Number(draw.customer()) }
}

/// Runs a transaction from BEGIN to COMMIT; after trouble the caller rolls back.
pub(super) fn run(talk: &mut Talk, home: Home, input: &Input, now: &str) -> Result<End, Trouble> {
    talk.say("BEGIN")?;
    let end = match input {
        Input::NewOrder { d, customer, lines } => new_order(talk, home.w, *d, *customer, lines, now)?,
        Input::Payment { d, customer_w, customer_d, who, amount } => {
            payment(talk, [home.w, *d], [*customer_w, *customer_d], who, *amount, now)?
        }
        Input::OrderStatus { d, who } => order_status(talk, home.w, *d, who)?,
        Input::Delivery { carrier } => delivery(talk, home.w, *carrier, now)?,
        Input::StockLevel { d, threshold } => stock_level(talk, home.w, *d, *threshold)?,
    };
    talk.say(if end == End::Committed { "COMMIT" } else { "ROLLBACK" })?;
    Ok(end)
}

fn new_order(
    talk: &mut Talk,
    w: u64,
    d: u64,
    customer: u64,
    lines: &[Line],
    now: &str,
) -> Result<End, Trouble> {
    let mut about = talk.one(S::CustomerAndWarehouse, &[Int(w), Int(d), Int(customer)])?.values(4);
    let discount = about.decimal(4)?;
    about.text()?;
    about.text()?;
    let warehouse_tax = about.decimal(4)?;
    let mut district = talk.one(S::NextOrder, &[Int(w), Int(d)])?.values(2);
    let (order, district_tax) = (district.int()?, district.decimal(4)?);
    talk.run(S::SetNextOrder, &[Int(order), Int(w), Int(d)])?;
    let count = lines.len() as u64;
    let all_local = u64::from(lines.iter().all(|line| line.supply == w));
    let values =
        [Int(order), Int(d), Int(w), Int(customer), Text(now.as_bytes()), Int(count), Int(all_local)];
    talk.run(S::InsertOrder, &values)?;
    talk.run(S::InsertNewOrder, &[Int(order), Int(d), Int(w)])?;
    let mut total = 0;
    for (number, line) in (1..).zip(lines) {
        match order_line(talk, [w, d, order, number], line)? {
            Some(amount) => total += amount,
            None => return Ok(End::RolledBack),
        }
    }
    // What the terminal would show; nothing is kept of it.
    std::hint::black_box(total * (10_000 - discount) * (10_000 + warehouse_tax + district_tax));
    Ok(End::Committed)
}

/// The line's amount in cents; `None` where there is no such item.
fn order_line(talk: &mut Talk, [w, d, order, number]: [u64; 4], line: &Line) -> Result<Option<i64>, Trouble> {
    talk.run(S::Item, &[Int(line.item)])?;
    let Some(item) = talk.row(0) else { return Ok(None) };
    let mut item = item.values(3);
    let (price, _name) = (item.decimal(2)?, item.text()?);
    let original = has_original(item.text()?);
    talk.read_stock(d, &[Int(line.supply), Int(line.item)])?;
    let row = talk.row(0).ok_or_else(|| Trouble::Wrong(format!("no stock of {line:?}")))?;
    let mut stock = row.values(3);
    let quantity = stock.int()?;
    let info =
        <[u8; 24]>::try_from(stock.text()?).map_err(|_| Trouble::Wrong("s_dist is no 24 letters".into()))?;
    std::hint::black_box(original && has_original(stock.text()?));
    let left = if quantity >= line.quantity + 10 { quantity } else { quantity + 91 } - line.quantity;
    let remote = u64::from(line.supply != w);
    let values = [Int(left), Int(line.quantity), Int(remote), Int(line.supply), Int(line.item)];
    talk.run(S::UpdateStock, &values)?;
    let amount = price * line.quantity as i64;
    let values = [
        Int(order),
        Int(d),
        Int(w),
        Int(number),
        Int(line.item),
        Int(line.supply),
        Int(line.quantity),
        Money(amount),
        Text(&info),
    ];
    talk.run(S::InsertLine, &values)?;
    Ok(Some(amount))
}

fn has_original(data: &[u8]) -> bool {
    data.windows(ORIGINAL.len()).any(|part| part == ORIGINAL)
}

/// The customer's number; of several with one name the middle one by first name (2.5.2.2).
fn find_customer(talk: &mut Talk, w: u64, d: u64, who: &Who) -> Result<u64, Trouble> {
    let name = match who {
        Who::Number(number) => return Ok(*number),
        Who::Name(name) => name,
    };
    talk.run(S::CustomersOfName, &[Int(w), Int(d), Text(name.as_bytes())])?;
    let middle = talk.rows().div_ceil(2).checked_sub(1).and_then(|n| talk.row(n));
    middle.ok_or_else(|| Trouble::Wrong(format!("nobody is called {name}")))?.values(1).int()
}

fn payment(
    talk: &mut Talk,
    [w, d]: [u64; 2],
    [customer_w, customer_d]: [u64; 2],
    who: &Who,
    amount: i64,
    now: &str,
) -> Result<End, Trouble> {
    talk.run(S::PayWarehouse, &[Money(amount), Int(w)])?;
    let mut warehouse = talk.one(S::Warehouse, &[Int(w)])?.values(6);
    (0..5).try_for_each(|_| warehouse.text().map(drop))?;
    let mut data = warehouse.text()?.to_vec();
    talk.run(S::PayDistrict, &[Money(amount), Int(w), Int(d)])?;
    let mut district = talk.one(S::District, &[Int(w), Int(d)])?.values(6);
    (0..5).try_for_each(|_| district.text().map(drop))?;
    data.extend_from_slice(b"    ");
    data.extend_from_slice(district.text()?);
    let customer = find_customer(talk, customer_w, customer_d, who)?;
    let key = [Int(customer_w), Int(customer_d), Int(customer)];
    let mut about = talk.one(S::CustomerToPay, &key)?.values(14);
    (0..9).try_for_each(|_| about.text().map(drop))?;
    let bad_credit = about.text()? == b"BC";
    if bad_credit {
        let mut note =
            format!("{customer} {customer_d} {customer_w} {d} {w} {} ", money(amount)).into_bytes();
        note.extend_from_slice(talk.one(S::CustomerData, &key)?.values(1).text()?);
        note.truncate(500);
        let values = [Money(amount), Money(amount), Text(&note), key[0], key[1], key[2]];
        talk.run(S::PayCustomerWithData, &values)?;
    } else {
        talk.run(S::PayCustomer, &[Money(amount), Money(amount), key[0], key[1], key[2]])?;
    }
    let values = [
        Int(customer_d),
        Int(customer_w),
        Int(customer),
        Int(d),
        Int(w),
        Text(now.as_bytes()),
        Money(amount),
        Text(&data),
    ];
    talk.run(S::InsertHistory, &values)?;
    Ok(End::Committed)
}

fn order_status(talk: &mut Talk, w: u64, d: u64, who: &Who) -> Result<End, Trouble> {
    let customer = find_customer(talk, w, d, who)?;
    talk.one(S::CustomerStatus, &[Int(w), Int(d), Int(customer)])?.values(4).decimal(2)?;
    let order = talk.one(S::LastOrder, &[Int(w), Int(d), Int(customer)])?.values(3).int()?;
    talk.run(S::LinesOfOrder, &[Int(w), Int(d), Int(order)])?;
    match talk.rows() {
        5..=15 => Ok(End::Committed),
        n => Err(Trouble::Wrong(format!("order {order} has {n} lines"))),
    }
}

fn delivery(talk: &mut Talk, w: u64, carrier: u64, now: &str) -> Result<End, Trouble> {
    for d in 1..=DISTRICTS {
        talk.run(S::OldestNewOrder, &[Int(w), Int(d)])?;
        // A district without new orders is left out (2.7.4.2).
        let Some(row) = talk.row(0) else { continue };
        let order = row.values(1).int()?;
        let key = [Int(w), Int(d), Int(order)];
        talk.run(S::DeleteNewOrder, &key)?;
        let customer = talk.one(S::CustomerOfOrder, &key)?.values(1).int()?;
        talk.run(S::SetCarrier, &[Int(carrier), key[0], key[1], key[2]])?;
        talk.run(S::DeliverLines, &[Text(now.as_bytes()), key[0], key[1], key[2]])?;
        let amount = talk.one(S::AmountOfOrder, &key)?.values(1).decimal(2)?;
        talk.run(S::DeliverCustomer, &[Money(amount), Int(w), Int(d), Int(customer)])?;
    }
    Ok(End::Committed)
}

fn stock_level(talk: &mut Talk, w: u64, d: u64, threshold: u64) -> Result<End, Trouble> {
    let next = talk.one(S::LastOrderNumber, &[Int(w), Int(d)])?.values(1).int()?;
    let values = [Int(w), Int(d), Int(next), Int(next), Int(w), Int(threshold)];
    talk.one(S::LowStocks, &values)?;
    Ok(End::Committed)
}
