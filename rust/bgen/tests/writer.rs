//! What the writer writes, the reader reads; nothing half-written keeps a name.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "in a test a panic is the report")]

mod common;

use std::path::Path;

use common::TestFile;
use g_bgen::{
    BgenError, BgenReader, BgenWriter, Compression, Layout, VariantBatch, WriterOptions, write_first_variants,
};
use proptest::prelude::*;
use tempfile::tempdir;

fn options(n_samples: u32, compression: Compression, threads: usize) -> WriterOptions {
    WriterOptions {
        n_samples,
        sample_ids: None,
        compression,
        level: 3,
        layout: Layout::Two,
        threads,
    }
}

fn texts(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|number| format!("{prefix}{number}")).collect()
}

/// Write all variants, `batch` at a time.
fn write(
    path: &Path,
    options: WriterOptions,
    pairs: &[[u8; 2]],
    missing: &[bool],
    batch: usize,
) -> Result<u64, BgenError> {
    let n_samples = usize::try_from(options.n_samples).unwrap();
    let mut writer = BgenWriter::create(path, options)?;
    let n_variants = pairs.len() / n_samples;
    let rsids = texts("rs", n_variants);
    let alleles = texts("A", n_variants);
    let positions: Vec<u32> = (1..=u32::try_from(n_variants).unwrap()).collect();
    for start in (0..n_variants).step_by(batch) {
        let end = (start + batch).min(n_variants);
        writer.write(&VariantBatch {
            chromosome: "X",
            rsids: &rsids[start..end],
            positions: &positions[start..end],
            first_alleles: &alleles[start..end],
            second_alleles: &rsids[start..end],
            phased: false,
            probabilities: pairs[start * n_samples..end * n_samples].as_flattened(),
            missing: Some(&missing[start * n_samples..end * n_samples]),
        })?;
    }
    writer.finish()
}

fn pair() -> impl Strategy<Value = [u8; 2]> {
    (0_u8..=255)
        .prop_flat_map(|both| (Just(both), 0..=255 - both))
        .prop_map(|(both, one)| [both, one])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_round_trip_keeps_everything(
        pairs in prop::collection::vec(pair(), 5 * 70),
        missing in prop::collection::vec(prop::bool::weighted(0.1), 5 * 70),
        compression in prop_oneof![Just(Compression::None), Just(Compression::Zlib), Just(Compression::Zstd)],
    ) {
        let folder = tempdir().unwrap();
        let path = folder.path().join("new.bgen");
        let mut options = options(5, compression, 2);
        options.sample_ids = Some(texts("s", 5));
        prop_assert_eq!(write(&path, options, &pairs, &missing, 40).unwrap(), 70);
        let reader = BgenReader::open(&path).unwrap();
        prop_assert_eq!(reader.index().trailing_bytes(), 0);
        let identifiers = reader.header().sample_ids.as_ref().unwrap();
        prop_assert_eq!(identifiers.iter().collect::<Vec<_>>(), texts("s", 5));
        prop_assert_eq!(reader.index().rsids().iter().collect::<Vec<_>>(), texts("rs", 70));
        prop_assert_eq!(reader.index().first_alleles().iter().collect::<Vec<_>>(), texts("A", 70));
        prop_assert_eq!(reader.index().second_alleles().iter().collect::<Vec<_>>(), texts("rs", 70));
        prop_assert_eq!(reader.index().chromosomes().get(69), "X");
        prop_assert_eq!(reader.index().positions(), (1..=70).collect::<Vec<u32>>());
        for ((dosage, [both, one]), missing) in common::dosages(&reader, 0..70).unwrap().iter().zip(&pairs).zip(&missing) {
            let expected = (2.0 * f32::from(*both) + f32::from(*one)) / 255.0;
            let agrees = if *missing { dosage.is_nan() } else { dosage.to_bits() == expected.to_bits() };
            prop_assert!(agrees, "{} instead of {}", dosage, expected);
        }
    }
}

#[test]
fn bytes_do_not_depend_on_threads_or_batches() {
    let pairs: Vec<[u8; 2]> = (0..200_u8)
        .flat_map(|number| [[number, 255 - number], [number / 2, 3]])
        .collect();
    let missing = vec![false; pairs.len()];
    let folder = tempdir().unwrap();
    let contents: Vec<Vec<u8>> = [(1, 200), (2, 200), (5, 33)]
        .map(|(threads, batch)| {
            let path = folder.path().join(format!("{threads}.bgen"));
            write(&path, options(2, Compression::Zlib, threads), &pairs, &missing, batch).unwrap();
            std::fs::read(path).unwrap()
        })
        .to_vec();
    assert_eq!(contents[0], contents[1]);
    assert_eq!(contents[0], contents[2]);
}

#[test]
fn without_finish_nothing_is_left_and_an_older_file_stays() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("new.bgen");
    std::fs::write(&path, b"older").unwrap();
    let writer = BgenWriter::create(&path, options(2, Compression::Zlib, 1)).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    drop(writer);
    assert_eq!(std::fs::read(&path).unwrap(), b"older");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn wrong_input_is_refused() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("new.bgen");
    let excess = write(
        &path,
        options(2, Compression::Zlib, 1),
        &[[1, 2], [200, 56]],
        &[false; 2],
        1,
    )
    .unwrap_err();
    assert!(
        excess.to_string().contains("rs0, sample 2: probabilities 200 and 56"),
        "{excess}"
    );
    let mut too_few = options(2, Compression::Zlib, 1);
    too_few.sample_ids = Some(texts("s", 3));
    let mut level = options(2, Compression::Zlib, 1);
    level.level = 13;
    for options in [too_few, level, options(2, Compression::Zlib, 0)] {
        assert!(matches!(BgenWriter::create(&path, options), Err(BgenError::Request(_))));
    }
    let nowhere = folder.path().join("absent").join("new.bgen");
    let error = BgenWriter::create(&nowhere, options(2, Compression::Zlib, 1))
        .err()
        .unwrap();
    assert!(matches!(error, BgenError::Write { .. }), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn the_first_variants_are_copied_byte_for_byte() {
    let folder = tempdir().unwrap();
    let (path, target) = (folder.path().join("all.bgen"), folder.path().join("first.bgen"));
    let pairs: Vec<[u8; 2]> = (0..60_u8).map(|number| [number, 100]).collect();
    write(&path, options(3, Compression::Zstd, 1), &pairs, &[false; 60], 20).unwrap();
    let all = BgenReader::open(&path).unwrap();
    for (wanted, expected) in [(0, 0), (7, 7), (20, 20), (1000, 20)] {
        assert_eq!(write_first_variants(&path, &target, wanted).unwrap(), expected);
        let first = BgenReader::open(&target).unwrap();
        let count = usize::try_from(expected).unwrap();
        assert_eq!(first.index().len(), count);
        assert_eq!(first.index().trailing_bytes(), 0);
        assert_eq!(
            common::dosages(&first, 0..count).unwrap(),
            common::dosages(&all, 0..count).unwrap()
        );
    }
    assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(&target).unwrap());
    let damaged = TestFile::new(b"not a BGEN file, but long enough");
    assert!(write_first_variants(&damaged.path, &target, 1).is_err());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}
