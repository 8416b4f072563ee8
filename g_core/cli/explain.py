"""``g explain``: every intermediate of one test of a run.

Belongs here: from words to a plan, and printing. Does not belong here: what is told (g_core/explain).
"""

import sys
from collections.abc import Sequence

from g_core.config import arguments
from g_core.errors import UsageError

DESCRIPTION = """\
Prints every intermediate of the test of one variant and one trait: who is analysed, the genotype, why a filter or a
branch took it, the null models, each step of a Firth fit, and the row. Takes the words of `g regenie`; writes nothing.
"""


def run(words: Sequence[str]) -> int:
    """Run ``g explain`` and return its exit code.

    Raises:
        GError: The inputs cannot be read, or hold no such variant or trait.
    """
    parser = arguments.QuietParser(
        prog="g explain",
        usage="g explain --variant ID [--trait NAME] ARGUMENTS OF g regenie",
        description=DESCRIPTION,
        allow_abbrev=False,
    )
    parser.add_argument("--variant", metavar="ID", help="variant to explain (required)")
    parser.add_argument("--trait", metavar="NAME", help="trait to explain; may be left out where the run has one")
    arguments.add_option_arguments(parser)
    asked, _ = parser.parse_known_args(list(words))
    given = arguments.parse_arguments(parser, words)
    if asked.variant is None:
        raise UsageError("--variant is missing: which variant (the BGEN's rsid) is to be explained?")

    # Only now: these import pydantic, numpy and jax, and a mistyped flag should not wait for them.
    from g_core.config.build_plan import build_run_plan
    from g_core.config.load import merge
    from g_core.explain.explanation import explain

    sections = explain(build_run_plan(merge(given)), asked.variant, asked.trait)
    sys.stdout.write("\n\n".join("\n".join(section.lines()) for section in sections) + "\n")
    return 0
