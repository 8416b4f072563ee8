//! `.sample` files: who the columns of a BGEN are.
//!
//! Sex is the fourth field, whatever the header calls it, as REGENIE reads it (spec section 2.2). A column named `sex`
//! that stands elsewhere is not used.

use std::collections::HashMap;
use std::path::Path;

use crate::error::TablesError;
use crate::fields::{excerpt, is_blank, split_row};
use crate::problems::{Problems, wrong_line};
use crate::source::Text;
use crate::text_column::TextColumn;
use crate::trait_table::wrong_count;

const SEX_FIELD: usize = 3;

/// Rows of a `.sample` file, in the order of the BGEN.
#[derive(Debug, Clone, Default)]
pub struct SampleTable {
    /// First field of each row.
    pub family_ids: TextColumn,
    /// Second field of each row.
    pub individual_ids: TextColumn,
    /// 0 unknown, 1 male, 2 female.
    pub sex: Vec<i8>,
}

/// Reads a `.sample` file.
///
/// # Errors
/// The file cannot be read; the header does not start with `ID_1 ID_2`; the type row is missing; a row has another
/// number of fields than the header; a sex is not 0, 1, 2 or NA; a sample is there twice. All bad rows are told together.
pub fn read_sample_file(path: &Path) -> Result<SampleTable, TablesError> {
    let text = Text::read(path)?;
    let mut lines = text.lines();
    let header = read_header(path, lines.next().map_or("", |(_, line)| line))?;
    check_type_row(path, lines.next().map_or("", |(_, line)| line), header.len())?;

    let mut table = SampleTable::default();
    let mut problems = Problems::default();
    let mut line_of = HashMap::new();
    let mut fields = Vec::with_capacity(header.len());
    let mut empty_line = None;
    for (line, content) in lines {
        if is_blank(content) {
            empty_line = empty_line.or(Some(line));
            continue;
        }
        if let Some(empty) = empty_line.take() {
            problems.add(empty, || {
                ": the line is empty, and there are samples after it".to_owned()
            });
        }
        split_row(content, header.len(), &mut fields);
        if fields.len() != header.len() {
            problems.add(line, || wrong_count(content, fields.len(), header.len()));
            continue;
        }
        let (family, individual) = (fields[0], fields[1]);
        if let Some(earlier) = line_of.insert((family, individual), line) {
            problems.add(line, || {
                format!(
                    ": the sample {} {} is already on line {earlier}",
                    excerpt(family),
                    excerpt(individual)
                )
            });
        }
        let sex = fields.get(SEX_FIELD).map_or(Some(0), |cell| parse_sex(cell)).unwrap_or_else(|| {
            problems.add(line, || {
                let (name, cell) = (header[SEX_FIELD], excerpt(fields[SEX_FIELD]));
                format!(", column 4 ({name}): found {cell}, expected sex as 1 (male), 2 (female), 0 or NA: the fourth column of a .sample file is read as sex")
            });
            0
        });
        table.family_ids.push(family);
        table.individual_ids.push(individual);
        table.sex.push(sex);
    }
    problems.check(path)?;
    if table.sex.is_empty() {
        return Err(wrong_line(
            path,
            3,
            ": there are two header lines but no sample after them",
        ));
    }
    Ok(table)
}

fn parse_sex(cell: &str) -> Option<i8> {
    match cell {
        "0" | "NA" => Some(0),
        "1" => Some(1),
        "2" => Some(2),
        _ => None,
    }
}

fn read_header<'text>(path: &Path, line: &'text str) -> Result<Vec<&'text str>, TablesError> {
    let mut names = Vec::new();
    split_row(line, 0, &mut names);
    let starts_well =
        names.len() >= 2 && names[0].eq_ignore_ascii_case("ID_1") && names[1].eq_ignore_ascii_case("ID_2");
    if starts_well {
        return Ok(names);
    }
    let what = format!(
        ": expected the header of a .sample file, which starts with ID_1 ID_2 (for example \"ID_1 ID_2 missing sex\"); found {}",
        excerpt(line)
    );
    Err(wrong_line(path, 1, &what))
}

