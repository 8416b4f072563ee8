"""The progress line says done, total, share, rate and time left."""

from g_core.engine.progress import ProgressLine, clock_text


def test_the_line_counts_what_is_done() -> None:
    line = ProgressLine(20_000)
    line.advance(5_000)
    assert line.text(2.0) == "5,000 / 20,000 variants (25 %), 2,500 variants/s, 0:06 left"


def test_hours_are_shown_when_there_are_any() -> None:
    assert clock_text(59.4) == "0:59"
    assert clock_text(3_725) == "1:02:05"


def test_nothing_to_do_divides_by_nothing() -> None:
    assert ProgressLine(0).text(0.0) == "0 / 0 variants (100 %), 0 variants/s, 0:00 left"
