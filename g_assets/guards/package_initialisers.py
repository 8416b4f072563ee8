"""Rule: a package's ``__init__.py`` holds a docstring and nothing else.

One name then has one home, and importing one module never runs another.
"""

import ast

from g_assets.guards.repository import Finding, Repository

# Initialisers that may hold more, each with its reason.
EXCEPTIONS = {
    "g_core/__init__.py": "offers g_core.run(plan), the public call; it imports the engine only when called",
}

FEWEST_WORDS = 3


def check(repository: Repository) -> list[Finding]:
    """Every initialiser whose body is not exactly one docstring."""
    findings: list[Finding] = []
    for name in repository.matching("__init__.py"):
        if name in EXCEPTIONS:
            continue
        module = ast.parse(repository.text(name))
        docstring = ast.get_docstring(module)
        if not docstring or len(docstring.split()) < FEWEST_WORDS:
            findings.append(Finding(name, 1, "needs a docstring that says what the package holds"))
        rest = module.body if docstring is None else module.body[1:]
        findings.extend(
            Finding(name, node.lineno, "a package initialiser holds a docstring only: move this into a module")
            for node in rest
        )
    return findings