fn check_type_row(path: &Path, line: &str, expected: usize) -> Result<(), TablesError> {
    let mut types = Vec::with_capacity(expected);
    split_row(line, expected, &mut types);
    if types.len() < 2 || types[0] != "0" || types[1] != "0" {
        let what = format!(
            ": expected the row of column types, which starts with 0 0 (for example \"0 0 0 D\"); found {}. \
             A .sample file has two header lines",
            excerpt(line)
        );
        return Err(wrong_line(path, 2, &what));
    }
    if types.len() != expected {
        return Err(wrong_line(path, 2, &wrong_count(line, types.len(), expected)));
    }
    let mut problems = Problems::default();
    for (column, found) in (1..).zip(&types) {
        if !matches!(*found, "0" | "D" | "C" | "P" | "B") {
            problems.add(2, || {
                format!(
                    ", column {column}: found {}, expected a column type: 0, D, C, P or B",
                    excerpt(found)
                )
            });
        }
    }
    problems.check(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_files::{file_with, message};

    fn refused(text: &str) -> String {
        message(text, read_sample_file)
    }

    #[test]
    fn samples_with_sex_in_the_fourth_field() {
        let file = file_with("ID_1 ID_2 missing sex\r\n0 0 0 D\r\n1 1 0 1\r\n2 2 0 2 \r\n3 3 0 0\r\n4 4 0 NA\r\n\r\n");
        let table = read_sample_file(file.path()).unwrap();
        assert_eq!(table.sex, [1, 2, 0, 0]);
        assert_eq!(table.family_ids.iter().collect::<Vec<_>>(), ["1", "2", "3", "4"]);
        assert_eq!(table.individual_ids.len(), 4);
    }

    #[test]
    fn fewer_than_four_fields_leave_sex_unknown() {
        for (header, types, row) in [("ID_1 ID_2", "0 0", "1 1"), ("ID_1 ID_2 missing", "0 0 0", "1 1 0")] {
            let file = file_with(&format!("{header}\n{types}\n{row}\n"));
            assert_eq!(read_sample_file(file.path()).unwrap().sex, [0], "{header}");
        }
    }

    #[test]
    fn every_kind_of_type_row_is_known() {
        let file = file_with("ID_1 ID_2 missing sex age pheno case\n0 0 0 D C P B\n1 1 0 1 30 0.5 1\n");
        assert_eq!(read_sample_file(file.path()).unwrap().sex, [1]);
        let message = refused("ID_1 ID_2 missing sex\n0 0 0 X\n1 1 0 1\n");
        assert_eq!(
            message,
            "FILE, line 2, column 4: found \"X\", expected a column type: 0, D, C, P or B"
        );
    }

    #[test]
    fn a_missing_type_row_or_header_is_told() {
        let message = refused("ID_1 ID_2 missing\n1 1 0\n2 2 0\n");
        assert!(
            message.starts_with("FILE, line 2: expected the row of column types"),
            "{message}"
        );
        assert!(
            message.contains("found \"1 1 0\". A .sample file has two header lines"),
            "{message}"
        );
        let message = refused("1 1 0\n2 2 0\n");
        assert!(
            message.starts_with("FILE, line 1: expected the header of a .sample file"),
            "{message}"
        );
        assert!(refused("").contains("line 1: expected the header"));
    }

    #[test]
    fn wrong_rows_are_told_together() {
        assert_eq!(
            refused("ID_1 ID_2 missing sex\n0 0 0 D\n1 1 0 M\nNA 1 1 0 1\n1 1 0 2\n2 2 0\n"),
            "FILE: 4 problems\
             \n  line 3, column 4 (sex): found \"M\", expected sex as 1 (male), 2 (female), 0 or NA: the fourth column of a .sample file is read as sex\
             \n  line 4: 5 fields, but the header has 4; a blank inside an id or a name? The line is \"NA 1 1 0 1\"\
             \n  line 5: the sample \"1\" \"1\" is already on line 3\
             \n  line 6: 3 fields, but the header has 4; a value left out? The line is \"2 2 0\""
        );
    }

    #[test]
    fn a_file_without_samples_is_refused() {
        assert!(refused("ID_1 ID_2 missing\n0 0 0\n").contains("no sample"));
    }
}
