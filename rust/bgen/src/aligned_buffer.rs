#![allow(unsafe_code)] // One allocation is written by several threads in disjoint parts; each block has its proof.
//! Buffers of numbers aligned to a cache line, lent out in parts, and kept for reuse.

use std::alloc::{self, Layout};
use std::fmt;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Alignment in bytes: what JAX needs to use memory without a copy.
const ALIGNMENT: usize = 64;
/// Alignment that the system's allocator gives without filling the memory itself: untouched pages then cost nothing,
/// and the threads that fill the rows touch them.
const SYSTEM_ALIGNMENT: usize = 16;

/// Numbers that a buffer can hold.
///
/// # Safety
///
/// Every pattern of bits must be a value of the type, and the type must have no padding.
pub unsafe trait Element: Copy {}

// SAFETY: any 32 bits are a float.
unsafe impl Element for f32 {}
// SAFETY: any 16 bits are an integer.
unsafe impl Element for u16 {}

/// A zero-initialised allocation, whose bytes begin at a multiple of [`ALIGNMENT`].
struct AlignedBuffer {
    /// What the allocator gave.
    allocation: NonNull<u8>,
    /// The first aligned byte of it.
    pointer: NonNull<u8>,
    length: usize,
}

// SAFETY: the buffer owns its allocation and holds plain bytes, so it may move to and be read from any thread.
unsafe impl Send for AlignedBuffer {}
// SAFETY: shared access gives no way to write; RowSlice, which writes, excludes all shared access (see there).
unsafe impl Sync for AlignedBuffer {}

impl AlignedBuffer {
    fn layout(length: usize) -> Option<Layout> {
        Layout::from_size_align(length.checked_add(ALIGNMENT)?, SYSTEM_ALIGNMENT).ok()
    }

    fn zeroed(length: usize) -> Self {
        let Some(layout) = Self::layout(length) else {
            alloc::handle_alloc_error(Layout::new::<u8>())
        };
        // SAFETY: the layout has a size of at least ALIGNMENT, above zero, as alloc_zeroed requires.
        let Some(allocation) = NonNull::new(unsafe { alloc::alloc_zeroed(layout) }) else {
            alloc::handle_alloc_error(layout)
        };
        let address = allocation.addr().get();
        // SAFETY: the next multiple of ALIGNMENT is less than ALIGNMENT bytes away, and the allocation has that many
        // more bytes than `length`.
        let pointer = unsafe { allocation.add(address.next_multiple_of(ALIGNMENT) - address) };
        Self {
            allocation,
            pointer,
            length,
        }
    }
}

impl Drop for AlignedBuffer {
    fn drop(&mut self) {
        if let Some(layout) = Self::layout(self.length) {
            // SAFETY: `allocation` came from alloc_zeroed with this same layout and is freed once, here.
            unsafe { alloc::dealloc(self.allocation.as_ptr(), layout) };
        }
    }
}

/// Exclusive use of one part of a buffer; the part may live on another thread.
pub(crate) struct RowSlice {
    owner: Arc<AlignedBuffer>,
    start: usize,
    length: usize,
}

impl RowSlice {
    /// The numbers that lie in the part.
    pub(crate) fn as_mut_slice<T: Element>(&mut self) -> &mut [T] {
        // SAFETY: `split` made this the only RowSlice for these bytes and checked that they lie in the allocation.
        // The allocation is initialised and lives as long as `owner`. The buffer itself is out of reach while any
        // RowSlice lives: SplitBuffer gives it back only as the last holder of the Arc.
        let bytes = unsafe { std::slice::from_raw_parts_mut(self.owner.pointer.as_ptr().add(self.start), self.length) };
        // SAFETY: any bytes are numbers of an Element; align_to_mut leaves out what is not aligned, which is nothing
        // where the lengths of all parts are whole numbers of elements.
        unsafe { bytes.align_to_mut::<T>().1 }
    }
}

/// A buffer whose parts are lent out.
pub(crate) struct SplitBuffer {
    owner: Arc<AlignedBuffer>,
    pool: Weak<BufferPool>,
}

impl SplitBuffer {
    /// The whole buffer again, or `None` while a part is still out.
    pub(crate) fn rejoin(self) -> Option<PooledBuffer> {
        let buffer = Arc::into_inner(self.owner)?;
        Some(PooledBuffer {
            buffer: Some(buffer),
            pool: self.pool,
        })
    }
}

/// Buffers of one length for reuse.
pub struct BufferPool {
    length: usize,
    most_kept: usize,
    kept: Mutex<Vec<AlignedBuffer>>,
    allocated: AtomicUsize,
}

impl fmt::Debug for BufferPool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "BufferPool of {} bytes a buffer", self.length)
    }
}

impl BufferPool {
    /// A pool of buffers of `length` bytes that keeps up to `most_kept` unused ones.
    #[must_use]
    pub fn new(length: usize, most_kept: usize) -> Arc<Self> {
        Arc::new(Self {
            length,
            most_kept,
            kept: Mutex::new(Vec::new()),
            allocated: AtomicUsize::new(0),
        })
    }

    /// How many buffers were ever allocated.
    #[must_use]
    pub fn allocated(&self) -> usize {
        self.allocated.load(Ordering::Relaxed)
    }

