//! Decompression of one block.

use libdeflater::{DecompressionError, Decompressor, adler32};
use zstd::zstd_safe;

use crate::compression::Compression;
use crate::error::Fault;

/// What zstd calls an output that is too small; its error codes are not part of its interface in Rust.
const ZSTD_TOO_SMALL: &str = "Destination buffer is too small";

/// Decompression state of one thread.
pub(crate) struct Inflater {
    deflate: Decompressor,
    zstd: zstd_safe::DCtx<'static>,
}

impl Inflater {
    pub(crate) fn new() -> Self {
        Self {
            deflate: Decompressor::new(),
            zstd: zstd_safe::DCtx::create(),
        }
    }

    /// Fill `output` from `payload`; the number of bytes that were produced, or `None` where they need more room.
    ///
    /// A payload that ends early or is followed by anything is a fault.
    pub(crate) fn inflate(
        &mut self,
        compression: Compression,
        payload: &[u8],
        output: &mut [u8],
    ) -> Result<Option<usize>, Fault> {
        match compression {
            Compression::None => Ok(output.get_mut(..payload.len()).map(|output| {
                output.copy_from_slice(payload);
                payload.len()
            })),
            Compression::Zlib => self.inflate_zlib(payload, output),
            Compression::Zstd => self.inflate_zstd(payload, output),
        }
    }

    /// The check value must be the last four bytes, so a stream that ends early or is followed by anything fails.
    fn inflate_zlib(&mut self, payload: &[u8], output: &mut [u8]) -> Result<Option<usize>, Fault> {
        let stream = payload.split_first_chunk::<2>().and_then(|(start, rest)| {
            let is_deflate = start[0] & 15 == 8 && start[1] & 32 == 0;
            let is_zlib = is_deflate && u16::from_be_bytes(*start).is_multiple_of(31);
            if is_zlib { rest.split_last_chunk::<4>() } else { None }
        });
        let Some((stream, check)) = stream else {
            return Err(Fault::damaged("genotype data are no zlib stream"));
        };
        match self.deflate.deflate_decompress(stream, output) {
            Ok(produced) if adler32(&output[..produced]) == u32::from_be_bytes(*check) => Ok(Some(produced)),
            Ok(_) => Err(Fault::damaged("the zlib check value does not fit the data")),
            Err(DecompressionError::InsufficientSpace) => Ok(None),
            Err(DecompressionError::BadData) => Err(Fault::damaged(
                "zlib data cannot be inflated: they are no deflate stream",
            )),
        }
    }

    fn inflate_zstd(&mut self, payload: &[u8], output: &mut [u8]) -> Result<Option<usize>, Fault> {
        let failed = |code| {
            Fault::Damaged(format!(
                "zstd data cannot be inflated: {}",
                zstd_safe::get_error_name(code)
            ))
        };
        let frame_length = zstd_safe::find_frame_compressed_size(payload).map_err(failed)?;
        if frame_length != payload.len() {
            return Err(Fault::Damaged(format!(
                "{} bytes follow the zstd frame",
                payload.len() - frame_length
            )));
        }
        match self.zstd.decompress(output, payload) {
            Ok(produced) => Ok(Some(produced)),
            Err(code) if zstd_safe::get_error_name(code) == ZSTD_TOO_SMALL => Ok(None),
            Err(code) => Err(failed(code)),
        }
    }
}

#[cfg(test)]
mod tests {
    use libdeflater::{CompressionLvl, Compressor};

    use super::Inflater;
    use crate::compression::Compression;

    fn payloads() -> Vec<(Compression, Vec<u8>)> {
        let content = [7; 1000];
        let mut compressor = Compressor::new(CompressionLvl::default());
        let mut zlib = vec![0; compressor.zlib_compress_bound(content.len())];
        let length = compressor.zlib_compress(&content, &mut zlib).unwrap();
        zlib.truncate(length);
        let zstd = zstd::bulk::compress(&content, 3).unwrap();
        vec![
            (Compression::None, content.to_vec()),
            (Compression::Zlib, zlib),
            (Compression::Zstd, zstd),
        ]
    }

    #[test]
    fn data_that_need_more_room_say_so_and_shorter_ones_how_long_they_are() {
        let mut inflater = Inflater::new();
        for (compression, payload) in payloads() {
            for (room, produced) in [(999, None), (1000, Some(1000)), (1001, Some(1000))] {
                let found = inflater.inflate(compression, &payload, &mut vec![0; room]).unwrap();
                assert_eq!(found, produced, "{compression:?}");
            }
        }
    }
}
