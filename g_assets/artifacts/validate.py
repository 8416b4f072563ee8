"""``python -m g_assets.artifacts.validate DIR``: check an artifact directory against what it says of itself.

Belongs here: every rule of the format, each fault with file and line. Does not belong here: judging the numbers.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel

from g_assets.artifacts import paths
from g_assets.artifacts.models import ArtifactKind, ArtifactManifest, CommandRecord, Event, Metric, Report, Status
from g_assets.artifacts.read import ArtifactError, Model, parse_record, read_artifact_manifest, read_record
from g_assets.artifacts.write import describe

USAGE = "usage: python -m g_assets.artifacts.validate DIR [DIR ...]\n"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, and where; ``line`` is None where a whole file is meant."""

    path: str
    line: int | None
    message: str

    def text(self) -> str:
        """The fault in one line: file, line, what."""
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{place}: {self.message}"


def validate(directory: Path) -> tuple[Fault, ...]:
    """Every fault of one artifact directory. An interrupted one is judged by what it has."""
    try:
        manifest = read_artifact_manifest(directory)
    except ArtifactError as error:
        return (Fault(paths.MANIFEST_NAME, None, str(error)),)
    faults = file_faults(directory, manifest)
    faults += line_faults(directory, manifest, paths.EVENTS_NAME, Event)
    faults += line_faults(directory, manifest, paths.METRICS_NAME, Metric)
    faults += command_faults(directory, manifest)
    if manifest.status is not Status.INTERRUPTED:
        faults += finished_faults(directory, manifest)
    return tuple(faults)


def file_faults(directory: Path, manifest: ArtifactManifest) -> list[Fault]:
    """Listed files that are missing, or have another size or hash than listed."""
    faults: list[Fault] = []
    for listed in manifest.artifacts:
        try:
            found = describe(directory, listed.path, listed.kind)
        except OSError as error:
            faults.append(Fault(listed.path, None, f"listed in the manifest, but: {error.strerror}"))
            continue
        if found.size_bytes != listed.size_bytes:
            faults.append(Fault(listed.path, None, f"{found.size_bytes} bytes, listed with {listed.size_bytes}"))
        elif found.sha256 != listed.sha256:
            faults.append(Fault(listed.path, None, "its content has another sha256 than the one listed"))
    return faults


def line_faults(directory: Path, manifest: ArtifactManifest, name: str, model: type[BaseModel]) -> list[Fault]:
    """Lines of a JSON lines file that are not whole, not of their model, or of another run."""
    _, faults = parse_lines(directory, manifest, name, model)
    return faults


def parse_lines(
    directory: Path, manifest: ArtifactManifest, name: str, model: type[Model]
) -> tuple[list[tuple[int, Model]], list[Fault]]:
    """Records of a JSON lines file with their line numbers, and its faults. A file that is not there has neither."""
    path = directory / name
    if not path.is_file():
        return [], []
    text = path.read_text(encoding="utf-8", errors="replace")
    lines = text.split("\n")
    faults: list[Fault] = []
    if lines[-1]:
        faults.append(Fault(name, len(lines), "the last line is not complete"))
    records: list[tuple[int, Model]] = []
    for number, line in enumerate(lines[:-1], start=1):
        try:
            record = parse_record(line, model, name)
        except ArtifactError as error:
            faults.append(Fault(name, number, str(error)))
            continue
        records.append((number, record))
        run_id = getattr(record, "run_id", None)
        if run_id != manifest.run_id:
            faults.append(Fault(name, number, f"run id {run_id}, where the manifest has {manifest.run_id}"))
    return records, faults


def command_faults(directory: Path, manifest: ArtifactManifest) -> list[Fault]:
    """Faults of the command list: its lines, and logs that are not there."""
    records, faults = parse_lines(directory, manifest, paths.COMMANDS_NAME, CommandRecord)
    for number, record in records:
        logs = (record.stdout, record.stderr)
        missing = [log for log in logs if not (directory / log).is_file()]
        faults += [Fault(paths.COMMANDS_NAME, number, f"its log {log} is not there") for log in missing]
    return faults


def finished_faults(directory: Path, manifest: ArtifactManifest) -> list[Fault]:
    """Faults only a finished directory can have: no report, another run id or status in it, pointers to nothing."""
    if manifest.finished_at is None:
        return [Fault(paths.MANIFEST_NAME, None, f"status {manifest.status}, but no time of finish")]
    kinds = {file.kind for file in manifest.artifacts}
    missing = {ArtifactKind.REPORT, ArtifactKind.SUMMARY, ArtifactKind.EVENTS} - kinds
    faults = [Fault(paths.MANIFEST_NAME, None, f"lists no {kind.value}") for kind in sorted(missing)]
    try:
        report = read_record(directory / paths.REPORT_NAME, Report)
    except ArtifactError as error:
        return [*faults, Fault(paths.REPORT_NAME, None, str(error))]
    for what, found, expected in (
        ("run id", report.run_id, manifest.run_id),
        ("status", report.status.value, manifest.status.value),
    ):
        if found != expected:
            faults.append(Fault(paths.REPORT_NAME, None, f"{what} {found}, where the manifest has {expected}"))
    return faults


def main(arguments: list[str]) -> int:
    """Check each directory named; print its faults. Returns 0, 1 where there are faults, 2 for wrong usage."""
    if not arguments or arguments[0].startswith("-"):
        sys.stderr.write(USAGE)
        return 2
    failed = False
    for name in arguments:
        directory = Path(name)
        faults = validate(directory)
        failed = failed or bool(faults)
        for fault in faults:
            sys.stdout.write(f"{directory / fault.text()}\n")
        if not faults:
            sys.stdout.write(f"{directory}: valid ({read_artifact_manifest(directory).status.value})\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
