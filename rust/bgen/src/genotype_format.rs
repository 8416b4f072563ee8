//! In which form a stream hands out genotypes.

/// What the rows of a sample set hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GenotypeFormat {
    /// Centred values, four bytes a sample.
    #[default]
    Dosage,
    /// The two stored bytes of a sample; rows that have no such bytes come as values beside them.
    Packed8,
}

impl GenotypeFormat {
    /// `dosage` or `packed8`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dosage => "dosage",
            Self::Packed8 => "packed8",
        }
    }

    /// The format of a name, or `None`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Dosage, Self::Packed8]
            .into_iter()
            .find(|format| format.name() == name)
    }

    /// Bytes of one sample in a row.
    pub(crate) const fn sample_bytes(self) -> usize {
        match self {
            Self::Dosage => size_of::<f32>(),
            Self::Packed8 => size_of::<u16>(),
        }
    }
}
