"""The form in which genotypes reach the device changes no byte of a result."""

import pytest

from g_core.simulate.dataset import simulate_dataset
from g_core.simulate.spec import build_spec
from tests.core.engine.conftest import binary_arguments, quantitative_arguments


@pytest.fixture(scope="module")
def mostly_complete(tmp_path_factory):
    """300 people, 400 variants; about one variant in seven has a missing genotype."""
    spec = build_spec({"n_samples": 300, "n_variants": 400, "seed": 6, "missing_rate": 0.0005})
    return simulate_dataset(spec=spec, folder=tmp_path_factory.mktemp("complete") / "dataset", threads=2)


def part_checksums(result):
    return {trait.name: [part.sha256 for part in trait.parts] for trait in result.manifest.traits}


@pytest.mark.parametrize(
    "options",
    [
        ("--test", "additive"),
        ("--test", "dominant"),
        ("--test", "recessive", "--ref-first"),
        ("--ref-first",),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("arguments", [quantitative_arguments, binary_arguments])
def test_packed_genotypes_give_the_same_parts(run_engine, mostly_complete, arguments, options):
    words = [*arguments(mostly_complete), *options]
    dosage = run_engine([*words, "--genotype-format", "dosage"])
    packed = run_engine([*words, "--genotype-format", "packed8"])
    assert part_checksums(dosage) == part_checksums(packed)
    assert all(part_checksums(dosage).values())


def test_a_dataset_of_mostly_incomplete_variants_gives_the_same_parts(run_engine, dataset):
    words = binary_arguments(dataset)
    dosage = run_engine(words)
    packed = run_engine([*words, "--genotype-format", "packed8"])
    assert part_checksums(dosage) == part_checksums(packed)


def test_sample_sets_of_their_own_give_the_same_parts(run_engine, mostly_complete, tmp_path):
    lines = mostly_complete.quantitative_phenotypes.read_text().splitlines()
    header, rows = lines[0].split(), [line.split() for line in lines[1:]]
    # The second trait lacks every fifth person, so that it is a group of its own.
    table = [[*header[:2], "whole", "part"]]
    table += [[*row[:2], row[2], "NA" if number % 5 == 0 else row[2]] for number, row in enumerate(rows)]
    phenotypes = tmp_path / "two_sets.txt"
    phenotypes.write_text("".join(" ".join(row) + "\n" for row in table))
    words = quantitative_arguments(mostly_complete, phenotypes)
    dosage = run_engine(words)
    packed = run_engine([*words, "--genotype-format", "packed8"])
    assert sorted(part_checksums(dosage)) == ["part", "whole"]
    assert part_checksums(dosage) == part_checksums(packed)
