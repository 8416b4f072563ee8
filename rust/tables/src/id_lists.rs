//! Lists of variants and of samples.

use std::path::Path;

use crate::error::TablesError;
use crate::fields::{Fields, excerpt, is_blank};
use crate::header::is_id_header;
use crate::problems::Problems;
use crate::source::Text;

/// First field of each line; empty lines are skipped. An empty file is an empty list.
///
/// # Errors
/// The file cannot be read, or a line starts with a tab.
pub fn read_id_list(path: &Path) -> Result<Vec<String>, TablesError> {
    let text = Text::read(path)?;
    let mut ids = Vec::new();
    let mut problems = Problems::default();
    for (line, content) in text.lines().filter(|(_, content)| !is_blank(content)) {
        match Fields::new(content).next() {
            Some(id) if !id.is_empty() => ids.push(id.to_owned()),
            _ => problems.add(line, || format!(": expected an id first; found {}", excerpt(content))),
        }
    }
    problems.check(path)?;
    Ok(ids)
}

/// FID and IID of each line; a header `FID IID` and empty lines are skipped, further columns ignored.
///
/// # Errors
/// The file cannot be read, a line has fewer than two fields, or lines differ in their number of fields (a blank inside
/// an id would otherwise name another person). All bad lines are told together.
pub fn read_sample_list(path: &Path) -> Result<Vec<(String, String)>, TablesError> {
    let text = Text::read(path)?;
    let mut samples = Vec::new();
    let mut problems = Problems::default();
    let mut first_count: Option<(usize, usize)> = None;
    for (line, content) in text.lines().filter(|(_, content)| !is_blank(content)) {
        let mut fields: Vec<&str> = Fields::new(content).collect();
        while fields.last() == Some(&"") {
            fields.pop();
        }
        if fields.len() < 2 || fields[0].is_empty() || fields[1].is_empty() {
            problems.add(line, || format!(": expected FID and IID; found {}", excerpt(content)));
            continue;
        }
        if line == 1 && is_id_header(fields[0], fields[1]) {
            continue;
        }
        let (first_line, expected) = *first_count.get_or_insert((line, fields.len()));
        if fields.len() != expected {
            let found = fields.len();
            problems.add(line, || {
                format!(
                    ": {found} fields, but line {first_line} has {expected}; a blank inside an id? The line is {}",
                    excerpt(content)
                )
            });
        }
        samples.push((fields[0].to_owned(), fields[1].to_owned()));
    }
    problems.check(path)?;
    Ok(samples)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_files::{file_with, message};

    #[test]
    fn variants_are_the_first_fields() {
        assert_eq!(
            read_id_list(file_with("rs1 more\r\n\n rs2\n").path()).unwrap(),
            ["rs1", "rs2"]
        );
        assert!(read_id_list(file_with("").path()).unwrap().is_empty());
        assert_eq!(
            message("\trs1\n", read_id_list),
            "FILE, line 1: expected an id first; found \"\\trs1\""
        );
    }

    #[test]
    fn samples_are_two_fields_with_or_without_a_header() {
        for text in ["1 a\n2 b\n", "#FID IID\n1\ta\n2\tb\t\r\n\n"] {
            let samples = read_sample_list(file_with(text).path()).unwrap();
            assert_eq!(
                samples,
                [("1", "a"), ("2", "b")].map(|(family, own)| (family.to_owned(), own.to_owned())),
                "{text}"
            );
        }
    }

    #[test]
    fn wrong_lines_are_told_together() {
        assert_eq!(
            message("1 1\n2\nNA 3 3\n", read_sample_list),
            "FILE: 2 problems\
             \n  line 2: expected FID and IID; found \"2\"\
             \n  line 3: 3 fields, but line 1 has 2; a blank inside an id? The line is \"NA 3 3\""
        );
    }
}
