"""Stand-ins that make a matrix run quick: a compute resource that measures nothing, a dataset that is not there.

Belongs here: what tests/assets and tests/end_to_end share. Does not belong here: fixtures.
"""

from datetime import UTC, datetime
from pathlib import Path

import dagster as dg
import polars as pl
from pydantic import Field

from g_assets.artifacts import paths
from g_assets.artifacts.cell import CellManifest, EngineFigures, StageSeconds, Trial
from g_assets.artifacts.models import (
    ArtifactKind,
    ArtifactManifest,
    BuildFacts,
    Context,
    HostFacts,
    Producer,
    Status,
)
from g_assets.artifacts.write import ArtifactWriter
from g_assets.payloads.measure import Session, close_session
from g_assets.payloads.spec import MeasurementSpec
from g_assets.profiles.models import DatasetProfile, Device
from g_assets.resources.compute import Compute
from g_assets.resources.dataset_store import DatasetReport

CONTEXT = Context(
    compute_mode="embedded",
    host=HostFacts(
        hostname="node1",
        system="Linux 6.1",
        cpu_model="A CPU",
        cpu_count=2,
        cpu_affinity_count=2,
        memory_bytes=8 << 30,
        gpu_models=(),
        load_average_at_start=0.5,
        slurm=None,
    ),
    build=BuildFacts(
        commit="0123456789abcdef0123456789abcdef01234567",
        dirty=False,
        dirty_sha256=None,
        python_version="3.11.7",
        jax_version="0.10.2",
        engine_version="0.1.0",
        native=(),
    ),
    environment=(),
)


class FakeCompute(Compute):
    """Writes cells without running anything: GPU cells are unsupported, the cases named in ``failing`` failed."""

    mode: str = "embedded"
    failing: list[str] = Field(default_factory=list)
    wall_seconds: float = 2.0
    results: str = "a"
    effect: float = 0.5

    def measure(self, context: dg.AssetExecutionContext, spec: MeasurementSpec) -> CellManifest:
        session = fake_session(spec)
        if spec.case.device is Device.GPU:
            return close_session(session, Status.UNSUPPORTED, "no GPU on node1", ())
        failed = spec.case.case_id in self.failing
        trial = fake_trial(session, self.wall_seconds, self.results, self.effect, failed=failed)
        return close_session(session, trial.status, trial.reason, (trial,))


def fake_session(spec: MeasurementSpec) -> Session:
    """A session as ``open_session`` makes it, without asking the machine anything."""
    directory = Path(spec.artifact_directory)
    opening = ArtifactManifest(
        producer=Producer(tool=spec.campaign, tool_version=spec.campaign_version, commit="0123", dirty=False),
        run_id=spec.run_id,
        case_id=spec.case.case_id,
        status=Status.INTERRUPTED,
        reason=None,
        started_at=datetime.now(UTC),
        finished_at=None,
        context=CONTEXT,
        artifacts=(),
        input_files=(),
    )
    writer = ArtifactWriter(directory, opening)
    writer.add_model(paths.SPEC_NAME, spec, ArtifactKind.CONFIG)
    writer.event("started", spec.case.case_id)
    return Session(spec, directory, Path.cwd(), writer, opening, CONTEXT)


def write_results(
    run_directory: Path, *, effect: float = 0.5, correction: str = "none", identifier: str = "rs1"
) -> None:
    """Two rows of one trait, as the engine writes them; the second has no test."""
    rows = pl.DataFrame(
        {
            "ID": [identifier, "rs2"],
            "N": [500, 500],
            "A1FREQ": [0.25, 0.5],
            "BETA": [effect, None],
            "SE": [0.1, None],
            "CHISQ": [25.0, None],
            "LOG10P": [6.24106, None],
            "CORRECTION": [correction, "none"],
            "STATUS": ["ok", "failed"],
        }
    ).with_columns(pl.col("CORRECTION", "STATUS").cast(pl.Categorical))
    (run_directory / "T").mkdir(parents=True)
    rows[:1].write_parquet(run_directory / "T/part-00000.parquet")
    rows[1:].write_parquet(run_directory / "T/part-00001.parquet")


def fake_trial(session: Session, wall_seconds: float, results: str, effect: float, *, failed: bool) -> Trial:
    """One trial, with its logs and its results on disk."""
    write_results(session.directory / "results/trial-01.g", effect=effect)
    log = "the engine stopped\n" if failed else ""
    for stream in ("stdout", "stderr"):
        session.writer.path(f"logs/trial-01.{stream}.txt").write_text(log, encoding="utf-8")
    figures = EngineFigures(
        rows=1000,
        rows_failed=0,
        parts=1,
        result_bytes=50_000,
        variants=1000,
        wall_seconds=wall_seconds,
        scan_seconds=wall_seconds / 2,
        variants_per_second=2000.0 / wall_seconds,
        peak_memory_bytes=300 << 20,
        compile_seconds=0.5,
        n_compiled=3,
        n_cache_hits=0,
        stages=(StageSeconds(stage="decode", seconds=0.2), StageSeconds(stage="score", seconds=0.3)),
        results_sha256=results * 64,
    )
    return Trial(
        number=1,
        status=Status.FAILED if failed else Status.SUCCESS,
        reason="exit 1: the engine stopped" if failed else None,
        return_code=1 if failed else 0,
        wall_seconds=wall_seconds,
        cpu_seconds=wall_seconds,
        peak_memory_bytes=320 << 20,
        run_directory="results/trial-01.g",
        stdout="logs/trial-01.stdout.txt",
        stderr="logs/trial-01.stderr.txt",
        log_tail=log,
        figures=None if failed else figures,
    )


def fake_ensure_dataset(profile: DatasetProfile, directory: Path, variant_limit: int | None) -> DatasetReport:
    """A dataset that is said to be there."""
    return DatasetReport(
        name=profile.name,
        source=profile.generator,
        bgen=str(directory / profile.bgen),
        bgen_bytes=1 << 20,
        n_samples=2504,
        n_variants=variant_limit or 20_000,
        variant_limit=variant_limit,
        fingerprint=f"{variant_limit or 0:064x}",
        was_made=False,
    )
