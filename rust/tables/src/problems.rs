//! A file's problems told together: the first ten in words, the others as a count.

use std::fmt;
use std::path::Path;

use crate::error::TablesError;

const SHOWN: usize = 10;

/// Places of one file that are wrong, in file order.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Problems {
    shown: Vec<String>,
    total: usize,
}

impl Problems {
    /// How many places are wrong, shown or not.
    #[must_use]
    pub fn total(&self) -> usize {
        self.total
    }

    /// Adds one place; `describe` is called only while there is room for its words.
    pub(crate) fn add(&mut self, line: usize, describe: impl FnOnce() -> String) {
        if self.shown.len() < SHOWN {
            self.shown.push(format!("line {line}{}", describe()));
        }
        self.total += 1;
    }

    /// An error if any place is wrong.
    pub(crate) fn check(self, path: &Path) -> Result<(), TablesError> {
        if self.total == 0 {
            Ok(())
        } else {
            Err(TablesError::Wrong {
                path: path.to_owned(),
                problems: self,
            })
        }
    }
}

/// The error for a file with one wrong line that makes reading on pointless.
pub(crate) fn wrong_line(path: &Path, line: usize, what: &str) -> TablesError {
    let mut problems = Problems::default();
    problems.add(line, || what.to_owned());
    TablesError::Wrong {
        path: path.to_owned(),
        problems,
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let ([only], 1) = (self.shown.as_slice(), self.total) {
            return write!(formatter, ", {only}");
        }
        write!(formatter, ": {} problems", self.total)?;
        for problem in &self.shown {
            write!(formatter, "\n  {problem}")?;
        }
        match self.total - self.shown.len() {
            0 => Ok(()),
            more => write!(formatter, "\n  and {more} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_are_shown_and_the_others_counted() {
        let mut problems = Problems::default();
        for line in 1..=13 {
            problems.add(line, || format!(": wrong {line}"));
        }
        let text = problems.to_string();
        assert!(text.starts_with(": 13 problems\n  line 1: wrong 1\n"), "{text}");
        assert!(
            text.contains("line 10: wrong 10") && !text.contains("line 11"),
            "{text}"
        );
        assert!(text.ends_with("\n  and 3 more"), "{text}");
    }
}
