//! The usual variant block, taken apart in one go.
//!
//! Belongs here: layout 2 with two alleles whose bytes are all at hand. Anything else, and anything wrong, is left to
//! the careful pass in `index`, which says what it is.

use crate::compression::Compression;
use crate::convert::{file_length, index};
use crate::header::Header;

/// What stands before the genotype data of a variant.
#[derive(Debug)]
pub(crate) struct IdentifyingData<'a> {
    pub(crate) variant_id: &'a [u8],
    pub(crate) rsid: &'a [u8],
    pub(crate) chromosome: &'a [u8],
    pub(crate) position: u32,
    pub(crate) first_allele: &'a [u8],
    pub(crate) second_allele: &'a [u8],
    /// Bytes of the payload in the file.
    pub(crate) stored_length: u32,
    /// Bytes after decompression, as the file claims.
    pub(crate) inflated_length: u32,
    /// Bytes from the start of the variant to its payload.
    pub(crate) length: usize,
}

impl<'a> IdentifyingData<'a> {
    /// Take a variant apart; `None` where the bytes do not reach, or it is not of the usual kind.
    pub(crate) fn parse(bytes: &'a [u8], header: &Header) -> Option<Self> {
        let mut fields = Fields { bytes, place: 0 };
        let variant_id = fields.short_text()?;
        let rsid = fields.short_text()?;
        let chromosome = fields.short_text()?;
        let position = fields.u32()?;
        if fields.u16()? != 2 {
            return None;
        }
        let first_allele = fields.long_text()?;
        let second_allele = fields.long_text()?;
        let claimed = fields.u32()?;
        let (stored_length, inflated_length) = if header.compression == Compression::None {
            (claimed, claimed)
        } else {
            (claimed.checked_sub(4)?, fields.u32()?)
        };
        let inflated = u64::from(inflated_length);
        let honest = inflated >= 10 + u64::from(header.n_samples)
            && inflated <= header.compression.most_inflated(u64::from(stored_length));
        honest.then_some(Self {
            variant_id,
            rsid,
            chromosome,
            position,
            first_allele,
            second_allele,
            stored_length,
            inflated_length,
            length: fields.place,
        })
    }

    /// First byte after the variant, counted from its start.
    pub(crate) fn end(&self) -> u64 {
        file_length(self.length) + u64::from(self.stored_length)
    }
}

/// Reads one field after another.
struct Fields<'a> {
    bytes: &'a [u8],
    place: usize,
}

impl<'a> Fields<'a> {
    #[inline]
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let chunk = self.bytes.get(self.place..)?.first_chunk::<N>()?;
        self.place += N;
        Some(*chunk)
    }

    fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn text(&mut self, length: usize) -> Option<&'a [u8]> {
        let end = self.place.checked_add(length)?;
        let text = self.bytes.get(self.place..end)?;
        self.place = end;
        Some(text)
    }

    fn short_text(&mut self) -> Option<&'a [u8]> {
        let length = self.u16()?;
        self.text(usize::from(length))
    }

    fn long_text(&mut self) -> Option<&'a [u8]> {
        let length = self.u32()?;
        self.text(index(length))
    }
}
