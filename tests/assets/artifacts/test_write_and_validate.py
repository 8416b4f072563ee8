"""An artifact directory: written piece by piece, and checked against what it says of itself."""

import json
import subprocess
import sys

import pytest

from g_assets.artifacts import paths
from g_assets.artifacts.cell_report import cell_metrics, cell_report, cell_summary
from g_assets.artifacts.models import ArtifactKind, ArtifactManifest, CommandRecord, Producer, Status
from g_assets.artifacts.read import ArtifactError, read_artifact_manifest, read_cell, read_report
from g_assets.artifacts.validate import main, validate
from g_assets.artifacts.write import ArtifactWriter, replace_text
from tests.assets.artifacts.records import NOON, make_cell


def opening():
    return ArtifactManifest(
        producer=Producer(tool="matrix", tool_version=1, commit=None, dirty=None),
        run_id="run-now",
        case_id="binary_cpu",
        status=Status.INTERRUPTED,
        reason=None,
        started_at=NOON,
        finished_at=None,
        context=None,
        artifacts=(),
        input_files=(),
    )


def command():
    return CommandRecord(
        run_id="run-now",
        case_id="binary_cpu",
        trial=1,
        arguments=("g", "regenie"),
        working_directory=".",
        environment_overrides=(),
        stdout="logs/out.txt",
        stderr="logs/err.txt",
        return_code=0,
        signal=None,
        timed_out=False,
        wall_seconds=1.0,
        user_seconds=1.0,
        system_seconds=0.0,
        peak_memory_bytes=1,
    )


@pytest.fixture
def written(tmp_path):
    """A finished directory with one of everything."""
    cell = make_cell("binary_cpu")
    writer = ArtifactWriter(tmp_path / "cell", opening())
    writer.event("started", "begun")
    for log in ("logs/out.txt", "logs/err.txt"):
        writer.path(log).write_text("words\n")
    writer.append(paths.COMMANDS_NAME, command(), ArtifactKind.COMMANDS)
    for metric in cell_metrics(cell):
        writer.append(paths.METRICS_NAME, metric, ArtifactKind.METRICS)
    writer.add_model(paths.CELL_NAME, cell, ArtifactKind.CELL)
    writer.add_model(paths.REPORT_NAME, cell_report(cell), ArtifactKind.REPORT)
    writer.add_text(paths.SUMMARY_NAME, cell_summary(cell), ArtifactKind.SUMMARY)
    writer.add_existing("logs", ArtifactKind.LOG)
    writer.finish(opening().model_copy(update={"status": Status.SUCCESS, "finished_at": NOON}))
    return tmp_path / "cell"


def faults(directory):
    return [fault.text() for fault in validate(directory)]


def test_a_finished_directory_is_valid_and_reads_back(written):
    assert faults(written) == []
    assert read_cell(written) == make_cell("binary_cpu")
    assert read_report(written).metrics == cell_metrics(make_cell("binary_cpu"))
    assert not [path for path in written.rglob("*") if path.name.endswith(".tmp")]


def test_a_directory_that_was_only_begun_is_valid_as_interrupted(tmp_path):
    ArtifactWriter(tmp_path / "cell", opening())
    assert read_artifact_manifest(tmp_path / "cell").status is Status.INTERRUPTED
    assert faults(tmp_path / "cell") == []


def test_a_writer_killed_between_any_two_lines_leaves_an_interrupted_directory(tmp_path):
    program = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, os.getcwd())
from tests.assets.artifacts.test_write_and_validate import opening, ArtifactWriter
writer = ArtifactWriter(Path(sys.argv[1]), opening())
writer.event("started", "begun")
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path / "cell")], check=False)
    assert done.returncode == -9
    assert read_artifact_manifest(tmp_path / "cell").status is Status.INTERRUPTED
    assert faults(tmp_path / "cell") == []


def test_a_missing_file_is_a_fault(written):
    (written / "summary.md").unlink()
    assert faults(written) == ["summary.md: listed in the manifest, but: No such file or directory"]


