import math
from pathlib import Path

import dagster as dg
import pytest

from g_assets.artifacts.metadata import MetadataEntry, MetadataKind
from g_assets.defs import metadata


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_not_finite_becomes_text(value: float):
    assert metadata.clean({"rate": value}) == {"rate": str(value)}


def test_other_values_and_their_order_stay():
    values = {"b": 1, "a": 2.5, "valid": True, "none": None, "path": Path("x"), "text": "t"}
    assert list(metadata.clean(values).items()) == list(values.items())


def test_more_numbers_than_dagster_plots_are_refused():
    enough = {f"n{number}": number for number in range(metadata.PLOTTED_NUMBERS)}
    assert metadata.clean({**enough, "valid": True}) == {**enough, "valid": True}
    with pytest.raises(ValueError, match="21 numbers"):
        metadata.clean({**enough, "one_more": 1.0})


def test_entries_get_dagsters_types():
    entries = (
        MetadataEntry("report", MetadataKind.MARKDOWN, "# Report"),
        MetadataEntry("log", MetadataKind.PATH, "/log"),
        MetadataEntry("rows", MetadataKind.INTEGER, 3),
    )
    assert metadata.from_entries(entries) == {
        "report": dg.MetadataValue.md("# Report"),
        "log": dg.MetadataValue.path("/log"),
        "rows": 3,
    }
