//! The decoding threads: one task is a tile of variants of one chunk.

use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};

use crate::aligned_buffer::RowSlice;
use crate::convert::index;
use crate::decoder::{Output, Request, VariantDecoder};
use crate::error::BgenError;
use crate::genotype_sums::GenotypeSums;
use crate::moments::VariantMoments;
use crate::packed_rows::TileRows;
use crate::reader::IndexedFile;
use crate::stream_plan::StreamPlan;

/// Bytes of file that one read may fetch ahead within a tile.
const LARGEST_READ: u64 = 4 << 20;
/// Unwanted bytes that are read rather than skipped.
const SMALLEST_SKIP: u64 = 64 << 10;

/// What all threads of a stream share.
pub(crate) struct Shared {
    pub(crate) file: Arc<IndexedFile>,
    pub(crate) plan: StreamPlan,
    /// Set when nobody wants the results any more.
    pub(crate) stopped: AtomicBool,
}

/// One tile to decode.
pub(crate) struct Task {
    pub(crate) chunk: usize,
    pub(crate) tile: usize,
    /// Where the tile's variants lie in the plan's `variant_indices`.
    pub(crate) variants: Range<usize>,
    /// The tile's rows, one slice a sample set; rows beyond the variants are padding.
    pub(crate) rows: Vec<RowSlice>,
}

/// A finished tile.
pub(crate) struct TileResult {
    pub(crate) chunk: usize,
    pub(crate) tile: usize,
    pub(crate) decode_time: Duration,
    /// The rows are written and the slices dropped.
    pub(crate) moments: Result<TileMoments, BgenError>,
}

/// What a tile says beside its values.
pub(crate) struct TileMoments {
    /// One entry a sample set.
    pub(crate) sample_sets: Vec<VariantMoments>,
    /// Values of the rows that could not be packed, one entry a sample set.
    pub(crate) side: Vec<Vec<f32>>,
    /// One entry a moment set.
    pub(crate) sums: Vec<GenotypeSums>,
}

impl TileMoments {
    /// No variants yet, and room for `count`.
    pub(crate) fn with_capacity(plan: &StreamPlan, count: usize) -> Self {
        let moments = |_| VariantMoments::with_capacity(count);
        let sums = |_| GenotypeSums::with_capacity(count);
        Self {
            sample_sets: plan.sample_sets.iter().map(moments).collect(),
            side: vec![Vec::new(); plan.sample_sets.len()],
            sums: plan.moment_sets.iter().map(sums).collect(),
        }
    }

    /// Append the moments of the next tile.
    pub(crate) fn append(&mut self, tile: &Self) {
        for (whole, part) in self.sample_sets.iter_mut().zip(&tile.sample_sets) {
            whole.append(part);
        }
        for (whole, part) in self.sums.iter_mut().zip(&tile.sums) {
            whole.append(part);
        }
    }
}

/// Decode tasks until the sender is gone or the stream stopped.
pub(crate) fn run(shared: &Shared, tasks: &Receiver<Task>, results: &Sender<TileResult>) {
    let mut decoder = VariantDecoder::new();
    while let Ok(task) = tasks.recv() {
        if shared.stopped.load(Ordering::Relaxed) {
            return;
        }
        let start = Instant::now();
        let (chunk, tile) = (task.chunk, task.tile);
        let moments = catch_unwind(AssertUnwindSafe(|| decode_tile(shared, &mut decoder, task)))
            .unwrap_or_else(|panic| Err(BgenError::Worker(panic_message(panic.as_ref()))));
        if moments.is_err() {
            // A panic may have left the decoder half-way.
            decoder = VariantDecoder::new();
        }
        if results
            .send(TileResult {
                chunk,
                tile,
                decode_time: start.elapsed(),
                moments,
            })
            .is_err()
        {
            return;
        }
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "panic without a message".to_owned())
}

fn decode_tile(shared: &Shared, decoder: &mut VariantDecoder, mut task: Task) -> Result<TileMoments, BgenError> {
    let plan = &shared.plan;
    let counts_males = plan.chunk_counts_males[task.chunk];
    let request = Request {
        plan,
        counts_males,
        halves_males: counts_males && plan.halve_males,
    };
    let variants = &plan.variant_indices[task.variants.clone()];
    let mut moments = TileMoments::with_capacity(plan, variants.len());
    let mut sets: Vec<TileRows<'_>> = plan
        .sample_sets
        .iter()
        .zip(&mut task.rows)
        .map(|(set, slice)| TileRows {
            slice,
            columns: plan.columns(set),
            format: plan.genotype_format,
        })
        .collect();
    for (row, &variant) in variants.iter().enumerate() {
        if shared.stopped.load(Ordering::Relaxed) {
            return Err(BgenError::Worker("the stream was closed".to_owned()));
        }
        let read_ahead_end = read_ahead_end(&shared.file, &variants[row..]);
        let outputs = sets
            .iter_mut()
            .zip(&mut moments.side)
            .zip(&mut moments.sample_sets)
            .map(|((rows, side), moments)| Output {
                row: rows.target(row, side),
                moments,
            });
        let sums = &mut moments.sums;
        decoder.decode(&shared.file, index(variant), read_ahead_end, request, outputs, sums)?;
    }
    for rows in &mut sets {
        rows.pad_from(variants.len());
    }
    Ok(moments)
}

/// How far one read should go: over the blocks that follow closely, up to [`LARGEST_READ`].
fn read_ahead_end(file: &IndexedFile, variants: &[u32]) -> u64 {
    let blocks = file.index.blocks();
    let Some(&first) = variants.first() else { return 0 };
    let start = blocks[index(first)].byte;
    let mut end = blocks[index(first)].end();
    for &variant in &variants[1..] {
        let block = blocks[index(variant)];
        let follows = block.byte >= end && block.byte - end <= SMALLEST_SKIP;
        if !follows || block.end() - start > LARGEST_READ {
            break;
        }
        end = block.end();
    }
    end
}