def test_another_size_and_another_content_are_faults(written):
    log = written / "logs/out.txt"
    log.write_text("words!\n")
    assert faults(written) == ["logs/out.txt: 7 bytes, listed with 6"]
    log.write_text("sword\n")
    assert faults(written) == ["logs/out.txt: its content has another sha256 than the one listed"]


def test_a_torn_last_line_is_told_with_its_number(written):
    events = written / paths.EVENTS_NAME
    lines = events.read_text()
    events.write_text(lines + lines[:20])
    assert "events.jsonl:2: the last line is not complete" in faults(written)


def test_a_line_of_another_run_is_told_with_its_number(written):
    events = written / paths.EVENTS_NAME
    events.write_text(events.read_text() * 2 + events.read_text().replace("run-now", "run-old"))
    assert "events.jsonl:3: run id run-old, where the manifest has run-now" in faults(written)


def test_a_line_that_is_no_record_is_told_with_its_field(written):
    metrics = written / paths.METRICS_NAME
    metrics.write_text(metrics.read_text().replace('"seconds"', '"parsecs"', 1))
    assert any(text.startswith("metrics.jsonl:1: ") and "unit" in text for text in faults(written))


def test_a_command_whose_log_is_gone_is_a_fault(written):
    (written / "logs/err.txt").unlink()
    assert "commands/commands.jsonl:1: its log logs/err.txt is not there" in faults(written)


def test_a_report_of_another_run_or_status_is_a_fault(written):
    report = read_report(written).model_copy(update={"run_id": "run-old", "status": Status.FAILED})
    (written / "report.json").write_text(report.model_dump_json())
    found = faults(written)
    assert "report.json: run id run-old, where the manifest has run-now" in found
    assert "report.json: status failed, where the manifest has success" in found


def test_a_success_without_report_and_finish_is_a_fault(tmp_path):
    writer = ArtifactWriter(tmp_path / "cell", opening())
    writer.finish(opening().model_copy(update={"status": Status.SUCCESS, "finished_at": NOON}))
    assert "artifact_manifest.json: lists no report" in faults(tmp_path / "cell")
    writer.finish(opening().model_copy(update={"status": Status.SUCCESS}))
    assert faults(tmp_path / "cell") == ["artifact_manifest.json: status success, but no time of finish"]


def test_a_newer_version_is_refused_by_name(written):
    path = written / "cell.json"
    fields = json.loads(path.read_text())
    path.write_text(json.dumps(fields | {"schema_version": 2, "news": "unknown"}))
    with pytest.raises(ArtifactError, match=r"cell\.json: cell_manifest version 2 is newer than 1"):
        read_cell(written)


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "not JSON"), (b"[]", "not a JSON object"), (b"{}", "not a CellManifest"), (b"\xff", "cannot be read")],
)
def test_a_damaged_record_is_told_with_its_file(written, content, message):
    (written / "cell.json").write_bytes(content)
    with pytest.raises(ArtifactError, match=rf"cell\.json: {message}"):
        read_cell(written)


def test_a_second_attempt_moves_the_first_aside(tmp_path):
    for _ in range(3):
        ArtifactWriter(tmp_path / "cell", opening())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cell", "cell.attempt-1", "cell.attempt-2"]


def test_a_file_that_cannot_be_replaced_leaves_no_litter(tmp_path):
    (tmp_path / "name").mkdir()
    with pytest.raises(OSError, match="name"):
        replace_text(tmp_path / "name", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["name"]


def test_the_command_says_valid_or_lists_the_faults(written, capsys):
    assert main([str(written)]) == 0
    assert capsys.readouterr().out == f"{written}: valid (success)\n"
    (written / "cell.json").unlink()
    assert main([str(written)]) == 1
    assert capsys.readouterr().out == (f"{written}/cell.json: listed in the manifest, but: No such file or directory\n")
    assert main([]) == 2
    assert "usage" in capsys.readouterr().err
