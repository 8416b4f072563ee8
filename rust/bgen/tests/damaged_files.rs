//! Damaged files become errors that say where, never panics.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "in a test a panic is the report")]

mod common;

use common::{Genotypes, TestFile};
use g_bgen::{BgenError, BgenReader, Compression};
use proptest::prelude::*;

fn small_file(compression: Compression) -> Vec<u8> {
    let mut missing = Genotypes::bytes(&[[255, 0], [0, 255], [0, 0], [10, 20], [100, 100]]);
    missing.missing[2] = true;
    let mut phased = missing.clone();
    phased.phased = true;
    phased.bits = 11;
    common::file(&[Genotypes::bytes(&[[7, 8]; 5]), missing, phased], compression, true)
}

/// Open, stream and read everything; the first error ends it.
fn read_all(bytes: &[u8]) -> Result<(), BgenError> {
    let file = TestFile::new(bytes);
    let reader = BgenReader::open(&file.path)?;
    let mut plan = common::plan(&reader, 2);
    plan.threads = 1;
    for chunk in reader.stream(plan)? {
        chunk?;
    }
    for variant in 0..reader.index().len() {
        reader.read_genotypes(variant)?;
    }
    g_bgen::check(&reader, 2).map(drop)
}

fn message(bytes: &[u8]) -> String {
    read_all(bytes).expect_err("the file is damaged").to_string()
}

#[test]
fn a_file_cut_at_any_byte_is_refused() {
    for compression in [Compression::None, Compression::Zlib, Compression::Zstd] {
        let whole = small_file(compression);
        read_all(&whole).unwrap();
        for length in 0..whole.len() {
            assert!(
                read_all(&whole[..length]).is_err(),
                "cut to {length} of {} bytes",
                whole.len()
            );
        }
    }
}

#[test]
fn a_cut_file_says_how_far_it_goes() {
    let whole = small_file(Compression::Zlib);
    let error = message(&whole[..whole.len() - 1]);
    assert!(
        error.contains(&format!("file ends inside variant 3 of 3 at byte {}", whole.len() - 1)),
        "{error}"
    );
}

#[test]
fn any_changed_byte_gives_an_error_or_an_answer() {
    for compression in [Compression::None, Compression::Zlib, Compression::Zstd] {
        let whole = small_file(compression);
        for place in 0..whole.len() {
            for change in [1, 0x80] {
                let mut bytes = whole.clone();
                bytes[place] ^= change;
                let outcome = read_all(&bytes);
                let refused = matches!(outcome, Err(BgenError::Worker(_) | BgenError::Request(_)));
                assert!(!refused, "byte {place} ^ {change}: {outcome:?}");
            }
        }
    }
}

#[test]
fn a_changed_byte_of_a_zlib_payload_is_always_found() {
    let whole = small_file(Compression::Zlib);
    let last_payload = common::compress(Compression::Zlib, &[0; 4]).len();
    for place in whole.len() - last_payload..whole.len() {
        let mut bytes = whole.clone();
        bytes[place] ^= 1;
        assert!(message(&bytes).contains("variant 3 (rs2)"));
    }
}

proptest! {
    #[test]
    fn bytes_of_any_kind_after_a_sound_header_never_panic(tail in prop::collection::vec(any::<u8>(), 0..200)) {
        for compression in [Compression::None, Compression::Zlib] {
            let mut bytes = common::header(2, 3, compression, 2, false);
            bytes.extend(&tail);
            let outcome = read_all(&bytes);
            prop_assert!(!matches!(outcome, Err(BgenError::Worker(_))));
        }
    }
}

fn with_block(block: &[u8]) -> Vec<u8> {
    let mut bytes = common::header(1, 2, Compression::Zlib, 2, false);
    bytes.extend(common::identifying_data(0, &["A", "G"]));
    bytes.extend(common::stored_block(Compression::Zlib, block));
    bytes
}

