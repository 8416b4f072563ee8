//! One cell to a number.

/// Cells that mean "missing", as documented; no other spelling does.
pub(crate) const MISSING: [&str; 6] = ["NA", "NaN", "nan", "inf", ".", ""];

/// Whether the cell means "missing".
pub(crate) fn is_missing(cell: &str) -> bool {
    cell.len() <= 3 && MISSING.contains(&cell)
}

/// The number in a cell; NaN where it is missing; None where it is no finite number.
///
/// `inf` is missing because REGENIE's reader (`convertDouble`, spec section 2.1) takes it so.
pub(crate) fn parse_number(cell: &str) -> Option<f64> {
    match cell.parse::<f64>() {
        Ok(number) if number.is_finite() => Some(number),
        _ if is_missing(cell) => Some(f64::NAN),
        _ => None,
    }
}

/// What to do about a cell that `parse_number` refuses.
pub(crate) fn advice(cell: &str) -> &'static str {
    let lower = cell.to_ascii_lowercase();
    if [
        "na", "n/a", "#n/a", "nan", "null", "none", "nil", "missing", "-", "?", "*",
    ]
    .contains(&lower.as_str())
    {
        return "write NA for a missing value";
    }
    if cell.contains(['"', '\'']) {
        return "write numbers without quotes";
    }
    if cell.contains(',') && cell.replacen(',', ".", 1).parse::<f64>().is_ok() {
        return "a decimal comma? write a point";
    }
    if cell.parse::<f64>().is_ok() {
        return "not a finite number in double precision";
    }
    if cell.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '+' | '-' | '.')) {
        return "remove what is not part of the number";
    }
    "name a covariate that holds text in --catCovarList"
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_as_tables_have_them() {
        for (cell, number) in [
            ("1", 1.0),
            ("+0.5", 0.5),
            ("-2.5E-5", -2.5e-5),
            ("1e-05", 1e-5),
            (".5", 0.5),
            ("5.", 5.0),
            ("-999", -999.0),
        ] {
            assert_eq!(parse_number(cell), Some(number), "{cell}");
        }
    }

    #[test]
    fn only_the_documented_spellings_are_missing() {
        for cell in MISSING {
            assert!(parse_number(cell).is_some_and(f64::is_nan), "{cell}");
        }
        for cell in [
            "na", "N/A", "NULL", "-inf", "+inf", "INF", "infinity", "-nan", "+nan", "NAN", "1x", "1,5", "M", "1e999",
            "1_0", "0x1",
        ] {
            assert_eq!(parse_number(cell), None, "{cell}");
        }
    }

    #[test]
    fn advice_fits_the_cell() {
        assert!(advice("1,5").contains("decimal comma"));
        assert!(advice("N/A").contains("write NA"));
        assert!(advice("M").contains("--catCovarList"));
        assert!(advice("1x").contains("not part of the number"));
        assert!(advice("\"1\"").contains("quotes"));
        assert!(advice("1e999").contains("finite"));
    }

    proptest! {
        #[test]
        fn every_finite_number_comes_back_to_the_bit(number in proptest::num::f64::NORMAL | proptest::num::f64::ZERO) {
            let parsed = parse_number(&format!("{number:e}")).unwrap();
            prop_assert_eq!(parsed.to_bits(), number.to_bits());
        }
    }
}
