import pytest

from g_assets.parity.firth_rows import find_firth_rows
from g_assets.parity.regenie_table import TableError
from tests.parity.cases import run_of, write_run
from tests.parity.tables import ROWS, keys_of, write_table

OK_FIRTH, OK_SCORE, FAILED_FIRTH, NO_TEST = (
    ("firth_exact", "ok"),
    ("none", "ok"),
    ("firth_exact", "failed"),
    ("none", "failed"),
)


def rows_of(*kinds):
    return [(*keys_of(row), *kind) for row, kind in zip(ROWS, kinds, strict=False)]


def test_firth_rows_are_those_whose_fit_settled(tmp_path):
    run = write_run(tmp_path, {"Y1": rows_of(OK_FIRTH, OK_SCORE, FAILED_FIRTH)})
    table = write_table(tmp_path / "out_Y1.regenie")

    assert find_firth_rows(run=run, text_name="out_Y1.regenie", table=table)[""].tolist() == [True, False, False]


def test_a_row_without_a_test_is_not_in_the_text(tmp_path):
    run = write_run(tmp_path, {"Y1": rows_of(NO_TEST, OK_FIRTH, OK_SCORE)})
    table = write_table(tmp_path / "out_Y1.regenie", rows=ROWS[1:])

    assert find_firth_rows(run=run, text_name="out_Y1.regenie", table=table)[""].tolist() == [True, False]


def test_parts_that_do_not_match_the_text_are_refused(tmp_path):
    run = write_run(tmp_path, {"Y1": rows_of(OK_FIRTH, OK_SCORE)})
    table = write_table(tmp_path / "out_Y1.regenie")

    with pytest.raises(TableError, match=r"Y1 has 2 rows with a test and out_Y1\.regenie has 3"):
        find_firth_rows(run=run, text_name="out_Y1.regenie", table=table)


@pytest.mark.parametrize("missing", ["Y1/part-00000.parquet", "manifest.json"])
def test_a_run_that_lacks_its_files_is_refused_by_name(tmp_path, missing):
    run = write_run(tmp_path, {"Y1": rows_of(OK_FIRTH)})
    (run.run_directory / missing).unlink()
    table = write_table(tmp_path / "out_Y1.regenie", rows=ROWS[:1])

    with pytest.raises(TableError, match=missing.partition(".")[0].partition("/")[0]):
        find_firth_rows(run=run, text_name="out_Y1.regenie", table=table)


def test_a_file_of_several_traits_is_matched_by_variant(tmp_path):
    # The second trait lacks the first variant; the n-th of equal variants is matched with the n-th.
    twice = (ROWS[0], ROWS[1], ROWS[1])
    both = [(*keys_of(row), *kind) for row, kind in zip(twice, (OK_FIRTH, OK_SCORE, OK_FIRTH), strict=True)]
    run = write_run(tmp_path, {"height": both, "weight": both[1:]})
    (tmp_path / "out.regenie.Ydict").write_text("Y1 height\nY2 weight\n")
    table = write_table(tmp_path / "out.regenie", rows=twice)
    found = find_firth_rows(run=run, text_name="out.regenie", table=table)

    assert {suffix: rows.tolist() for suffix, rows in found.items()} == {
        ".Y1": [True, False, True],
        ".Y2": [False, False, True],
    }


@pytest.mark.parametrize(("kind", "refused"), [(NO_TEST, False), (OK_SCORE, True)])
def test_only_a_variant_without_a_test_may_be_missing_from_a_file_of_several_traits(tmp_path, kind, refused):
    run = write_run(tmp_path, {"height": rows_of(kind, OK_FIRTH)})
    (tmp_path / "out.regenie.Ydict").write_text("Y1 height\n")
    table = write_table(tmp_path / "out.regenie", rows=ROWS[1:])
    if refused:
        with pytest.raises(TableError, match="height has 1 tests of variants that the text lacks"):
            find_firth_rows(run=run, text_name="out.regenie", table=table)
    else:
        assert find_firth_rows(run=run, text_name="out.regenie", table=table)[".Y1"].tolist() == [True, False]


def test_a_file_of_several_traits_without_their_names_is_refused(tmp_path):
    write_run(tmp_path, {"Y1": rows_of(OK_FIRTH)})
    table = write_table(tmp_path / "out.regenie")

    with pytest.raises(TableError, match="Ydict"):
        find_firth_rows(run=run_of(tmp_path), text_name="out.regenie", table=table)
