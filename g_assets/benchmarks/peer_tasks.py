"""Other programs on the same files: REGENIE and plink2, where they are installed.

Belongs here: finding them, their command lines, rows and tasks. Does not belong here: the package bgen, which reads and
tests nothing (reading_tasks.py).
"""

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from g_assets.artifacts.models import Unit
from g_assets.benchmarks.cases import ScanCase, regenie_arguments
from g_assets.benchmarks.datasets import Dataset
from g_assets.benchmarks.phenotypes import TableKind
from g_assets.benchmarks.record import Row, Section
from g_assets.benchmarks.row_ids import floor_id
from g_assets.benchmarks.tasks import Task, Workbench

REGENIE_BLOCK_VARIANTS = 400
VERSION_TIMEOUT_SECONDS = 10.0


class Program(StrEnum):
    """A peer by the name of its command; the environment variable of the member's name may hold its path."""

    REGENIE_BIN = "regenie"
    PLINK2_BIN = "plink2"


@dataclass(frozen=True, slots=True)
class Peer:
    """A program that was found."""

    program: Program
    path: str
    version: str


def find_peer(program: Program) -> Peer | None:
    """The program that its variable names, else the one on the search path; None where there is neither."""
    path = shutil.which(os.environ.get(program.name) or program.value)
    if path is None:
        return None
    done = subprocess.run(
        [path, "--version"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        text=True,
        errors="replace",
        timeout=VERSION_TIMEOUT_SECONDS,
    )
    lines = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return Peer(program, path, lines[0] if lines else "unknown")


def supports(program: Program, case: ScanCase) -> bool:
    """Whether a program has a test to set beside a case: plink2 has no approximate Firth."""
    return program is Program.REGENIE_BIN or case.traits.kind is not TableKind.BINARY


def peer_row(program: Program, case: ScanCase, dataset: Dataset, *, threads: int) -> Row:
    """The whole process of a peer, in floors."""
    return Row(
        row_id=f"peer.{program.value}.{case.case_id}",
        section=Section.PEER,
        title=f"{program.value}, {case.title}: whole process",
        unit=Unit.SECONDS,
        n_samples=dataset.shape.n_samples,
        n_variants=dataset.shape.n_variants,
        threads=threads,
        floor_id=floor_id(dataset.shape, threads),
        at_most=None,
        aim=None,
    )


def peer_task(peer: Peer, case: ScanCase, dataset: Dataset, *, threads: int) -> Task:
    """One fresh process a round."""
    row = peer_row(peer.program, case, dataset, threads=threads)

    def observe(bench: Workbench) -> Mapping[str, float]:
        command = peer_command(peer, case, dataset, bench.empty_folder("peer") / "out", threads=threads)
        return {row.row_id: bench.run_process(command, exit_code=0).wall_seconds}

    return Task(row.title, (row,), observe)


def peer_command(peer: Peer, case: ScanCase, dataset: Dataset, prefix: Path, *, threads: int) -> tuple[str, ...]:
    """The command line of a peer for a case."""
    if peer.program is Program.REGENIE_BIN:
        arguments = regenie_arguments(case, dataset, prefix, threads=threads)
        return (peer.path, *arguments, "--bsize", str(REGENIE_BLOCK_VARIANTS))
    return (
        peer.path,
        *("--bgen", str(dataset.bgen), "ref-first", "--sample", str(dataset.sample)),
        *("--pheno", str(dataset.table(case.traits)), "--covar", str(dataset.table(case.covariates))),
        *("--glm", "hide-covar", "--threads", str(threads), "--out", str(prefix)),
    )
