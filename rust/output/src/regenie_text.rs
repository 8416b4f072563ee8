//! REGENIE's text of one trait: its columns, its digits and its habits (spec section 8).

use std::path::Path;

use arrow_array::{Float64Array, Int64Array, RecordBatch};

use crate::columns::{Columns, TextColumn};
use crate::error::OutputError;
use crate::text_fields::{effect, push_information, push_integer, push_number, push_pair, push_text, statistic, value};
use crate::text_file::TextFile;
use crate::variant_fields::{self, VariantFields};

/// Writes one file. Without `finish` it never gets its final name.
pub struct RegenieTextWriter {
    file: TextFile,
    case_control_columns: bool,
    rows: u64,
}

impl RegenieTextWriter {
    /// Creates the file under its temporary name and writes the header line.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn create(
        temporary_path: &Path,
        final_path: &Path,
        gzip: bool,
        case_control_columns: bool,
    ) -> Result<Self, OutputError> {
        let head = header(case_control_columns);
        Ok(Self {
            file: TextFile::create(temporary_path, final_path, gzip, head)?,
            case_control_columns,
            rows: 0,
        })
    }

    /// Appends the rows of a batch in order.
    ///
    /// The batch needs the columns of the result schema. `TEXT_BETA` and `TEXT_SE`, where they are there and not null,
    /// are printed in place of `BETA` and `SE`: REGENIE prints the uncorrected ones on a line that failed.
    ///
    /// # Errors
    /// A column is missing or of a wrong type, the disk refuses, or the writer is finished.
    pub fn append(&mut self, batch: &RecordBatch) -> Result<(), OutputError> {
        let rows = Rows::new(
            &Columns {
                path: self.file.path(),
                batch,
            },
            self.case_control_columns,
        )?;
        self.file.append(batch.num_rows(), |line, row| rows.push(line, row))?;
        self.rows += u64::try_from(batch.num_rows()).unwrap_or(u64::MAX);
        Ok(())
    }

    /// Writes what is left, waits for the disk, gives the file its final name; returns the number of rows.
    ///
    /// # Errors
    /// The disk refuses, or the writer was finished before.
    pub fn finish(&mut self) -> Result<u64, OutputError> {
        self.file.finish()?;
        Ok(self.rows)
    }
}

fn header(case_control_columns: bool) -> String {
    let (frequencies, counts) = if case_control_columns {
        (" A1FREQ_CASES A1FREQ_CONTROLS", " N_CASES N_CONTROLS")
    } else {
        ("", "")
    };
    let variant = variant_fields::HEADER;
    format!("{variant} A1FREQ{frequencies} INFO N{counts} TEST BETA SE CHISQ LOG10P EXTRA\n")
}

/// The columns of one batch, found once.
struct Rows {
    variant: VariantFields,
    frequency: Float64Array,
    by_status: Option<ByStatus>,
    info: Float64Array,
    count: Int64Array,
    test: TextColumn,
    beta: Float64Array,
    standard_error: Float64Array,
    text_beta: Option<Float64Array>,
    text_standard_error: Option<Float64Array>,
    chi_square: Float64Array,
    log10_p: Float64Array,
    status: TextColumn,
}

struct ByStatus {
    frequency_cases: Float64Array,
    frequency_controls: Float64Array,
    count_cases: Int64Array,
    count_controls: Int64Array,
}

impl Rows {
    fn new(columns: &Columns<'_>, case_control_columns: bool) -> Result<Self, OutputError> {
        let by_status = || {
            Ok(ByStatus {
                frequency_cases: columns.float("A1FREQ_CASES")?,
                frequency_controls: columns.float("A1FREQ_CONTROLS")?,
                count_cases: columns.integer("N_CASES")?,
                count_controls: columns.integer("N_CONTROLS")?,
            })
        };
        Ok(Self {
            variant: VariantFields::new(columns)?,
            frequency: columns.float("A1FREQ")?,
            by_status: case_control_columns.then(by_status).transpose()?,
            info: columns.float("INFO")?,
            count: columns.integer("N")?,
            test: columns.text("TEST")?,
            beta: columns.float("BETA")?,
            standard_error: columns.float("SE")?,
            text_beta: columns.optional_float("TEXT_BETA")?,
            text_standard_error: columns.optional_float("TEXT_SE")?,
            chi_square: columns.float("CHISQ")?,
            log10_p: columns.float("LOG10P")?,
            status: columns.text("STATUS")?,
        })
    }

    fn push(&self, line: &mut Vec<u8>, row: usize) {
        self.variant.push(line, row);
        push_number(line, value(&self.frequency, row));
        if let Some(by_status) = &self.by_status {
            push_number(line, value(&by_status.frequency_cases, row));
            push_number(line, value(&by_status.frequency_controls, row));
        }
        push_information(line, value(&self.info, row));
        push_integer(line, &self.count, row);
        if let Some(by_status) = &self.by_status {
            push_integer(line, &by_status.count_cases, row);
            push_integer(line, &by_status.count_controls, row);
        }
        push_text(line, self.test.get(row));
        let failed = self.status.get(row) == Some("failed");
        push_pair(line, self.effect(row));
        let statistic = statistic(value(&self.chi_square, row), value(&self.log10_p, row));
        push_pair(line, statistic.filter(|_| !failed));
        line.extend_from_slice(if failed { b"TEST_FAIL\n" } else { b"NA\n" });
    }

