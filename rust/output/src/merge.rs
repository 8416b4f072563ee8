//! The parts of one trait as one sorted Parquet file.
//!
//! The bytes depend on the rows, the columns, the metadata and the settings alone: not on how the rows were cut into
//! parts, nor on threads. One row group is in memory at a time; where rows must be sorted, 24 bytes a row beside it.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;

use arrow_array::{ArrayRef, RecordBatch, UInt64Array};
use arrow_schema::{FieldRef, SchemaRef};
use arrow_select::concat::concat_batches;
use arrow_select::take::take_record_batch;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::errors::ParquetError;

use crate::digest::DigestWriter;
use crate::error::OutputError;
use crate::parallel;
use crate::parquet_layout::{PartCompression, parquet_error, writer_options};
use crate::parquet_part::PartFacts;
use crate::part_file::{KEY_COLUMNS, PartFile, plain};
use crate::row_order::{KeySummary, RowOrder, Stretch, are_sorted};
use crate::staged_file::StagedFile;

/// What to put together, and how.
#[derive(Debug)]
pub struct MergeJob {
    /// Files of the rows, in the order of the rows.
    pub parts: Vec<PathBuf>,
    /// Where the file is written first. Its folder must exist.
    pub temporary_path: PathBuf,
    /// Where it ends. On the same file system.
    pub final_path: PathBuf,
    /// The columns that every part has.
    pub schema: SchemaRef,
    /// Entries of the footer.
    pub metadata: BTreeMap<String, String>,
    /// How pages are compressed.
    pub compression: PartCompression,
    /// Fewest rows of a row group; a file of fewer rows has one row group.
    pub row_group_rows: usize,
    /// Threads that decode parts and encode columns.
    pub threads: usize,
}

/// Writes all rows into one file, sorted by chromosome code and position, and commits it.
///
/// # Errors
/// A part cannot be read or has other columns, a setting is 0, or the disk refuses.
pub fn merge_parts(job: &MergeJob) -> Result<PartFacts, OutputError> {
    if job.row_group_rows == 0 || job.threads == 0 {
        return Err(OutputError::Setting(
            "rows of a row group and threads: use 1 or more".to_owned(),
        ));
    }
    let schema = plain(&job.schema);
    let parts = parallel::map(job.threads, job.parts.iter().collect(), |path| {
        PartFile::open(path, &schema)
    })?;
    let rows = Rows::new(parts, schema, job.threads)?;
    let staged = StagedFile::create(&job.temporary_path, &job.final_path)?;
    let (staged, facts) = write_rows(staged, &rows, job)?;
    staged.commit()?;
    Ok(facts)
}

/// The rows of all parts in their final order.
struct Rows {
    parts: Vec<PartFile>,
    part_starts: Vec<usize>,
    order: RowOrder,
    schema: SchemaRef,
    threads: usize,
}

impl Rows {
    fn new(parts: Vec<PartFile>, schema: SchemaRef, threads: usize) -> Result<Self, OutputError> {
        let mut part_starts = vec![0];
        let mut count = 0;
        for part in &parts {
            count += part.rows();
            part_starts.push(count);
        }
        let summaries = parallel::map(threads, parts.iter().collect(), |part| {
            Ok(KeySummary::of(&part.keys()?))
        })?;
        let order = if are_sorted(&summaries.into_iter().flatten().collect::<Vec<_>>()) {
            RowOrder::AsTheyAre
        } else {
            let keys = parallel::map(threads, parts.iter().collect(), PartFile::keys)?;
            RowOrder::by_key(keys.into_iter().flatten())
        };
        Ok(Self {
            parts,
            part_starts,
            order,
            schema,
            threads,
        })
    }

    fn count(&self) -> usize {
        self.part_starts.last().copied().unwrap_or(0)
    }

