"""The first line of a report: what was measured, what failed, what changed, with counts.

Belongs here: one sentence each. A failure is always counted here, so that nobody can miss it.
"""

from collections.abc import Sequence

from g_assets.artifacts.models import Judgement, Status
from g_assets.campaigns.matrix_manifest import MatrixManifest
from g_assets.compare.models import ComparisonStatus, MatrixComparison
from g_assets.reports.format import commit, moment, plural, short_run

BAD = (Status.FAILED, Status.TIMED_OUT, Status.INTERRUPTED, Status.PARTIAL, Status.INVALID)


def matrix_headline(manifest: MatrixManifest) -> str:
    """``matrix on sim_chr22: 2 cells measured, 0 failed, 4 unsupported``."""
    statuses = [cell.status for cell in manifest.cells]
    absent = len(manifest.plan.cases) - len(statuses)
    parts = [f"{plural(statuses.count(Status.SUCCESS), 'cell')} measured", f"{count_of(statuses, BAD)} failed"]
    for status, word in ((Status.UNSUPPORTED, "unsupported"), (Status.SKIPPED, "skipped"), (Status.DRY_RUN, "planned")):
        if status in statuses:
            parts.append(f"{statuses.count(status)} {word}")
    if absent > 0:
        parts.append(f"{absent} missing")
    return f"{manifest.plan.campaign} on {manifest.dataset}: {', '.join(parts)}"


def count_of(statuses: Sequence[Status], wanted: Sequence[Status]) -> int:
    """How many statuses are among the wanted ones."""
    return sum(status in wanted for status in statuses)


def comparison_headline(comparison: MatrixComparison) -> str:
    """``0 regressions, 0 improvements, 2 neutral; no numbers moved``; or why there is no baseline."""
    if comparison.status is ComparisonStatus.NO_BASELINE:
        return f"no baseline: {comparison.reason}"
    parts = [
        plural(comparison.count(Judgement.REGRESSION), "regression"),
        plural(comparison.count(Judgement.IMPROVEMENT), "improvement"),
    ]
    for judgement in (Judgement.NEUTRAL, Judgement.INCONCLUSIVE, Judgement.NOT_COMPARABLE):
        number = comparison.count(judgement)
        if number:
            parts.append(f"{number} {judgement.value.replace('_', ' ')}")
    moved = comparison.cells_with_moved_numbers
    if moved:
        return f"FAILED: numbers moved in {', '.join(moved)}; {', '.join(parts)}"
    return f"{', '.join(parts)}; no numbers moved"


def baseline_sentence(comparison: MatrixComparison) -> str:
    """Which run, commit and time this one was compared with; or that there was none, and why."""
    baseline = comparison.baseline
    if baseline is None:
        return f"No baseline: {comparison.reason}."
    how = "forced" if comparison.forced else "the newest earlier valid run of equal scope"
    scope = f" Careful: {comparison.reason}." if comparison.same_scope is False else ""
    built = commit(baseline.commit, dirty=baseline.dirty)
    when = moment(baseline.finished_at)
    return f"Compared with run {short_run(baseline.run_id)} of commit {built}, finished {when} ({how}).{scope}"
