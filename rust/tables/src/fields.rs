//! A line to fields.
//!
//! Fields are separated by a run of blanks, or by one tab with blanks around it. So blanks and tabs may be mixed, and
//! two tabs in a row hold an empty field between them: an empty cell stays a cell and shifts nothing.

/// Fields of one line, from left to right.
pub(crate) struct Fields<'text> {
    line: &'text str,
    position: usize,
    done: bool,
}

impl<'text> Fields<'text> {
    pub(crate) fn new(line: &'text str) -> Self {
        let line = line.trim_matches(' ');
        Self {
            line,
            position: 0,
            done: line.is_empty(),
        }
    }

    /// What has not been read yet, without blanks around it.
    pub(crate) fn rest(&self) -> &'text str {
        if self.done {
            ""
        } else {
            self.line[self.position..].trim_matches([' ', '\t'])
        }
    }
}

impl<'text> Iterator for Fields<'text> {
    type Item = &'text str;

    fn next(&mut self) -> Option<&'text str> {
        if self.done {
            return None;
        }
        let bytes = self.line.as_bytes();
        let start = self.position;
        let length = bytes[start..].iter().position(|byte| matches!(byte, b' ' | b'\t'));
        let end = length.map_or(bytes.len(), |length| start + length);
        let blank = |position: usize| bytes.get(position) == Some(&b' ');
        let mut next = end;
        while blank(next) {
            next += 1;
        }
        if bytes.get(next) == Some(&b'\t') {
            next += 1;
            while blank(next) {
                next += 1;
            }
        }
        self.position = next;
        self.done = end == bytes.len();
        Some(&self.line[start..end])
    }
}

/// Splits a row into `fields`; empty fields beyond `expected` (trailing tabs) are dropped.
pub(crate) fn split_row<'text>(line: &'text str, expected: usize, fields: &mut Vec<&'text str>) {
    fields.clear();
    fields.extend(Fields::new(line));
    while fields.len() > expected && fields.last() == Some(&"") {
        fields.pop();
    }
}

/// Whether the line holds nothing but blanks and tabs.
pub(crate) fn is_blank(line: &str) -> bool {
    line.bytes().all(|byte| matches!(byte, b' ' | b'\t'))
}

/// At most sixty characters of a text, quoted, hidden characters made visible.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn split(line: &str) -> Vec<&str> {
        Fields::new(line).collect()
    }

    #[test]
    fn blanks_and_tabs_may_be_mixed() {
        assert_eq!(split("a b\tc  d \t e"), ["a", "b", "c", "d", "e"]);
        assert_eq!(split("  a b  "), ["a", "b"]);
        assert_eq!(split("   "), [""; 0]);
    }

    #[test]
    fn an_empty_cell_between_tabs_is_a_field() {
        assert_eq!(split("a\t\tb"), ["a", "", "b"]);
        assert_eq!(split("a\t \tb"), ["a", "", "b"]);
        assert_eq!(split("\ta"), ["", "a"]);
    }

    #[test]
    fn trailing_tabs_are_cells_only_where_cells_are_expected() {
        let mut fields = Vec::new();
        split_row("a\tb\t\t", 2, &mut fields);
        assert_eq!(fields, ["a", "b"]);
        split_row("a\tb\t\t", 3, &mut fields);
        assert_eq!(fields, ["a", "b", ""]);
    }

    #[test]
    fn the_rest_of_a_line_keeps_its_inner_blanks() {
        let mut fields = Fields::new("Y1 \t my folder/y 1.loco \t");
        assert_eq!(fields.next(), Some("Y1"));
        assert_eq!(fields.rest(), "my folder/y 1.loco");
        let mut fields = Fields::new("Y1");
        fields.next();
        assert_eq!(fields.rest(), "");
    }

    #[test]
    fn an_excerpt_shows_hidden_characters_and_is_short() {
        assert_eq!(excerpt("1\u{a0}2\r"), "\"1\\u{a0}2\\r\"");
        assert!(excerpt(&"é".repeat(100)).chars().count() < 70);
    }

    proptest! {
        #[test]
        fn words_joined_by_any_separator_come_back(
            words in proptest::collection::vec("[^ \t\r\n]{1,8}", 1..12),
            separators in proptest::collection::vec("( {1,3}| ?\t ?)", 12),
        ) {
            let mut line = String::new();
            for (index, word) in words.iter().enumerate() {
                if index > 0 {
                    line.push_str(&separators[index]);
                }
                line.push_str(word);
            }
            prop_assert_eq!(split(&line), words);
        }
    }
}