    /// Places of each row group: all have `least` rows but for the last, which takes the rest too.
    fn groups(&self, least: usize) -> impl Iterator<Item = Range<usize>> {
        let (count, n_groups) = (self.count(), (self.count() / least).max(usize::from(self.count() > 0)));
        (0..n_groups).map(move |group| {
            let stop = if group + 1 == n_groups {
                count
            } else {
                (group + 1) * least
            };
            group * least..stop
        })
    }

    fn read(&self, range: Range<usize>, job: &MergeJob) -> Result<RecordBatch, OutputError> {
        let unfit = |source: arrow_schema::ArrowError| OutputError::Batches {
            path: job.final_path.clone(),
            problem: source.to_string(),
        };
        let Stretch { pieces, places } = self.order.stretch(range, &self.part_starts);
        let batches = parallel::map(self.threads, pieces, |(part, ranges)| self.parts[part].read(&ranges))?;
        let batch = concat_batches(&self.schema, &batches).map_err(unfit)?;
        match places {
            None => Ok(batch),
            Some(places) => take_record_batch(&batch, &UInt64Array::from(places)).map_err(unfit),
        }
    }
}

fn write_rows(staged: StagedFile, rows: &Rows, job: &MergeJob) -> Result<(StagedFile, PartFacts), OutputError> {
    let refused = |source: ParquetError| parquet_error(&job.final_path, source);
    let options = writer_options(&rows.schema, &job.metadata, job.compression, &KEY_COLUMNS).map_err(refused)?;
    let target = DigestWriter::new(staged);
    let writer = ArrowWriter::try_new_with_options(target, SchemaRef::clone(&rows.schema), options).map_err(refused)?;
    let (mut file, factory) = writer.into_serialized_writer().map_err(refused)?;
    for (number, range) in rows.groups(job.row_group_rows).enumerate() {
        let chunks = encode(&factory, number, &rows.read(range, job)?, job)?;
        let mut group = file.next_row_group().map_err(refused)?;
        for chunk in chunks {
            chunk.append_to_row_group(&mut group).map_err(refused)?;
        }
        group.close().map_err(refused)?;
    }
    let mut target = file.into_inner().map_err(refused)?;
    target.flush().map_err(OutputError::file(&job.final_path, "written"))?;
    let (staged, bytes, sha256) = target.finish();
    staged.sync()?;
    let facts = PartFacts {
        rows: u64::try_from(rows.count()).unwrap_or(u64::MAX),
        bytes,
        sha256,
    };
    Ok((staged, facts))
}

