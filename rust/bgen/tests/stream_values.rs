//! Values and moments of the stream against the specification's arithmetic in double precision.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "in a test a panic is the report")]

mod common;

use common::generate::{N_SAMPLES, genotypes};
use common::{Genotypes, TestFile};
use g_bgen::{Coding, Compression, GenotypeSums, SampleSet, SampleSetChunk, VariantMoments};
use proptest::prelude::*;

fn close(left: f64, right: f64, scale: f64) -> bool {
    (left - right).abs() <= 1e-9 * (1.0 + scale)
}

fn at(index: u32) -> usize {
    usize::try_from(index).unwrap()
}

fn count(length: usize) -> f64 {
    f64::from(u32::try_from(length).unwrap())
}

/// What a stream is asked for.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "as in the plan of a stream")]
struct Asked {
    first: bool,
    coding: Coding,
    flip: bool,
    halve_males: bool,
    counts_males: bool,
    count_genotypes: bool,
}

fn asked() -> impl Strategy<Value = Asked> {
    let coding = prop_oneof![
        2 => Just(Coding::Additive),
        1 => Just(Coding::Dominant),
        1 => Just(Coding::Recessive)
    ];
    (any::<[bool; 5]>(), coding).prop_map(|(flags, coding)| {
        let [first, flip, halve_males, counts_males, count_genotypes] = flags;
        Asked {
            first,
            coding,
            flip,
            halve_males,
            counts_males,
            count_genotypes,
        }
    })
}

/// One sample with a genotype, in double precision.
#[derive(Clone, Copy, Debug)]
struct Present {
    male: bool,
    dosage: f64,
    info: f64,
    tested: f64,
}

/// The specification's arithmetic, sample by sample; every second sample of the file is male.
fn oracle(genotypes: &Genotypes, samples: &[u32], asked: Asked) -> Vec<Option<Present>> {
    let present = |sample: &u32| {
        let (one, two) = genotypes.genotype(at(*sample), asked.first)?;
        let male = sample.is_multiple_of(2);
        let whole = 2.0 * two + one;
        let dosage = if asked.halve_males && asked.counts_males && male {
            whole / 2.0
        } else {
            whole
        };
        let tested = match asked.coding {
            Coding::Additive => dosage,
            Coding::Dominant => one + two,
            Coding::Recessive => two,
        };
        let info = 4.0 * two + one - whole * whole;
        Some(Present {
            male,
            dosage,
            info,
            tested,
        })
    };
    samples.iter().map(present).collect()
}

fn check_sums(sums: &GenotypeSums, row: usize, present: &[Present], asked: Asked) -> Result<(), TestCaseError> {
    let n = count(present.len());
    prop_assert_eq!(sums.n_present[row], i64::try_from(present.len()).unwrap());
    prop_assert!(close(
        sums.dosage_sum[row],
        present.iter().map(|one| one.dosage).sum(),
        n
    ));
    prop_assert!(close(sums.info_sum[row], present.iter().map(|one| one.info).sum(), n));
    let squares = present.iter().map(|one| one.dosage * one.dosage).sum();
    prop_assert!(close(sums.square_sum[row], squares, n));
    let males: Vec<_> = present.iter().filter(|one| one.male && asked.counts_males).collect();
    prop_assert_eq!(sums.male_present[row], i64::try_from(males.len()).unwrap());
    let male_sum = males.iter().map(|one| one.dosage).sum();
    prop_assert!(close(sums.male_dosage_sum[row], male_sum, n));
    Ok(())
}

