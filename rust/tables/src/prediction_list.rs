//! The list of prediction files: which LOCO file belongs to which trait.

use std::collections::HashMap;
use std::path::Path;

use crate::error::TablesError;
use crate::fields::{Fields, excerpt, is_blank};
use crate::problems::{Problems, wrong_line};
use crate::source::Text;

/// One line of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PredictionEntry {
    /// The trait.
    pub name: String,
    /// Path of its LOCO file as written: the rest of the line, so it may hold blanks.
    pub file: String,
    /// Where the entry stands, from 1.
    pub line: usize,
}

/// The entries of the list, in its order.
///
/// # Errors
/// The file cannot be read, is empty, or has a line without a path or a trait twice. All bad lines are told together.
pub fn read_prediction_list(path: &Path) -> Result<Vec<PredictionEntry>, TablesError> {
    let text = Text::read(path)?;
    let mut entries = Vec::new();
    let mut problems = Problems::default();
    let mut line_of = HashMap::new();
    for (line, content) in text.lines().filter(|(_, content)| !is_blank(content)) {
        let mut fields = Fields::new(content);
        let name = fields.next().unwrap_or("");
        let file = fields.rest();
        if name.is_empty() || file.is_empty() {
            problems.add(line, || {
                format!(
                    ": expected a trait and the path of its LOCO file; found {}",
                    excerpt(content)
                )
            });
            continue;
        }
        if let Some(earlier) = line_of.insert(name, line) {
            problems.add(line, || {
                format!(": the trait {} is already on line {earlier}", excerpt(name))
            });
        }
        entries.push(PredictionEntry {
            name: name.to_owned(),
            file: file.to_owned(),
            line,
        });
    }
    problems.check(path)?;
    if entries.is_empty() {
        return Err(wrong_line(
            path,
            1,
            ": the list is empty; expected a trait and the path of its LOCO file a line",
        ));
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_files::{file_with, message};

    #[test]
    fn the_path_is_the_rest_of_the_line() {
        let file = file_with("\u{feff}Y1 数据 a b/y_1.loco \r\n\nY2\tplain.loco\n");
        let list = read_prediction_list(file.path()).unwrap();
        let expected = [("Y1", "数据 a b/y_1.loco", 1), ("Y2", "plain.loco", 3)];
        let entries: Vec<_> = list
            .iter()
            .map(|entry| (entry.name.as_str(), entry.file.as_str(), entry.line))
            .collect();
        assert_eq!(entries, expected);
    }

    #[test]
    fn wrong_lines_are_told_together() {
        assert_eq!(
            message("Y1\nY2 a\nY2 b\n", read_prediction_list),
            "FILE: 2 problems\
             \n  line 1: expected a trait and the path of its LOCO file; found \"Y1\"\
             \n  line 3: the trait \"Y2\" is already on line 2"
        );
        assert!(message("\n", read_prediction_list).contains("the list is empty"));
    }
}
