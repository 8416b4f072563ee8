//! The only place for number conversions that the standard library offers no `From` for.

// Widening u32 to usize and usize to u64 is lossless on the machines this crate supports.
const _: () = assert!(
    usize::BITS == 64,
    "g-bgen needs a 64-bit machine: file offsets are used as lengths"
);

/// A 32-bit count or position as an index.
pub(crate) const fn index(value: u32) -> usize {
    value as usize
}

/// A length in memory as a file length.
pub(crate) const fn file_length(value: usize) -> u64 {
    value as u64
}

/// A count of things in memory as a signed number, as Arrow holds counts.
pub(crate) const fn count_to_signed(count: u64) -> i64 {
    count.cast_signed()
}

/// A file length that was checked against the file as a length in memory.
#[expect(clippy::cast_possible_truncation, reason = "usize has 64 bits, asserted above")]
pub(crate) const fn memory_length(value: u64) -> usize {
    value as usize
}

/// An exact integer sum as a double: the one rounding of a sum.
#[expect(
    clippy::cast_precision_loss,
    reason = "this rounding is the documented last step of exact sums"
)]
pub(crate) const fn rounded(value: i128) -> f64 {
    value as f64
}

/// A count as a double; exact below 2^53.
#[expect(
    clippy::cast_precision_loss,
    reason = "counts of samples and stored values are far below 2^53"
)]
pub(crate) const fn real(value: u64) -> f64 {
    value as f64
}

/// A double as the nearest single-precision value.
#[expect(
    clippy::cast_possible_truncation,
    reason = "rounding to single precision is what is asked for"
)]
pub(crate) const fn single(value: f64) -> f32 {
    value as f32
}

/// An integer below 2^24 in size as a single-precision value, exactly.
#[expect(clippy::cast_precision_loss, reason = "callers pass values below 2^24")]
pub(crate) const fn exact_single(value: i32) -> f32 {
    value as f32
}

/// The nearest integer of a small double.
#[expect(clippy::cast_possible_truncation, reason = "callers pass values far below 2^31")]
pub(crate) fn whole_steps(value: f64) -> i32 {
    value.round() as i32
}
