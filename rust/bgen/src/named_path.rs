//! Ways through a whole file that are measured by name.

use crate::convert::file_length;
use crate::decoder::BlockLoader;
use crate::error::BgenError;
use crate::parallel::{run_tasks, tiles};
use crate::reader::{BgenReader, IndexedFile};
use crate::variant_major::{ReadOptions, RowPlace, VariantMajorDecoder};

/// What is done with every variant of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedPath {
    /// Read and decompress every block, and nothing else: the floor of all other figures.
    InflateOnly,
    /// Dosages in single precision, a tile at a time into memory that each thread uses again.
    VariantMajorBuffered,
    /// The two stored bytes a sample, likewise.
    VariantMajorPacked8Buffered,
}

impl NamedPath {
    /// Every path.
    pub const ALL: [Self; 3] = [
        Self::InflateOnly,
        Self::VariantMajorBuffered,
        Self::VariantMajorPacked8Buffered,
    ];

    /// The name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::InflateOnly => "inflate_only",
            Self::VariantMajorBuffered => "variant_major_buffered",
            Self::VariantMajorPacked8Buffered => "variant_major_packed8_buffered",
        }
    }

    /// The path of a name, or `None`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|path| path.name() == name)
    }
}

/// Take a path through all variants of a file; returns the bytes it produced.
///
/// # Errors
///
/// [`BgenError`] for a damaged block, or one that the path has no result for.
pub fn run_path(reader: &BgenReader, path: NamedPath, options: &ReadOptions) -> Result<u64, BgenError> {
    let width = options.samples.len();
    match path {
        NamedPath::InflateOnly => inflate_only(reader, options),
        NamedPath::VariantMajorBuffered => buffered(reader, options, width, VariantMajorDecoder::dosage_row),
        NamedPath::VariantMajorPacked8Buffered => {
            buffered(reader, options, 2 * width, VariantMajorDecoder::packed8_row)
        }
    }
}

fn inflate_only(reader: &BgenReader, options: &ReadOptions) -> Result<u64, BgenError> {
    let file = reader.file();
    let tasks = tiles(0..file.index.len(), options.tile_variants);
    run_tasks(tasks, options.threads, BlockLoader::new, |loader, range| {
        let read_ahead_end = file.index.blocks()[range.end - 1].end();
        let mut bytes = 0;
        for variant in range {
            bytes += file_length(loader.load(file, variant, read_ahead_end)?.len());
        }
        Ok(bytes)
    })
}

/// Decode tile after tile into one buffer a thread.
fn buffered<T: Clone + Default>(
    reader: &BgenReader,
    options: &ReadOptions,
    width: usize,
    decode: impl Fn(&mut VariantMajorDecoder, &IndexedFile, RowPlace, &ReadOptions, &mut [T]) -> Result<(), BgenError>
    + Sync,
) -> Result<u64, BgenError> {
    let file = reader.file();
    let tasks = tiles(0..file.index.len(), options.tile_variants);
    let start = || (VariantMajorDecoder::new(), Vec::new());
    run_tasks(tasks, options.threads, start, |(decoder, rows), range| {
        let read_ahead_end = file.index.blocks()[range.end - 1].end();
        rows.resize(width * options.tile_variants, T::default());
        let mut bytes = 0;
        for (variant, row) in range.zip(rows.chunks_mut(width.max(1))) {
            let place = RowPlace {
                variant,
                read_ahead_end,
            };
            decode(decoder, file, place, options, row)?;
            bytes += file_length(size_of_val(row));
        }
        Ok(bytes)
    })
}
