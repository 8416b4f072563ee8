"""Runs the engine on one device, in a process of its own, and measures it.

Belongs here: the runs, the figures and the checks that need the device. Does not belong here: comparing devices
(comparison.py, check.py). JAX can start one kind of device in a process, so every device and cache has its own.
"""

import argparse
import dataclasses
import json
import statistics
import time
from pathlib import Path

import g_core
from g_core.config.build_plan import build_run_plan
from g_core.config.load import load_config
from g_core.config.run_plan import RunPlan

WARM_RUNS = 3
TRANSFERS = 7
PRODUCT_SHAPE = (1024, 16384)
PRODUCT_COLUMNS = 16


@dataclasses.dataclass(frozen=True, slots=True)
class ScanFigures:
    """Of one scan: the first run of the process, and the median of those after it."""

    cold_seconds: float
    warm_scan_seconds: float
    warm_variants_per_second: float
    stage_seconds: dict[str, float]
    n_compiled: int


@dataclasses.dataclass(frozen=True, slots=True)
class DeviceFigures:
    """What a process found.

    Attributes:
        product_error: Largest error of a float32 product, as a share of the root of the sum of its squared terms.
        transfer_gigabytes_per_second: From the host to the device.
        memory_in_use_bytes: On the device at the end; None where it does not say.
    """

    device_kind: str
    jax_version: str
    xla_flags: str
    scans: dict[str, ScanFigures]
    product_error: float
    transfer_gigabytes_per_second: float
    memory_in_use_bytes: int | None


def make_plan(words: list[str], prefix: Path) -> RunPlan:
    """The plan of command-line words with an output prefix."""
    return build_run_plan(load_config([*words, "--out", str(prefix)]))


def measure_scan(words: list[str], prefix: Path) -> ScanFigures:
    """Run once for the results and the compilations, then again for the time."""
    start = time.perf_counter()
    cold = g_core.run(make_plan(words, prefix)).manifest
    cold_seconds = time.perf_counter() - start
    prefixes = [prefix.with_name(f"{prefix.name}_warm{number}") for number in range(WARM_RUNS)]
    warm = [g_core.run(make_plan(words, each)).manifest for each in prefixes]
    seconds = statistics.median(manifest.scan_seconds for manifest in warm)
    return ScanFigures(
        cold_seconds=cold_seconds,
        warm_scan_seconds=seconds,
        warm_variants_per_second=cold.n_variants_selected / seconds,
        stage_seconds=warm[-1].stage_seconds,
        n_compiled=cold.compile.n_compiled,
    )


def product_error() -> float:
    """Compare the engine's float32 product of dosages with a double one (field report G5)."""
    import numpy as np

    from g_core.kernels.product import genotype_product

    generator = np.random.default_rng(1)
    values = generator.integers(-255, 256, PRODUCT_SHAPE).astype(np.float32)
    columns = generator.normal(size=(PRODUCT_SHAPE[1], PRODUCT_COLUMNS)).astype(np.float32)
    exact = values.astype(np.float64) @ columns.astype(np.float64)
    size = np.sqrt((values.astype(np.float64) ** 2) @ (columns.astype(np.float64) ** 2))
    return float(np.max(np.abs(np.asarray(genotype_product(values, columns)) - exact) / size))


def transfer_rate(bytes_each: int) -> float:
    """Gigabytes a second from the host to the device, the median of some transfers."""
    import jax
    import numpy as np

    block = np.ones(bytes_each // 2, np.uint16)
    seconds: list[float] = []
    for _ in range(TRANSFERS):
        start = time.perf_counter()
        jax.block_until_ready(jax.device_put(block, may_alias=False))
        seconds.append(time.perf_counter() - start)
    return block.nbytes / statistics.median(seconds) / 1e9


def main() -> None:
    """Run the scans of a JSON file and print the figures as JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--scans", type=Path, required=True, help="JSON: command-line words by name")
    parser.add_argument("--out", type=Path, required=True, help="folder of the results")
    parser.add_argument("--transfer-bytes", type=int, required=True)
    arguments = parser.parse_args()
    scans: dict[str, list[str]] = json.loads(arguments.scans.read_text(encoding="utf-8"))
    arguments.out.mkdir(parents=True)
    figures = {name: measure_scan(words, arguments.out / name) for name, words in scans.items()}

    import os

    import jax

    memory = jax.devices()[0].memory_stats()
    found = DeviceFigures(
        device_kind=jax.devices()[0].device_kind,
        jax_version=jax.__version__,
        xla_flags=os.environ.get("XLA_FLAGS", ""),
        scans=figures,
        product_error=product_error(),
        transfer_gigabytes_per_second=transfer_rate(arguments.transfer_bytes),
        memory_in_use_bytes=None if not memory else memory.get("peak_bytes_in_use"),
    )
    (arguments.out / "figures.json").write_text(json.dumps(dataclasses.asdict(found), indent=2), encoding="utf-8")


if __name__ == "__main__":
    main()
