"""The typed, frozen configuration of a run.

Belongs here: one pydantic model a section, field for field the table in default.toml (a test holds them equal); no
default is written here. Does not belong here: what is derived from the values (run_plan.py).
"""

import pathlib
from typing import Any, Literal

import pydantic

from g_core.config import options
from g_core.config.choices import (
    Coding,
    Compression,
    Device,
    GenotypeFormat,
    NullNonconvergence,
    OutputFormat,
    ResumeMode,
    SampleMode,
    Sex,
    StageTiming,
    TelemetryMode,
    TraitType,
)
from g_core.config.numerics import (
    BasisNumerics,
    FirthApproximateNumerics,
    FirthExactNumerics,
    FirthNullNumerics,
    GenotypeNumerics,
    LinearNumerics,
    LogisticNullNumerics,
    ProbabilityNumerics,
    SaddlepointNumerics,
    ScoreNumerics,
)
from g_core.config.option_rows import table_of
from g_core.config.section import Section

Auto = Literal["auto"]


class InputConfig(Section):
    """Files and columns that are read."""

    section_name = "input"
    step: int
    bgen: pathlib.Path | None
    bgen_index: pathlib.Path | None
    sample: pathlib.Path | None
    phenotype_file: pathlib.Path | None
    phenotype_columns: tuple[str, ...]
    phenotype_exclude_columns: tuple[str, ...]
    covariate_file: pathlib.Path | None
    covariate_columns: tuple[str, ...]
    covariate_exclude_columns: tuple[str, ...]
    categorical_covariates: tuple[str, ...]
    max_category_levels: int
    prediction_list: pathlib.Path | None
    ignore_predictions: bool
    reference_first: bool
    bsize: int | Auto


class SamplesConfig(Section):
    """Which samples are analysed."""

    section_name = "samples"
    mode: SampleMode
    strict: bool
    keep: tuple[pathlib.Path, ...]
    remove: tuple[pathlib.Path, ...]
    sex: Sex | None


class TraitConfig(Section):
    """What the traits are."""

    section_name = "trait"
    type: TraitType
    force_quantitative: bool
    impute_missing: bool
    rank_inverse_normal: bool


class BinaryConfig(Section):
    """Binary traits: coding, null model, Firth correction."""

    section_name = "binary"
    one_two_coding: bool
    min_case_count: int
    firth: bool
    approximate: bool
    spa: bool
    p_threshold: float
    firth_se: bool
    skip_fast_firth: bool
    write_null_firth: bool
    null_firth_list: pathlib.Path | None
    null_nonconvergence: NullNonconvergence
    firth_batch_size: int | Auto


class TestConfig(Section):
    """How a genotype enters the model."""

    __test__ = False  # pytest takes classes whose name begins with Test for tests
    section_name = "test"
    coding: Coding
    par_region: str
    skip_dosage_compensation: bool


class FiltersConfig(Section):
    """Which variants and tests are reported."""

    section_name = "filters"
    min_mac: float
    min_info: float | None
    min_homozygotes: float
    extract: tuple[pathlib.Path, ...]
    exclude: tuple[pathlib.Path, ...]
    chromosomes: tuple[str, ...]
    range: str | None


class ComputeConfig(Section):
    """Device, threads and chunking; none of it changes a result."""

    section_name = "compute"
    device: Device
    threads: int | Auto
    chunk_variants: int | Auto
    staging_depth: int
    decode_tile_variants: int | Auto
    genotype_format: GenotypeFormat | Auto
    trusted_no_missing_diploid: bool
    jax_cache_dir: pathlib.Path | None
    jax_persistent_cache: bool


class OutputConfig(Section):
    """What is written, and how."""

    section_name = "output"
    prefix: pathlib.Path | None
    format: tuple[OutputFormat, ...]
    one_table: bool
    case_control_frequencies: bool
    write_samples: bool
    print_phenotype: bool
    gzip: bool
    writer_threads: int
    writer_queue_depth: int
    chunks_per_part: int | Auto
    finalize: bool
    compression: Compression
    resume: bool
    resume_mode: ResumeMode


class DiagnosticsConfig(Section):
    """What a run tells about itself."""

    section_name = "diagnostics"
    dry_run: bool
    telemetry: TelemetryMode
    stage_timing: StageTiming
    jax_trace_dir: pathlib.Path | None
    jax_memory_profile: pathlib.Path | None
    debug: bool


class RunConfig(pydantic.BaseModel):
    """All options of a run. ``RunConfig.model_validate({})`` is the table's defaults."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)
    input: InputConfig
    samples: SamplesConfig
    trait: TraitConfig
    binary: BinaryConfig
    test: TestConfig
    filters: FiltersConfig
    compute: ComputeConfig
    output: OutputConfig
    diagnostics: DiagnosticsConfig
    genotype: GenotypeNumerics
    probability: ProbabilityNumerics
    basis: BasisNumerics
    linear: LinearNumerics
    score: ScoreNumerics
    logistic_null: LogisticNullNumerics
    firth_null: FirthNullNumerics
    firth_approximate: FirthApproximateNumerics
    firth_exact: FirthExactNumerics
    saddlepoint: SaddlepointNumerics

    @pydantic.model_validator(mode="before")
    @classmethod
    def fill_sections(cls, values: Any) -> Any:
        """A section that is not given is all defaults."""
        given = table_of(values)
        empty: dict[str, object] = {section: {} for section in options.section_names()}
        return values if given is None else empty | given
