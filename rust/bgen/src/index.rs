//! Identifying data and block positions of every variant.

use std::collections::BTreeMap;

use crate::text_column::TextColumn;

/// Where the genotype data of one variant lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[derive(Debug, Default, PartialEq)]
pub struct VariantIndex {
    pub(crate) variant_ids: TextColumn,
    pub(crate) rsids: TextColumn,
    pub(crate) chromosomes: TextColumn,
    pub(crate) positions: Vec<u32>,
    pub(crate) first_alleles: TextColumn,
    pub(crate) second_alleles: TextColumn,
    pub(crate) allele_counts: Vec<u16>,
    pub(crate) further_alleles: BTreeMap<usize, Vec<String>>,
    pub(crate) blocks: Vec<BlockLocation>,
    pub(crate) trailing_bytes: u64,
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
}
