"""g bgen dump, check and write: every legal kind of variant there and back."""

import json

import pytest

from g_core.cli.main import main

UNPHASED = {
    "variant_id": "v1",
    "rsid": "rs1",
    "chromosome": "2",
    "position": 17,
    "alleles": ["A", "C", "T"],
    "bits": 2,
    "phased": False,
    "ploidy": [1, 2, 0],
    "missing": [False, True, False],
    "probabilities": [[1 / 3, 0, 2 / 3], None, [1]],
}
PHASED = {
    "variant_id": "v2",
    "rsid": "rs2",
    "chromosome": "X",
    "position": 18,
    "alleles": ["A", "C"],
    "bits": 1,
    "phased": True,
    "ploidy": [3, 1, 2],
    "missing": [False, False, False],
    "probabilities": [[1, 0, 0, 1, 1, 0], [0, 1], [1, 0, 1, 0]],
}
LAYOUT_ONE = UNPHASED | {
    "alleles": ["A", "C"],
    "bits": 16,
    "ploidy": [2, 2, 2],
    "probabilities": [[0.25, 0.25, 0.5], None, [1, 0, 0]],
}
FILE = {"layout": 2, "compression": "zstd", "n_samples": 3, "n_variants": 2, "sample_ids": ["a", "b", "c"]}


@pytest.fixture
def write(tmp_path):
    def write_file(record):
        (tmp_path / "file.json").write_text(json.dumps(record))
        return main(["bgen", "write", str(tmp_path / "file.json"), str(tmp_path / "file.bgen")])

    return write_file


def dump(capsys, *words):
    capsys.readouterr()
    assert main(["bgen", "dump", *words]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("compression", ["none", "zlib", "zstd"])
def test_what_is_written_is_dumped_again_with_the_dosage_of_each_allele(write, tmp_path, capsys, compression):
    record = FILE | {"compression": compression, "variants": [UNPHASED, PHASED]}
    assert write(record) == 0
    found = json.loads(dump(capsys, str(tmp_path / "file.bgen"), "--json"))
    dosages = [variant.pop("dosage") for variant in found["variants"]]
    assert found == record
    assert dosages == [[[1 / 3, 0, 2 / 3], None, [0, 0, 0]], [[2, 1], [0, 1], [2, 0]]]
    assert main(["bgen", "check", str(tmp_path / "file.bgen")]) == 0
    assert "OK (2 variants, 3 samples" in capsys.readouterr().out


@pytest.mark.parametrize("compression", ["none", "zlib"])
def test_layout_one_is_written_too(write, tmp_path, capsys, compression):
    record = FILE | {"layout": 1, "compression": compression, "n_variants": 1, "variants": [LAYOUT_ONE]}
    assert write(record) == 0
    found = json.loads(dump(capsys, str(tmp_path / "file.bgen"), "--json"))
    assert found["variants"][0].pop("dosage") == [[0.75, 1.25], None, [2, 0]]
    assert found == record


def test_a_range_of_variants_is_dumped_as_text(write, tmp_path, capsys):
    write(FILE | {"variants": [UNPHASED, PHASED]})
    assert dump(capsys, str(tmp_path / "file.bgen"), "--variants", "1:") == (
        "variant 1: rs2 (v2) X:18 A,C, 1 bits, phased\n"
        "  sample 0: ploidy 3: 1 0 0 1 1 0\n"
        "  sample 1: ploidy 1: 0 1\n"
        "  sample 2: ploidy 2: 1 0 1 0\n"
    )
    for text in ("2:1", "0:3", "1", "-1:2"):
        assert main(["bgen", "dump", str(tmp_path / "file.bgen"), f"--variants={text}"]) == 2
        assert f"--variants {text}: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"bits": 33}, "33 bits"),
        ({"probabilities": [[1, 0, 0], None, [1, 0]]}, "sample 3 has 2 probabilities where 1 are needed"),
        ({"probabilities": [[0.5, 0, 0], None, [1]]}, "sample 1 must lie in 0 to 1 and sum to 1"),
        ({"ploidy": [1, 2, 64]}, "sample 3 has ploidy 64"),
        ({"position": -1}, "variants.0.position"),
        ({"colour": 1}, "variants.0.colour"),
    ],
)
def test_a_contradiction_is_named_and_no_file_appears(write, tmp_path, capsys, change, words):
    assert write(FILE | {"variants": [UNPHASED | change]}) == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "file.bgen").exists()


def test_check_prints_the_first_fault(write, tmp_path, capsys):
    write(FILE | {"variants": [UNPHASED, PHASED]})
    path = tmp_path / "file.bgen"
    content = path.read_bytes()
    path.write_bytes(content + b"x")
    assert main(["bgen", "check", str(path)]) == 2
    assert f"1 bytes follow the last of 2 variants, from byte {len(content)}" in capsys.readouterr().err
    assert main(["bgen", "info", str(path)]) == 0
    assert "trailing     1 bytes after the last variant" in capsys.readouterr().out
    path.write_bytes(content[:-1])
    assert main(["bgen", "check", str(path)]) == 2
    assert "file ends inside variant 2 of 2" in capsys.readouterr().err


@pytest.mark.golden
def test_every_legal_file_of_the_golden_folder_comes_back_from_its_own_dump(golden, write, tmp_path, capsys):
    files = json.loads((golden / "bgen_odd" / "manifest.json").read_text())["files"]
    valid = [file for file in files if file["valid"]]
    assert valid
    for file in valid:
        first = json.loads(dump(capsys, str(golden / "bgen_odd" / file["file"]), "--json"))
        assert write(first) == 0, file["id"]
        assert json.loads(dump(capsys, str(tmp_path / "file.bgen"), "--json")) == first, file["id"]
