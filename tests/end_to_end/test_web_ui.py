"""The web UI in a real browser: the asset graph loads, and the report is on the page of its asset.

``G_SCREENSHOT=docs/images/asset_graph.png`` (any path) keeps the picture of the graph; the README's comes from there.
"""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import dagster as dg
import pytest

from g_assets import definitions
from g_assets.defs import datasets
from g_assets.resources.settings import Settings
from tests.assets import fakes
from tests.end_to_end.webserver import REPOSITORY, serve

CHROMIUM = Path("/usr/bin/chromium")
SCREENSHOT = os.environ.get("G_SCREENSHOT")
CASES = ("binary_cpu", "binary_gpu", "binary_gpu_cached", "linear_cpu", "linear_gpu", "linear_gpu_cached")
PAGE_TIMEOUT_MILLISECONDS = 60_000

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(300),
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no browser: {CHROMIUM} is not there (apt-get install chromium)"),
]


@dataclass(frozen=True, slots=True)
class Site:
    """A running webserver, and the runs that its event log holds, oldest first."""

    address: str
    run_ids: tuple[str, ...]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A webserver over an instance of its own, in which the matrix ran twice with fake measurements."""
    folder = tmp_path_factory.mktemp("site")
    home = folder / "dagster_home"
    home.mkdir()
    shutil.copy(REPOSITORY / "dagster_home" / "dagster.yaml", home)
    settings = Settings(data_directory=str(folder / "data"), artifact_directory=str(folder / "artifacts"))
    job = definitions.build_definitions(compute=fakes.FakeCompute(), settings=settings).resolve_job_def("matrix_job")
    with pytest.MonkeyPatch.context() as monkeypatch, dg.DagsterInstance.from_config(str(home)) as instance:
        monkeypatch.setattr(datasets, "ensure_dataset", fakes.fake_ensure_dataset)
        runs = [job.execute_in_process(instance=instance, partition_key="sim_chr22") for _ in range(2)]
    with serve(home, folder / "webserver.log", start_timeout_seconds=120) as address:
        yield Site(address, tuple(run.run_id for run in runs))


@pytest.fixture
def page(site: Site) -> Iterator:
    """An empty page; a script error on it fails the test."""
    from playwright.sync_api import sync_playwright

    faults: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 2200, "height": 1340})
        page.set_default_timeout(PAGE_TIMEOUT_MILLISECONDS)
        page.on("pageerror", lambda error: faults.append(str(error)))
        yield page
        browser.close()
    assert faults == []


def test_the_asset_graph_shows_the_matrix(site: Site, page):
    page.goto(f"{site.address}/locations/__repository__@g_assets/asset-groups/matrix/lineage")
    for name in ("plan", *CASES, "manifest", "comparison", "report"):
        page.get_by_text(name, exact=True).first.wait_for()
    # The manifest has two checks: seen on the graph, the event log reaches the page.
    page.get_by_text("2 / 2 Passed").first.wait_for()
    if SCREENSHOT is not None:
        target = REPOSITORY / SCREENSHOT
        target.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=target)


def test_the_report_is_on_the_page_of_its_asset(site: Site, page):
    page.goto(f"{site.address}/assets/matrix/report?partition=sim_chr22")
    page.get_by_text("[Show Markdown]").first.click()
    first, _ = site.run_ids
    page.get_by_role("heading", name="matrix on sim_chr22: 2 cells measured, 0 failed, 4 unsupported").wait_for()
    page.get_by_text(f"Compared with run {first[:8]}").wait_for()
    page.get_by_role("cell", name="linear_cpu").first.wait_for()
