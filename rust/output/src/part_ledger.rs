//! The order of parts: they get their final names in the order they were submitted, whichever thread is done first.
//!
//! So a run that stops has a prefix of its parts, and after an error no later part appears.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::error::OutputError;
use crate::parquet_part::PartFacts;
use crate::staged_file::StagedFile;

/// A part under its final name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommittedPart {
    /// Its final name.
    pub path: PathBuf,
    /// Rows, bytes, digest.
    pub facts: PartFacts,
}

/// Parts on their way from written to committed.
#[derive(Debug, Default)]
pub(crate) struct PartLedger {
    next: u64,
    waiting: BTreeMap<u64, (StagedFile, PartFacts)>,
    unreported: Vec<CommittedPart>,
    error: Option<Arc<OutputError>>,
}

impl PartLedger {
    /// The first error, if there was one.
    pub(crate) fn error(&self) -> Option<Arc<OutputError>> {
        self.error.clone()
    }

    /// Committed parts that nobody asked for yet.
    pub(crate) fn take_unreported(&mut self) -> Vec<CommittedPart> {
        std::mem::take(&mut self.unreported)
    }

    /// Takes a written part, or the error in its place, and commits what has become the next in order.
    pub(crate) fn settle(&mut self, sequence: u64, outcome: Result<(StagedFile, PartFacts), OutputError>) {
        match outcome {
            Ok(part) if self.error.is_none() => {
                self.waiting.insert(sequence, part);
            }
            Ok(_) => return,
            Err(error) => self.fail(error),
        }
        while let Some((staged, facts)) = self.waiting.remove(&self.next) {
            let path = staged.final_path().to_owned();
            match staged.commit() {
                Ok(()) => self.unreported.push(CommittedPart { path, facts }),
                Err(error) => return self.fail(error),
            }
            self.next += 1;
        }
    }

    fn fail(&mut self, error: OutputError) {
        self.error.get_or_insert_with(|| Arc::new(error));
        self.waiting.clear();
    }
}
