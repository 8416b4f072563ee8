"""The report of a comparison, in Markdown.

Belongs here: what it says and in which order. Does not belong here: finding it (compare/).
"""

from g_assets.compare.models import MatrixComparison, ResultParity
from g_assets.reports.format import commit, count, moment, short_run
from g_assets.reports.headline import baseline_sentence, comparison_headline
from g_assets.reports.rows import comparison_table
from g_assets.reports.templates_environment import render
from g_assets.reports.text_table import markdown_table


def comparison_markdown(comparison: MatrixComparison) -> str:
    """The report, also of a run that had no baseline."""
    return render(
        "comparison.md.j2",
        headline=f"matrix on {comparison.dataset}: {comparison_headline(comparison)}",
        run=short_run(comparison.current.run_id),
        commit=commit(comparison.current.commit, dirty=comparison.current.dirty),
        finished=moment(comparison.current.finished_at),
        baseline=baseline_sentence(comparison),
        differences=markdown_table(comparison_table(comparison)) if comparison.cells else None,
        band=f"{comparison.neutral_band_percent:g}",
        parity=parity_lines(comparison),
        skipped=comparison.skipped,
    )


def parity_lines(comparison: MatrixComparison) -> tuple[str, ...]:
    """For each cell with rows on a side: whether they are the same, and if not bit for bit, the largest change."""
    words = {
        ResultParity.EQUAL: "the same rows, bit for bit",
        ResultParity.WITHIN_TOLERANCE: "the same numbers within the tolerances of docs/parity.md",
        ResultParity.MOVED: "FAILED, the numbers moved",
        ResultParity.UNKNOWN: "rows not compared",
    }
    return tuple(
        f"{cell.case_id}: {words[cell.results]}{'' if cell.results_reason is None else f': {cell.results_reason}'} "
        f"({count(cell.current_rows)} rows now, {count(cell.baseline_rows)} then)"
        for cell in comparison.cells
        if cell.current_rows is not None or cell.baseline_rows is not None
    )
