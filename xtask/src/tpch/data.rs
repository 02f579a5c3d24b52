//! TPC-H data: rows with the sizes, keys and distributions of the specification (version 3, clause 4.2), texts from a
//! small grammar. The same scale gives the same rows.

use std::fmt::Write as _;

/// Takes INSERT statements.
pub type Load<'l> = &'l mut dyn FnMut(&str) -> Result<(), String>;

/// SplitMix64: small, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From `low` to `high`, both included.
    fn among(&mut self, low: i64, high: i64) -> i64 {
        low + (self.next() % (high - low + 1) as u64) as i64
    }

    fn of<'w>(&mut self, words: &[&'w str]) -> &'w str {
        words[(self.next() % words.len() as u64) as usize]
    }

    /// Letters and digits, as addresses have them.
    fn letters(&mut self, low: i64, high: i64) -> String {
        const LETTERS: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ,";
        let length = self.among(low, high);
        (0..length).map(|_| char::from(LETTERS[(self.next() % LETTERS.len() as u64) as usize])).collect()
    }

    /// A sentence of at least `low` and at most `high` characters.
    fn text(&mut self, low: i64, high: i64) -> String {
        let length = self.among(low, high) as usize;
        let mut text = String::new();
        while text.len() < length {
            if !text.is_empty() {
                text.push(' ');
            }
            for words in [ADVERBS, ADJECTIVES, NOUNS, VERBS] {
                let _ = write!(text, "{} ", self.of(words));
            }
            text.pop();
            text.push('.');
        }
        text.truncate(length);
        text
    }

    fn phone(&mut self, nation: i64) -> String {
        let (a, b, c) = (self.among(100, 999), self.among(100, 999), self.among(1000, 9999));
        format!("{}-{a}-{b}-{c}", nation + 10)
    }
}

const ADVERBS: &[&str] = &["quickly", "slowly", "carefully", "furiously", "blithely", "fluffily", "daringly"];
const ADJECTIVES: &[&str] =
    &["special", "pending", "unusual", "express", "final", "regular", "ironic", "even", "bold", "silent"];
const NOUNS: &[&str] = &[
    "packages",
    "requests",
    "accounts",
    "deposits",
    "foxes",
    "ideas",
    "theodolites",
    "pinto beans",
    "instructions",
    "dependencies",
    "excuses",
    "platelets",
    "asymptotes",
    "courts",
    "dolphins",
];
const VERBS: &[&str] =
    &["sleep", "wake", "nag", "haggle", "cajole", "doze", "boost", "detect", "integrate", "use"];

/// Colours that make up the names of parts.
const COLOURS: &[&str] = &[
    "almond",
    "antique",
    "aquamarine",
    "azure",
    "beige",
    "bisque",
    "black",
    "blanched",
    "blue",
    "blush",
    "brown",
    "burlywood",
    "burnished",
    "chartreuse",
    "chiffon",
    "chocolate",
    "coral",
    "cornflower",
    "cornsilk",
    "cream",
    "cyan",
    "dark",
    "deep",
    "dim",
    "dodger",
    "drab",
    "firebrick",
    "floral",
    "forest",
    "frosted",
    "gainsboro",
    "ghost",
    "goldenrod",
    "green",
    "grey",
    "honeydew",
    "hot",
    "indian",
    "ivory",
    "khaki",
    "lace",
    "lavender",
    "lawn",
    "lemon",
    "light",
    "lime",
    "linen",
    "magenta",
    "maroon",
    "medium",
    "metallic",
    "midnight",
    "mint",
    "misty",
    "moccasin",
    "navajo",
    "navy",
    "olive",
    "orange",
    "orchid",
    "pale",
    "papaya",
    "peach",
    "peru",
    "pink",
    "plum",
    "powder",
    "puff",
    "purple",
    "red",
    "rose",
    "rosy",
    "royal",
    "saddle",
    "salmon",
    "sandy",
    "seashell",
    "sienna",
    "sky",
    "slate",
    "smoke",
    "snow",
    "spring",
    "steel",
    "tan",
    "thistle",
    "tomato",
    "turquoise",
    "violet",
    "wheat",
    "white",
    "yellow",
];
const REGIONS: &[&str] = &["AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST"];
const NATIONS: &[(&str, i64)] = &[
    ("ALGERIA", 0),
    ("ARGENTINA", 1),
    ("BRAZIL", 1),
    ("CANADA", 1),
    ("EGYPT", 4),
    ("ETHIOPIA", 0),
    ("FRANCE", 3),
    ("GERMANY", 3),
    ("INDIA", 2),
    ("INDONESIA", 2),
    ("IRAN", 4),
    ("IRAQ", 4),
    ("JAPAN", 2),
    ("JORDAN", 4),
    ("KENYA", 0),
    ("MOROCCO", 0),
    ("MOZAMBIQUE", 0),
    ("PERU", 1),
    ("CHINA", 2),
    ("ROMANIA", 3),
    ("SAUDI ARABIA", 4),
    ("VIETNAM", 2),
    ("RUSSIA", 3),
    ("UNITED KINGDOM", 3),
    ("UNITED STATES", 1),
];
const TYPES: [&[&str]; 3] = [
    &["STANDARD", "SMALL", "MEDIUM", "LARGE", "ECONOMY", "PROMO"],
    &["ANODIZED", "BURNISHED", "PLATED", "POLISHED", "BRUSHED"],
    &["TIN", "NICKEL", "BRASS", "STEEL", "COPPER"],
];
const CONTAINERS: [&[&str]; 2] =
    [&["SM", "LG", "MED", "JUMBO", "WRAP"], &["CASE", "BOX", "BAG", "JAR", "PKG", "PACK", "CAN", "DRUM"]];