#[test]
fn every_field_of_a_block_is_checked() {
    let sound = Genotypes::bytes(&[[255, 0], [1, 2]]).block();
    let changed = |place: usize, value: u8| {
        let mut block = sound.clone();
        block[place] = value;
        block
    };
    let cases = [
        (changed(0, 3), "3 samples"),
        (changed(4, 3), "3 alleles"),
        (changed(6, 3), "ploidy range 3 to 2"),
        (changed(7, 64), "ploidy range 2 to 64"),
        (changed(8, 3), "sample 1 has ploidy byte 0x03"),
        (changed(8, 0x42), "sample 1 has ploidy byte 0x42"),
        (changed(10, 2), "phased flag is 2"),
        (changed(11, 0), "0 bits"),
        (changed(11, 33), "33 bits"),
        (changed(11, 9), "4 bytes of probabilities where 5 are expected"),
        (
            [sound.clone(), vec![0]].concat(),
            "5 bytes of probabilities where 4 are expected",
        ),
    ];
    for (block, words) in cases {
        let error = message(&with_block(&block));
        assert!(error.contains("variant 1 (rs0)") && error.contains(words), "{error}");
    }
}

#[test]
fn claimed_lengths_are_not_believed() {
    let sound = with_block(&Genotypes::bytes(&[[255, 0], [1, 2]]).block());
    let inflated = sound
        .windows(4)
        .rposition(|bytes| bytes == 16_u32.to_le_bytes())
        .expect("the length is there");
    let claim = |length: u32| {
        let mut bytes = sound.clone();
        bytes[inflated..inflated + 4].copy_from_slice(&length.to_le_bytes());
        message(&bytes)
    };
    assert!(claim(u32::MAX).contains("cannot inflate to the 4294967295"));
    assert!(claim(8).contains("too short for 2 samples"));
    assert!(claim(15).contains("inflate to more than the 15 bytes that are claimed"));
    assert!(claim(17).contains("inflate to 16 bytes instead of 17"));
    assert!(claim(1000).contains("more than 2 diploid samples need"));
}

#[test]
fn bytes_after_the_compressed_data_are_refused() {
    for compression in [Compression::Zlib, Compression::Zstd] {
        let block = Genotypes::bytes(&[[255, 0], [1, 2]]).block();
        let mut stored = common::stored_block(compression, &block);
        let claimed = u32::from_le_bytes(stored[..4].try_into().unwrap()) + 1;
        stored[..4].copy_from_slice(&claimed.to_le_bytes());
        stored.push(0);
        let mut bytes = common::header(1, 2, compression, 2, false);
        bytes.extend(common::identifying_data(0, &["A", "G"]));
        bytes.extend(stored);
        assert!(message(&bytes).contains("variant 1 (rs0)"));
    }
}

#[test]
fn what_is_no_bgen_file_is_called_what_it_is() {
    let sound = small_file(Compression::None);
    let mut magic = sound.clone();
    magic[16..20].copy_from_slice(b"vcf\n");
    let mut header_length = sound.clone();
    header_length[4] = 16;
    let mut layout = sound.clone();
    let flags = 20 + b"free data".len();
    layout[flags] = 3 << 2;
    let mut compression = sound.clone();
    compression[flags] |= 3;
    let cases: [(&[u8], &str); 7] = [
        (b"", "the file is empty"),
        (b"\x1f\x8b\x08\x00", "compressed with gzip"),
        (&sound[..14], "ends inside the header at byte 14"),
        (&magic, "\"vcf\\n\" instead of \"bgen\""),
        (&header_length, "the header block claims 16 bytes"),
        (&layout, "layout 3 is not supported"),
        (&compression, "compression code 3"),
    ];
    for (bytes, words) in cases {
        let error = message(bytes);
        assert!(error.contains(words) && error.contains("test.bgen"), "{error}");
    }
    let file = TestFile::new(&sound);
    let folder = BgenReader::open(file.folder()).unwrap_err().to_string();
    assert!(folder.contains("this is a directory"), "{folder}");
    let absent = BgenReader::open(&file.folder().join("absent.bgen"))
        .unwrap_err()
        .to_string();
    assert!(absent.contains("absent.bgen: cannot open"), "{absent}");
}

#[test]
fn four_zero_bytes_are_a_legal_magic_and_trailing_bytes_are_a_fault_of_the_check_only() {
    let mut bytes = small_file(Compression::None);
    bytes[16..20].fill(0);
    read_all(&bytes).unwrap();
    bytes.extend([1, 2, 3]);
    let file = TestFile::new(&bytes);
    let reader = file.open();
    assert_eq!(reader.index().trailing_bytes(), 3);
    assert!(common::dosages(&reader, 0..3).is_ok());
    let fault = message(&bytes);
    let place = format!("3 bytes follow the last of 3 variants, from byte {}", bytes.len() - 3);
    assert!(fault.contains(&place), "{fault}");
}