    /// A buffer, reused where one is free. Its content is whatever was in it.
    #[must_use]
    pub fn take(self: &Arc<Self>) -> PooledBuffer {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let buffer = kept.unwrap_or_else(|| {
            self.allocated.fetch_add(1, Ordering::Relaxed);
            AlignedBuffer::zeroed(self.length)
        });
        PooledBuffer {
            buffer: Some(buffer),
            pool: Arc::downgrade(self),
        }
    }

    fn give_back(&self, buffer: AlignedBuffer) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < self.most_kept {
            kept.push(buffer);
        }
    }
}

/// A buffer that returns to its pool when dropped, or is freed where the pool is gone.
pub struct PooledBuffer {
    /// `None` only after the buffer was given away.
    buffer: Option<AlignedBuffer>,
    pool: Weak<BufferPool>,
}

impl fmt::Debug for PooledBuffer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "PooledBuffer of {} bytes",
            self.buffer.as_ref().map_or(0, |buffer| buffer.length)
        )
    }
}

impl PooledBuffer {
    /// The numbers that it holds.
    #[must_use]
    pub fn as_slice<T: Element>(&self) -> &[T] {
        // SAFETY: the allocation is initialised (zeroed), of `length` bytes, and lives as long as the borrow of
        // `self`; nobody writes, because a RowSlice exists only after `split` took the buffer out of its owner.
        let bytes = self.buffer.as_ref().map_or(&[][..], |buffer| unsafe {
            std::slice::from_raw_parts(buffer.pointer.as_ptr(), buffer.length)
        });
        // SAFETY: any bytes are numbers of an Element; align_to leaves out what is not aligned, and the buffer is.
        unsafe { bytes.align_to::<T>().1 }
    }

    /// Lend out consecutive parts of the given lengths in bytes, together no longer than the buffer.
    ///
    /// `None` where they are longer.
    pub(crate) fn split(mut self, lengths: impl Iterator<Item = usize>) -> Option<(SplitBuffer, Vec<RowSlice>)> {
        let owner = Arc::new(self.buffer.take()?);
        let pool = self.pool.clone();
        let mut start: usize = 0;
        let mut slices = Vec::new();
        for length in lengths {
            let end = start.checked_add(length).filter(|end| *end <= owner.length)?;
            slices.push(RowSlice {
                owner: Arc::clone(&owner),
                start,
                length,
            });
            start = end;
        }
        Some((SplitBuffer { owner, pool }, slices))
    }
}

impl Drop for PooledBuffer {
    fn drop(&mut self) {
        if let (Some(buffer), Some(pool)) = (self.buffer.take(), self.pool.upgrade()) {
            pool.give_back(buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::BufferPool;

    #[test]
    fn parts_written_by_threads_are_disjoint_and_the_whole_comes_back_only_after_them() {
        let pool = BufferPool::new(400, 2);
        let (split, mut slices) = pool.take().split([160, 0, 240].into_iter()).expect("the parts fit");
        thread::scope(|scope| {
            for (number, slice) in [1.0_f32, 2.0, 3.0].into_iter().zip(&mut slices) {
                scope.spawn(move || slice.as_mut_slice().fill(number));
            }
        });
        drop(slices);
        let whole = split.rejoin().expect("no part is out");
        let expected: Vec<f32> = [vec![1.0; 40], vec![3.0; 60]].concat();
        assert_eq!(whole.as_slice::<f32>(), expected);
    }

    #[test]
    fn a_buffer_of_any_length_begins_at_a_cache_line_with_zeros() {
        for length in [0, 1, 63, 64, 1000, 1 << 20] {
            let whole = BufferPool::new(length, 1).take();
            assert_eq!(whole.as_slice::<u16>(), vec![0; length / 2]);
            assert_eq!(whole.as_slice::<f32>().as_ptr().align_offset(64), 0);
        }
    }

    #[test]
    fn a_part_holds_the_numbers_that_it_was_filled_with() {
        let pool = BufferPool::new(40, 2);
        let (split, mut slices) = pool.take().split([12, 28].into_iter()).expect("the parts fit");
        slices[0].as_mut_slice::<u16>().copy_from_slice(&[1, 2, 3, 4, 5, 6]);
        slices[1].as_mut_slice::<u16>().fill(7);
        drop(slices);
        let whole = split.rejoin().expect("no part is out");
        assert_eq!(whole.as_slice::<u16>(), [vec![1, 2, 3, 4, 5, 6], vec![7; 14]].concat());
    }

    #[test]
    fn a_buffer_is_not_whole_while_a_part_is_out_and_parts_cannot_exceed_it() {
        let pool = BufferPool::new(8, 2);
        let (split, slices) = pool.take().split([8].into_iter()).expect("the part fits");
        assert!(split.rejoin().is_none());
        drop(slices);
        assert!(pool.take().split([4, 5].into_iter()).is_none());
    }

    #[test]
    fn a_dropped_buffer_is_reused_and_may_outlive_its_pool() {
        let pool = BufferPool::new(64, 1);
        let first = pool.take();
        let address = first.as_slice::<f32>().as_ptr();
        drop(first);
        let second = pool.take();
        assert_eq!(second.as_slice::<f32>().as_ptr(), address);
        assert_eq!(pool.allocated(), 1);
        drop(pool);
        assert_eq!(second.as_slice::<f32>().len(), 16);
    }
}
