//! Chunks come in order and do not depend on how the work is cut; threads stop; errors name the variant.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "in a test a panic is the report")]

mod common;

use common::{Genotypes, TestFile};
use g_bgen::{BgenError, BgenReader, Compression, SampleSet, StreamPlan, VariantMoments};

const N_SAMPLES: u8 = 21;

/// 25 variants that take all paths: 8 bits, phased, 16 and 20 bits, missing.
fn mixed_variants() -> Vec<Genotypes> {
    (0..25_u8)
        .map(|number| {
            let bits = [8, 8, 5, 16, 20][usize::from(number % 5)];
            let values = (0..N_SAMPLES)
                .map(|sample| {
                    let first = u64::from(sample) * u64::from(number + 3) % (1 << bits);
                    vec![first, ((1 << bits) - 1 - first) / 3]
                })
                .collect();
            let missing = (0..N_SAMPLES)
                .map(|sample| number % 3 == 0 && sample % 7 == 2)
                .collect();
            let ploidy = vec![2; usize::from(N_SAMPLES)];
            Genotypes {
                bits,
                phased: number % 4 == 3,
                ploidy,
                missing,
                values,
            }
        })
        .collect()
}

fn rows(reader: &BgenReader, plan: StreamPlan, set: usize) -> (Vec<f32>, VariantMoments) {
    let mut values = Vec::new();
    let mut moments = VariantMoments::default();
    for chunk in reader.stream(plan).unwrap() {
        let chunk = chunk.unwrap();
        let set = &chunk.sample_sets()[set];
        values.extend_from_slice(&set.values()[..chunk.n_variants() * set.columns()]);
        moments.append(set.moments());
    }
    (values, moments)
}

#[test]
fn results_do_not_depend_on_threads_chunks_tiles_or_other_sample_sets() {
    let file = TestFile::new(&common::file(&mixed_variants(), Compression::Zlib, true));
    let reader = file.open();
    let reference = rows(&reader, common::plan(&reader, 25), 0);
    for (threads, chunk_variants, tile, depth) in [(1, 1, 1, 0), (2, 7, 2, 1), (5, 10, 100, 3), (3, 25, 4, 2)] {
        let mut plan = common::plan(&reader, chunk_variants);
        plan.threads = threads;
        plan.decode_tile_variants = tile;
        plan.staging_depth = depth;
        let other = SampleSet::new(vec![1, 4, 20], vec![false; 3], u32::from(N_SAMPLES)).unwrap();
        plan.sample_sets.insert(0, other.clone());
        plan.moment_sets.push(other);
        assert_eq!(rows(&reader, plan, 1), reference);
    }
}

#[test]
fn trusting_a_sound_file_changes_nothing() {
    let variants: Vec<Genotypes> = mixed_variants()
        .into_iter()
        .filter(|variant| !variant.missing.contains(&true))
        .collect();
    let file = TestFile::new(&common::file(&variants, Compression::Zlib, true));
    let reader = file.open();
    let mut plan = common::plan(&reader, 5);
    plan.trusted_no_missing_diploid = true;
    assert_eq!(rows(&reader, plan, 0), rows(&reader, common::plan(&reader, 5), 0));
}

#[test]
fn variants_come_in_the_order_asked_for_and_males_only_where_asked_for() {
    let file = TestFile::new(&common::file(&mixed_variants(), Compression::None, false));
    let reader = file.open();
    let (_, in_file_order) = rows(&reader, common::plan(&reader, 25), 0);
    let mut plan = common::plan(&reader, 25);
    plan.variant_indices = vec![24, 3, 3, 0];
    plan.chunk_offsets = vec![0, 3, 3, 4];
    plan.chunk_counts_males = vec![true, true, false];
    let (_, asked) = rows(&reader, plan, 0);
    let expected: Vec<f64> = [24, 3, 3, 0]
        .map(|variant| in_file_order.sums.dosage_sum[variant])
        .to_vec();
    assert_eq!(asked.sums.dosage_sum, expected);
    assert_eq!(asked.sums.male_present[3], 0);
    assert_eq!(
        asked.sums.male_present[..3],
        [24, 3, 3].map(|variant| in_file_order.sums.male_present[variant])
    );
}

#[test]
fn a_damaged_variant_is_named_whatever_thread_finds_it_and_the_stream_ends_there() {
    let variants = mixed_variants();
    let mut blocks: Vec<Vec<u8>> = variants.iter().map(Genotypes::block).collect();
    for damaged in [13, 15, 20] {
        blocks[damaged][0] ^= 1;
    }
    let mut bytes = common::header(25, usize::from(N_SAMPLES), Compression::Zstd, 2, false);
    for (number, block) in blocks.iter().enumerate() {
        bytes.extend(common::identifying_data(number, &["A", "G"]));
        bytes.extend(common::stored_block(Compression::Zstd, block));
    }
    let file = TestFile::new(&bytes);
    let reader = file.open();
    for threads in [1, 4] {
        let mut plan = common::plan(&reader, 5);
        plan.threads = threads;
        plan.decode_tile_variants = 1;
        let mut stream = reader.stream(plan).unwrap();
        assert_eq!([(); 2].map(|()| stream.next().unwrap().unwrap().index()), [0, 1]);
        let error = stream.next().unwrap().unwrap_err();
        assert!(
            matches!(&error, BgenError::Variant { variant: 14, id, .. } if id == "rs13"),
            "{error}"
        );
        assert!(stream.next().is_none());
    }
}

