//! Decoding speed as a ratio to decompression alone, on a simulated file.
//!
//! `cargo bench -p g-bgen -- [samples] [variants] [threads]`; prints one line a path, best of five.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark reports to a terminal"
)]

use std::path::Path;
use std::time::Instant;

use g_bgen::{
    BgenReader, BgenWriter, Coding, Compression, GenotypeFormat, Layout, NamedPath, ReadOptions, SampleSet, StreamPlan,
    VariantBatch, WriterOptions, run_path,
};

const REPEATS: usize = 5;

fn main() {
    let numbers: Vec<u32> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let number = |place: usize, default: u32| numbers.get(place).copied().unwrap_or(default);
    let (n_samples, n_variants, threads) = (number(0, 10_000), number(1, 5_000), number(2, 2));
    let threads = usize::try_from(threads).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("simulated.bgen");
    let start = Instant::now();
    simulate(&path, n_samples, n_variants, threads);
    println!("simulate and write: {:.2} s", start.elapsed().as_secs_f64());
    let start = Instant::now();
    let reader = BgenReader::open(&path).unwrap();
    println!(
        "open and index: {:.1} ms; {} bytes",
        start.elapsed().as_secs_f64() * 1e3,
        reader.file_bytes()
    );

    let all: Vec<u32> = (0..n_samples).collect();
    let options = ReadOptions {
        samples: SampleSet::in_any_order(all.clone(), n_samples).unwrap(),
        threads,
        tile_variants: 16,
        trusted_no_missing_diploid: false,
    };
    let measure = |path: NamedPath, floor| {
        report(path.name(), n_variants, floor, || {
            run_path(&reader, path, &options).unwrap();
        })
    };
    let floor = measure(NamedPath::InflateOnly, None);
    measure(NamedPath::VariantMajorBuffered, Some(floor));
    measure(NamedPath::VariantMajorPacked8Buffered, Some(floor));
    let most: Vec<u32> = (0..n_samples).filter(|sample| sample % 50 != 7).collect();
    for (name, sets) in [
        ("stream, all samples", vec![all.clone()]),
        ("stream, 98 % of samples", vec![most.clone()]),
        ("stream, both", vec![all, most]),
    ] {
        let stream = || {
            for chunk in reader.stream(plan(n_variants, n_samples, &sets, threads)).unwrap() {
                assert!(chunk.unwrap().n_variants() > 0);
            }
        };
        report(name, n_variants, Some(floor), stream);
    }
}

fn report(name: &str, n_variants: u32, floor: Option<f64>, work: impl Fn()) -> f64 {
    let seconds = (0..REPEATS)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min);
    let ratio = seconds / floor.unwrap_or(seconds);
    println!(
        "{name}: {seconds:.3} s, {:.0} variants/s, {ratio:.2} x inflate_only",
        f64::from(n_variants) / seconds
    );
    seconds
}

fn plan(n_variants: u32, n_samples: u32, sets: &[Vec<u32>], threads: usize) -> StreamPlan {
    let chunk_offsets: Vec<u64> = (0..u64::from(n_variants))
        .step_by(256)
        .chain([u64::from(n_variants)])
        .collect();
    let set = |samples: &Vec<u32>| SampleSet::new(samples.clone(), vec![false; samples.len()], n_samples).unwrap();
    StreamPlan {
        variant_indices: (0..n_variants).collect(),
        chunk_counts_males: vec![false; chunk_offsets.len() - 1],
        chunk_offsets,
        sample_sets: sets.iter().map(set).collect(),
        moment_sets: Vec::new(),
        effect_is_first_allele: true,
        coding: Coding::Additive,
        genotype_format: GenotypeFormat::Dosage,
        flip_to_minor_allele: true,
        halve_males: false,
        count_genotypes: false,
        tile_rows: 64,
        column_multiple: 16,
        threads,
        staging_depth: 2,
        decode_tile_variants: 16,
        trusted_no_missing_diploid: false,
    }
}

/// Imputed-like: alleles of any frequency, nine of ten genotypes nearly certain.
fn simulate(path: &Path, n_samples: u32, n_variants: u32, threads: usize) {
    let options = WriterOptions {
        n_samples,
        sample_ids: None,
        compression: Compression::Zlib,
        level: 6,
        layout: Layout::Two,
        threads,
    };
    let mut writer = BgenWriter::create(path, options).unwrap();
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut first = 0;
    while first < n_variants {
        let numbers: Vec<u32> = (first..n_variants.min(first + 512)).collect();
        first += 512;
        let mut probabilities = Vec::new();
        for _ in &numbers {
            let frequency = random.byte();
            for _ in 0..n_samples {
                probabilities.extend(genotype(&mut random, u16::from(frequency) * u16::from(frequency) / 512));
            }
        }
        let texts = |letter: &str| {
            numbers
                .iter()
                .map(|number| format!("{letter}{number}"))
                .collect::<Vec<_>>()
        };
        writer
            .write(&VariantBatch {
                chromosome: "22",
                rsids: &texts("rs"),
                positions: &numbers,
                first_alleles: &vec!["A".to_owned(); numbers.len()],
                second_alleles: &vec!["G".to_owned(); numbers.len()],
                phased: false,
                probabilities: &probabilities,
                missing: None,
            })
            .unwrap();
    }
    writer.finish().unwrap();
}

fn genotype(random: &mut Random, frequency: u16) -> [u8; 2] {
    let copies = u8::from(u16::from(random.byte()) < frequency) + u8::from(u16::from(random.byte()) < frequency);
    let doubt = if random.byte() < 230 { 0 } else { random.byte() / 2 };
    match copies {
        0 => [0, doubt],
        1 => [doubt / 2, 255 - doubt],
        _ => [255 - doubt, doubt],
    }
}

/// Xorshift: the same file on every machine.
struct Random(u64);

impl Random {
    const fn byte(&mut self) -> u8 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.to_le_bytes()[5]
    }
}
