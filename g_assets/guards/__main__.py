"""``python -m g_assets.guards``: run every guard over this checkout; exit code 1 where one has findings."""

import sys
from pathlib import Path

from g_assets.guards import registry, repository

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Print each guard's findings and a closing count; 0 where there are none."""
    opened = repository.open_repository(ROOT)
    failed = 0
    for name, rule in registry.GUARDS.items():
        findings = rule(opened)
        failed += bool(findings)
        for finding in findings:
            sys.stdout.write(f"{finding}  [{name}]\n")
    sys.stdout.write(f"guards: {len(registry.GUARDS) - failed} passed, {failed} failed\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
