"""Field reports G through the command: what is compiled, what the compile cache gives back, and with which precision.

Belongs here: what processes of their own show, each with its compile cache, where a CPU can show it. Does not belong
here: G4, which needs a GPU (tests/gpu); the index of all reports is tests/core/inputs/test_index.py.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from g_core.config.choices import Device
from g_core.engine.device import cpu_feature_key, resolve_cache_directory
from g_core.engine.manifest import CompileRecord, read_manifest
from g_core.simulate.dataset import SimulatedDataset, simulate_dataset
from g_core.simulate.spec import build_spec

# Runs the command once for each list of arguments, all in one process.
MANY_RUNS = "import json, sys; from g_core.cli.main import main; sys.exit(max(map(main, json.loads(sys.argv[1]))))"


@dataclass(frozen=True, slots=True)
class Runs:
    """What runs of one process compiled and said.

    Attributes:
        records: One a run.
        printed: All that they printed.
        programs: Text of every program in the order of compilation, as JAX hands it to XLA; locations left out.
    """

    records: tuple[CompileRecord, ...]
    printed: str
    programs: dict[str, str]


class Bench:
    """A small study, and processes that run over it with one compile cache."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.n_runs = 0
        spec = build_spec({"n_samples": 300, "n_variants": 400, "seed": 5, "missing_rate": 0.01})
        self.dataset: SimulatedDataset = simulate_dataset(spec=spec, folder=folder / "dataset", threads=2)
        people = [line.split()[:2] for line in self.dataset.quantitative_phenotypes.read_text().splitlines()[1:]]
        generator = np.random.default_rng(17)
        self.write_traits("binary.txt", people, generator.integers(0, 2, (len(people), 2)))
        self.write_traits("quantitative.txt", people, generator.normal(size=(len(people), 3)).round(5))
        (folder / "some.txt").write_text("".join(f"{family} {person}\n" for family, person in people[:150]))

    def write_traits(self, name: str, people: Sequence[Sequence[str]], values: np.ndarray) -> None:
        """Write traits that nobody lacks, so that all are of one set of samples."""
        header = " ".join(["FID IID", *(f"T{number}" for number in range(values.shape[1]))])
        rows = [" ".join([*person, *map(str, row)]) for person, row in zip(people, values.tolist(), strict=True)]
        (self.folder / name).write_text("\n".join([header, *rows]) + "\n")

    def arguments(self, phenotypes: str, *more: str) -> list[str]:
        """Arguments of ``g`` for one run into a directory of its own."""
        self.n_runs += 1
        return [
            *("regenie", "--step", "2", "--ignore-pred", "--bgen", str(self.dataset.bgen)),
            *("--sample", str(self.dataset.sample), "--covarFile", str(self.dataset.covariates)),
            *("--phenoFile", str(self.folder / phenotypes), "--jax-cache-dir", str(self.folder / "cache")),
            *("--out", str(self.folder / f"run{self.n_runs}"), *more),
        ]

    def run(self, *runs: Sequence[str]) -> Runs:
        """Do the runs one after the other in a fresh process."""
        dump = self.folder / f"programs{self.n_runs}"
        environment = {**os.environ, "JAX_DUMP_IR_TO": str(dump)}
        words = [sys.executable, "-c", MANY_RUNS, json.dumps(list(map(list, runs)))]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        directories = [Path(arguments[arguments.index("--out") + 1] + ".g") for arguments in runs]
        return Runs(
            records=tuple(read_manifest(directory).compile for directory in directories),
            printed=done.stdout,
            programs={path.name: without_locations(path.read_text()) for path in sorted(dump.glob("*.mlir"))},
        )


def without_locations(program: str) -> str:
    """The program's own lines."""
    return "\n".join(line for line in program.splitlines() if not line.startswith("#loc"))


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """The study, whose compile cache is empty at first."""
    return Bench(tmp_path_factory.mktemp("jax"))


