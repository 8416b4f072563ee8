//! Rows of one chunk and sample set in either format, and their values.
//!
//! Belongs here: where a decoder writes a row, which rows lie beside the packed ones, and making values of a packed
//! row. Does not belong here: which variants have stored bytes to pack (`decoder`).

use crate::aligned_buffer::{PooledBuffer, RowSlice};
use crate::byte_pair_kernels::MAX_VALUE;
use crate::byte_pairs;
use crate::coding::Coding;
use crate::convert::{index, whole_steps};
use crate::genotype_format::GenotypeFormat;
use crate::integer_sums::IntegerCentre;
use crate::moments::VariantMoments;
use crate::sample_set::SampleSet;
use crate::stream_plan::StreamPlan;

/// Where one row goes.
pub(crate) enum RowTarget<'a> {
    /// Values.
    Values(&'a mut [f32]),
    /// Stored bytes; or values, appended to those of the tile.
    Packed {
        /// The place of the stored bytes.
        row: &'a mut [u16],
        /// Values of the rows that are not packed.
        side: &'a mut Vec<f32>,
    },
}

impl<'a> RowTarget<'a> {
    /// A place for values. The packed row, if there is one, is all zeros.
    pub(crate) fn into_values(self) -> &'a mut [f32] {
        match self {
            Self::Values(row) => row,
            Self::Packed { row, side } => {
                row.fill(0);
                let start = side.len();
                side.resize(start + row.len(), 0.0);
                &mut side[start..]
            }
        }
    }
}

/// A tile's rows of one sample set while it is decoded.
pub(crate) struct TileRows<'a> {
    pub(crate) slice: &'a mut RowSlice,
    pub(crate) columns: usize,
    pub(crate) format: GenotypeFormat,
}

impl TileRows<'_> {
    /// Where row `row` goes; `side` takes it where it cannot be packed.
    pub(crate) fn target<'t>(&'t mut self, row: usize, side: &'t mut Vec<f32>) -> RowTarget<'t> {
        let range = row * self.columns..(row + 1) * self.columns;
        match self.format {
            GenotypeFormat::Dosage => RowTarget::Values(&mut self.slice.as_mut_slice()[range]),
            GenotypeFormat::Packed8 => RowTarget::Packed {
                row: &mut self.slice.as_mut_slice()[range],
                side,
            },
        }
    }

    /// Fill the rows from `first` on, which are padding.
    pub(crate) fn pad_from(&mut self, first: usize) {
        match self.format {
            GenotypeFormat::Dosage => self.slice.as_mut_slice::<f32>()[first * self.columns..].fill(0.0),
            GenotypeFormat::Packed8 => self.slice.as_mut_slice::<u16>()[first * self.columns..].fill(0),
        }
    }
}

/// What values are made of, beside the stored bytes.
#[derive(Clone, Copy, Debug)]
struct Recipe {
    n_samples: usize,
    effect_is_first_allele: bool,
    coding: Coding,
}

/// The rows of one chunk and sample set.
#[derive(Debug)]
pub(crate) struct ChunkRows {
    buffer: PooledBuffer,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) format: GenotypeFormat,
    recipe: Recipe,
    /// Values of the rows that are not packed, tile by tile.
    side: Vec<Vec<f32>>,
    /// Numbers of those rows, ascending.
    side_rows: Vec<u32>,
}

impl ChunkRows {
    /// `side` has one entry a tile of the plan.
    pub(crate) fn new(
        plan: &StreamPlan,
        set: &SampleSet,
        rows: usize,
        buffer: PooledBuffer,
        side: Vec<Vec<f32>>,
        packed: &[bool],
    ) -> Self {
        let side_rows = match plan.genotype_format {
            GenotypeFormat::Dosage => Vec::new(),
            GenotypeFormat::Packed8 => (0_u32..)
                .zip(packed)
                .filter(|(_, packed)| !**packed)
                .map(|(row, _)| row)
                .collect(),
        };
        Self {
            buffer,
            rows,
            columns: plan.columns(set),
            format: plan.genotype_format,
            recipe: Recipe {
                n_samples: set.len(),
                effect_is_first_allele: plan.effect_is_first_allele,
                coding: plan.coding,
            },
            side,
            side_rows,
        }
    }

    /// All values, or none in the packed format.
    pub(crate) fn values(&self) -> &[f32] {
        match self.format {
            GenotypeFormat::Dosage => &self.buffer.as_slice()[..self.rows * self.columns],
            GenotypeFormat::Packed8 => &[],
        }
    }

    /// All stored bytes, or none in the dosage format.
    pub(crate) fn packed(&self) -> &[u16] {
        match self.format {
            GenotypeFormat::Dosage => &[],
            GenotypeFormat::Packed8 => &self.buffer.as_slice()[..self.rows * self.columns],
        }
    }

    /// Rows that are not packed.
    pub(crate) fn side_rows(&self) -> &[u32] {
        &self.side_rows
    }

    /// Write the values of one row, which is one of the variants.
    pub(crate) fn copy_row(&self, row: usize, moments: &VariantMoments, target: &mut [f32]) {
        let place = row * self.columns..(row + 1) * self.columns;
        if self.format == GenotypeFormat::Dosage {
            target.copy_from_slice(&self.values()[place]);
        } else if moments.packed[row] {
            let pairs = byte_pairs::unpack(&self.packed()[place][..self.recipe.n_samples]);
            let centre = IntegerCentre {
                flipped: moments.flipped[row],
                steps: whole_steps(moments.centre[row] * f64::from(MAX_VALUE)),
                missing_value: 0.0,
            };
            let Recipe {
                effect_is_first_allele,
                coding,
                ..
            } = self.recipe;
            byte_pairs::write(&pairs, effect_is_first_allele, coding, &centre, &[], target);
        } else {
            target.copy_from_slice(self.side_row(row));
        }
    }

    fn side_row(&self, row: usize) -> &[f32] {
        let before = self.side_rows.partition_point(|side_row| index(*side_row) < row);
        let mut place = before * self.columns;
        for tile in &self.side {
            if place < tile.len() {
                return &tile[place..place + self.columns];
            }
            place -= tile.len();
        }
        &[]
    }
}