    fn effect(&self, row: usize) -> Option<(f64, f64)> {
        let first = |text: &Option<Float64Array>, column: &Float64Array| {
            text.as_ref()
                .and_then(|column| value(column, row))
                .or_else(|| value(column, row))
        };
        effect(
            first(&self.text_beta, &self.beta),
            first(&self.text_standard_error, &self.standard_error),
        )
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::sync::Arc;

    use arrow_array::types::{UInt16Type, UInt32Type};
    use arrow_array::{ArrayRef, DictionaryArray, LargeStringArray, StringArray, StringViewArray};

    use super::*;
    use crate::test_batches::result_batch;

    /// The file's bytes after these batches.
    fn written(batches: &[RecordBatch], gzip: bool, case_control_columns: bool) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        let temporary = folder.path().join(".text");
        let mut writer = RegenieTextWriter::create(&temporary, &path, gzip, case_control_columns).unwrap();
        for batch in batches {
            writer.append(batch).unwrap();
        }
        assert!(!path.exists());
        let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
        assert_eq!(writer.finish().unwrap(), u64::try_from(rows).unwrap());
        assert!(!temporary.exists());
        std::fs::read(path).unwrap()
    }

    fn lines(batches: &[RecordBatch], case_control_columns: bool) -> Vec<String> {
        let text = String::from_utf8(written(batches, false, case_control_columns)).unwrap();
        assert!(text.ends_with('\n'));
        text.lines().map(str::to_owned).collect()
    }

    fn with_column(batch: &RecordBatch, name: &str, column: ArrayRef) -> RecordBatch {
        let schema = batch.schema();
        let named = schema
            .fields()
            .iter()
            .map(|field| field.name().clone())
            .zip(batch.columns().iter().cloned());
        let columns: Vec<_> = named
            .filter(|(other, _)| other != name)
            .chain([(name.to_owned(), column)])
            .collect();
        RecordBatch::try_from_iter(columns).unwrap()
    }

    fn one_row_with(changes: &[(&str, Option<f64>)]) -> String {
        let mut batch = result_batch(0..1);
        for (name, value) in changes {
            batch = with_column(&batch, name, Arc::new(Float64Array::from(vec![*value])));
        }
        lines(&[batch], false).remove(1)
    }

    #[test]
    fn the_lines_are_regenies() {
        let lines_without = lines(&[result_batch(0..2)], false);
        assert_eq!(
            lines_without,
            [
                "CHROM GENPOS ID ALLELE0 ALLELE1 A1FREQ INFO N TEST BETA SE CHISQ LOG10P EXTRA",
                "22 1000 rs0 A CT 1e-07 1e-07 500 ADD -0.001 1e-05 0.01 0.001 NA",
                "22 1003 rs1 A CT 2e-07 2e-07 500 ADD -0.002 2e-05 0.02 0.002 NA",
            ]
        );
        let lines_with = lines(&[result_batch(0..1)], true);
        assert_eq!(
            lines_with,
            [
                "CHROM GENPOS ID ALLELE0 ALLELE1 A1FREQ A1FREQ_CASES A1FREQ_CONTROLS INFO N N_CASES N_CONTROLS TEST BETA SE CHISQ LOG10P EXTRA",
                "22 1000 rs0 A CT 1e-07 5e-08 3.33333e-08 1e-07 500 100 400 ADD -0.001 1e-05 0.01 0.001 NA",
            ]
        );
    }

    #[test]
    fn a_failed_line_prints_the_uncorrected_effect_where_it_is_given() {
        let failed = result_batch(9..10);
        assert_eq!(
            lines(std::slice::from_ref(&failed), false)[1],
            "22 1027 rs9 A CT 1e-06 1e-06 500 ADD NA NA NA NA TEST_FAIL"
        );
        let value = |number: f64| -> ArrayRef { Arc::new(Float64Array::from(vec![number])) };
        let failed = with_column(&failed, "TEXT_BETA", value(1.25));
        let failed = with_column(&failed, "TEXT_SE", value(0.5));
        assert_eq!(
            lines(&[failed], false)[1],
            "22 1027 rs9 A CT 1e-06 1e-06 500 ADD 1.25 0.5 NA NA TEST_FAIL"
        );
    }

    #[test]
    fn a_null_text_effect_leaves_the_plain_one() {
        let line = one_row_with(&[("TEXT_BETA", None), ("TEXT_SE", None)]);
        assert!(line.contains(" ADD -0.001 1e-05 "), "{line}");
    }

