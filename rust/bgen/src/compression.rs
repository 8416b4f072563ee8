//! The compression codes of the format.

/// How genotype blocks are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Code 0: stored as they are.
    None,
    /// Code 1: one zlib stream a block.
    Zlib,
    /// Code 2: one zstd frame a block.
    Zstd,
}

impl Compression {
    /// The code in the header flags.
    #[must_use]
    pub const fn code(self) -> u32 {
        match self {
            Self::None => 0,
            Self::Zlib => 1,
            Self::Zstd => 2,
        }
    }

    /// The method of a code, or `None` where the format knows no such code.
    #[must_use]
    pub const fn from_code(code: u32) -> Option<Self> {
        match code {
            0 => Some(Self::None),
            1 => Some(Self::Zlib),
            2 => Some(Self::Zstd),
            _ => None,
        }
    }

    /// `none`, `zlib` or `zstd`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Zlib => "zlib",
            Self::Zstd => "zstd",
        }
    }

    /// The method of a name, or `None`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::None, Self::Zlib, Self::Zstd]
            .into_iter()
            .find(|compression| compression.name() == name)
    }

    /// Most bytes that `compressed` bytes can inflate to: a claim above this is false, so nothing is allocated for it.
    ///
    /// Deflate codes at most 258 bytes in two bits; a zstd block of at least 4 bytes holds at most 128 KiB.
    pub(crate) const fn most_inflated(self, compressed: u64) -> u64 {
        match self {
            Self::None => compressed,
            Self::Zlib => compressed.saturating_mul(1032),
            Self::Zstd => compressed.saturating_mul(128 * 1024 / 4),
        }
    }
}
