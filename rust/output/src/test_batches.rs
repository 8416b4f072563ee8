//! Result batches for the tests of this crate.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, DictionaryArray, Float64Array, Int8Array, Int32Array, RecordBatch, StringArray, UInt32Array,
};

/// Made-up rows; a row is the same whatever range it is asked in. Every tenth failed, every seventh has no frequency.
pub(crate) fn result_batch(rows: Range<u32>) -> RecordBatch {
    let floats = |scale: f64, null_every: u32| -> ArrayRef {
        let value = |row: u32| (row % null_every != null_every - 1).then(|| f64::from(row + 1) / scale);
        Arc::new(rows.clone().map(value).collect::<Float64Array>())
    };
    let texts = |text: fn(u32) -> String| -> ArrayRef {
        Arc::new(rows.clone().map(|row| Some(text(row))).collect::<StringArray>())
    };
    let words = |word: fn(u32) -> &'static str| -> ArrayRef {
        Arc::new(rows.clone().map(word).collect::<DictionaryArray<Int8Type>>())
    };
    let counts = |count: i32| -> ArrayRef { Arc::new(rows.clone().map(|_| Some(count)).collect::<Int32Array>()) };
    RecordBatch::try_from_iter_with_nullable([
        ("CHROM", words(|_| "chr22"), false),
        (
            "CHROM_CODE",
            Arc::new(rows.clone().map(|_| Some(22)).collect::<Int8Array>()),
            false,
        ),
        (
            "GENPOS",
            Arc::new(rows.clone().map(|row| Some(1000 + 3 * row)).collect::<UInt32Array>()),
            false,
        ),
        ("ID", texts(|row| format!("rs{row}")), false),
        ("ALLELE0", texts(|_| "A".to_owned()), false),
        ("ALLELE1", texts(|_| "CT".to_owned()), false),
        ("A1FREQ", floats(1e7, 7), true),
        ("A1FREQ_CASES", floats(2e7, 7), true),
        ("A1FREQ_CONTROLS", floats(3e7, 7), true),
        ("INFO", floats(1e7, 1_000_000), true),
        ("N", counts(500), false),
        ("N_CASES", counts(100), true),
        ("N_CONTROLS", counts(400), true),
        ("TEST", words(|_| "ADD"), false),
        ("BETA", floats(-1e3, 10), true),
        ("SE", floats(1e5, 10), true),
        ("CHISQ", floats(1e2, 10), true),
        ("LOG10P", floats(1e3, 10), true),
        (
            "STATUS",
            words(|row| if row % 10 == 9 { "failed" } else { "ok" }),
            false,
        ),
    ])
    .unwrap()
}
