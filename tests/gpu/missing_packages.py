"""Prints what must be installed before the check can run, one requirement a line: name==version.

Belongs here: what the engine needs (pyproject.toml), which of it this Python lacks, and which versions are pinned
(constraints.txt). It runs before anything is installed, so it uses the standard library alone.
"""

import argparse
import importlib.metadata
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def name_of(requirement: str) -> str:
    """The package of a requirement such as ``jax[cuda13]>=0.10``."""
    return re.split(r"[\[<>=!~; ]", requirement, maxsplit=1)[0]


def pinned_versions(text: str, python: tuple[int, int]) -> dict[str, str]:
    """Versions by package out of the text of a constraints file, for one version of Python."""
    versions: dict[str, str] = {}
    for line in filter(None, text.splitlines()):
        pin, _, marker = line.partition(";")
        name, _, version = pin.strip().partition("==")
        limit = re.search(r"python_full_version (<|>=) '(\d+)\.(\d+)'", marker)
        if limit and ((python < (int(limit[2]), int(limit[3]))) != (limit[1] == "<")):
            continue
        versions[name] = version
    return versions


def is_installed(name: str) -> bool:
    """Whether this Python has the package."""
    try:
        importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def main() -> None:
    """Print the requirements."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", choices=["gpu", "cpu"], required=True)
    device = parser.parse_args().device
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    versions = pinned_versions((ROOT / "constraints.txt").read_text(encoding="utf-8"), sys.version_info[:2])
    missing = [name for name in map(name_of, project["dependencies"]) if not is_installed(name)]
    if device == "gpu":
        # jax[cuda13], spelled so that a JAX that is there keeps its version.
        (extra,) = project["optional-dependencies"]["gpu"]
        cuda = re.search(r"\[(cuda\d+)\]", extra)
        plugin = f"jax-{cuda[1]}-plugin" if cuda else "jax-cuda13-plugin"
        if not is_installed(plugin):
            version = importlib.metadata.version("jax") if is_installed("jax") else versions["jax"]
            missing = [name for name in missing if name != "jax"]
            sys.stdout.write(f"{extra.split('>')[0]}=={version}\n")
    for name in missing:
        sys.stdout.write(f"{name}=={versions[name]}\n")


if __name__ == "__main__":
    main()
