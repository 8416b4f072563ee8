//! Chunks decoded ahead in threads and handed out in order.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::aligned_buffer::{BufferPool, RowSlice, SplitBuffer};
use crate::chunk::{DosageChunk, SampleSetChunk};
use crate::error::BgenError;
use crate::packed_rows::ChunkRows;
use crate::reader::IndexedFile;
use crate::stream_plan::StreamPlan;
use crate::worker::{self, Shared, Task, TileMoments, TileResult};

/// An ordered stream of chunks. Dropping it stops and joins its threads.
///
/// At most `staging_depth` chunks are decoded or being decoded beyond the one that is waited for, so memory is bounded
/// by `staging_depth` + 2 chunks where the caller keeps one. After an error the stream ends.
pub struct DosageStream {
    shared: Arc<Shared>,
    /// `None` once no more work will be given out.
    tasks: Option<Sender<Task>>,
    results: Receiver<TileResult>,
    threads: Vec<JoinHandle<()>>,
    /// One pool a sample set.
    pools: Vec<Arc<BufferPool>>,
    /// Chunks given out and not yet returned, in order; the first has number `next_chunk`.
    pending: VecDeque<PendingChunk>,
    next_chunk: usize,
}

impl fmt::Debug for DosageStream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "DosageStream at chunk {} of {}",
            self.next_chunk,
            self.shared.plan.n_chunks()
        )
    }
}

/// A chunk in the making.
struct PendingChunk {
    buffers: Vec<SplitBuffer>,
    /// One place a tile, filled as tiles finish.
    tiles: Vec<Option<Result<TileMoments, BgenError>>>,
    n_unfinished: usize,
    decode_time: Duration,
}

impl DosageStream {
    pub(crate) fn start(file: Arc<IndexedFile>, plan: StreamPlan) -> Result<Self, BgenError> {
        let most_rows = (0..plan.n_chunks())
            .map(|chunk| plan.chunk_rows(chunk))
            .max()
            .unwrap_or(0);
        let most_kept = plan.staging_depth + 2;
        let pool = |row_bytes: usize| match most_rows.checked_mul(row_bytes) {
            Some(length) => Ok(BufferPool::new(length, most_kept)),
            None => Err(BgenError::Request(format!(
                "a chunk of {most_rows} rows of {row_bytes} bytes is too large"
            ))),
        };
        let pools = plan
            .sample_sets
            .iter()
            .map(|set| pool(plan.row_bytes(set)))
            .collect::<Result<_, _>>()?;
        let (task_sender, task_receiver) = unbounded();
        let (result_sender, results) = unbounded();
        let n_threads = plan.threads;
        let mut stream = Self {
            shared: Arc::new(Shared {
                file,
                plan,
                stopped: AtomicBool::new(false),
            }),
            tasks: Some(task_sender),
            results,
            threads: Vec::with_capacity(n_threads),
            pools,
            pending: VecDeque::new(),
            next_chunk: 0,
        };
        for number in 0..n_threads {
            let (shared, tasks, results) = (Arc::clone(&stream.shared), task_receiver.clone(), result_sender.clone());
            let thread = thread::Builder::new()
                .name(format!("g-decode-{number}"))
                .spawn(move || worker::run(&shared, &tasks, &results))
                .map_err(|error| BgenError::Worker(error.to_string()))?;
            stream.threads.push(thread);
        }
        stream.give_out_work(stream.shared.plan.staging_depth)?;
        Ok(stream)
    }

    /// The next chunk in order, or `None` after the last one or after an error.
    pub fn next_chunk(&mut self) -> Option<Result<DosageChunk, BgenError>> {
        if self.tasks.is_none() || self.next_chunk >= self.shared.plan.n_chunks() {
            return None;
        }
        let chunk = self.finish_next();
        if chunk.is_err() {
            self.stop();
        }
        Some(chunk)
    }

    /// Buffers allocated so far, over all sample sets.
    #[must_use]
    pub fn buffers_allocated(&self) -> usize {
        self.pools.iter().map(|pool| pool.allocated()).sum()
    }

    fn finish_next(&mut self) -> Result<DosageChunk, BgenError> {
        self.give_out_work(self.shared.plan.staging_depth + 1)?;
        let gone = || BgenError::Worker("all threads ended early".to_owned());
        while self.pending.front().is_some_and(|chunk| chunk.n_unfinished > 0) {
            let result = self.results.recv().map_err(|_| gone())?;
            let place = result
                .chunk
                .checked_sub(self.next_chunk)
                .and_then(|place| self.pending.get_mut(place));
            if let Some(chunk) = place {
                chunk.n_unfinished -= 1;
                chunk.decode_time += result.decode_time;
                chunk.tiles[result.tile] = Some(result.moments);
            }
        }
        let finished = self.pending.pop_front().ok_or_else(gone)?;
        let index = self.next_chunk;
        self.next_chunk += 1;
        if self.next_chunk == self.shared.plan.n_chunks() {
            // The last chunk is where the caller would take all of them for good.
            self.shared.file.source.check_unchanged()?;
        }
        finished.assemble(index, &self.shared.plan)
    }

