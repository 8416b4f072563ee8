//! REGENIE's text: its columns, its digits and its habits (spec section 8).

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use arrow::array::{Array, Float64Array, Int64Array, RecordBatch};
use flate2::write::GzEncoder;
use flate2::{Compression, GzBuilder};

use crate::columns::{Columns, TextColumn};
use crate::error::OutputError;
use crate::format_g6::push_g6;
use crate::staged_file::StagedFile;

/// The compressor is fed in pieces of this size, so that its bytes do not depend on how rows came in batches.
const PIECE_BYTES: usize = 1 << 18;

/// Writes one file. Without `finish` it never gets its final name.
pub struct RegenieTextWriter {
    path: PathBuf,
    sink: Option<Sink>,
    pending: Vec<u8>,
    case_control_columns: bool,
    rows: u64,
}

enum Sink {
    Plain(StagedFile),
    Gzip(GzEncoder<StagedFile>),
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
        let staged = StagedFile::create(temporary_path, final_path)?;
        let sink = if gzip {
            // No time and no name in the header: equal rows give equal bytes.
            Sink::Gzip(GzBuilder::new().mtime(0).write(staged, Compression::default()))
        } else {
            Sink::Plain(staged)
        };
        let pending = header(case_control_columns).into_bytes();
        Ok(Self {
            path: final_path.to_owned(),
            sink: Some(sink),
            pending,
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
                path: &self.path,
                batch,
            },
            self.case_control_columns,
        )?;
        for row in 0..batch.num_rows() {
            rows.push(&mut self.pending, row);
            if self.pending.len() >= 2 * PIECE_BYTES {
                self.write_pieces()?;
            }
        }
        self.rows += u64::try_from(batch.num_rows()).unwrap_or(u64::MAX);
        self.write_pieces()
    }

    /// Writes what is left, waits for the disk, gives the file its final name; returns the number of rows.
    ///
    /// # Errors
    /// The disk refuses, or the writer was finished before.
    pub fn finish(&mut self) -> Result<u64, OutputError> {
        self.write_pieces()?;
        let written = OutputError::file(&self.path, "written");
        let pending = std::mem::take(&mut self.pending);
        let staged = match self.sink.take() {
            None => {
                return Err(OutputError::Closed {
                    path: self.path.clone(),
                });
            }
            Some(Sink::Plain(mut staged)) => staged.write_all(&pending).map(|()| staged),
            Some(Sink::Gzip(mut encoder)) => encoder.write_all(&pending).and_then(|()| encoder.finish()),
        };
        let staged = staged.map_err(written)?;
        staged.sync()?;
        staged.commit()?;
        Ok(self.rows)
    }

    fn write_pieces(&mut self) -> Result<(), OutputError> {
        let whole = self.pending.len() / PIECE_BYTES * PIECE_BYTES;
        let Some(sink) = &mut self.sink else {
            return Err(OutputError::Closed {
                path: self.path.clone(),
            });
        };
        let result: io::Result<()> = self.pending[..whole]
            .chunks(PIECE_BYTES)
            .try_for_each(|piece| match sink {
                Sink::Plain(staged) => staged.write_all(piece),
                Sink::Gzip(encoder) => encoder.write_all(piece),
            });
        if let Err(source) = result {
            self.sink = None;
            return Err(OutputError::File {
                path: self.path.clone(),
                action: "written",
                source,
            });
        }
        self.pending.drain(..whole);
        Ok(())
    }
}

fn header(case_control_columns: bool) -> String {
    let (frequencies, counts) = if case_control_columns {
        (" A1FREQ_CASES A1FREQ_CONTROLS", " N_CASES N_CONTROLS")
    } else {
        ("", "")
    };
    format!("CHROM GENPOS ID ALLELE0 ALLELE1 A1FREQ{frequencies} INFO N{counts} TEST BETA SE CHISQ LOG10P EXTRA\n")
}

/// The columns of one batch, found once.
struct Rows {
    chromosome: Int64Array,
    position: Int64Array,
    id: TextColumn,
    allele0: TextColumn,
    allele1: TextColumn,
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
            chromosome: columns.integer("CHROM_CODE")?,
            position: columns.integer("GENPOS")?,
            id: columns.text("ID")?,
            allele0: columns.text("ALLELE0")?,
            allele1: columns.text("ALLELE1")?,
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
        push_integer(line, &self.chromosome, row);
        push_integer(line, &self.position, row);
        for column in [&self.id, &self.allele0, &self.allele1] {
            push_text(line, column.get(row));
        }
        push_number(line, value(&self.frequency, row));
        if let Some(by_status) = &self.by_status {
            push_number(line, value(&by_status.frequency_cases, row));
            push_number(line, value(&by_status.frequency_controls, row));
        }
        push_number(line, value(&self.info, row).filter(|info| *info >= 0.0));
        push_integer(line, &self.count, row);
        if let Some(by_status) = &self.by_status {
            push_integer(line, &by_status.count_cases, row);
            push_integer(line, &by_status.count_controls, row);
        }
        push_text(line, self.test.get(row));
        let failed = self.status.get(row) == Some("failed");
        push_pair(line, self.effect(row));
        push_pair(line, self.statistic(row).filter(|_| !failed));
        line.extend_from_slice(if failed { b"TEST_FAIL\n" } else { b"NA\n" });
    }

    /// BETA and SE, where REGENIE would print them.
    fn effect(&self, row: usize) -> Option<(f64, f64)> {
        let first = |text: &Option<Float64Array>, column: &Float64Array| {
            text.as_ref()
                .and_then(|column| value(column, row))
                .or_else(|| value(column, row))
        };
        let beta = first(&self.text_beta, &self.beta)?;
        let standard_error = first(&self.text_standard_error, &self.standard_error)?;
        (standard_error.is_normal() && standard_error > 0.0).then_some((beta, standard_error))
    }

    /// CHISQ and LOG10P, where REGENIE would print them.
    fn statistic(&self, row: usize) -> Option<(f64, f64)> {
        let chi_square = value(&self.chi_square, row)?;
        let log10_p = value(&self.log10_p, row)?;
        (chi_square >= 0.0 && log10_p.is_normal()).then_some((chi_square, log10_p))
    }
}

fn value(column: &Float64Array, row: usize) -> Option<f64> {
    column.is_valid(row).then(|| column.value(row))
}

fn push_number(line: &mut Vec<u8>, number: Option<f64>) {
    push_g6(line, number.unwrap_or(f64::NAN));
    line.push(b' ');
}

fn push_pair(line: &mut Vec<u8>, pair: Option<(f64, f64)>) {
    push_number(line, pair.map(|(first, _)| first));
    push_number(line, pair.map(|(_, second)| second));
}

fn push_text(line: &mut Vec<u8>, text: Option<&str>) {
    line.extend_from_slice(text.unwrap_or("NA").as_bytes());
    line.push(b' ');
}

fn push_integer(line: &mut Vec<u8>, column: &Int64Array, row: usize) {
    if column.is_null(row) {
        line.extend_from_slice(b"NA ");
        return;
    }
    let number = column.value(row);
    if number < 0 {
        line.push(b'-');
    }
    let mut digits = [0; 20];
    let mut start = digits.len();
    let mut rest = number.unsigned_abs();
    loop {
        let [low, ..] = (rest % 10).to_le_bytes();
        start -= 1;
        digits[start] = b'0' + low;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    line.extend_from_slice(&digits[start..]);
    line.push(b' ');
}
