//! A set of samples that is analysed together.

use std::ops::Range;

use crate::convert::index;
use crate::error::BgenError;

/// Ascending positions of samples in the file, and which of them are male.
#[derive(Clone, Debug)]
pub struct SampleSet {
    indices: Vec<u32>,
    range: Option<Range<usize>>,
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
        if indices.last().is_some_and(|&last| last >= n_samples) {
            return Err(BgenError::Request(format!(
                "a sample set goes beyond the {n_samples} samples of the file"
            )));
        }
        let range = match (indices.first(), indices.last()) {
            (Some(&first), Some(&last)) if index(last - first) + 1 == indices.len() => {
                Some(index(first)..index(last) + 1)
            }
            _ => None,
        };
        let male_columns = (0_u32..)
            .zip(&is_male)
            .filter(|(_, male)| **male)
            .map(|(column, _)| column)
            .collect();
        Ok(Self {
            indices,
            range,
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

    /// The positions as one range, where they are one.
    pub(crate) const fn range(&self) -> Option<&Range<usize>> {
        self.range.as_ref()
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
