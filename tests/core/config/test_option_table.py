"""The option table is the one place of every option: the model, the choices and the kernels agree with it."""

import dataclasses
import pathlib
import re
from collections import Counter
from typing import Literal

import pytest

from g_core.config import choices, cross_checks, model, options, regenie_flags
from g_core.config.option import Option, OptionKind
from g_core.config.run_plan import KernelConfigs
from g_core.kernels import settings

PLAIN_TYPES = {
    OptionKind.STR: str,
    OptionKind.INT: int,
    OptionKind.FLOAT: float,
    OptionKind.BOOL: bool,
    OptionKind.PATH: pathlib.Path,
}
CHOICES = {
    "samples.mode": choices.SampleMode,
    "samples.sex": choices.Sex,
    "trait.type": choices.TraitType,
    "binary.null_nonconvergence": choices.NullNonconvergence,
    "test.coding": choices.Coding,
    "compute.device": choices.Device,
    "compute.genotype_format": choices.GenotypeFormat,
    "output.format": choices.OutputFormat,
    "output.compression": choices.Compression,
    "output.resume_mode": choices.ResumeMode,
    "diagnostics.telemetry": choices.TelemetryMode,
    "diagnostics.stage_timing": choices.StageTiming,
}
KERNEL_CONFIGS = {
    "genotype": settings.GenotypeConfig,
    "probability": settings.ProbabilityConfig,
    "basis": settings.BasisConfig,
    "linear": settings.LinearConfig,
    "score": settings.ScoreConfig,
    "logistic_null": settings.LogisticNullConfig,
    "firth_null": settings.FirthNullConfig,
    "firth_approximate": settings.FirthApproximateConfig,
    "firth_exact": settings.FirthExactConfig,
    "saddlepoint": settings.SaddlepointConfig,
}
ALL_OPTIONS = options.all_options()


def expected_annotation(option: Option) -> object:
    single = CHOICES[option.path] if option.kind is OptionKind.CHOICE else PLAIN_TYPES[option.kind]
    if option.many:
        return tuple[single, ...]
    if option.auto:
        return single | Literal["auto"]
    return single if option.default is not None else single | None


def test_the_model_has_the_sections_of_the_table():
    assert tuple(model.RunConfig.model_fields) == options.section_names()


@pytest.mark.parametrize("section", options.section_names())
def test_a_section_of_the_model_has_the_keys_and_kinds_of_the_table(section):
    fields = model.RunConfig.model_fields[section].annotation.model_fields
    expected = {option.key: expected_annotation(option) for option in options.section_options(section)}
    assert {name: field.annotation for name, field in fields.items()} == expected


def test_the_model_holds_no_default_of_its_own():
    for section in options.section_names():
        for field in model.RunConfig.model_fields[section].annotation.model_fields.values():
            assert field.is_required()


def test_an_empty_configuration_is_the_tables_defaults():
    dumped = model.RunConfig.model_validate({}).model_dump(mode="json")
    for option in ALL_OPTIONS:
        value = dumped[option.section][option.key]
        assert (tuple(value) if isinstance(value, list) else value) == option.default, option.path


@pytest.mark.parametrize("path", CHOICES)
def test_choices_are_those_of_the_table(path):
    assert options.options_by_path()[path].choices == tuple(CHOICES[path])


def test_every_choice_option_has_an_enum():
    assert {option.path for option in ALL_OPTIONS if option.kind is OptionKind.CHOICE} == set(CHOICES)


@pytest.mark.parametrize("section", KERNEL_CONFIGS)
def test_every_field_of_a_kernel_config_is_an_option_of_the_same_type(section):
    rows = {option.key: PLAIN_TYPES[option.kind] for option in options.section_options(section)}
    if section in {"firth_approximate", "firth_exact", "saddlepoint"}:
        rows["lanes"] = int  # binary.firth_batch_size, whose automatic value depends on the device
    fields = {field.name: field.type for field in dataclasses.fields(KERNEL_CONFIGS[section])}
    assert {name: getattr(kind, "__name__", kind) for name, kind in fields.items()} == {
        name: kind.__name__ for name, kind in rows.items()
    }


def test_every_kernel_config_is_in_the_plan():
    assert [field.name for field in dataclasses.fields(KernelConfigs)] == list(KERNEL_CONFIGS)


def test_a_flag_belongs_to_one_option():
    unsupported = regenie_flags.read_regenie_flags().unsupported
    ignored = regenie_flags.read_regenie_flags().ignored
    counts = Counter([*(flag for option in ALL_OPTIONS for flag in option.flags), *unsupported, *ignored, "--config"])
    assert [flag for flag, count in counts.items() if count > 1] == []


def test_every_option_can_be_given_on_the_command_line():
    assert [option.path for option in ALL_OPTIONS if not option.flags] == []


def test_every_refused_flag_points_to_flags_that_work():
    for flag, refused in regenie_flags.read_regenie_flags().unsupported.items():
        for nearest in re.findall(r"--\S+", refused.nearest or ""):
            assert nearest in options.options_by_flag(), flag


def test_implications_name_options():
    for option in ALL_OPTIONS:
        if option.implied is not None:
            assert set(option.implied.when_given) <= set(options.options_by_path())


@pytest.mark.parametrize("option", ALL_OPTIONS, ids=lambda option: option.path)
def test_a_row_is_complete_and_its_default_is_allowed(option):
    from g_core.config import option_values

    assert option.meaning
    assert option.unit
    assert not option.meaning.endswith(".")
    if option.default is not None:
        assert option_values.check_value(option, option.default) == option.default


def test_genome_builds_of_the_table_are_known():
    for build in ("hg38", "hg19", "hg18"):
        assert build in options.options_by_path()["test.par_region"].meaning
        assert build in cross_checks.NON_PSEUDOAUTOSOMAL
