//! A double as C's `%g` prints it: six significant digits, no trailing zeros.

use std::fmt::Write;

const SIGNIFICANT_DIGITS: i32 = 6;

/// Powers of ten that a double holds exactly.
const EXACT_POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// Adding this to a double below 2^51 rounds it to an integer, which then stands in the low bits.
const ROUNDING: f64 = 4_503_599_627_370_496.0;
const MANTISSA_MASK: u64 = (1 << 52) - 1;

/// Six digits and the decimal exponent of the first one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Decimal {
    digits: [u8; 6],
    exponent: i32,
}

/// Appends the number; NaN as `NA`, infinities as `inf` and `-inf`.
pub fn push_g6(text: &mut Vec<u8>, value: f64) {
    if value.is_nan() {
        text.extend_from_slice(b"NA");
        return;
    }
    if value.is_sign_negative() {
        text.push(b'-');
    }
    let magnitude = value.abs();
    if magnitude == 0.0 {
        text.push(b'0');
    } else if magnitude.is_infinite() {
        text.extend_from_slice(b"inf");
    } else {
        push_decimal(
            text,
            fast_decimal(magnitude).unwrap_or_else(|| exact_decimal(magnitude)),
        );
    }
}

/// The number as text.
#[must_use]
pub fn format_g6(value: f64) -> String {
    let mut text = Vec::with_capacity(16);
    push_g6(&mut text, value);
    text.into_iter().map(char::from).collect()
}

/// Digits by one multiplication or division, where that is certain to round as the exact value does.
///
/// The power of ten is exact, so the scaled value is off by at most half a unit in its last place: below 1e-10, because
/// it is below 1e6. Rounding to an integer is then certain unless the fraction is that near to one half.
fn fast_decimal(magnitude: f64) -> Option<Decimal> {
    const DOUBT: f64 = 1e-9;
    let mut exponent = least_decimal_exponent(magnitude);
    loop {
        let power = SIGNIFICANT_DIGITS - 1 - exponent;
        let factor = EXACT_POWERS.get(usize::try_from(power.unsigned_abs()).ok()?)?;
        let scaled = if power >= 0 {
            magnitude * factor
        } else {
            magnitude / factor
        };
        let shifted = scaled + ROUNDING;
        let rounded = shifted - ROUNDING;
        if (scaled - rounded).abs() > 0.5 - DOUBT {
            return None;
        }
        if rounded < 1_000_000.0 {
            return (rounded >= 100_000.0).then(|| Decimal {
                digits: six_digits(shifted.to_bits()),
                exponent,
            });
        }
        // Either the estimate was one too low, or the digits were rounded up to the next power of ten.
        exponent += 1;
    }
}

/// The decimal exponent, or one less.
fn least_decimal_exponent(magnitude: f64) -> i32 {
    // 1233 / 4096 is just below log10(2).
    let [low, high, ..] = (magnitude.to_bits() >> 52).to_le_bytes();
    let binary = i32::from(u16::from_le_bytes([low, high])) - 1023;
    (binary * 1233) >> 12
}

fn six_digits(shifted_bits: u64) -> [u8; 6] {
    let mut rest = shifted_bits & MANTISSA_MASK;
    let mut digits = [0; 6];
    for digit in digits.iter_mut().rev() {
        let [low, ..] = (rest % 10).to_le_bytes();
        *digit = b'0' + low;
        rest /= 10;
    }
    digits
}

