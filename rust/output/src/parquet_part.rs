//! One Parquet file from the rows of a part.
//!
//! The bytes depend on the rows, the schema, the metadata and the settings alone: not on how the rows were cut into
//! batches, nor on threads or time.

use std::collections::BTreeMap;
use std::io::{BufWriter, IntoInnerError, Write};

use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedFileWriter;

use crate::digest::DigestWriter;
use crate::error::OutputError;
use crate::parquet_layout::{parquet_error, writer_options};
use crate::part_rows::PartRows;
use crate::staged_file::StagedFile;

pub use crate::parquet_layout::PartCompression;

/// Most parts are written by one call of the system: the encoder's own pieces of 8 KB cost more in calls than in bytes.
const WRITE_BYTES: usize = 1 << 20;

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

/// Writes the rows into one file and syncs it; it keeps its temporary name.
///
/// # Errors
/// The encoder does not know a column's type, or the disk refuses.
pub fn write_part(
    staged: StagedFile,
    rows: &PartRows,
    metadata: &BTreeMap<String, String>,
    compression: PartCompression,
) -> Result<(StagedFile, PartFacts), OutputError> {
    let path = staged.final_path().to_owned();
    let refused = |source| parquet_error(&path, source);
    let options = writer_options(&rows.schema, metadata, compression, &[]).map_err(refused)?;
    let target = BufWriter::with_capacity(WRITE_BYTES, DigestWriter::new(staged));
    let writer = ArrowWriter::try_new_with_options(target, SchemaRef::clone(&rows.schema), options).map_err(refused)?;
    let (mut file, _) = writer.into_serialized_writer().map_err(refused)?;
    if rows.count > 0 {
        append_row_group(&mut file, rows, compression).map_err(refused)?;
    }
    let target = file.into_inner().map_err(refused)?;
    let target = target.into_inner().map_err(IntoInnerError::into_error);
    let (staged, bytes, sha256) = target.map_err(OutputError::file(&path, "written"))?.finish();
    staged.sync()?;
    Ok((
        staged,
        PartFacts {
            rows: u64::try_from(rows.count).unwrap_or(u64::MAX),
            bytes,
            sha256,
        },
    ))
}

fn append_row_group<Target: Write + Send>(
    file: &mut SerializedFileWriter<Target>,
    rows: &PartRows,
    compression: PartCompression,
) -> Result<(), ParquetError> {
    let mut group = file.next_row_group()?;
    for column in &rows.columns {
        column.encoded(compression)?.append_to(&mut group)?;
    }
    group.close().map(drop)
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::path::PathBuf;

    use arrow_array::RecordBatch;
    use parquet::arrow::ARROW_SCHEMA_META_KEY;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use parquet::basic::Encoding;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use sha2::{Digest, Sha256};

    use super::*;
    use crate::test_batches::result_batch;

    fn written(batches: &[RecordBatch], compression: PartCompression) -> (tempfile::TempDir, PathBuf, PartFacts) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("part.parquet");
        let staged = StagedFile::create(&folder.path().join(".part"), &path).unwrap();
        let metadata =
            [("schema_version", "1"), ("plan", "数据")].map(|(key, value)| (key.to_owned(), value.to_owned()));
        let rows = PartRows::new(&path, batches, None).unwrap();
        let (staged, facts) = write_part(staged, &rows, &BTreeMap::from(metadata), compression).unwrap();
        staged.commit().unwrap();
        (folder, path, facts)
    }

    #[test]
    fn the_facts_are_those_of_the_file() {
        let (_folder, path, facts) = written(&[result_batch(0..1000)], PartCompression::Zstd);
        let bytes = std::fs::read(path).unwrap();
        assert_eq!(facts.rows, 1000);
        assert_eq!(facts.bytes, u64::try_from(bytes.len()).unwrap());
        assert_eq!(facts.sha256, format!("{:x}", Sha256::digest(&bytes)));
    }

    #[test]
    fn rows_come_back() {
        for compression in [PartCompression::None, PartCompression::Zstd] {
            let (_folder, path, _) = written(&[result_batch(0..300), result_batch(300..1000)], compression);
            let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
            let batches: Vec<_> = reader
                .with_batch_size(1000)
                .build()
                .unwrap()
                .map(Result::unwrap)
                .collect();
            assert_eq!(batches, [result_batch(0..1000)]);
        }
    }

    #[test]
    fn bytes_do_not_depend_on_how_rows_were_batched() {
        let whole = written(&[result_batch(0..5000)], PartCompression::Zstd).2;
        let cut = [result_batch(0..7), result_batch(7..4000), result_batch(4000..5000)];
        assert_eq!(written(&cut, PartCompression::Zstd).2, whole);
    }

    #[test]
    fn columns_are_encoded_by_their_type() {
        let (_folder, path, _) = written(&[result_batch(0..1000)], PartCompression::Zstd);
        let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
        let metadata = reader.metadata();
        assert_eq!(metadata.num_row_groups(), 1);
        let encodings = |name: &str| -> Vec<Encoding> {
            let columns = metadata.row_group(0).columns();
            let column = columns
                .iter()
                .find(|column| column.column_path().string() == name)
                .unwrap();
            assert!(column.statistics().is_some(), "{name}");
            column.encodings().collect()
        };
        assert!(encodings("BETA").contains(&Encoding::BYTE_STREAM_SPLIT));
        assert!(encodings("GENPOS").contains(&Encoding::DELTA_BINARY_PACKED));
        for name in ["CHROM", "ALLELE0", "ALLELE1", "TEST", "STATUS"] {
            assert!(encodings(name).contains(&Encoding::RLE_DICTIONARY), "{name}");
        }
        assert!(!encodings("ID").contains(&Encoding::RLE_DICTIONARY));
        let entries = metadata.file_metadata().key_value_metadata().unwrap();
        let value = |key: &str| {
            entries
                .iter()
                .find(|entry| entry.key == key)
                .and_then(|entry| entry.value.clone())
        };
        assert_eq!(value("plan").as_deref(), Some("数据"));
        assert_eq!(value("schema_version").as_deref(), Some("1"));
        let keys: Vec<_> = entries.iter().map(|entry| entry.key.as_str()).collect();
        assert_eq!(keys, [ARROW_SCHEMA_META_KEY, "plan", "schema_version"]);
    }

    #[test]
    fn the_bytes_are_those_of_the_arrow_writer() {
        let batch = result_batch(0..3000);
        let metadata = BTreeMap::from([("g".to_owned(), "1".to_owned())]);
        for compression in [PartCompression::None, PartCompression::Zstd] {
            let options = writer_options(&batch.schema(), &metadata, compression, &[]).unwrap();
            let mut writer = ArrowWriter::try_new_with_options(Vec::new(), batch.schema(), options).unwrap();
            writer.write(&batch).unwrap();
            let expected = writer.into_inner().unwrap();
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("part.parquet");
            let staged = StagedFile::create(&folder.path().join(".part"), &path).unwrap();
            let rows = PartRows::new(&path, std::slice::from_ref(&batch), None).unwrap();
            write_part(staged, &rows, &metadata, compression)
                .unwrap()
                .0
                .commit()
                .unwrap();
            assert!(std::fs::read(path).unwrap() == expected, "{compression:?}");
        }
    }
}
