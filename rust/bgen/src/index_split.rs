//! A large file indexed in parts at once.
//!
//! Nothing in a BGEN file says where its middle is, so the start of a later part is guessed: a place where several
//! variants follow each other. A guess counts only if the walk over the part before it ends exactly there; then it is
//! the start of a variant, because that walk began at one. In any other case, and for any fault, the answer is `None`
//! and the file is walked from its beginning, which says what is wrong.

use std::ops::Range;
use std::thread;

use crate::convert::{file_length, memory_length};
use crate::decoder::most_bytes;
use crate::header::{Header, Layout};
use crate::identifying_data::IdentifyingData;
use crate::index::VariantIndex;
use crate::index_builder::{IndexBuilder, SHORTEST_VARIANT};
use crate::index_walk::Walk;
use crate::source::{Source, Window};

/// Smaller files are walked faster than threads start.
const SMALLEST_PART: u64 = 16 << 20;
/// Bytes searched for the start of a variant: few first, which is enough for most files.
const SEARCHED_BYTES: [u64; 2] = [32 << 10, 4 << 20];
/// Variants in a row that make a guess.
const VARIANTS_IN_A_ROW: usize = 4;
/// Bytes at hand for each of them.
const USUAL_LENGTH: u64 = 512;
/// More parts gain nothing.
const MOST_PARTS: u64 = 16;

/// The index, or `None` where the file must be walked from its beginning.
pub(crate) fn read_in_parts(source: &Source, header: &Header, threads: usize) -> Option<VariantIndex> {
    read_in_parts_of(source, header, threads, SMALLEST_PART)
}

fn read_in_parts_of(source: &Source, header: &Header, threads: usize, smallest_part: u64) -> Option<VariantIndex> {
    let (first, length) = (header.first_variant_byte, source.length());
    let n_parts = ((length - first) / smallest_part)
        .min(file_length(threads))
        .min(MOST_PARTS);
    if n_parts < 2 || header.layout == Layout::One {
        return None;
    }
    let mut bounds = vec![first];
    for part in 1..n_parts {
        bounds.push(find_variant(source, header, first + (length - first) / n_parts * part)?);
    }
    bounds.push(length);
    let n_variants = memory_length(u64::from(header.n_variants));
    let expected = n_variants.min(memory_length((length - first) / SHORTEST_VARIANT));
    let capacity = |part: usize| {
        // The first part takes up the others; the others expect their share and a little more.
        if part == 0 {
            expected
        } else {
            expected / memory_length(n_parts) + expected / 16
        }
    };
    let walk = |part: usize| {
        let builder = IndexBuilder::with_capacity(capacity(part));
        walk_part(source, header, builder, bounds[part]..bounds[part + 1])
    };
    let parts: Vec<Option<IndexBuilder>> = thread::scope(|scope| {
        let walk = &walk;
        let others: Vec<_> = (1..bounds.len() - 1)
            .map(|part| scope.spawn(move || walk(part)))
            .collect();
        let own = walk(0);
        let others = others.into_iter().map(|other| other.join().ok().flatten());
        std::iter::once(own).chain(others).collect()
    });
    let mut parts = parts.into_iter();
    let mut whole = parts.next()??;
    for part in parts {
        if !whole.append(part?) {
            return None;
        }
    }
    if whole.len() == n_variants {
        whole.finish(0)
    } else {
        None
    }
}

/// Every variant from the start of a range to exactly its end.
fn walk_part(source: &Source, header: &Header, mut builder: IndexBuilder, bytes: Range<u64>) -> Option<IndexBuilder> {
    let mut walk = Walk::new(source, header, bytes.start, 0);
    let n_variants = memory_length(u64::from(header.n_variants));
    while walk.byte < bytes.end && builder.len() < n_variants {
        builder.push(&mut walk).ok()?;
    }
    (walk.byte == bytes.end).then_some(builder)
}

/// The first place from `byte` on where variants seem to follow each other.
fn find_variant(source: &Source, header: &Header, byte: u64) -> Option<u64> {
    SEARCHED_BYTES.into_iter().find_map(|length| {
        let mut window = Window::default();
        let length = length.min(source.length() - byte);
        let searched = window.slice(source, byte, length, 0).ok()?;
        let mut ahead = Window::default();
        (0..searched.len())
            .filter(|&place| usual_variant(&searched[place..], header).is_some())
            .map(|place| byte + file_length(place))
            .find(|&start| is_chain(source, header, &mut ahead, start))
    })
}

