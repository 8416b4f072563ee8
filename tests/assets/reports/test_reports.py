"""Reports: their whole text, so that every change of it is seen."""

import pytest

from g_assets.artifacts.validate import validate
from g_assets.artifacts.write import json_text
from g_assets.compare.baseline import Baseline, NoBaseline
from g_assets.compare.matrix import compare_with_choice
from g_assets.reports import format as formats
from g_assets.reports.comparison import comparison_markdown
from g_assets.reports.headline import matrix_headline
from g_assets.reports.matrix import matrix_markdown
from g_assets.reports.publish import publish_comparison, publish_matrix, publish_report
from g_assets.reports.rows import Table
from g_assets.reports.show import main, report_text
from g_assets.reports.text_table import markdown_table, text_table
from tests.assets.artifacts.records import (
    failed_cell,
    make_cell,
    make_context,
    make_figures,
    make_matrix,
    make_trial,
)
from tests.assets.fakes import write_results


def linear_cell(folder, *, sha256, effect):
    trial = make_trial(figures=make_figures(results_sha256=sha256 * 64))
    write_results(folder / trial.run_directory, effect=effect)
    return make_cell("linear_cpu", trials=(trial,), directory=str(folder))


@pytest.fixture
def compared(tmp_path):
    """A run whose binary cell is slower and whose linear cell has other numbers, and its comparison."""
    current = make_matrix(
        make_cell("binary_cpu", trials=(make_trial(wall_seconds=9.0),)),
        linear_cell(tmp_path / "now", sha256="b", effect=0.51),
    )
    baseline = make_matrix(linear_cell(tmp_path / "before", sha256="a", effect=0.5), run_id="aabbccdd-1122")
    path = tmp_path / "then.json"
    path.write_text(json_text(baseline))
    choice = Baseline(str(path), baseline.run_id, False, True, ())
    return current, compare_with_choice(current, choice, neutral_band_percent=10.0)


MATRIX_REPORT = """\
# matrix on sim_chr22: 2 cells measured, 0 failed, 4 unsupported

Run run-now of commit 0123456789, finished 2026-11-30 12:00 UTC. \
Ran on node1: Example CPU, 2 CPUs, no GPU; process mode.

Compared with run aabbccdd of commit 0123456789, finished 2026-11-30 12:00 UTC \
(the newest earlier valid run of equal scope).

**FAILED: numbers moved in linear_cpu; 1 regression, 0 improvements, 5 not comparable**

| cell | status | verdict | wall | change | variants/s | peak memory | rows | trials |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
| binary_cpu | success | regression | 9.00 s | +50.0 % | 5,000 | 320.0 MiB | 20,000 | 1 |
| binary_gpu | unsupported | not comparable | - | - | - | - | - | 0 |
| binary_gpu_cached | unsupported | not comparable | - | - | - | - | - | 0 |
| linear_cpu | success | FAILED: numbers moved | 6.00 s | - | 5,000 | 320.0 MiB | 20,000 | 1 |
| linear_gpu | unsupported | not comparable | - | - | - | - | - | 0 |
| linear_gpu_cached | unsupported | not comparable | - | - | - | - | - | 0 |

## Not measured

- binary_gpu, binary_gpu_cached, linear_gpu, linear_gpu_cached: \
unsupported: no GPU on node1: nvidia-smi lists none and there is no /dev/nvidia* device

## Seconds in each stage

Stages overlap (decoding and writing run beside the kernels), so they do not add up to the wall time.

| cell | decode | kernel |
| --- | ---: | ---: |
| binary_cpu | 1.00 s | 2.50 s |
| linear_cpu | 1.00 s | 2.50 s |

## Against the baseline

| cell | metric | verdict | why | baseline | this run | change |
| --- | --- | --- | --- | ---: | ---: | ---: |
| binary_cpu | wall_seconds | regression | n=1 against n=1; beyond 20 % | 6.00 s | 9.00 s | +50.0 % |
"""