@pytest.fixture(scope="module")
def binary(bench: Bench) -> Runs:
    """Two traits and approximate Firth in an empty cache, in tiles of which the last is short; then other chunks."""
    words = ("--bt", "--firth", "--approx", "--pThresh", "0.5")
    return bench.run(
        bench.arguments("binary.txt", *words, "--chunk-variants", "130"),
        bench.arguments("binary.txt", *words, "--chunk-variants", "57"),
    )


@pytest.fixture(scope="module")
def quantitative(binary: Runs, bench: Bench) -> Runs:
    """Three traits, then half of the samples, in a cache that holds the kernels of the binary runs alone."""
    assert binary.records[0].n_cache_misses > 0
    return bench.run(
        bench.arguments("quantitative.txt", "--qt", "--chunk-variants", "130"),
        bench.arguments("quantitative.txt", "--qt", "--keep", str(bench.folder / "some.txt")),
    )


def test_g7_each_kernel_compiles_once_whatever_the_chunks_traits_and_candidates(
    binary: Runs, quantitative: Runs
) -> None:
    programs = binary.records[0].programs
    # With 2,048 samples and more, fits on the carriers of rare variants would be a second shape of advance_fits.
    assert programs == dict.fromkeys(programs, 1)
    assert "advance_fits" in programs
    assert binary.records[1].programs == {}
    programs = quantitative.records[0].programs
    assert programs == dict.fromkeys(programs, 1)
    assert programs


def test_g1_a_second_process_finds_every_kernel_and_a_cache_that_gave_nothing_is_told(
    bench: Bench, quantitative: Runs
) -> None:
    first = quantitative.records[0]
    assert first.cache_was_filled
    assert (first.n_cache_hits, first.n_cache_misses) == (0, first.n_compiled)
    assert (
        f"0 of them from the compile cache {first.cache_directory}; it had kernels of earlier runs and none fitted"
        in (quantitative.printed)
    )
    again = bench.run(bench.arguments("quantitative.txt", "--qt"))
    (second,) = again.records
    assert (second.n_cache_hits, second.n_cache_misses) == (first.n_compiled, 0)
    assert f"{first.n_compiled} of them from the compile cache" in again.printed
    assert "none fitted" not in again.printed


def test_g2_a_shared_folder_keeps_the_kernels_of_each_kind_of_node_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = "model name\t: A\nflags\t\t: sse avx2 avx512f\ncpu MHz\t\t: 2000\n"
    monkeypatch.setattr("g_core.engine.device.read_cpu_facts", lambda: facts)
    here = resolve_cache_directory(Device.CPU, tmp_path)
    assert here.parent == tmp_path
    monkeypatch.setattr("g_core.engine.device.read_cpu_facts", lambda: facts.replace("2000", "1900"))
    assert resolve_cache_directory(Device.CPU, tmp_path) == here
    monkeypatch.setattr("g_core.engine.device.read_cpu_facts", lambda: facts.replace(" avx512f", ""))
    assert resolve_cache_directory(Device.CPU, tmp_path) != here
    assert cpu_feature_key("") != cpu_feature_key(facts)


def test_g5_every_product_asks_for_full_precision(binary: Runs, quantitative: Runs) -> None:
    products = [
        line
        for runs in (binary, quantitative)
        for program in runs.programs.values()
        for line in program.splitlines()
        if "stablehlo.dot" in line
    ]
    assert products
    assert [line for line in products if "precision = [HIGHEST, HIGHEST]" not in line] == []
    assert not any("bf16" in program for runs in (binary, quantitative) for program in runs.programs.values())


def test_g8_a_program_is_no_longer_for_more_samples(quantitative: Runs) -> None:
    whole, half = quantitative.records
    assert whole.programs == half.programs
    lengths = [len(program.splitlines()) for program in quantitative.programs.values()]
    n_programs = whole.n_compiled
    assert lengths[:n_programs] == lengths[n_programs:]
