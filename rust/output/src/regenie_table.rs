//! REGENIE's one table for all traits, `--no-split` (spec section 8).

use std::fmt::Write as _;
use std::path::Path;

use arrow_array::{Float64Array, Int64Array, RecordBatch};

use crate::columns::{Columns, TextColumn};
use crate::error::OutputError;
use crate::text_fields::{effect, push_information, push_integer, push_number, push_pair, push_text, statistic, value};
use crate::text_file::TextFile;
use crate::variant_fields::{self, VariantFields};

const COUNTS: [&str; 4] = ["N", "N_RR", "N_RA", "N_AA"];
const STATISTICS: [&str; 4] = ["BETA", "SE", "CHISQ", "LOG10P"];

/// Writes one file. Without `finish` it never gets its final name.
pub struct RegenieTableWriter {
    file: TextFile,
    traits: usize,
    rows: u64,
}

impl RegenieTableWriter {
    /// Creates the file under its temporary name and writes the header line, in which the traits are Y1, Y2 and so on.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn create(temporary_path: &Path, final_path: &Path, gzip: bool, traits: usize) -> Result<Self, OutputError> {
        Ok(Self {
            file: TextFile::create(temporary_path, final_path, gzip, header(traits))?,
            traits,
            rows: 0,
        })
    }

    /// Appends the rows of a batch in order.
    ///
    /// The batch has `CHROM_CODE` and otherwise the columns of the header but EXTRA. A trait without a test has nulls;
    /// a correction that failed has an effect beside a null `CHISQ`.
    ///
    /// # Errors
    /// A column is missing or of a wrong type, the disk refuses, or the writer is finished.
    pub fn append(&mut self, batch: &RecordBatch) -> Result<(), OutputError> {
        let columns = Columns {
            path: self.file.path(),
            batch,
        };
        let rows = Rows::new(&columns, self.traits)?;
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

fn header(traits: usize) -> String {
    let mut header = format!("{} A1FREQ INFO {} TEST", variant_fields::HEADER, COUNTS.join(" "));
    for number in 1..=traits {
        for statistic in STATISTICS {
            // Writing to a string does not fail.
            let _ = write!(header, " {statistic}.Y{number}");
        }
    }
    header.push_str(" EXTRA\n");
    header
}

/// The columns of one batch, found once.
struct Rows {
    variant: VariantFields,
    frequency: Float64Array,
    information: Float64Array,
    counts: Vec<Int64Array>,
    test: TextColumn,
    traits: Vec<TraitFields>,
}

struct TraitFields {
    beta: Float64Array,
    standard_error: Float64Array,
    chi_square: Float64Array,
    log10_p: Float64Array,
}

impl Rows {
    fn new(columns: &Columns<'_>, traits: usize) -> Result<Self, OutputError> {
        let trait_fields = |number: usize| {
            let [beta, standard_error, chi_square, log10_p] =
                STATISTICS.map(|statistic| columns.float(&format!("{statistic}.Y{number}")));
            Ok(TraitFields {
                beta: beta?,
                standard_error: standard_error?,
                chi_square: chi_square?,
                log10_p: log10_p?,
            })
        };
        Ok(Self {
            variant: VariantFields::new(columns)?,
            frequency: columns.float("A1FREQ")?,
            information: columns.float("INFO")?,
            counts: COUNTS
                .into_iter()
                .map(|name| columns.integer(name))
                .collect::<Result<_, _>>()?,
            test: columns.text("TEST")?,
            traits: (1..=traits).map(trait_fields).collect::<Result<_, _>>()?,
        })
    }

    fn push(&self, line: &mut Vec<u8>, row: usize) {
        self.variant.push(line, row);
        push_number(line, value(&self.frequency, row));
        push_information(line, value(&self.information, row));
        for count in &self.counts {
            push_integer(line, count, row);
        }
        push_text(line, self.test.get(row));
        for one in &self.traits {
            push_pair(line, effect(value(&one.beta, row), value(&one.standard_error, row)));
            push_pair(line, statistic(value(&one.chi_square, row), value(&one.log10_p, row)));
        }
        line.extend_from_slice(b"NA\n");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, StringArray};

    use super::*;

    fn floats(values: &[Option<f64>]) -> ArrayRef {
        Arc::new(Float64Array::from(values.to_vec()))
    }

    fn integers(values: &[i64]) -> ArrayRef {
        Arc::new(Int64Array::from(values.to_vec()))
    }

    fn texts(values: &[&str]) -> ArrayRef {
        Arc::new(StringArray::from(values.to_vec()))
    }

    /// Two variants and two traits: all is tested in the first row, nothing is usable in the second.
    fn batch() -> RecordBatch {
        let columns: Vec<(&str, ArrayRef)> = vec![
            ("CHROM_CODE", integers(&[1, 23])),
            ("GENPOS", integers(&[10, 20])),
            ("ID", texts(&["rs0", "rs1"])),
            ("ALLELE0", texts(&["A", "G"])),
            ("ALLELE1", texts(&["C", "GT"])),
            ("A1FREQ", floats(&[Some(0.25), None])),
            ("INFO", floats(&[Some(0.5), Some(-0.1)])),
            ("N", integers(&[500, 0])),
            ("N_RR", integers(&[310, 0])),
            ("N_RA", integers(&[166, 0])),
            ("N_AA", integers(&[24, 0])),
            ("TEST", texts(&["ADD", "ADD"])),
            ("BETA.Y1", floats(&[Some(-0.049_084_51), None])),
            ("SE.Y1", floats(&[Some(0.044_996), None])),
            ("CHISQ.Y1", floats(&[Some(1.18998), None])),
            ("LOG10P.Y1", floats(&[Some(0.560_141), None])),
            ("BETA.Y2", floats(&[Some(2.0), Some(1.5)])),
            ("SE.Y2", floats(&[Some(0.5), Some(0.0)])),
            ("CHISQ.Y2", floats(&[None, Some(-1.0)])),
            ("LOG10P.Y2", floats(&[None, Some(0.0)])),
        ];
        RecordBatch::try_from_iter(columns).unwrap()
    }

    #[test]
    fn a_line_has_the_numbers_of_every_trait() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        let mut writer = RegenieTableWriter::create(&folder.path().join(".table"), &path, false, 2).unwrap();
        writer.append(&batch()).unwrap();
        assert_eq!(writer.finish().unwrap(), 2);
        assert_eq!(
            std::fs::read_to_string(path).unwrap(),
            "CHROM GENPOS ID ALLELE0 ALLELE1 A1FREQ INFO N N_RR N_RA N_AA TEST \
             BETA.Y1 SE.Y1 CHISQ.Y1 LOG10P.Y1 BETA.Y2 SE.Y2 CHISQ.Y2 LOG10P.Y2 EXTRA\n\
             1 10 rs0 A C 0.25 0.5 500 310 166 24 ADD -0.0490845 0.044996 1.18998 0.560141 2 0.5 NA NA NA\n\
             23 20 rs1 G GT NA NA 0 0 0 0 ADD NA NA NA NA NA NA NA NA NA\n"
        );
    }

    #[test]
    fn the_columns_of_a_trait_that_are_missing_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer =
            RegenieTableWriter::create(&folder.path().join(".table"), &folder.path().join("table"), true, 3).unwrap();
        let message = writer.append(&batch()).unwrap_err().to_string();
        assert!(
            message.contains("table: column BETA.Y3: it is not in the batch"),
            "{message}"
        );
        drop(writer);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
