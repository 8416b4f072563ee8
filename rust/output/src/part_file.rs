//! A committed Parquet part as it is read back: its columns, the sort keys of its rows, and any rows of it.

use std::fs::File;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReaderBuilder, RowSelection};

use crate::columns::Columns;
use crate::error::OutputError;
use crate::parquet_layout::described;

/// Rows are sorted by these.
pub(crate) const KEY_COLUMNS: [&str; 2] = ["CHROM_CODE", "GENPOS"];

/// A part with the expected columns.
#[derive(Debug)]
pub(crate) struct PartFile {
    path: PathBuf,
    schema: SchemaRef,
    rows: usize,
}

impl PartFile {
    /// Reads the footer.
    ///
    /// # Errors
    /// The file is not there, is no Parquet, or has other columns than `schema`.
    pub(crate) fn open(path: &Path, schema: &SchemaRef) -> Result<Self, OutputError> {
        let builder = builder_of(path)?;
        if builder.schema().fields() != schema.fields() {
            let (found, expected) = (described(builder.schema()), described(schema));
            return Err(unreadable(
                path,
                format!("it has the columns {found}; expected {expected}"),
            ));
        }
        let rows = usize::try_from(builder.metadata().file_metadata().num_rows())
            .map_err(|_| unreadable(path, "its number of rows is negative".to_owned()))?;
        Ok(Self {
            path: path.to_owned(),
            schema: SchemaRef::clone(schema),
            rows,
        })
    }

    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// One number a row: by it rows are sorted by chromosome code and then position.
    pub(crate) fn keys(&self) -> Result<Vec<i64>, OutputError> {
        let builder = builder_of(&self.path)?;
        let mask = ProjectionMask::columns(builder.parquet_schema(), KEY_COLUMNS);
        let batch = self.batch_of(builder.with_projection(mask), self.rows)?;
        let columns = Columns {
            path: &self.path,
            batch: &batch,
        };
        let (codes, positions) = (columns.integer(KEY_COLUMNS[0])?, columns.integer(KEY_COLUMNS[1])?);
        let pairs = codes.values().iter().zip(positions.values());
        // A position has 32 bits.
        Ok(pairs.map(|(code, position)| (code << 32) + position).collect())
    }

    /// The rows of ascending ranges as one batch.
    pub(crate) fn read(&self, ranges: &[Range<usize>]) -> Result<RecordBatch, OutputError> {
        let mut builder = builder_of(&self.path)?;
        let wanted = ranges.iter().map(ExactSizeIterator::len).sum();
        if wanted != self.rows {
            builder =
                builder.with_row_selection(RowSelection::from_consecutive_ranges(ranges.iter().cloned(), self.rows));
        }
        let batch = self.batch_of(builder, wanted)?;
        // The reader adds the footer's entries to the schema.
        RecordBatch::try_new(SchemaRef::clone(&self.schema), batch.columns().to_vec())
            .map_err(|source| unreadable(&self.path, source.to_string()))
    }

    fn batch_of(
        &self,
        builder: ParquetRecordBatchReaderBuilder<File>,
        wanted: usize,
    ) -> Result<RecordBatch, OutputError> {
        let refused = |problem: String| unreadable(&self.path, problem);
        let reader = builder
            .with_batch_size(wanted.max(1))
            .build()
            .map_err(|source| refused(source.to_string()))?;
        let schema = arrow_array::RecordBatchReader::schema(&reader);
        let batches = reader
            .collect::<Result<Vec<_>, _>>()
            .map_err(|source| refused(source.to_string()))?;
        let batch = concat_batches(&schema, &batches).map_err(|source| refused(source.to_string()))?;
        if batch.num_rows() != wanted {
            return Err(refused(format!("{} rows instead of {wanted}", batch.num_rows())));
        }
        Ok(batch)
    }
}

fn builder_of(path: &Path) -> Result<ParquetRecordBatchReaderBuilder<File>, OutputError> {
    let file = File::open(path).map_err(|source| match source.kind() {
        ErrorKind::NotFound => unreadable(path, "no such file".to_owned()),
        _ => unreadable(path, source.to_string()),
    })?;
    ParquetRecordBatchReaderBuilder::try_new(file).map_err(|source| unreadable(path, source.to_string()))
}

/// A schema without the footer's entries.
pub(crate) fn plain(schema: &Schema) -> SchemaRef {
    SchemaRef::new(Schema::new(schema.fields().clone()))
}

fn unreadable(path: &Path, problem: String) -> OutputError {
    OutputError::Part {
        path: path.to_owned(),
        problem,
    }
}
