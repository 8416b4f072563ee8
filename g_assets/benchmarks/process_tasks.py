"""Fresh processes: how long they take to start, and how much memory a scan takes.

Belongs here: rows and tasks of whole processes of ours. Does not belong here: other programs (peer_tasks.py).
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from g_assets.artifacts.models import Unit
from g_assets.benchmarks.cases import ScanCase, regenie_arguments
from g_assets.benchmarks.datasets import Dataset
from g_assets.benchmarks.record import Row, Section
from g_assets.benchmarks.row_ids import MEMORY, PROCESS, whole_id
from g_assets.benchmarks.scan_tasks import OUTPUT_NAME, QUIET, manifest_of
from g_assets.benchmarks.tasks import Task, Workbench

G = (sys.executable, "-m", "g_core")
MEGABYTE = 1e6


@dataclass(frozen=True, slots=True)
class StartUp:
    """A command that starts and ends; ``at_most`` in seconds."""

    row_id: str
    title: str
    command: tuple[str, ...]
    exit_code: int
    at_most: float | None
    aim: float | None


START_UPS = (
    StartUp("start.python", "python itself", (sys.executable, "-c", "pass"), 0, None, None),
    StartUp("start.jax", "import jax", (sys.executable, "-c", "import jax"), 0, None, None),
    StartUp("start.help", "g --help", (*G, "--help"), 0, 0.3, 0.15),
    StartUp("start.regenie_help", "g regenie --help", (*G, "regenie", "--help"), 0, 0.3, 0.15),
    StartUp("start.usage", "an error in usage", (*G, "regenie", "--no-such-option"), 2, 0.3, 0.15),
    StartUp(
        "start.code_location",
        "the lab's code location",
        (sys.executable, "-c", "import g_assets.definitions as module; module.defs"),
        0,
        3.0,
        None,
    ),
)


def start_up_task(start_up: StartUp) -> Task:
    """One fresh process a round."""
    row = process_row(start_up.row_id, start_up.title, Section.START_UP, Unit.SECONDS, None)
    row = row.model_copy(update={"at_most": start_up.at_most, "aim": start_up.aim})

    def observe(bench: Workbench) -> Mapping[str, float]:
        outcome = bench.run_process(start_up.command, exit_code=start_up.exit_code)
        return {row.row_id: outcome.wall_seconds}

    return Task(start_up.title, (row,), observe)


@dataclass(frozen=True, slots=True)
class WholeProcess:
    """A whole scan from the shell, with an empty compile cache or a filled one.

    Attributes:
        sections: START_UP for its wall time, MEMORY for its peak memory, or both.
        memory_at_most: In bytes.
    """

    case: ScanCase
    dataset: Dataset
    threads: int
    is_cold: bool
    sections: tuple[Section, ...]
    memory_at_most: float | None

    def row_id(self, suffix: str) -> str:
        """Of one of its rows."""
        return whole_id(self.case, self.dataset.shape, is_cold=self.is_cold) + suffix


def whole_process_task(whole: WholeProcess) -> Task:
    """One fresh process a round. The first one, which does not count, fills the cache that later rounds find."""
    title = f"{whole.case.title}, {whole.dataset.shape.text()}"
    cache_words = "empty compile cache" if whole.is_cold else "filled compile cache"
    wall = process_row(
        whole.row_id(PROCESS), f"whole process, {title}, {cache_words}", Section.START_UP, Unit.SECONDS, whole.dataset
    )
    memory = process_row(whole.row_id(MEMORY), f"peak memory, {title}", Section.MEMORY, Unit.BYTES, whole.dataset)
    memory = memory.model_copy(update={"at_most": whole.memory_at_most})
    rows = tuple(row for row in (wall, memory) if row.section in whole.sections)

    def observe(bench: Workbench) -> Mapping[str, float]:
        cache = bench.empty_folder("cold_cache") if whole.is_cold else bench.scratch / "filled_cache"
        folder = bench.empty_folder("fresh")
        outcome = bench.run_process(whole_process_command(whole, folder / OUTPUT_NAME, cache), exit_code=0)
        # The manifest's figure is of the process alone; the kernel's would start from the size of its parent.
        observed = {wall.row_id: outcome.wall_seconds, memory.row_id: float(manifest_of(folder).peak_memory_bytes)}
        return {row.row_id: observed[row.row_id] for row in rows}

    return Task(wall.title, rows, observe)


def whole_process_command(whole: WholeProcess, prefix: Path, cache: Path) -> tuple[str, ...]:
    """What the shell would run."""
    arguments = regenie_arguments(whole.case, whole.dataset, prefix, threads=whole.threads)
    return (*G, "regenie", *arguments, *QUIET, "--jax-cache-dir", str(cache))


def process_row(row_id: str, title: str, section: Section, unit: Unit, dataset: Dataset | None) -> Row:
    """A row about a process; no floor is told of it, because most of it is not the scan."""
    return Row(
        row_id=row_id,
        section=section,
        title=title,
        unit=unit,
        n_samples=None if dataset is None else dataset.shape.n_samples,
        n_variants=None if dataset is None else dataset.shape.n_variants,
        threads=None,
        floor_id=None,
        at_most=None,
        aim=None,
    )
