//! Ten thousand changed bytes: an error that names the file, or right values.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "in a test a panic is the report")]

mod common;

use common::{Genotypes, TestFile};
use g_bgen::{BgenError, BgenReader, Compression, VariantGenotypes, check};

const CHANGES: usize = 10_000;

/// Variants of every kind: bits, phase, ploidy, missing, three alleles, one allele.
fn content(compression: Compression) -> Vec<u8> {
    let plain = Genotypes::bytes(&[[255, 0], [0, 255], [0, 0], [10, 20], [100, 100]]);
    let mut missing = plain.clone();
    missing.missing[2] = true;
    let mut phased = plain.clone();
    (phased.phased, phased.bits) = (true, 11);
    let mut mixed = plain.clone();
    mixed.ploidy = vec![1, 2, 0, 3, 2];
    mixed.values = vec![vec![9], vec![1, 2], vec![], vec![3, 4, 5], vec![6, 7]];
    let mut bytes = common::header(6, 5, compression, 2, true);
    for (number, variant) in [plain, missing, phased, mixed].iter().enumerate() {
        bytes.extend(common::identifying_data(number, &["A", "G"]));
        bytes.extend(common::stored_block(compression, &variant.block()));
    }
    bytes.extend(common::identifying_data(4, &["A", "C", "G"]));
    let three_alleles = [&[5, 0, 0, 0, 3, 0, 2, 2, 2, 2, 2, 2, 2, 0, 8][..], &[20; 25]].concat();
    bytes.extend(common::stored_block(compression, &three_alleles));
    bytes.extend(common::identifying_data(5, &["A"]));
    let one_allele = [5, 0, 0, 0, 1, 0, 2, 2, 2, 2, 2, 2, 2, 0, 8];
    bytes.extend(common::stored_block(compression, &one_allele));
    bytes
}

fn read(file: &TestFile) -> Result<Vec<VariantGenotypes>, BgenError> {
    let reader = BgenReader::open(&file.path)?;
    check(&reader, 1)?;
    (0..reader.index().len())
        .map(|variant| reader.read_genotypes(variant))
        .collect()
}

/// Xorshift: the same changes in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % limit
    }
}

#[test]
fn a_changed_byte_gives_a_clean_error_or_right_values() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for compression in [Compression::None, Compression::Zlib, Compression::Zstd] {
        let sound = content(compression);
        let file = TestFile::new(&sound);
        let expected = read(&file).unwrap();
        let mut n_refused = 0;
        for _ in 0..CHANGES / 3 {
            let (place, change) = (random.below(sound.len()), random.below(255) + 1);
            let mut changed = sound.clone();
            changed[place] ^= u8::try_from(change).unwrap();
            std::fs::write(&file.path, &changed).unwrap();
            match read(&file) {
                Err(error) => {
                    n_refused += 1;
                    let clean = !matches!(error, BgenError::Worker(_) | BgenError::Request(_));
                    assert!(
                        clean && error.to_string().contains("test.bgen"),
                        "{place} ^ {change}: {error}"
                    );
                }
                // Only zlib carries a check value; without one a changed probability is a probability.
                Ok(found) if compression == Compression::Zlib => {
                    assert_eq!(found, expected, "{place} ^ {change}");
                }
                Ok(_) => (),
            }
        }
        assert!(n_refused > CHANGES / 12, "{n_refused} refused");
    }
}

#[test]
fn a_file_of_every_kind_cut_anywhere_is_refused() {
    let sound = content(Compression::Zlib);
    let file = TestFile::new(&sound);
    for length in 0..sound.len() {
        std::fs::write(&file.path, &sound[..length]).unwrap();
        assert!(read(&file).is_err(), "cut to {length} bytes");
    }
}
