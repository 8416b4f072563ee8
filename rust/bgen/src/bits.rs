//! Packed integers of 1 to 32 bits, least significant bit first (spec 4.3).

use crate::convert::{index, memory_length};

/// Reads values one after another. Bits past the end of the data read as zero, so no read leaves the slice.
#[derive(Debug)]
pub(crate) struct BitReader<'a> {
    data: &'a [u8],
    bit: usize,
    width: usize,
    mask: u64,
}

impl<'a> BitReader<'a> {
    /// A reader of `width` bits a value; the caller has checked that `width` is 1 to 32.
    pub(crate) const fn new(data: &'a [u8], width: u32) -> Self {
        Self {
            data,
            bit: 0,
            width: index(width),
            mask: (1 << width) - 1,
        }
    }

    /// The next value.
    #[inline]
    pub(crate) fn next_value(&mut self) -> u64 {
        let byte = self.bit >> 3;
        // Seven bits of misalignment and 32 bits of value fit into the eight bytes loaded.
        let loaded = match self.data.get(byte..).and_then(|rest| rest.first_chunk::<8>()) {
            Some(chunk) => u64::from_le_bytes(*chunk),
            None => self.load_tail(byte),
        };
        let value = (loaded >> (self.bit & 7)) & self.mask;
        self.skip_values(1);
        value
    }

    /// Pass over `count` values.
    pub(crate) fn skip_values(&mut self, count: u8) {
        self.bit += self.width * usize::from(count);
    }

    /// Pass over any number of values; the caller has checked that the data hold them.
    pub(crate) fn skip(&mut self, count: u64) {
        self.bit += self.width * memory_length(count);
    }

    fn load_tail(&self, byte: usize) -> u64 {
        let tail = self.data.get(byte..).unwrap_or(&[]);
        let mut padded = [0; 8];
        padded[..tail.len()].copy_from_slice(tail);
        u64::from_le_bytes(padded)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::BitReader;

    /// One bit at a time, as the specification words it.
    fn slow_value(data: &[u8], position: usize, width: u32) -> u64 {
        (0..width as usize)
            .map(|offset| position + offset)
            .map(|bit| u64::from((data[bit >> 3] >> (bit & 7)) & 1))
            .enumerate()
            .fold(0, |value, (offset, bit)| value | (bit << offset))
    }

    proptest! {
        #[test]
        fn every_width_reads_as_bit_by_bit(width in 1_u32..=32, data in prop::collection::vec(any::<u8>(), 0..80)) {
            let count = data.len() * 8 / width as usize;
            let mut reader = BitReader::new(&data, width);
            for value in 0..count {
                prop_assert_eq!(reader.next_value(), slow_value(&data, value * width as usize, width));
            }
        }

        #[test]
        fn reading_past_the_end_gives_zero_bits(width in 1_u32..=32, data in prop::collection::vec(any::<u8>(), 0..9)) {
            let mut reader = BitReader::new(&data, width);
            for _ in 0..(data.len() * 8).div_ceil(width as usize) {
                reader.next_value();
            }
            prop_assert_eq!(reader.next_value(), 0);
        }
    }
}
