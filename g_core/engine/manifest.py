"""``manifest.json`` of a run directory: what a finished run holds.

Belongs here: the typed record and its reading. It is written last, so its presence means that every file it names is
whole. Does not belong here: where files go (run_directory.py) or what happened on the way (the log).
"""

from enum import StrEnum
from pathlib import Path
from typing import Literal

import pydantic

from g_core.errors import InputError

MANIFEST_NAME = "manifest.json"


class RunStatus(StrEnum):
    """How a run or one trait of it ended. A run that raised leaves no manifest, so only a trait can have failed."""

    COMPLETE = "complete"
    PARTIAL = "partial"
    FAILED = "failed"


class Record(pydantic.BaseModel):
    """Base of the manifest's records: closed and frozen."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)


class PartRecord(Record):
    """One committed Parquet part."""

    path: str
    """Relative to the run directory."""
    rows: int
    bytes: int
    sha256: str
    first_variant: int
    """Position of the first selected variant that the part covers; a part without rows has no record."""
    stop_variant: int
    chromosome_code: int


class TraitRecord(Record):
    """One trait's results; a failed trait has none."""

    name: str
    folder: str | None
    """Of the parts, in the run directory; None for a failed trait."""
    status: RunStatus
    reason: str | None
    """Why the trait is not complete."""
    n_samples: int
    n_cases: int | None
    n_controls: int | None
    rows: int
    rows_failed: int
    rows_below_minimum_mac: int
    rows_below_minimum_info: int
    rows_below_minimum_homozygotes: int
    rows_corrected: int
    parts: tuple[PartRecord, ...]
    regenie_text: str | None
    """File name beside the run directory, or None when the text was not asked for."""
    finalised: str | None
    """The one sorted Parquet file of the trait, relative to the run directory; None without --finalize."""
    sample_list: str | None
    """File name of the list of analysed samples beside the run directory, or None when it was not asked for."""


class CompileRecord(Record):
    """What JAX compiled and found in its persistent cache."""

    cache_directory: str | None
    cache_was_filled: bool
    """Kernels were there before this process compiled any."""
    n_compiled: int
    n_cache_hits: int
    n_cache_misses: int
    compile_seconds: float
    programs: dict[str, int]
    """How often each function was compiled or found, by name; 1 where shapes are fixed."""

    def describe(self) -> str:
        """One line for people.

        JAX says nothing where its cache takes none of its own files back, as when its reading of the CPU's features
        differs between two processes, so that is said here.
        """
        if self.n_compiled == 0:
            return "kernels: none to compile"
        told = f"kernels: {self.n_compiled} ready in {self.compile_seconds:.2f} s"
        if self.cache_directory is None:
            return f"{told}, all of them compiled, because the compile cache is off"
        told += f", {self.n_cache_hits} of them from the compile cache {self.cache_directory}"
        if self.cache_was_filled and self.n_cache_hits == 0:
            told += (
                "; it had kernels of earlier runs and none fitted, which is right only where numbers of samples, "
                "traits or covariates, options or versions are new"
            )
        return told


class RunManifest(Record):
    """The whole run."""

    schema_name: Literal["g_run_manifest"]
    schema_version: Literal[1]
    status: RunStatus
    plan_fingerprint: str
    engine_version: str
    native_build: dict[str, str]
    jax_version: str
    trait_type: str
    device: str
    device_kind: str
    xla_flags: str
    """XLA_FLAGS as the device got them: on a GPU they say how the algorithms of products were chosen."""
    threads: int
    tile_rows: int
    chunk_variants: int
    n_samples_genotyped: int
    n_variants_in_file: int
    n_variants_selected: int
    wall_seconds: float
    scan_seconds: float
    """From the first chunk until every row is written; finalised files and whole texts come after it."""
    variants_per_second: float
    stage_seconds: dict[str, float]
    peak_memory_bytes: int
    compile: CompileRecord
    resumed_from_variant: int | None
    """Selected variants before this one were tested by an earlier process; times and rates are of this one alone."""
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    """What the scan found out about its models: fits that did not converge, stored starts that did not fit."""
    traits: tuple[TraitRecord, ...]

    @property
    def rows(self) -> int:
        """Result rows of all traits."""
        return sum(trait.rows for trait in self.traits)


def read_manifest(run_directory: Path) -> RunManifest:
    """Read a finished run's manifest.

    Raises:
        InputError: There is none (the run did not finish), or it is not one.
    """
    path = run_directory / MANIFEST_NAME
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; the run did not finish, or this is not a run directory") from None
    try:
        return RunManifest.model_validate_json(text)
    except pydantic.ValidationError as error:
        raise InputError(f"{path}: not a version 1 run manifest: {error}") from None
