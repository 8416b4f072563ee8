"""Rule: every relative link in a Markdown file leads to a file that exists, and to a heading that exists in it.

Links to the outside are not followed: a check must not depend on the network.
"""

import re
from pathlib import PurePosixPath

from g_assets.guards.repository import Finding, Repository

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$")
FENCE = re.compile(r"^\s*(?:```|~~~)")
OUTSIDE = ("http://", "https://", "mailto:")


def check(repository: Repository) -> list[Finding]:
    """Every link whose file or heading is not there."""
    findings: list[Finding] = []
    known = set(repository.files)
    folders = {str(parent) for name in known for parent in PurePosixPath(name).parents}
    for name in repository.matching(".md"):
        for number, line in prose_lines(repository.text(name)):
            for target in LINK.findall(line):
                if target.startswith(OUTSIDE):
                    continue
                path, _, anchor = target.partition("#")
                linked = normalise(PurePosixPath(name).parent, path) if path else name
                if linked not in known and linked not in folders:
                    findings.append(Finding(name, number, f"links to {target}, but there is no {linked}"))
                elif anchor and linked.endswith(".md") and anchor not in headings(repository.text(linked)):
                    findings.append(Finding(name, number, f"links to {target}, but {linked} has no such heading"))
    return findings


def prose_lines(text: str) -> list[tuple[int, str]]:
    """Numbered lines outside fenced code, with inline code taken out."""
    lines: list[tuple[int, str]] = []
    fenced = False
    for number, line in enumerate(text.splitlines(), start=1):
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            lines.append((number, re.sub(r"`[^`]*`", "", line)))
    return lines


def normalise(folder: PurePosixPath, path: str) -> str:
    """``folder/path`` with ``.`` and ``..`` resolved by name alone."""
    parts: list[str] = []
    for part in (folder / path).parts:
        if part == ".." and parts:
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts) or "."


def headings(text: str) -> set[str]:
    """Anchors of a Markdown file's headings, as code hosts build them."""
    anchors: set[str] = set()
    fenced = False
    for line in text.splitlines():
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced and (heading := HEADING.match(line)):
            words = re.sub(r"[^\w\- ]", "", heading.group(1).lower())
            anchors.add(words.replace(" ", "-"))
    return anchors
