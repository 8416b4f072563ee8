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
