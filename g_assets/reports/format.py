"""Numbers, times and names as people read them.

Belongs here: one way to write each kind of value; what is not there is a dash, never NaN. Does not belong here: tables.
"""

from datetime import UTC, datetime

MISSING = "-"
KIBIBYTE = 1024
SHORT_ID_LENGTH = 8
SHORT_COMMIT_LENGTH = 10


def seconds(value: float | None) -> str:
    """``12.3 s``, ``0.42 s``."""
    if value is None:
        return MISSING
    return f"{value:.1f} s" if value >= 10 else f"{value:.2f} s"


def count(value: float | None) -> str:
    """``20,000``."""
    return MISSING if value is None else f"{value:,.0f}"


def size(value: int | None) -> str:
    """``1.5 MiB``."""
    if value is None:
        return MISSING
    amount, unit = float(value), "B"
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if amount < KIBIBYTE:
            break
        amount, unit = amount / KIBIBYTE, larger
    return f"{value} B" if unit == "B" else f"{amount:.1f} {unit}"


def change(ratio: float | None) -> str:
    """``+3.2 %`` of a ratio of 1.032."""
    return MISSING if ratio is None else f"{(ratio - 1) * 100:+.1f} %"


def moment(value: datetime | None) -> str:
    """``2026-11-30 15:41 UTC``."""
    return MISSING if value is None else value.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


def short_run(run_id: str) -> str:
    """The first characters of a run id; enough to find it."""
    return run_id[:SHORT_ID_LENGTH]


def commit(value: str | None, *, dirty: bool | None) -> str:
    """The commit, and whether the tree differed from it."""
    if value is None:
        return "unknown"
    return value[:SHORT_COMMIT_LENGTH] + (" with changes" if dirty else "")


def plural(number: int, noun: str) -> str:
    """``1 cell``, ``2 cells``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def in_table(text: str) -> str:
    """Text that cannot break out of a Markdown table's cell."""
    return " ".join(text.replace("|", "\\|").split())
