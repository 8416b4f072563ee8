//! Reader and writer of BGEN files.
//!
//! Belongs here: the format, its safety checks, the dosage arithmetic and the threads that decode ahead. Does not
//! belong here: statistics, Python, other file formats.
//!
//! Every length in a file is checked before it is used: a damaged file becomes a [`BgenError`], never a panic.

mod aligned_buffer;
mod allele_counts;
mod atomic_file;
mod bits;
mod block;
mod block_compressor;
mod byte_pair_kernels;
mod byte_pairs;
mod check;
mod chunk;
mod coding;
mod compression;
mod convert;
mod decoder;
mod error;
mod general_block;
mod genotype_format;
mod genotype_sums;
mod genotypes;
mod header;
mod identifying_data;
mod index;
mod index_builder;
mod index_split;
mod index_walk;
mod inflate;
mod integer_dosage;
mod integer_sums;
mod moments;
mod named_path;
mod oriented;
mod packed_rows;
mod parallel;
mod reader;
mod real_dosage;
mod sample_set;
mod source;
mod stream;
mod stream_plan;
mod subset;
mod text_column;
mod variant_major;
mod worker;
mod writer;

pub use aligned_buffer::{BufferPool, Element, PooledBuffer};
pub use check::check;
pub use chunk::{DosageChunk, SampleSetChunk};
pub use coding::Coding;
pub use compression::Compression;
pub use error::BgenError;
pub use genotype_format::GenotypeFormat;
pub use genotype_sums::GenotypeSums;
pub use genotypes::VariantGenotypes;
pub use header::{Header, Layout};
pub use index::VariantIndex;
pub use moments::VariantMoments;
pub use named_path::{NamedPath, run_path};
pub use reader::BgenReader;
pub use sample_set::SampleSet;
pub use stream::DosageStream;
pub use stream_plan::StreamPlan;
pub use subset::write_first_variants;
pub use text_column::TextColumn;
pub use variant_major::ReadOptions;
pub use writer::{BgenWriter, VariantBatch, VariantIdentity, WriterOptions};
