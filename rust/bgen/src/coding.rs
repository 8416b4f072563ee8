//! What the values of a stream count.

/// The genetic model that values are coded for (spec section 8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Coding {
    /// Dosage of the effect allele.
    #[default]
    Additive,
    /// P(one effect allele) + P(two).
    Dominant,
    /// P(two effect alleles).
    Recessive,
}

impl Coding {
    /// `additive`, `dominant` or `recessive`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Additive => "additive",
            Self::Dominant => "dominant",
            Self::Recessive => "recessive",
        }
    }

    /// The coding of a name, or `None`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Additive, Self::Dominant, Self::Recessive]
            .into_iter()
            .find(|coding| coding.name() == name)
    }
}