/// Bytes of a variant that is what most are: its claims are those of diploid samples.
fn usual_variant(bytes: &[u8], header: &Header) -> Option<u64> {
    let data = IdentifyingData::parse(bytes, header)?;
    (u64::from(data.inflated_length) <= most_bytes(header.n_samples)).then(|| data.end())
}

fn is_chain(source: &Source, header: &Header, window: &mut Window, start: u64) -> bool {
    let mut byte = start;
    for _ in 0..VARIANTS_IN_A_ROW {
        if byte == source.length() {
            return true;
        }
        let bytes = window.peek(source, byte, USUAL_LENGTH, USUAL_LENGTH).ok();
        let Some(length) = bytes.and_then(|bytes| usual_variant(bytes, header)) else {
            return false;
        };
        byte += length;
        if byte > source.length() {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::read_in_parts_of;
    use crate::compression::Compression;
    use crate::header::{Header, Layout};
    use crate::index::VariantIndex;
    use crate::source::Source;
    use crate::writer::{BgenWriter, VariantBatch, VariantIdentity, WriterOptions};
    use crate::{BgenError, BgenReader};

    /// 500 variants with names of many lengths, every 50th with three alleles.
    fn write(path: &Path, compression: Compression) -> Result<u64, BgenError> {
        let options = WriterOptions {
            n_samples: 20,
            sample_ids: None,
            compression,
            level: 3,
            layout: Layout::Two,
            threads: 1,
        };
        let mut writer = BgenWriter::create(path, options)?;
        for number in 0..500_u32 {
            let rsid = "r".repeat(usize::try_from(number % 37).unwrap_or(0));
            if number % 50 == 49 {
                let folder = tempfile::tempdir().unwrap();
                let plain = folder.path().join("one.bgen");
                write_one(&plain)?;
                let mut genotypes = BgenReader::open(&plain)?.read_genotypes(0)?;
                genotypes.n_alleles = 3;
                genotypes.probabilities = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0].repeat(20);
                genotypes.offsets = (0..=20).map(|sample| 6 * sample).collect();
                let identity = VariantIdentity {
                    variant_id: "three",
                    rsid: &rsid,
                    chromosome: "7",
                    position: number,
                    alleles: &["A", "C", "G"],
                };
                writer.write_variant(&identity, &genotypes)?;
            } else {
                let value = u8::try_from(number % 120).unwrap_or(0);
                write_batch(&mut writer, rsid, number, &[value; 40])?;
            }
        }
        writer.finish()
    }

    fn write_one(path: &Path) -> Result<u64, BgenError> {
        let options = WriterOptions {
            n_samples: 20,
            sample_ids: None,
            compression: Compression::None,
            level: 1,
            layout: Layout::Two,
            threads: 1,
        };
        let mut writer = BgenWriter::create(path, options)?;
        write_batch(&mut writer, String::new(), 0, &[0; 40])?;
        writer.finish()
    }

    fn write_batch(writer: &mut BgenWriter, rsid: String, position: u32, values: &[u8]) -> Result<(), BgenError> {
        writer.write(&VariantBatch {
            chromosome: "7",
            rsids: &[rsid],
            positions: &[position],
            first_alleles: &["A".to_owned()],
            second_alleles: &["CT".to_owned()],
            phased: false,
            probabilities: values,
            missing: None,
        })
    }

    #[test]
    fn parts_give_the_index_of_the_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("whole.bgen");
        for compression in [Compression::None, Compression::Zlib, Compression::Zstd] {
            write(&path, compression).unwrap();
            let source = Source::open(&path).unwrap();
            let header = Header::read(&source).unwrap();
            let whole = VariantIndex::read(&source, &header, 1).unwrap();
            for threads in [2, 3, 7] {
                let parts = read_in_parts_of(&source, &header, threads, 1000).expect("the file can be split");
                assert_eq!(parts, whole);
            }
            assert_eq!(read_in_parts_of(&source, &header, 1, 1000), None);
        }
    }

    #[test]
    fn a_file_with_any_fault_is_left_to_the_walk_from_the_beginning() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("damaged.bgen");
        write(&path, Compression::Zlib).unwrap();
        let content = std::fs::read(&path).unwrap();
        let mut counted = content.clone();
        counted[8..12].copy_from_slice(&499_u32.to_le_bytes());
        let mut longer = content.clone();
        longer.push(0);
        for damaged in [&content[..content.len() - 1], &counted, &longer] {
            std::fs::write(&path, damaged).unwrap();
            let source = Source::open(&path).unwrap();
            let header = Header::read(&source).unwrap();
            assert_eq!(read_in_parts_of(&source, &header, 2, 1000), None);
        }
    }
}
