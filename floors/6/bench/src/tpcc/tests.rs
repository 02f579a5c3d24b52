//! Draws and decks.

use super::draw::{Draw, last_name};
use super::transaction::{Home, Input, Kind};

#[test]
fn names_are_made_of_syllables() {
    assert_eq!([0, 371, 999].map(last_name), ["BARBARBAR", "PRICALLYOUGHT", "EINGEINGEING"]);
}

#[test]
fn draws_stay_in_their_ranges_and_prefer_some() {
    let mut draw = Draw::new(7);
    let mut customers = [0u32; 3001];
    for _ in 0..100_000 {
        customers[draw.customer() as usize] += 1;
        assert!((1..=100_000).contains(&draw.item()));
    }
    assert_eq!(customers[0], 0);
    let most = customers.iter().max().copied().unwrap_or_default();
    assert!(most > 200, "uneven: the most frequent comes far more than 33 times, not {most}");
}

#[test]
fn one_new_order_in_a_hundred_names_no_item() {
    let home = Home { w: 2, d: 1, warehouses: 3 };
    let mut draw = Draw::new(1);
    let mut undone = 0;
    for _ in 0..20_000 {
        let text = format!("{:?}", Input::draw(Kind::NewOrder, home, &mut draw));
        undone += u32::from(text.contains("item: 100001"));
    }
    assert!((120..=280).contains(&undone), "{undone}");
}

#[test]
fn a_deck_holds_the_mix() {
    assert_eq!(Kind::ALL.map(Kind::cards).iter().sum::<usize>(), 23);
}
