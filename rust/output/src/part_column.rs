//! One column of a part, encoded once however many parts hold it.
//!
//! All traits of a sample set share the columns of the variants and of their genotypes. A column chunk does not hang on
//! the file that it stands in, so the bytes are the same as if each part had encoded its own.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{Array, ArrayRef};
use arrow_schema::{FieldRef, Schema};
use arrow_select::concat::concat;
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::compute_leaves;
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::writer::{SerializedRowGroupWriter, TrackedWrite};

use crate::parquet_layout::{PartCompression, column_options};

/// The rows of one column, and what they are in a file as soon as one part needed it.
#[derive(Debug)]
pub(crate) struct PartColumn {
    field: FieldRef,
    arrays: Vec<ArrayRef>,
    encoded: Mutex<Option<Arc<EncodedColumn>>>,
}

/// A column chunk, ready to stand in any file.
#[derive(Debug)]
pub(crate) struct EncodedColumn {
    pages: Bytes,
    facts: ColumnCloseResult,
}

impl PartColumn {
    /// A column from its arrays, one a batch.
    pub(crate) fn new(field: FieldRef, arrays: Vec<ArrayRef>) -> Self {
        Self {
            field,
            arrays,
            encoded: Mutex::new(None),
        }
    }

    /// Whether this is the column of these very arrays: the same memory, not merely equal values.
    pub(crate) fn is_of(&self, field: &FieldRef, arrays: &[ArrayRef]) -> bool {
        // This column keeps its memory alive, so no other array can have come to stand in its place.
        let same = |(own, other): (&ArrayRef, &ArrayRef)| own.to_data().ptr_eq(&other.to_data());
        self.field == *field && self.arrays.len() == arrays.len() && self.arrays.iter().zip(arrays).all(same)
    }

    /// The encoded column: by the first caller; others wait for it.
    ///
    /// # Errors
    /// The encoder does not know the column's type.
    pub(crate) fn encoded(&self, compression: PartCompression) -> Result<Arc<EncodedColumn>, ParquetError> {
        // After a panic or an error there is nothing here, and the next caller tries for itself.
        let mut encoded = self.encoded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ready) = &*encoded {
            return Ok(Arc::clone(ready));
        }
        let ready = Arc::new(self.encode(compression)?);
        *encoded = Some(Arc::clone(&ready));
        Ok(ready)
    }

    fn encode(&self, compression: PartCompression) -> Result<EncodedColumn, ParquetError> {
        let schema = Arc::new(Schema::new(vec![FieldRef::clone(&self.field)]));
        let options = column_options(&schema, compression)?;
        let (file, factory) =
            ArrowWriter::try_new_with_options(io::sink(), schema, options)?.into_serialized_writer()?;
        // In one go, so that the pages depend on the rows alone and not on how they came in batches.
        let rows = match self.arrays.as_slice() {
            [only] => ArrayRef::clone(only),
            several => concat(&several.iter().map(AsRef::as_ref).collect::<Vec<&dyn Array>>())?,
        };
        let nested = || ParquetError::General(format!("column {} is nested", self.field.name()));
        let mut writer = factory.create_column_writers(0)?.pop().ok_or_else(nested)?;
        for leaf in compute_leaves(&self.field, &rows)? {
            writer.write(&leaf)?;
        }
        let chunk = writer.close()?;
        let facts = chunk.close().clone();
        let mut pages = TrackedWrite::new(Vec::new());
        let properties = Arc::clone(file.properties());
        let mut group =
            SerializedRowGroupWriter::new(Arc::new(file.schema_descr().clone()), properties, &mut pages, 0, None);
        chunk.append_to_row_group(&mut group)?;
        let placed = group.close()?;
        // A dictionary is encoded last and stands first.
        let metadata = placed.column(0);
        let dictionary_bytes = metadata
            .dictionary_page_offset()
            .map_or(0, |start| metadata.data_page_offset() - start);
        Ok(EncodedColumn {
            pages: Bytes::from(pages.into_inner()?),
            facts: facts.update_dictionary_location(usize::try_from(dictionary_bytes)?)?,
        })
    }
}

impl EncodedColumn {
    /// Puts the column next in a row group.
    pub(crate) fn append_to<Target: io::Write + Send>(
        &self,
        group: &mut SerializedRowGroupWriter<'_, Target>,
    ) -> Result<(), ParquetError> {
        group.append_column(&self.pages, self.facts.clone())
    }
}
