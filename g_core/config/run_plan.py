"""The frozen plan of a run: what every later room reads.

Belongs here: the types, section by section as in default.toml, with everything resolved (files found, lists expanded,
labels coded, kernel configs filled). Does not belong here: how a plan is made (build_plan.py).
"""

import dataclasses
import enum
from pathlib import Path

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
from g_core.kernels.settings import (
    BasisConfig,
    FirthApproximateConfig,
    FirthExactConfig,
    FirthNullConfig,
    GenotypeConfig,
    LinearConfig,
    LogisticNullConfig,
    ProbabilityConfig,
    SaddlepointConfig,
    ScoreConfig,
)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class InputPlan:
    """Files and columns that are read. Column lists are expanded; empty means all columns."""

    bgen: Path
    sample: Path | None
    phenotype_file: Path
    phenotype_columns: tuple[str, ...]
    phenotype_exclude_columns: tuple[str, ...]
    covariate_file: Path | None
    covariate_columns: tuple[str, ...]
    covariate_exclude_columns: tuple[str, ...]
    categorical_covariates: tuple[str, ...]
    max_category_levels: int
    prediction_list: Path | None
    reference_first: bool
    bsize: int | None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class SamplesPlan:
    """Which samples are analysed; at most one of keep and remove is not empty. ``sex`` None keeps all."""

    mode: SampleMode
    keep: tuple[Path, ...]
    remove: tuple[Path, ...]
    sex: Sex | None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class TraitPlan:
    """What the traits are, and what is done to their values; the switches are off for binary ones."""

    type: TraitType
    force_quantitative: bool
    impute_missing: bool
    rank_inverse_normal: bool


class CorrectionMethod(enum.StrEnum):
    """What replaces the score test of a binary trait where its p-value is below the threshold."""

    NONE = "none"
    FIRTH_APPROXIMATE = "firth_approximate"
    FIRTH_EXACT = "firth_exact"
    SADDLEPOINT = "spa"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class BinaryPlan:
    """Binary traits. ``correction`` is none for quantitative ones; the last two fields need approximate Firth."""

    one_two_coding: bool
    min_case_count: int
    correction: CorrectionMethod
    p_threshold: float
    firth_se: bool
    skip_fast_firth: bool
    null_nonconvergence: NullNonconvergence
    write_null_firth: bool
    null_firth_list: Path | None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class NonPseudoautosomalRegion:
    """Positions of chromosome X at which males have one copy, both ends included."""

    first_position: int
    last_position: int


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class TestPlan:
    """How a genotype enters the model."""

    __test__ = False  # pytest takes classes whose name begins with Test for tests
    coding: Coding
    non_pseudoautosomal: NonPseudoautosomalRegion
    skip_dosage_compensation: bool


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class PositionRange:
    """A window on one chromosome, both ends included."""

    chromosome_code: int
    first_position: int
    last_position: int


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class FiltersPlan:
    """Which variants and tests are reported.

    ``chromosomes`` holds codes; empty means all. ``min_homozygotes`` is 0 unless the coding is recessive.
    """

    min_mac: float
    min_info: float | None
    min_homozygotes: float
    extract: tuple[Path, ...]
    exclude: tuple[Path, ...]
    chromosomes: tuple[int, ...]
    range: PositionRange | None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ComputePlan:
    """Device, threads and chunking; None where the engine decides."""

    device: Device
    threads: int
    chunk_variants: int | None
    staging_depth: int
    decode_tile_variants: int | None
    genotype_format: GenotypeFormat
    trusted_no_missing_diploid: bool
    jax_cache_dir: Path | None
    jax_persistent_cache: bool


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class OutputPlan:
    """What is written, and how.

    ``one_table`` and ``case_control_frequencies`` concern the REGENIE text, ``finalize`` the Parquet parts; each is off
    where there are none.
    """

    prefix: Path
    formats: tuple[OutputFormat, ...]
    one_table: bool
    case_control_frequencies: bool
    sample_lists: bool
    sample_lists_name_trait: bool
    gzip: bool
    writer_threads: int
    writer_queue_depth: int
    chunks_per_part: int | None
    finalize: bool
    compression: Compression
    resume: bool
    resume_mode: ResumeMode


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class DiagnosticsPlan:
    """What a run tells about itself; the two JAX profiles are set in profile mode only."""

    dry_run: bool
    telemetry: TelemetryMode
    stage_timing: StageTiming
    jax_trace_dir: Path | None
    jax_memory_profile: Path | None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class KernelConfigs:
    """Tolerances and limits of every kernel."""

    genotype: GenotypeConfig
    probability: ProbabilityConfig
    basis: BasisConfig
    linear: LinearConfig
    score: ScoreConfig
    logistic_null: LogisticNullConfig
    firth_null: FirthNullConfig
    firth_approximate: FirthApproximateConfig
    firth_exact: FirthExactConfig
    saddlepoint: SaddlepointConfig


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan:
    """Everything a run needs to know.

    ``effective_config`` is the TOML text that makes this plan again; ``warnings`` are lines to print before work
    starts.
    """

    input: InputPlan
    samples: SamplesPlan
    trait: TraitPlan
    binary: BinaryPlan
    test: TestPlan
    filters: FiltersPlan
    compute: ComputePlan
    output: OutputPlan
    diagnostics: DiagnosticsPlan
    kernels: KernelConfigs
    effective_config: str
    warnings: tuple[str, ...]