const SEGMENTS: &[&str] = &["AUTOMOBILE", "BUILDING", "FURNITURE", "MACHINERY", "HOUSEHOLD"];
const PRIORITIES: &[&str] = &["1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW"];
const INSTRUCTIONS: &[&str] = &["DELIVER IN PERSON", "COLLECT COD", "NONE", "TAKE BACK RETURN"];
const MODES: &[&str] = &["REG AIR", "AIR", "RAIL", "SHIP", "TRUCK", "MAIL", "FOB"];

/// Days from 1992-01-01 to the last order (1998-08-02) and to the day that counts as today (1995-06-17).
const LAST_ORDER: i64 = 2405;
const TODAY: i64 = 1263;

/// A day from 1992-01-01 on as a date literal.
fn date(day: i64) -> String {
    // Days from civil, the other way round, for the few years that TPC-H has.
    const MONTHS: [i64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let (mut year, mut rest) = (1992, day);
    loop {
        let leap = i64::from(year % 4 == 0);
        if rest < 365 + leap {
            let mut month = 0;
            while rest >= MONTHS[month] + if month == 1 { leap } else { 0 } {
                rest -= MONTHS[month] + if month == 1 { leap } else { 0 };
                month += 1;
            }
            return format!("{year}-{:02}-{:02}", month + 1, rest + 1);
        }
        rest -= 365 + leap;
        year += 1;
    }
}

/// Cents as a decimal.
fn money(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", cents.abs() / 100, cents.abs() % 100)
}

/// Collects rows into INSERT statements of some hundred kilobytes.
struct Rows<'l> {
    table: &'static str,
    text: String,
    load: Load<'l>,
}

impl<'l> Rows<'l> {
    fn of(table: &'static str, load: Load<'l>) -> Self {
        Self { table, text: String::new(), load }
    }

