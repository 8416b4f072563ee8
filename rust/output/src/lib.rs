//! Result batches to files, committed so that a reader never sees half a file under a final name.
//!
//! Belongs here: Parquet parts written in threads, parts put together as one file, REGENIE's text, the digits of its
//! numbers, the commit of a file. Does not belong here: which columns a result has (`g_core/results/schema.py`),
//! which parts a run has (`g_core/engine/run_directory.py`), Python.

mod columns;
mod digest;
pub mod error;
pub mod format_g6;
pub mod merge;
mod parallel;
mod parquet_layout;
pub mod parquet_part;
mod part_column;
mod part_file;
mod part_ledger;
pub mod part_rows;
pub mod part_writer;
pub mod regenie_table;
pub mod regenie_text;
mod row_order;
pub mod staged_file;
#[cfg(test)]
mod test_batches;
mod text_fields;
mod text_file;
mod variant_fields;

pub use error::OutputError;
