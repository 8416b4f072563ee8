//! One Parquet file from record batches.
//!
//! The bytes depend on the rows, the schema, the metadata and the settings alone: not on how the rows were cut into
//! batches, nor on threads or time.

use std::collections::BTreeMap;
use std::io::Write;

use arrow::array::RecordBatch;
use arrow::compute::concat_batches;
use arrow::datatypes::{DataType, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use parquet::schema::types::ColumnPath;

use crate::digest::DigestWriter;
use crate::error::OutputError;
use crate::staged_file::StagedFile;

/// Texts repeat or they do not: a column whose dictionary outgrows this is written plainly.
const DICTIONARY_LIMIT_BYTES: usize = 1 << 16;

/// How pages are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartCompression {
    /// Not at all.
    None,
    /// Zstandard, level 3.
    Zstd,
}

impl PartCompression {
    /// From an option's word.
    ///
    /// # Errors
    /// Any word but `none` and `zstd`.
    pub fn parse(word: &str) -> Result<Self, OutputError> {
        match word {
            "none" => Ok(Self::None),
            "zstd" => Ok(Self::Zstd),
            _ => Err(OutputError::Setting(format!(
                "compression {word:?} is not known; use none or zstd"
            ))),
        }
    }
}

/// What was written of one part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartFacts {
    /// Rows of the file.
    pub rows: u64,
    /// Size of the file.
    pub bytes: u64,
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
}

/// Writes all rows into one file and syncs it; it keeps its temporary name.
///
/// # Errors
/// There is no batch, the batches have different schemas, the encoder does not know a column's type, or the disk refuses.
pub fn write_part(
    staged: StagedFile,
    batches: &[RecordBatch],
    metadata: &BTreeMap<String, String>,
    compression: PartCompression,
) -> Result<(StagedFile, PartFacts), OutputError> {
    let path = staged.final_path().to_owned();
    let batch = one_batch(&path, batches)?;
    let refused = |source| parquet_error(&path, source);
    let properties = properties(&batch.schema(), metadata, compression).map_err(refused)?;
    let mut writer =
        ArrowWriter::try_new(DigestWriter::new(staged), batch.schema(), Some(properties)).map_err(refused)?;
    writer.write(&batch).map_err(refused)?;
    let mut target = writer.into_inner().map_err(refused)?;
    target.flush().map_err(OutputError::file(&path, "written"))?;
    let (staged, bytes, sha256) = target.finish();
    staged.sync()?;
    Ok((
        staged,
        PartFacts {
            rows: u64::try_from(batch.num_rows()).unwrap_or(u64::MAX),
            bytes,
            sha256,
        },
    ))
}

fn one_batch(path: &std::path::Path, batches: &[RecordBatch]) -> Result<RecordBatch, OutputError> {
    let [first, ..] = batches else {
        return Err(OutputError::Setting(format!(
            "{}: a part needs at least one batch",
            path.display()
        )));
    };
    concat_batches(&first.schema(), batches).map_err(|source| OutputError::Batches {
        path: path.to_owned(),
        source,
    })
}

fn parquet_error(path: &std::path::Path, source: parquet::errors::ParquetError) -> OutputError {
    use parquet::errors::ParquetError;
    match source {
        // The encoder hides the operating system's error in a box; the reader of the message needs it.
        ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
            Ok(error) => OutputError::File {
                path: path.to_owned(),
                action: "written",
                source: *error,
            },
            Err(inner) => OutputError::Parquet {
                path: path.to_owned(),
                source: ParquetError::External(inner),
            },
        },
        source => OutputError::Parquet {
            path: path.to_owned(),
            source,
        },
    }
}

fn properties(
    schema: &Schema,
    metadata: &BTreeMap<String, String>,
    compression: PartCompression,
) -> Result<WriterProperties, parquet::errors::ParquetError> {
    let compression = match compression {
        PartCompression::None => Compression::UNCOMPRESSED,
        PartCompression::Zstd => Compression::ZSTD(ZstdLevel::try_new(3)?),
    };
    let entries = metadata
        .iter()
        .map(|(key, value)| KeyValue::new(key.clone(), value.clone()))
        .collect();
    let mut builder = WriterProperties::builder()
        .set_compression(compression)
        .set_dictionary_enabled(false)
        .set_dictionary_page_size_limit(DICTIONARY_LIMIT_BYTES)
        .set_key_value_metadata(Some(entries));
    for field in schema.fields() {
        builder = with_column(builder, ColumnPath::from(field.name().as_str()), field.data_type());
    }
    Ok(builder.build())
}

fn with_column(builder: WriterPropertiesBuilder, column: ColumnPath, kind: &DataType) -> WriterPropertiesBuilder {
    match kind {
        DataType::Float32 | DataType::Float64 => builder.set_column_encoding(column, Encoding::BYTE_STREAM_SPLIT),
        _ if kind.is_integer() => builder.set_column_encoding(column, Encoding::DELTA_BINARY_PACKED),
        DataType::Dictionary(..) | DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => builder
            .set_column_encoding(column.clone(), Encoding::DELTA_LENGTH_BYTE_ARRAY)
            .set_column_dictionary_enabled(column, true),
        _ => builder,
    }
}