def test_the_report_of_a_matrix(compared):
    text = matrix_markdown(*compared)
    assert text.startswith(MATRIX_REPORT)
    assert text.endswith("\n\nEvery number is of one trial (n=1): it says what happened, not how much it varies.\n")
    assert "\n\n\n" not in text


def test_a_failure_is_counted_first_and_shown_with_the_end_of_its_log():
    text = matrix_markdown(make_matrix(failed_cell("binary_cpu")), None)
    assert text.startswith("# matrix on sim_chr22: 1 cell measured, 1 failed, 4 unsupported\n")
    assert "Not compared with any run." in text
    assert (
        "## 1 failed\n\n### binary_cpu: failed\n\ntrial 1: exit 1: boom\n\n"
        "The end of `artifacts/matrix/sim_chr22/run-now/cells/binary_cpu/logs/trial-01.stderr.txt`:\n\n"
        "    first\n    boom\n" in text
    )


def test_a_missing_cell_is_counted_and_has_its_line():
    whole = make_matrix()
    manifest = whole.model_copy(update={"cells": whole.cells[1:]})
    assert matrix_headline(manifest).endswith("1 cell measured, 0 failed, 4 unsupported, 1 missing")
    assert "| binary_cpu | missing | - |" in matrix_markdown(manifest, None)


def test_a_log_cannot_break_out_of_its_block():
    trial = make_trial(log_tail="```\n# not a heading\n| x |")
    text = matrix_markdown(
        make_matrix(
            failed_cell(
                "binary_cpu",
            ).model_copy(update={"trials": (trial,)})
        ),
        None,
    )
    assert "\n    ```\n    # not a heading\n    | x |" in text


def test_a_changed_tree_is_said_with_the_commit():
    context = make_context()
    dirty = context.model_copy(update={"build": context.build.model_copy(update={"dirty": True})})
    cells = [cell.model_copy(update={"context": dirty}) for cell in make_matrix().cells]
    assert "of commit 0123456789 with changes," in matrix_markdown(make_matrix(*cells), None)


COMPARISON_REPORT = """\
# matrix on sim_chr22: FAILED: numbers moved in linear_cpu; 1 regression, 0 improvements, 5 not comparable

This run: run-now of commit 0123456789, finished 2026-11-30 12:00 UTC.

Compared with run aabbccdd of commit 0123456789, finished 2026-11-30 12:00 UTC \
(the newest earlier valid run of equal scope).

| cell | metric | verdict | why | baseline | this run | change |
| --- | --- | --- | --- | ---: | ---: | ---: |
| binary_cpu | wall_seconds | regression | n=1 against n=1; beyond 20 % | 6.00 s | 9.00 s | +50.0 % |
| binary_cpu | cpu_seconds | regression | n=1 against n=1; beyond 20 % | 6.00 s | 9.00 s | +50.0 % |
| binary_cpu | variants_per_second | neutral | n=1 against n=1; within 10 % | 5,000 | 5,000 | +0.0 % |
| binary_cpu | peak_memory_bytes | neutral | n=1 against n=1; within 10 % | 320.0 MiB | 320.0 MiB | +0.0 % |
| binary_gpu | - | not comparable | unsupported in both runs | - | - | - |
| binary_gpu_cached | - | not comparable | unsupported in both runs | - | - | - |
| linear_cpu | - | not comparable | its numbers moved: largest change: BETA of rs1, trait T, from 0.5 to 0.51, \
1.8e+03 times what is allowed | - | - | - |
| linear_gpu | - | not comparable | unsupported in both runs | - | - | - |
| linear_gpu_cached | - | not comparable | unsupported in both runs | - | - | - |

Change is this run over the baseline. Within 10 % counts as the same. With one trial a side the noise is unknown,
so a change must be twice that to be called one.

## Results

- binary_cpu: the same rows, bit for bit (20,000 rows now, 20,000 then)
- linear_cpu: FAILED, the numbers moved: largest change: BETA of rs1, trait T, from 0.5 to 0.51, \
1.8e+03 times what is allowed (20,000 rows now, 20,000 then)
"""


