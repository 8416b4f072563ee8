"""Datasets: made once, found the next time; a table more is added to what is there."""

import pytest

from g_assets.benchmarks.datasets import make_dataset, read_sample_ids
from g_assets.benchmarks.phenotypes import Table, TableKind
from g_assets.benchmarks.shapes import SHAPES, Shape
from g_core._native import BgenReader

SHAPE = Shape(30, 12)
ONE, TWO = Table(TableKind.QUANTITATIVE, 1), Table(TableKind.BINARY, 2)


def test_a_dataset_is_made_once_and_a_table_more_is_added(tmp_path):
    first = make_dataset(tmp_path, SHAPE, (ONE,), threads=1)
    reader = BgenReader(str(first.bgen))
    assert (reader.n_samples, reader.n_variants) == (30, 12)
    written = (first.bgen.stat().st_mtime_ns, first.table(ONE).stat().st_mtime_ns)
    second = make_dataset(tmp_path, SHAPE, (ONE, TWO), threads=1)
    assert second == first
    assert (first.bgen.stat().st_mtime_ns, first.table(ONE).stat().st_mtime_ns) == written
    assert second.table(TWO).is_file()


def test_a_table_has_the_samples_of_the_genotypes(tmp_path):
    dataset = make_dataset(tmp_path, SHAPE, (ONE,), threads=1)
    lines = dataset.table(ONE).read_text(encoding="utf-8").splitlines()[1:]
    assert [tuple(line.split()[:2]) for line in lines] == read_sample_ids(dataset.sample)
    assert len(lines) == 30


@pytest.mark.parametrize("shapes", SHAPES.values())
def test_the_yardstick_stands_among_the_steps_of_samples(shapes):
    assert shapes.yardstick in shapes.sample_steps
    assert len({shape.n_samples for shape in shapes.variant_steps}) == 1
