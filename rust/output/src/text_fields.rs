//! Fields of a line as REGENIE prints them (spec section 8): one space after each, `NA` where there is nothing to say.

use arrow_array::{Array, Float64Array, Int64Array};

use crate::format_g6::push_g6;

/// BETA and SE of a row, where REGENIE would print them.
pub(crate) fn effect(beta: Option<f64>, standard_error: Option<f64>) -> Option<(f64, f64)> {
    let pair = beta.zip(standard_error);
    pair.filter(|(_, standard_error)| standard_error.is_normal() && *standard_error > 0.0)
}

/// CHISQ and LOG10P of a row, where REGENIE would print them.
pub(crate) fn statistic(chi_square: Option<f64>, log10_p: Option<f64>) -> Option<(f64, f64)> {
    let pair = chi_square.zip(log10_p);
    pair.filter(|(chi_square, log10_p)| *chi_square >= 0.0 && log10_p.is_normal())
}

/// The number in a row, or None where it is null.
pub(crate) fn value(column: &Float64Array, row: usize) -> Option<f64> {
    column.is_valid(row).then(|| column.value(row))
}

pub(crate) fn push_number(line: &mut Vec<u8>, number: Option<f64>) {
    push_g6(line, number.unwrap_or(f64::NAN));
    line.push(b' ');
}

pub(crate) fn push_pair(line: &mut Vec<u8>, pair: Option<(f64, f64)>) {
    push_number(line, pair.map(|(first, _)| first));
    push_number(line, pair.map(|(_, second)| second));
}

/// INFO, which REGENIE does not print below 0.
pub(crate) fn push_information(line: &mut Vec<u8>, information: Option<f64>) {
    push_number(line, information.filter(|information| *information >= 0.0));
}

pub(crate) fn push_text(line: &mut Vec<u8>, text: Option<&str>) {
    line.extend_from_slice(text.unwrap_or("NA").as_bytes());
    line.push(b' ');
}

pub(crate) fn push_integer(line: &mut Vec<u8>, column: &Int64Array, row: usize) {
    if column.is_null(row) {
        line.extend_from_slice(b"NA ");
        return;
    }
    let number = column.value(row);
    if number < 0 {
        line.push(b'-');
    }
    let mut digits = [0; 20];
    let mut start = digits.len();
    let mut rest = number.unsigned_abs();
    loop {
        let [low, ..] = (rest % 10).to_le_bytes();
        start -= 1;
        digits[start] = b'0' + low;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    line.extend_from_slice(&digits[start..]);
    line.push(b' ');
}
