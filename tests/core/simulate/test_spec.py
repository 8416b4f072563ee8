import tomllib
from importlib.resources import files

import pytest

from g_core.errors import UsageError
from g_core.simulate.spec import SimulationSpec, build_spec


def test_the_default_is_the_dataset_of_the_matrix():
    spec = build_spec({})

    assert (spec.n_samples, spec.n_variants, spec.seed, spec.name) == (2504, 20000, 22, "sim_chr22")


def test_every_field_has_its_default_in_the_one_table():
    defaults = tomllib.loads(files("g_core.simulate").joinpath("default.toml").read_text(encoding="utf-8"))

    assert defaults.keys() == SimulationSpec.model_fields.keys()
    assert all(field.is_required() for field in SimulationSpec.model_fields.values())


@pytest.mark.parametrize(
    ("overrides", "named"),
    [
        ({"n_sample": 10}, "n_sample"),
        ({"n_samples": 3}, "n_samples"),
        ({"chromosome": "X"}, "chromosome"),
        ({"missing_rate": 1.0}, "missing_rate"),
        ({"compression": "lzma"}, "compression"),
        ({"first_position": 1, "last_position": 50}, "n_variants = 20000 does not fit"),
        ({"quantitative_heritability": 0.9}, "add up to less than 1"),
        ({"n_samples": 30, "minimum_minor_allele_count": 31}, "more than half"),
    ],
)
def test_what_cannot_be_simulated_is_refused_by_name(overrides, named):
    with pytest.raises(UsageError, match=named):
        build_spec(overrides)


def test_all_problems_are_told_together():
    with pytest.raises(UsageError) as refused:
        build_spec({"n_samples": 3, "seed": -1, "colour": "blue"})

    assert all(field in str(refused.value) for field in ("n_samples", "seed", "colour"))
