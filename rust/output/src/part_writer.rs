//! Threads that write Parquet parts from a bounded queue.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use arrow_array::RecordBatch;
use crossbeam_channel::{Receiver, Sender, bounded};

use crate::error::OutputError;
use crate::parquet_part::{PartCompression, PartFacts, write_part};
use crate::part_ledger::PartLedger;
use crate::part_rows::PartRows;
use crate::staged_file::StagedFile;

pub use crate::part_ledger::CommittedPart;

/// One part to write.
#[derive(Debug)]
pub struct PartJob {
    /// Where it is written first. Its folder must exist.
    pub temporary_path: PathBuf,
    /// Where it ends. On the same file system.
    pub final_path: PathBuf,
    /// Its rows.
    pub batches: Vec<RecordBatch>,
    /// Entries of the footer.
    pub metadata: BTreeMap<String, String>,
}

/// Writes parts in its own threads; see `part_ledger` for their order.
///
/// An error of any part stays: every later call returns it, and parts still queued are not written.
pub struct PartWriter {
    queue: Option<Sender<QueuedPart>>,
    threads: Vec<JoinHandle<()>>,
    shared: Arc<Shared>,
    submitted: u64,
    /// Rows of the last part: the next one may share columns with it.
    last: Option<PartRows>,
}

/// A part in the queue. Rows that do not fit together are told where the part is written, in the order of the parts.
struct QueuedPart {
    sequence: u64,
    temporary_path: PathBuf,
    final_path: PathBuf,
    rows: Result<PartRows, OutputError>,
    metadata: BTreeMap<String, String>,
}

#[derive(Default)]
struct Shared {
    ledger: Mutex<PartLedger>,
    abandoned: AtomicBool,
}

impl Shared {
    fn ledger(&self) -> MutexGuard<'_, PartLedger> {
        // A panic while the lock is held is itself settled as an error; what the ledger holds stays consistent.
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn error(&self) -> Result<(), Arc<OutputError>> {
        self.ledger().error().map_or(Ok(()), Err)
    }
}

impl PartWriter {
    /// Starts the threads. At most `queue_depth` parts wait; a further submit blocks.
    ///
    /// # Errors
    /// `threads` is 0, or the system refuses a thread.
    pub fn new(threads: usize, queue_depth: usize, compression: PartCompression) -> Result<Self, Arc<OutputError>> {
        if threads == 0 {
            return Err(Arc::new(OutputError::Setting(
                "writer threads: 0; use 1 or more".to_owned(),
            )));
        }
        let (sender, receiver) = bounded(queue_depth);
        let mut writer = Self {
            queue: Some(sender),
            threads: Vec::new(),
            shared: Arc::default(),
            submitted: 0,
            last: None,
        };
        for index in 0..threads {
            let (receiver, shared) = (receiver.clone(), Arc::clone(&writer.shared));
            let thread = std::thread::Builder::new()
                .name(format!("part-writer-{index}"))
                .spawn(move || work(&receiver, &shared, compression))
                .map_err(|source| OutputError::Setting(format!("a writer thread cannot start: {source}")))?;
            writer.threads.push(thread);
        }
        Ok(writer)
    }

    /// Queues one part; waits while the queue is full. Columns that are the very arrays of the part before are encoded once.
    ///
    /// # Errors
    /// An earlier part failed, or the writer is closed.
    pub fn submit(&mut self, job: PartJob) -> Result<(), Arc<OutputError>> {
        self.shared.error()?;
        let closed = |path| Arc::new(OutputError::Closed { path });
        let Some(queue) = &self.queue else {
            return Err(closed(job.final_path));
        };
        let rows = PartRows::new(&job.final_path, &job.batches, self.last.as_ref());
        self.last = rows.as_ref().ok().cloned();
        let part = QueuedPart {
            sequence: self.submitted,
            temporary_path: job.temporary_path,
            final_path: job.final_path,
            rows,
            metadata: job.metadata,
        };
        queue
            .send(part)
            .map_err(|unsent| closed(unsent.into_inner().final_path))?;
        self.submitted += 1;
        Ok(())
    }

    /// Parts committed since the last call, in the order they were submitted.
    ///
    /// # Errors
    /// A part failed; parts committed before it are returned first, by the calls before this error.
    pub fn committed(&self) -> Result<Vec<CommittedPart>, Arc<OutputError>> {
        let mut ledger = self.shared.ledger();
        let parts = ledger.take_unreported();
        match ledger.error() {
            Some(error) if parts.is_empty() => Err(error),
            _ => Ok(parts),
        }
    }

    /// Waits until everything queued is written; parts committed since the last call, in order.
    ///
    /// # Errors
    /// A part failed. `committed` still returns those before it.
    pub fn close(&mut self) -> Result<Vec<CommittedPart>, Arc<OutputError>> {
        self.join();
        self.shared.error()?;
        Ok(self.shared.ledger().take_unreported())
    }

