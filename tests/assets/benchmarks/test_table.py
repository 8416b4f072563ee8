"""The table: every row once, demands in the row's own measure, and nothing hidden."""

import pytest

from g_assets.artifacts.models import Unit
from g_assets.benchmarks.table import figures_table, place_lines, scaling_table, stage_table, value_text, verdict
from g_assets.reports.text_table import markdown_table, text_table
from tests.assets.benchmarks.records import full_record

HEADER = ("part", "row", "median", "min - max", "whole call", "variants/s", "floors", "demanded", "aim", "verdict")


def line(title):
    table = figures_table(full_record())
    assert table.header == HEADER
    return dict(zip(HEADER, next(row for row in table.rows if row[1].startswith(title)), strict=True))


def test_a_scan_is_judged_in_floors():
    assert line("title of qt1.scan") == {
        "part": "scan",
        "row": "title of qt1.scan",
        "median": "0.400 s",
        "min - max": "0.300 s - 0.500 s",
        "whole call": "0.700 s",
        "variants/s": "1,500",
        "floors": "2.00",
        "demanded": "2.2 floors",
        "aim": "1.5 floors",
        "verdict": "reached",
    }
    assert line("title of bt1.scan")["verdict"] == "above"


def test_a_start_up_is_judged_in_seconds():
    found = line("title of start.help")
    assert (found["demanded"], found["aim"], found["verdict"]) == ("0.300 s", "0.150 s", "aim reached")


def test_a_call_stands_beside_its_scan_and_has_no_line():
    assert all("qt1.call" not in row[1] for row in figures_table(full_record()).rows)


def test_a_peer_that_is_not_installed_is_told():
    found = line("title of peer.plink2.qt1")
    assert found["row"].endswith(": plink2 is not on the search path")
    assert found["median"] == "-"


def test_figures_of_two_rows_come_last():
    table = figures_table(full_record())
    parts = [row[0] for row in table.rows]
    assert parts.index("of two rows") == len(parts) - parts.count("of two rows")
    assert line("1 to 2 threads, quantitative")["demanded"] == "at least 1.7"


def test_every_table_can_be_drawn():
    record = full_record()
    for table in (figures_table(record), stage_table(record.profiles), scaling_table(record)):
        assert all(len(row) == len(table.header) for row in table.rows)
        assert len(text_table(table).splitlines()) == len(markdown_table(table).splitlines()) == 2 + len(table.rows)


@pytest.mark.parametrize(
    ("value", "at_most", "at_least", "aim", "expected"),
    [
        (1.0, None, None, None, "-"),
        (None, 2.0, None, None, "-"),
        (2.0, 2.0, None, 1.0, "reached"),
        (1.0, 2.0, None, 1.0, "aim reached"),
        (2.1, 2.0, None, 1.0, "above"),
        (1.8, None, 1.7, None, "reached"),
        (1.6, None, 1.7, None, "below"),
    ],
)
def test_a_verdict_compares_with_the_demand(value, at_most, at_least, aim, expected):
    assert verdict(value, at_most=at_most, at_least=at_least, aim=aim) == expected


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [(0.2434, Unit.SECONDS, "0.243 s"), (3.854e8, Unit.BYTES, "385 MB"), (1.714, Unit.RATIO, "1.71")],
)
def test_a_value_is_written_in_its_unit(value, unit, expected):
    assert value_text(value, unit) == expected


def test_machine_versions_commit_and_rounds_are_told():
    told = "\n".join(place_lines(full_record()))
    for fact in ("2026-11-30 12:00 UTC", "0123456789", "2 CPUs of A CPU", "JAX 0.10.2", "numpy 2.4", "3 interleaved"):
        assert fact in told
