//! One pass over the variant blocks without decompressing any.

use std::collections::BTreeMap;

use crate::compression::Compression;
use crate::convert::{file_length, memory_length};
use crate::error::{BgenError, Fault};
use crate::header::{Header, Layout};
use crate::identifying_data::IdentifyingData;
use crate::index::{BlockLocation, VariantIndex};
use crate::source::{Source, Window};
use crate::text_column::TextBuilder;

/// Longest allele that is read; longer claims are damage.
const LONGEST_ALLELE: u32 = 16 << 20;
/// Blocks up to this size are read in passing; longer ones are skipped.
const SMALL_BLOCK: u64 = 1024;
/// Stands for an id where the fault comes before it.
const UNREAD_ID: &str = "id not read";
/// One read where blocks are small.
const LARGE_READ: u64 = 1 << 20;
/// One read where blocks are skipped: enough for the identifying data of most variants.
const SMALL_READ: u64 = 512;

/// Bytes at hand before a variant is taken apart in one go.
const USUAL_LENGTH: u64 = 256;
/// Shortest variant block: empty texts, two alleles, length fields (spec section 6, check 2).
const SHORTEST_VARIANT: u64 = 24;
/// Letters of an identifier for which room is made at once.
const USUAL_LETTERS: usize = 12;

/// An index in the making.
struct IndexBuilder {
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
    /// Walk all blocks of the file.
    pub(crate) fn read(source: &Source, header: &Header) -> Result<Self, BgenError> {
        let mut walk = Walk {
            source,
            header,
            window: Window::default(),
            byte: header.first_variant_byte,
            read_ahead: LARGE_READ,
            variant: 0,
        };
        // The header's count is not believed beyond what the file can hold.
        let most_variants = (source.length() - walk.byte) / SHORTEST_VARIANT;
        let mut builder = IndexBuilder::with_capacity(memory_length(most_variants.min(header.n_variants.into())));
        for _ in 0..header.n_variants {
            walk.variant += 1;
            if !builder.push_usual(&mut walk)? {
                builder.push_variant(&mut walk)?;
            }
        }
        let trailing_bytes = source.length() - walk.byte;
        builder.finish(trailing_bytes).ok_or_else(|| walk.too_much_text())
    }
}

