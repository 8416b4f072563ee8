//! Reader and writer of BGEN files.
//!
//! Belongs here: the format, its safety checks, the dosage arithmetic and the threads that decode ahead. Does not
//! belong here: statistics, Python, other file formats.
//!
//! Every length in a file is checked before it is used: a damaged file becomes a [`BgenError`], never a panic.

mod aligned_buffer;
mod atomic_file;
mod bits;
mod block;
mod byte_pair_kernels;
mod byte_pairs;
mod chunk;
mod coding;
mod compression;
mod convert;
mod decoder;
mod error;
mod genotype_sums;
mod header;
mod index;
mod inflate;
mod inflate_only;
mod integer_dosage;
mod integer_sums;
mod moments;
mod oriented;
mod reader;
mod real_dosage;
mod sample_set;
mod source;
mod stream;
mod stream_plan;
mod subset;
mod text_column;
mod worker;
mod writer;

pub use aligned_buffer::{BufferPool, PooledBuffer};
pub use chunk::{DosageChunk, SampleSetChunk};
pub use coding::Coding;
pub use compression::Compression;
pub use error::BgenError;
pub use genotype_sums::GenotypeSums;
pub use header::{Header, Layout};
pub use index::VariantIndex;
pub use inflate_only::inflate_only;
pub use moments::VariantMoments;
pub use reader::BgenReader;
pub use sample_set::SampleSet;
pub use stream::DosageStream;
pub use stream_plan::StreamPlan;
pub use subset::write_first_variants;
pub use text_column::TextColumn;
pub use writer::{BgenWriter, VariantBatch, WriterOptions};
