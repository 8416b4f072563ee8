//! A slow, plain writer of any legal layout 2 variant and of layout 1, for tests only.
#![allow(dead_code, reason = "each test file uses its own part")]

pub(crate) mod generate;

use std::ops::Range;
use std::path::{Path, PathBuf};

use g_bgen::{BgenError, BgenReader, Coding, Compression, GenotypeFormat, ReadOptions, SampleSet, StreamPlan};
use libdeflater::{CompressionLvl, Compressor};
use tempfile::TempDir;

/// Stored integers of one variant with two alleles.
#[derive(Clone, Debug)]
pub(crate) struct Genotypes {
    pub(crate) bits: u8,
    pub(crate) phased: bool,
    /// Ploidy of each sample.
    pub(crate) ploidy: Vec<u8>,
    pub(crate) missing: Vec<bool>,
    /// As many values a sample as its ploidy.
    pub(crate) values: Vec<Vec<u64>>,
}

impl Genotypes {
    /// Diploid, unphased, 8 bits, nobody missing.
    pub(crate) fn bytes(pairs: &[[u8; 2]]) -> Self {
        Self {
            bits: 8,
            phased: false,
            ploidy: vec![2; pairs.len()],
            missing: vec![false; pairs.len()],
            values: pairs
                .iter()
                .map(|pair| pair.iter().map(|value| u64::from(*value)).collect())
                .collect(),
        }
    }

    pub(crate) fn max_value(&self) -> u64 {
        (1 << self.bits) - 1
    }

    /// The uncompressed block, packed one bit at a time.
    pub(crate) fn block(&self) -> Vec<u8> {
        let mut block = u32::try_from(self.ploidy.len()).unwrap().to_le_bytes().to_vec();
        block.extend([2, 0]);
        block.push(self.ploidy.iter().copied().min().unwrap_or(2));
        block.push(self.ploidy.iter().copied().max().unwrap_or(2));
        block.extend(
            self.ploidy
                .iter()
                .zip(&self.missing)
                .map(|(ploidy, missing)| ploidy | (u8::from(*missing) << 7)),
        );
        block.extend([u8::from(self.phased), self.bits]);
        let bits: Vec<u8> = self
            .values
            .iter()
            .flatten()
            .flat_map(|value| (0..self.bits).map(move |bit| u8::from(value >> bit & 1 == 1)))
            .collect();
        block.extend(
            bits.chunks(8)
                .map(|byte| byte.iter().rev().fold(0, |packed, bit| packed << 1 | bit)),
        );
        block
    }

    /// P(one effect allele) and P(two); `None` where missing.
    pub(crate) fn genotype(&self, sample: usize, effect_is_first_allele: bool) -> Option<(f64, f64)> {
        if self.missing[sample] {
            return None;
        }
        let max_value = f64::from(u32::try_from(self.max_value()).unwrap());
        let p: Vec<f64> = self.values[sample]
            .iter()
            .map(|value| f64::from(u32::try_from(*value).unwrap()) / max_value)
            .collect();
        let turn = |p: f64| if effect_is_first_allele { p } else { 1.0 - p };
        let (two, one) = match (self.ploidy[sample], self.phased) {
            (1, _) => (turn(p[0]), 0.0),
            (_, true) => {
                let (a, b) = (turn(p[0]), turn(p[1]));
                (a * b, a * (1.0 - b) + b * (1.0 - a))
            }
            _ if effect_is_first_allele => (p[0], p[1]),
            _ => ((1.0 - p[0] - p[1]).max(0.0), p[1]),
        };
        Some((one, two))
    }
}

/// A file in a folder of its own.
pub(crate) struct TestFile {
    folder: TempDir,
    pub(crate) path: PathBuf,
}