    /// Keep `depth` chunks in the making.
    fn give_out_work(&mut self, depth: usize) -> Result<(), BgenError> {
        while self.pending.len() < depth && self.next_chunk + self.pending.len() < self.shared.plan.n_chunks() {
            self.give_out_chunk(self.next_chunk + self.pending.len())?;
        }
        Ok(())
    }

    fn give_out_chunk(&mut self, chunk: usize) -> Result<(), BgenError> {
        let plan = &self.shared.plan;
        let variants = plan.chunk_range(chunk);
        let n_tiles = variants.len().div_ceil(plan.decode_tile_variants);
        let padded_rows = plan.chunk_rows(chunk);
        let tile_start = |tile: usize| (tile * plan.decode_tile_variants).min(variants.len());
        let tile_rows = |tile: usize| {
            let end = if tile + 1 == n_tiles {
                padded_rows
            } else {
                tile_start(tile + 1)
            };
            end - tile_start(tile)
        };
        let mut rows: Vec<Vec<RowSlice>> = (0..n_tiles).map(|_| Vec::with_capacity(self.pools.len())).collect();
        let mut buffers = Vec::with_capacity(self.pools.len());
        for (set, pool) in plan.sample_sets.iter().zip(&self.pools) {
            let lengths = (0..n_tiles).map(|tile| tile_rows(tile) * plan.row_bytes(set));
            let split = pool.take().split(lengths);
            let (buffer, slices) =
                split.ok_or_else(|| BgenError::Worker("a chunk is larger than its buffer".to_owned()))?;
            buffers.push(buffer);
            for (tile, slice) in rows.iter_mut().zip(slices) {
                tile.push(slice);
            }
        }
        let tasks: Vec<Task> = rows
            .into_iter()
            .enumerate()
            .map(|(tile, rows)| {
                let (start, end) = (variants.start + tile_start(tile), variants.start + tile_start(tile + 1));
                Task {
                    chunk,
                    tile,
                    variants: start..end,
                    rows,
                }
            })
            .collect();
        self.pending.push_back(PendingChunk {
            buffers,
            tiles: (0..n_tiles).map(|_| None).collect(),
            n_unfinished: n_tiles,
            decode_time: Duration::ZERO,
        });
        for task in tasks {
            let sent = self.tasks.as_ref().is_some_and(|sender| sender.send(task).is_ok());
            if !sent {
                return Err(BgenError::Worker("all threads ended early".to_owned()));
            }
        }
        Ok(())
    }

    fn stop(&mut self) {
        self.shared.stopped.store(true, Ordering::Relaxed);
        self.tasks = None;
        for thread in self.threads.drain(..) {
            // A worker catches its panics; a join error has nothing to add.
            drop(thread.join());
        }
        self.pending.clear();
    }
}

impl Drop for DosageStream {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Iterator for DosageStream {
    type Item = Result<DosageChunk, BgenError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_chunk()
    }
}

impl PendingChunk {
    /// Join the tiles; the first tile with an error decides, whichever finished first.
    fn assemble(self, index: usize, plan: &StreamPlan) -> Result<DosageChunk, BgenError> {
        let n_variants = plan.chunk_range(index).len();
        let mut whole = TileMoments::with_capacity(plan, n_variants);
        let mut side: Vec<Vec<Vec<f32>>> = vec![Vec::new(); plan.sample_sets.len()];
        for tile in self.tiles.into_iter().flatten() {
            let tile = tile?;
            whole.append(&tile);
            for (all, values) in side.iter_mut().zip(tile.side) {
                all.push(values);
            }
        }
        let rows = plan.chunk_rows(index);
        let mut sample_sets = Vec::with_capacity(whole.sample_sets.len());
        let parts = self.buffers.into_iter().zip(whole.sample_sets).zip(side);
        for (((buffer, moments), side), set) in parts.zip(&plan.sample_sets) {
            let buffer = buffer.rejoin();
            let buffer = buffer.ok_or_else(|| BgenError::Worker("a thread still holds a buffer".to_owned()))?;
            sample_sets.push(SampleSetChunk {
                rows: ChunkRows::new(plan, set, rows, buffer, side, &moments.packed),
                moments,
            });
        }
        Ok(DosageChunk {
            index,
            n_variants,
            decode_time: self.decode_time,
            sample_sets,
            sums: whole.sums,
        })
    }
}
