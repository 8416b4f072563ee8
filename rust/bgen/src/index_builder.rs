//! An index in the making: variants appended one by one, or part by part.

use std::collections::BTreeMap;

use crate::convert::{file_length, memory_length};
use crate::error::{BgenError, Fault};
use crate::header::{Header, Layout};
use crate::identifying_data::IdentifyingData;
use crate::index::{BlockLocation, VariantIndex};
use crate::index_split;
use crate::index_walk::{UNREAD_ID, Walk};
use crate::source::Source;
use crate::text_column::TextBuilder;

/// Bytes at hand before a variant is taken apart in one go.
const USUAL_LENGTH: u64 = 256;
/// Shortest variant block: empty texts, two alleles, length fields (spec section 6, check 2).
pub(crate) const SHORTEST_VARIANT: u64 = 24;
/// Letters of an identifier for which room is made at once.
const USUAL_LETTERS: usize = 12;

/// An index in the making.
#[derive(Debug)]
pub(crate) struct IndexBuilder {
    variant_ids: TextBuilder,
    rsids: TextBuilder,
    chromosomes: TextBuilder,
    positions: Vec<u32>,
    first_alleles: TextBuilder,
    second_alleles: TextBuilder,
    allele_counts: Vec<u16>,
    further_alleles: BTreeMap<usize, Vec<String>>,
    blocks: Vec<BlockLocation>,
}

impl VariantIndex {
    /// Walk all blocks of the file: in parts at once where it is large, else from the first to the last.
    pub(crate) fn read(source: &Source, header: &Header, threads: usize) -> Result<Self, BgenError> {
        if let Some(index) = index_split::read_in_parts(source, header, threads) {
            return Ok(index);
        }
        let mut walk = Walk::new(source, header, header.first_variant_byte, 0);
        // The header's count is not believed beyond what the file can hold.
        let most_variants = (source.length() - walk.byte) / SHORTEST_VARIANT;
        let mut builder = IndexBuilder::with_capacity(memory_length(most_variants.min(header.n_variants.into())));
        for _ in 0..header.n_variants {
            builder.push(&mut walk)?;
        }
        let trailing_bytes = source.length() - walk.byte;
        builder.finish(trailing_bytes).ok_or_else(|| walk.too_much_text())
    }
}

impl IndexBuilder {
    pub(crate) fn with_capacity(variants: usize) -> Self {
        let texts = |letters: usize| TextBuilder::with_capacity(variants, variants.saturating_mul(letters));
        Self {
            variant_ids: texts(USUAL_LETTERS),
            rsids: texts(USUAL_LETTERS),
            chromosomes: texts(2),
            positions: Vec::with_capacity(variants),
            first_alleles: texts(1),
            second_alleles: texts(1),
            allele_counts: Vec::with_capacity(variants),
            further_alleles: BTreeMap::new(),
            blocks: Vec::with_capacity(variants),
        }
    }

    pub(crate) const fn len(&self) -> usize {
        self.blocks.len()
    }

    /// `None` past 2 GiB of text.
    pub(crate) fn finish(mut self, trailing_bytes: u64) -> Option<VariantIndex> {
        self.positions.shrink_to_fit();
        self.allele_counts.shrink_to_fit();
        self.blocks.shrink_to_fit();
        Some(VariantIndex {
            variant_ids: self.variant_ids.finish()?,
            rsids: self.rsids.finish()?,
            chromosomes: self.chromosomes.finish()?,
            positions: self.positions,
            first_alleles: self.first_alleles.finish()?,
            second_alleles: self.second_alleles.finish()?,
            allele_counts: self.allele_counts,
            further_alleles: self.further_alleles,
            blocks: self.blocks,
            trailing_bytes,
        })
    }

