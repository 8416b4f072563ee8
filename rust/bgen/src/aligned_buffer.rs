#![allow(unsafe_code)] // One allocation is written by several threads in disjoint parts; each block has its proof.
//! Float buffers aligned to a cache line, lent out in parts, and kept for reuse.

use std::alloc::{self, Layout};
use std::fmt;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Alignment in bytes: what JAX needs to use memory without a copy.
const ALIGNMENT: usize = 64;

/// A zero-initialised allocation of floats, aligned to [`ALIGNMENT`].
struct AlignedBuffer {
    pointer: NonNull<f32>,
    length: usize,
}

// SAFETY: the buffer owns its allocation and holds plain floats, so it may move to and be read from any thread.
unsafe impl Send for AlignedBuffer {}
// SAFETY: shared access gives no way to write; RowSlice, which writes, excludes all shared access (see there).
unsafe impl Sync for AlignedBuffer {}

impl AlignedBuffer {
    fn layout(length: usize) -> Option<Layout> {
        let bytes = length.max(1).checked_mul(size_of::<f32>())?;
        Layout::from_size_align(bytes, ALIGNMENT).ok()
    }

    #[expect(
        clippy::cast_ptr_alignment,
        reason = "the layout asks for more alignment than floats need"
    )]
    fn zeroed(length: usize) -> Self {
        let Some(layout) = Self::layout(length) else {
            alloc::handle_alloc_error(Layout::new::<f32>())
        };
        // SAFETY: the layout has a size above zero (`length.max(1)`), as alloc_zeroed requires.
        let raw = unsafe { alloc::alloc_zeroed(layout) };
        let Some(pointer) = NonNull::new(raw.cast::<f32>()) else {
            alloc::handle_alloc_error(layout)
        };
        Self { pointer, length }
    }
}

impl Drop for AlignedBuffer {
    fn drop(&mut self) {
        if let Some(layout) = Self::layout(self.length) {
            // SAFETY: `pointer` came from alloc_zeroed with this same layout and is freed once, here.
            unsafe { alloc::dealloc(self.pointer.as_ptr().cast(), layout) };
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
    pub(crate) fn as_mut_slice(&mut self) -> &mut [f32] {
        // SAFETY: `split` made this the only RowSlice for these floats and checked that they lie in the allocation.
        // The allocation is initialised and lives as long as `owner`. The buffer itself is out of reach while any
        // RowSlice lives: SplitBuffer gives it back only as the last holder of the Arc.
        unsafe { std::slice::from_raw_parts_mut(self.owner.pointer.as_ptr().add(self.start), self.length) }
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
        write!(formatter, "BufferPool of {} floats a buffer", self.length)
    }
}

impl BufferPool {
    /// A pool of buffers of `length` floats that keeps up to `most_kept` unused ones.
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
        write!(formatter, "PooledBuffer of {} floats", self.as_slice().len())
    }
}

impl PooledBuffer {
    /// The floats.
    #[must_use]
    pub fn as_slice(&self) -> &[f32] {
        // SAFETY: the allocation is initialised (zeroed), of `length` floats, and lives as long as the borrow of
        // `self`; nobody writes, because a RowSlice exists only after `split` took the buffer out of its owner.
        self.buffer.as_ref().map_or(&[], |buffer| unsafe {
            std::slice::from_raw_parts(buffer.pointer.as_ptr(), buffer.length)
        })
    }

    /// Lend out consecutive parts of the given lengths, together no longer than the buffer.
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
        let pool = BufferPool::new(100, 2);
        let (split, mut slices) = pool.take().split([40, 0, 60].into_iter()).expect("the parts fit");
        thread::scope(|scope| {
            for (number, slice) in [1.0, 2.0, 3.0].into_iter().zip(&mut slices) {
                scope.spawn(move || slice.as_mut_slice().fill(number));
            }
        });
        drop(slices);
        let whole = split.rejoin().expect("no part is out");
        let expected: Vec<f32> = [vec![1.0; 40], vec![3.0; 60]].concat();
        assert_eq!(whole.as_slice(), expected);
        assert_eq!(whole.as_slice().as_ptr().align_offset(64), 0);
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
        let pool = BufferPool::new(16, 1);
        let first = pool.take();
        let address = first.as_slice().as_ptr();
        drop(first);
        let second = pool.take();
        assert_eq!(second.as_slice().as_ptr(), address);
        assert_eq!(pool.allocated(), 1);
        drop(pool);
        assert_eq!(second.as_slice().len(), 16);
    }
}
