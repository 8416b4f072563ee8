"""The closed choices of the options.

Belongs here: one StrEnum for each option of kind ``choice`` (tests hold them equal to default.toml). Does not belong
here: choices that are not options, such as the columns of a result.
"""

import enum


class SampleMode(enum.StrEnum):
    """Which samples a trait is analysed on."""

    PER_PHENOTYPE = "per_phenotype"
    COMPLETE_CASE = "complete_case"
    REGENIE = "regenie"


class Sex(enum.StrEnum):
    """Sex of the samples that are kept."""

    MALE = "male"
    FEMALE = "female"


class TraitType(enum.StrEnum):
    """Type of all traits of a run."""

    QUANTITATIVE = "quantitative"
    BINARY = "binary"


class NullNonconvergence(enum.StrEnum):
    """What to do with a trait whose null model does not converge on a chromosome."""

    FAIL_TRAIT = "fail_trait"
    WARN = "warn"


class Coding(enum.StrEnum):
    """How the genotype enters the model."""

    ADDITIVE = "additive"
    DOMINANT = "dominant"
    RECESSIVE = "recessive"


class Device(enum.StrEnum):
    """Where the statistics are computed."""

    CPU = "cpu"
    GPU = "gpu"


class GenotypeFormat(enum.StrEnum):
    """In which form genotypes reach the device."""

    DOSAGE = "dosage"
    PACKED8 = "packed8"


class OutputFormat(enum.StrEnum):
    """Kinds of result files."""

    PARQUET = "parquet"
    REGENIE = "regenie"


class Compression(enum.StrEnum):
    """Compression of Parquet parts."""

    ZSTD = "zstd"
    NONE = "none"


class ResumeMode(enum.StrEnum):
    """How committed parts are checked before a run goes on."""

    FAST = "fast"
    STRICT = "strict"


class TelemetryMode(enum.StrEnum):
    """What a run tells while it goes on."""

    OFF = "off"
    PROGRESS = "progress"
    PROFILE = "profile"


class StageTiming(enum.StrEnum):
    """How closely the stages of a run are timed."""

    OFF = "off"
    AGGREGATE = "aggregate"
    EXACT = "exact"