/// Homozygotes of the other and of the effect allele; a dosage within rounding of a threshold may count either way.
fn check_homozygotes(
    moments: &VariantMoments,
    row: usize,
    present: &[Present],
    asked: Asked,
) -> Result<(), TestCaseError> {
    let found = [moments.n_hom_reference[row], moments.n_hom_effect[row]];
    if !asked.count_genotypes {
        prop_assert_eq!(found, [0, 0]);
        return Ok(());
    }
    let counts = |slack: f64| {
        let haploid = |one: &&Present| one.male && asked.counts_males;
        let below = |one: &Present| one.dosage < slack + if haploid(&one) { 1.0 } else { 0.5 };
        let above = |one: &Present| one.dosage + slack >= if haploid(&one) { 1.0 } else { 1.5 };
        let number = |holds: &dyn Fn(&Present) -> bool| present.iter().filter(|one| holds(one)).count();
        [number(&below), number(&above)].map(|number| i64::try_from(number).unwrap())
    };
    for ((found, least), most) in found.into_iter().zip(counts(-1e-12)).zip(counts(1e-12)) {
        prop_assert!(
            (least..=most).contains(&found),
            "{} instead of {} to {}",
            found,
            least,
            most
        );
    }
    Ok(())
}

/// Check one variant of one sample set.
fn check(
    genotypes: &Genotypes,
    samples: &[u32],
    asked: Asked,
    chunk: &SampleSetChunk,
    row: usize,
) -> Result<(), TestCaseError> {
    let moments = chunk.moments();
    let expected = oracle(genotypes, samples, asked);
    let present: Vec<Present> = expected.iter().copied().flatten().collect();
    check_sums(&moments.sums, row, &present, asked)?;
    check_homozygotes(moments, row, &present, asked)?;

    let n = count(present.len());
    let sum: f64 = present.iter().map(|one| one.tested).sum();
    prop_assert!(close(moments.tested_sum[row], sum, n));
    let mean = if present.is_empty() { 0.0 } else { sum / n };
    let flipped = moments.flipped[row];
    let should_flip = asked.flip && asked.coding == Coding::Additive && mean > 1.0;
    let tie = asked.flip && asked.coding == Coding::Additive && (mean - 1.0).abs() < 1e-12;
    prop_assert!(flipped == should_flip || tie, "flipped {} at mean {}", flipped, mean);
    let counted = |tested: f64| if flipped { 2.0 - tested } else { tested };
    let mean = if present.is_empty() { 0.0 } else { counted(mean) };
    let nonzero = present.iter().filter(|one| counted(one.tested).abs() > 1e-12).count();
    prop_assert_eq!(moments.n_nonzero_present[row], i64::try_from(nonzero).unwrap());

    let (unit, centre) = (moments.unit[row], moments.centre[row]);
    let values = &chunk.values()[row * chunk.columns()..(row + 1) * chunk.columns()];
    let mut squares = 0.0;
    for (value, one) in values.iter().zip(&expected) {
        let expected = one.map_or(mean, |one| counted(one.tested));
        let found = centre + unit * f64::from(*value);
        prop_assert!(
            (found - expected).abs() < 2e-7,
            "value {}: {} instead of {}",
            value,
            found,
            expected
        );
        if unit < 1.0 && one.is_some() {
            prop_assert!(value.fract() == 0.0, "value {} is no whole number of units", value);
        }
        squares += (expected - centre) * (expected - centre);
    }
    prop_assert!(close(moments.centred_square_sum[row], squares, squares));
    prop_assert!(values[samples.len()..].iter().all(|padding| *padding == 0.0));

    let start = if row == 0 {
        0
    } else {
        usize::try_from(moments.missing_ends[row - 1]).unwrap()
    };
    let end = usize::try_from(moments.missing_ends[row]).unwrap();
    let missing: Vec<u32> = (0..)
        .zip(&expected)
        .filter(|(_, one)| one.is_none())
        .map(|(column, _)| column)
        .collect();
    prop_assert_eq!(&moments.missing_columns[start..end], &missing);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn values_and_moments_are_the_specifications(
        variants in prop::collection::vec(genotypes(), 1..6),
        chosen in prop::collection::vec(any::<bool>(), N_SAMPLES),
        asked in asked(),
        compression in prop_oneof![Just(Compression::None), Just(Compression::Zlib), Just(Compression::Zstd)],
    ) {
        let file = TestFile::new(&common::file(&variants, compression, asked.first));
        let reader = file.open();
        let subset: Vec<u32> = (0..).zip(&chosen).filter(|(_, chosen)| **chosen).map(|(sample, _)| sample).collect();
        let mut plan = common::plan(&reader, 2);
        let males = subset.iter().map(|sample| sample % 2 == 0).collect();
        let subset = SampleSet::new(subset, males, reader.header().n_samples).unwrap();
        plan.sample_sets.push(subset.clone());
        plan.moment_sets.push(subset);
        plan.effect_is_first_allele = asked.first;
        plan.coding = asked.coding;
        plan.flip_to_minor_allele = asked.flip;
        plan.halve_males = asked.halve_males;
        plan.chunk_counts_males.fill(asked.counts_males);
        plan.count_genotypes = asked.count_genotypes;
        let (sets, moment_sets) = (plan.sample_sets.clone(), plan.moment_sets.clone());
        let mut variant = 0;
        for chunk in reader.stream(plan).unwrap() {
            let chunk = chunk.unwrap();
            for row in 0..chunk.n_variants() {
                for (set, values) in sets.iter().zip(chunk.sample_sets()) {
                    check(&variants[variant], set.indices(), asked, values, row)?;
                }
                for (set, sums) in moment_sets.iter().zip(chunk.sums()) {
                    let present: Vec<_> = oracle(&variants[variant], set.indices(), asked).into_iter().flatten().collect();
                    check_sums(sums, row, &present, asked)?;
                }
                variant += 1;
            }
            for values in chunk.sample_sets() {
                prop_assert_eq!(values.rows() % 4, 0);
                prop_assert!(values.values()[chunk.n_variants() * values.columns()..].iter().all(|value| *value == 0.0));
            }
        }
        prop_assert_eq!(variant, variants.len());
    }
}

