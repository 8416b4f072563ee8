"""The numbered differences of docs/parity.md: counted without a gap, each shown by tests that are there."""

import re
from pathlib import Path

import pytest

from g_assets.parity import differences

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = (REPOSITORY / "docs" / "parity.md").read_text(encoding="utf-8")
ITEM = re.compile(r"^(\d+)\. (.*(?:\n   .*)*)", re.MULTILINE)
ITEMS = {
    int(number): " ".join(text.split()) for number, text in ITEM.findall(PAGE.partition("## Numbered differences")[2])
}
FILE = re.compile(r"`((?:tests|rust)/[\w/]+\.(?:py|rs))`")
TEST = re.compile(r"`(test_\w+|\w+_are_missing)`")
NUMBER_IN_RULES = re.compile(r"Difference\(\s*(\d+)")


def test_they_are_counted_without_a_gap():
    assert list(ITEMS) == list(range(1, len(ITEMS) + 1))


@pytest.mark.parametrize("number", ITEMS)
def test_each_is_shown_by_tests_that_are_there(number):
    shown = ITEMS[number].partition("Shown by")[2]
    files, tests = FILE.findall(shown), TEST.findall(shown)
    contents = {name: (REPOSITORY / name).read_text(encoding="utf-8") for name in files}

    assert files
    assert tests
    for test in tests:
        assert any(re.search(rf"\b(?:def|fn) {test}\(", text) for text in contents.values()), test


def test_a_rule_that_excuses_a_success_cites_a_number_of_the_page():
    source = Path(differences.__file__).read_text(encoding="utf-8")
    cited = {int(number) for number in NUMBER_IN_RULES.findall(source)}

    assert len(cited) == len(differences.RULES)
    assert cited <= set(ITEMS)
