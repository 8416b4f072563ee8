"""What a measurement ran on and with: host, SLURM job, versions, commit.

Belongs here: asking the machine, git and the package metadata, all from inside the job. Nothing here imports JAX: its
version is read from the installed metadata. Does not belong here: what counts for the scope (campaigns/scope.py).
"""

import json
import os
import platform
import shutil
import subprocess
import sys
from hashlib import sha256
from importlib import metadata
from pathlib import Path

from g_assets.artifacts.models import BuildFacts, Context, EnvironmentVariable, GpuFacts, HostFacts, SlurmFacts
from g_assets.payloads.cgroup import cgroup_limits
from g_assets.payloads.redact import redacted_environment

PROBE_TIMEOUT_SECONDS = 30.0
NATIVE_PROBE = "import json; from g_core import _native; print(json.dumps(_native.build_info()))"
# In the order of the fields of GpuFacts.
GPU_QUERIES = ("name", "uuid", "driver_version", "memory.total", "clocks.gr", "clocks.max.gr", "clocks.mem")
RECORDED_PREFIXES = ("CUDA_", "GWAS_ENGINE_", "G_", "JAX_", "OMP_", "PYTHON", "SLURM_", "XLA_")


def capture_context(compute_mode: str, working_directory: Path) -> Context:
    """Everything about this machine and this checkout. What cannot be found out is None, never a guess."""
    return Context(
        compute_mode=compute_mode,
        host=host_facts(),
        build=build_facts(working_directory),
        environment=redacted_environment(
            {name: value for name, value in os.environ.items() if name.startswith(RECORDED_PREFIXES)}
        ),
    )


def host_facts() -> HostFacts:
    """The machine, as this process may use it."""
    return HostFacts(
        hostname=platform.node(),
        system=f"{platform.system()} {platform.release()}",
        cpu_model=cpu_model(),
        cpu_count=os.cpu_count() or 0,
        cpu_affinity_count=len(os.sched_getaffinity(0)),
        memory_bytes=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        gpu_models=gpu_models(),
        load_average_at_start=os.getloadavg()[0],
        slurm=slurm_facts(),
        cgroup=cgroup_limits(Path("/proc/self/cgroup"), Path("/sys/fs/cgroup")),
        gpus=gpu_facts(),
    )


def cpu_model() -> str:
    """Model name of the first processor, as Linux has it; the architecture where it has none."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def gpu_models() -> tuple[str, ...]:
    """Names of the GPUs that the NVIDIA driver shows to this process, one each; empty where there is no driver."""
    if shutil.which("nvidia-smi") is None:
        return ()
    text = output_of(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], Path.cwd())
    return () if text is None else tuple(line.strip() for line in text.splitlines() if line.strip())


def gpu_facts() -> tuple[GpuFacts, ...]:
    """Identity and clocks of each GPU that the NVIDIA driver shows to this process; empty where there is no driver."""
    if shutil.which("nvidia-smi") is None:
        return ()
    text = output_of(["nvidia-smi", f"--query-gpu={','.join(GPU_QUERIES)}", "--format=csv,noheader"], Path.cwd())
    rows = [] if text is None else [[field.strip() for field in line.split(",")] for line in text.splitlines()]
    names = tuple(GpuFacts.model_fields)
    return tuple(GpuFacts.model_validate(dict(zip(names, row, strict=True))) for row in rows if len(row) == len(names))


def slurm_facts() -> SlurmFacts | None:
    """The SLURM job around this process, or None."""
    job_id = os.environ.get("SLURM_JOB_ID")
    if job_id is None:
        return None
    return SlurmFacts(
        job_id=job_id,
        partition=os.environ.get("SLURM_JOB_PARTITION"),
        node_list=os.environ.get("SLURM_JOB_NODELIST"),
        cpus_per_task=os.environ.get("SLURM_CPUS_PER_TASK"),
        cluster=os.environ.get("SLURM_CLUSTER_NAME"),
        cpus_on_node=os.environ.get("SLURM_CPUS_ON_NODE"),
        memory_per_node=os.environ.get("SLURM_MEM_PER_NODE"),
        gpus=os.environ.get("SLURM_JOB_GPUS") or os.environ.get("SLURM_GPUS"),
        restarts=os.environ.get("SLURM_RESTART_COUNT"),
    )


def build_facts(working_directory: Path) -> BuildFacts:
    """The checkout and the versions of what a child process will run."""
    commit = output_of(["git", "rev-parse", "HEAD"], working_directory)
    difference = output_of(["git", "diff", "HEAD", "--no-ext-diff", "--binary"], working_directory)
    untracked = output_of(["git", "ls-files", "--others", "--exclude-standard"], working_directory)
    changes = None if difference is None or untracked is None else difference + untracked
    native = native_build(working_directory)
    native_version = next((fact.value for fact in native if fact.name == "version"), None)
    return BuildFacts(
        commit=None if commit is None else commit.strip(),
        dirty=None if changes is None else bool(changes.strip()),
        dirty_sha256=None if not changes else sha256(changes.encode()).hexdigest(),
        python_version=platform.python_version(),
        jax_version=installed_version("jax"),
        engine_version=installed_version("g-gwas") or native_version,
        native=native,
    )


def native_build(working_directory: Path) -> tuple[EnvironmentVariable, ...]:
    """What the native module says of its build, asked in a process of its own; empty where it cannot be loaded."""
    text = output_of([sys.executable, "-c", NATIVE_PROBE], working_directory)
    if text is None:
        return ()
    facts = json.loads(text)
    return tuple(EnvironmentVariable(name=str(name), value=str(value)) for name, value in sorted(facts.items()))


def installed_version(package: str) -> str | None:
    """Version of an installed package, from its metadata; None where it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def output_of(command: list[str], working_directory: Path) -> str | None:
    """What a short command prints; None where it is missing, fails, or takes longer than half a minute."""
    try:
        done = subprocess.run(
            command,
            cwd=working_directory,
            capture_output=True,
            check=False,
            text=True,
            errors="replace",
            timeout=PROBE_TIMEOUT_SECONDS,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
