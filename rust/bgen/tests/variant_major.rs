//! Rows of whole variants, named paths, genotypes and the check of a file, against the specification's arithmetic.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "in a test a panic is the report")]

mod common;

use common::generate::{N_SAMPLES, genotypes};
use common::{Genotypes, TestFile};
use g_bgen::{BgenError, Compression, NamedPath, SampleSet, check, run_path};
use proptest::prelude::*;

fn at(index: u32) -> usize {
    usize::try_from(index).unwrap()
}

#[expect(clippy::cast_possible_truncation, reason = "the rounding that is expected")]
const fn single(value: f64) -> f32 {
    value as f32
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn rows_are_the_specifications_dosages_of_any_samples(
        variants in prop::collection::vec(genotypes(), 1..6),
        samples in prop::collection::vec(0..37_u32, 0..60),
        threads in 1..4_usize,
    ) {
        let file = TestFile::new(&common::file(&variants, Compression::Zlib, true));
        let reader = file.open();
        let mut options = common::read_options(&reader);
        options.samples = SampleSet::in_any_order(samples.clone(), 37).unwrap();
        options.threads = threads;
        let mut rows = vec![0.0; variants.len() * samples.len()];
        reader.read_dosage(0..variants.len(), &options, &mut rows).unwrap();
        for (variant, row) in variants.iter().zip(rows.chunks(samples.len().max(1))) {
            for (&sample, &found) in samples.iter().zip(row) {
                match variant.genotype(at(sample), true) {
                    None => prop_assert!(found.is_nan()),
                    Some((one, two)) => prop_assert!((found - single(2.0 * two + one)).abs() <= 1.2e-7),
                }
            }
        }
        prop_assert_eq!(check(&reader, threads).unwrap(), run_path(&reader, NamedPath::InflateOnly, &options).unwrap());
    }

    #[test]
    fn genotypes_are_the_stored_ones(variants in prop::collection::vec(genotypes(), 1..4)) {
        let file = TestFile::new(&common::file(&variants, Compression::Zlib, true));
        let reader = file.open();
        for (number, variant) in variants.iter().enumerate() {
            let found = reader.read_genotypes(number).unwrap();
            let counts = found.allele_counts();
            prop_assert_eq!((found.bits, found.phased), (u32::from(variant.bits), variant.phased));
            prop_assert_eq!((&found.ploidy, &found.missing), (&variant.ploidy, &variant.missing));
            for sample in 0..N_SAMPLES {
                let p = found.of_sample(sample);
                if variant.missing[sample] {
                    prop_assert!(p.is_empty() && counts[2 * sample].is_nan());
                    continue;
                }
                let max_value = f64::from(u32::try_from(variant.max_value()).unwrap());
                let stored: Vec<f64> =
                    variant.values[sample].iter().map(|v| f64::from(u32::try_from(*v).unwrap()) / max_value).collect();
                let expected = if variant.phased {
                    stored.iter().flat_map(|p| [*p, 1.0 - p]).collect()
                } else {
                    let last = (1.0 - stored.iter().sum::<f64>()).max(0.0);
                    [stored, vec![last]].concat()
                };
                prop_assert_eq!(p.len(), expected.len());
                prop_assert!(p.iter().zip(&expected).all(|(found, expected)| (found - expected).abs() < 1e-12));
                let ploidy = f64::from(variant.ploidy[sample]);
                prop_assert!((counts[2 * sample] + counts[2 * sample + 1] - ploidy).abs() < 1e-12);
                let scale = 2.0 / ploidy;
                let (one, two) = variant.genotype(sample, true).unwrap();
                prop_assert!((scale * counts[2 * sample] - 2.0 * two - one).abs() < 1e-12);
            }
        }
    }
}

fn two_variants() -> Vec<Genotypes> {
    vec![
        Genotypes::bytes(&[[255, 0], [1, 2], [0, 255], [10, 20]]),
        Genotypes::bytes(&[[0, 0], [3, 4], [5, 6], [7, 8]]),
    ]
}

