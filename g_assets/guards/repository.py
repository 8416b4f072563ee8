"""What a guard looks at and what it says: the repository's files, and findings with their place.

Belongs here: reading the list of files once. Does not belong here: any rule; each rule is a module of its own.
"""

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Finding:
    """One breach of one rule. ``line`` counts from 1; 0 means the file as a whole."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        """The finding as editors and terminals understand it."""
        return f"{self.path}:{self.line}: {self.message}"


@dataclass(frozen=True, slots=True)
class Repository:
    """A folder and the files of it that count, as paths relative to it with forward slashes."""

    root: Path
    files: tuple[str, ...]

    def matching(self, *suffixes: str, under: str = "") -> tuple[str, ...]:
        """Files with one of the suffixes whose path starts with ``under``, sorted."""
        return tuple(name for name in self.files if name.startswith(under) and name.endswith(suffixes))

    def text(self, name: str) -> str:
        """Content of one file; bytes that are no UTF-8 come out as replacement characters."""
        return (self.root / name).read_text(encoding="utf-8", errors="replace")


Rule = Callable[[Repository], list[Finding]]


def open_repository(root: Path) -> Repository:
    """The files that git tracks or would track: what is ignored is nobody's business.

    Raises ``subprocess.CalledProcessError`` where ``root`` is no git work tree.
    """
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    names = sorted(name for name in listing.split("\0") if name and (root / name).is_file())
    return Repository(root=root, files=tuple(names))
