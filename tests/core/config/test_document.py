"""docs/options.md is the table's own words."""

import pathlib

from g_core.config.document import options_page

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "options.md"


def test_the_page_is_in_step_with_the_table():
    assert PAGE.read_text(encoding="utf-8") == options_page(), "run: python -m g_core.config.document > docs/options.md"
