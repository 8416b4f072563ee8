//! One variant from the file to values and moments of every sample set. One decoder a thread.

use crate::block::{Block, PackedBlock};
use crate::byte_pairs::{self, BytePair};
use crate::coding::Coding;
use crate::compression::Compression;
use crate::convert::memory_length;
use crate::error::{BgenError, Fault};
use crate::genotype_sums::GenotypeSums;
use crate::header::Layout;
use crate::inflate::Inflater;
use crate::integer_dosage::{self, IntegerDosage};
use crate::moments::{Homozygotes, VariantMoments};
use crate::packed_rows::RowTarget;
use crate::reader::IndexedFile;
use crate::real_dosage::{Males, RealDosage};
use crate::source::Window;
use crate::stream_plan::StreamPlan;

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

    /// As [`Self::load`], for a variant whose samples have a biallelic dosage.
    pub(crate) fn load_biallelic(
        &mut self,
        file: &IndexedFile,
        variant: usize,
        read_ahead_end: u64,
    ) -> Result<&[u8], BgenError> {
        let alleles = file.index.allele_counts()[variant];
        if alleles != 2 {
            let fault = Fault::Unsupported(format!("it has {alleles} alleles; only 2 have a dosage"));
            return Err(file.variant_error(variant, fault));
        }
        let inflated = file.index.blocks()[variant].inflated_length;
        if file.header.layout == Layout::Two && u64::from(inflated) > most_bytes(file.header.n_samples) {
            let fault = Fault::Unsupported(format!(
                "{inflated} bytes of genotype data are more than {} diploid samples need",
                file.header.n_samples
            ));
            return Err(file.variant_error(variant, fault));
        }
        self.load(file, variant, read_ahead_end)
    }

    /// The uncompressed genotype block of a variant; the file is read ahead up to `read_ahead_end`.
    ///
    /// The index has refused inflated lengths that the stored bytes cannot give.
    pub(crate) fn load(&mut self, file: &IndexedFile, variant: usize, read_ahead_end: u64) -> Result<&[u8], BgenError> {
        let block = file.index.blocks()[variant];
        let inflated = u64::from(block.inflated_length);
        let payload = self
            .window
            .slice(&file.source, block.byte, u64::from(block.stored_length), read_ahead_end)?;
        if file.header.compression == Compression::None {
            return Ok(payload);
        }
        // A claim that no diploid sample needs is not believed: room is made as the data turn out to need it.
        let believed = most_bytes(file.header.n_samples).max(8 * u64::from(block.stored_length));
        let mut room = memory_length(inflated.min(believed));
        let claimed = memory_length(inflated);
        loop {
            self.inflated.resize(room, 0);
            let produced = self
                .inflater
                .inflate(file.header.compression, payload, &mut self.inflated)
                .map_err(|fault| file.variant_error(variant, fault))?;
            let words = match produced {
                Some(produced) if produced == claimed => break,
                None if room < claimed => {
                    room = claimed.min(2 * room);
                    continue;
                }
                Some(produced) => format!("genotype data inflate to {produced} bytes instead of {claimed}"),
                None => format!("genotype data inflate to more than the {claimed} bytes that are claimed"),
            };
            return Err(file.variant_error(variant, Fault::Damaged(words)));
        }
        Ok(&self.inflated)
    }
}

/// Longest block of diploid samples with two alleles: 32 bits a value (spec section 6, check 5).
pub(crate) fn most_bytes(n_samples: u32) -> u64 {
    10 + 9 * u64::from(n_samples)
}

/// What is wanted of every variant.
#[derive(Clone, Copy)]
pub(crate) struct Request<'a> {
    pub(crate) plan: &'a StreamPlan,
    /// Sums over males are wanted.
    pub(crate) counts_males: bool,
    /// Dosages of males are halved.
    pub(crate) halves_males: bool,
}

impl Request<'_> {
    fn may_flip(self) -> bool {
        self.plan.flip_to_minor_allele && self.plan.coding == Coding::Additive
    }
}

/// Where one sample set's results of a variant go.
pub(crate) struct Output<'a> {
    /// A row with its padding.
    pub(crate) row: RowTarget<'a>,
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

    /// Decode one variant into one output a sample set and one entry a moment set. The block is inflated once.
    pub(crate) fn decode<'o>(
        &mut self,
        file: &IndexedFile,
        variant: usize,
        read_ahead_end: u64,
        request: Request<'_>,
        outputs: impl Iterator<Item = Output<'o>>,
        sums: &mut [GenotypeSums],
    ) -> Result<(), BgenError> {
        let bytes = self.loader.load_biallelic(file, variant, read_ahead_end)?;
        Block::parse(bytes, file.shape(variant), request.plan.trusted_no_missing_diploid)
            .and_then(|block| self.scratch.decode(&block, request, outputs, sums))
            .map_err(|fault| file.variant_error(variant, fault))
    }
}

