//! Many short strings in one allocation.

use std::fmt;

/// An append-only column of strings, laid out as Arrow's utf8: one text and `len + 1` offsets.
#[derive(Clone)]
pub struct TextColumn {
    text: String,
    offsets: Vec<i32>,
}

impl Default for TextColumn {
    fn default() -> Self {
        Self {
            text: String::new(),
            offsets: vec![0],
        }
    }
}

impl fmt::Debug for TextColumn {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "TextColumn of {} strings", self.len())
    }
}

impl TextColumn {
    /// Number of strings.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// True without strings.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// String `position`, or an empty one past the end.
    #[must_use]
    pub fn get(&self, position: usize) -> &str {
        let bounds = (self.offsets.get(position), self.offsets.get(position + 1));
        let (Some(&start), Some(&end)) = bounds else { return "" };
        let range = usize::try_from(start).unwrap_or(0)..usize::try_from(end).unwrap_or(0);
        self.text.get(range).unwrap_or("")
    }

    /// The strings in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|position| self.get(position))
    }

    /// All strings back to back.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Start of each string in [`Self::text`], and the end of the last.
    #[must_use]
    pub fn offsets(&self) -> &[i32] {
        &self.offsets
    }

    /// Append one string; bytes that are not UTF-8 are replaced. False, and nothing appended, past 2 GiB of text.
    #[must_use]
    pub(crate) fn push(&mut self, bytes: &[u8]) -> bool {
        let text = String::from_utf8_lossy(bytes);
        let Some(end) = self
            .text
            .len()
            .checked_add(text.len())
            .and_then(|end| i32::try_from(end).ok())
        else {
            return false;
        };
        self.text.push_str(&text);
        self.offsets.push(end);
        true
    }

    /// Give back memory that growth left unused.
    pub(crate) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.offsets.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::TextColumn;

    #[test]
    fn strings_come_back_in_order_and_bad_utf8_is_replaced() {
        let mut column = TextColumn::default();
        for bytes in [&b"rs1"[..], b"", b"a\xffb"] {
            assert!(column.push(bytes));
        }
        assert_eq!(column.iter().collect::<Vec<_>>(), ["rs1", "", "a\u{fffd}b"]);
        assert_eq!(column.get(3), "");
    }
}
