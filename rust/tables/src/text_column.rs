//! Many short texts without an allocation each.

/// Texts one after the other in one buffer.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct TextColumn {
    buffer: String,
    ends: Vec<usize>,
}

impl TextColumn {
    /// Number of texts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The texts in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.ends.len()).map(|index| {
            let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
            &self.buffer[start..self.ends[index]]
        })
    }

    pub(crate) fn push(&mut self, text: &str) {
        self.buffer.push_str(text);
        self.ends.push(self.buffer.len());
    }
}

impl<'text> FromIterator<&'text str> for TextColumn {
    fn from_iter<Texts: IntoIterator<Item = &'text str>>(texts: Texts) -> Self {
        let mut column = Self::default();
        for text in texts {
            column.push(text);
        }
        column
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_in_order() {
        let column: TextColumn = ["a", "", "数据", "b c"].into_iter().collect();
        assert_eq!(column.iter().collect::<Vec<_>>(), ["a", "", "数据", "b c"]);
        assert_eq!(column.len(), 4);
        assert!(!column.is_empty());
    }
}
