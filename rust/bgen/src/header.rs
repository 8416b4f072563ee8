//! The header block and the sample-identifier block.

use crate::compression::Compression;
use crate::convert::memory_length;
use crate::error::BgenError;
use crate::source::Source;
use crate::text_column::{TextBuilder, TextColumn};

/// Bytes that every BGEN file has: the offset and the fixed part of the header block.
const SMALLEST_FILE: u64 = 24;
/// Where the number of variants is stored.
pub(crate) const N_VARIANTS_BYTE: u64 = 8;
/// Flag bit of the sample-identifier block.
pub(crate) const SAMPLE_IDS_FLAG: u32 = 1 << 31;
/// More samples than any study has; guards sizes where the file stores no identifiers.
const MOST_SAMPLES: u32 = 1 << 28;

/// How a genotype block is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Three 16-bit probabilities a sample (files known as v1.1).
    One,
    /// Ploidy bytes and packed probabilities (v1.2 and v1.3).
    Two,
}

impl Layout {
    /// 1 or 2.
    #[must_use]
    pub const fn number(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }
}

/// What the file says about itself.
#[derive(Clone, Debug)]
pub struct Header {
    /// Absolute byte of the first variant block.
    pub first_variant_byte: u64,
    /// Number of variants.
    pub n_variants: u32,
    /// Number of samples.
    pub n_samples: u32,
    /// Compression of genotype blocks.
    pub compression: Compression,
    /// Layout of genotype blocks.
    pub layout: Layout,
    /// Sample identifiers, where the file stores them.
    pub sample_ids: Option<TextColumn>,
}

impl Header {
    pub(crate) fn read(source: &Source) -> Result<Self, BgenError> {
        let fixed = read_fixed_part(source)?;
        let offset = u64::from(word(&fixed, 0));
        let header_length = u64::from(word(&fixed, 4));
        let (n_variants, n_samples) = (word(&fixed, 8), word(&fixed, 12));
        let bad = |byte: u64, problem: String| BgenError::Header {
            path: source.path().to_owned(),
            byte,
            problem,
        };
        if header_length < 20 || header_length > offset {
            return Err(bad(
                4,
                format!("the header block claims {header_length} bytes; 20 to {offset} are possible"),
            ));
        }
        if offset + 4 > source.length() {
            let problem = format!(
                "variants should begin at byte {}, but the file has {}",
                offset + 4,
                source.length()
            );
            return Err(bad(
                0,
                format!("{problem} bytes. The file is cut or damaged: copy it again"),
            ));
        }
        let mut flag_bytes = [0; 4];
        source.read_exact_at(&mut flag_bytes, header_length)?;
        let flags = u32::from_le_bytes(flag_bytes);
        let compression = Compression::from_code(flags & 3).ok_or_else(|| {
            bad(
                header_length,
                "compression code 3 is not defined; 0, 1 and 2 are".to_owned(),
            )
        })?;
        let layout = match ((flags >> 2) & 15, compression) {
            (1, Compression::Zstd) => {
                return Err(bad(header_length, "layout 1 cannot be compressed with zstd".to_owned()));
            }
            (1, _) => Layout::One,
            (2, _) => Layout::Two,
            (other, _) => {
                let problem = format!("layout {other} is not supported; 1 and 2 are. Export the file as BGEN v1.2");
                return Err(bad(header_length, problem));
            }
        };
        if n_samples > MOST_SAMPLES {
            return Err(bad(
                12,
                format!("the header claims {n_samples} samples; at most {MOST_SAMPLES} are possible"),
            ));
        }
        let sample_ids = if flags & SAMPLE_IDS_FLAG == 0 {
            None
        } else {
            Some(read_sample_ids(source, header_length, offset, n_samples)?)
        };
        Ok(Self {
            first_variant_byte: offset + 4,
            n_variants,
            n_samples,
            compression,
            layout,
            sample_ids,
        })
    }
}

/// The first 24 bytes, or what the file is instead.
fn read_fixed_part(source: &Source) -> Result<[u8; 24], BgenError> {
    let mut fixed = [0; 24];
    let present = memory_length(source.length().min(SMALLEST_FILE));
    source.read_exact_at(&mut fixed[..present], 0)?;
    let path = || source.path().to_owned();
    if present == 0 {
        let problem = "the file is empty. Copy or export it again".to_owned();
        return Err(BgenError::NotBgen { path: path(), problem });
    }
    if fixed.starts_with(&[0x1f, 0x8b]) || fixed.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        let tool = if fixed[0] == 0x1f { "gzip" } else { "zstd" };
        let problem = format!("the file as a whole is compressed with {tool}. Decompress it first");
        return Err(BgenError::NotBgen { path: path(), problem });
    }
    if source.length() < SMALLEST_FILE {
        let problem = format!("it ends inside the header at byte {present}. Copy or export it again");
        return Err(BgenError::NotBgen { path: path(), problem });
    }
    let magic = &fixed[16..20];
    if magic != b"bgen" && magic != [0; 4] {
        let found = magic.escape_ascii();
        let problem = format!("bytes 16 to 19 are \"{found}\" instead of \"bgen\". Check the path");
        return Err(BgenError::NotBgen { path: path(), problem });
    }
    Ok(fixed)
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// Spec section 3: LSI, N, then N length-prefixed strings, all within LSI bytes.
fn read_sample_ids(source: &Source, header_length: u64, offset: u64, n_samples: u32) -> Result<TextColumn, BgenError> {
    let start = 4 + header_length;
    let bad = |byte: u64, problem: String| BgenError::Header {
        path: source.path().to_owned(),
        byte,
        problem,
    };
    let room = offset + 4 - start;
    let mut lengths = [0; 8];
    if room < 8 {
        return Err(bad(
            start,
            "no room for the sample-identifier block that the flags promise".to_owned(),
        ));
    }
    source.read_exact_at(&mut lengths, start)?;
    let (block_length, count) = (u64::from(word(&lengths, 0)), word(&lengths, 4));
    if block_length > room {
        let problem = format!("the sample-identifier block claims {block_length} bytes, but only {room} fit");
        return Err(bad(start, problem));
    }
    if count != n_samples {
        let problem = format!("{count} sample identifiers for {n_samples} samples");
        return Err(bad(start + 4, problem));
    }
    if block_length < 8 + 2 * u64::from(n_samples) {
        let problem = format!("{block_length} bytes cannot hold {n_samples} sample identifiers");
        return Err(bad(start, problem));
    }
    let mut bytes = vec![0; memory_length(block_length - 8)];
    source.read_exact_at(&mut bytes, start + 8)?;
    let mut identifiers = TextBuilder::default();
    let mut rest = bytes.as_slice();
    for sample in 1..=n_samples {
        let text = take_short_text(&mut rest).filter(|text| identifiers.push(text));
        if text.is_none() {
            let problem = format!("the identifier of sample {sample} does not fit into the sample-identifier block");
            return Err(bad(start, problem));
        }
    }
    let too_long = "sample identifiers exceed 2 GiB".to_owned();
    identifiers.finish().ok_or_else(|| bad(start, too_long))
}

/// A string with a 16-bit length prefix.
fn take_short_text<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (prefix, after) = rest.split_first_chunk::<2>()?;
    let (text, after) = after.split_at_checked(usize::from(u16::from_le_bytes(*prefix)))?;
    *rest = after;
    Some(text)
}
