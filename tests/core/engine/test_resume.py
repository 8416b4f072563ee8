"""--resume: an interrupted run goes on, and its finished files are those of a run that was never interrupted."""

import hashlib
import json
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pyarrow.dataset
import pytest

import g_core
from g_core.cli.main import main
from g_core.config.build_plan import build_run_plan
from g_core.config.load import load_config
from g_core.engine.interruption import Interruption
from g_core.engine.journal import JOURNAL_NAME, read_journal
from g_core.engine.manifest import RunManifest, read_manifest
from g_core.engine.run_lock import OWNER_NAME, this_process
from g_core.errors import OutputError, UsageError
from g_core.simulate.dataset import SimulatedDataset
from tests.core.engine.conftest import quantitative_arguments, write_three_traits

SMALL_PARTS = ("--chunk-variants", "20", "--chunks-per-part", "2", "--threads", "1")
BOTH_FORMATS = ("--format", "parquet", "--format", "regenie", "--finalize")


def run(arguments: Sequence[str], prefix: Path) -> RunManifest:
    return g_core.run(build_run_plan(load_config([*arguments, "--out", str(prefix)]))).manifest


def content(prefix: Path) -> dict[str, str]:
    """Digest of every file that a finished run leaves, but those that hold times."""
    told = (
        "manifest.json",
        "events.jsonl",
        "stage_timings.json",
        "profile_summary.json",
        "effective_config.toml",
        "run.json",
    )
    files = [
        *prefix.parent.glob(f"{prefix.name}_*"),
        *(path for path in Path(f"{prefix}.g").rglob("*") if path.is_file()),
    ]
    return {
        str(path.relative_to(prefix.parent)).replace(prefix.name, "OUT"): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
        if path.name not in told
    }