/// Digits by exact arithmetic; any finite positive value.
fn exact_decimal(magnitude: f64) -> Decimal {
    let text = format!("{magnitude:.5e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mut digits = [b'0'; 6];
    for (digit, byte) in digits.iter_mut().zip(mantissa.bytes().filter(u8::is_ascii_digit)) {
        *digit = byte;
    }
    Decimal {
        digits,
        exponent: exponent.parse().unwrap_or(0),
    }
}

fn push_decimal(text: &mut Vec<u8>, Decimal { digits, exponent }: Decimal) {
    let kept = digits
        .iter()
        .rposition(|digit| *digit != b'0')
        .map_or(1, |last| last + 1);
    let digits = &digits[..kept];
    match exponent {
        0..SIGNIFICANT_DIGITS => {
            let whole = usize::try_from(exponent).unwrap_or(0) + 1;
            if kept > whole {
                text.extend_from_slice(&digits[..whole]);
                text.push(b'.');
                text.extend_from_slice(&digits[whole..]);
            } else {
                text.extend_from_slice(digits);
                text.extend(std::iter::repeat_n(b'0', whole - kept));
            }
        }
        -4..0 => {
            text.extend_from_slice(b"0.");
            text.extend(std::iter::repeat_n(b'0', usize::try_from(-exponent - 1).unwrap_or(0)));
            text.extend_from_slice(digits);
        }
        _ => {
            text.push(digits[0]);
            if kept > 1 {
                text.push(b'.');
                text.extend_from_slice(&digits[1..]);
            }
            text.extend_from_slice(if exponent < 0 { b"e-" } else { b"e+" });
            let mut ending = String::with_capacity(3);
            // Writing to a String cannot fail.
            let _ = write!(ending, "{:02}", exponent.unsigned_abs());
            text.extend_from_slice(ending.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn as_c_prints_them() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-1.5, "-1.5"),
            (100_000.0, "100000"),
            (999_999.0, "999999"),
            (1_000_000.0, "1e+06"),
            (999_999.5, "1e+06"),
            (999_999.4, "999999"),
            (123_456.5, "123456"),
            (123_457.5, "123458"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (0.000_099_999_95, "0.0001"),
            (0.000_099_999_94, "9.99999e-05"),
            (0.1, "0.1"),
            (1.0 / 3.0, "0.333333"),
            (2.0 / 3.0, "0.666667"),
            (0.944_28, "0.94428"),
            (1_087.683_75, "1087.68"),
            (1e22, "1e+22"),
            (1.5e300, "1.5e+300"),
            (5e-324, "4.94066e-324"),
            (f64::MAX, "1.79769e+308"),
            (f64::MIN_POSITIVE, "2.22507e-308"),
            (2.5e-100, "2.5e-100"),
            (0.000_001_234_565, "1.23457e-06"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "NA"),
        ] {
            assert_eq!(format_g6(value), text, "{value:e}");
        }
    }

    proptest! {
        #[test]
        fn the_fast_way_agrees_with_the_exact_one(value in proptest::num::f64::POSITIVE | proptest::num::f64::SUBNORMAL) {
            if let Some(fast) = fast_decimal(value.abs()) {
                prop_assert_eq!(fast, exact_decimal(value.abs()));
            }
        }

        #[test]
        fn the_fast_way_agrees_at_the_sizes_of_statistics(mantissa in 0_u64..1 << 52, binary in 980_u64..1070) {
            let value = f64::from_bits(binary << 52 | mantissa);
            prop_assert_eq!(fast_decimal(value).unwrap_or_else(|| exact_decimal(value)), exact_decimal(value));
        }

        #[test]
        fn halves_in_the_seventh_digit_agree(digits in 100_000_u32..1_000_000, exponent in -12_i32..12, steps in -3_i64..4) {
            let half: f64 = format!("{digits}5e{exponent}").parse().unwrap();
            let value = f64::from_bits(half.to_bits().wrapping_add_signed(steps));
            prop_assert_eq!(fast_decimal(value).unwrap_or_else(|| exact_decimal(value)), exact_decimal(value));
        }

        #[test]
        fn reading_back_gives_the_number_to_six_digits(value in proptest::num::f64::NORMAL) {
            let back: f64 = format_g6(value).parse().unwrap();
            prop_assert!(back.is_infinite() || (back - value).abs() <= 5.000_001e-6 * value.abs());
        }

        #[test]
        fn six_digit_numbers_come_back_to_the_bit(digits in -999_999_i32..1_000_000, exponent in -40_i32..40) {
            let value: f64 = format!("{digits}e{exponent}").parse().unwrap();
            let back: f64 = format_g6(value).parse().unwrap();
            prop_assert_eq!(back.to_bits(), value.to_bits());
        }
    }
}
