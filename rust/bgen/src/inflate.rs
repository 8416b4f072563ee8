//! Decompression of one block to exactly the length it claims.

use libdeflater::{Decompressor, adler32};
use zstd::zstd_safe;

use crate::compression::Compression;
use crate::error::Fault;

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

    /// Fill `output` from `payload`. Short, long and trailing data are faults.
    pub(crate) fn inflate(&mut self, compression: Compression, payload: &[u8], output: &mut [u8]) -> Result<(), Fault> {
        let produced = match compression {
            Compression::None => {
                if payload.len() == output.len() {
                    output.copy_from_slice(payload);
                }
                payload.len()
            }
            Compression::Zlib => self.inflate_zlib(payload, output)?,
            Compression::Zstd => self.inflate_zstd(payload, output)?,
        };
        if produced == output.len() {
            return Ok(());
        }
        Err(Fault::Damaged(format!(
            "genotype data inflate to {produced} bytes instead of {}",
            output.len()
        )))
    }

    /// The check value must be the last four bytes, so a stream that ends early or is followed by anything fails.
    fn inflate_zlib(&mut self, payload: &[u8], output: &mut [u8]) -> Result<usize, Fault> {
        let stream = payload.split_first_chunk::<2>().and_then(|(start, rest)| {
            let is_deflate = start[0] & 15 == 8 && start[1] & 32 == 0;
            let is_zlib = is_deflate && u16::from_be_bytes(*start).is_multiple_of(31);
            if is_zlib { rest.split_last_chunk::<4>() } else { None }
        });
        let Some((stream, check)) = stream else {
            return Err(Fault::damaged("genotype data are no zlib stream"));
        };
        let produced = self
            .deflate
            .deflate_decompress(stream, output)
            .map_err(|error| Fault::Damaged(format!("zlib data cannot be inflated: {error}")))?;
        if produced == output.len() && adler32(output) != u32::from_be_bytes(*check) {
            return Err(Fault::damaged("the zlib check value does not fit the data"));
        }
        Ok(produced)
    }

    fn inflate_zstd(&mut self, payload: &[u8], output: &mut [u8]) -> Result<usize, Fault> {
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
        self.zstd.decompress(output, payload).map_err(failed)
    }
}
