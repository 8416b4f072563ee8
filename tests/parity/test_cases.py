import json

import pytest

from g_assets.parity.cases import Expectation, ParityUsageError, choose_cases, read_cases


def case(name, **changes):
    return {
        "id": name,
        "trait_type": "qt",
        "genotype_format": "bgen",
        "notes": "a field that nothing here reads",
        "expect": "ok",
        "argv": ["--step", "2", "--out", f"step2/{name}/out"],
        "inputs": [],
        "outputs": [f"step2/{name}/out_Y1.regenie"],
        "exit_code": 0,
    } | changes


def write_cases(folder, cases):
    (folder / "cases.json").write_text(json.dumps({"program": "regenie", "version": "4.1.2", "cases": cases}))
    return folder


def test_cases_are_read_and_unused_fields_ignored(tmp_path):
    read = read_cases(write_cases(tmp_path, [case("qt_one"), case("err_two", expect="error", outputs=[])]))

    assert [golden.id for golden in read.cases] == ["qt_one", "err_two"]
    assert read.cases[1].expect is Expectation.ERROR
    assert str(read.cases[0].output_prefix) == "step2/qt_one/out"


def test_cases_come_in_the_order_of_the_file(tmp_path):
    cases = read_cases(write_cases(tmp_path, [case("a"), case("b"), case("c")])).cases

    assert [golden.id for golden in choose_cases(cases, ["c", "a"])] == ["a", "c"]
    assert choose_cases(cases, None) == cases


def test_an_unknown_id_is_named_with_the_nearest_known_one(tmp_path):
    cases = read_cases(write_cases(tmp_path, [case("qt_linear"), case("bt_score")])).cases

    with pytest.raises(ParityUsageError, match="no case is called qt_liner; the nearest is qt_linear"):
        choose_cases(cases, ["bt_score", "qt_liner"])


def test_a_folder_without_cases_is_refused_by_name(tmp_path):
    with pytest.raises(ParityUsageError, match=r"cases\.json"):
        read_cases(tmp_path)


def test_a_case_that_lacks_a_field_is_refused(tmp_path):
    broken = case("qt_one")
    del broken["argv"]

    with pytest.raises(ParityUsageError, match="argv"):
        read_cases(write_cases(tmp_path, [broken]))


def test_the_values_of_an_option_are_the_words_after_it(tmp_path):
    words = ["--step", "2", "--chr", "1", "--strict", "--chr", "X", "--out", "step2/a/out"]
    (golden,) = read_cases(write_cases(tmp_path, [case("a", argv=words)])).cases

    assert golden.values("--chr") == ("1", "X")
    assert golden.values("--strict") == ()
    assert golden.has("--strict")
    assert not golden.has("--gz")
