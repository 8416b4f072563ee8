//! The first line of a phenotype or covariate table.

use std::collections::HashMap;
use std::path::Path;

use crate::error::TablesError;
use crate::fields::{Fields, excerpt};
use crate::problems::{Problems, wrong_line};

const EXPECTED: &str = "expected a header that starts with FID IID (or #FID IID), separated by blanks or tabs";

/// Column names after FID and IID, from a table's first line.
pub(crate) fn table_columns<'text>(path: &Path, line: &'text str) -> Result<Vec<&'text str>, TablesError> {
    let mut names: Vec<&str> = Fields::new(line).collect();
    while names.last() == Some(&"") {
        names.pop();
    }
    let first = names.first().copied().unwrap_or("");
    let starts_well = is_word(first, "FID") && names.get(1).is_some_and(|second| is_word(second, "IID"));
    if !starts_well {
        let what = format!(": {EXPECTED}; found {}{}", excerpt(line), header_hint(first, line));
        return Err(wrong_line(path, 1, &what));
    }
    let names = names.split_off(2);
    check_names(path, &names)?;
    Ok(names)
}

/// Whether the first line of a sample list is a header.
pub(crate) fn is_id_header(first: &str, second: &str) -> bool {
    is_word(first, "FID") && is_word(second, "IID")
}

fn is_word(field: &str, word: &str) -> bool {
    field.strip_prefix('#').unwrap_or(field).eq_ignore_ascii_case(word)
}

fn header_hint(first: &str, line: &str) -> &'static str {
    if line.is_empty() {
        "; the file or its first line is empty"
    } else if is_word(first, "IID") {
        "; a file with IID alone needs a FID column before it"
    } else if line.contains(',') {
        "; a file with commas must be written with tabs"
    } else if line.contains(['"', '\'']) {
        "; write names without quotes"
    } else {
        ""
    }
}

fn check_names(path: &Path, names: &[&str]) -> Result<(), TablesError> {
    let mut problems = Problems::default();
    let mut seen: HashMap<&str, usize> = HashMap::with_capacity(names.len());
    for (column, name) in (3..).zip(names) {
        if name.is_empty() {
            problems.add(1, || {
                format!(", column {column}: the column has no name; two tabs in a row?")
            });
        } else if let Some(earlier) = seen.insert(name, column) {
            problems.add(1, || {
                format!(
                    ", column {column}: the name {} is already that of column {earlier}",
                    excerpt(name)
                )
            });
        }
    }
    problems.check(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(line: &str) -> Result<Vec<&str>, String> {
        table_columns(Path::new("FILE"), line).map_err(|error| error.to_string())
    }

    #[test]
    fn the_headers_that_are_known() {
        for line in [
            "FID IID Y1 Y2",
            "#FID IID Y1 Y2",
            "fid\tiid\tY1\tY2\t",
            "FID  IID \t Y1 Y2  ",
        ] {
            assert_eq!(columns(line).unwrap(), ["Y1", "Y2"], "{line}");
        }
    }

    #[test]
    fn another_header_is_told_with_what_it_holds_and_what_to_do() {
        for (line, hint) in [
            ("IID Y1", "IID alone"),
            ("#IID Y1", "IID alone"),
            ("FID,IID,Y1", "commas"),
            ("\"FID\" \"IID\"", "quotes"),
            ("", "empty"),
            ("1001 1001 0.5", "found \"1001 1001 0.5\""),
        ] {
            let message = columns(line).unwrap_err();
            assert!(
                message.starts_with("FILE, line 1: expected a header that starts with FID IID"),
                "{message}"
            );
            assert!(message.contains(hint), "{message}");
        }
    }

    #[test]
    fn a_name_that_is_there_twice_or_empty_is_told_with_its_column() {
        let message = columns("FID IID Y1\t\tY1").unwrap_err();
        assert!(
            message.contains("line 1, column 4: the column has no name"),
            "{message}"
        );
        assert!(
            message.contains("line 1, column 5: the name \"Y1\" is already that of column 3"),
            "{message}"
        );
    }
}
