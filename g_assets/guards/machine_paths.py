"""Rule: no file names a place that exists on one machine only, nor the host of a package registry.

Such a path works for its author and fails for everybody else; a registry's host belongs into the client's settings.
"""

import re

from g_assets.guards.repository import Finding, Repository

# Written so that this file does not match itself.
MACHINE_PATH = re.compile(r"(?<![\w.~-])/(?:root|work|home/[a-z][\w-]*|Users/[A-Za-z]\w*)/")
REGISTRY_HOST = re.compile(r"(?:pypi|pythonhosted|crates|debian|npmjs)\.(?:org|io)\b(?!-index)")

BINARY_SUFFIXES = (".png", ".bgen", ".parquet", ".gz")
# Cargo writes the index's name into its lock file; that spelling is the same on every machine.
LOCK_FILES = frozenset({"Cargo.lock"})


def check(repository: Repository) -> list[Finding]:
    """Every line that names a machine's own path or a registry's host."""
    findings: list[Finding] = []
    for name in repository.files:
        if name.endswith(BINARY_SUFFIXES) or name in LOCK_FILES:
            continue
        for number, line in enumerate(repository.text(name).splitlines(), start=1):
            if found := MACHINE_PATH.search(line):
                findings.append(Finding(name, number, f"names a path of one machine: {found.group()}"))
            if found := REGISTRY_HOST.search(line):
                findings.append(Finding(name, number, f"names the host of a package registry: {found.group()}"))
    return findings
