"""Two matrices, cell by cell.

Belongs here: what makes two cells comparable, and putting the cells together. Does not belong here: the numbers of a
cell (metric_pairs.py), the rule for one number (verdict.py), the choice of the baseline (baseline.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from g_assets.artifacts.cell import CellManifest
from g_assets.artifacts.models import Judgement, Status
from g_assets.artifacts.read import ArtifactError, read_record
from g_assets.campaigns.matrix_manifest import MatrixManifest
from g_assets.compare.baseline import Baseline, NoBaseline, Skipped
from g_assets.compare.metric_pairs import metric_pairs
from g_assets.compare.models import (
    CellComparison,
    ComparisonStatus,
    MatrixComparison,
    MetricComparison,
    ResultParity,
    RunIdentity,
    SkippedRun,
)
from g_assets.compare.result_numbers import compare_numbers


def compare_with_choice(
    current: MatrixManifest, choice: Baseline | NoBaseline, *, neutral_band_percent: float
) -> MatrixComparison:
    """Compare a matrix with the baseline that was chosen for it.

    No baseline, or one whose manifest cannot be read, is a comparison of status ``no_baseline`` with the reason.
    """
    if isinstance(choice, NoBaseline):
        return without_baseline(current, choice.reason, choice.skipped, neutral_band_percent=neutral_band_percent)
    try:
        baseline = read_record(Path(choice.manifest_path), MatrixManifest)
    except ArtifactError as error:
        return without_baseline(current, str(error), choice.skipped, neutral_band_percent=neutral_band_percent)
    if not baseline.valid:
        reason = f"the forced baseline {baseline.run_id} is not a valid run: {baseline.reason}"
        return without_baseline(current, reason, choice.skipped, neutral_band_percent=neutral_band_percent)
    return compare_matrices(current, baseline, choice, neutral_band_percent=neutral_band_percent)


def without_baseline(
    current: MatrixManifest, reason: str, skipped: Sequence[Skipped], *, neutral_band_percent: float
) -> MatrixComparison:
    """The comparison of a run that has nothing to be compared with."""
    return MatrixComparison(
        status=ComparisonStatus.NO_BASELINE,
        reason=reason,
        dataset=current.dataset,
        scope_key=current.scope_key,
        current=identity(current),
        baseline=None,
        baseline_manifest_path=None,
        forced=False,
        same_scope=None,
        neutral_band_percent=neutral_band_percent,
        skipped=skipped_runs(skipped),
        cells=(),
    )


def compare_matrices(
    current: MatrixManifest, baseline: MatrixManifest, choice: Baseline, *, neutral_band_percent: float
) -> MatrixComparison:
    """Compare two matrices. A cell that only one of them has is shown, as not comparable."""
    case_ids = dict.fromkeys([cell.case_id for manifest in (current, baseline) for cell in manifest.cells])
    same_scope = current.scope_key == baseline.scope_key
    return MatrixComparison(
        status=ComparisonStatus.COMPARED,
        reason=None if same_scope else "the forced baseline has another scope: other work or another machine",
        dataset=current.dataset,
        scope_key=current.scope_key,
        current=identity(current),
        baseline=identity(baseline),
        baseline_manifest_path=choice.manifest_path,
        forced=choice.forced,
        same_scope=same_scope,
        neutral_band_percent=neutral_band_percent,
        skipped=skipped_runs(choice.skipped),
        cells=tuple(
            compare_cells(
                case_id, current.cell(case_id), baseline.cell(case_id), neutral_band_percent, same_work=same_scope
            )
            for case_id in case_ids
        ),
    )


def compare_cells(
    case_id: str,
    current: CellManifest | None,
    baseline: CellManifest | None,
    neutral_band_percent: float,
    *,
    same_work: bool,
) -> CellComparison:
    """Compare one cell.

    Two that did not both end well, or that wrote other numbers of rows, are not comparable; nor are two whose numbers
    moved: a faster cell with other numbers is no improvement.
    """
    results = compare_results(current, baseline, same_work=same_work)
    moved = f"its numbers moved: {results.reason}" if results.parity is ResultParity.MOVED else None
    fault = fault_of_pair(current, baseline) or moved
    metrics = () if current is None or baseline is None else metric_pairs(current, baseline, neutral_band_percent)
    if fault is not None:
        metrics = tuple(without_judgement(metric, fault) for metric in metrics)
    wall = next(iter(metrics), None)
    return CellComparison(
        case_id=case_id,
        current_status=None if current is None else current.status,
        baseline_status=None if baseline is None else baseline.status,
        judgement=Judgement.NOT_COMPARABLE if wall is None else wall.judgement,
        reason=fault or ("no metric on both sides" if wall is None else wall.reason),
        results=results.parity,
        results_reason=results.reason,
        current_rows=None if current is None else current.rows,
        baseline_rows=None if baseline is None else baseline.rows,
        metrics=metrics,
    )


def without_judgement(metric: MetricComparison, fault: str) -> MetricComparison:
    """A metric of two cells that cannot be compared: its values stay, its ratio would mislead."""
    return metric.model_copy(update={"ratio": None, "judgement": Judgement.NOT_COMPARABLE, "reason": fault})


def fault_of_pair(current: CellManifest | None, baseline: CellManifest | None) -> str | None:
    """Why two cells cannot be compared, or None."""
    if current is None:
        return "not in this run"
    if baseline is None:
        return "not in the baseline"
    if current.status is Status.UNSUPPORTED and baseline.status is Status.UNSUPPORTED:
        return "unsupported in both runs"
    for name, cell in (("this run", current), ("the baseline", baseline)):
        if cell.status is not Status.SUCCESS:
            return f"{cell.status.value} in {name}"
    if current.rows != baseline.rows:
        return f"other work: {current.rows} rows against {baseline.rows}"
    return None


@dataclass(frozen=True, slots=True)
class ResultsComparison:
    """Whether two cells wrote the same numbers, and why they are not equal bit for bit."""

    parity: ResultParity
    reason: str | None


def compare_results(
    current: CellManifest | None, baseline: CellManifest | None, *, same_work: bool
) -> ResultsComparison:
    """Compare the results of two cells by their checksums and, where those differ, number by number."""
    if current is None or baseline is None or None in (current.results_sha256, baseline.results_sha256):
        return ResultsComparison(ResultParity.UNKNOWN, "a side has no checksum, or its trials disagree")
    if current.results_sha256 == baseline.results_sha256:
        return ResultsComparison(ResultParity.EQUAL, None)
    if not same_work:
        return ResultsComparison(ResultParity.UNKNOWN, "the baseline has another scope, so its numbers say nothing")
    if current.rows != baseline.rows:
        return ResultsComparison(ResultParity.MOVED, f"{current.rows} rows against {baseline.rows}")
    verdict = compare_numbers(results_of(current), results_of(baseline))
    return ResultsComparison(ResultParity.WITHIN_TOLERANCE if verdict.held else ResultParity.MOVED, verdict.reason)


def results_of(cell: CellManifest) -> Path:
    """The engine's run directory of a cell's first trial that ended well; the others have the same checksum."""
    return Path(cell.directory) / cell.measured[0].run_directory


def identity(manifest: MatrixManifest) -> RunIdentity:
    """Which run a manifest is of."""
    return RunIdentity(
        run_id=manifest.run_id,
        commit=manifest.commit,
        dirty=manifest.dirty,
        finished_at=manifest.finished_at,
        status=manifest.status,
    )


def skipped_runs(skipped: Sequence[Skipped]) -> tuple[SkippedRun, ...]:
    """Passed-over candidates as records."""
    return tuple(SkippedRun(run_id=run.run_id, reason=run.reason) for run in skipped)
