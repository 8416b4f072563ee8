//! Seconds that the results of one trait take: parts in threads, then one sorted file.
//!
//! `cargo bench -p g-output -- [rows] [threads] [rows of a part]`; the columns are those of `g schema`. Best of five.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark reports to a terminal"
)]

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::{
    ArrayRef, DictionaryArray, Float64Array, Int8Array, Int32Array, RecordBatch, StringArray, UInt32Array,
};
use g_output::merge::{MergeJob, merge_parts};
use g_output::parquet_part::PartCompression;
use g_output::part_writer::{PartJob, PartWriter};

const REPEATS: usize = 5;
const BATCH_ROWS: usize = 1024;

fn main() {
    let numbers: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let number = |place: usize, default: usize| numbers.get(place).copied().unwrap_or(default);
    let (rows, threads, part_rows) = (number(0, 418_943), number(1, 2), number(2, 8 * BATCH_ROWS));
    let parts: Vec<Vec<RecordBatch>> = cuts(0..rows, part_rows)
        .map(|part| cuts(part, BATCH_ROWS).map(result_batch).collect())
        .collect();
    println!(
        "{rows} rows of {} columns, {threads} threads",
        parts[0][0].num_columns()
    );
    for compression in [PartCompression::Zstd, PartCompression::None] {
        let folder = tempfile::tempdir().unwrap();
        let seconds = best(|| write_parts(folder.path(), &parts, threads, compression));
        let bytes: u64 = (0..parts.len())
            .map(|part| folder.path().join(part.to_string()).metadata().unwrap().len())
            .sum();
        println!("{compression:?}: {} parts: {seconds:.3} s, {bytes} bytes", parts.len());
        let job = merge_job(folder.path(), &parts, threads, compression);
        let seconds = best(|| {
            merge_parts(&job).unwrap();
        });
        let bytes = job.final_path.metadata().unwrap().len();
        println!("{compression:?}: one file: {seconds:.3} s, {bytes} bytes");
    }
}

fn best(mut work: impl FnMut()) -> f64 {
    let mut seconds = f64::INFINITY;
    for _ in 0..REPEATS {
        let start = Instant::now();
        work();
        seconds = seconds.min(start.elapsed().as_secs_f64());
    }
    seconds
}

fn write_parts(folder: &Path, parts: &[Vec<RecordBatch>], threads: usize, compression: PartCompression) {
    let mut writer = PartWriter::new(threads, 4, compression).unwrap();
    for (number, batches) in parts.iter().enumerate() {
        writer
            .submit(PartJob {
                temporary_path: folder.join(format!(".{number}")),
                final_path: folder.join(number.to_string()),
                batches: batches.clone(),
                metadata: BTreeMap::new(),
            })
            .unwrap();
    }
    writer.close().unwrap();
}

fn merge_job(folder: &Path, parts: &[Vec<RecordBatch>], threads: usize, compression: PartCompression) -> MergeJob {
    MergeJob {
        parts: (0..parts.len()).map(|part| folder.join(part.to_string())).collect(),
        temporary_path: folder.join(".whole"),
        final_path: folder.join("whole"),
        schema: parts[0][0].schema(),
        metadata: BTreeMap::new(),
        compression,
        row_group_rows: 131_072,
        threads,
    }
}

fn cuts(range: Range<usize>, length: usize) -> impl Iterator<Item = Range<usize>> {
    let stop = range.end;
    range.step_by(length).map(move |start| start..stop.min(start + length))
}

/// A number between 0 and 1 that looks random, the same for the same row and stream.
fn random(row: u32, stream: u32) -> f64 {
    let mut bits = u64::from(row) << 32 | u64::from(stream);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    f64::from(u32::try_from((bits ^ (bits >> 31)) >> 32).unwrap()) / f64::from(u32::MAX)
        + f64::from(u32::try_from(bits & 0xffff_ffff).unwrap()) * 2_f64.powi(-64)
}

fn result_batch(rows: Range<usize>) -> RecordBatch {
    let rows = u32::try_from(rows.start).unwrap()..u32::try_from(rows.end).unwrap();
    let floats = |stream: u32, scale: f64| -> ArrayRef {
        Arc::new(
            rows.clone()
                .map(|row| Some(random(row, stream) * scale))
                .collect::<Float64Array>(),
        )
    };
    let texts = |text: fn(u32) -> String| -> ArrayRef {
        Arc::new(rows.clone().map(|row| Some(text(row))).collect::<StringArray>())
    };
    let word = |word: Option<&'static str>| -> ArrayRef {
        Arc::new(rows.clone().map(|_| word).collect::<DictionaryArray<Int8Type>>())
    };
    let counts = |stream: u32| -> ArrayRef {
        let count = |row: u32| 500_000 - i32::from(random(row, stream) < 0.1);
        Arc::new(rows.clone().map(|row| Some(count(row))).collect::<Int32Array>())
    };
    let base = |stream: u32| {
        move |row: u32| {
            ["A", "C", "G", "T"]
                [usize::from(random(row, stream) < 0.5) + 2 * usize::from(random(row, stream + 1) < 0.5)]
            .to_owned()
        }
    };
    let alleles =
        |stream: u32| -> ArrayRef { Arc::new(rows.clone().map(base(stream)).map(Some).collect::<StringArray>()) };
    RecordBatch::try_from_iter_with_nullable([
        (
            "CHROM",
            Arc::new(rows.clone().map(|_| "22").collect::<DictionaryArray<Int32Type>>()) as ArrayRef,
            false,
        ),
        (
            "CHROM_CODE",
            Arc::new(rows.clone().map(|_| Some(22)).collect::<Int8Array>()),
            false,
        ),
        (
            "GENPOS",
            Arc::new(
                rows.clone()
                    .map(|row| Some(10_000_000 + 83 * row))
                    .collect::<UInt32Array>(),
            ),
            false,
        ),
        (
            "ID",
            texts(|row| format!("rs{}", u64::from(row) * 7_919 % 100_000_007)),
            false,
        ),
        ("ALLELE0", alleles(20), false),
        ("ALLELE1", alleles(22), false),
        ("A1FREQ", floats(1, 0.5), true),
        ("A1FREQ_CASES", floats(2, 0.5), true),
        ("A1FREQ_CONTROLS", floats(3, 0.5), true),
        ("INFO", floats(4, 1.0), true),
        ("N", counts(5), false),
        ("N_CASES", counts(6), true),
        ("N_CONTROLS", counts(7), true),
        ("TEST", word(Some("ADD")), false),
        ("BETA", floats(8, 0.1), true),
        ("SE", floats(9, 0.05), true),
        ("CHISQ", floats(10, 5.0), true),
        ("LOG10P", floats(11, 3.0), true),
        ("CORRECTION", word(Some("none")), false),
        ("STATUS", word(Some("ok")), false),
        ("REASON", word(None), true),
    ])
    .unwrap()
}
