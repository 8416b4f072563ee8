"""Reading a profile by kind and name.

Belongs here: finding the TOML file, naming the known ones when it is not there, and typing it. Does not belong here:
overriding fields (a campaign's config does that).
"""

import os
import tomllib
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from g_assets.profiles.models import DatasetProfile, MachineProfile, Profile, ProfileKind, WorkloadProfile

PROFILE_DIRECTORY_VARIABLE = "GWAS_ENGINE_PROFILE_DIR"
DEFAULT_MACHINE = "local"
SUFFIX = ".toml"

ProfileType = TypeVar("ProfileType", bound=Profile)


class ProfileError(Exception):
    """A profile is not known, or its file cannot be read. The message names the file, the key and what is allowed."""


def profile_names(kind: ProfileKind) -> tuple[str, ...]:
    """Names of the profiles of one kind, sorted."""
    return tuple(sorted(profile_files(kind)))


def profile_files(kind: ProfileKind) -> dict[str, Traversable]:
    """The TOML files of one kind by name.

    Those below ``GWAS_ENGINE_PROFILE_DIR``, where it is set, come before the package's own: a private cluster's profile
    need not stand in the checkout.
    """
    folders: list[Traversable] = [resources.files("g_assets.profiles").joinpath(kind.value)]
    private = os.environ.get(PROFILE_DIRECTORY_VARIABLE)
    if private and (Path(private) / kind.value).is_dir():
        folders.append(Path(private) / kind.value)
    files = (entry for folder in folders for entry in folder.iterdir())
    return {entry.name.removesuffix(SUFFIX): entry for entry in files if entry.name.endswith(SUFFIX)}


def load_dataset(name: str) -> DatasetProfile:
    """Dataset profile ``name``. Raises ProfileError as ``load_profile`` does."""
    return read_profile(ProfileKind.DATASETS, name, DatasetProfile)


def load_machine(name: str) -> MachineProfile:
    """Machine profile ``name``. Raises ProfileError as ``load_profile`` does."""
    return read_profile(ProfileKind.MACHINES, name, MachineProfile)


def load_workload(name: str) -> WorkloadProfile:
    """Workload profile ``name``. Raises ProfileError as ``load_profile`` does."""
    return read_profile(ProfileKind.WORKLOADS, name, WorkloadProfile)


def load_profile(kind: ProfileKind, name: str) -> DatasetProfile | MachineProfile | WorkloadProfile:
    """Profile ``name`` of ``kind``, for callers that choose the kind at run time.

    Raises ProfileError where the name is unknown (naming the known ones) or the file breaks its model.
    """
    match kind:
        case ProfileKind.DATASETS:
            return load_dataset(name)
        case ProfileKind.MACHINES:
            return load_machine(name)
        case ProfileKind.WORKLOADS:
            return load_workload(name)


def read_profile(kind: ProfileKind, name: str, model: type[ProfileType]) -> ProfileType:
    """Find, parse and type one profile file."""
    known = profile_files(kind)
    if name not in known:
        msg = f"no profile {name!r} in g_assets/profiles/{kind.value}; known: {', '.join(sorted(known))}"
        raise ProfileError(msg)
    own = resources.files("g_assets.profiles").joinpath(kind.value, f"{name}{SUFFIX}")
    place = f"g_assets/profiles/{kind.value}/{name}{SUFFIX}" if known[name] == own else str(known[name])
    try:
        fields = tomllib.loads(known[name].read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        msg = f"{place} is not TOML: {error}"
        raise ProfileError(msg) from error
    try:
        return model.model_validate({"name": name, **fields})
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        msg = f"{place} does not fit its model: {faults}"
        raise ProfileError(msg) from error
