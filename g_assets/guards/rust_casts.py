"""Rule: Rust code narrows numbers with ``try_from``, never with ``as``, outside a short audited list.

``as`` drops bits without a word: a file that claims 5 billion samples would become a small, wrong number. Clippy's
pedantic casts lints know the types and do the real work under ``-D warnings``; this guard sees to it that they are not
switched off on the quiet, and that casts into types of 32 bits and fewer stand in audited files only.
"""

import re

from g_assets.guards.repository import Finding, Repository

# Files that may cast, each with the reason why no value can be cut there.
AUDITED = {
    "rust/bgen/src/convert.rs": "named conversions, each with the range in which nothing is cut",
}

NARROWING = re.compile(r"\bas (?:u8|i8|u16|i16|u32|i32|f32)\b")
SILENCED = re.compile(r"\b(?:allow|expect)\(.*clippy::(?:as_conversions|cast_\w+)")
TEST_MODULE = re.compile(r"^\s*#\[cfg\(test\)\]")
TEST_FOLDERS = ("/tests/", "/benches/")


def check(repository: Repository) -> list[Finding]:
    """Every narrowing cast and silenced cast lint outside the audited files, and audited files without any."""
    findings: list[Finding] = []
    seen: set[str] = set()
    for name in repository.matching(".rs", under="rust/"):
        if any(folder in name for folder in TEST_FOLDERS):
            continue
        found = casts_of(name, repository.text(name))
        if not found:
            continue
        seen.add(name)
        if name not in AUDITED:
            findings.extend(found)
    findings.extend(
        Finding(name, 0, "is audited for casts but has none: strike it") for name in AUDITED if name not in seen
    )
    return findings


def casts_of(name: str, source: str) -> list[Finding]:
    """Casts of one file, its comments and its test module left out."""
    findings: list[Finding] = []
    for number, line in enumerate(source.splitlines(), start=1):
        if TEST_MODULE.match(line):
            break
        code = line.split("//")[0]
        if found := NARROWING.search(code):
            findings.append(Finding(name, number, f"narrowing cast `{found.group()}`: use try_from"))
        if SILENCED.search(code):
            findings.append(Finding(name, number, "switches off a cast lint: use try_from, or have the file audited"))
    return findings
