"""A small study on disk and the command over it, for the field reports.

Belongs here: files that a test then spoils, and what the command said and left. Does not belong here: any report.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest

from g_core import _native
from g_core.cli.main import main

Dosages = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run of the command said, and the rows it left."""

    exit_code: int
    printed: str
    error: str
    directory: Path

    def rows(self, trait: str) -> pl.DataFrame:
        """The trait's rows."""
        return pl.read_parquet(self.directory / trait / "part-*.parquet")


class FieldStudy:
    """A folder of inputs for samples 1_1, 2_2, ... of both sexes in turn."""

    def __init__(self, folder: Path, n_samples: int, capture: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.n_samples = n_samples
        self.capture = capture
        self.n_runs = 0
        folder.mkdir(parents=True, exist_ok=True)
        rows = "".join(f"{n} {n} 0 {1 + n % 2}\n" for n in self.numbers)
        self.write("a.sample", f"ID_1 ID_2 missing sex\n0 0 0 D\n{rows}")

    @property
    def numbers(self) -> range:
        """The samples."""
        return range(1, self.n_samples + 1)

    def write(self, name: str, content: str) -> Path:
        """Write a text file, to the byte."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
        return path

    def table(self, name: str, columns: Mapping[str, Sequence[object]]) -> Path:
        """Write a table of all samples."""
        rows = zip(*columns.values(), strict=True)
        lines = [f"{n} {n} {' '.join(map(str, row))}" for n, row in zip(self.numbers, rows, strict=True)]
        return self.write(name, "\n".join([f"FID IID {' '.join(columns)}", *lines]) + "\n")

    def loco(self, name: str, values: Sequence[float], chromosomes: Sequence[int | str]) -> Path:
        """Write a LOCO file whose rows all hold the same values."""
        header = "FID_IID " + " ".join(f"{n}_{n}" for n in self.numbers)
        rows = [f"{label} {' '.join(map(str, values))}" for label in chromosomes]
        return self.write(name, "\n".join([header, *rows]) + "\n")

    def bgen(
        self, blocks: Mapping[str, Dosages], *, missing: Mapping[str, npt.NDArray[np.bool_]] | None = None
    ) -> Path:
        """Write genotypes: by chromosome label, counts of the first allele, 0, 1 or 2, shape [variants, samples]."""
        path = self.folder / "study.bgen"
        writer = _native.BgenWriter(
            str(path),
            sample_ids=[f"{n}_{n}" for n in self.numbers],
            n_samples=self.n_samples,
            compression="zlib",
            level=1,
            threads=1,
        )
        n_before = 0
        for label, counts in blocks.items():
            n_variants = counts.shape[0]
            writer.write(
                chromosome=label,
                rsids=[f"rs{n_before + row + 1}" for row in range(n_variants)],
                positions=np.arange(n_before + 1, n_before + n_variants + 1, dtype=np.uint32) * 1_000,
                first_alleles=["A"] * n_variants,
                second_alleles=["C"] * n_variants,
                probabilities=np.stack([255 * (counts == 2), 255 * (counts == 1)], axis=2).astype(np.uint8),
                missing=None if missing is None else missing.get(label),
            )
            n_before += n_variants
        writer.finish()
        return path

    def run(self, *words: str) -> Outcome:
        """Run `g regenie` over study.bgen and a.sample, with an --out of its own."""
        self.n_runs += 1
        prefix = self.folder / f"out{self.n_runs}"
        given = ["--bgen", str(self.folder / "study.bgen"), "--sample", str(self.folder / "a.sample"), *words]
        if "--pred" not in words:
            given.append("--ignore-pred")
        self.capture.readouterr()
        exit_code = main(["regenie", *given, "--out", str(prefix)])
        said = self.capture.readouterr()
        return Outcome(exit_code, said.out, said.err, prefix.with_name(prefix.name + ".g"))


def random_counts(seed: int, n_variants: int, n_samples: int) -> Dosages:
    """Common variants without structure."""
    generator = np.random.default_rng(seed)
    return generator.binomial(2, generator.uniform(0.2, 0.8, (n_variants, 1)), (n_variants, n_samples)).astype(float)