#[test]
fn packed_rows_are_the_stored_bytes_of_the_samples_asked_for() {
    let file = TestFile::new(&common::file(&two_variants(), Compression::Zstd, true));
    let reader = file.open();
    let mut options = common::read_options(&reader);
    for trusted in [false, true] {
        options.trusted_no_missing_diploid = trusted;
        options.samples = SampleSet::in_any_order(vec![3, 1], 4).unwrap();
        let mut rows = [0; 8];
        reader.read_packed8(0..2, &options, &mut rows).unwrap();
        assert_eq!(rows, [10, 20, 1, 2, 7, 8, 3, 4]);
    }
}

#[test]
fn a_variant_that_two_bytes_a_sample_do_not_hold_is_named() {
    for change in [0, 1, 2, 3] {
        let mut variants = two_variants();
        let odd = &mut variants[1];
        match change {
            0 => odd.missing[2] = true,
            1 => odd.phased = true,
            2 => odd.bits = 9,
            _ => (odd.ploidy[0], odd.values[0]) = (1, vec![3]),
        }
        let reader = TestFile::new(&common::file(&variants, Compression::Zlib, true)).open();
        let options = common::read_options(&reader);
        let error = run_path(&reader, NamedPath::VariantMajorPacked8Buffered, &options).unwrap_err();
        assert!(error.to_string().contains("variant 2 (rs1)"), "{error}");
        assert!(error.to_string().contains("Read its dosage instead"), "{error}");
        let bytes = run_path(&reader, NamedPath::VariantMajorBuffered, &options).unwrap();
        assert_eq!(bytes, 2 * 4 * 4);
    }
}

#[test]
fn blocks_far_longer_than_diploid_ones_are_read() {
    let mut variant = Genotypes::bytes(&[[0, 0]; 40]);
    (variant.bits, variant.ploidy) = (32, vec![63; 40]);
    variant.values = vec![[vec![0; 62], vec![7]].concat(); 40];
    for compression in [Compression::None, Compression::Zlib, Compression::Zstd] {
        let reader = TestFile::new(&common::file(&[variant.clone()], compression, false)).open();
        let found = reader.read_genotypes(0).unwrap();
        assert_eq!(found.ploidy, [63; 40]);
        let sample = found.of_sample(39);
        assert_eq!(sample.len(), 64);
        assert!((sample[62] * 4_294_967_295.0 - 7.0).abs() < 1e-6);
        let error = common::dosages(&reader, 0..1).unwrap_err().to_string();
        assert!(error.contains("more than 40 diploid samples need"), "{error}");
    }
}

#[test]
fn a_path_of_a_name_is_found() {
    for path in NamedPath::ALL {
        assert_eq!(NamedPath::from_name(path.name()), Some(path));
    }
    assert_eq!(NamedPath::from_name("inflate"), None);
}

#[test]
fn places_that_do_not_fit_and_no_threads_are_refused() {
    let reader = TestFile::new(&common::file(&two_variants(), Compression::None, false)).open();
    let mut options = common::read_options(&reader);
    let error = reader.read_dosage(0..2, &options, &mut [0.0; 7]).unwrap_err();
    assert_eq!(error.to_string(), "7 places for 2 variants of 4 values");
    assert!(reader.read_dosage(1..3, &options, &mut [0.0; 8]).is_err());
    options.threads = 0;
    assert!(reader.read_dosage(0..2, &options, &mut [0.0; 8]).is_err());
    assert!(SampleSet::in_any_order(vec![1, 4], 4).is_err());
}

#[test]
fn a_file_that_changes_while_it_is_read_is_refused_at_the_end() {
    let file = TestFile::new(&common::file(&two_variants(), Compression::None, false));
    let reader = file.open();
    let mut stream = reader.stream(common::plan(&reader, 1)).unwrap();
    assert!(stream.next().unwrap().is_ok());
    let content = std::fs::read(&file.path).unwrap();
    std::fs::remove_file(&file.path).unwrap();
    std::fs::write(&file.path, &content).unwrap();
    let error = stream.next().unwrap().unwrap_err();
    assert!(matches!(error, BgenError::Changed { .. }), "{error}");
    assert!(stream.next().is_none());
    assert!(matches!(check(&reader, 1), Err(BgenError::Changed { .. })));
}
