//! Dosages or stored bytes of whole variants, one row a variant, into memory of the caller.

use std::ops::Range;

use crate::block::Block;
use crate::byte_pair_kernels;
use crate::byte_pairs::{self, BytePair};
use crate::coding::Coding;
use crate::convert::{index, single};
use crate::decoder::BlockLoader;
use crate::error::{BgenError, Fault};
use crate::parallel::{run_tasks, tiles};
use crate::reader::IndexedFile;
use crate::real_dosage::RealDosage;
use crate::sample_set::SampleSet;

/// How rows are read.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// Samples to read, in this order.
    pub samples: SampleSet,
    /// Threads to read with.
    pub threads: usize,
    /// Variants that a thread takes at a time.
    pub tile_variants: usize,
    /// Take 8-bit variants as diploid and complete without looking at each sample.
    pub trusted_no_missing_diploid: bool,
}

/// Decodes one row after another, reusing its memory.
pub(crate) struct VariantMajorDecoder {
    loader: BlockLoader,
    pairs: Vec<BytePair>,
    missing: Vec<u32>,
    reals: RealDosage,
}

/// Which row, and how far one read may go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowPlace {
    pub(crate) variant: usize,
    pub(crate) read_ahead_end: u64,
}

impl VariantMajorDecoder {
    pub(crate) fn new() -> Self {
        Self {
            loader: BlockLoader::new(),
            pairs: Vec::new(),
            missing: Vec::new(),
            reals: RealDosage::default(),
        }
    }

    /// Dosage of the first allele of every sample asked for; NaN where missing.
    pub(crate) fn dosage_row(
        &mut self,
        file: &IndexedFile,
        place: RowPlace,
        options: &ReadOptions,
        row: &mut [f32],
    ) -> Result<(), BgenError> {
        let bytes = self.loader.load_biallelic(file, place.variant, place.read_ahead_end)?;
        let trusted = options.trusted_no_missing_diploid;
        let decode = |block: Block<'_>| {
            if let Block::Packed(packed) = &block
                && packed.is_byte_pairs()
            {
                if !trusted {
                    byte_pairs::check_sums(packed)?;
                }
                let pairs = byte_pairs::select(packed, &options.samples, true, &mut self.pairs, &mut self.missing);
                byte_pair_kernels::write_dosage(pairs, row);
                self.missing.iter().for_each(|&column| row[index(column)] = f32::NAN);
                return Ok(());
            }
            if let Block::Packed(packed) = &block {
                packed.require_haploid_or_diploid()?;
            }
            self.reals.fill(&block, true, Coding::Additive)?;
            for (value, &sample) in row.iter_mut().zip(options.samples.indices()) {
                *value = single(self.reals.dosage()[index(sample)]);
            }
            Ok(())
        };
        Block::parse(bytes, file.shape(place.variant), trusted)
            .and_then(decode)
            .map_err(|fault| file.variant_error(place.variant, fault))
    }

    /// The two stored bytes of every sample asked for.
    pub(crate) fn packed8_row(
        &mut self,
        file: &IndexedFile,
        place: RowPlace,
        options: &ReadOptions,
        row: &mut [u8],
    ) -> Result<(), BgenError> {
        let bytes = self.loader.load_biallelic(file, place.variant, place.read_ahead_end)?;
        let trusted = options.trusted_no_missing_diploid;
        let copy = |block: Block<'_>| match block {
            Block::Packed(packed) if packed.is_byte_pairs() && packed.all_present => {
                if !trusted {
                    byte_pairs::check_sums(&packed)?;
                }
                let pairs = byte_pairs::select(&packed, &options.samples, true, &mut self.pairs, &mut self.missing);
                row.copy_from_slice(pairs.as_flattened());
                Ok(())
            }
            _ => Err(Fault::NotPacked8(
                "its two bytes a sample cannot be handed out: that takes 8 bits, unphased, all diploid, none missing"
                    .to_owned(),
            )),
        };
        Block::parse(bytes, file.shape(place.variant), trusted)
            .and_then(copy)
            .map_err(|fault| file.variant_error(place.variant, fault))
    }
}

/// Decode `variants` into `out`, which has `per_sample` places a variant and sample, in threads.
pub(crate) fn read_rows<T: Send>(
    file: &IndexedFile,
    variants: Range<usize>,
    options: &ReadOptions,
    per_sample: usize,
    out: &mut [T],
    decode: impl Fn(&mut VariantMajorDecoder, &IndexedFile, RowPlace, &ReadOptions, &mut [T]) -> Result<(), BgenError>
    + Sync,
) -> Result<(), BgenError> {
    let width = per_sample * options.samples.len();
    let expected = width.checked_mul(variants.len());
    if expected != Some(out.len()) {
        let (found, rows) = (out.len(), variants.len());
        return Err(BgenError::Request(format!(
            "{found} places for {rows} variants of {width} values"
        )));
    }
    if width == 0 {
        return Ok(());
    }
    let tile = options.tile_variants.max(1);
    let tasks = tiles(variants, tile).zip(out.chunks_mut(tile * width));
    run_tasks(
        tasks,
        options.threads,
        VariantMajorDecoder::new,
        |decoder, (range, rows)| {
            let read_ahead_end = file.index.blocks()[range.end - 1].end();
            for (variant, row) in range.zip(rows.chunks_mut(width)) {
                let place = RowPlace {
                    variant,
                    read_ahead_end,
                };
                decode(decoder, file, place, options, row)?;
            }
            Ok(0)
        },
    )
    .map(drop)
}
