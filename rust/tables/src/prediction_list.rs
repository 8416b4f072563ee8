//! The list of prediction files: which LOCO file belongs to which trait.

use std::collections::HashMap;
use std::path::Path;

use crate::error::TablesError;
use crate::fields::{Fields, excerpt, is_blank};
use crate::problems::{Problems, wrong_line};
use crate::source::Text;

/// Trait and path, as written, of each line. The path is the rest of the line, so it may hold blanks.
///
/// # Errors
/// The file cannot be read, is empty, or has a line without a path or a trait twice. All bad lines are told together.
pub fn read_prediction_list(path: &Path) -> Result<Vec<(String, String)>, TablesError> {
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
        entries.push((name.to_owned(), file.to_owned()));
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
