//! Many short strings in one allocation.

use std::borrow::Cow;
use std::fmt;

/// An append-only column of strings, laid out as Arrow's utf8: one text and `len + 1` offsets.
#[derive(Clone, PartialEq, Eq)]
pub struct TextColumn {
    text: String,
    offsets: Vec<i32>,
}

/// A column in the making: bytes as they come, made into text all at once, which is many times faster.
#[derive(Debug)]
pub(crate) struct TextBuilder {
    bytes: Vec<u8>,
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
        bounds(&self.offsets, position)
            .and_then(|(start, end)| self.text.get(start..end))
            .unwrap_or("")
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
}

impl Default for TextBuilder {
    fn default() -> Self {
        Self::with_capacity(0, 0)
    }
}

impl TextBuilder {
    /// Room for `strings` of `bytes` together.
    pub(crate) fn with_capacity(strings: usize, bytes: usize) -> Self {
        let mut offsets = Vec::with_capacity(strings.saturating_add(1));
        offsets.push(0);
        Self {
            bytes: Vec::with_capacity(bytes),
            offsets,
        }
    }

    /// Append one string. False, and nothing appended, past 2 GiB of text.
    #[must_use]
    #[inline]
    pub(crate) fn push(&mut self, bytes: &[u8]) -> bool {
        let Ok(end) = i32::try_from(self.bytes.len() + bytes.len()) else {
            return false;
        };
        self.bytes.extend_from_slice(bytes);
        self.offsets.push(end);
        true
    }

    /// Append every string of another column. False past 2 GiB of text; the column is then of no use.
    #[must_use]
    pub(crate) fn append(&mut self, other: &Self) -> bool {
        let before = self.bytes.len();
        let fits = i32::try_from(before + other.bytes.len()).is_ok();
        let shift = i32::try_from(before).unwrap_or(i32::MAX);
        self.bytes.extend_from_slice(&other.bytes);
        self.offsets
            .extend(other.offsets[1..].iter().map(|end| end.saturating_add(shift)));
        fits
    }

    /// String `position` for a message, or an empty one past the end.
    pub(crate) fn get(&self, position: usize) -> Cow<'_, str> {
        let bytes = bounds(&self.offsets, position).and_then(|(start, end)| self.bytes.get(start..end));
        String::from_utf8_lossy(bytes.unwrap_or_default())
    }

    /// The column; bytes that are not UTF-8 are replaced. `None` where that takes it past 2 GiB.
    pub(crate) fn finish(mut self) -> Option<TextColumn> {
        let is_text = self.bytes.is_ascii() || (0..self.offsets.len() - 1).all(|string| self.is_text(string));
        if !is_text {
            let mut replaced = Self::with_capacity(self.offsets.len(), self.bytes.len());
            for string in 0..self.offsets.len() - 1 {
                if !replaced.push(self.get(string).as_bytes()) {
                    return None;
                }
            }
            self = replaced;
        }
        self.bytes.shrink_to_fit();
        self.offsets.shrink_to_fit();
        Some(TextColumn {
            text: String::from_utf8(self.bytes).ok()?,
            offsets: self.offsets,
        })
    }

    fn is_text(&self, string: usize) -> bool {
        let bytes = bounds(&self.offsets, string).and_then(|(start, end)| self.bytes.get(start..end));
        bytes.is_some_and(|bytes| str::from_utf8(bytes).is_ok())
    }
}

fn bounds(offsets: &[i32], position: usize) -> Option<(usize, usize)> {
    let (start, end) = (offsets.get(position)?, offsets.get(position + 1)?);
    Some((usize::try_from(*start).ok()?, usize::try_from(*end).ok()?))
}

#[cfg(test)]
mod tests {
    use super::TextBuilder;

    #[test]
    fn strings_come_back_in_order_and_bad_utf8_is_replaced() {
        let mut builder = TextBuilder::default();
        for bytes in [&b"rs1"[..], b"", b"a\xffb"] {
            assert!(builder.push(bytes));
        }
        assert_eq!(builder.get(2), "a\u{fffd}b");
        let column = builder.finish().unwrap();
        assert_eq!(column.iter().collect::<Vec<_>>(), ["rs1", "", "a\u{fffd}b"]);
        assert_eq!(column.get(3), "");
    }

    #[test]
    fn a_letter_cut_between_two_strings_is_no_letter() {
        let mut builder = TextBuilder::default();
        let letter = "\u{e9}".as_bytes();
        for bytes in [&letter[..1], &letter[1..], letter] {
            assert!(builder.push(bytes));
        }
        let column = builder.finish().unwrap();
        assert_eq!(column.iter().collect::<Vec<_>>(), ["\u{fffd}", "\u{fffd}", "\u{e9}"]);
    }
}
