"""The JAX runtime policy, set in one place before the backend starts.

Policy, not options: 64-bit values are on (statistics are double), float32 products keep full float32 precision (no
TF32, no bfloat16), a GPU picks its algorithms the same way every time and takes memory as it needs it, and a device
that was asked for is used or the run fails. Does not belong here: what runs on the device.
"""

import os
import platform
import tempfile
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Protocol

import jax

from g_core.config.choices import Device
from g_core.errors import DeviceError

PLATFORM_OF_DEVICE = {Device.CPU: "cpu", Device.GPU: "cuda"}
CACHE_PARENT_VARIABLE = {
    Device.CPU: "G_PROFILE_CPU_JAX_CACHE_PARENT",
    Device.GPU: "G_PROFILE_GPU_JAX_CACHE_PARENT",
}

MEMORY_VARIABLES = ("XLA_PYTHON_CLIENT_PREALLOCATE", "XLA_PYTHON_CLIENT_MEM_FRACTION", "XLA_PYTHON_CLIENT_ALLOCATOR")
GPU_FLAGS = {
    # XLA otherwise times several algorithms for each product and takes the fastest, which need not be the same one
    # tomorrow: results then differ in their last bits from run to run.
    "xla_gpu_deterministic_ops": "true",
}


class JaxDevice(Protocol):
    """What is read of a JAX device; JAX publishes no type for it that a checker takes."""

    @property
    def platform(self) -> str:
        """``cpu`` or ``gpu``."""
        ...

    @property
    def device_kind(self) -> str:
        """Model, such as ``NVIDIA H200``."""
        ...


@dataclass(frozen=True, slots=True)
class Runtime:
    """The device that kernels run on, and where compiled kernels are kept.

    Attributes:
        cache_was_filled: Some were there already.
        xla_flags: XLA_FLAGS as the backend got them: the user's, and the policy's where the user said nothing.
    """

    device: JaxDevice
    device_kind: str
    cache_directory: Path | None
    cache_was_filled: bool
    xla_flags: str


def start_runtime(*, device: Device, threads: int, persistent_cache: bool, cache_directory: Path | None) -> Runtime:
    """Set the policy and start the backend; safe to repeat with the same device.

    Args:
        device: Where kernels run.
        threads: CPU threads for kernels; takes effect at the first start in a process (XLA sizes its pool once).
        persistent_cache: Keep compiled kernels between processes.
        cache_directory: Where, or None for a node-local folder; a folder in it is keyed by what the code is for.

    Raises:
        DeviceError: The device is not there, or another one was started in this process before.
    """
    os.environ.setdefault("PJRT_NPROC", str(threads))
    if device is Device.GPU:
        set_gpu_policy()
    jax.config.update("jax_platforms", PLATFORM_OF_DEVICE[device])
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_default_matmul_precision", "float32")
    directory = resolve_cache_directory(device, cache_directory) if persistent_cache else None
    jax.config.update("jax_enable_compilation_cache", directory is not None)
    was_filled = directory is not None and next(directory.glob("*"), None) is not None
    if directory is not None:
        directory.mkdir(parents=True, exist_ok=True)
        jax.config.update("jax_compilation_cache_dir", str(directory))
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    chosen = find_device(device)
    return Runtime(
        device=chosen,
        device_kind=chosen.device_kind,
        cache_directory=directory,
        cache_was_filled=was_filled,
        xla_flags=os.environ.get("XLA_FLAGS", ""),
    )


def set_gpu_policy() -> None:
    """Set what XLA reads from the environment when a GPU starts; what the user set stays.

    JAX would take three quarters of the card at once, and the next job on it would fail.
    """
    if not any(name in os.environ for name in MEMORY_VARIABLES):
        os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    flags = os.environ.get("XLA_FLAGS", "").split()
    given = {flag.removeprefix("--").split("=")[0] for flag in flags}
    added = [f"--{name}={value}" for name, value in GPU_FLAGS.items() if name not in given]
    if added:
        os.environ["XLA_FLAGS"] = " ".join(flags + added)


def find_device(device: Device) -> JaxDevice:
    """The first device of the asked-for kind.

    Raises:
        DeviceError: There is none. The scan never falls back to another kind.
    """
    try:
        found = jax.devices(PLATFORM_OF_DEVICE[device])
    except RuntimeError as error:
        remedy = (
            "use --device cpu, or install g-gwas[gpu] on a machine with an NVIDIA GPU"
            if device is Device.GPU
            else "another device was started in this process before; use one process a device"
        )
        first_line = str(error).splitlines()[0]
        raise DeviceError(f"--device {device}: JAX has no such device here ({first_line}); {remedy}") from None
    return found[0]


def resolve_cache_directory(device: Device, configured: Path | None) -> Path:
    """Where compiled kernels are kept.

    CPU code may use instructions of one micro-architecture, so its folder is keyed by host name and CPU features: a
    home on a shared file system never hands it to another kind of node. GPU code is keyed by the job, or else by
    the process, because two processes that tune the same kernel at once may choose differently; a folder that the
    user names is taken for all of them.
    """
    parent = os.environ.get(CACHE_PARENT_VARIABLE[device])
    base = configured or (Path(parent) if parent else Path(tempfile.gettempdir()) / f"g-jax-cache-{os.getuid()}")
    if device is Device.CPU:
        return base / f"cpu-{platform.node()}-{cpu_feature_key(read_cpu_facts())}-jax-{jax.__version__}"
    if configured is not None:
        return configured
    job = os.environ.get("SLURM_JOB_ID") or str(os.getpid())
    return base / f"gpu-{job}-jax-{jax.__version__}"


def read_cpu_facts() -> str:
    """What the system says of its processors; empty where it says nothing."""
    try:
        return Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return ""


def cpu_feature_key(cpu_facts: str) -> str:
    """Twelve hex digits over the machine type, CPU model and CPU features, from the text of ``/proc/cpuinfo``."""
    wanted = ("model name", "flags", "Features", "CPU implementer", "CPU part")
    facts = sorted({line for line in cpu_facts.splitlines() if line.split(":")[0].strip() in wanted})
    return sha256("\n".join([platform.machine(), *facts]).encode()).hexdigest()[:12]
