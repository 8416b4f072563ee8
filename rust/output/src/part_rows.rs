//! The rows of one part by columns, some of which may be those of the part before it.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;

use crate::error::OutputError;
use crate::parquet_layout::described;
use crate::part_column::PartColumn;

/// What a part holds.
#[derive(Debug, Clone)]
pub struct PartRows {
    pub(crate) schema: SchemaRef,
    pub(crate) count: usize,
    pub(crate) columns: Vec<Arc<PartColumn>>,
}

impl PartRows {
    /// The rows of all batches. Columns whose arrays are in `previous` too are encoded once for both.
    ///
    /// # Errors
    /// There is no batch, or the batches have different columns. `path` is that of the part.
    pub fn new(path: &Path, batches: &[RecordBatch], previous: Option<&Self>) -> Result<Self, OutputError> {
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
        let columns = schema.fields().iter().enumerate().map(|(place, field)| {
            let arrays: Vec<ArrayRef> = batches
                .iter()
                .map(|batch| ArrayRef::clone(batch.column(place)))
                .collect();
            let before = previous.and_then(|rows| rows.columns.get(place));
            match before.filter(|column| column.is_of(field, &arrays)) {
                Some(column) => Arc::clone(column),
                None => Arc::new(PartColumn::new(Arc::clone(field), arrays)),
            }
        });
        Ok(Self {
            columns: columns.collect(),
            count: batches.iter().map(RecordBatch::num_rows).sum(),
            schema,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;

    use arrow_array::Float64Array;

    use super::*;
    use crate::parquet_part::{PartCompression, PartFacts, write_part};
    use crate::staged_file::StagedFile;
    use crate::test_batches::result_batch;

    fn rows(batches: &[RecordBatch], previous: Option<&PartRows>) -> PartRows {
        PartRows::new(Path::new("part"), batches, previous).unwrap()
    }

    /// The batch with other effects: what a second trait has.
    fn other_trait(batch: &RecordBatch) -> RecordBatch {
        let place = batch.schema().index_of("BETA").unwrap();
        let mut columns = batch.columns().to_vec();
        columns[place] = Arc::new((0..batch.num_rows()).map(|_| Some(0.25)).collect::<Float64Array>());
        RecordBatch::try_new(batch.schema(), columns).unwrap()
    }

    fn shared_names(left: &PartRows, right: &PartRows) -> Vec<String> {
        let pairs = left.columns.iter().zip(&right.columns).zip(left.schema.fields());
        pairs
            .filter(|((left, right), _)| Arc::ptr_eq(left, right))
            .map(|(_, field)| field.name().clone())
            .collect()
    }

    fn written(rows: &PartRows) -> PartFacts {
        let folder = tempfile::tempdir().unwrap();
        let staged = StagedFile::create(&folder.path().join(".part"), &folder.path().join("part")).unwrap();
        let (staged, facts) = write_part(staged, rows, &BTreeMap::new(), PartCompression::Zstd).unwrap();
        staged.commit().unwrap();
        let content = fs::read(folder.path().join("part")).unwrap();
        assert_eq!(facts.bytes, u64::try_from(content.len()).unwrap());
        facts
    }

    #[test]
    fn columns_of_the_same_arrays_are_shared_and_others_are_not() {
        let first = [result_batch(0..300), result_batch(300..1000)];
        let second = first.each_ref().map(other_trait);
        let before = rows(&first, None);
        let mut expected: Vec<String> = before
            .schema
            .fields()
            .iter()
            .map(|field| field.name().clone())
            .collect();
        expected.retain(|name| name != "BETA");
        assert_eq!(shared_names(&before, &rows(&second, Some(&before))), expected);
    }

    #[test]
    fn equal_values_in_other_memory_and_other_rows_of_the_same_memory_are_not_shared() {
        let batch = result_batch(0..1000);
        let before = rows(&[batch.slice(0, 500)], None);
        for other in [result_batch(0..500), batch.slice(0, 499), batch.slice(500, 500), batch] {
            assert!(shared_names(&before, &rows(&[other], Some(&before))).is_empty());
        }
    }

    #[test]
    fn a_file_is_the_same_whether_its_columns_are_shared_or_not() {
        let first = [result_batch(0..300), result_batch(300..1000)];
        let second = first.each_ref().map(other_trait);
        let before = rows(&first, None);
        let after = rows(&second, Some(&before));
        let alone = (written(&rows(&first, None)), written(&rows(&second, None)));
        assert_ne!(alone.0.sha256, alone.1.sha256);
        assert_eq!((written(&before), written(&after)), alone);
    }

    #[test]
    fn batches_of_different_columns_are_refused() {
        let batches = [result_batch(0..3), result_batch(0..3).project(&[0, 1]).unwrap()];
        let error = PartRows::new(Path::new("part"), &batches, None)
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("part: the batches of this part do not fit together: batch 1 has the columns CHROM: "),
            "{error}"
        );
        assert!(PartRows::new(Path::new("part"), &[], None).is_err());
    }
}
