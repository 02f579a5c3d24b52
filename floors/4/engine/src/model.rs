//! Exhaustive models of this room's lock-free protocols.
//!
//! The code keeps to sequentially consistent words, so a protocol is a few steps a task over one world, and all
//! interleavings of the steps are all that can happen. [`explore`] walks them; each state is checked. Every model has
//! its canary: the protocol with its essential step left out, which must fail.

use std::collections::HashSet;
use std::hash::Hash;

/// What a task does after a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// Goes on with the next step.
    On,
    /// Goes to that step.
    To(usize),
    /// Cannot go on yet: the step did nothing and is tried again.
    Wait,
    /// Is done.
    End,
}

type Step<W> = fn(&mut W) -> Next;

/// What a walk found.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    /// States that the check refused.
    wrong: usize,
    /// States in which somebody waits and nobody can go on.
    stuck: usize,
    /// States seen in all.
    states: usize,
}

const END: usize = usize::MAX;

/// Walks all interleavings of the tasks' steps.
fn explore<W: Clone + Eq + Hash>(start: W, tasks: &[&[Step<W>]], check: impl Fn(&W) -> bool) -> Found {
    let mut found = Found::default();
    let mut seen = HashSet::new();
    let mut due = vec![(start, vec![0; tasks.len()])];
    while let Some((world, at)) = due.pop() {
        if !seen.insert((world.clone(), at.clone())) {
            continue;
        }
        found.states += 1;
        if !check(&world) {
            found.wrong += 1;
            continue;
        }
        let mut moved = false;
        for (task, steps) in tasks.iter().enumerate().filter(|(task, _)| at[*task] != END) {
            let mut next = (world.clone(), at.clone());
            let to = match steps[at[task]](&mut next.0) {
                Next::Wait => continue,
                Next::On => at[task] + 1,
                Next::To(step) => step,
                Next::End => END,
            };
            next.1[task] = if to >= steps.len() { END } else { to };
            moved = true;
            due.push(next);
        }
        if !moved && at.iter().any(|step| *step != END) {
            found.stuck += 1;
        }
    }
    found
}

fn right(found: &Found) {
    assert!(found.states > 10, "the walk goes somewhere: {found:?}");
    assert_eq!((found.wrong, found.stuck), (0, 0), "{found:?}");
}

/// `mvcc::slots`: taking a snapshot against a purge, with commits going on.
mod snapshot_against_purge {
    use super::*;

    const IDLE: u64 = 99;

    #[derive(Clone, PartialEq, Eq, Hash)]
    struct World {
        visible: u64,
        slot: u64,
        snapshot: Option<u64>,
        horizon: u64,
        purged_below: u64,
    }

    const START: World = World { visible: 1, slot: IDLE, snapshot: None, horizon: 0, purged_below: 0 };

    fn pin(w: &mut World) -> Next {
        w.slot = 0;
        Next::On
    }
    fn look(w: &mut World) -> Next {
        w.snapshot = Some(w.visible);
        Next::On
    }
    fn note(w: &mut World) -> Next {
        w.slot = w.snapshot.unwrap_or(IDLE);
        Next::On
    }
    fn load_visible(w: &mut World) -> Next {
        w.horizon = w.visible;
        Next::On
    }
    fn load_slot(w: &mut World) -> Next {
        w.horizon = w.horizon.min(w.slot);
        Next::On
    }
    fn purge(w: &mut World) -> Next {
        w.purged_below = w.purged_below.max(w.horizon);
        Next::On
    }
    fn commit(w: &mut World) -> Next {
        w.visible += 1;
        Next::On
    }

    const PURGES: &[Step<World>] = &[load_visible, load_slot, purge, load_visible, load_slot, purge];
    const COMMITS: &[Step<World>] = &[commit, commit, commit];

    fn kept(w: &World) -> bool {
        w.snapshot.is_none_or(|s| s >= w.purged_below)
    }

    #[test]
    fn no_snapshot_loses_a_version() {
        right(&explore(START, &[&[pin, look, note], PURGES, COMMITS], kept));
    }

    #[test]
    fn without_the_pin_one_does() {
        assert!(explore(START, &[&[look, note], PURGES, COMMITS], kept).wrong > 0);
    }
}

/// `lock::range`: a scanner guards a range while an inserter announces a key inside.
mod range_against_insert {
    use super::*;

    #[derive(Clone, Default, PartialEq, Eq, Hash)]
    struct World {
        range: bool,
        intent: bool,
        row_locked: bool,
        committed: bool,
        first_read: Option<bool>,
        second_read: Option<bool>,
    }

