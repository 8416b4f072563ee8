"""``g regenie``: association tests with REGENIE's step 2 options.

Belongs here: from words to a plan, and printing. Does not belong here: options (g_core/config), the scan
(g_core/engine).
"""

import sys
from collections.abc import Sequence

from g_core.config import arguments

DESCRIPTION = """\
Association tests of every variant in a BGEN file, with the options of REGENIE's step 2.
Options may also stand in a TOML file given with --config; flags win over the file, and the file over the defaults.
"""


def run(words: Sequence[str]) -> int:
    """Run ``g regenie`` and return its exit code.

    Raises:
        GError: The run cannot be planned or done.
    """
    parser = arguments.QuietParser(
        prog="g regenie",
        usage="g regenie --bgen FILE --phenoFile FILE --pred FILE --out PREFIX [options]",
        description=DESCRIPTION,
        allow_abbrev=False,
    )
    arguments.add_option_arguments(parser)
    given = arguments.parse_arguments(parser, words)

    # Only now: these import pydantic, numpy and jax, and a mistyped flag should not wait for them.
    from g_core.config.build_plan import build_run_plan
    from g_core.config.load import merge

    plan = build_run_plan(merge(given))
    for note in given.notes:
        announce(f"note: {note}")

    if plan.diagnostics.dry_run:
        from g_core.engine.dry_run import dry_run

        for line in dry_run(plan):
            announce(line)
        return 0

    from g_core.engine.process_age import process_age_seconds
    from g_core.engine.run import run_association

    result = run_association(plan, announce, startup_seconds=process_age_seconds())
    for line in result.lines():
        announce(line)
    failures = result.failures()
    if failures:
        n_traits = len(result.manifest.traits)
        told = "".join(f"\n  - {line}" for line in failures)
        others = ", the others are complete" if len(failures) < n_traits else ""
        sys.stderr.write(f"error: {len(failures)} of {n_traits} traits failed{others}:{told}\n")
    return result.exit_code


def announce(line: str) -> None:
    """Print one line at once, so that it is seen while the run goes on."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
