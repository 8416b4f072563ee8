"""Ending a process with everything it started.

Belongs here: finding the members of a tree and ending them, gently and then not. Does not belong here: when to do it.
"""

import os
import signal
import time
from pathlib import Path

POLL_SECONDS = 0.02


def end_tree(process_id: int, grace_seconds: float) -> None:
    """End a process that leads its own session, its descendants, and its session's members: SIGTERM, then SIGKILL.

    The process itself stays to be collected by its parent.
    """
    members = tree_members(process_id)
    if not members:
        return
    if grace_seconds > 0:
        signal_all(members, signal.SIGTERM)
        deadline = time.monotonic() + grace_seconds
        while time.monotonic() < deadline and any(is_running(member) for member in members):
            time.sleep(POLL_SECONDS)
    signal_all(tree_members(process_id) | {member for member in members if is_running(member)}, signal.SIGKILL)


def tree_members(process_id: int) -> set[int]:
    """Running processes that descend from ``process_id`` or share its session, itself included."""
    facts = {member: entry for member in running_process_ids() if (entry := read_stat(member)) is not None}
    members = {member for member, (_, session, _) in facts.items() if process_id in {member, session}}
    size = -1
    while size != len(members):
        size = len(members)
        members |= {member for member, (parent, _, _) in facts.items() if parent in members}
    return {member for member in members if facts[member][2] not in "ZX"}


def running_process_ids() -> list[int]:
    """Ids of all processes this one can see."""
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def read_stat(process_id: int) -> tuple[int, int, str] | None:
    """Parent id, session id and state letter of a process, or None when it is gone."""
    try:
        text = Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    # The name stands in parentheses and may hold anything, parentheses and blanks too.
    state, parent, _, session = text.rpartition(")")[2].split()[:4]
    return int(parent), int(session), state


def is_running(process_id: int) -> bool:
    """Whether a process is there and not only waiting to be collected."""
    facts = read_stat(process_id)
    return facts is not None and facts[2] not in "ZX"


def signal_all(process_ids: set[int], number: signal.Signals) -> None:
    """Send a signal to each process that is still there."""
    for process_id in process_ids:
        try:
            os.kill(process_id, number)
        except (ProcessLookupError, PermissionError):
            continue
