"""Two runs' rows, number by number."""

import polars as pl
import pytest

from g_assets.compare.result_numbers import compare_numbers
from tests.assets.fakes import write_results


def compare(tmp_path, **current):
    write_results(tmp_path / "then")
    write_results(tmp_path / "now", **current)
    return compare_numbers(tmp_path / "now", tmp_path / "then")


def rewrite(folder, **columns):
    path = folder / "T/part-00000.parquet"
    pl.read_parquet(path).with_columns(**columns).write_parquet(path)


def test_equal_rows_have_held(tmp_path):
    assert compare(tmp_path).held


@pytest.mark.parametrize(("effect", "held"), [(0.5000054, True), (0.5000056, False)])
def test_a_number_holds_up_to_its_tolerance(tmp_path, effect, held):
    # 1e-5 of 0.5, and half a unit of the sixth digit: 5.5e-6.
    assert compare(tmp_path, effect=effect).held is held


@pytest.mark.parametrize(
    ("current", "reason"),
    [
        ({"identifier": "rs9"}, "trait T, row 1: ID is rs9, was rs1"),
        ({"correction": "firth_exact"}, "trait T, row 1: CORRECTION is firth_exact, was none"),
    ],
)
def test_a_name_or_state_that_changed_has_moved(tmp_path, current, reason):
    verdict = compare(tmp_path, **current)

    assert (verdict.held, verdict.reason) == (False, reason)


def test_a_value_that_went_missing_has_moved(tmp_path):
    write_results(tmp_path / "then")
    write_results(tmp_path / "now")
    rewrite(tmp_path / "now", SE=pl.lit(None, pl.Float64))

    verdict = compare_numbers(tmp_path / "now", tmp_path / "then")
    assert not verdict.held
    assert "SE of rs1, trait T, from 0.1 to nan" in verdict.reason


def test_other_rows_traits_or_none_at_all_have_moved(tmp_path):
    write_results(tmp_path / "then")
    write_results(tmp_path / "now")
    (tmp_path / "now/T/part-00001.parquet").unlink()
    assert "1 rows against 2" in compare_numbers(tmp_path / "now", tmp_path / "then").reason

    (tmp_path / "now/T").rename(tmp_path / "now/U")
    assert compare_numbers(tmp_path / "now", tmp_path / "then").reason == "other traits: T, U"
    assert "gone" not in compare_numbers(tmp_path / "none", tmp_path / "then").reason
    assert "holds no results any more" in compare_numbers(tmp_path / "none", tmp_path / "then").reason


def test_a_part_that_is_damaged_has_not_held(tmp_path):
    write_results(tmp_path / "then")
    write_results(tmp_path / "now")
    (tmp_path / "then/T/part-00000.parquet").write_bytes(b"PAR1")

    assert not compare_numbers(tmp_path / "now", tmp_path / "then").held
