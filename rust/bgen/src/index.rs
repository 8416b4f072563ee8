//! One pass over the variant blocks without decompressing any.

use std::collections::BTreeMap;

use crate::compression::Compression;
use crate::error::{BgenError, Fault};
use crate::header::{Header, Layout};
use crate::source::{Source, Window};
use crate::text_column::TextColumn;

/// Longest allele that is read; longer claims are damage.
const LONGEST_ALLELE: u32 = 16 << 20;
/// Blocks up to this size are read in passing; longer ones are skipped.
const SMALL_BLOCK: u64 = 4096;
/// Stands for an id where the fault comes before it.
const UNREAD_ID: &str = "id not read";
/// One read where blocks are small.
const LARGE_READ: u64 = 1 << 20;
/// One read where blocks are skipped: enough for the identifying data of most variants.
const SMALL_READ: u64 = 512;

/// Where the genotype data of one variant lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockLocation {
    /// Absolute byte of the payload, after its length fields.
    pub(crate) byte: u64,
    /// Bytes of the payload in the file.
    pub(crate) stored_length: u32,
    /// Bytes after decompression, as the file claims.
    pub(crate) inflated_length: u32,
}

impl BlockLocation {
    pub(crate) fn end(self) -> u64 {
        self.byte + u64::from(self.stored_length)
    }
}

/// Identifying data and block positions of every variant, in file order.
#[derive(Debug, Default)]
pub struct VariantIndex {
    variant_ids: TextColumn,
    rsids: TextColumn,
    chromosomes: TextColumn,
    positions: Vec<u32>,
    first_alleles: TextColumn,
    second_alleles: TextColumn,
    allele_counts: Vec<u16>,
    further_alleles: BTreeMap<usize, Vec<String>>,
    blocks: Vec<BlockLocation>,
    trailing_bytes: u64,
}

impl VariantIndex {
    /// First identifier field of each variant; REGENIE ignores it.
    #[must_use]
    pub const fn variant_ids(&self) -> &TextColumn {
        &self.variant_ids
    }

    /// The rsid field of each variant.
    #[must_use]
    pub const fn rsids(&self) -> &TextColumn {
        &self.rsids
    }

    /// Chromosome label of each variant, as in the file.
    #[must_use]
    pub const fn chromosomes(&self) -> &TextColumn {
        &self.chromosomes
    }

    /// Position of each variant in base pairs.
    #[must_use]
    pub fn positions(&self) -> &[u32] {
        &self.positions
    }

    /// First allele of each variant.
    #[must_use]
    pub const fn first_alleles(&self) -> &TextColumn {
        &self.first_alleles
    }

    /// Second allele of each variant; empty where there is one allele only.
    #[must_use]
    pub const fn second_alleles(&self) -> &TextColumn {
        &self.second_alleles
    }

    /// Number of alleles of each variant.
    #[must_use]
    pub fn allele_counts(&self) -> &[u16] {
        &self.allele_counts
    }

    /// Third and later alleles of a variant.
    #[must_use]
    pub fn further_alleles(&self, variant: usize) -> &[String] {
        self.further_alleles.get(&variant).map_or(&[], Vec::as_slice)
    }

    /// Number of variants.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.blocks.len()
    }

    /// True without variants.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Bytes after the last variant; a sound file has none.
    #[must_use]
    pub const fn trailing_bytes(&self) -> u64 {
        self.trailing_bytes
    }

    pub(crate) fn blocks(&self) -> &[BlockLocation] {
        &self.blocks
    }

    /// Walk all blocks of the file.
    pub(crate) fn read(source: &Source, header: &Header) -> Result<Self, BgenError> {
        let mut index = Self::default();
        let mut walk = Walk {
            source,
            header,
            window: Window::default(),
            byte: header.first_variant_byte,
            read_ahead: LARGE_READ,
            variant: 0,
        };
        for _ in 0..header.n_variants {
            walk.variant += 1;
            index.push_variant(&mut walk)?;
        }
        index.trailing_bytes = source.length() - walk.byte;
        index.shrink();
        Ok(index)
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
            return Err(walk.fault(self.rsids.get(self.len()), Fault::damaged("it has no alleles")));
        }
        self.allele_counts.push(allele_count);
        self.push_alleles(walk, allele_count)?;
        let block = walk
            .block()
            .map_err(|error| error.with_id(self.rsids.get(self.len())))?;
        self.blocks.push(block);
        Ok(())
    }

    fn push_alleles(&mut self, walk: &mut Walk<'_>, count: u16) -> Result<(), BgenError> {
        walk.allele(self.rsids.get(self.blocks.len()), &mut self.first_alleles)?;
        if count == 1 {
            return if self.second_alleles.push(b"") {
                Ok(())
            } else {
                Err(walk.too_much_text())
            };
        }
        walk.allele(self.rsids.get(self.blocks.len()), &mut self.second_alleles)?;
        if count == 2 {
            return Ok(());
        }
        let mut further = TextColumn::default();
        for _ in 2..count {
            walk.allele(self.rsids.get(self.blocks.len()), &mut further)?;
        }
        self.further_alleles
            .insert(self.blocks.len(), further.iter().map(str::to_owned).collect());
        Ok(())
    }

    fn shrink(&mut self) {
        for column in [&mut self.variant_ids, &mut self.rsids, &mut self.chromosomes] {
            column.shrink();
        }
        self.first_alleles.shrink();
        self.second_alleles.shrink();
        self.positions.shrink_to_fit();
        self.allele_counts.shrink_to_fit();
        self.blocks.shrink_to_fit();
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

    fn short_text(&mut self, field: &'static str, column: &mut TextColumn) -> Result<(), BgenError> {
        let length = self.u16(field)?;
        let kept = column.push(self.take(u64::from(length), field)?);
        if kept { Ok(()) } else { Err(self.too_much_text()) }
    }

    fn allele(&mut self, id: &str, column: &mut TextColumn) -> Result<(), BgenError> {
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
        self.byte += stored_length;
        self.read_ahead = if stored_length <= SMALL_BLOCK {
            LARGE_READ
        } else {
            SMALL_READ
        };
        let narrow = |length: u64| {
            u32::try_from(length).map_err(|_| {
                self.fault(
                    UNREAD_ID,
                    Fault::damaged(format!("its genotype block has {length} bytes")),
                )
            })
        };
        Ok(BlockLocation {
            byte,
            stored_length: narrow(stored_length)?,
            inflated_length: narrow(inflated_length)?,
        })
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
