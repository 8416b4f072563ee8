"""The journal: a line counts when it ends, whatever moment the process died at."""

from pathlib import Path

import pytest

from g_core.engine.journal import (
    JOURNAL_NAME,
    CommittedFile,
    Journal,
    PartCounts,
    PartLine,
    ResumedLine,
    contiguous_stop,
    read_journal,
)
from g_core.errors import OutputError


def part(number: int, *, trait: str | None = "Y") -> PartLine:
    counts = PartCounts(
        rows=9,
        rows_failed=0,
        rows_corrected=0,
        below_minimum_mac=1,
        below_minimum_info=0,
        below_minimum_homozygotes=0,
        lost_null_model=False,
    )
    return PartLine(
        kind="part",
        trait=trait,
        part=number,
        first_variant=10 * number,
        stop_variant=10 * number + 10,
        chromosome_code=22,
        counts=counts,
        parquet=CommittedFile(path=f"Y/part-{number:05d}.parquet", bytes=5, sha256="0" * 64),
        text=None,
    )


def test_lines_come_back_in_order(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    lines = [part(0), part(0, trait=None), part(1)]
    for line in lines:
        journal.append([line])
    assert read_journal(tmp_path) == lines


def test_a_line_that_was_cut_anywhere_does_not_count_and_does_not_spoil_the_next(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.append([part(0)])
    journal.append([part(1)])
    whole = (tmp_path / JOURNAL_NAME).read_bytes()
    start = whole.index(b"\n") + 1
    for length in range(start + 1, len(whole) - 1):
        (tmp_path / JOURNAL_NAME).write_bytes(whole[:length])
        assert read_journal(tmp_path) == [part(0)]
        journal.end_torn_line()
        journal.append([part(1)])
        assert read_journal(tmp_path) == [part(0), part(1)]


def test_a_line_of_another_version_is_an_error_with_its_number(tmp_path: Path) -> None:
    (tmp_path / JOURNAL_NAME).write_text('{"kind": "part", "version": 9}\n')
    with pytest.raises(OutputError, match="line 1: not a record of this version; start anew"):
        read_journal(tmp_path)


def test_what_reaches_beyond_the_point_of_resumption_is_taken_back(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    for line in (part(0), part(1), part(2), ResumedLine(kind="resumed", variant=20)):
        journal.append([line])
    assert read_journal(tmp_path) == [part(0), part(1)]


def test_parts_reach_as_far_as_they_have_no_gap() -> None:
    assert contiguous_stop([]) == 0
    assert contiguous_stop([part(1), part(0)]) == 20
    assert contiguous_stop([part(0), part(2)]) == 10
