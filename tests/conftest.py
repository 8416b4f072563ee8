"""What every test may use: where the golden data lie, and the rule that nothing is skipped quietly in CI.

Belongs here: fixtures that more than one folder of tests needs. Does not belong here: anything of one room; that goes
into a conftest.py beside its tests.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
GOLDEN = Path(os.environ.get("G_GOLDEN_DIR", REPOSITORY.parent / "shared" / "golden"))

# Markers whose tests must run: CI sets G_REQUIRE=golden,browser, and a skip there is a failure.
REQUIRED = frozenset(filter(None, os.environ.get("G_REQUIRE", "").split(",")))

# Two workers share two cores, so a slow example says nothing; the same examples each time, so that a failure repeats.
hypothesis.settings.register_profile("g", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("g")


@pytest.fixture(scope="session")
def golden() -> Path:
    """The folder of REGENIE's own results; the test is skipped, with the reason, where it is not there."""
    if not (GOLDEN / "cases.json").is_file():
        pytest.skip(f"no golden data: {GOLDEN} holds no cases.json (set G_GOLDEN_DIR)")
    return GOLDEN


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    missing = REQUIRED.intersection(marker.name for marker in item.iter_markers())
    if missing and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped but G_REQUIRE asks for {sorted(missing)}: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    report = yield
    if REQUIRED and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"{collector.nodeid} was skipped whole but G_REQUIRE is set: {report.longrepr}"
    return report
