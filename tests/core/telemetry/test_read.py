"""Every kind of event comes back as it was told; a line that is no event is refused by its number."""

import dataclasses
from pathlib import Path
from typing import get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from g_core.errors import InputError
from g_core.telemetry.events import EVENT_TYPES, EventKind
from g_core.telemetry.read import read_events
from g_core.telemetry.writer import StampedEvent, event_line

TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"]))
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
PERSONAL_NAMES = {"sample", "sample_id", "iid", "fid", "individual", "family", "value", "message", "reason"}


@pytest.mark.parametrize("kind", EventKind)
def test_every_kind_has_its_event(kind: EventKind) -> None:
    assert EVENT_TYPES[kind].kind is kind


def any_event() -> st.SearchStrategy:
    strategies = {str: TEXT, float: NUMBERS, tuple[str, ...]: st.lists(TEXT).map(tuple)}
    return st.one_of(
        [
            st.builds(
                event,
                **{
                    field.name: strategies[field.type]
                    for field in dataclasses.fields(event)
                    if field.type in strategies
                },
            )
            for event in EVENT_TYPES.values()
        ]
    )


@given(st.lists(any_event(), min_size=1))
def test_any_events_come_back_equal(tmp_path_factory: pytest.TempPathFactory, events: list) -> None:
    path = tmp_path_factory.mktemp("log") / "events.jsonl"
    lines = [event_line(StampedEvent(number, 0.5, event)) for number, event in enumerate(events)]
    path.write_text("".join(lines))
    log = read_events(path)
    assert [line.event for line in log.events] == events
    assert log.n_cut_lines == 0


def test_no_event_has_room_for_a_persons_data() -> None:
    for event in EVENT_TYPES.values():
        for name, annotation in get_type_hints(event).items():
            assert name not in PERSONAL_NAMES
            assert annotation not in (list, dict, object), "closed fields only"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"schema_version":2,"sequence":0,"seconds":0,"kind":"plan","fields":{}}', "schema_version"),
        ('{"schema_version":1,"sequence":0,"seconds":0,"kind":"lunch","fields":{}}', "kind"),
        ('{"schema_version":1,"sequence":0,"seconds":0,"kind":"run_failed","fields":{"exit_code":1}}', "error_code"),
        (
            '{"schema_version":1,"sequence":0,"seconds":0,"kind":"session_closed","fields":{"accepted":1,"written":1,"dropped":0,"sample":"S1"}}',
            "sample",
        ),
    ],
)
def test_a_line_that_is_no_event_is_refused_by_its_number(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(InputError, match=f"line 1: .*{problem}"):
        read_events(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"absent\.jsonl: cannot read: No such file"):
        read_events(tmp_path / "absent.jsonl")