    fn guard(w: &mut World) -> Next {
        w.range = true;
        Next::On
    }
    fn await_intents(w: &mut World) -> Next {
        if w.intent && w.row_locked { Next::Wait } else { Next::On }
    }
    fn read(w: &mut World) -> Next {
        w.first_read = Some(w.committed);
        Next::On
    }
    fn read_again(w: &mut World) -> Next {
        w.second_read = Some(w.committed);
        w.range = false;
        Next::End
    }
    fn lock_row(w: &mut World) -> Next {
        w.row_locked = true;
        Next::On
    }
    fn announce(w: &mut World) -> Next {
        w.intent = true;
        Next::On
    }
    fn look_for_ranges(w: &mut World) -> Next {
        if w.range { Next::On } else { Next::To(5) }
    }
    fn withdraw(w: &mut World) -> Next {
        w.intent = false;
        Next::On
    }
    fn wait_for_ranges(w: &mut World) -> Next {
        if w.range { Next::Wait } else { Next::To(1) }
    }
    fn commit(w: &mut World) -> Next {
        w.committed = true;
        Next::On
    }
    fn let_go(w: &mut World) -> Next {
        w.intent = false;
        w.row_locked = false;
        Next::End
    }

    const SCANNER: &[Step<World>] = &[guard, await_intents, read, read_again];

    fn repeatable(w: &World) -> bool {
        w.second_read.is_none() || w.first_read == w.second_read
    }

    #[test]
    fn no_phantom_comes_and_nobody_is_stuck() {
        let inserter: &[Step<World>] =
            &[lock_row, announce, look_for_ranges, withdraw, wait_for_ranges, commit, let_go];
        right(&explore(World::default(), &[SCANNER, inserter], repeatable));
    }

    #[test]
    fn without_the_announcement_one_does() {
        fn look_only(w: &mut World) -> Next {
            if w.range { Next::Wait } else { Next::On }
        }
        let careless: &[Step<World>] = &[lock_row, look_only, commit, let_go];
        assert!(explore(World::default(), &[SCANNER, careless], repeatable).wrong > 0);
    }

    #[test]
    fn without_the_withdrawal_they_wait_for_each_other() {
        fn wait_announced(w: &mut World) -> Next {
            if w.range { Next::Wait } else { Next::On }
        }
        let stubborn: &[Step<World>] = &[lock_row, announce, wait_announced, commit, let_go];
        assert!(explore(World::default(), &[SCANNER, stubborn], repeatable).stuck > 0);
    }
}

/// `lock::metadata`: a row user by its slot against DDL by the restriction.
mod name_against_ddl {
    use super::*;

    #[derive(Clone, Default, PartialEq, Eq, Hash)]
    struct World {
        word: bool,
        restricted: bool,
        using: bool,
        alone: bool,
        woken: bool,
    }

    fn put_word(w: &mut World) -> Next {
        w.word = true;
        Next::On
    }
    fn look(w: &mut World) -> Next {
        if w.restricted {
            return Next::To(4);
        }
        w.using = true;
        Next::On
    }
    fn leave(w: &mut World) -> Next {
        w.using = false;
        w.word = false;
        Next::On
    }
    fn wake(w: &mut World) -> Next {
        if w.restricted {
            w.woken = true;
        }
        Next::End
    }
    fn take_back(w: &mut World) -> Next {
        w.word = false;
        Next::On
    }
    fn wake_and_queue(w: &mut World) -> Next {
        w.woken = true;
        Next::On
    }
    fn queue(w: &mut World) -> Next {
        if w.restricted { Next::Wait } else { Next::To(0) }
    }
    fn restrict(w: &mut World) -> Next {
        w.restricted = true;
        Next::On
    }
    fn look_at_slots(w: &mut World) -> Next {
        if w.word {
            return Next::On;
        }
        w.alone = true;
        Next::To(3)
    }
    fn park(w: &mut World) -> Next {
        if !w.woken {
            return Next::Wait;
        }
        w.woken = false;
        Next::To(1)
    }
    fn end(w: &mut World) -> Next {
        w.alone = false;
        w.restricted = false;
        Next::End
    }

    const USER: &[Step<World>] = &[put_word, look, leave, wake, take_back, wake_and_queue, queue];
    const DDL: &[Step<World>] = &[restrict, look_at_slots, park, end];

    fn apart(w: &World) -> bool {
        !(w.using && w.alone)
    }

    #[test]
    fn ddl_is_alone_and_no_wake_is_lost() {
        right(&explore(World::default(), &[USER, DDL], apart));
    }

    #[test]
    fn looking_before_the_word_is_put_lets_both_in() {
        fn look_first(w: &mut World) -> Next {
            if w.restricted { Next::Wait } else { Next::On }
        }
        fn use_it(w: &mut World) -> Next {
            w.word = true;
            w.using = true;
            Next::On
        }
        let careless: &[Step<World>] = &[look_first, use_it, leave, wake];
        assert!(explore(World::default(), &[careless, DDL], apart).wrong > 0);
    }
}

