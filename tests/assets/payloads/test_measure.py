"""``measure``: what becomes of good, bad, silent, loud and hanging children."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from g_assets.artifacts.models import EnvironmentVariable, Status
from g_assets.artifacts.read import read_artifact_manifest, read_cell
from g_assets.artifacts.validate import validate
from g_assets.payloads import measure as module
from g_assets.payloads.measure import measure
from g_assets.profiles.models import Device
from g_core.engine.manifest import RunStatus
from tests.assets.payloads.conftest import COPY_RESULT, write_run


def directory_of(spec):
    return Path(spec.working_directory) / spec.artifact_directory


def measured(spec):
    """The cell, after checking what holds for every cell: its directory is valid and says the same."""
    cell = measure(spec)
    directory = directory_of(spec)
    assert validate(directory) == ()
    assert read_cell(directory) == cell
    assert read_artifact_manifest(directory).status is cell.status
    return cell


def test_a_child_that_leaves_a_finished_run_is_a_success(spec_of, successful_script):
    spec = spec_of(successful_script)
    cell = measured(spec)
    assert (cell.status, cell.reason, cell.rows) == (Status.SUCCESS, None, 3)
    assert cell.wall_seconds > 0
    assert cell.peak_memory_bytes > 1 << 20
    assert cell.variants_per_second == 12.0
    listed = {file.path for file in read_artifact_manifest(directory_of(spec)).artifacts}
    assert {
        "cell.json",
        "report.json",
        "summary.md",
        "events.jsonl",
        "metrics.jsonl",
        "commands/commands.jsonl",
        "config/resolved_tool.json",
        "config/resolved_config.toml",
        "logs/trial-01.stderr.txt",
        "results/trial-01/linear_cpu.g/manifest.json",
        "results/trial-01/linear_cpu.g/trait/part-00000.parquet",
    } <= listed
    assert [file.path for file in cell.input_files] == ["child.py"]


def test_every_metric_points_at_its_value(spec_of, successful_script):
    spec = spec_of(successful_script)
    measured(spec)
    cell = json.loads((directory_of(spec) / "cell.json").read_text())
    lines = (directory_of(spec) / "metrics.jsonl").read_text().splitlines()
    assert len(lines) > 10
    for metric in map(json.loads, lines):
        value = cell
        for key in metric["source"]["pointer"].split("/")[1:]:
            value = value[int(key)] if isinstance(value, list) else value[key]
        assert value == metric["value"]


def test_a_crash_is_failed_with_the_last_words_of_its_log(spec_of):
    cell = measured(spec_of("import sys; print('begun'); sys.exit('the file is on fire')"))
    assert cell.status is Status.FAILED
    assert cell.reason == "trial 1: exit 1: the file is on fire"
    assert cell.trials[0].log_tail == "the file is on fire\n"
    assert (cell.wall_seconds, cell.rows) == (None, None)


def test_a_killed_child_is_failed_with_its_signal(spec_of):
    cell = measured(spec_of("import os, signal; os.kill(os.getpid(), signal.SIGKILL)"))
    assert cell.status is Status.FAILED
    assert "SIGKILL" in cell.reason
    assert "memory" in cell.reason


def test_exit_0_without_a_manifest_is_failed(spec_of):
    cell = measured(spec_of("print('done')"))
    assert cell.status is Status.FAILED
    assert "exit 0 without a usable manifest" in cell.reason


def test_exit_0_with_an_empty_result_is_failed(spec_of, tmp_path):
    write_run(tmp_path / "empty.g", rows=0)
    cell = measured(spec_of(COPY_RESULT.format(template=str(tmp_path / "empty.g"))))
    assert (cell.status, cell.reason) == (Status.FAILED, "trial 1: exit 0, but the result has no rows")


def test_a_part_that_is_not_there_is_failed(spec_of, successful_script, finished_run):
    (finished_run / "trait" / "part-00000.parquet").unlink()
    cell = measured(spec_of(successful_script))
    assert cell.status is Status.FAILED
    assert "part trait/part-00000.parquet: missing" in cell.reason


def test_a_part_that_is_no_parquet_is_failed(spec_of, successful_script, finished_run):
    part = finished_run / "trait" / "part-00000.parquet"
    part.write_bytes(b"x" * part.stat().st_size)
    cell = measured(spec_of(successful_script))
    assert cell.status is Status.FAILED
    assert "cannot be read" in cell.reason


def test_counts_that_disagree_are_failed(spec_of, successful_script, finished_run):
    path = finished_run / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["traits"][0]["rows"] = 4
    path.write_text(json.dumps(manifest))
    cell = measured(spec_of(successful_script))
    assert "its parts hold 3 rows, the manifest says 4" in cell.reason


def test_a_run_with_an_unfinished_trait_is_partial(spec_of, successful_script, finished_run):
    path = finished_run / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["status"] = manifest["traits"][0]["status"] = RunStatus.PARTIAL.value
    manifest["traits"][0]["reason"] = "no rows"
    path.write_text(json.dumps(manifest))
    cell = measured(spec_of(f"{successful_script}\nraise SystemExit(3)"))
    assert (cell.status, cell.reason) == (Status.PARTIAL, "trial 1: traits not complete: trait (no rows)")


def test_a_hang_is_ended_with_its_whole_process_tree(spec_of, tmp_path):
    script = f"""
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
stray = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
open({str(tmp_path / "ids")!r}, "w").write(f"{{os.getpid()}} {{child.pid}} {{stray.pid}}")
time.sleep(600)
"""
    cell = measured(spec_of(script, timeout_seconds=1.0))
    assert cell.status is Status.TIMED_OUT
    assert cell.reason == "trial 1: took longer than 1 s; its process tree was ended"
    ids = [int(text) for text in (tmp_path / "ids").read_text().split()]
    assert len(ids) == 3
    assert eventually(lambda: not any(is_alive(number) for number in ids))


def test_a_child_that_ignores_sigterm_is_killed(spec_of):
    script = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    assert measured(spec_of(script, timeout_seconds=1.0)).status is Status.TIMED_OUT


def test_five_megabytes_of_output_neither_block_nor_grow_the_record(spec_of, successful_script):
    script = "import sys\nfor _ in range(50_000): sys.stderr.write('x' * 99 + '\\n')\n" + successful_script
    spec = spec_of(script)
    cell = measured(spec)
    assert cell.status is Status.SUCCESS
    assert (directory_of(spec) / cell.trials[0].stderr).stat().st_size == 5_000_000
    tail = cell.trials[0].log_tail
    assert 3_900 <= len(tail.encode()) <= 4_096
    assert set(tail.splitlines()) == {"x" * 99}


def test_a_program_that_is_not_there_is_failed(spec_of):
    cell = measured(spec_of("", command=("/nowhere/g",)))
    assert (cell.status, cell.reason) == (
        Status.FAILED,
        "trial 1: cannot be started: /nowhere/g: No such file or directory",
    )


def test_a_missing_input_file_is_named_before_anything_starts(spec_of, successful_script):
    spec = spec_of(successful_script)
    case = spec.case.model_copy(update={"input_files": ("child.py", "data/missing.bgen")})
    cell = measured(spec.model_copy(update={"case": case}))
    assert (cell.status, cell.reason) == (Status.FAILED, "input files are missing: data/missing.bgen")
    assert cell.trials == ()


def test_a_gpu_case_without_a_gpu_is_unsupported_and_nothing_is_started(spec_of, successful_script, monkeypatch):
    monkeypatch.setattr(module, "unsupported_reason", lambda device, context: "no GPU here")
    cell = measured(spec_of(successful_script, device=Device.GPU))
    assert (cell.status, cell.reason, cell.trials) == (Status.UNSUPPORTED, "no GPU here", ())


def test_a_plan_only_starts_nothing(spec_of):
    cell = measured(spec_of("raise SystemExit('started')", plan_only=True))
    assert (cell.status, cell.trials) == (Status.DRY_RUN, ())


def test_a_cached_case_needs_the_cache_it_reuses(spec_of, successful_script):
    spec = spec_of(successful_script, reuses="linear_gpu")
    cell = measured(spec)
    assert cell.status is Status.FAILED
    assert cell.reason.startswith("linear_gpu left no compile cache at ")
    cache = Path(spec.working_directory) / spec.compile_cache
    cache.mkdir(parents=True)
    (cache / "entry").write_text("compiled")
    assert measured(spec).status is Status.SUCCESS


def test_each_trial_of_an_uncached_case_starts_with_an_empty_cache(spec_of, successful_script):
    script = (
        "import os, sys\ncache = sys.argv[sys.argv.index('--jax-cache-dir') + 1]\n"
        "assert not os.path.exists(cache), cache\nos.makedirs(cache)\n" + successful_script
    )
    cell = measured(spec_of(script, trials=3))
    assert (cell.status, len(cell.measured)) == (Status.SUCCESS, 3)
    assert cell.results_sha256 is not None


def test_a_failed_trial_is_the_last(spec_of):
    cell = measured(spec_of("raise SystemExit(3)", trials=3))
    assert (cell.status, len(cell.trials)) == (Status.FAILED, 1)


def test_an_earlier_attempt_is_kept_beside(spec_of, successful_script):
    spec = spec_of(successful_script)
    measured(spec)
    measured(spec)
    earlier = directory_of(spec).with_name("linear_cpu.attempt-1")
    assert read_artifact_manifest(earlier).status is Status.SUCCESS


def test_no_secret_is_written_down(spec_of, monkeypatch):
    monkeypatch.setenv("EXAMPLE_API_TOKEN", "hunter2-hunter2")
    spec = spec_of(
        "import os, sys; print(os.environ['EXAMPLE_API_TOKEN'], file=sys.stderr); sys.exit(1)",
        environment=(EnvironmentVariable(name="OTHER_PASSWORD", value="swordfish9"),),
    )
    case = spec.case.model_copy(update={"arguments": ("--auth-token", "open-sesame", "hunter2-hunter2")})
    measured(spec.model_copy(update={"case": case}))
    for path in directory_of(spec).rglob("*.json*"):
        text = path.read_text()
        assert not any(secret in text for secret in ("hunter2-hunter2", "swordfish9", "open-sesame")), path


def test_what_is_killed_on_the_way_says_that_it_was_interrupted(spec_of, monkeypatch):
    def stop(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "run_child", stop)
    spec = spec_of("")
    with pytest.raises(KeyboardInterrupt):
        measure(spec)
    assert read_artifact_manifest(directory_of(spec)).status is Status.INTERRUPTED
    assert validate(directory_of(spec)) == ()


def test_an_interrupted_wait_ends_the_child(tmp_path, spec_of):
    script = f"import os, time; open({str(tmp_path / 'ids')!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    spec = spec_of(script)
    (tmp_path / "spec.json").write_text(spec.model_dump_json())
    program = (
        "import signal, sys; from pathlib import Path; from g_assets.payloads.measure import measure;"
        "from g_assets.payloads.spec import MeasurementSpec; from g_assets.payloads.worker import end_on_sigterm;"
        "signal.signal(signal.SIGTERM, end_on_sigterm);"
        f"measure(MeasurementSpec.model_validate_json(Path({str(tmp_path / 'spec.json')!r}).read_text()))"
    )
    process = subprocess.Popen([sys.executable, "-c", program])
    assert eventually(lambda: (tmp_path / "ids").is_file() and (tmp_path / "ids").read_text() != "")
    process.terminate()
    assert process.wait(timeout=60) == 128 + 15
    assert eventually(lambda: not is_alive(int((tmp_path / "ids").read_text())))


def is_alive(process_id):
    try:
        stat = Path(f"/proc/{process_id}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def eventually(condition, seconds=30.0):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return False