    #[test]
    fn effects_without_a_usable_error_are_na() {
        for standard_error in [
            None,
            Some(0.0),
            Some(-1.0),
            Some(f64::NAN),
            Some(f64::INFINITY),
            Some(1e-310),
        ] {
            let line = one_row_with(&[("SE", standard_error)]);
            assert!(line.contains(" ADD NA NA 0.01 0.001 NA"), "{line}");
        }
        assert!(one_row_with(&[("BETA", None)]).contains(" ADD NA NA 0.01"));
    }

    #[test]
    fn statistics_out_of_range_are_na() {
        for change in [
            ("CHISQ", Some(-1e-9)),
            ("CHISQ", None),
            ("LOG10P", None),
            ("LOG10P", Some(0.0)),
            ("LOG10P", Some(f64::NAN)),
        ] {
            let line = one_row_with(&[change]);
            assert!(line.ends_with(" -0.001 1e-05 NA NA NA"), "{change:?}: {line}");
        }
    }

    #[test]
    fn a_negative_info_and_a_null_frequency_are_na() {
        let line = one_row_with(&[("A1FREQ", None), ("INFO", Some(-0.5))]);
        assert!(line.starts_with("22 1000 rs0 A CT NA NA 500 "), "{line}");
        assert!(one_row_with(&[("INFO", Some(0.0))]).contains(" 0 500 "));
    }

    #[test]
    fn any_layout_of_text_and_any_width_of_number_prints_the_same() {
        let batch = result_batch(0..20);
        let mut other = batch.clone();
        let path = std::path::Path::new("unused");
        let columns = Columns { path, batch: &batch };
        let texts = |name: &str| -> Vec<Option<String>> {
            let column = columns.text(name).unwrap();
            (0..20).map(|row| column.get(row).map(str::to_owned)).collect()
        };
        let numbers = |name: &str| columns.integer(name).unwrap();
        let changed: [(&str, ArrayRef); 7] = [
            ("ID", Arc::new(LargeStringArray::from(texts("ID")))),
            ("ALLELE0", Arc::new(StringViewArray::from(texts("ALLELE0")))),
            (
                "ALLELE1",
                Arc::new(
                    texts("ALLELE1")
                        .iter()
                        .map(Option::as_deref)
                        .collect::<DictionaryArray<UInt32Type>>(),
                ),
            ),
            ("TEST", Arc::new(StringArray::from(texts("TEST")))),
            ("STATUS", Arc::new(StringArray::from(texts("STATUS")))),
            ("GENPOS", Arc::new(numbers("GENPOS"))),
            (
                "N",
                Arc::new(numbers("N").unary::<_, UInt16Type>(|value| u16::try_from(value).unwrap())),
            ),
        ];
        for (name, column) in changed {
            other = with_column(&other, name, column);
        }
        assert_eq!(lines(&[other], true), lines(&[batch], true));
    }

    #[test]
    fn bytes_do_not_depend_on_how_rows_were_batched() {
        let cut = [result_batch(0..1), result_batch(1..9000), result_batch(9000..12_000)];
        for gzip in [false, true] {
            assert_eq!(
                written(&cut, gzip, true),
                written(&[result_batch(0..12_000)], gzip, true)
            );
        }
    }

    #[test]
    fn gzip_holds_the_same_text() {
        let compressed = written(&[result_batch(0..5000)], true, false);
        let mut text = Vec::new();
        flate2::read::GzDecoder::new(compressed.as_slice())
            .read_to_end(&mut text)
            .unwrap();
        assert_eq!(text, written(&[result_batch(0..5000)], false, false));
        assert_eq!(compressed[4..8], [0; 4], "the header holds no time");
    }

    #[test]
    fn a_run_without_rows_leaves_the_header() {
        assert_eq!(lines(&[], false).len(), 1);
        assert_eq!(lines(&[result_batch(0..0)], true).len(), 1);
    }

    #[test]
    fn a_missing_or_wrong_column_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        let mut writer = RegenieTextWriter::create(&folder.path().join(".text"), &path, false, false).unwrap();
        let message = writer
            .append(&result_batch(0..1).project(&[0, 1]).unwrap())
            .unwrap_err()
            .to_string();
        assert!(
            message.ends_with("text: column GENPOS: it is not in the batch, which has CHROM CHROM_CODE"),
            "{message}"
        );
        let wrong = with_column(&result_batch(0..1), "BETA", Arc::new(StringArray::from(vec!["1"])));
        let message = writer.append(&wrong).unwrap_err().to_string();
        assert!(
            message.contains("column BETA: its type is Utf8, expected a number"),
            "{message}"
        );
    }

    #[test]
    fn without_finish_nothing_stays_and_after_it_nothing_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let (temporary, path) = (folder.path().join(".text"), folder.path().join("text"));
        let mut writer = RegenieTextWriter::create(&temporary, &path, true, false).unwrap();
        writer.append(&result_batch(0..10)).unwrap();
        drop(writer);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        let mut writer = RegenieTextWriter::create(&temporary, &path, false, false).unwrap();
        writer.finish().unwrap();
        assert!(matches!(
            writer.append(&result_batch(0..1)),
            Err(OutputError::Closed { .. })
        ));
        assert!(matches!(writer.finish(), Err(OutputError::Closed { .. })));
    }
}