impl Scratch {
    fn decode<'o>(
        &mut self,
        block: &Block<'_>,
        request: Request<'_>,
        outputs: impl Iterator<Item = Output<'o>>,
        sums: &mut [GenotypeSums],
    ) -> Result<(), Fault> {
        let Block::Packed(packed) = block else {
            return self.decode_reals(block, request, outputs, sums);
        };
        packed.require_haploid_or_diploid()?;
        if request.halves_males || !integer_dosage::fits(packed, request.plan.coding) {
            self.decode_reals(block, request, outputs, sums)
        } else if packed.is_byte_pairs() {
            self.decode_pairs(packed, request, outputs, sums)
        } else {
            self.decode_integers(packed, request, outputs, sums)
        }
    }

    fn decode_pairs<'o>(
        &mut self,
        block: &PackedBlock<'_>,
        request: Request<'_>,
        outputs: impl Iterator<Item = Output<'o>>,
        moment_sums: &mut [GenotypeSums],
    ) -> Result<(), Fault> {
        let plan = request.plan;
        if !plan.trusted_no_missing_diploid {
            byte_pairs::check_sums(block)?;
        }
        let first = plan.effect_is_first_allele;
        let missing = &mut self.missing;
        for (set, output) in plan.sample_sets.iter().zip(outputs) {
            let pairs = byte_pairs::select(block, set, first, &mut self.pairs, missing);
            let (mut sums, mut tested) = byte_pairs::sums(pairs, first, missing.len());
            if plan.coding != Coding::Additive {
                tested = byte_pairs::coded_sums(pairs, first, plan.coding, missing.len());
            }
            if request.counts_males {
                byte_pairs::count_males(&mut sums, pairs, set, first, missing);
            }
            let (row, centre) = tested.settle(block.max_value(), missing.len(), request.may_flip());
            let packed = match output.row {
                RowTarget::Packed { row, .. } if missing.is_empty() => {
                    byte_pairs::pack(pairs, row);
                    true
                }
                target => {
                    byte_pairs::write(pairs, first, plan.coding, &centre, missing, target.into_values());
                    false
                }
            };
            let homozygotes = if plan.count_genotypes {
                let males = if request.counts_males { set.male_columns() } else { &[] };
                byte_pairs::count_homozygotes(pairs, first, missing, males)
            } else {
                Homozygotes::default()
            };
            output
                .moments
                .push(&sums.row(block.max_value()), &row, homozygotes, missing, packed);
        }
        for (set, output) in plan.moment_sets.iter().zip(moment_sums) {
            let pairs = byte_pairs::select(block, set, first, &mut self.pairs, missing);
            let (mut sums, _) = byte_pairs::sums(pairs, first, missing.len());
            if request.counts_males {
                byte_pairs::count_males(&mut sums, pairs, set, first, missing);
            }
            output.push(&sums.row(block.max_value()));
        }
        Ok(())
    }

    fn decode_integers<'o>(
        &mut self,
        block: &PackedBlock<'_>,
        request: Request<'_>,
        outputs: impl Iterator<Item = Output<'o>>,
        moment_sums: &mut [GenotypeSums],
    ) -> Result<(), Fault> {
        let plan = request.plan;
        let max_value = block.max_value();
        let missing = &mut self.missing;
        self.integers.fill(block, plan.effect_is_first_allele, plan.coding)?;
        for (set, output) in plan.sample_sets.iter().zip(outputs) {
            let (sums, tested) = self.integers.sums(block, set, request.counts_males, missing);
            let (row, centre) = tested.settle(max_value, missing.len(), request.may_flip());
            self.integers
                .write(max_value, set, &centre, missing, output.row.into_values());
            let homozygotes = if plan.count_genotypes {
                self.integers.count_homozygotes(block, set, request.counts_males)
            } else {
                Homozygotes::default()
            };
            output
                .moments
                .push(&sums.row(max_value), &row, homozygotes, missing, false);
        }
        for (set, output) in plan.moment_sets.iter().zip(moment_sums) {
            let (sums, _) = self.integers.sums(block, set, request.counts_males, missing);
            output.push(&sums.row(max_value));
        }
        Ok(())
    }

    fn decode_reals<'o>(
        &mut self,
        block: &Block<'_>,
        request: Request<'_>,
        outputs: impl Iterator<Item = Output<'o>>,
        moment_sums: &mut [GenotypeSums],
    ) -> Result<(), Fault> {
        let plan = request.plan;
        let males = Males {
            counted: request.counts_males,
            halved: request.halves_males,
        };
        let missing = &mut self.missing;
        self.reals.fill(block, plan.effect_is_first_allele, plan.coding)?;
        for (set, output) in plan.sample_sets.iter().zip(outputs) {
            let sums = self.reals.sums(set, males);
            let (row, centre) = self.reals.moments(set, males, request.may_flip(), missing);
            self.reals.write(&centre, missing, output.row.into_values());
            let homozygotes = if plan.count_genotypes {
                self.reals.count_homozygotes(set, males)
            } else {
                Homozygotes::default()
            };
            output.moments.push(&sums, &row, homozygotes, missing, false);
        }
        for (set, output) in plan.moment_sets.iter().zip(moment_sums) {
            output.push(&self.reals.sums(set, males));
        }
        Ok(())
    }
}
