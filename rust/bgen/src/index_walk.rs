//! The place in the file while its variant blocks are passed, none of them decompressed.

use crate::compression::Compression;
use crate::error::{BgenError, Fault};
use crate::header::{Header, Layout};
use crate::index::BlockLocation;
use crate::source::{Source, Window};
use crate::text_column::TextBuilder;

/// Longest allele that is read; longer claims are damage.
const LONGEST_ALLELE: u32 = 16 << 20;
/// Blocks up to this size are read in passing; longer ones are skipped.
const SMALL_BLOCK: u64 = 1024;
/// Stands for an id where the fault comes before it.
pub(crate) const UNREAD_ID: &str = "id not read";
/// One read where blocks are small.
const LARGE_READ: u64 = 1 << 20;
/// One read where blocks are skipped: enough for the identifying data of most variants.
const SMALL_READ: u64 = 512;

/// The place in the file during the pass.
pub(crate) struct Walk<'a> {
    pub(crate) source: &'a Source,
    pub(crate) header: &'a Header,
    pub(crate) window: Window,
    pub(crate) byte: u64,
    pub(crate) read_ahead: u64,
    /// 1-based number of the current variant.
    pub(crate) variant: u64,
}

impl<'a> Walk<'a> {
    /// Begin at a variant; `variant` have been passed before.
    pub(crate) fn new(source: &'a Source, header: &'a Header, byte: u64, variant: u64) -> Self {
        Self {
            source,
            header,
            window: Window::default(),
            byte,
            read_ahead: LARGE_READ,
            variant,
        }
    }

    /// The next `length` bytes, checked against the end of the file first.
    fn take(&mut self, length: u64, field: &'static str) -> Result<&[u8], BgenError> {
        let start = self.byte;
        if length > self.source.length() - start {
            return Err(self.truncated(field));
        }
        self.byte += length;
        self.window.slice(self.source, start, length, start + self.read_ahead)
    }

    pub(crate) fn u16(&mut self, field: &'static str) -> Result<u16, BgenError> {
        self.take(2, field)
            .map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    pub(crate) fn u32(&mut self, field: &'static str) -> Result<u32, BgenError> {
        self.take(4, field)
            .map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    pub(crate) fn short_text(&mut self, field: &'static str, column: &mut TextBuilder) -> Result<(), BgenError> {
        let length = self.u16(field)?;
        let kept = column.push(self.take(u64::from(length), field)?);
        if kept { Ok(()) } else { Err(self.too_much_text()) }
    }

    pub(crate) fn allele(&mut self, id: &str, column: &mut TextBuilder) -> Result<(), BgenError> {
        let length = self.u32("an allele")?;
        if u64::from(length) <= self.source.length() - self.byte && length > LONGEST_ALLELE {
            let problem = format!("an allele of {length} letters; at most {LONGEST_ALLELE} are read");
            return Err(self.fault(id, Fault::Damaged(problem)));
        }
        let kept = column.push(self.take(u64::from(length), "an allele")?);
        if kept { Ok(()) } else { Err(self.too_much_text()) }
    }

    /// Spec 4.2 and 4.5: length fields of the genotype block; leaves the place at the next variant.
    pub(crate) fn block(&mut self) -> Result<BlockLocation, BgenError> {
        let triples = 6 * u64::from(self.header.n_samples);
        let compression = self.header.compression;
        let (stored_length, inflated_length) = match (self.header.layout, compression) {
            (Layout::One, Compression::None) => (triples, triples),
            (Layout::One, _) => (u64::from(self.u32("its genotype block")?), triples),
            (Layout::Two, Compression::None) => {
                let length = u64::from(self.u32("its genotype block")?);
                (length, length)
            }
            (Layout::Two, _) => {
                let length = u64::from(self.u32("its genotype block")?);
                if length < 4 {
                    let problem = format!("its genotype block claims {length} bytes; at least 4 are needed");
                    return Err(self.fault(UNREAD_ID, Fault::Damaged(problem)));
                }
                (length - 4, u64::from(self.u32("its genotype block")?))
            }
        };
        let byte = self.byte;
        if stored_length > self.source.length() - byte {
            return Err(self.truncated("its genotype block"));
        }
        self.check_inflated_length(stored_length, inflated_length)?;
        let narrow = |length: u64| {
            u32::try_from(length).map_err(|_| {
                self.fault(
                    UNREAD_ID,
                    Fault::damaged(format!("its genotype block has {length} bytes")),
                )
            })
        };
        let block = BlockLocation {
            byte,
            stored_length: narrow(stored_length)?,
            inflated_length: narrow(inflated_length)?,
        };
        self.pass(block);
        Ok(block)
    }

    /// Go on to the next variant.
    pub(crate) fn pass(&mut self, block: BlockLocation) {
        self.byte = block.end();
        self.read_ahead = if u64::from(block.stored_length) <= SMALL_BLOCK {
            LARGE_READ
        } else {
            SMALL_READ
        };
    }

    /// Refuse a claimed length that no honest block can have, so that nothing is ever allocated on trust.
    fn check_inflated_length(&self, stored: u64, inflated: u64) -> Result<(), BgenError> {
        let n_samples = u64::from(self.header.n_samples);
        let problem = if self.header.layout == Layout::Two && inflated < 10 + n_samples {
            format!("genotype data of {inflated} bytes are too short for {n_samples} samples")
        } else if inflated > self.header.compression.most_inflated(stored) {
            format!("{stored} stored bytes cannot inflate to the {inflated} that are claimed")
        } else {
            return Ok(());
        };
        Err(self.fault(UNREAD_ID, Fault::Damaged(problem)))
    }

    fn truncated(&self, field: &'static str) -> BgenError {
        BgenError::Truncated {
            path: self.source.path().to_owned(),
            variant: self.variant,
            count: u64::from(self.header.n_variants),
            byte: self.source.length(),
            field,
            field_byte: self.byte,
        }
    }

    pub(crate) fn too_much_text(&self) -> BgenError {
        self.fault(
            UNREAD_ID,
            Fault::unsupported("identifiers or alleles of the whole file exceed 2 GiB"),
        )
    }

    pub(crate) fn fault(&self, id: &str, fault: Fault) -> BgenError {
        let (problem, advice) = fault.into_parts();
        BgenError::Variant {
            path: self.source.path().to_owned(),
            variant: self.variant,
            id: id.to_owned(),
            byte: self.byte,
            problem,
            advice,
        }
    }
}

impl BgenError {
    /// The same error with the variant's id, where it has a place for one.
    pub(crate) fn with_id(mut self, name: &str) -> Self {
        if let Self::Variant { id, .. } = &mut self {
            name.clone_into(id);
        }
        self
    }
}
