"""The choice of the baseline, as a table of cases."""

from datetime import UTC, datetime, timedelta

import pytest

from g_assets.compare.baseline import (
    Baseline,
    BaselineCandidate,
    FileState,
    NoBaseline,
    choose_baseline,
    manifest_file_state,
)

START = datetime(2026, 11, 1, tzinfo=UTC)
SCOPE = "scope"


def candidate(name, day, *, scope=SCOPE, valid=True, path="default", sha256="x"):
    run_id = f"{name}-0000-0000"
    path = f"artifacts/{run_id}/matrix.json" if path == "default" else path
    return BaselineCandidate(run_id, START + timedelta(days=day), scope, valid, path, sha256)


def choose(candidates, forced=None, *, states=None, current="now"):
    states = states or {}
    known = {entry.manifest_path for entry in candidates}

    def file_state(path, sha256):
        return states.get(path, FileState.UNCHANGED if path in known else FileState.MISSING)

    return choose_baseline(candidates, SCOPE, forced, current_run_id=current, file_state=file_state)


def test_the_newest_of_equal_scope_whatever_the_order():
    runs = [candidate("middle01", 2), candidate("newest01", 3), candidate("oldest01", 1)]
    chosen = choose(runs)
    assert isinstance(chosen, Baseline)
    assert (chosen.run_id, chosen.forced, chosen.same_scope) == ("newest01-0000-0000", False, True)
    assert chosen.manifest_path == "artifacts/newest01-0000-0000/matrix.json"


def test_a_run_is_never_its_own_baseline():
    own = candidate("newest01", 3)
    chosen = choose([own, candidate("oldest01", 1)], current=own.run_id)
    assert chosen.run_id == "oldest01-0000-0000"


def test_no_run_yet():
    assert choose([]) == NoBaseline("no earlier run", ())


GONE = candidate("passed01", 5)


@pytest.mark.parametrize(
    ("passed_over", "state", "reason"),
    [
        (candidate("passed01", 5, scope="other"), None, "another scope"),
        (candidate("passed01", 5, scope=None), None, "another scope"),
        (candidate("passed01", 5, valid=False), None, "not a valid run"),
        (candidate("passed01", 5, valid=None), None, "does not say whether it is valid"),
        (candidate("passed01", 5, path=None), None, "names no manifest file"),
        (GONE, FileState.MISSING, f"its manifest {GONE.manifest_path} is gone"),
        (GONE, FileState.CHANGED, f"its manifest {GONE.manifest_path} has changed since it was recorded"),
    ],
)
def test_a_run_that_cannot_serve_is_passed_over_with_the_reason(passed_over, state, reason):
    states = {} if state is None else {passed_over.manifest_path: state}
    chosen = choose([passed_over, candidate("fallback", 1)], states=states)
    assert isinstance(chosen, Baseline)
    assert chosen.run_id == "fallback-0000-0000"
    assert [(run.run_id, run.reason) for run in chosen.skipped] == [(passed_over.run_id, reason)]
    alone = choose([passed_over], states=states)
    assert isinstance(alone, NoBaseline)
    assert "no earlier valid run of equal scope" in alone.reason
    assert alone.skipped == chosen.skipped


@pytest.mark.parametrize("forced", ["wanted01-0000-0000", "wanted01", "artifacts/wanted01-0000-0000/matrix.json"])
def test_forced_by_run_id_short_id_or_path(forced):
    chosen = choose([candidate("newest01", 3), candidate("wanted01", 1)], forced)
    assert isinstance(chosen, Baseline)
    assert (chosen.run_id, chosen.forced, chosen.same_scope) == ("wanted01-0000-0000", True, True)


def test_a_forced_run_of_another_scope_is_taken_and_marked():
    chosen = choose([candidate("wanted01", 1, scope="other")], "wanted01")
    assert (chosen.run_id, chosen.same_scope) == ("wanted01-0000-0000", False)


def test_a_forced_failed_run_is_refused():
    chosen = choose([candidate("wanted01", 1, valid=False), candidate("newest01", 3)], "wanted01")
    assert chosen == NoBaseline("the forced baseline wanted01-0000-0000 cannot be used: not a valid run", ())


def test_a_forced_run_whose_file_is_gone_is_refused():
    wanted = candidate("wanted01", 1)
    chosen = choose([wanted], "wanted01", states={wanted.manifest_path: FileState.MISSING})
    assert isinstance(chosen, NoBaseline)
    assert "is gone" in chosen.reason


def test_too_short_an_id_names_no_run():
    assert isinstance(choose([candidate("wanted01", 1)], "wanted"), NoBaseline)


def test_an_id_that_fits_two_runs_is_refused_with_both():
    first = candidate("wanted01", 1)
    second = BaselineCandidate("wanted01-9999", START, SCOPE, True, "artifacts/second/matrix.json", "x")
    chosen = choose([first, second], "wanted01")
    assert isinstance(chosen, NoBaseline)
    assert all(run.run_id in chosen.reason for run in (first, second))


def test_a_forced_path_that_no_run_recorded_is_taken_from_disk(tmp_path):
    path = tmp_path / "matrix.json"
    path.write_text("{}")
    chosen = choose_baseline([], SCOPE, str(path), current_run_id="now", file_state=manifest_file_state)
    assert chosen == Baseline(str(path), None, True, None, ())
    path.unlink()
    gone = choose_baseline([], SCOPE, str(path), current_run_id="now", file_state=manifest_file_state)
    assert isinstance(gone, NoBaseline)


def test_the_state_of_a_manifest_file(tmp_path):
    path = tmp_path / "matrix.json"
    assert manifest_file_state(str(path), None) is FileState.MISSING
    path.write_bytes(b"abc")
    digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert manifest_file_state(str(path), digest) is FileState.UNCHANGED
    assert manifest_file_state(str(path), None) is FileState.UNCHANGED
    path.write_bytes(b"abd")
    assert manifest_file_state(str(path), digest) is FileState.CHANGED
