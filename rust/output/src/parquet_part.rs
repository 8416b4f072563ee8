//! One Parquet file from record batches.
//!
//! The bytes depend on the rows, the schema, the metadata and the settings alone: not on how the rows were cut into
//! batches, nor on threads or time.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_select::concat::concat_batches;
use parquet::arrow::ArrowWriter;

use crate::digest::DigestWriter;
use crate::error::OutputError;
use crate::parquet_layout::{described, parquet_error, writer_options};
use crate::staged_file::StagedFile;

pub use crate::parquet_layout::PartCompression;

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
    let options = writer_options(&batch.schema(), metadata, compression, &[]).map_err(refused)?;
    let target = DigestWriter::new(staged);
    let mut writer = ArrowWriter::try_new_with_options(target, batch.schema(), options).map_err(refused)?;
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

fn one_batch(path: &Path, batches: &[RecordBatch]) -> Result<RecordBatch, OutputError> {
    let [first, ..] = batches else {
        return Err(OutputError::Setting(format!(
            "{}: a part needs at least one batch",
            path.display()
        )));
    };
    let schema = first.schema();
    for (index, batch) in batches.iter().enumerate() {
        if batch.schema().fields() != schema.fields() {
            let (found, expected) = (described(&batch.schema()), described(&schema));
            let problem = format!("batch {index} has the columns {found}; batch 0 has {expected}");
            return Err(OutputError::Batches {
                path: path.to_owned(),
                problem,
            });
        }
    }
    concat_batches(&schema, batches).map_err(|source| OutputError::Batches {
        path: path.to_owned(),
        problem: source.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::path::PathBuf;

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
        let (staged, facts) = write_part(staged, batches, &BTreeMap::from(metadata), compression).unwrap();
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
    fn batches_of_different_schemas_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let staged = StagedFile::create(&folder.path().join(".part"), &folder.path().join("part")).unwrap();
        let batches = [result_batch(0..3), result_batch(0..3).project(&[0, 1]).unwrap()];
        let error = write_part(staged, &batches, &BTreeMap::new(), PartCompression::None)
            .err()
            .unwrap();
        assert!(
            error
                .to_string()
                .contains("do not fit together: batch 1 has the columns CHROM: "),
            "{error}"
        );
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
