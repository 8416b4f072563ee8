//! Chromosome labels of prediction files.

/// Code of a row label: 1 to 22, and 23 for X and its regions; None for anything else.
///
/// Accepts an optional `chr`, leading zeros, and X, XY, PAR1, PAR2 in either case.
#[must_use]
pub fn chromosome_code(label: &str) -> Option<u8> {
    let upper = label.to_ascii_uppercase();
    let name = upper.strip_prefix("CHR").unwrap_or(&upper);
    match name {
        "X" | "XY" | "PAR1" | "PAR2" => Some(23),
        _ if name.bytes().all(|byte| byte.is_ascii_digit()) => {
            name.parse::<u8>().ok().filter(|code| (1..=23).contains(code))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels() {
        for (label, code) in [
            ("1", 1),
            ("01", 1),
            ("chr22", 22),
            ("Chr3", 3),
            ("X", 23),
            ("chrx", 23),
            ("23", 23),
            ("PAR1", 23),
        ] {
            assert_eq!(chromosome_code(label), Some(code), "{label}");
        }
        for label in ["0", "24", "26", "Y", "MT", "GL000", "", "chr", "+1", "1.0", "999"] {
            assert_eq!(chromosome_code(label), None, "{label}");
        }
    }
}
