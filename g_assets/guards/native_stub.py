"""Rule: g_core/_native.pyi says exactly what the built native module offers: names, members and parameters.

Types cannot be seen in a built module; those are what the tests of the module are for.
"""

import ast
import importlib
import inspect
from dataclasses import dataclass
from types import ModuleType

from g_assets.guards.repository import Finding, Repository

STUB = "g_core/_native.pyi"
MODULE = "g_core._native"


@dataclass(frozen=True, slots=True)
class Member:
    """One callable or attribute of the stub: parameters are None where it is a property."""

    line: int
    parameters: tuple[str, ...] | None


def check(repository: Repository) -> list[Finding]:
    """Names, members and parameters that the stub has and the module lacks, and the other way round."""
    try:
        module = importlib.import_module(MODULE)
    except ImportError as error:
        return [Finding(STUB, 0, f"the native module cannot be imported ({error}): run `make native`")]
    return compare(repository.text(STUB), module)


def compare(stub: str, module: ModuleType) -> list[Finding]:
    """Findings for one stub against one module."""
    findings: list[Finding] = []
    declared = {
        node.name: node
        for node in ast.parse(stub).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not is_protocol(node)
    }
    for name, node in declared.items():
        if not hasattr(module, name):
            findings.append(Finding(STUB, node.lineno, f"{name} is not in the native module"))
        elif isinstance(node, ast.ClassDef):
            findings.extend(compare_class(node, getattr(module, name)))
        else:
            findings.extend(compare_parameters(name, member_of(node), getattr(module, name)))
    findings.extend(
        Finding(STUB, 0, f"{name} is in the native module only")
        for name in public_names(module)
        if name not in declared
    )
    return findings


def compare_class(node: ast.ClassDef, actual: type) -> list[Finding]:
    """Findings for one class."""
    findings: list[Finding] = []
    members = {item.name: member_of(item) for item in node.body if isinstance(item, ast.FunctionDef)}
    for name, member in members.items():
        place = f"{node.name}.{name}"
        if name == "__new__":
            findings.extend(compare_parameters(node.name, member, actual))
        elif name not in vars(actual):
            findings.append(Finding(STUB, member.line, f"{place} is not in the native module"))
        elif (member.parameters is None) == callable(vars(actual)[name]):
            findings.append(Finding(STUB, member.line, f"{place} is a property on one side and a method on the other"))
        elif member.parameters is not None and not name.startswith("__"):
            findings.extend(compare_parameters(place, member, vars(actual)[name]))
    findings.extend(
        Finding(STUB, node.lineno, f"{node.name}.{name} is in the native module only")
        for name in public_names(actual)
        if name not in members
    )
    return findings


def compare_parameters(place: str, member: Member, actual: object) -> list[Finding]:
    """A finding where the parameters differ in name, order or kind; none where the module shows no signature."""
    if not callable(actual):
        return [Finding(STUB, member.line, f"{place} is not callable in the native module")]
    try:
        signature = inspect.signature(actual)
    except ValueError:
        return []
    found = tuple(describe(parameter) for parameter in signature.parameters.values() if parameter.name != "self")
    if found == member.parameters:
        return []
    return [Finding(STUB, member.line, f"{place} takes ({', '.join(found)}) in the native module")]


def describe(parameter: inspect.Parameter) -> str:
    """A parameter's name, marked with a star where it is keyword-only."""
    return f"*{parameter.name}" if parameter.kind is inspect.Parameter.KEYWORD_ONLY else parameter.name


def member_of(node: ast.FunctionDef) -> Member:
    """A function or method of the stub."""
    if any(isinstance(decorator, ast.Name) and decorator.id == "property" for decorator in node.decorator_list):
        return Member(node.lineno, None)
    names = [
        argument.arg for argument in (*node.args.posonlyargs, *node.args.args) if argument.arg not in {"self", "cls"}
    ]
    names += [f"*{argument.arg}" for argument in node.args.kwonlyargs]
    return Member(node.lineno, tuple(names))


def is_protocol(node: ast.FunctionDef | ast.ClassDef) -> bool:
    """Whether a class of the stub is there for type checkers alone."""
    return isinstance(node, ast.ClassDef) and any(
        isinstance(base, ast.Name) and base.id == "Protocol" for base in node.bases
    )


def public_names(owner: object) -> list[str]:
    """Names of a module or class that do not begin with an underscore."""
    return sorted(name for name in vars(owner) if not name.startswith("_"))