impl IndexBuilder {
    fn with_capacity(variants: usize) -> Self {
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

    fn len(&self) -> usize {
        self.blocks.len()
    }

    /// `None` past 2 GiB of text.
    fn finish(mut self, trailing_bytes: u64) -> Option<VariantIndex> {
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

/// The place in the file during the pass.
struct Walk<'a> {
    source: &'a Source,
    header: &'a Header,
    window: Window,
    byte: u64,
    read_ahead: u64,
    /// 1-based number of the current variant.
    variant: u64,
}

impl Walk<'_> {
    /// The next `length` bytes, checked against the end of the file first.
    fn take(&mut self, length: u64, field: &'static str) -> Result<&[u8], BgenError> {
        let start = self.byte;
        if length > self.source.length() - start {
            return Err(self.truncated(field));
        }
        self.byte += length;
        self.window.slice(self.source, start, length, start + self.read_ahead)
    }

    fn u16(&mut self, field: &'static str) -> Result<u16, BgenError> {
        self.take(2, field)
            .map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    fn u32(&mut self, field: &'static str) -> Result<u32, BgenError> {
        self.take(4, field)
            .map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    fn short_text(&mut self, field: &'static str, column: &mut TextBuilder) -> Result<(), BgenError> {
        let length = self.u16(field)?;
        let kept = column.push(self.take(u64::from(length), field)?);
        if kept { Ok(()) } else { Err(self.too_much_text()) }
    }

    fn allele(&mut self, id: &str, column: &mut TextBuilder) -> Result<(), BgenError> {
        let length = self.u32("an allele")?;
        if u64::from(length) <= self.source.length() - self.byte && length > LONGEST_ALLELE {
            let problem = format!("an allele of {length} letters; at most {LONGEST_ALLELE} are read");
            return Err(self.fault(id, Fault::Damaged(problem)));
        }
        let kept = column.push(self.take(u64::from(length), "an allele")?);
        if kept { Ok(()) } else { Err(self.too_much_text()) }
    }

    /// Spec 4.2 and 4.5: length fields of the genotype block; leaves the place at the next variant.
    fn block(&mut self) -> Result<BlockLocation, BgenError> {
        let triples = 6 * u64::from(self.header.n_samples);
        let compression = self.header.compression;
        let (stored_length, inflated_length) = match (self.header.layout, compression) {
            (Layout::One, Compression::None) => (triples, triples),
            (Layout::One, _) => (u64::from(self.u32("its genotype block")?), triples),
            (Layout::Two, Compression::None) => {
                let length = u64::from(self.u32("its genotype block")?);
                (length, length)
            }
            (Layout::Two, _) => {
                let length = u64::from(self.u32("its genotype block")?);
                if length < 4 {
                    let problem = format!("its genotype block claims {length} bytes; at least 4 are needed");
                    return Err(self.fault(UNREAD_ID, Fault::Damaged(problem)));
                }
                (length - 4, u64::from(self.u32("its genotype block")?))
            }
        };
        let byte = self.byte;
        if stored_length > self.source.length() - byte {
            return Err(self.truncated("its genotype block"));
        }
        self.check_inflated_length(stored_length, inflated_length)?;
        let narrow = |length: u64| {
            u32::try_from(length).map_err(|_| {
                self.fault(
                    UNREAD_ID,
                    Fault::damaged(format!("its genotype block has {length} bytes")),
                )
            })
        };
        let block = BlockLocation {
            byte,
            stored_length: narrow(stored_length)?,
            inflated_length: narrow(inflated_length)?,
        };
        self.pass(block);
        Ok(block)
    }

    /// Go on to the next variant.
    fn pass(&mut self, block: BlockLocation) {
        self.byte = block.end();
        self.read_ahead = if u64::from(block.stored_length) <= SMALL_BLOCK {
            LARGE_READ
        } else {
            SMALL_READ
        };
    }

    /// Refuse a claimed length that no honest block can have, so that nothing is ever allocated on trust.
    fn check_inflated_length(&self, stored: u64, inflated: u64) -> Result<(), BgenError> {
        let n_samples = u64::from(self.header.n_samples);
        let problem = if self.header.layout == Layout::Two && inflated < 10 + n_samples {
            format!("genotype data of {inflated} bytes are too short for {n_samples} samples")
        } else if inflated > self.header.compression.most_inflated(stored) {
            format!("{stored} stored bytes cannot inflate to the {inflated} that are claimed")
        } else {
            return Ok(());
        };
        Err(self.fault(UNREAD_ID, Fault::Damaged(problem)))
    }

    fn truncated(&self, field: &'static str) -> BgenError {
        BgenError::Truncated {
            path: self.source.path().to_owned(),
            variant: self.variant,
            count: u64::from(self.header.n_variants),
            byte: self.source.length(),
            field,
            field_byte: self.byte,
        }
    }

    fn too_much_text(&self) -> BgenError {
        self.fault(
            UNREAD_ID,
            Fault::unsupported("identifiers or alleles of the whole file exceed 2 GiB"),
        )
    }

    fn fault(&self, id: &str, fault: Fault) -> BgenError {
        let (problem, advice) = fault.into_parts();
        BgenError::Variant {
            path: self.source.path().to_owned(),
            variant: self.variant,
            id: id.to_owned(),
            byte: self.byte,
            problem,
            advice,
        }
    }
}

impl BgenError {
    /// The same error with the variant's id, where it has a place for one.
    fn with_id(mut self, name: &str) -> Self {
        if let Self::Variant { id, .. } = &mut self {
            name.clone_into(id);
        }
        self
    }
}
