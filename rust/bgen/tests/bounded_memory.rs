//! No claim in a file is believed before it is checked: the most memory held at once stays near what the file needs.
#![allow(unsafe_code, reason = "a global allocator that counts, around the system's own")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "in a test a panic is the report")]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{Genotypes, TestFile};
use g_bgen::{BgenError, BgenReader, Compression, check};

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: every call goes to the system's allocator unchanged; counting touches no memory of the caller.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(held, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) };
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Read everything in one thread; the most bytes held at once beyond those held before.
fn most_held(file: &TestFile) -> (usize, Result<(), BgenError>) {
    let before = HELD.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let outcome = BgenReader::open(&file.path).and_then(|reader| {
        check(&reader, 1)?;
        (0..reader.index().len()).try_for_each(|variant| reader.read_genotypes(variant).map(drop))
    });
    (MOST.load(Ordering::Relaxed) - before, outcome)
}

/// An error's message, and growth of small vectors in steps.
const OVERHEAD: usize = 16_000;

// One test a process: other threads would count too.
#[test]
fn a_changed_byte_never_makes_the_reader_hold_twice_what_the_sound_file_needs() {
    for compression in [Compression::None, Compression::Zlib, Compression::Zstd] {
        let pairs: Vec<[u8; 2]> = (0..60).map(|value| [value, 255 - value]).collect();
        let mut wide = Genotypes::bytes(&pairs);
        wide.phased = true;
        wide.bits = 32;
        let content = common::file(
            &[Genotypes::bytes(&pairs), wide, Genotypes::bytes(&pairs)],
            compression,
            true,
        );
        let sound = TestFile::new(&content);
        let (honest, outcome) = most_held(&sound);
        outcome.unwrap();
        let mut n_refused = 0;
        for place in 0..content.len() {
            // The top bits of a length are where a small change claims most.
            for change in [0x80, 0x7f, 0xff] {
                let mut changed = content.clone();
                changed[place] ^= change;
                std::fs::write(&sound.path, &changed).unwrap();
                let (most, outcome) = most_held(&sound);
                n_refused += usize::from(outcome.is_err());
                assert!(
                    most <= 2 * honest + OVERHEAD,
                    "byte {place} ^ {change:#x}: {most} bytes held, {honest} by the sound file; {outcome:?}"
                );
            }
        }
        assert!(n_refused > content.len() / 4);
    }
}