    /// Discards what is queued, and waits for the parts being written now.
    pub fn abandon(&mut self) {
        self.shared.abandoned.store(true, Ordering::Relaxed);
        self.join();
    }

    /// Discards what is queued and does not wait: for a process that is ending, whose threads may never go on.
    pub fn abandon_without_waiting(&mut self) {
        self.shared.abandoned.store(true, Ordering::Relaxed);
        self.queue = None;
        self.last = None;
        self.threads.clear();
    }

    fn join(&mut self) {
        self.queue = None;
        self.last = None;
        for thread in self.threads.drain(..) {
            // A panic inside a job was caught and settled as that part's error.
            let _ = thread.join();
        }
    }
}

impl Drop for PartWriter {
    /// Without `close` nobody wants what is still queued: it is not written.
    fn drop(&mut self) {
        self.abandon();
    }
}

fn work(queue: &Receiver<QueuedPart>, shared: &Shared, compression: PartCompression) {
    for part in queue {
        // The queue is drained even then, so that a blocked submit returns and tells the error.
        if shared.abandoned.load(Ordering::Relaxed) || shared.error().is_err() {
            continue;
        }
        let (sequence, path) = (part.sequence, part.final_path.clone());
        let outcome = catch_unwind(AssertUnwindSafe(|| write_queued(part, compression)));
        let outcome = outcome.unwrap_or_else(|panic| {
            let message = panic.downcast_ref::<&str>().map(ToString::to_string);
            let message = message
                .or_else(|| panic.downcast_ref::<String>().cloned())
                .unwrap_or_default();
            Err(OutputError::Panicked { path, message })
        });
        shared.ledger().settle(sequence, outcome);
    }
}

fn write_queued(part: QueuedPart, compression: PartCompression) -> Result<(StagedFile, PartFacts), OutputError> {
    let rows = part.rows?;
    let staged = StagedFile::create(&part.temporary_path, &part.final_path)?;
    write_part(staged, &rows, &part.metadata, compression)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::test_batches::result_batch;

    fn job(folder: &Path, name: &str) -> PartJob {
        PartJob {
            temporary_path: folder.join(format!(".{name}")),
            final_path: folder.join(name),
            batches: vec![result_batch(0..100)],
            metadata: BTreeMap::new(),
        }
    }

    fn names_in(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn parts_are_reported_once_and_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = PartWriter::new(3, 2, PartCompression::Zstd).unwrap();
        let mut reported = Vec::new();
        let expected: Vec<_> = (10..30).map(|index| format!("part-{index}")).collect();
        for name in &expected {
            writer.submit(job(folder.path(), name)).unwrap();
            reported.extend(writer.committed().unwrap());
        }
        reported.extend(writer.close().unwrap());
        let paths: Vec<_> = reported.iter().map(|part| part.path.clone()).collect();
        assert_eq!(
            paths,
            expected.iter().map(|name| folder.path().join(name)).collect::<Vec<_>>()
        );
        assert_eq!(names_in(folder.path()), expected);
    }

    #[test]
    fn after_an_error_no_later_part_appears() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = PartWriter::new(2, 8, PartCompression::None).unwrap();
        writer.submit(job(folder.path(), "part-0")).unwrap();
        let mut bad = job(folder.path(), "part-1");
        bad.temporary_path = folder.path().join("absent/part-1");
        writer.submit(bad).unwrap();
        for index in 2..6 {
            // Whether this call already sees the error depends on the threads; that nothing appears does not.
            let _ = writer.submit(job(folder.path(), &format!("part-{index}")));
        }
        let message = writer.close().unwrap_err().to_string();
        assert!(
            message.contains("absent/part-1: cannot be created: its folder does not exist"),
            "{message}"
        );
        assert!(writer.submit(job(folder.path(), "part-9")).is_err());
        let before = writer.committed().map(|parts| parts.len());
        assert!(matches!(before, Ok(1) | Err(_)));
        assert!(
            names_in(folder.path()).iter().all(|name| name == "part-0"),
            "{:?}",
            names_in(folder.path())
        );
        assert!(writer.committed().is_err());
    }

    #[test]
    fn a_closed_writer_takes_no_part() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = PartWriter::new(1, 1, PartCompression::None).unwrap();
        assert!(writer.close().unwrap().is_empty());
        assert!(
            writer
                .submit(job(folder.path(), "part"))
                .unwrap_err()
                .to_string()
                .contains("closed")
        );
    }

    #[test]
    fn a_dropped_writer_leaves_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = PartWriter::new(1, 8, PartCompression::None).unwrap();
        for index in 0..5 {
            writer.submit(job(folder.path(), &format!("part-{index}"))).unwrap();
        }
        drop(writer);
        assert!(names_in(folder.path()).iter().all(|name| !name.starts_with('.')));
    }

    #[test]
    fn no_threads_are_refused() {
        assert!(
            PartWriter::new(0, 1, PartCompression::None)
                .err()
                .unwrap()
                .to_string()
                .contains("1 or more")
        );
    }
}
