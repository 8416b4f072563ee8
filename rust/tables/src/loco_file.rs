//! Leave-one-chromosome-out predictions of one trait, as REGENIE step 1 writes them.

use std::collections::HashMap;
use std::path::Path;

use crate::chromosome::chromosome_code;
use crate::error::TablesError;
use crate::fields::{Fields, excerpt, is_blank};
use crate::number::parse_number;
use crate::problems::{Problems, wrong_line};
use crate::source::Text;
use crate::text_column::TextColumn;

/// Predictions by chromosome and sample.
#[derive(Debug, Clone, Default)]
pub struct LocoTable {
    /// `FID_IID` of each column, as the header has it.
    pub sample_keys: TextColumn,
    /// Code of each row: 1 to 23.
    pub chromosomes: Vec<u8>,
    /// Line of each row, from 1.
    pub line_numbers: Vec<usize>,
    /// Values, row by row, `sample_keys` long each; NaN where NA.
    pub values: Vec<f64>,
}

/// Reads a LOCO file. Rows are known by their label, in any order; a chromosome may be absent.
///
/// # Errors
/// The file cannot be read; its header does not start with `FID_IID`; a sample or a chromosome is there twice; a row has
/// more or fewer values than the header has samples; a value is neither a number nor NA. All bad places are told together.
pub fn read_loco_file(path: &Path) -> Result<LocoTable, TablesError> {
    let text = Text::read(path)?;
    let mut lines = text.lines();
    let mut reader = LocoReader {
        keys: Vec::new(),
        table: LocoTable::default(),
        problems: Problems::default(),
    };
    reader.read_header(path, lines.next().map_or("", |(_, line)| line))?;
    let mut line_of: HashMap<u8, usize> = HashMap::new();
    for (line, content) in lines.filter(|(_, content)| !is_blank(content)) {
        let mut fields = Fields::new(content);
        let label = fields.next().unwrap_or("");
        let Some(chromosome) = chromosome_code(label) else {
            reader.problems.add(line, || {
                format!(
                    ": the row starts with {}, expected a chromosome: 1 to 23, or X",
                    excerpt(label)
                )
            });
            continue;
        };
        if let Some(earlier) = line_of.insert(chromosome, line) {
            reader.problems.add(line, || {
                format!(": chromosome {} is already on line {earlier}", excerpt(label))
            });
            continue;
        }
        reader.read_row(line, chromosome, fields);
    }
    let LocoReader { table, problems, .. } = reader;
    problems.check(path)?;
    if table.chromosomes.is_empty() {
        return Err(wrong_line(
            path,
            1,
            ": there is a header but no chromosome row after it",
        ));
    }
    Ok(table)
}

struct LocoReader<'text> {
    keys: Vec<&'text str>,
    table: LocoTable,
    problems: Problems,
}

impl<'text> LocoReader<'text> {
    fn read_header(&mut self, path: &Path, line: &'text str) -> Result<(), TablesError> {
        let mut fields = Fields::new(line);
        if fields.next() != Some("FID_IID") {
            let what = format!(
                ": expected the header of a LOCO prediction file: FID_IID, then FID_IID joined ids; found {}",
                excerpt(line)
            );
            return Err(wrong_line(path, 1, &what));
        }
        self.keys.extend(fields);
        while self.keys.last() == Some(&"") {
            self.keys.pop();
        }
        if self.keys.is_empty() {
            return Err(wrong_line(path, 1, ": the header names no sample after FID_IID"));
        }
        let mut field_of: HashMap<&str, usize> = HashMap::with_capacity(self.keys.len());
        for (field, key) in (2..).zip(&self.keys) {
            if key.is_empty() {
                self.problems.add(1, || {
                    format!(", field {field}: the sample has no name; two tabs in a row?")
                });
            } else if let Some(earlier) = field_of.insert(key, field) {
                let key = excerpt(key);
                self.problems.add(1, || {
                    format!(", field {field}: the sample {key} is already in field {earlier}")
                });
            }
        }
        self.table.sample_keys = self.keys.iter().copied().collect();
        Ok(())
    }