    /// Append all variants of the part that follows; false past 2 GiB of text.
    #[must_use]
    pub(crate) fn append(&mut self, part: Self) -> bool {
        let before = self.len();
        self.positions.extend(part.positions);
        self.allele_counts.extend(part.allele_counts);
        self.blocks.extend(part.blocks);
        let further = part.further_alleles.into_iter();
        self.further_alleles
            .extend(further.map(|(variant, alleles)| (variant + before, alleles)));
        self.variant_ids.append(&part.variant_ids)
            && self.rsids.append(&part.rsids)
            && self.chromosomes.append(&part.chromosomes)
            && self.first_alleles.append(&part.first_alleles)
            && self.second_alleles.append(&part.second_alleles)
    }

    /// Append the variant at the walk's place.
    pub(crate) fn push(&mut self, walk: &mut Walk<'_>) -> Result<(), BgenError> {
        walk.variant += 1;
        if self.push_usual(walk)? {
            Ok(())
        } else {
            self.push_variant(walk)
        }
    }

    /// Append a variant of the usual kind; false, and nothing appended, for any other.
    fn push_usual(&mut self, walk: &mut Walk<'_>) -> Result<bool, BgenError> {
        if walk.header.layout == Layout::One {
            return Ok(false);
        }
        let left = walk.source.length() - walk.byte;
        let bytes = walk
            .window
            .peek(walk.source, walk.byte, USUAL_LENGTH, walk.read_ahead)?;
        let parsed = IdentifyingData::parse(bytes, walk.header).filter(|data| data.end() <= left);
        let Some(data) = parsed else { return Ok(false) };
        let kept = self.variant_ids.push(data.variant_id)
            && self.rsids.push(data.rsid)
            && self.chromosomes.push(data.chromosome)
            && self.first_alleles.push(data.first_allele)
            && self.second_alleles.push(data.second_allele);
        let block = BlockLocation {
            byte: walk.byte + file_length(data.length),
            stored_length: data.stored_length,
            inflated_length: data.inflated_length,
        };
        self.positions.push(data.position);
        self.allele_counts.push(2);
        if !kept {
            return Err(walk.too_much_text());
        }
        self.blocks.push(block);
        walk.pass(block);
        Ok(true)
    }

    fn push_variant(&mut self, walk: &mut Walk<'_>) -> Result<(), BgenError> {
        if walk.header.layout == Layout::One {
            let count = walk.u32("its sample count")?;
            if count != walk.header.n_samples {
                let problem = format!("{count} samples in its block, {} in the header", walk.header.n_samples);
                return Err(walk.fault(UNREAD_ID, Fault::Damaged(problem)));
            }
        }
        walk.short_text("its variant id", &mut self.variant_ids)?;
        walk.short_text("its rsid", &mut self.rsids)?;
        walk.short_text("its chromosome", &mut self.chromosomes)?;
        self.positions.push(walk.u32("its position")?);
        let allele_count = if walk.header.layout == Layout::One {
            2
        } else {
            walk.u16("its number of alleles")?
        };
        if allele_count == 0 {
            return Err(walk.fault(&self.rsids.get(self.len()), Fault::damaged("it has no alleles")));
        }
        self.allele_counts.push(allele_count);
        self.push_alleles(walk, allele_count)?;
        let block = walk
            .block()
            .map_err(|error| error.with_id(&self.rsids.get(self.len())))?;
        self.blocks.push(block);
        Ok(())
    }

    fn push_alleles(&mut self, walk: &mut Walk<'_>, count: u16) -> Result<(), BgenError> {
        walk.allele(&self.rsids.get(self.blocks.len()), &mut self.first_alleles)?;
        if count == 1 {
            return if self.second_alleles.push(b"") {
                Ok(())
            } else {
                Err(walk.too_much_text())
            };
        }
        walk.allele(&self.rsids.get(self.blocks.len()), &mut self.second_alleles)?;
        if count == 2 {
            return Ok(());
        }
        let mut further = TextBuilder::default();
        for _ in 2..count {
            walk.allele(&self.rsids.get(self.blocks.len()), &mut further)?;
        }
        let further = further.finish().ok_or_else(|| walk.too_much_text())?;
        self.further_alleles
            .insert(self.blocks.len(), further.iter().map(str::to_owned).collect());
        Ok(())
    }
}
