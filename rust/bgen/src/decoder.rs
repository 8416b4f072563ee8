//! One variant from the file to values and moments of every sample set. One decoder a thread.

use crate::block::{Block, PackedBlock};
use crate::byte_pairs::{self, BytePair};
use crate::compression::Compression;
use crate::convert::memory_length;
use crate::error::{BgenError, Fault};
use crate::header::Layout;
use crate::inflate::Inflater;
use crate::integer_dosage::{self, IntegerDosage};
use crate::moments::VariantMoments;
use crate::reader::IndexedFile;
use crate::real_dosage::RealDosage;
use crate::sample_set::SampleSet;
use crate::source::Window;

/// Reads and inflates blocks, reusing its memory.
pub(crate) struct BlockLoader {
    window: Window,
    inflater: Inflater,
    inflated: Vec<u8>,
}

impl BlockLoader {
    pub(crate) fn new() -> Self {
        Self {
            window: Window::default(),
            inflater: Inflater::new(),
            inflated: Vec::new(),
        }
    }

    /// The uncompressed genotype block of a variant; the file is read ahead up to `read_ahead_end`.
    pub(crate) fn load(&mut self, file: &IndexedFile, variant: usize, read_ahead_end: u64) -> Result<&[u8], BgenError> {
        let block = file.index.blocks()[variant];
        let alleles = file.index.allele_counts()[variant];
        if alleles != 2 {
            let fault = Fault::Unsupported(format!("it has {alleles} alleles; only 2 have a dosage"));
            return Err(file.variant_error(variant, fault));
        }
        let inflated = u64::from(block.inflated_length);
        if file.header.layout == Layout::Two && inflated > most_bytes(file.header.n_samples) {
            let fault = Fault::Unsupported(format!(
                "{inflated} bytes of genotype data are more than {} diploid samples need",
                file.header.n_samples
            ));
            return Err(file.variant_error(variant, fault));
        }
        let payload = self
            .window
            .slice(&file.source, block.byte, u64::from(block.stored_length), read_ahead_end)?;
        if file.header.compression == Compression::None {
            return Ok(payload);
        }
        self.inflated.resize(memory_length(inflated), 0);
        self.inflater
            .inflate(file.header.compression, payload, &mut self.inflated)
            .map_err(|fault| file.variant_error(variant, fault))?;
        Ok(&self.inflated)
    }
}

/// Longest block of diploid samples with two alleles: 32 bits a value (spec section 6, check 5).
fn most_bytes(n_samples: u32) -> u64 {
    10 + 9 * u64::from(n_samples)
}

/// What is wanted of every variant.
#[derive(Clone, Copy)]
pub(crate) struct Request<'a> {
    pub(crate) sample_sets: &'a [SampleSet],
    pub(crate) effect_is_first_allele: bool,
    pub(crate) trusted_no_missing_diploid: bool,
    pub(crate) counts_males: bool,
}

/// Where one sample set's results of a variant go.
pub(crate) struct Output<'a> {
    /// A row of values with its padding.
    pub(crate) row: &'a mut [f32],
    /// Gets one entry.
    pub(crate) moments: &'a mut VariantMoments,
}

/// Decodes variants, reusing its memory.
pub(crate) struct VariantDecoder {
    loader: BlockLoader,
    scratch: Scratch,
}

/// Memory of one variant's genotypes.
#[derive(Default)]
struct Scratch {
    pairs: Vec<BytePair>,
    integers: IntegerDosage,
    reals: RealDosage,
    missing: Vec<u32>,
}

impl VariantDecoder {
    pub(crate) fn new() -> Self {
        Self {
            loader: BlockLoader::new(),
            scratch: Scratch::default(),
        }
    }

    /// Decode one variant into one output a sample set. The block is inflated once.
    pub(crate) fn decode<'o>(
        &mut self,
        file: &IndexedFile,
        variant: usize,
        read_ahead_end: u64,
        request: Request<'_>,
        outputs: impl Iterator<Item = Output<'o>>,
    ) -> Result<(), BgenError> {
        let bytes = self.loader.load(file, variant, read_ahead_end)?;
        let header = &file.header;
        Block::parse(
            bytes,
            header.layout,
            header.n_samples,
            request.trusted_no_missing_diploid,
        )
        .and_then(|block| self.scratch.decode(&block, request, outputs))
        .map_err(|fault| file.variant_error(variant, fault))
    }
}

impl Scratch {
    fn decode<'o>(
        &mut self,
        block: &Block<'_>,
        request: Request<'_>,
        outputs: impl Iterator<Item = Output<'o>>,
    ) -> Result<(), Fault> {
        let Block::Packed(packed) = block else {
            return self.decode_reals(block, request, outputs);
        };
        packed.require_haploid_or_diploid()?;
        if packed.bits == 8 && packed.all_diploid && !packed.phased {
            self.decode_pairs(packed, request, outputs)
        } else if packed.bits <= integer_dosage::MOST_BITS {
            self.decode_integers(packed, request, outputs)
        } else {
            self.decode_reals(block, request, outputs)
        }
    }

    fn decode_pairs<'o>(
        &mut self,
        block: &PackedBlock<'_>,
        request: Request<'_>,
        outputs: impl Iterator<Item = Output<'o>>,
    ) -> Result<(), Fault> {
        if !request.trusted_no_missing_diploid {
            byte_pairs::check_sums(block)?;
        }
        let first = request.effect_is_first_allele;
        for (set, output) in request.sample_sets.iter().zip(outputs) {
            let missing = &mut self.missing;
            let pairs = byte_pairs::select(block, set, first, &mut self.pairs, missing);
            let mut sums = byte_pairs::sums(pairs, first, missing.len());
            if request.counts_males {
                byte_pairs::count_males(&mut sums, pairs, set, first, missing);
            }
            let (row, centre) = sums.settle(block.max_value(), missing.len());
            byte_pairs::write(pairs, first, &centre, missing, output.row);
            output.moments.push(&row, missing);
        }
        Ok(())
    }

    fn decode_integers<'o>(
        &mut self,
        block: &PackedBlock<'_>,
        request: Request<'_>,
        outputs: impl Iterator<Item = Output<'o>>,
    ) -> Result<(), Fault> {
        self.integers.fill(block, request.effect_is_first_allele)?;
        for (set, output) in request.sample_sets.iter().zip(outputs) {
            let sums = self.integers.sums(block, set, request.counts_males, &mut self.missing);
            let (row, centre) = sums.settle(block.max_value(), self.missing.len());
            self.integers
                .write(block.max_value(), set, &centre, &self.missing, output.row);
            output.moments.push(&row, &self.missing);
        }
        Ok(())
    }

    fn decode_reals<'o>(
        &mut self,
        block: &Block<'_>,
        request: Request<'_>,
        outputs: impl Iterator<Item = Output<'o>>,
    ) -> Result<(), Fault> {
        self.reals.fill(block, request.effect_is_first_allele)?;
        for (set, output) in request.sample_sets.iter().zip(outputs) {
            let (row, centre) = self.reals.moments(set, request.counts_males, &mut self.missing);
            self.reals.write(set, &centre, &self.missing, output.row);
            output.moments.push(&row, &self.missing);
        }
        Ok(())
    }
}
