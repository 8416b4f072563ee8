"""The same shared file under two names: here, and on the cluster.

Belongs here: the translation of paths and of a spec. Does not belong here: whether a path is really shared; the job
finds that out (job_script.py).
"""

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from g_assets.payloads.spec import MeasurementSpec
from g_assets.profiles.slurm_machine import SlurmMachine


@dataclass(frozen=True, slots=True)
class PathMap:
    """Pairs of a folder here and the same folder on the cluster; the longest that fits counts."""

    pairs: tuple[tuple[str, str], ...]

    def there(self, path: str) -> str:
        """A path as the cluster has it."""
        return translated(path, self.pairs)

    def here(self, path: str) -> str:
        """A path of the cluster as this machine has it."""
        return translated(path, tuple((there, here) for here, there in self.pairs))

    def spec_there(self, spec: MeasurementSpec) -> MeasurementSpec:
        """A spec whose paths are the cluster's: a whole argument that is a path below a shared folder is translated."""
        case = spec.case.model_copy(
            update={
                "arguments": tuple(self.there(argument) for argument in spec.case.arguments),
                "input_files": tuple(self.there(name) for name in spec.case.input_files),
            }
        )
        return spec.model_copy(
            update={
                "case": case,
                "working_directory": self.there(spec.working_directory),
                "artifact_directory": self.there(spec.artifact_directory),
                "compile_cache": self.there(spec.compile_cache),
                "artifact_root": None if spec.artifact_root is None else self.there(spec.artifact_root),
                "command": None if spec.command is None else tuple(self.there(word) for word in spec.command),
            }
        )


def path_map(machine: SlurmMachine, *, checkout: Path, artifact_root: Path, data_directory: Path) -> PathMap:
    """The map of a machine, from this machine's own three folders."""
    pairs = (
        (str(artifact_root), machine.artifact_root or str(artifact_root)),
        (str(data_directory), machine.data_directory or str(data_directory)),
        (str(checkout), machine.checkout),
    )
    return PathMap(tuple(sorted(pairs, key=lambda pair: len(pair[0]), reverse=True)))


def translated(path: str, pairs: tuple[tuple[str, str], ...]) -> str:
    """The path with the folder it lies in exchanged; a path in none of them stays."""
    for source, target in sorted(pairs, key=lambda pair: len(pair[0]), reverse=True):
        if path == source or path.startswith(f"{source}/"):
            return str(PurePosixPath(target + path[len(source) :]))
    return path
