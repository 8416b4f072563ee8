//! Throws damaged files at the reader for a number of seconds.
//!
//! `cargo run --release -p g-bgen --example fuzz -- SECONDS [FILE ...]`: mutates small files of every kind, and the
//! files given, inside compressed blocks too. A panic, an error of the wrong kind or one that does not name the file
//! ends it with exit code 1, and the file that did it stays in the working folder.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a tool for developers: what goes wrong with itself may end it"
)]

#[path = "../tests/common/mod.rs"]
mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime};

use common::{Genotypes, TestFile};
use g_bgen::{BgenError, BgenReader, Compression, check};

const FAILURE_NAME: &str = "fuzz-failure.bgen";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let seconds = arguments.first().and_then(|word| word.parse().ok()).unwrap_or(60);
    let given = arguments.iter().skip(1).map(|path| std::fs::read(path).unwrap());
    let seeds: Vec<Vec<u8>> = seeds().into_iter().chain(given).collect();
    let now = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    let mut random = Random(u64::from(now.subsec_nanos()) << 20 | now.as_secs() | 1);
    let file = TestFile::new(&[]);
    let end = Instant::now() + Duration::from_secs(seconds);
    let (mut n_files, mut n_refused) = (0_u64, 0_u64);
    while Instant::now() < end {
        let content = mutate(&seeds, &mut random);
        std::fs::write(&file.path, &content).unwrap();
        n_files += 1;
        match catch_unwind(AssertUnwindSafe(|| read_everything(&file.path))) {
            Ok(Ok(())) => (),
            Ok(Err(error)) if is_clean(&error) => n_refused += 1,
            Ok(Err(error)) => return keep(&content, &error.to_string()),
            Err(_) => return keep(&content, "a panic"),
        }
    }
    println!("{n_files} files in {seconds} s, {n_refused} refused, none read wrongly");
    ExitCode::SUCCESS
}

fn keep(content: &[u8], problem: &str) -> ExitCode {
    std::fs::write(FAILURE_NAME, content).unwrap();
    println!("{problem}; the file is {FAILURE_NAME}");
    ExitCode::FAILURE
}

fn is_clean(error: &BgenError) -> bool {
    let kind = !matches!(error, BgenError::Worker(_) | BgenError::Request(_));
    kind && error.to_string().contains("test.bgen")
}

/// Index, check, every genotype, and a stream until its first error.
fn read_everything(path: &Path) -> Result<(), BgenError> {
    let reader = BgenReader::open(path)?;
    let checked = check(&reader, 1).map(drop);
    for variant in 0..reader.index().len() {
        if let Ok(genotypes) = reader.read_genotypes(variant) {
            assert!(genotypes.probabilities.iter().all(|p| (0.0..=2.0).contains(p)));
        }
    }
    if reader.header().n_samples < 10_000 {
        let mut plan = common::plan(&reader, 2);
        plan.threads = 1;
        for chunk in reader.stream(plan)? {
            chunk?;
        }
    }
    checked
}

/// Sound files of every compression and kind.
fn seeds() -> Vec<Vec<u8>> {
    let plain = Genotypes::bytes(&[[255, 0], [0, 255], [0, 0], [10, 20], [100, 100]]);
    let mut odd = plain.clone();
    (odd.phased, odd.bits, odd.missing[1]) = (true, 13, true);
    let mut mixed = plain.clone();
    mixed.ploidy = vec![1, 2, 0, 3, 2];
    mixed.values = vec![vec![9], vec![1, 2], vec![], vec![3, 4, 5], vec![6, 7]];
    [Compression::None, Compression::Zlib, Compression::Zstd]
        .into_iter()
        .map(|compression| common::file(&[plain.clone(), odd.clone(), mixed.clone()], compression, true))
        .collect()
}

/// A damaged file: bytes of a seed changed, cut or repeated, or a whole file around a damaged block.
fn mutate(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    if random.below(2) == 0 {
        return around_damaged_block(random);
    }
    let mut bytes = seeds[random.below(seeds.len())].clone();
    damage(&mut bytes, random);
    bytes
}

/// Compression hides a block from plain damage, so blocks are damaged first and compressed then.
fn around_damaged_block(random: &mut Random) -> Vec<u8> {
    let compression = [Compression::None, Compression::Zlib, Compression::Zstd][random.below(3)];
    let alleles = [&["A"][..], &["A", "G"], &["A", "G"], &["A", "G", "T"]][random.below(4)];
    let n_samples = 4;
    let n_alleles = u8::try_from(alleles.len()).unwrap();
    let most = [2, 2, 1, 3, 63][random.below(5)];
    let least = random.below(most + 1);
    let ploidy: Vec<usize> = (0..n_samples).map(|_| least + random.below(most - least + 1)).collect();
    let (phased, bits) = (random.below(2), random.below(33));
    let stored = |ploidy: &usize| match (alleles.len(), phased) {
        (1, _) => 0,
        (3, 0) => (ploidy + 1) * (ploidy + 2) / 2 - 1,
        (count, _) => ploidy * (count - 1),
    };
    let mut block = vec![4, 0, 0, 0, n_alleles, 0];
    block.extend([least, most].map(|ploidy| u8::try_from(ploidy).unwrap()));
    block.extend(ploidy.iter().map(|ploidy| {
        let missing = if random.below(4) == 0 { 0x80 } else { 0 };
        u8::try_from(*ploidy).unwrap() | missing
    }));
    block.extend([phased, bits].map(|field| u8::try_from(field).unwrap()));
    let n_bytes = (ploidy.iter().map(stored).sum::<usize>() * bits).div_ceil(8);
    // Mostly zeros: probabilities that are all large sum to more than one and are refused at once.
    block.extend((0..n_bytes).map(|_| if random.below(8) == 0 { random.byte() } else { 0 }));
    if random.below(2) == 0 {
        damage(&mut block, random);
    }
    let mut bytes = common::header(1, n_samples, compression, 2, random.below(2) == 0);
    bytes.extend(common::identifying_data(0, alleles));
    bytes.extend(common::stored_block(compression, &block));
    bytes
}

fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        if bytes.is_empty() {
            return;
        }
        let place = random.below(bytes.len());
        match random.below(6) {
            0 => bytes[place] = random.byte(),
            1 => bytes[place] ^= 1 << random.below(8),
            2 => bytes[place] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
            3 => bytes.truncate(place),
            4 => {
                let end = (place + random.below(16)).min(bytes.len());
                let part = bytes[place..end].to_vec();
                bytes.splice(place..place, part);
            }
            _ => {
                let value = u32::try_from(random.below(1 << 32)).unwrap().to_le_bytes();
                bytes
                    .iter_mut()
                    .skip(place)
                    .zip(value)
                    .for_each(|(byte, value)| *byte = value);
            }
        }
    }
}

/// Xorshift.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next()).unwrap() % limit.max(1)
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }
}
