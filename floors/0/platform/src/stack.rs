//! How far the stack of a thread reaches.

use std::cell::Cell;
use std::mem::MaybeUninit;
use std::ptr;

/// The lowest address that the current thread's own stack may grow to, its guard not counted; 0 when the system does
/// not tell. Asked of the system once a thread.
#[must_use]
pub fn thread_limit() -> usize {
    thread_local!(static LIMIT: Cell<Option<usize>> = const { Cell::new(None) });
    LIMIT.with(|limit| {
        limit.get().unwrap_or_else(|| {
            let asked = ask();
            limit.set(Some(asked));
            asked
        })
    })
}

fn ask() -> usize {
    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    // SAFETY: pthread_getattr_np initialises the attributes of a thread that surely exists: this one.
    if unsafe { libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) } != 0 {
        return 0;
    }
    let (mut start, mut size, mut guard) = (ptr::null_mut(), 0, 0);
    // SAFETY: the attributes were initialised above and are given back here, once; the results are ours to write.
    unsafe {
        libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut start, &raw mut size);
        libc::pthread_attr_getguardsize(attributes.as_ptr(), &raw mut guard);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
    }
    // Whether the guard lies inside `size` depends on the C library: taken as inside.
    (start as usize).saturating_add(guard)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left() -> usize {
        let here = 0_u8;
        (&raw const here as usize).saturating_sub(thread_limit())
    }

    #[test]
    fn a_thread_has_about_the_stack_it_was_made_with() {
        for kib in [256, 1024, 4096] {
            let thread = std::thread::Builder::new().stack_size(kib << 10).spawn(left).unwrap();
            let left = thread.join().unwrap() >> 10;
            // More is possible: the C library gives stacks of ended threads out again.
            assert!(left > kib / 2 && left < 1 << 20, "{left} KiB left of {kib}");
        }
    }

    #[test]
    fn deeper_calls_have_less() {
        #[inline(never)]
        fn deeper(levels: u32) -> usize {
            let frame = std::hint::black_box([levels as u8; 1024]);
            let left = if levels == 0 { left() } else { deeper(levels - 1) };
            std::hint::black_box(&frame);
            left
        }
        assert!(deeper(0) >= deeper(20) + 20 * 1024);
    }
}
