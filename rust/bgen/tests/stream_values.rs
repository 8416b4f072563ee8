//! Values and moments of the stream against the specification's arithmetic in double precision.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "in a test a panic is the report")]

mod common;

use common::{Genotypes, TestFile};
use g_bgen::{Compression, SampleSet, SampleSetChunk};
use proptest::prelude::*;

const N_SAMPLES: usize = 37;

fn unphased_values(max_value: u64) -> impl Strategy<Value = Vec<u64>> {
    (0..=max_value)
        .prop_flat_map(move |first| (Just(first), 0..=max_value - first))
        .prop_map(|(a, b)| vec![a, b])
}

/// One sample's ploidy and stored values; extremes are as likely as all the rest.
fn sample(max_value: u64, phased: bool, with_haploid: bool) -> impl Strategy<Value = (u8, Vec<u64>)> {
    let certain = prop_oneof![Just(vec![max_value, 0]), Just(vec![0, max_value]), Just(vec![0, 0])];
    let diploid = if phased {
        prop::collection::vec(0..=max_value, 2).boxed()
    } else {
        prop_oneof![unphased_values(max_value), certain].boxed()
    };
    let diploid = diploid.prop_map(|values| (2, values));
    let haploid = (0..=max_value).prop_map(|value| (1, vec![value]));
    if with_haploid {
        prop_oneof![diploid, haploid].boxed()
    } else {
        diploid.boxed()
    }
}

fn genotypes() -> impl Strategy<Value = Genotypes> {
    let bits = prop_oneof![Just(8_u8), 1_u8..=32];
    (bits, any::<bool>(), prop_oneof![Just(false), any::<bool>()]).prop_flat_map(|(bits, phased, with_haploid)| {
        let samples = prop::collection::vec(sample((1 << bits) - 1, phased, with_haploid), N_SAMPLES);
        let missing = prop_oneof![
            3 => Just(vec![false; N_SAMPLES]),
            3 => prop::collection::vec(prop::bool::weighted(0.2), N_SAMPLES),
            1 => Just(vec![true; N_SAMPLES]),
        ];
        (samples, missing).prop_map(move |(samples, missing)| {
            let (ploidy, values) = samples.into_iter().unzip();
            Genotypes {
                bits,
                phased,
                ploidy,
                missing,
                values,
            }
        })
    })
}

fn close(left: f64, right: f64, scale: f64) -> bool {
    (left - right).abs() <= 1e-9 * (1.0 + scale)
}

/// Check one variant of one sample set.
fn check(
    genotypes: &Genotypes,
    samples: &[u32],
    first: bool,
    chunk: &SampleSetChunk,
    row: usize,
) -> Result<(), TestCaseError> {
    let moments = chunk.moments();
    let terms: Vec<Option<(f64, f64)>> = samples
        .iter()
        .map(|sample| genotypes.dosage(usize::try_from(*sample).unwrap(), first))
        .collect();
    let present: Vec<(f64, f64)> = terms.iter().copied().flatten().collect();
    let count = f64::from(u32::try_from(present.len()).unwrap());
    let sum: f64 = present.iter().map(|(dosage, _)| dosage).sum();
    let mean = if present.is_empty() { 0.0 } else { sum / count };
    let flipped = moments.flipped[row];
    prop_assert!(
        flipped == (mean > 1.0) || (mean - 1.0).abs() < 1e-12,
        "flipped {flipped} at mean {mean}"
    );
    let counted = |dosage: f64| if flipped { 2.0 - dosage } else { dosage };
    let mean = if present.is_empty() { 0.0 } else { counted(mean) };

    prop_assert_eq!(moments.n_present[row], i64::try_from(present.len()).unwrap());
    prop_assert!(close(moments.dosage_sum[row], sum, count));
    prop_assert!(close(
        moments.info_sum[row],
        present.iter().map(|(_, info)| info).sum(),
        count
    ));
    let nonzero = present
        .iter()
        .filter(|(dosage, _)| counted(*dosage).abs() > 1e-12)
        .count();
    prop_assert_eq!(moments.n_nonzero_present[row], i64::try_from(nonzero).unwrap());
    let males = samples
        .iter()
        .zip(&terms)
        .filter(|(sample, _)| *sample % 2 == 0)
        .filter_map(|(_, terms)| *terms);
    let (male_count, male_sum) = males.fold((0, 0.0), |(count, sum), (dosage, _)| (count + 1, sum + dosage));
    prop_assert_eq!(moments.male_present[row], male_count);
    prop_assert!(close(moments.male_dosage_sum[row], male_sum, count));

    let (unit, centre) = (moments.unit[row], moments.centre[row]);
    let values = &chunk.values()[row * chunk.columns()..(row + 1) * chunk.columns()];
    let mut squares = 0.0;
    for (value, terms) in values.iter().zip(&terms) {
        let expected = terms.map_or(mean, |(dosage, _)| counted(dosage));
        let found = centre + unit * f64::from(*value);
        prop_assert!(
            (found - expected).abs() < 2e-7,
            "value {value}: {found} instead of {expected}"
        );
        if genotypes.bits <= 16 && terms.is_some() {
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
        .zip(&terms)
        .filter(|(_, terms)| terms.is_none())
        .map(|(column, _)| column)
        .collect();
    prop_assert_eq!(&moments.missing_columns[start..end], &missing);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn values_and_moments_are_the_specifications(
        variants in prop::collection::vec(genotypes(), 1..6),
        chosen in prop::collection::vec(any::<bool>(), N_SAMPLES),
        first in any::<bool>(),
        compression in prop_oneof![Just(Compression::None), Just(Compression::Zlib), Just(Compression::Zstd)],
    ) {
        let file = TestFile::new(&common::file(&variants, compression, first));
        let reader = file.open();
        let subset: Vec<u32> = (0..).zip(&chosen).filter(|(_, chosen)| **chosen).map(|(sample, _)| sample).collect();
        let mut plan = common::plan(&reader, 2);
        let males = subset.iter().map(|sample| sample % 2 == 0).collect();
        plan.sample_sets.push(SampleSet::new(subset, males, reader.header().n_samples).unwrap());
        plan.effect_is_first_allele = first;
        let sets = plan.sample_sets.clone();
        let mut variant = 0;
        for chunk in reader.stream(plan).unwrap() {
            let chunk = chunk.unwrap();
            for row in 0..chunk.n_variants() {
                for (set, values) in sets.iter().zip(chunk.sample_sets()) {
                    check(&variants[variant], set.indices(), first, values, row)?;
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

    #[test]
    fn whole_file_reads_agree_with_the_specification(variants in prop::collection::vec(genotypes(), 1..4)) {
        let file = TestFile::new(&common::file(&variants, Compression::Zlib, true));
        let reader = file.open();
        let dosages = reader.read_dosage(0..variants.len()).unwrap();
        for (number, (variant, dosages)) in variants.iter().zip(dosages.chunks(N_SAMPLES)).enumerate() {
            let probabilities = reader.read_probabilities(number).unwrap();
            for (sample, (dosage, p)) in dosages.iter().zip(probabilities.chunks(3)).enumerate() {
                match variant.dosage(sample, true) {
                    None => prop_assert!(dosage.is_nan() && p.iter().all(|p| p.is_nan())),
                    Some((expected, _)) => {
                        prop_assert!((dosage - expected).abs() < 1e-12);
                        prop_assert!((2.0 * p[0] + p[1] - expected).abs() < 1e-12);
                        prop_assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                    }
                }
            }
        }
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
        let dosages = reader.read_dosage(0..1).unwrap();
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
