//! How columns lie in every Parquet file of a result: encodings by type, compression, and a sorted footer.

use std::collections::BTreeMap;
use std::path::Path;

use arrow_schema::{DataType, Schema};
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::arrow::{ARROW_SCHEMA_META_KEY, encode_arrow_schema};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, SortingColumn};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use parquet::schema::types::ColumnPath;

use crate::error::OutputError;

/// Texts repeat or they do not: a column whose dictionary outgrows this is written plainly.
const DICTIONARY_LIMIT_BYTES: usize = 1 << 16;

/// Texts that never repeat, so that a dictionary is not worth the try.
const UNIQUE_TEXTS: [&str; 1] = ["ID"];

/// How pages are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartCompression {
    /// Not at all.
    None,
    /// Zstandard, level 1: on result columns higher levels take longer and save nothing.
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

/// The options of a file with these columns; `sorted_by` names the columns that its rows are known to be sorted by.
pub(crate) fn writer_options(
    schema: &Schema,
    metadata: &BTreeMap<String, String>,
    compression: PartCompression,
    sorted_by: &[&str],
) -> Result<ArrowWriterOptions, ParquetError> {
    // The encoder would put its own entry last; here it takes its place in the order.
    let mut entries = metadata.clone();
    entries.insert(ARROW_SCHEMA_META_KEY.to_owned(), encode_arrow_schema(schema));
    let entries = entries.into_iter().map(|(key, value)| KeyValue::new(key, value));
    let mut builder = properties(schema, compression)?.set_key_value_metadata(Some(entries.collect()));
    if !sorted_by.is_empty() {
        builder = builder.set_sorting_columns(Some(sorting_columns(schema, sorted_by)));
    }
    Ok(options_of(builder))
}

/// The options by which columns are encoded: those of a file, less what stands in its footer alone.
pub(crate) fn column_options(
    schema: &Schema,
    compression: PartCompression,
) -> Result<ArrowWriterOptions, ParquetError> {
    properties(schema, compression).map(options_of)
}

fn properties(schema: &Schema, compression: PartCompression) -> Result<WriterPropertiesBuilder, ParquetError> {
    let compression = match compression {
        PartCompression::None => Compression::UNCOMPRESSED,
        PartCompression::Zstd => Compression::ZSTD(ZstdLevel::try_new(1)?),
    };
    let builder = WriterProperties::builder()
        .set_compression(compression)
        .set_dictionary_enabled(false)
        .set_dictionary_page_size_limit(DICTIONARY_LIMIT_BYTES);
    let fields = schema.fields().iter();
    Ok(fields.fold(builder, |builder, field| {
        with_column(builder, field.name(), field.data_type())
    }))
}

fn options_of(builder: WriterPropertiesBuilder) -> ArrowWriterOptions {
    ArrowWriterOptions::new()
        .with_properties(builder.build())
        .with_skip_arrow_metadata(true)
}

fn sorting_columns(schema: &Schema, names: &[&str]) -> Vec<SortingColumn> {
    let places = names.iter().filter_map(|name| schema.index_of(name).ok());
    places
        .filter_map(|place| i32::try_from(place).ok())
        .map(|column_idx| SortingColumn {
            column_idx,
            descending: false,
            nulls_first: false,
        })
        .collect()
}

fn with_column(builder: WriterPropertiesBuilder, name: &str, kind: &DataType) -> WriterPropertiesBuilder {
    let column = ColumnPath::from(name);
    match kind {
        DataType::Float32 | DataType::Float64 => builder.set_column_encoding(column, Encoding::BYTE_STREAM_SPLIT),
        _ if kind.is_integer() => builder.set_column_encoding(column, Encoding::DELTA_BINARY_PACKED),
        DataType::Dictionary(..) | DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => builder
            .set_column_encoding(column.clone(), Encoding::DELTA_LENGTH_BYTE_ARRAY)
            .set_column_dictionary_enabled(column, !UNIQUE_TEXTS.contains(&name)),
        _ => builder,
    }
}

/// The encoder's error with the file's name.
pub(crate) fn parquet_error(path: &Path, source: ParquetError) -> OutputError {
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

/// Columns in words, for an error.
pub(crate) fn described(schema: &Schema) -> String {
    let columns = schema.fields().iter().map(|field| {
        let null = if field.is_nullable() { "?" } else { "" };
        format!("{}: {}{null}", field.name(), field.data_type())
    });
    columns.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compression_words() {
        assert_eq!(PartCompression::parse("zstd").unwrap(), PartCompression::Zstd);
        assert_eq!(PartCompression::parse("none").unwrap(), PartCompression::None);
        assert!(
            PartCompression::parse("snappy")
                .unwrap_err()
                .to_string()
                .contains("use none or zstd")
        );
    }
}
