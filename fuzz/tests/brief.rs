//! Every target with its seeds and a fixed number of mutated inputs: what hours of libFuzzer are in small.
//!
//! `FUZZ_TIMES=100 cargo test -p penstock-fuzz` makes a hundred times as many.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use fuzz::mutate::mutated;
use fuzz::{TARGETS, Target};
use platform::sim::Rng;

fn run(target: &Target) {
    let start = Instant::now();
    let seeds = (target.seeds)();
    assert!(!seeds.is_empty(), "{} has no seeds", target.name);
    seeds.iter().for_each(|seed| (target.run)(seed));
    let times = std::env::var("FUZZ_TIMES").map_or(1, |times| times.parse().expect("FUZZ_TIMES is a number"));
    let inputs = u64::from(target.brief) * times;
    for number in 0..inputs {
        let input = mutated(&mut Rng::new(number), &seeds);
        if catch_unwind(AssertUnwindSafe(|| (target.run)(&input))).is_err() {
            panic!("{}: input {number} panics, {} bytes: {input:02x?}", target.name, input.len());
        }
    }
    println!("{}: {inputs} inputs in {:.1} s", target.name, start.elapsed().as_secs_f64());
}

macro_rules! brief {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                run(TARGETS.iter().find(|target| target.name == stringify!($name)).expect("a target's name"));
            }
        )*

        #[test]
        fn every_target_is_run() {
            assert_eq!(TARGETS.map(|target| target.name), [$(stringify!($name)),*]);
        }
    };
}

brief!(binlog_segment packet page_file row sql_text text tree_pages);
