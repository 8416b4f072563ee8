//! The text tables that surround a genotype file, parsed exactly, with a wrong line told exactly.
//!
//! Belongs here: `.sample` files, phenotype and covariate tables, prediction lists, LOCO predictions, variant and
//! sample lists, plain or gzip. Does not belong here: joining people between files, trait types and their codings
//! (`-9` and `-999` stay numbers here: what they mean depends on the trait type), statistics, Python.
//!
//! What every reader tolerates: carriage returns before line feeds, a UTF-8 byte order mark, gzip (found by its magic
//! bytes, whatever the name), blanks and tabs mixed, blanks at the ends of a line, empty lines at the end.

pub mod chromosome;
pub mod error;
mod fields;
mod header;
pub mod id_lists;
pub mod loco_file;
mod number;
pub mod prediction_list;
mod problems;
pub mod sample_file;
mod source;
#[cfg(test)]
mod test_files;
mod text_column;
pub mod trait_table;

pub use error::TablesError;
pub use problems::Problems;
pub use text_column::TextColumn;