def test_the_report_of_a_comparison(compared):
    assert comparison_markdown(compared[1]) == COMPARISON_REPORT


def test_the_report_of_a_run_without_baseline():
    comparison = compare_with_choice(make_matrix(), NoBaseline("no earlier run", ()), neutral_band_percent=10.0)
    assert comparison_markdown(comparison) == (
        "# matrix on sim_chr22: no baseline: no earlier run\n\n"
        "This run: run-now of commit 0123456789, finished 2026-11-30 12:00 UTC.\n\n"
        "No baseline: no earlier run.\n"
    )


TERMINAL_REPORT = """\
matrix on sim_chr22: 1 cell measured, 1 failed, 4 unsupported
Run run-now of commit 0123456789, finished 2026-11-30 12:00 UTC.
Ran on node1: Example CPU, 2 CPUs, no GPU; process mode.
Not compared with any run.

cell               status       verdict    wall  change  variants/s  peak memory    rows  trials
-----------------  -----------  -------  ------  ------  ----------  -----------  ------  ------
binary_cpu         failed       -             -       -           -            -       -       0
binary_gpu         unsupported  -             -       -           -            -       -       0
binary_gpu_cached  unsupported  -             -       -           -            -       -       0
linear_cpu         success      -        6.00 s       -       5,000    320.0 MiB  20,000       1
linear_gpu         unsupported  -             -       -           -            -       -       0
linear_gpu_cached  unsupported  -             -       -           -            -       -       0

failed: binary_cpu: trial 1: exit 1: boom
"""


def test_the_report_on_a_terminal():
    assert report_text(make_matrix(failed_cell("binary_cpu")), None).startswith(TERMINAL_REPORT)


def test_what_is_published_is_valid_and_found_by_show(tmp_path, compared, capsys):
    manifest, comparison = compared
    published = [
        publish_matrix(tmp_path, manifest),
        publish_comparison(tmp_path, manifest, comparison),
        publish_report(tmp_path, manifest, comparison),
    ]
    assert [validate(each.directory) for each in published] == [(), (), ()]
    assert published[0].record_path.name == "matrix.json"
    assert published[2].markdown == matrix_markdown(manifest, comparison)
    run = tmp_path / "matrix" / "sim_chr22" / "run-now"
    for place in (tmp_path, run, published[0].directory):
        assert main([str(place)]) == 0
        shown = capsys.readouterr().out
        assert "1 regression, 0 improvements" in shown
        assert f"Files: {run}\n" in shown


def test_show_without_a_run_says_so(tmp_path, capsys):
    assert main([str(tmp_path)]) == 1
    assert "no matrix.json at or below it" in capsys.readouterr().err
    assert main([]) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (formats.seconds(0.123), "0.12 s"),
        (formats.seconds(61.25), "61.2 s"),
        (formats.seconds(None), "-"),
        (formats.size(512), "512 B"),
        (formats.size(1536), "1.5 KiB"),
        (formats.size(5 << 40), "5.0 TiB"),
        (formats.size(None), "-"),
        (formats.count(1234567.8), "1,234,568"),
        (formats.change(0.5), "-50.0 %"),
        (formats.change(None), "-"),
        (formats.commit(None, dirty=None), "unknown"),
        (formats.moment(None), "-"),
        (formats.in_table("a|b\nc"), "a\\|b c"),
    ],
)
def test_how_values_are_written(text, expected):
    assert text == expected


def test_tables_line_up():
    table = Table(("name", "n"), (("long name", "1"), ("x", "100")), left_columns=1)
    assert text_table(table) == "name         n\n---------  ---\nlong name    1\nx          100\n"
    assert markdown_table(table) == "| name | n |\n| --- | ---: |\n| long name | 1 |\n| x | 100 |\n"
