"""What a run is: its plan and its inputs, in ``PREFIX.g/run.json``, and whether two runs are the same.

Belongs here: fingerprints of inputs and the comparison that --resume makes. Does not belong here: what a run did
(manifest.py).

Small inputs are known by their content. A genotype file of many gigabytes is known by its size, its time and a digest
of its head and tail.
"""

import hashlib
import tomllib
from pathlib import Path
from typing import Literal, cast

import pydantic

from g_core import _native
from g_core.config.run_plan import RunPlan
from g_core.errors import InputError, OutputError, UsageError
from g_core.inputs.analysis_set import AnalysisSet

IDENTITY_NAME = "run.json"
LARGEST_HASHED_WHOLE_BYTES = 64 << 20
END_BYTES = 1 << 20
FREE_SECTIONS = ("compute", "diagnostics")
"""Sections that change no byte of a result, so that a run may go on with other values."""
FREE_OPTIONS = (
    "output.prefix",
    "output.chunks_per_part",
    "output.resume",
    "output.resume_mode",
    "output.writer_threads",
    "output.writer_queue_depth",
    "output.finalize",
)


class IdentityRecord(pydantic.BaseModel):
    """A part of the identity: nothing unknown in it."""

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")


class InputFile(IdentityRecord):
    """An input and how it is recognised. ``modified_ns`` is None where the whole content was hashed."""

    option: str
    path: str
    bytes: int
    modified_ns: int | None
    sha256: str


class RunIdentity(IdentityRecord):
    """A run before it starts."""

    schema_name: Literal["g_run"]
    schema_version: Literal[2]
    plan_fingerprint: str
    engine_version: str
    native_build: dict[str, str]
    inputs: tuple[InputFile, ...]


def identify(plan: RunPlan, analysis: AnalysisSet) -> RunIdentity:
    """The identity of a run.

    Args:
        plan: Of the run.
        analysis: Its traits, whose prediction files count as inputs.

    Raises:
        InputError: An input cannot be read any more.
    """
    build = _native.build_info()
    return RunIdentity(
        schema_name="g_run",
        schema_version=2,
        plan_fingerprint=plan_fingerprint(plan),
        engine_version=build["version"],
        native_build=build,
        inputs=tuple(fingerprint(option, path) for option, path in input_files(plan, analysis)),
    )


def plan_fingerprint(plan: RunPlan) -> str:
    """Digest of everything in the plan that a result depends on."""
    decisive = sorted(decisive_options(plan.effective_config).items())
    return hashlib.sha256(repr(decisive).encode()).hexdigest()


def input_files(plan: RunPlan, analysis: AnalysisSet) -> list[tuple[str, Path]]:
    """Option and path of every file that a run reads."""
    files: list[tuple[str, Path | None]] = [
        ("--bgen", plan.input.bgen),
        ("--sample", plan.input.sample),
        ("--phenoFile", plan.input.phenotype_file),
        ("--covarFile", plan.input.covariate_file),
        ("--pred", plan.input.prediction_list),
        ("--use-null-firth", plan.binary.null_firth_list),
        *(("--keep", path) for path in plan.samples.keep),
        *(("--remove", path) for path in plan.samples.remove),
        *(("--extract", path) for path in plan.filters.extract),
        *(("--exclude", path) for path in plan.filters.exclude),
    ]
    files += [
        (f"--pred, trait {trait.name}", Path(trait.predictions.path))
        for group in analysis.groups
        for trait in group.traits
        if trait.predictions is not None
    ]
    return [(option, path) for option, path in files if path is not None]


def fingerprint(option: str, path: Path) -> InputFile:
    """How one input is recognised.

    Raises:
        InputError: It is not there any more.
    """
    try:
        status = path.stat()
        whole = status.st_size <= LARGEST_HASHED_WHOLE_BYTES
        with path.open("rb") as handle:
            digest = hashlib.sha256()
            if whole:
                while block := handle.read(END_BYTES):
                    digest.update(block)
            else:
                digest.update(handle.read(END_BYTES))
                handle.seek(-END_BYTES, 2)
                digest.update(handle.read(END_BYTES))
    except OSError as error:
        raise InputError(f"{path} ({option}): cannot be read: {error.strerror}") from None
    return InputFile(
        option=option,
        path=str(path),
        bytes=status.st_size,
        modified_ns=None if whole else status.st_mtime_ns,
        sha256=digest.hexdigest(),
    )


def decisive_options(effective_config: str) -> dict[str, object]:
    """Every option that a result depends on, ``section.key`` to value, from the text of a plan."""
    sections = cast("dict[str, dict[str, object]]", tomllib.loads(effective_config))
    options = {f"{section}.{key}": value for section, keys in sections.items() for key, value in keys.items()}
    return {
        name: value
        for name, value in options.items()
        if name.split(".")[0] not in FREE_SECTIONS and name not in FREE_OPTIONS
    }


def refuse_other_run(run_directory: Path, plan: RunPlan) -> None:
    """Refuse to resume a directory that holds another run; nothing is changed.

    Raises:
        UsageError: The first option, input or version that differs.
        InputError: An input is not there any more.
        OutputError: The directory does not say what it holds.
    """
    try:
        earlier_config = (run_directory / "effective_config.toml").read_text(encoding="utf-8")
        earlier = RunIdentity.model_validate_json((run_directory / IDENTITY_NAME).read_text(encoding="utf-8"))
    except (OSError, pydantic.ValidationError) as error:
        first = str(error).splitlines()[0]
        raise OutputError(f"{run_directory}: cannot be resumed: {first}; remove it and start anew") from None
    version = _native.build_info()["version"]
    difference = first_difference(earlier_config, plan.effective_config) or first_changed_input(earlier)
    if difference is None and earlier.engine_version != version:
        difference = f"the engine's version was {earlier.engine_version} and is {version}"
    if difference is not None:
        raise UsageError(f"{run_directory}: --resume goes on with the same run only: {difference}")


def first_difference(earlier_config: str, config: str) -> str | None:
    """The first option whose value is another one."""
    earlier, now = decisive_options(earlier_config), decisive_options(config)
    for name in [*now, *(name for name in earlier if name not in now)]:
        if earlier.get(name) != now.get(name):
            return f"{name} was {shown(earlier.get(name))} and is {shown(now.get(name))}"
    return None


def first_changed_input(earlier: RunIdentity) -> str | None:
    """The first input whose content is another one."""
    for before in earlier.inputs:
        now = fingerprint(before.option, Path(before.path))
        if before != now:
            return f"{before.path} ({before.option}) has changed ({before.bytes} bytes then, {now.bytes} now)"
    return None


def shown(value: object) -> str:
    """A value for a message."""
    return "unset" if value is None else repr(value)
