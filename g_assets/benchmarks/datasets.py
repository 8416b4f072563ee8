"""The files of a benchmark: made once below the data directory, found there the next time.

Belongs here: where they lie and when they are made. Does not belong here: their content (g_core.simulate,
phenotypes.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from g_assets.artifacts.write import replace_text
from g_assets.benchmarks.phenotypes import Table, table_text
from g_assets.benchmarks.shapes import Shape
from g_core.simulate.dataset import ensure_dataset
from g_core.simulate.spec import build_spec

# Counts up when phenotypes.py writes other bytes: tables of an older version are left where they are.
TABLES_FOLDER = "tables-1"
GENOTYPES_FOLDER = "genotypes"
SAMPLE_HEADER_LINES = 2


@dataclass(frozen=True, slots=True)
class Dataset:
    """Genotypes of one shape, and the folder of its tables."""

    shape: Shape
    folder: Path
    bgen: Path
    sample: Path

    def table(self, table: Table) -> Path:
        """Where a table lies."""
        return self.folder / TABLES_FOLDER / table.file_name


def make_dataset(root: Path, shape: Shape, tables: Sequence[Table], *, threads: int) -> Dataset:
    """Make what is not there yet.

    Args:
        root: Data directory.
        shape: Samples and variants.
        tables: Tables that will be read.
        threads: Of the simulator; no byte depends on them.

    Raises:
        GError: The files cannot be written, or something else lies in their place.
    """
    folder = root / shape.name
    spec = build_spec({"n_samples": shape.n_samples, "n_variants": shape.n_variants})
    simulated = ensure_dataset(spec=spec, folder=folder / GENOTYPES_FOLDER, threads=threads)
    dataset = Dataset(shape, folder, simulated.bgen, simulated.sample)
    missing = [table for table in tables if not dataset.table(table).is_file()]
    if missing:
        sample_ids = read_sample_ids(simulated.sample)
        (folder / TABLES_FOLDER).mkdir(exist_ok=True)
        for table in missing:
            replace_text(dataset.table(table), table_text(table, sample_ids))
    return dataset


def is_there(root: Path, shape: Shape) -> bool:
    """Whether a dataset of this shape has been made."""
    return (root / shape.name / GENOTYPES_FOLDER).is_dir()


def read_sample_ids(path: Path) -> list[tuple[str, str]]:
    """FID and IID of each line of a sample file."""
    lines = path.read_text(encoding="utf-8").splitlines()[SAMPLE_HEADER_LINES:]
    return [(words[0], words[1]) for words in map(str.split, lines)]