/// The columns of a row group, each encoded by one thread in one go, so that its pages depend on its rows alone.
fn encode(
    factory: &ArrowRowGroupWriterFactory,
    number: usize,
    batch: &RecordBatch,
    job: &MergeJob,
) -> Result<Vec<ArrowColumnChunk>, OutputError> {
    let refused = |source: ParquetError| parquet_error(&job.final_path, source);
    let writers = factory.create_column_writers(number).map_err(refused)?;
    let schema = batch.schema();
    let tasks: Vec<(ArrowColumnWriter, &FieldRef, &ArrayRef)> = writers
        .into_iter()
        .zip(schema.fields().iter().zip(batch.columns()))
        .map(|(writer, (field, column))| (writer, field, column))
        .collect();
    parallel::map(job.threads, tasks, |(mut writer, field, column)| {
        for leaf in compute_leaves(field, column).map_err(refused)? {
            writer.write(&leaf).map_err(refused)?;
        }
        writer.close().map_err(refused)
    })
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::path::Path;
    use std::sync::Arc;

    use arrow_array::Int8Array;
    use arrow_array::cast::AsArray;
    use arrow_array::types::UInt32Type;
    use arrow_select::take::take_record_batch;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use parquet::file::metadata::RowGroupMetaData;
    use proptest::prelude::*;
    use sha2::{Digest, Sha256};

    use super::*;
    use crate::parquet_part::write_part;
    use crate::part_rows::PartRows;
    use crate::test_batches::result_batch;

    fn job(folder: &Path, parts: &[RecordBatch], threads: usize) -> MergeJob {
        let write = |(number, batch): (usize, &RecordBatch)| {
            let path = folder.join(format!("part-{number}"));
            let staged = StagedFile::create(&folder.join(".part"), &path).unwrap();
            let metadata = BTreeMap::from([("cut".to_owned(), number.to_string())]);
            let rows = PartRows::new(&path, std::slice::from_ref(batch), None).unwrap();
            let (staged, _) = write_part(staged, &rows, &metadata, PartCompression::None).unwrap();
            staged.commit().unwrap();
            path
        };
        MergeJob {
            parts: parts.iter().enumerate().map(write).collect(),
            temporary_path: folder.join(".whole"),
            final_path: folder.join("whole"),
            schema: result_batch(0..0).schema(),
            metadata: BTreeMap::from([("trait".to_owned(), "数据".to_owned())]),
            compression: PartCompression::Zstd,
            row_group_rows: 100,
            threads,
        }
    }

    fn merged(parts: &[RecordBatch], threads: usize) -> PartFacts {
        let folder = tempfile::tempdir().unwrap();
        merge_parts(&job(folder.path(), parts, threads)).unwrap()
    }

    fn read(path: &Path) -> RecordBatch {
        let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
        let schema = plain(builder.schema());
        let batches: Vec<_> = builder.build().unwrap().map(Result::unwrap).collect();
        let batches: Vec<_> = batches
            .into_iter()
            .map(|batch| RecordBatch::try_new(Arc::clone(&schema), batch.columns().to_vec()).unwrap())
            .collect();
        concat_batches(&schema, &batches).unwrap()
    }

    /// The batch with other chromosome codes.
    fn on_chromosomes(batch: &RecordBatch, codes: &[i8]) -> RecordBatch {
        let mut columns = batch.columns().to_vec();
        columns[1] = Arc::new(Int8Array::from(codes.to_vec()));
        RecordBatch::try_new(batch.schema(), columns).unwrap()
    }

    fn cut(batch: &RecordBatch, bounds: &[usize]) -> Vec<RecordBatch> {
        let mut bounds = bounds.to_vec();
        bounds.extend([0, batch.num_rows()]);
        bounds.sort_unstable();
        let pairs = bounds.windows(2);
        pairs.map(|pair| batch.slice(pair[0], pair[1] - pair[0])).collect()
    }

    #[test]
    fn one_file_has_the_rows_of_all_parts() {
        let folder = tempfile::tempdir().unwrap();
        let job = job(
            folder.path(),
            &[result_batch(0..70), result_batch(70..71), result_batch(71..330)],
            2,
        );
        let facts = merge_parts(&job).unwrap();
        let bytes = std::fs::read(&job.final_path).unwrap();
        assert_eq!(facts.rows, 330);
        assert_eq!(facts.bytes, u64::try_from(bytes.len()).unwrap());
        assert_eq!(facts.sha256, format!("{:x}", Sha256::digest(&bytes)));
        assert_eq!(read(&job.final_path), result_batch(0..330));
        assert!(!job.temporary_path.exists());
    }

    #[test]
    fn no_row_group_is_short() {
        let folder = tempfile::tempdir().unwrap();
        for (rows, expected) in [
            (0, vec![]),
            (99, vec![99]),
            (199, vec![199]),
            (330, vec![100, 100, 130]),
        ] {
            let job = job(folder.path(), &[result_batch(0..rows)], 1);
            merge_parts(&job).unwrap();
            let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(&job.final_path).unwrap()).unwrap();
            let groups = builder.metadata().row_groups();
            assert_eq!(
                groups.iter().map(RowGroupMetaData::num_rows).collect::<Vec<_>>(),
                expected
            );
            for group in groups {
                let sorting = group.sorting_columns().unwrap();
                assert_eq!(
                    sorting.iter().map(|column| column.column_idx).collect::<Vec<_>>(),
                    [1, 2]
                );
            }
        }
    }

    #[test]
    fn a_trait_without_parts_has_a_file_without_rows() {
        let folder = tempfile::tempdir().unwrap();
        let job = job(folder.path(), &[], 2);
        assert_eq!(merge_parts(&job).unwrap().rows, 0);
        assert_eq!(read(&job.final_path), result_batch(0..0));
    }

    #[test]
    fn chromosomes_in_another_order_are_sorted_by_code() {
        let folder = tempfile::tempdir().unwrap();
        let parts: Vec<_> = [10, 9, 2]
            .map(|code| on_chromosomes(&result_batch(0..150), &[code; 150]))
            .into();
        let job = job(folder.path(), &parts, 2);
        merge_parts(&job).unwrap();
        let expected = [&parts[2], &parts[1], &parts[0]];
        assert_eq!(read(&job.final_path), concat_batches(&job.schema, expected).unwrap());
    }

    #[test]
    fn a_part_that_cannot_be_used_is_named_and_nothing_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let whole = job(folder.path(), &[result_batch(0..5), result_batch(5..9)], 2);
        let path = whole.parts[1].clone();
        let told = |what: &str| {
            let message = merge_parts(&whole).unwrap_err().to_string();
            assert!(message.starts_with(&format!("{}: ", path.display())), "{message}");
            assert!(message.contains(what), "{message}");
            assert!(!whole.final_path.exists() && !whole.temporary_path.exists());
        };
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 9]).unwrap();
        told("this part cannot be read: ");
        std::fs::remove_file(&path).unwrap();
        told("no such file");
        let other = result_batch(0..3).project(&[0, 1, 2]).unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        std::fs::copy(&job(elsewhere.path(), &[other], 1).parts[0], &path).unwrap();
        told("it has the columns CHROM: ");
    }

    #[test]
    fn settings_of_zero_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let message = merge_parts(&job(folder.path(), &[], 0)).unwrap_err().to_string();
        assert!(message.contains("use 1 or more"), "{message}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn any_cut_and_any_number_of_threads_give_the_same_bytes(
            rows in 1_u32..450,
            bounds in prop::collection::vec(any::<prop::sample::Index>(), 0..9),
            threads in 1_usize..4,
        ) {
            let whole = result_batch(0..rows);
            let bounds: Vec<_> = bounds.iter().map(|bound| bound.index(whole.num_rows() + 1)).collect();
            prop_assert_eq!(merged(&cut(&whole, &bounds), threads), merged(&[whole], 1));
        }

        #[test]
        fn rows_in_any_order_are_sorted_and_equal_ones_stay_in_their_order(
            shuffled in Just((0..260_u32).collect::<Vec<_>>()).prop_shuffle(),
            codes in prop::collection::vec(1_i8..4, 260),
            bounds in prop::collection::vec(0_usize..260, 0..6),
        ) {
            let taken = take_record_batch(&result_batch(0..260), &arrow_array::UInt32Array::from(shuffled)).unwrap();
            let whole = on_chromosomes(&taken, &codes);
            let positions = whole.column(2).as_primitive::<UInt32Type>().clone();
            let mut order: Vec<u32> = (0..260).collect();
            order.sort_by_key(|row| {
                let row = usize::try_from(*row).unwrap();
                (codes[row], positions.value(row))
            });
            let expected = take_record_batch(&whole, &arrow_array::UInt32Array::from(order)).unwrap();
            let folder = tempfile::tempdir().unwrap();
            let job = job(folder.path(), &cut(&whole, &bounds), 2);
            let facts = merge_parts(&job).unwrap();
            prop_assert_eq!(&read(&job.final_path), &expected);
            prop_assert_eq!(facts, merged(&[expected], 1));
        }
    }
}
