//! The five fields that begin every line of a result: which variant it is about.

use arrow_array::Int64Array;

use crate::columns::{Columns, TextColumn};
use crate::error::OutputError;
use crate::text_fields::{push_integer, push_text};

/// Names of the fields.
pub(crate) const HEADER: &str = "CHROM GENPOS ID ALLELE0 ALLELE1";

/// Their columns in one batch.
pub(crate) struct VariantFields {
    chromosome: Int64Array,
    position: Int64Array,
    id: TextColumn,
    allele0: TextColumn,
    allele1: TextColumn,
}

impl VariantFields {
    pub(crate) fn new(columns: &Columns<'_>) -> Result<Self, OutputError> {
        Ok(Self {
            chromosome: columns.integer("CHROM_CODE")?,
            position: columns.integer("GENPOS")?,
            id: columns.text("ID")?,
            allele0: columns.text("ALLELE0")?,
            allele1: columns.text("ALLELE1")?,
        })
    }

    pub(crate) fn push(&self, line: &mut Vec<u8>, row: usize) {
        push_integer(line, &self.chromosome, row);
        push_integer(line, &self.position, row);
        for column in [&self.id, &self.allele0, &self.allele1] {
            push_text(line, column.get(row));
        }
    }
}
