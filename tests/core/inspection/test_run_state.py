"""What is read of a run directory: the manifest of a finished run, the journal of another, and nothing else."""

import pytest

from g_core.engine.manifest import RunStatus
from g_core.engine.run_lock import RunLock
from g_core.errors import InputError
from g_core.inspection.run_state import RowCounts, read_run_state
from tests.core.inspection.run_directories import commit_parts, finish_run, make_run
from tests.core.results.result_rows import result_rows

ROWS = result_rows(600)
COUNTS = RowCounts(
    rows=600, failed=5, corrected=4, below_minimum_mac=2, below_minimum_info=0, below_minimum_homozygotes=0
)


@pytest.fixture
def unfinished(tmp_path):
    """Two traits; of the second nothing is committed yet."""
    directory = tmp_path / "out.g"
    make_run(directory, ["height/m", "weight"])
    commit_parts(directory, "height/m", [ROWS.slice(0, 250), ROWS.slice(250)])
    return directory


def test_an_unfinished_run_has_what_its_journal_names(unfinished):
    state = read_run_state(unfinished)
    assert state.manifest is None
    height, weight = state.traits
    assert (height.name, height.status, height.counts) == ("height/m", None, COUNTS)
    assert [path.name for path in height.parts] == ["part-00000.parquet", "part-00001.parquet"]
    assert all(path.exists() for path in height.parts)
    assert (weight.name, weight.counts.rows, weight.parts) == ("weight", 0, ())


def test_a_torn_last_line_of_the_journal_counts_for_nothing(unfinished):
    journal = unfinished / "journal.jsonl"
    before = read_run_state(unfinished)
    with journal.open("ab") as handle:
        handle.write(journal.read_bytes()[:100])
    assert read_run_state(unfinished) == before


def test_a_part_that_no_record_names_is_not_read(unfinished):
    before = read_run_state(unfinished)
    folder = before.traits[0].parts[0].parent
    (folder / "part-00002.parquet").write_bytes(b"half")
    assert read_run_state(unfinished) == before


def test_a_finished_run_has_what_its_manifest_says(tmp_path):
    directory = tmp_path / "out.g"
    make_run(directory, ["height"])
    lines = commit_parts(directory, "height", [ROWS.slice(0, 250), ROWS.slice(250)])
    finish_run(directory, {"height": lines}, failed=["constant"])
    state = read_run_state(directory)
    height, constant = state.traits
    assert (height.status, height.counts) == (RunStatus.COMPLETE, COUNTS)
    assert height.other_files == (tmp_path / "out_height.regenie",)
    assert (constant.status, constant.reason, constant.parts) == (RunStatus.FAILED, "has only the value 1", ())


def test_the_process_that_writes_is_named(unfinished):
    assert read_run_state(unfinished).owner is None
    with RunLock(unfinished):
        owner = read_run_state(unfinished).owner
    assert owner is not None
    assert owner.describe().startswith("process ")


def test_another_folder_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"not a run directory: .* makes P\.g"):
        read_run_state(tmp_path)
    with pytest.raises(InputError, match="not a run directory"):
        read_run_state(tmp_path / "absent.g")


@pytest.mark.parametrize("name", ["run.json", "join_report.json", "manifest.json", "journal.jsonl"])
def test_a_damaged_record_is_named(unfinished, name):
    (unfinished / name).write_text('{"schema_name": "other"}')
    with pytest.raises(InputError, match=name):
        read_run_state(unfinished)
