"""The check of a GPU against the CPU: simulates a dataset, scans it on both, compares, and prints figures.

Belongs here: the order of the check and its report. run.sh sets the machine up and starts it; with ``--device cpu`` it
rehearses all of it where there is no GPU.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset

from g_core.simulate.dataset import SimulatedDataset, ensure_dataset
from g_core.simulate.spec import build_spec
from tests.gpu.comparison import TOLERANCES, compare_tables

ROOT = Path(__file__).resolve().parents[2]
SCANS = ("quantitative", "binary")
SEED = 22
MISSING_RATE = 0.00002
"""At 10,000 samples about one variant in five has a missing genotype and takes the dosage path beside the others."""
LARGEST_PRODUCT_ERROR = 3e-5
"""Float32 sums of 16,384 terms stay below 1e-5 of the root of their squares; TF32 is at 3e-4 and more."""
TRANSFER_BYTES = {"gpu": 256 << 20, "cpu": 16 << 20}
DEVICE_SECONDS = 240
"""A process that takes longer than this hangs."""


@dataclass(slots=True)
class Report:
    """What is told at the end."""

    lines: list[str] = field(default_factory=list[str])
    failures: list[str] = field(default_factory=list[str])

    def tell(self, line: str) -> None:
        """Print and keep a line."""
        self.lines.append(line)
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    def judge(self, what: str, problems: list[str]) -> None:
        """Tell whether something holds."""
        self.tell(f"{'FAILED' if problems else 'passed'}  {what}")
        for problem in problems:
            self.tell(f"        {problem}")
        if problems:
            self.failures.append(what)


@dataclass(frozen=True, slots=True)
class DeviceResults:
    """What a process of device_run.py left."""

    folder: Path
    figures: dict[str, object]

    def table(self, scan: str, trait: str) -> pa.Table:
        """The rows of one trait."""
        return pyarrow.dataset.dataset(self.folder / f"{scan}.g" / trait, format="parquet").to_table()

    def traits(self, scan: str) -> list[str]:
        """The traits of a scan."""
        return sorted(path.name for path in (self.folder / f"{scan}.g").iterdir() if any(path.glob("part-*.parquet")))

    def checksums(self, scan: str) -> dict[str, str]:
        """Of every part, by its place."""
        parts = sorted((self.folder / f"{scan}.g").glob("*/part-*.parquet"))
        return {f"{path.parent.name}/{path.name}": hashlib.sha256(path.read_bytes()).hexdigest() for path in parts}


def scan_words(dataset: SimulatedDataset, threads: int) -> dict[str, list[str]]:
    """Command-line words of the two scans."""
    common = [
        *("--step", "2", "--bgen", str(dataset.bgen), "--sample", str(dataset.sample)),
        *("--covarFile", str(dataset.covariates), "--threads", str(threads), "--telemetry", "off"),
    ]
    return {
        "quantitative": [
            *("--qt", "--phenoFile", str(dataset.quantitative_phenotypes)),
            *("--pred", str(dataset.quantitative_predictions), "--stage-timing", "aggregate", *common),
        ],
        "binary": [
            *("--bt", "--firth", "--approx", "--pThresh", "0.05", "--phenoFile", str(dataset.binary_phenotypes)),
            *("--pred", str(dataset.binary_predictions), "--stage-timing", "aggregate", *common),
        ],
    }


def run_device(name: str, words: dict[str, list[str]], device: str, genotype_format: str, work: Path) -> DeviceResults:
    """Run both scans in a fresh process with a fresh compile cache.

    Raises:
        SystemExit: The process failed, and has said why; or it hangs.
    """
    folder, scans = work / name, work / f"{name}.json"
    place = ["--device", device, "--genotype-format", genotype_format, "--jax-cache-dir", str(work / f"{name}_cache")]
    scans.write_text(json.dumps({scan: [*each, *place] for scan, each in words.items()}), encoding="utf-8")
    command = [sys.executable, "-m", "tests.gpu.device_run", "--scans", str(scans), "--out", str(folder)]
    command += ["--transfer-bytes", str(TRANSFER_BYTES[device])]
    try:
        subprocess.run(command, check=True, cwd=ROOT, timeout=DEVICE_SECONDS)
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"FAILED  the run {name} on {device} ended with code {error.returncode}; see above") from None
    except subprocess.TimeoutExpired:
        raise SystemExit(f"FAILED  the run {name} on {device} took more than {DEVICE_SECONDS} s") from None
    return DeviceResults(folder, json.loads((folder / "figures.json").read_text(encoding="utf-8")))


def find_card() -> str:
    """The card as JAX sees it, in a process of its own; the words of its error where it sees none."""
    code = "import jax; print(jax.__version__, jax.devices('cuda')[0].device_kind)"
    environment = {**os.environ, "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    if found.returncode == 0:
        return found.stdout.strip()
    reason = found.stderr.strip().splitlines()[-1:] or ["no words"]
    raise SystemExit(f"JAX sees no NVIDIA GPU here: {reason[0]}\nRehearse with --device cpu, or see nvidia-smi.")


def tell_figures(report: Report, name: str, results: DeviceResults) -> None:
    """Print what a process measured."""
    figures = results.figures
    scans = figures["scans"]
    assert isinstance(scans, dict)
    report.tell(f"{name}: {figures['device_kind']}, JAX {figures['jax_version']}, XLA_FLAGS={figures['xla_flags']!r}")
    for scan, each in scans.items():
        stages = ", ".join(f"{stage} {seconds:.3f}" for stage, seconds in each["stage_seconds"].items())
        report.tell(
            f"  {scan}: {each['warm_variants_per_second']:,.0f} variants/s warm ({each['warm_scan_seconds']:.3f} s), "
            f"first run {each['cold_seconds']:.1f} s with {each['n_compiled']} compilations"
        )
        report.tell(f"    stages in seconds: {stages}")
    memory = figures["memory_in_use_bytes"]
    report.tell(
        f"  host to device {figures['transfer_gigabytes_per_second']:.1f} GB/s, product error "
        f"{figures['product_error']:.1e}" + ("" if memory is None else f", device memory {memory / 1e6:,.0f} MB")
    )


def compare_devices(report: Report, what: str, first: DeviceResults, second: DeviceResults, scans: list[str]) -> None:
    """Compare every trait of every scan within the tolerances."""
    for scan in scans:
        for trait in first.traits(scan):
            found = compare_tables(first.table(scan, trait), second.table(scan, trait), TOLERANCES)
            rows = first.table(scan, trait).num_rows
            worst = ", ".join(f"{name} {share:.2g}" for name, share in found.worst.items())
            report.judge(f"{what}, {scan}, {rows} rows (share of the tolerance: {worst})", list(found.problems))


def compare_bits(report: Report, what: str, first: DeviceResults, second: DeviceResults, scans: list[str]) -> None:
    """Compare the bytes of all parts."""
    for scan in scans:
        one, other = first.checksums(scan), second.checksums(scan)
        different = [name for name in sorted({*one, *other}) if one.get(name) != other.get(name)]
        problems = [f"{len(different)} of {len(one)} parts differ: {', '.join(different[:3])}"] if different else []
        report.judge(f"{what}, {scan}, {len(one)} parts", problems)


def check(device: str, n_samples: int, n_variants: int, scans: list[str], work: Path) -> Report:
    """Run the whole check."""
    report = Report()
    started = time.perf_counter()
    if device == "gpu":
        report.tell(f"JAX sees {find_card()}")
    threads = len(os.sched_getaffinity(0))
    spec = build_spec({"n_samples": n_samples, "n_variants": n_variants, "seed": SEED, "missing_rate": MISSING_RATE})
    dataset = ensure_dataset(spec=spec, folder=work / f"data_{n_samples}_{n_variants}", threads=threads)
    report.tell(f"{n_samples:,} samples, {n_variants:,} variants, {dataset.bgen.stat().st_size / 1e6:,.0f} MB of BGEN")
    words = {name: each for name, each in scan_words(dataset, threads).items() if name in scans}
    with tempfile.TemporaryDirectory(dir=work, prefix="runs_") as folder:
        runs = Path(folder)
        cpu = run_device("cpu", words, "cpu", "dosage", runs)
        packed = run_device("packed", words, device, "packed8", runs)
        again = run_device("again", words, device, "packed8", runs)
        dosage = run_device("dosage", words, device, "dosage", runs)
        compare_devices(report, f"cpu against {device}", cpu, packed, scans)
        compare_bits(report, "two processes with fresh caches, bits", packed, again, scans)
        compare_bits(report, "packed8 against dosage, bits", packed, dosage, scans)
        for name, results in (("packed8", packed), ("again", again), ("dosage", dosage)):
            error = results.figures["product_error"]
            assert isinstance(error, float)
            too_large = [f"{error:.1e} of {LARGEST_PRODUCT_ERROR:.0e}: is TF32 on?"]
            report.judge(f"float32 product, {name}", too_large if error > LARGEST_PRODUCT_ERROR else [])
        for name, results in (("cpu, dosage", cpu), (f"{device}, packed8", packed), (f"{device}, dosage", dosage)):
            tell_figures(report, name, results)
    report.tell(f"{len(report.failures)} failed, {time.perf_counter() - started:.0f} s")
    return report


def main() -> None:
    """Read the arguments, check, and exit with 1 if anything failed."""
    parser = argparse.ArgumentParser(prog="tests/gpu/run.sh", description=__doc__)
    parser.add_argument("--device", choices=["gpu", "cpu"], default="gpu")
    parser.add_argument("--samples", type=int, default=10_000)
    parser.add_argument("--variants", type=int, default=20_000)
    parser.add_argument("--scans", nargs="+", choices=SCANS, default=list(SCANS))
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / f"g-gpu-check-{os.getuid()}")
    parser.add_argument("--report", type=Path, default=None, help="also write the report to this file")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    report = check(arguments.device, arguments.samples, arguments.variants, arguments.scans, arguments.work)
    if arguments.report is not None:
        arguments.report.write_text("\n".join(report.lines) + "\n", encoding="utf-8")
    sys.exit(1 if report.failures else 0)


if __name__ == "__main__":
    main()
