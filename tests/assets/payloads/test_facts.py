"""The facts that a measurement notes about its place, and what it keeps to itself."""

import subprocess
import sys
from pathlib import Path

import pytest

from g_assets.payloads import device_probe
from g_assets.payloads.device_probe import unsupported_reason
from g_assets.payloads.environment import build_facts, capture_context, slurm_facts
from g_assets.payloads.log_tail import log_tail
from g_assets.payloads.redact import REDACTED, is_secret_name, redacted_arguments, redacted_environment
from g_assets.profiles.models import Device
from tests.assets.artifacts.records import make_context


def git(folder, *arguments):
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def test_the_commit_and_whether_the_tree_differs(tmp_path):
    assert build_facts(tmp_path).commit is None
    git(tmp_path, "init")
    (tmp_path / "file").write_text("one")
    git(tmp_path, "add", "file")
    git(tmp_path, "commit", "-m", "first")
    clean = build_facts(tmp_path)
    assert (len(clean.commit), clean.dirty, clean.dirty_sha256) == (40, False, None)
    (tmp_path / "file").write_text("two")
    changed = build_facts(tmp_path)
    assert (changed.commit, changed.dirty) == (clean.commit, True)
    assert changed.dirty_sha256 is not None
    (tmp_path / "file").write_text("one")
    (tmp_path / "new").write_text("")
    assert build_facts(tmp_path).dirty is True


def test_the_host_is_described_without_importing_jax(tmp_path):
    program = (
        "import sys; from pathlib import Path; from g_assets.payloads.environment import capture_context;"
        "context = capture_context('process', Path('.'));"
        "assert context.build.jax_version; assert context.host.cpu_affinity_count >= 1;"
        "assert 'jax' not in sys.modules; assert 'dagster' not in sys.modules"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True)


def test_the_slurm_job_comes_from_the_environment(monkeypatch):
    monkeypatch.delenv("SLURM_JOB_ID", raising=False)
    assert slurm_facts() is None
    monkeypatch.setenv("SLURM_JOB_ID", "42")
    monkeypatch.setenv("SLURM_JOB_PARTITION", "gpu")
    assert (slurm_facts().job_id, slurm_facts().partition) == ("42", "gpu")


def test_recorded_variables_are_chosen_and_redacted(monkeypatch, tmp_path):
    monkeypatch.setenv("G_SECRET_KEY", "x" * 10)
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    monkeypatch.setenv("HOMEPAGE", "not recorded")
    found = {variable.name: variable.value for variable in capture_context("process", tmp_path).environment}
    assert (found["G_SECRET_KEY"], found["OMP_NUM_THREADS"]) == (REDACTED, "2")
    assert "HOMEPAGE" not in found


@pytest.mark.parametrize(
    "name", ["API_KEY", "MY_TOKEN", "PASSWORD", "db_passwd", "AWS_SECRET", "GIT_CREDENTIALS", "SSH_PRIVATE", "AUTH"]
)
def test_names_of_secrets(name):
    assert is_secret_name(name)


@pytest.mark.parametrize("name", ["PATH", "KEYBOARD", "OMP_NUM_THREADS", "--phenoFile", "SLURM_JOB_ID"])
def test_other_names(name):
    assert not is_secret_name(name)


def test_redacted_arguments_keep_everything_else():
    assert redacted_arguments(["g", "--token", "abc", "--password=def", "--bgen", "x.bgen"]) == (
        *("g", "--token", REDACTED, f"--password={REDACTED}", "--bgen", "x.bgen"),
    )


def test_variables_come_in_the_order_of_their_names():
    assert [entry.name for entry in redacted_environment({"B": "1", "A": "2"})] == ["A", "B"]


def test_a_gpu_case_is_supported_only_where_a_gpu_is(monkeypatch, tmp_path):
    monkeypatch.setattr(device_probe, "Path", lambda _: tmp_path)
    context = make_context()
    assert unsupported_reason(Device.CPU, context) is None
    assert unsupported_reason(Device.GPU, context).startswith("no GPU on node1")
    with_gpu = context.model_copy(update={"host": context.host.model_copy(update={"gpu_models": ("GPU X",)})})
    assert unsupported_reason(Device.GPU, with_gpu) is None
    (tmp_path / "nvidia0").touch()
    assert unsupported_reason(Device.GPU, context) is None


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", ""),
        (b"short\n", "short\n"),
        (b"a" * 20 + b"\nlast line\n", "last line\n"),
        (b"a" * 50, "a" * 16),
        ("ä".encode() * 20, "ä" * 8),
        (b"\xff" * 20, "\N{REPLACEMENT CHARACTER}" * 5),
    ],
)
def test_a_log_tail_is_short_whole_lines_and_text(tmp_path, content, expected):
    path = tmp_path / "log"
    path.write_bytes(content)
    tail = log_tail(path, 16)
    assert tail == expected
    assert len(tail.encode()) <= 16


def test_no_log_has_no_tail(tmp_path):
    assert log_tail(Path(tmp_path / "none"), 16) == ""
