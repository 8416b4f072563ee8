"""A small study on disk: tables as text, and a stand-in for the BGEN reader."""

import dataclasses

import pyarrow as pa
import pytest

from g_core import errors
from g_core.config.build_plan import build_run_plan
from g_core.config.load import load_config
from g_core.inputs.analysis_set import load_analysis_set


@dataclasses.dataclass
class Genotypes:
    """What the join asks of an open BGEN."""

    path: str = "study.bgen"
    sample_ids: list[str] | None = None
    n_samples: int = 0
    trailing_bytes: int = 0
    rows: list[tuple[str, str, int]] = dataclasses.field(default_factory=list)

    def variants(self):
        """Rows of (rsid, chromosome, position) as the native reader hands them over."""
        rsids, chromosomes, positions = zip(*self.rows, strict=True) if self.rows else ((), (), ())
        text = pa.string()
        return pa.record_batch(
            {
                "variant_id": pa.array([""] * len(rsids), text),
                "rsid": pa.array(rsids, text),
                "chromosome": pa.array(chromosomes, text),
                "position": pa.array(positions, pa.uint32()),
                "allele1": pa.array(["A"] * len(rsids), text),
                "allele2": pa.array(["C"] * len(rsids), text),
            }
        )


class Study:
    """A folder of input files, and runs over them."""

    def __init__(self, folder):
        self.folder = folder
        self.genotypes = Genotypes()
        self.embed([f"{number}_{number}" for number in range(1, 13)])
        (folder / "study.bgen").touch()

    def embed(self, identifiers, n_samples=None):
        """Set the identifiers that the BGEN stores; None stores none."""
        self.genotypes.sample_ids = identifiers
        self.genotypes.n_samples = len(identifiers) if n_samples is None else n_samples

    def write(self, name, text):
        """Write a file and return its name."""
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text, encoding="utf-8")
        return name

    def table(self, name, columns, rows):
        """Write a table of FID, IID and columns; a row is (FID, IID, value, ...)."""
        lines = [" ".join(("FID", "IID", *columns)), *(" ".join(map(str, row)) for row in rows)]
        return self.write(name, "\n".join(lines) + "\n")

    def phenotypes(self, **columns):
        """Write pheno.txt with one row for each of samples 1, 2, ... and the given columns."""
        rows = zip(*columns.values(), strict=True)
        return self.table("pheno.txt", columns, [(number, number, *row) for number, row in enumerate(rows, start=1)])

    def covariates(self, **columns):
        """The same for covar.txt."""
        rows = zip(*columns.values(), strict=True)
        return self.table("covar.txt", columns, [(number, number, *row) for number, row in enumerate(rows, start=1)])

    def loco(self, name, values, chromosomes=range(1, 24), keys=None):
        """Write a LOCO file whose rows all hold the same values."""
        keys = keys or [f"{number}_{number}" for number in range(1, len(values) + 1)]
        rows = [" ".join(map(str, (code, *values))) for code in chromosomes]
        return self.write(name, "\n".join([" ".join(("FID_IID", *keys)), *rows]) + "\n")

    def plan(self, *words):
        """A plan over pheno.txt, without predictions unless the words say otherwise."""
        given = list(words)
        if "--pred" not in given:
            given.append("--ignore-pred")
        if "--phenoFile" not in given:
            given += ["--phenoFile", "pheno.txt"]
        return build_run_plan(load_config(["--bgen", "study.bgen", "--out", "out", *given]))

    def load(self, *words, chromosomes=(1,)):
        """Join the study's files, for variants on some chromosomes."""
        return load_analysis_set(self.plan(*words), self.genotypes, chromosomes)

    def refusal(self, *words, chromosomes=(1,)):
        """The message of the InputError that joining ends with."""
        with pytest.raises(errors.InputError) as refused:
            self.load(*words, chromosomes=chromosomes)
        return str(refused.value)


@pytest.fixture
def study(tmp_path, monkeypatch):
    """An empty study of twelve samples 1_1 to 12_12; the working directory is its folder."""
    monkeypatch.chdir(tmp_path)
    return Study(tmp_path)