#[test]
fn the_mean_of_exactly_one_is_not_flipped_and_above_it_is() {
    let exact = Genotypes::bytes(&[[255, 0], [0, 255], [0, 0]]);
    let above = Genotypes::bytes(&[[255, 0], [0, 255], [0, 1]]);
    let reader = TestFile::new(&common::file(&[exact, above], Compression::None, false));
    let reader = reader.open();
    let chunk = reader
        .stream(common::plan(&reader, 8))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    let set = &chunk.sample_sets()[0];
    assert_eq!(set.moments().flipped, [false, true]);
    // Dosages 510, 255, 0 about 255; and flipped 0, 255, 509 about their rounded mean 255.
    assert_eq!(set.values()[..3], [255.0, 0.0, -255.0]);
    assert_eq!(set.values()[16..19], [-255.0, 0.0, 254.0]);
    assert_eq!(set.moments().n_nonzero_present, [2, 2]);
}

#[test]
fn layout_one_divides_by_32768_and_three_zeros_are_missing() {
    let triples: [[u16; 3]; 3] = [[32768, 0, 0], [0, 16384, 16384], [0, 0, 0]];
    let block: Vec<u8> = triples.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
    for compression in [Compression::None, Compression::Zlib] {
        let mut bytes = common::header(1, 3, compression, 1, false);
        bytes.extend(3_u32.to_le_bytes());
        // Layout 1 has the same identifying data but for the allele count.
        let identifying = common::identifying_data(0, &["A", "G"]);
        let alleles = identifying.len() - 10;
        bytes.extend(&identifying[..alleles - 2]);
        bytes.extend(&identifying[alleles..]);
        let payload = common::compress(compression, &block);
        if compression == Compression::Zlib {
            bytes.extend(u32::try_from(payload.len()).unwrap().to_le_bytes());
        }
        bytes.extend(payload);
        let file = TestFile::new(&bytes);
        let reader = file.open();
        let dosages = common::dosages(&reader, 0..1).unwrap();
        assert_eq!(dosages[..2], [2.0, 0.5]);
        assert!(dosages[2].is_nan());
        let chunk = reader
            .stream(common::plan(&reader, 1))
            .unwrap()
            .next()
            .unwrap()
            .unwrap();
        let set = &chunk.sample_sets()[0];
        assert!(set.moments().flipped[0]);
        assert_eq!(set.values()[..3], [-0.75, 0.75, 0.0]);
        assert_eq!(set.moments().missing_columns, [2]);
    }
}
