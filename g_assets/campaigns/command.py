"""The one place that renders a ``g regenie`` command line.

Belongs here: a typed command and its argument vector. Does not belong here: which cells a campaign has, or running it.
"""

from dataclasses import dataclass
from pathlib import Path

from g_assets.campaigns.model import TraitType
from g_assets.profiles.dataset_files import DatasetFiles
from g_assets.profiles.models import Device

RUN_DIRECTORY_SUFFIX = ".g"


@dataclass(frozen=True, slots=True)
class RegenieCommand:
    """A step 2 run. ``None`` leaves an option to the engine. ``p_threshold`` None means no Firth correction."""

    files: DatasetFiles
    trait_type: TraitType
    device: Device
    p_threshold: float | None
    threads: int | None
    chunk_variants: int | None
    staging_depth: int | None
    writer_threads: int | None
    writer_queue_depth: int | None


def render_regenie(command: RegenieCommand) -> tuple[str, ...]:
    """What follows ``g regenie``, without ``--out`` (see ``output_arguments``)."""
    files = command.files
    binary = command.trait_type is TraitType.BINARY
    trait = files.binary if binary else files.quantitative
    arguments = ["--step", "2", "--bgen", str(files.bgen), "--sample", str(files.sample)]
    arguments += ["--phenoFile", str(trait.phenotype_file), "--phenoCol", trait.column]
    if files.covariate_file is not None:
        arguments += ["--covarFile", str(files.covariate_file)]
        if files.covariate_columns:
            arguments += ["--covarColList", ",".join(files.covariate_columns)]
    arguments += ["--ignore-pred"] if trait.prediction_list is None else ["--pred", str(trait.prediction_list)]
    arguments.append("--bt" if binary else "--qt")
    if binary and command.p_threshold is not None:
        arguments += ["--firth", "--approx", "--pThresh", str(command.p_threshold)]
    arguments += ["--device", command.device.value]
    numbers = (
        ("--threads", command.threads),
        ("--chunk-variants", command.chunk_variants),
        ("--staging-depth", command.staging_depth),
        ("--writer-threads", command.writer_threads),
        ("--writer-queue-depth", command.writer_queue_depth),
    )
    for flag, number in numbers:
        if number is not None:
            arguments += [flag, str(number)]
    return (*arguments, "--format", "parquet", "--stage-timing", "aggregate")


def output_arguments(prefix: Path, compile_cache: Path) -> tuple[str, ...]:
    """Where the run writes and where it keeps what it compiles."""
    return ("--out", str(prefix), "--jax-cache-dir", str(compile_cache))


def engine_run_directory(prefix: Path) -> Path:
    """The folder that ``g regenie --out PREFIX`` writes its manifest and Parquet parts to."""
    return prefix.with_name(prefix.name + RUN_DIRECTORY_SUFFIX)
