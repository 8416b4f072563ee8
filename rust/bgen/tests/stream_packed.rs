//! The packed format against the dosage format: the same moments and the same values, bit for bit.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "in a test a panic is the report")]

mod common;

use common::generate::{N_SAMPLES, genotypes};
use common::{Genotypes, TestFile};
use g_bgen::{BgenError, BgenReader, Coding, Compression, GenotypeFormat, SampleSet, SampleSetChunk, StreamPlan};
use proptest::prelude::*;

fn all_values(set: &SampleSetChunk, n_variants: usize) -> Vec<f32> {
    let rows: Vec<u32> = (0..u32::try_from(n_variants).unwrap()).collect();
    let mut values = vec![f32::NAN; n_variants * set.columns()];
    set.copy_values(&rows, &mut values).unwrap();
    values
}

fn first_chunk(reader: &BgenReader, plan: StreamPlan) -> g_bgen::DosageChunk {
    reader.stream(plan).unwrap().next().unwrap().unwrap()
}

fn packed(plan: StreamPlan) -> StreamPlan {
    StreamPlan {
        genotype_format: GenotypeFormat::Packed8,
        ..plan
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn values_and_moments_are_those_of_the_dosage_format(
        variants in prop::collection::vec(genotypes(), 1..12),
        chosen in prop::collection::vec(any::<bool>(), N_SAMPLES),
        flags in any::<[bool; 4]>(),
        coding in prop_oneof![Just(Coding::Additive), Just(Coding::Dominant), Just(Coding::Recessive)],
    ) {
        let [first, flip, halve_males, counts_males] = flags;
        let file = TestFile::new(&common::file(&variants, Compression::None, first));
        let reader = file.open();
        let subset: Vec<u32> = (0..).zip(&chosen).filter(|(_, chosen)| **chosen).map(|(sample, _)| sample).collect();
        let mut plan = common::plan(&reader, 7);
        let males = subset.iter().map(|sample| sample % 2 == 0).collect();
        plan.sample_sets.push(SampleSet::new(subset, males, reader.header().n_samples).unwrap());
        plan.effect_is_first_allele = first;
        plan.coding = coding;
        plan.flip_to_minor_allele = flip;
        plan.halve_males = halve_males;
        plan.chunk_counts_males.fill(counts_males);
        let dosage_chunks = reader.stream(plan.clone()).unwrap();
        for (dosage, packed) in dosage_chunks.zip(reader.stream(packed(plan)).unwrap()) {
            let (dosage, packed) = (dosage.unwrap(), packed.unwrap());
            for (dosage, packed) in dosage.sample_sets().iter().zip(packed.sample_sets()) {
                let n_variants = dosage.moments().len();
                prop_assert_eq!(all_values(packed, n_variants), all_values(dosage, n_variants));
                let mut moments = packed.moments().clone();
                let side: Vec<u32> = (0..).zip(&moments.packed).filter(|(_, packed)| !**packed).map(|(row, _)| row).collect();
                prop_assert_eq!(packed.side_rows(), side);
                prop_assert!(dosage.moments().packed.iter().all(|packed| !packed));
                moments.packed.fill(false);
                prop_assert_eq!(&moments, dosage.moments());
                prop_assert_eq!(packed.packed().len(), packed.rows() * packed.columns());
                prop_assert!(packed.packed()[n_variants * packed.columns()..].iter().all(|word| *word == 0));
            }
        }
    }
}

#[test]
fn a_row_is_packed_where_its_sample_set_has_two_stored_bytes_a_sample() {
    let complete = Genotypes::bytes(&[[255, 0], [1, 2], [0, 7]]);
    let mut one_missing = Genotypes::bytes(&[[3, 4], [0, 0], [5, 6]]);
    one_missing.missing[1] = true;
    let reader = TestFile::new(&common::file(&[complete, one_missing], Compression::Zlib, false));
    let reader = reader.open();
    let mut plan = packed(common::plan(&reader, 8));
    plan.sample_sets
        .push(SampleSet::new(vec![0, 2], vec![false, false], 3).unwrap());
    let chunk = first_chunk(&reader, plan);
    let [all, without_missing] = chunk.sample_sets() else {
        panic!("two sample sets were asked for")
    };
    let word = |first: u16, heterozygous: u16| first | heterozygous << 8;
    assert_eq!(all.packed()[..3], [word(255, 0), word(1, 2), word(0, 7)]);
    assert_eq!(all.side_rows(), [1]);
    assert_eq!(all.packed()[16..32], [0; 16]);
    assert_eq!(without_missing.packed()[16..18], [word(3, 4), word(5, 6)]);
    assert!(without_missing.side_rows().is_empty());
    assert!(all.values().is_empty());
}

#[test]
fn rows_that_are_not_there_or_do_not_fit_are_refused() {
    let variant = Genotypes::bytes(&[[255, 0], [0, 255], [0, 0]]);
    let reader = TestFile::new(&common::file(&[variant], Compression::None, false));
    let reader = reader.open();
    let chunk = first_chunk(&reader, packed(common::plan(&reader, 1)));
    let set = &chunk.sample_sets()[0];
    for (rows, places, words) in [(&[1][..], 16, "row 1 of 1"), (&[0, 0][..], 31, "do not fit")] {
        let error = set.copy_values(rows, &mut vec![0.0; places]).unwrap_err();
        assert!(matches!(error, BgenError::Request(_)), "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}