impl TestFile {
    pub(crate) fn new(bytes: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.bgen");
        std::fs::write(&path, bytes).unwrap();
        Self { folder, path }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn open(&self) -> BgenReader {
        BgenReader::open(&self.path).unwrap()
    }
}

fn short_text(text: &str) -> Vec<u8> {
    let mut bytes = u16::try_from(text.len()).unwrap().to_le_bytes().to_vec();
    bytes.extend(text.as_bytes());
    bytes
}

pub(crate) fn compress(compression: Compression, block: &[u8]) -> Vec<u8> {
    match compression {
        Compression::None => block.to_vec(),
        Compression::Zlib => {
            let mut compressor = Compressor::new(CompressionLvl::default());
            let mut bytes = vec![0; compressor.zlib_compress_bound(block.len())];
            let length = compressor.zlib_compress(block, &mut bytes).unwrap();
            bytes.truncate(length);
            bytes
        }
        Compression::Zstd => zstd::bulk::compress(block, 3).unwrap(),
    }
}

/// Header with free data, optional sample ids and slack before the first variant.
pub(crate) fn header(
    n_variants: usize,
    n_samples: usize,
    compression: Compression,
    layout: u32,
    with_ids: bool,
) -> Vec<u8> {
    let free_data = b"free data";
    let header_length = u32::try_from(20 + free_data.len()).unwrap();
    let mut ids = Vec::new();
    if with_ids {
        let texts: Vec<u8> = (0..n_samples)
            .flat_map(|sample| short_text(&format!("f{sample}_i{sample}")))
            .collect();
        ids.extend(u32::try_from(8 + texts.len()).unwrap().to_le_bytes());
        ids.extend(u32::try_from(n_samples).unwrap().to_le_bytes());
        ids.extend(texts);
    }
    let slack = b"slack";
    let offset = header_length + u32::try_from(ids.len() + slack.len()).unwrap();
    let mut bytes = Vec::new();
    for field in [
        offset,
        header_length,
        u32::try_from(n_variants).unwrap(),
        u32::try_from(n_samples).unwrap(),
    ] {
        bytes.extend(field.to_le_bytes());
    }
    bytes.extend(b"bgen");
    bytes.extend(free_data);
    bytes.extend((compression.code() | layout << 2 | u32::from(with_ids) << 31).to_le_bytes());
    bytes.extend(ids);
    bytes.extend(slack);
    bytes
}

/// Identifying data of layout 2, with any alleles.
pub(crate) fn identifying_data(number: usize, alleles: &[&str]) -> Vec<u8> {
    let mut bytes = short_text(&format!("var{number}"));
    bytes.extend(short_text(&format!("rs{number}")));
    bytes.extend(short_text("22"));
    bytes.extend(u32::try_from(1000 + number).unwrap().to_le_bytes());
    bytes.extend(u16::try_from(alleles.len()).unwrap().to_le_bytes());
    for allele in alleles {
        bytes.extend(u32::try_from(allele.len()).unwrap().to_le_bytes());
        bytes.extend(allele.as_bytes());
    }
    bytes
}

/// Length fields and payload of a layout 2 block.
pub(crate) fn stored_block(compression: Compression, block: &[u8]) -> Vec<u8> {
    let payload = compress(compression, block);
    let inflated = u32::try_from(block.len()).unwrap();
    let mut bytes = Vec::new();
    if compression == Compression::None {
        bytes.extend(inflated.to_le_bytes());
    } else {
        bytes.extend(u32::try_from(payload.len() + 4).unwrap().to_le_bytes());
        bytes.extend(inflated.to_le_bytes());
    }
    bytes.extend(payload);
    bytes
}

/// A whole layout 2 file of biallelic variants.
pub(crate) fn file(variants: &[Genotypes], compression: Compression, with_ids: bool) -> Vec<u8> {
    let n_samples = variants.first().map_or(3, |variant| variant.ploidy.len());
    let mut bytes = header(variants.len(), n_samples, compression, 2, with_ids);
    for (number, variant) in variants.iter().enumerate() {
        bytes.extend(identifying_data(number, &["A", "G"]));
        bytes.extend(stored_block(compression, &variant.block()));
    }
    bytes
}

/// A plan over all variants and samples in chunks of `chunk_variants`.
pub(crate) fn plan(reader: &BgenReader, chunk_variants: usize) -> StreamPlan {
    let (n_variants, n_samples) = (reader.header().n_variants, reader.header().n_samples);
    let ends = (0..u64::from(n_variants))
        .step_by(chunk_variants)
        .chain([u64::from(n_variants)]);
    let chunk_offsets: Vec<u64> = ends.collect();
    let samples: Vec<u32> = (0..n_samples).collect();
    let males = samples.iter().map(|sample| sample % 2 == 0).collect();
    StreamPlan {
        variant_indices: (0..n_variants).collect(),
        chunk_counts_males: vec![true; chunk_offsets.len() - 1],
        chunk_offsets,
        sample_sets: vec![SampleSet::new(samples, males, n_samples).unwrap()],
        moment_sets: Vec::new(),
        effect_is_first_allele: true,
        coding: Coding::Additive,
        genotype_format: GenotypeFormat::Dosage,
        flip_to_minor_allele: true,
        halve_males: false,
        count_genotypes: false,
        tile_rows: 4,
        column_multiple: 16,
        threads: 2,
        staging_depth: 2,
        decode_tile_variants: 3,
        trusted_no_missing_diploid: false,
    }
}

/// Read everything of every sample in two threads.
pub(crate) fn read_options(reader: &BgenReader) -> ReadOptions {
    let n_samples = reader.header().n_samples;
    ReadOptions {
        samples: SampleSet::in_any_order((0..n_samples).collect(), n_samples).unwrap(),
        threads: 2,
        tile_variants: 2,
        trusted_no_missing_diploid: false,
    }
}

/// Dosages of all samples in some variants.
pub(crate) fn dosages(reader: &BgenReader, variants: Range<usize>) -> Result<Vec<f32>, BgenError> {
    let n_samples = usize::try_from(reader.header().n_samples).unwrap();
    let mut dosages = vec![0.0; variants.len() * n_samples];
    reader.read_dosage(variants, &read_options(reader), &mut dosages)?;
    Ok(dosages)
}