#[test]
fn what_has_no_diploid_dosage_is_refused_by_variant() {
    let mut triploid = Genotypes::bytes(&[[1, 2], [3, 4]]);
    triploid.ploidy[1] = 3;
    triploid.values[1].push(0);
    let sound = Genotypes::bytes(&[[1, 2], [3, 4]]);
    let mut excess = sound.clone();
    excess.values[1] = vec![200, 57];
    let cases = [(triploid.block(), "ploidy 3"), (excess.block(), "sum to 257/255")];
    for (block, words) in cases {
        let mut bytes = common::header(2, 2, Compression::Zlib, 2, false);
        for (number, block) in [sound.block(), block].iter().enumerate() {
            bytes.extend(common::identifying_data(number, &["A", "G"]));
            bytes.extend(common::stored_block(Compression::Zlib, block));
        }
        let file = TestFile::new(&bytes);
        let reader = file.open();
        let error = reader
            .stream(common::plan(&reader, 2))
            .unwrap()
            .next()
            .unwrap()
            .unwrap_err()
            .to_string();
        assert!(error.contains("variant 2 (rs1)") && error.contains(words), "{error}");
        assert!(error.contains("sample 2"), "{error}");
    }
}

#[test]
fn a_multiallelic_variant_is_indexed_and_refused_only_when_its_dosage_is_wanted() {
    let mut bytes = common::header(2, 2, Compression::None, 2, false);
    bytes.extend(common::identifying_data(0, &["A", "G", "TT"]));
    bytes.extend(common::stored_block(Compression::None, &[0; 40]));
    bytes.extend(common::identifying_data(1, &["A", "G"]));
    bytes.extend(common::stored_block(
        Compression::None,
        &Genotypes::bytes(&[[255, 0], [0, 255]]).block(),
    ));
    let file = TestFile::new(&bytes);
    let reader = file.open();
    assert_eq!(reader.index().allele_counts(), [3, 2]);
    assert_eq!(reader.index().further_alleles(0), ["TT"]);
    assert_eq!(common::dosages(&reader, 1..2).unwrap(), [2.0, 1.0]);
    assert!(
        common::dosages(&reader, 0..1)
            .unwrap_err()
            .to_string()
            .contains("3 alleles")
    );
}

#[test]
fn buffers_are_reused_and_bounded_by_the_staging_depth() {
    let file = TestFile::new(&common::file(&mixed_variants(), Compression::None, false));
    let reader = file.open();
    let mut plan = common::plan(&reader, 1);
    plan.staging_depth = 3;
    let mut stream = reader.stream(plan).unwrap();
    for _ in 0..25 {
        stream.next().unwrap().unwrap();
    }
    assert!(stream.next().is_none());
    assert!(
        stream.buffers_allocated() <= 5,
        "{} buffers",
        stream.buffers_allocated()
    );
}

#[test]
fn a_chunk_outlives_its_stream_and_an_unfinished_stream_can_be_dropped() {
    let file = TestFile::new(&common::file(&mixed_variants(), Compression::None, false));
    let reader = file.open();
    let mut stream = reader.stream(common::plan(&reader, 2)).unwrap();
    let kept = stream.next().unwrap().unwrap();
    let before = kept.sample_sets()[0].values().to_vec();
    for _ in 0..5 {
        stream.next().unwrap().unwrap();
    }
    drop(stream);
    assert_eq!(kept.sample_sets()[0].values(), before);
    assert!(before.iter().any(|value| *value != 0.0));
}

#[test]
fn a_plan_that_does_not_fit_the_file_is_refused() {
    let file = TestFile::new(&common::file(&mixed_variants(), Compression::None, false));
    let reader = file.open();
    let plan = || common::plan(&reader, 25);
    let wrong: [(StreamPlan, &str); 6] = [
        (
            StreamPlan {
                variant_indices: vec![25],
                ..plan()
            },
            "variant index 25",
        ),
        (
            StreamPlan {
                chunk_offsets: vec![0, 26],
                ..plan()
            },
            "chunk_offsets",
        ),
        (
            StreamPlan {
                chunk_offsets: vec![5, 0],
                ..plan()
            },
            "chunk_offsets",
        ),
        (
            StreamPlan {
                chunk_counts_males: vec![],
                ..plan()
            },
            "chunk_counts_males",
        ),
        (StreamPlan { threads: 0, ..plan() }, "threads"),
        (StreamPlan { tile_rows: 0, ..plan() }, "tile_rows"),
    ];
    for (plan, word) in wrong {
        let error = reader.stream(plan).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
    for (samples, males) in [(vec![3, 2], vec![false; 2]), (vec![21], vec![false]), (vec![1], vec![])] {
        assert!(matches!(SampleSet::new(samples, males, 21), Err(BgenError::Request(_))));
    }
}

#[test]
fn no_samples_and_no_variants_are_legal() {
    let file = TestFile::new(&common::file(&[], Compression::Zlib, true));
    let reader = file.open();
    assert!(reader.stream(common::plan(&reader, 4)).unwrap().next().is_none());
    let nobody = Genotypes {
        bits: 8,
        phased: false,
        ploidy: vec![],
        missing: vec![],
        values: vec![],
    };
    let file = TestFile::new(&common::file(&[nobody], Compression::Zlib, true));
    let reader = file.open();
    let chunk = reader
        .stream(common::plan(&reader, 4))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    assert_eq!(chunk.sample_sets()[0].moments().sums.n_present, [0]);
    assert!(chunk.sample_sets()[0].values().is_empty());
}
