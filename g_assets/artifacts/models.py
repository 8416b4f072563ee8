"""The records of an artifact directory, Tooling Artifact Format version 1.

Belongs here: manifest, report, metric, event, command and failure, and the closed words they use. Does not belong here:
what one kind of measurement adds (cell.py), files (write.py, read.py), or judging (compare/).
"""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

SCHEMA_VERSION = 1


class Status(StrEnum):
    """How a run, a case or a trial ended."""

    SUCCESS = "success"
    PARTIAL = "partial"
    FAILED = "failed"
    SKIPPED = "skipped"
    UNSUPPORTED = "unsupported"
    DRY_RUN = "dry_run"
    INTERRUPTED = "interrupted"
    TIMED_OUT = "timed_out"
    INVALID = "invalid"


class Unit(StrEnum):
    """The units a metric may have; no other."""

    SECONDS = "seconds"
    BYTES = "bytes"
    ROWS = "rows"
    VARIANTS = "variants"
    VARIANTS_PER_SECOND = "variants_per_second"
    PARTS = "parts"
    COUNT = "count"
    RATIO = "ratio"


class Aggregation(StrEnum):
    """How a metric's value was made from its observations."""

    SINGLE = "single"
    MEDIAN = "median"
    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    SUM = "sum"


class Judgement(StrEnum):
    """What a comparison says of one metric."""

    IMPROVEMENT = "improvement"
    NEUTRAL = "neutral"
    REGRESSION = "regression"
    INCONCLUSIVE = "inconclusive"
    NOT_COMPARABLE = "not_comparable"


class ArtifactKind(StrEnum):
    """What a file of an artifact directory is."""

    REPORT = "report"
    SUMMARY = "summary"
    CELL = "cell"
    MATRIX = "matrix"
    COMPARISON = "comparison"
    EVENTS = "events"
    METRICS = "metrics"
    COMMANDS = "commands"
    CONFIG = "config"
    LOG = "log"
    RESULT = "result"


class Record(BaseModel):
    """Base of every record: closed, frozen, and without NaN or infinity, which no reader of the JSON could show."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


Count = Annotated[int, Field(ge=0)]
Seconds = Annotated[float, Field(ge=0)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class EnvironmentVariable(Record):
    """One environment variable; the value is ``[redacted]`` where the name looks like a secret's."""

    name: str
    value: str


class SlurmFacts(Record):
    """The SLURM job a measurement ran in, from its environment."""

    job_id: str
    partition: str | None
    node_list: str | None
    cpus_per_task: str | None
    cluster: str | None
    cpus_on_node: str | None = None
    memory_per_node: str | None = None
    gpus: str | None = None
    restarts: str | None = None


class CgroupLimits(Record):
    """What a cgroup lets its processes use."""

    memory_bytes: Count | None
    cpus: float | None


class GpuFacts(Record):
    """One GPU, as the NVIDIA driver shows it at the start; texts with the driver's own units."""

    name: str
    uuid: str
    driver: str
    memory: str
    graphics_clock: str
    largest_graphics_clock: str
    memory_clock: str


class HostFacts(Record):
    """The machine a measurement ran on."""

    hostname: str
    system: str
    cpu_model: str
    cpu_count: Count
    cpu_affinity_count: Count
    memory_bytes: Count | None
    gpu_models: tuple[str, ...]
    load_average_at_start: float | None
    slurm: SlurmFacts | None
    cgroup: CgroupLimits | None = None
    """Limits of the cgroup around the measurement; None where it has none that can be read."""
    gpus: tuple[GpuFacts, ...] = ()


class BuildFacts(Record):
    """What was measured: the commit, whether the tree differed from it, and the versions of what it stands on."""

    commit: str | None
    dirty: bool | None
    dirty_sha256: Sha256 | None
    python_version: str
    jax_version: str | None
    engine_version: str | None
    native: tuple[EnvironmentVariable, ...]


class Context(Record):
    """Where and with what a run took place."""

    compute_mode: str
    host: HostFacts
    build: BuildFacts
    environment: tuple[EnvironmentVariable, ...]


class ArtifactFile(Record):
    """One file of the directory; the path is relative to it."""

    path: str
    kind: ArtifactKind
    media_type: str
    size_bytes: Count
    sha256: Sha256


class FingerprintPolicy(StrEnum):
    """How much of an input file its fingerprint covers. File times never count."""

    FULL = "full"
    ENDS_AND_SIZE = "ends_and_size"


class InputFile(Record):
    """One file a run read."""

    path: str
    size_bytes: Count
    policy: FingerprintPolicy
    sha256: Sha256


class Producer(Record):
    """The tool that wrote the directory."""

    tool: str
    tool_version: int
    commit: str | None
    dirty: bool | None


class ArtifactManifest(Record):
    """``artifact_manifest.json``: written first as ``interrupted`` and last, in one rename, as what the run became."""

    schema_name: Literal["artifact_manifest"] = "artifact_manifest"
    schema_version: Literal[1] = SCHEMA_VERSION
    producer: Producer
    run_id: str
    case_id: str | None
    status: Status
    reason: str | None
    started_at: datetime
    finished_at: datetime | None
    context: Context | None
    artifacts: tuple[ArtifactFile, ...]
    input_files: tuple[InputFile, ...]


class Dimension(Record):
    """What a metric was measured over: trait, stage, cell."""

    name: str
    value: str


class Source(Record):
    """Where a metric's value stands: a file of the directory and a JSON pointer into it."""

    path: str
    pointer: str


class Metric(Record):
    """One number with its unit; null where it was not measured, with the reason."""

    schema_name: Literal["metric"] = "metric"
    schema_version: Literal[1] = SCHEMA_VERSION
    run_id: str
    name: str
    value: float | None
    reason: str | None = None
    unit: Unit
    aggregation: Aggregation
    higher_is_better: bool | None
    case_id: str | None = None
    trial: int | None = None
    dimensions: tuple[Dimension, ...] = ()
    source: Source | None = None


class Event(Record):
    """One line of ``events.jsonl``: something that happened, when."""

    schema_name: Literal["event"] = "event"
    schema_version: Literal[1] = SCHEMA_VERSION
    run_id: str
    at: datetime
    name: str
    message: str


class CommandRecord(Record):
    """One child process: what was run, where its output is, how it ended."""

    schema_name: Literal["command"] = "command"
    schema_version: Literal[1] = SCHEMA_VERSION
    run_id: str
    case_id: str
    trial: int
    arguments: tuple[str, ...]
    working_directory: str
    environment_overrides: tuple[EnvironmentVariable, ...]
    stdout: str
    stderr: str
    return_code: int | None
    signal: int | None
    timed_out: bool
    wall_seconds: Seconds
    user_seconds: Seconds
    system_seconds: Seconds
    peak_memory_bytes: Count


class Failure(Record):
    """One thing that went wrong, with the last words of its log."""

    case_id: str
    trial: int | None
    status: Status
    reason: str
    log_tail: str
    log_path: str | None


class CaseSummary(Record):
    """How one case ended."""

    case_id: str
    status: Status
    reason: str | None
    trials: Count


class Report(Record):
    """``report.json``: cases, metrics and failures of a run."""

    schema_name: Literal["report"] = "report"
    schema_version: Literal[1] = SCHEMA_VERSION
    run_id: str
    tool: str
    status: Status
    cases: tuple[CaseSummary, ...]
    metrics: tuple[Metric, ...]
    failures: tuple[Failure, ...]
