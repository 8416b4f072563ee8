"""Rule: functions inside g_core have no default parameters.

A default deep inside is an option that nobody can see: it would change a published number without standing in
g_core/config/default.toml. What people call themselves (the command, the public Python calls) may have defaults.
"""

import ast

from g_assets.guards.repository import Finding, Repository

# Files (or folders, with a closing slash) whose functions people call themselves, each with its reason.
PUBLIC = {
    "g_core/__init__.py": "the public call",
    "g_core/bgen.py": "the public reader",
    "g_core/cli/": "the command's own arguments",
    "g_core/config/arguments.py": "an argparse action has argparse's own signature",
}


def check(repository: Repository) -> list[Finding]:
    """Every default parameter of a function or method in g_core that is not public."""
    findings: list[Finding] = []
    for name in repository.matching(".py", under="g_core/"):
        if name.startswith(tuple(PUBLIC)):
            continue
        for node in ast.walk(ast.parse(repository.text(name))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                findings.extend(
                    Finding(name, parameter.lineno, f"parameter {parameter.arg} has a default: name it in the caller")
                    for parameter in parameters_with_default(node.args)
                )
    return findings


def parameters_with_default(arguments: ast.arguments) -> list[ast.arg]:
    """Parameters of a signature that may be left out, in their order.

    ``lambda x=x: ...`` does not count: it binds a loop's variable and is no choice.
    """
    positional = [*arguments.posonlyargs, *arguments.args]
    optional = positional[len(positional) - len(arguments.defaults) :]
    pairs = [
        *zip(optional, arguments.defaults, strict=True),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    return [parameter for parameter, default in pairs if default is not None and not binds(parameter, default)]


def binds(parameter: ast.arg, default: ast.expr) -> bool:
    """Whether a default only repeats the parameter's own name."""
    return isinstance(default, ast.Name) and default.id == parameter.arg