    fn read_row(&mut self, line: usize, chromosome: u8, fields: Fields<'text>) {
        let expected = self.keys.len();
        let mut found = 0;
        let mut trailing_empty = 0;
        self.table.values.reserve(expected);
        for cell in fields {
            if found < expected {
                let number = parse_number(cell).unwrap_or_else(|| {
                    self.problems.add(line, || {
                        let (cell, key, field) = (excerpt(cell), excerpt(self.keys[found]), found + 2);
                        format!(", field {field} (chromosome {chromosome}, sample {key}): found {cell}, expected a number or NA")
                    });
                    f64::NAN
                });
                self.table.values.push(number);
            }
            found += 1;
            trailing_empty = if cell.is_empty() { trailing_empty + 1 } else { 0 };
        }
        let surplus = found.saturating_sub(expected);
        found -= surplus.min(trailing_empty);
        if found != expected {
            self.problems.add(line, || {
                format!(
                    ": the row of chromosome {chromosome} has {found} values, but the header names {expected} samples"
                )
            });
        }
        self.table.chromosomes.push(chromosome);
        self.table.line_numbers.push(line);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::test_files::{file_with, message};

    fn refused(text: &str) -> String {
        message(text, read_loco_file)
    }

    #[test]
    fn rows_are_known_by_their_label() {
        let file = file_with("FID_IID a_1 b_2 \r\n2 0.5 -1e-3 \r\n\nchrX NA nan\n01 1 2\n\n");
        let table = read_loco_file(file.path()).unwrap();
        assert_eq!(table.chromosomes, [2, 23, 1]);
        assert_eq!(table.line_numbers, [2, 4, 5]);
        assert_eq!(table.sample_keys.iter().collect::<Vec<_>>(), ["a_1", "b_2"]);
        assert_eq!(table.values[..2], [0.5, -1e-3]);
        assert!(table.values[2].is_nan() && table.values[3].is_nan());
        assert_eq!(table.values[4..], [1.0, 2.0]);
    }

    #[test]
    fn another_header_is_told_with_its_first_characters() {
        let message = refused("FID IID Y1\n1 1 0\n");
        assert!(
            message.starts_with("FILE, line 1: expected the header of a LOCO prediction file"),
            "{message}"
        );
        assert!(message.contains("found \"FID IID Y1\""), "{message}");
        assert!(refused("FID_IID\n1\n").contains("names no sample"));
        assert!(refused("FID_IID a_1\n").contains("no chromosome row"));
    }

    #[test]
    fn wrong_rows_are_told_together() {
        assert_eq!(
            refused("FID_IID a_1 b_2 a_1\n1 0 0 x\n2 0 0\n3 0 0 0 0\n1 0 0 0\nMT 0 0 0\n"),
            "FILE: 6 problems\
             \n  line 1, field 4: the sample \"a_1\" is already in field 2\
             \n  line 2, field 4 (chromosome 1, sample \"a_1\"): found \"x\", expected a number or NA\
             \n  line 3: the row of chromosome 2 has 2 values, but the header names 3 samples\
             \n  line 4: the row of chromosome 3 has 4 values, but the header names 3 samples\
             \n  line 5: chromosome \"1\" is already on line 2\
             \n  line 6: the row starts with \"MT\", expected a chromosome: 1 to 23, or X"
        );
    }

    #[test]
    fn trailing_tabs_are_no_values() {
        let file = file_with("FID_IID\ta_1\tb_2\t\n1\t0\t0\t\n");
        assert_eq!(read_loco_file(file.path()).unwrap().values, [0.0, 0.0]);
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "(FID_IID a_1 b_2\n)?[ -~\t\n]{0,80}") {
            let _ = read_loco_file(file_with(&text).path());
        }
    }
}
