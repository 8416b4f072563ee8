"""Datasets on disk: made by the simulator or found, and cut to their first variants where a run asks for that.

Belongs here: making sure that the files of a dataset profile are there, and saying what they are. Does not belong here:
where they lie (profiles/dataset_files.py), or Dagster: the dataset asset and every plan call the same function.

The native module and the simulator are imported where they are used: the code location loads without them.
"""

import os
from collections.abc import Callable
from pathlib import Path

from g_assets.artifacts.models import InputFile, Record
from g_assets.artifacts.read import ArtifactError, read_record
from g_assets.artifacts.write import json_text, replace_text
from g_assets.profiles.dataset_files import (
    DATA_DIRECTORY_VARIABLE,
    DatasetFiles,
    dataset_files,
    dataset_fingerprint,
    fingerprint_file,
)
from g_assets.profiles.models import DatasetProfile, DatasetSource, Simulation
from g_core.errors import GError


class DatasetError(Exception):
    """A dataset is not there or cannot be made. The message names the files and what to do."""


class DatasetReport(Record):
    """What a run found or made. ``was_made``: the simulator, or the cut to the first variants, had to work for it."""

    name: str
    source: DatasetSource
    bgen: str
    bgen_bytes: int
    n_samples: int
    n_variants: int
    variant_limit: int | None
    fingerprint: str
    was_made: bool


EnsureDataset = Callable[[DatasetProfile, Path, int | None], DatasetReport]


def ensure_dataset(profile: DatasetProfile, directory: Path, variant_limit: int | None) -> DatasetReport:
    """Make sure that every file of a dataset is there, and describe it.

    Args:
        profile: The dataset.
        directory: Data directory.
        variant_limit: Number of variants from the start of the BGEN; None: all of them.

    Raises:
        DatasetError: Files are missing (all are named), or the dataset cannot be made.
    """
    was_made = simulate(profile, profile.simulation, directory) if profile.simulation is not None else False
    whole = dataset_files(profile, directory, None)
    refuse_missing_files(profile, whole, directory)
    files = whole
    if variant_limit is not None:
        files = dataset_files(profile, directory, variant_limit)
        was_made = cut_to_first_variants(whole.bgen, files.bgen, variant_limit) or was_made
    n_samples, n_variants = bgen_shape(files.bgen)
    return DatasetReport(
        name=profile.name,
        source=profile.generator,
        bgen=str(files.bgen),
        bgen_bytes=files.bgen.stat().st_size,
        n_samples=n_samples,
        n_variants=n_variants,
        variant_limit=variant_limit,
        fingerprint=dataset_fingerprint(files),
        was_made=was_made,
    )


def simulate(profile: DatasetProfile, simulation: Simulation, directory: Path) -> bool:
    """Simulate a dataset unless it is there as the profile describes it; returns whether it had to be made."""
    from g_core.simulate import dataset as simulator
    from g_core.simulate.spec import build_spec

    folder = (directory / profile.bgen).parent
    try:
        spec = build_spec({**simulation.model_dump(), "chromosome": profile.chromosome})
        made = simulator.ensure_dataset(spec=spec, folder=folder, threads=usable_cpus())
    except GError as error:
        msg = f"dataset {profile.name} cannot be simulated: {error}"
        raise DatasetError(msg) from error
    return not made.was_reused


def usable_cpus() -> int:
    """CPUs that this process may use."""
    return len(os.sched_getaffinity(0))


def refuse_missing_files(profile: DatasetProfile, files: DatasetFiles, directory: Path) -> None:
    """Raise DatasetError naming every file that is not there."""
    missing = [str(path) for path in files.all_paths() if not path.is_file()]
    if missing:
        msg = (
            f"dataset {profile.name} lacks {len(missing)} of its files: {', '.join(missing)}. They are looked for "
            f"below {directory}; put them there, or set {DATA_DIRECTORY_VARIABLE} to where they are"
        )
        raise DatasetError(msg)


def cut_to_first_variants(whole: Path, target: Path, variant_limit: int) -> bool:
    """Cache the first variants of a BGEN; returns whether that had to be done.

    The cached file is trusted only while the record beside it names the content of the whole file as it is now.
    """
    from g_core import _native

    record = target.with_suffix(".source.json")
    source = fingerprint_file(whole)
    if target.is_file() and recorded_source(record) == source:
        return False
    try:
        record.unlink(missing_ok=True)
        _native.write_first_variants(str(whole), str(target), variant_limit)
        replace_text(record, json_text(source))
    except (GError, OSError) as error:
        msg = f"the first {variant_limit} variants of {whole} cannot be cached as {target}: {error}"
        raise DatasetError(msg) from error
    return True


def recorded_source(record: Path) -> InputFile | None:
    """What a cached file was cut from, or None where nothing says so."""
    try:
        return read_record(record, InputFile)
    except ArtifactError:
        return None


def bgen_shape(bgen: Path) -> tuple[int, int]:
    """Samples and variants of a BGEN. Raises DatasetError where it cannot be read."""
    from g_core import _native

    try:
        reader = _native.BgenReader(str(bgen))
    except GError as error:
        raise DatasetError(str(error)) from error
    return reader.n_samples, reader.n_variants
