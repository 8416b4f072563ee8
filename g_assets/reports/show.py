"""``python -m g_assets.reports.show DIR``: a run's report as plain text on the terminal.

Belongs here: finding the records below a directory and printing them. Does not belong here: Markdown (matrix.py).
"""

import sys
from pathlib import Path

from g_assets.artifacts import paths
from g_assets.artifacts.read import ArtifactError, read_artifact_manifest, read_record
from g_assets.campaigns.matrix_manifest import MatrixManifest
from g_assets.compare.models import ComparisonStatus, MatrixComparison
from g_assets.reports.format import commit, moment, short_run
from g_assets.reports.headline import baseline_sentence, comparison_headline, matrix_headline
from g_assets.reports.matrix import failure_lines, not_measured, place_sentence
from g_assets.reports.rows import matrix_table
from g_assets.reports.text_table import text_table

USAGE = "usage: python -m g_assets.reports.show DIR   (a run, its matrix, or a folder of runs: the newest is shown)\n"


def report_text(manifest: MatrixManifest, comparison: MatrixComparison | None) -> str:
    """The report as plain text: headline, where, compared with what, one line a cell, failures."""
    built = commit(manifest.commit, dirty=manifest.dirty)
    lines = [
        matrix_headline(manifest),
        f"Run {short_run(manifest.run_id)} of commit {built}, finished {moment(manifest.finished_at)}.",
    ]
    place = place_sentence(manifest)
    lines += [] if place is None else [place]
    if comparison is None:
        lines.append("Not compared with any run.")
    else:
        lines.append(baseline_sentence(comparison))
        if comparison.status is ComparisonStatus.COMPARED:
            lines.append(comparison_headline(comparison) + ".")
    lines += ["", text_table(matrix_table(manifest, comparison)).rstrip(), ""]
    lines += [f"failed: {failure.case_id}: {failure.reason}" for failure in failure_lines(manifest)]
    lines += [f"not measured: {line}" for line in not_measured(manifest)]
    return "\n".join(lines).rstrip() + "\n"


def find_matrix(directory: Path) -> Path | None:
    """The ``matrix.json`` at or below a directory that was written last, by its own manifest; None without one."""
    found = [path.parent for path in directory.rglob(paths.MATRIX_NAME)]
    started = {folder: read_artifact_manifest(folder).started_at for folder in found}
    newest = max(found, key=lambda folder: started[folder], default=None)
    return None if newest is None else newest / paths.MATRIX_NAME


def main(arguments: list[str]) -> int:
    """Print the report of the run at or below a directory. Returns 0; 1 when it cannot be read; 2 for wrong usage."""
    if len(arguments) != 1 or arguments[0].startswith("-"):
        sys.stderr.write(USAGE)
        return 2
    try:
        matrix_path = find_matrix(Path(arguments[0]))
        if matrix_path is None:
            sys.stderr.write(f"{arguments[0]}: no {paths.MATRIX_NAME} at or below it\n")
            return 1
        comparison_path = matrix_path.parents[1] / "comparison" / paths.COMPARISON_NAME
        manifest = read_record(matrix_path, MatrixManifest)
        comparison = read_record(comparison_path, MatrixComparison) if comparison_path.is_file() else None
    except ArtifactError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(report_text(manifest, comparison))
    sys.stdout.write(f"\nFiles: {matrix_path.parents[1]}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