    fn add(&mut self, row: std::fmt::Arguments<'_>) -> Result<(), String> {
        let lead =
            if self.text.is_empty() { format!("INSERT INTO {} VALUES ", self.table) } else { ",".into() };
        let _ = write!(self.text, "{lead}({row})");
        if self.text.len() > 256 << 10 { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), String> {
        let text = std::mem::take(&mut self.text);
        if text.is_empty() { Ok(()) } else { (self.load)(&text) }
    }
}

/// Makes all tables at a scale factor of `per_mille` thousandths.
pub fn make(per_mille: i64, load: Load<'_>) -> Result<(), String> {
    let (suppliers, parts, customers) = (10 * per_mille, 200 * per_mille, 150 * per_mille);
    let random = &mut Random(42);
    small_tables(suppliers, customers, random, load)?;
    let mut rows = Rows::of("part", load);
    for key in 1..=parts {
        let maker = random.among(1, 5);
        let brand = maker * 10 + random.among(1, 5);
        let name: Vec<&str> = (0..5).map(|_| random.of(COLOURS)).collect();
        let kind = TYPES.map(|words| random.of(words)).join(" ");
        let container = CONTAINERS.map(|words| random.of(words)).join(" ");
        let (size, comment) = (random.among(1, 50), random.text(5, 22));
        rows.add(format_args!(
            "{key},'{}','Manufacturer#{maker}','Brand#{brand}','{kind}',{size},'{container}',{},'{comment}'",
            name.join(" "),
            money(retail_price(key)),
        ))?;
    }
    rows.flush()?;
    let mut rows = Rows::of("partsupp", rows.load);
    for part in 1..=parts {
        for nth in 0..4 {
            let (quantity, cost) = (random.among(1, 9999), money(random.among(100, 100_000)));
            let (supplier, comment) = (supplier_of(part, nth, suppliers), random.text(49, 198));
            rows.add(format_args!("{part},{supplier},{quantity},{cost},'{comment}'"))?;
        }
    }
    rows.flush()?;
    orders(customers, parts, suppliers, random, rows.load)
}

fn retail_price(part: i64) -> i64 {
    90_000 + (part / 10) % 20_001 + 100 * (part % 1_000)
}

/// The `nth` of a part's four suppliers.
fn supplier_of(part: i64, nth: i64, suppliers: i64) -> i64 {
    (part + nth * (suppliers / 4 + (part - 1) / suppliers)) % suppliers + 1
}

fn small_tables(suppliers: i64, customers: i64, random: &mut Random, load: Load<'_>) -> Result<(), String> {
    let mut rows = Rows::of("region", load);
    for (key, name) in REGIONS.iter().enumerate() {
        rows.add(format_args!("{key},'{name}','{}'", random.text(31, 115)))?;
    }
    rows.flush()?;
    let mut rows = Rows::of("nation", rows.load);
    for (key, (name, region)) in NATIONS.iter().enumerate() {
        rows.add(format_args!("{key},'{name}',{region},'{}'", random.text(31, 114)))?;
    }
    rows.flush()?;
    let mut rows = Rows::of("supplier", rows.load);
    for key in 1..=suppliers {
        let nation = random.among(0, 24);
        let mut comment = random.text(25, 70);
        match key % 500 {
            7 => comment += " Customer Complaints",
            300 => comment += " Customer Recommends",
            _ => {}
        }
        let (address, phone) = (random.letters(10, 40), random.phone(nation));
        let balance = money(random.among(-99_999, 999_999));
        rows.add(format_args!(
            "{key},'Supplier#{key:09}','{address}',{nation},'{phone}',{balance},'{comment}'"
        ))?;
    }
    rows.flush()?;
    let mut rows = Rows::of("customer", rows.load);
    for key in 1..=customers {
        let nation = random.among(0, 24);
        let (address, phone) = (random.letters(10, 40), random.phone(nation));
        let (segment, comment) = (random.of(SEGMENTS), random.text(29, 116));
        let balance = money(random.among(-99_999, 999_999));
        rows.add(format_args!(
            "{key},'Customer#{key:09}','{address}',{nation},'{phone}',{balance},'{segment}','{comment}'"
        ))?;
    }
    rows.flush()
}

fn orders(
    customers: i64,
    parts: i64,
    suppliers: i64,
    random: &mut Random,
    load: Load<'_>,
) -> Result<(), String> {
    // Orders go in a block at a time, their items behind them, so that foreign keys hold.
    let mut number = 0;
    while number < customers * 10 {
        let mut heads = String::new();
        let mut items = String::new();
        for _ in 0..500.min(customers * 10 - number) {
            // The first eight of every 32 keys are used; a third of the customers never order.
            let key = number / 8 * 32 + number % 8 + 1;
            number += 1;
            let customer = loop {
                let customer = random.among(1, customers);
                if customer % 3 != 0 {
                    break customer;
                }
            };
            order(key, customer, (parts, suppliers), random, &mut heads, &mut items);
        }
        heads.pop();
        items.pop();
        load(&format!("INSERT INTO orders VALUES {heads}"))?;
        load(&format!("INSERT INTO lineitem VALUES {items}"))?;
    }
    Ok(())
}

fn order(
    key: i64,
    customer: i64,
    (parts, suppliers): (i64, i64),
    random: &mut Random,
    heads: &mut String,
    items: &mut String,
) {
    let ordered = random.among(0, LAST_ORDER);
    let lines = random.among(1, 7);
    let (mut total, mut shipped) = (0, 0);
    for line in 1..=lines {
        let part = random.among(1, parts);
        let supplier = supplier_of(part, random.among(0, 3), suppliers);
        let (quantity, discount, tax) = (random.among(1, 50), random.among(0, 10), random.among(0, 8));
        let price = quantity * retail_price(part);
        let ship = ordered + random.among(1, 121);
        let (commit, receipt) = (ordered + random.among(30, 90), ship + random.among(1, 30));
        let flag = if receipt <= TODAY { random.of(&["R", "A"]) } else { "N" };
        let status = if ship > TODAY { "O" } else { "F" };
        shipped += i64::from(status == "F");
        total += price * (100 - discount) * (100 + tax) / 10_000;
        let _ = write!(
            items,
            "({key},{part},{supplier},{line},{quantity},{},{},{},'{flag}','{status}','{}','{}','{}','{}','{}','{}'),",
            money(price),
            money(discount),
            money(tax),
            date(ship),
            date(commit),
            date(receipt),
            random.of(INSTRUCTIONS),
            random.of(MODES),
            random.text(10, 43),
        );
    }
    let status = match shipped {
        0 => "O",
        n if n == lines => "F",
        _ => "P",
    };
    let clerk = random.among(1, (suppliers / 10).max(1));
    let _ = write!(
        heads,
        "({key},{customer},'{status}',{},'{}','{}','Clerk#{clerk:09}',0,'{}'),",
        money(total),
        date(ordered),
        random.of(PRIORITIES),
        random.text(19, 78),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_count_leap_years() {
        assert_eq!(date(0), "1992-01-01");
        assert_eq!(date(59), "1992-02-29");
        assert_eq!(date(TODAY), "1995-06-17");
        assert_eq!(date(LAST_ORDER), "1998-08-02");
    }

    #[test]
    fn a_scale_gives_the_same_rows_again() {
        let made = || {
            let mut all = String::new();
            make(1, &mut |statement| {
                all.push_str(statement);
                Ok(())
            })
            .map(|()| all)
        };
        let first = made().expect("nothing refuses it");
        assert_eq!(first.matches("INSERT INTO").count(), first.split("INSERT INTO").count() - 1);
        assert!(first.contains("Customer Complaints"));
        assert_eq!(Ok(first), made());
    }
}
