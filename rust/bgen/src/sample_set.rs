//! A set of samples that is analysed together.

use std::ops::Range;

use crate::convert::index;
use crate::error::BgenError;

/// Runs of fewer samples than this on average are not worth copying run by run.
const SHORTEST_RUN: usize = 12;

/// Ascending positions of samples in the file, and which of them are male.
#[derive(Clone, Debug)]
pub struct SampleSet {
    indices: Vec<u32>,
    /// Stretches of consecutive samples, where they are long enough to be copied whole.
    runs: Option<Vec<Range<usize>>>,
    male_columns: Vec<u32>,
    is_male: Vec<bool>,
}

impl SampleSet {
    /// A set of samples of a file with `n_samples`.
    ///
    /// # Errors
    ///
    /// [`BgenError::Request`] where positions do not ascend, lie outside the file, or do not match `is_male`.
    pub fn new(indices: Vec<u32>, is_male: Vec<bool>, n_samples: u32) -> Result<Self, BgenError> {
        if indices.len() != is_male.len() {
            let (samples, flags) = (indices.len(), is_male.len());
            return Err(BgenError::Request(format!(
                "a sample set has {samples} samples but {flags} male flags"
            )));
        }
        if !indices.is_sorted_by(|left, right| left < right) {
            return Err(BgenError::Request(
                "the samples of a set must ascend without repeats".to_owned(),
            ));
        }
        Self::build(indices, is_male, n_samples)
    }

    /// Samples to read in any order, repeats allowed; nobody counts as male.
    ///
    /// # Errors
    ///
    /// [`BgenError::Request`] where a position lies outside the file.
    pub fn in_any_order(indices: Vec<u32>, n_samples: u32) -> Result<Self, BgenError> {
        let is_male = vec![false; indices.len()];
        Self::build(indices, is_male, n_samples)
    }

    fn build(indices: Vec<u32>, is_male: Vec<bool>, n_samples: u32) -> Result<Self, BgenError> {
        if indices.iter().max().is_some_and(|&last| last >= n_samples) {
            return Err(BgenError::Request(format!(
                "a sample set goes beyond the {n_samples} samples of the file"
            )));
        }
        let runs: Vec<Range<usize>> = indices
            .chunk_by(|left, right| left.checked_add(1) == Some(*right))
            .map(|run| index(run[0])..index(run[0]) + run.len())
            .collect();
        let runs = (runs.len() * SHORTEST_RUN <= indices.len()).then_some(runs);
        let male_columns = (0_u32..)
            .zip(&is_male)
            .filter(|(_, male)| **male)
            .map(|(column, _)| column)
            .collect();
        Ok(Self {
            indices,
            runs,
            male_columns,
            is_male,
        })
    }

    /// Positions in the file, one a column.
    #[must_use]
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// Number of samples.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.indices.len()
    }

    /// True without samples.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    /// The entries of this set out of one entry a sample of the file; copied to `scratch` unless they are one range.
    pub(crate) fn select<'a, T: Copy>(&self, all: &'a [T], scratch: &'a mut Vec<T>) -> &'a [T] {
        if let Some([range]) = self.runs.as_deref() {
            return &all[range.clone()];
        }
        self.copy(all, scratch);
        scratch
    }

    /// As [`Self::select`], always copied.
    pub(crate) fn copy<T: Copy>(&self, all: &[T], scratch: &mut Vec<T>) {
        scratch.clear();
        match &self.runs {
            Some(runs) => runs.iter().for_each(|run| scratch.extend_from_slice(&all[run.clone()])),
            None => scratch.extend(self.indices.iter().map(|&sample| all[index(sample)])),
        }
    }

    /// Columns of males.
    pub(crate) fn male_columns(&self) -> &[u32] {
        &self.male_columns
    }

    /// Which columns are male.
    pub(crate) fn is_male(&self) -> &[bool] {
        &self.is_male
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::SampleSet;

    proptest! {
        #[test]
        fn a_selection_is_the_entries_one_by_one(absent in prop::collection::btree_set(0_u32..300, 0..60)) {
            let all: Vec<u32> = (0..300).map(|sample| sample * 7).collect();
            let indices: Vec<u32> = (0..300).filter(|sample| !absent.contains(sample)).collect();
            let expected: Vec<u32> = indices.iter().map(|sample| sample * 7).collect();
            let set = SampleSet::new(indices.clone(), vec![false; indices.len()], 300).unwrap();
            let mut scratch = vec![1, 2, 3];
            prop_assert_eq!(set.select(&all, &mut scratch), &expected);
            set.copy(&all, &mut scratch);
            prop_assert_eq!(&scratch, &expected);
        }
    }

    #[test]
    fn a_range_is_selected_without_a_copy() {
        let all: Vec<u32> = (0..100).collect();
        let set = SampleSet::new((20..90).collect(), vec![false; 70], 100).unwrap();
        let selected = set.select(&all, &mut Vec::new()).as_ptr();
        assert_eq!(selected, all[20..].as_ptr());
    }
}
