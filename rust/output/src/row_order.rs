//! In which order the rows of several parts go into one file, and which rows of which part make a stretch of it.

use std::ops::Range;

/// Rows are numbered through all parts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RowOrder {
    /// They are sorted already.
    AsTheyAre,
    /// The number of the row that comes first, second and so on.
    Sorted(Vec<u64>),
}

/// Which rows make a stretch of the file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    /// Part and ascending ranges of its rows; parts ascend.
    pub(crate) pieces: Vec<(usize, Vec<Range<usize>>)>,
    /// Place among the rows of all pieces of the row that comes first, second and so on; None leaves them as they are.
    pub(crate) places: Option<Vec<u64>>,
}

/// The keys of a part in short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeySummary {
    first: i64,
    last: i64,
    sorted: bool,
}

impl KeySummary {
    /// None of a part without rows.
    pub(crate) fn of(keys: &[i64]) -> Option<Self> {
        Some(Self {
            first: *keys.first()?,
            last: *keys.last()?,
            sorted: keys.is_sorted(),
        })
    }
}

/// Whether parts follow each other in order.
pub(crate) fn are_sorted(parts: &[KeySummary]) -> bool {
    parts.iter().all(|part| part.sorted) && parts.windows(2).all(|pair| pair[0].last <= pair[1].first)
}

impl RowOrder {
    /// By key, and rows of one key as they were.
    pub(crate) fn by_key(keys: impl Iterator<Item = i64>) -> Self {
        let mut numbered: Vec<(i64, u64)> = keys.zip(0..).collect();
        numbered.sort_unstable();
        Self::Sorted(numbered.into_iter().map(|(_, row)| row).collect())
    }

    /// The rows that take the places `range` of the file. `part_starts` has the number of each part's first row, and
    /// the number of all rows at its end.
    pub(crate) fn stretch(&self, range: Range<usize>, part_starts: &[usize]) -> Stretch {
        match self {
            Self::AsTheyAre => Stretch {
                pieces: pieces(std::iter::once(range), part_starts),
                places: None,
            },
            Self::Sorted(order) => {
                let mut numbered: Vec<(u64, u64)> = order[range].iter().copied().zip(0..).collect();
                numbered.sort_unstable();
                let mut places = vec![0; numbered.len()];
                for (place, (_, target)) in (0..).zip(&numbered) {
                    places[index(*target)] = place;
                }
                let rows = numbered.iter().map(|(row, _)| index(*row)..index(*row) + 1);
                Stretch {
                    pieces: pieces(rows, part_starts),
                    places: Some(places),
                }
            }
        }
    }
}

fn index(number: u64) -> usize {
    // Numbers here were counted from usize.
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Cuts ascending ranges at the bounds of parts, and joins those that touch.
fn pieces(ranges: impl Iterator<Item = Range<usize>>, part_starts: &[usize]) -> Vec<(usize, Vec<Range<usize>>)> {
    let mut pieces: Vec<(usize, Vec<Range<usize>>)> = Vec::new();
    for range in ranges {
        let mut start = range.start;
        while start < range.end {
            let part = part_starts.partition_point(|first| *first <= start) - 1;
            let stop = range.end.min(part_starts[part + 1]);
            let piece = start - part_starts[part]..stop - part_starts[part];
            match pieces.last_mut() {
                Some((last_part, within)) if *last_part == part => match within.last_mut() {
                    Some(last) if last.end == piece.start => last.end = piece.end,
                    _ => within.push(piece),
                },
                _ => pieces.push((part, vec![piece])),
            }
            start = stop;
        }
    }
    pieces
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "one range of rows is what is meant")]
mod tests {
    use super::*;

    #[test]
    fn sorted_parts_in_order_stay() {
        let summaries: Vec<_> = [vec![1, 2, 2], vec![2, 5], vec![9]]
            .iter()
            .filter_map(|keys| KeySummary::of(keys))
            .collect();
        assert!(are_sorted(&summaries));
        assert!(!are_sorted(&[summaries[1], summaries[0]]));
        assert!(!are_sorted(&[KeySummary::of(&[3, 1]).unwrap()]));
        assert_eq!(KeySummary::of(&[]), None);
    }

    #[test]
    fn rows_of_one_key_stay_as_they_were() {
        assert_eq!(
            RowOrder::by_key([5, 1, 5, 1].into_iter()),
            RowOrder::Sorted(vec![1, 3, 0, 2])
        );
    }

    #[test]
    fn a_stretch_of_sorted_rows_is_cut_at_the_parts() {
        // Three parts of 4, 0 and 6 rows.
        let stretch = RowOrder::AsTheyAre.stretch(2..9, &[0, 4, 4, 10]);
        assert_eq!(stretch.pieces, [(0, vec![2..4]), (2, vec![0..5])]);
        assert_eq!(stretch.places, None);
    }

    #[test]
    fn a_stretch_of_unsorted_rows_says_where_each_goes() {
        // Two parts of 3 rows; the file begins with rows 5, 0, 4.
        let order = RowOrder::Sorted(vec![5, 0, 4, 1, 2, 3]);
        let stretch = order.stretch(0..3, &[0, 3, 6]);
        assert_eq!(stretch.pieces, [(0, vec![0..1]), (1, vec![1..3])]);
        assert_eq!(stretch.places, Some(vec![2, 0, 1]));
    }
}