/// `mvcc::watermark`: two committers ending together.
mod watermark {
    use super::*;

    #[derive(Clone, Default, PartialEq, Eq, Hash)]
    struct World {
        ring: [bool; 3],
        visible: usize,
        done: [bool; 3],
    }

    fn mark<const C: usize>(w: &mut World) -> Next {
        w.ring[C] = true;
        Next::On
    }
    /// One turn of the loop; the compare-exchange makes look and move one step.
    fn advance<const C: usize>(w: &mut World) -> Next {
        if w.visible + 1 < 3 && w.ring[w.visible + 1] {
            w.visible += 1;
            return Next::To(1);
        }
        w.done[C] = true;
        Next::End
    }

    const BOTH: [&[Step<World>]; 2] = [&[mark::<1>, advance::<1>], &[mark::<2>, advance::<2>]];

    fn carried(w: &World) -> bool {
        w.visible == 2 || !(w.done[1] && w.done[2])
    }

    #[test]
    fn one_of_two_carries_the_watermark_over_both() {
        let found = explore(World::default(), &BOTH, carried);
        assert_eq!((found.wrong, found.stuck), (0, 0), "{found:?}");
    }

    #[test]
    fn looking_once_leaves_a_commit_behind() {
        fn once<const C: usize>(w: &mut World) -> Next {
            if w.visible + 1 == C {
                w.visible = C;
            }
            w.done[C] = true;
            Next::End
        }
        let tasks: [&[Step<World>]; 2] = [&[mark::<1>, once::<1>], &[mark::<2>, once::<2>]];
        assert!(explore(World::default(), &tasks, carried).wrong > 0);
    }
}

/// `commit::gate`: a checkpoint closes its generation between two commits.
mod gate {
    use super::*;

    const OPEN: u64 = 99;

    #[derive(Clone, PartialEq, Eq, Hash)]
    struct World {
        ordered: u64,
        limit: u64,
        numbers: [u64; 2],
        applied: [bool; 2],
        closed_at: Option<u64>,
        /// Commits whose changes the closed generation has.
        inside: Vec<u64>,
    }

    const START: World = World {
        ordered: 0,
        limit: OPEN,
        numbers: [0; 2],
        applied: [false; 2],
        closed_at: None,
        inside: Vec::new(),
    };

    fn order<const T: usize>(w: &mut World) -> Next {
        w.ordered += 1;
        w.numbers[T] = w.ordered;
        Next::On
    }
    fn pass<const T: usize>(w: &mut World) -> Next {
        if w.numbers[T] > w.limit { Next::Wait } else { Next::On }
    }
    fn apply<const T: usize>(w: &mut World) -> Next {
        w.applied[T] = true;
        Next::End
    }
    fn close(w: &mut World) -> Next {
        w.limit = w.ordered;
        Next::On
    }
    fn await_applied(w: &mut World) -> Next {
        let all = (0..2).all(|t| w.numbers[t] == 0 || w.numbers[t] > w.limit || w.applied[t]);
        if all { Next::On } else { Next::Wait }
    }
    fn close_generation(w: &mut World) -> Next {
        w.closed_at = Some(w.limit);
        w.inside = (0..2).filter(|&t| w.applied[t]).map(|t| w.numbers[t]).collect();
        Next::On
    }
    fn open(w: &mut World) -> Next {
        w.limit = OPEN;
        Next::End
    }

    const COMMITTERS: [&[Step<World>]; 2] =
        [&[order::<0>, pass::<0>, apply::<0>], &[order::<1>, pass::<1>, apply::<1>]];

    fn exact(w: &World) -> bool {
        w.closed_at.is_none_or(|b| w.inside.len() as u64 == b && w.inside.iter().all(|c| *c <= b))
    }

    #[test]
    fn a_generation_has_all_commits_up_to_its_position_and_no_other() {
        let checkpoint: &[Step<World>] = &[close, await_applied, close_generation, open];
        right(&explore(START, &[COMMITTERS[0], COMMITTERS[1], checkpoint], exact));
    }

    #[test]
    fn without_the_gate_it_has_not() {
        fn no_limit(w: &mut World) -> Next {
            w.closed_at = Some(w.ordered);
            w.inside = (0..2).filter(|&t| w.applied[t]).map(|t| w.numbers[t]).collect();
            Next::End
        }
        let hasty: &[Step<World>] = &[no_limit];
        assert!(explore(START, &[COMMITTERS[0], COMMITTERS[1], hasty], exact).wrong > 0);
    }
}