@pytest.fixture(scope="module")
def arguments(dataset: SimulatedDataset, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Three traits in two groups, 20 chunks, both formats."""
    traits = write_three_traits(tmp_path_factory.mktemp("traits") / "traits.txt", dataset)
    return [*quantitative_arguments(dataset, traits), *SMALL_PARTS, *BOTH_FORMATS]


@pytest.fixture(scope="module")
def whole(arguments: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing interrupted."""
    prefix = tmp_path_factory.mktemp("whole") / "out"
    run(arguments, prefix)
    return prefix


def is_final(name: str) -> bool:
    """Whether a file must be the same however its parts were cut."""
    return name.endswith(".regenie") or "/final/" in name


def stop_after(n_chunks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a signal arrive after some chunks. A real one would reach the whole test process."""

    class Signalled(Interruption):
        asked = 0

        @property
        def received(self) -> int | None:
            self.asked += 1
            return signal.SIGTERM if self.asked > n_chunks + 1 else None

        @received.setter
        def received(self, number: int | None) -> None:
            del number

    monkeypatch.setattr("g_core.engine.run.Interruption", Signalled)


@pytest.mark.parametrize("n_chunks", [0, 3, 11, 17])
def test_a_run_that_a_signal_ended_goes_on_to_the_same_bytes(
    arguments: list[str], whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys, n_chunks: int
) -> None:
    prefix = tmp_path / "out"
    with monkeypatch.context() as patched:
        stop_after(n_chunks, patched)
        assert main(["regenie", *arguments, "--out", str(prefix)]) == 128 + signal.SIGTERM
    told = capsys.readouterr().err
    assert f"resume with: g regenie --config {prefix}.g/effective_config.toml --resume" in told
    assert not Path(f"{prefix}.g/manifest.json").exists()
    assert not list(tmp_path.glob("*.regenie"))
    for line in read_journal(Path(f"{prefix}.g")):
        assert line.parquet is not None
        rows = pyarrow.dataset.dataset(Path(f"{prefix}.g") / line.parquet.path, format="parquet").count_rows()
        assert rows == line.counts.rows
    assert main(["regenie", "--config", f"{prefix}.g/effective_config.toml", "--resume"]) == 0
    here, there = content(prefix), content(whole)
    if n_chunks % 2:
        assert here == there
    else:
        # The signal came in the middle of a part, so that parts are cut differently from there on.
        assert {name: here[name] for name in here if is_final(name)}.items() <= there.items()
    manifest = read_manifest(Path(f"{prefix}.g"))
    assert manifest.resumed_from_variant is not None
    assert [trait.rows for trait in manifest.traits] == [
        trait.rows for trait in read_manifest(Path(f"{whole}.g")).traits
    ]


KILLED = """
import os, signal, sys, threading, time
from g_core.cli.main import main
def kill():
    time.sleep(float(sys.argv[1]))
    os.kill(os.getpid(), signal.SIGKILL)
threading.Thread(target=kill, daemon=True).start()
sys.exit(main(["regenie", *sys.argv[2:]]))
"""


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_killed_run_goes_on_to_the_same_bytes_whenever_it_was_killed(arguments: list[str], tmp_path: Path) -> None:
    words = list(arguments)
    words[words.index("--chunk-variants") + 1] = "8"
    words[words.index("--chunks-per-part") + 1] = "1"
    started = time.perf_counter()
    assert main(["regenie", *words, "--out", str(tmp_path / "whole")]) == 0
    seconds = time.perf_counter() - started
    n_killed = 0
    for moment in range(20):
        prefix = tmp_path / f"killed{moment}"
        delay = 1.0 + seconds * (moment + 1) / 16
        program = [sys.executable, "-c", KILLED, str(delay), *words, "--out", str(prefix)]
        ended = subprocess.run(program, capture_output=True, check=False).returncode
        n_killed += ended == -signal.SIGKILL
        for line in read_journal(Path(f"{prefix}.g")):
            if line.parquet is not None:
                dataset_of_part = pyarrow.dataset.dataset(Path(f"{prefix}.g") / line.parquet.path, format="parquet")
                assert dataset_of_part.count_rows() == line.counts.rows
        assert main(["regenie", *words, "--out", str(prefix), "--resume"]) == 0
        assert content(prefix) == content(tmp_path / "whole")
    assert n_killed >= 10


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_real_signal_ends_the_command_with_its_code_and_a_hint(
    arguments: list[str], whole: Path, tmp_path: Path, number: signal.Signals
) -> None:
    prefix = tmp_path / "out"
    slow = list(arguments)
    slow[slow.index("--chunk-variants") + 1] = "1"
    words = [sys.executable, "-m", "g_core", "regenie", *slow, "--out", str(prefix)]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not (Path(f"{prefix}.g") / JOURNAL_NAME).exists():
        time.sleep(0.01)
    process.send_signal(number)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert "variants are saved; resume with: g regenie --config" in told
    run([*arguments, "--resume"], prefix)
    texts = {name: digest for name, digest in content(prefix).items() if is_final(name)}
    assert texts.items() <= content(whole).items()


def test_a_finished_run_is_left_alone_and_needs_no_jax(arguments: list[str], whole: Path) -> None:
    before = content(whole)
    program = (
        "import sys\n"
        "from g_core.cli.main import main\n"
        "code = main(sys.argv[1:])\n"
        "print('ended', code, 'jax' in sys.modules)\n"
    )
    words = [sys.executable, "-c", program, "regenie", *arguments, "--out", str(whole), "--resume"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "ended 0 False"
    assert "is finished; nothing is left to do" in done.stdout
    assert content(whole) == before


def test_a_process_killed_after_its_manifest_leaves_nothing_that_the_next_does_not_tidy(
    arguments: list[str], whole: Path
) -> None:
    before, folder = content(whole), Path(f"{whole}.g")
    (folder / JOURNAL_NAME).write_text("")
    (folder / ".staging").mkdir()
    (folder / ".text").mkdir()
    (folder / ".text" / "first-00000").write_text("CHROM\n")
    (folder / OWNER_NAME).write_text(this_process().model_copy(update={"process_started": "1"}).model_dump_json())
    assert content(whole) != before
    run([*arguments, "--resume"], whole)
    assert content(whole) == before


def test_what_goes_wrong_after_the_manifest_takes_no_result_away(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object) -> None:
        raise KeyboardInterrupt

    prefix = tmp_path / "out"
    with monkeypatch.context() as patched:
        patched.setattr("g_core.engine.run.end_events", refuse)
        with pytest.raises(KeyboardInterrupt):
            run(arguments, prefix)
    assert read_manifest(Path(f"{prefix}.g")).rows > 0
    assert run([*arguments, "--resume"], prefix).rows > 0


def test_a_part_of_a_process_that_died_before_its_first_line_is_not_kept(
    arguments: list[str], whole: Path, tmp_path: Path
) -> None:
    prefix = tmp_path / "out"
    stray = Path(f"{prefix}.g/first/part-00077.parquet")
    stray.parent.mkdir(parents=True)
    stray.write_bytes(b"of another cut")
    (Path(f"{prefix}.g") / JOURNAL_NAME).write_text('{"kind":"part","tra')
    for name in ("run.json", "effective_config.toml"):
        (Path(f"{prefix}.g") / name).write_bytes((Path(f"{whole}.g") / name).read_bytes())
    run([*arguments, "--resume"], prefix)
    assert content(prefix) == content(whole)


def test_an_occupied_directory_is_refused_with_the_remedies(arguments: list[str], whole: Path) -> None:
    with pytest.raises(OutputError, match=r"out\.g: already holds a run; choose another --out, .* with --resume"):
        run(arguments, whole)


def test_another_run_is_refused_by_its_first_difference_and_nothing_changes(arguments: list[str], whole: Path) -> None:
    before = content(whole)
    with pytest.raises(UsageError, match=r"the same run only: filters\.min_mac was 5\.0 and is 20\.0"):
        run([*arguments, "--minMAC", "20", "--resume"], whole)
    assert content(whole) == before


def test_threads_and_chunks_may_differ_when_a_run_goes_on(
    arguments: list[str], whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prefix = tmp_path / "out"
    with monkeypatch.context() as patched:
        stop_after(5, patched)
        assert main(["regenie", *arguments, "--out", str(prefix)]) == 128 + signal.SIGTERM
    other = list(arguments)
    other[other.index("--chunk-variants") + 1] = "33"
    other[other.index("--threads") + 1] = "2"
    run([*other, "--resume"], prefix)
    texts = {name: digest for name, digest in content(prefix).items() if is_final(name)}
    assert len(texts) == 6
    assert texts.items() <= content(whole).items()


def test_a_changed_input_is_named(dataset: SimulatedDataset, tmp_path: Path) -> None:
    traits = write_three_traits(tmp_path / "traits.txt", dataset)
    words = [*quantitative_arguments(dataset, traits), *SMALL_PARTS]
    run(words, tmp_path / "out")
    traits.write_text(traits.read_text() + "9999 9999 1 2 3\n")
    with pytest.raises(UsageError, match=r"traits\.txt \(--phenoFile\) has changed"):
        run([*words, "--resume"], tmp_path / "out")


@pytest.mark.parametrize(
    ("damage", "mode", "message"),
    [
        (lambda path: path.unlink(), "fast", "was committed and is gone"),
        (lambda path: path.write_bytes(path.read_bytes()[:-1]), "fast", "bytes and was committed with"),
        (
            lambda path: path.write_bytes(path.read_bytes()[:-9] + b"x" + path.read_bytes()[-8:]),
            "strict",
            "its content is not what was committed",
        ),
    ],
    ids=["deleted", "cut", "one byte"],
)
def test_a_part_that_is_not_what_was_committed_is_named(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage, mode: str, message: str
) -> None:
    prefix = tmp_path / "out"
    with monkeypatch.context() as patched:
        stop_after(9, patched)
        main(["regenie", *arguments, "--out", str(prefix)])
    part = Path(f"{prefix}.g/second/part-00001.parquet")
    damage(part)
    with pytest.raises(OutputError, match=rf"second/part-00001\.parquet: .*{message}"):
        run([*arguments, "--resume", "--resume-mode", mode], prefix)


def test_a_torn_line_of_the_journal_is_passed_over(
    arguments: list[str], whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prefix = tmp_path / "out"
    with monkeypatch.context() as patched:
        stop_after(9, patched)
        main(["regenie", *arguments, "--out", str(prefix)])
    journal = Path(f"{prefix}.g") / JOURNAL_NAME
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-1]) + lines[-1][: len(lines[-1]) // 2])
    run([*arguments, "--resume"], prefix)
    assert content(prefix) == content(whole)


def test_a_second_process_is_refused_by_the_name_of_the_first(arguments: list[str], whole: Path) -> None:
    owner = this_process()
    path = Path(f"{whole}.g") / OWNER_NAME
    path.write_text(owner.model_dump_json())
    try:
        with pytest.raises(OutputError, match=rf"is being written by process {owner.process} on {owner.host}"):
            run(arguments, whole)
    finally:
        path.unlink()


def test_the_owner_of_another_boot_or_of_a_used_up_process_number_is_gone(tmp_path: Path, arguments: list[str]) -> None:
    folder = tmp_path / "out.g"
    folder.mkdir()
    stale = this_process().model_copy(update={"process_started": "1"})
    (folder / OWNER_NAME).write_text(stale.model_dump_json())
    assert run(arguments, tmp_path / "out").rows > 0
    assert not (folder / OWNER_NAME).exists()


def test_the_identity_names_every_input(arguments: list[str], whole: Path, dataset: SimulatedDataset) -> None:
    identity = json.loads((Path(f"{whole}.g") / "run.json").read_text())
    assert {each["option"] for each in identity["inputs"]} == {"--bgen", "--sample", "--phenoFile", "--covarFile"}
    bgen = next(each for each in identity["inputs"] if each["option"] == "--bgen")
    assert bgen["sha256"] == hashlib.sha256(dataset.bgen.read_bytes()).hexdigest()
