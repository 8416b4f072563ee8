"""Each guard finds what it is there for, and the repository itself is clean."""

from pathlib import Path
from types import ModuleType

import pytest

from g_assets.guards import (
    __main__,
    crate_arrows,
    documentation_links,
    hidden_defaults,
    machine_paths,
    native_stub,
    package_initialisers,
    registry,
    rust_casts,
)
from g_assets.guards.repository import Finding, Repository, Rule, open_repository


@pytest.fixture
def findings_of(tmp_path: Path):
    """Run one rule over a folder that holds the given files, and give its findings as (path, line)."""

    def run(rule: Rule, files: dict[str, str]) -> list[tuple[str, int]]:
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        return sorted((finding.path, finding.line) for finding in rule(Repository(tmp_path, tuple(files))))

    return run


@pytest.mark.parametrize("name", registry.GUARDS)
def test_this_repository_keeps_the_rule(name: str):
    findings = registry.GUARDS[name](open_repository(__main__.ROOT))
    assert [str(finding) for finding in findings] == []


def test_a_finding_prints_as_file_line_and_message():
    assert str(Finding("g_core/errors.py", 7, "no")) == "g_core/errors.py:7: no"


def test_an_initialiser_with_code_or_without_words_is_found(findings_of):
    found = findings_of(
        package_initialisers.check,
        {
            "good/__init__.py": '"""What belongs here."""\n',
            "empty/__init__.py": "",
            "dot/__init__.py": '"""."""\n',
            "code/__init__.py": '"""What belongs here."""\n\nfrom a import b\n',
        },
    )
    assert found == [("code/__init__.py", 3), ("dot/__init__.py", 1), ("empty/__init__.py", 1)]


def test_a_path_of_one_machine_and_a_registry_host_are_found(findings_of):
    private_path, host = "/" + "home/ada/data", "pypi" + ".org"
    found = findings_of(
        machine_paths.check,
        {
            "fine.md": "see docs/home/index.md, https://example.org/work/x and ~/work/\n",
            "path.py": f"first = 1\nsecond = '{private_path}/x'\n",
            "host.toml": f'index = "https://{host}/simple"\n',
            "picture.png": private_path + "/",
        },
    )
    assert found == [("host.toml", 1), ("path.py", 2)]


def test_a_narrowing_cast_and_a_silenced_lint_are_found_outside_tests_and_comments(findings_of, monkeypatch):
    monkeypatch.setattr(rust_casts, "AUDITED", {"rust/a/src/gone.rs": "nothing there any more"})
    found = findings_of(
        rust_casts.check,
        {
            "rust/a/src/lib.rs": "let a = b as u64; // as u8\nlet c = d as u16;\n#[cfg(test)]\nlet e = f as u8;\n",
            "rust/a/src/silent.rs": "#![allow(clippy::cast_possible_truncation)]\n",
            "rust/a/benches/speed.rs": "let a = b as u8;\n",
        },
    )
    assert found == [("rust/a/src/gone.rs", 0), ("rust/a/src/lib.rs", 2), ("rust/a/src/silent.rs", 1)]


def test_a_format_crate_that_knows_python_or_a_sibling_is_found(findings_of):
    found = findings_of(
        crate_arrows.check,
        {
            "rust/native/Cargo.toml": "[dependencies]\npyo3 = '1'\ng-bgen = { path = '../bgen' }\n",
            "rust/bgen/Cargo.toml": "[dependencies]\nthiserror = '2'\n[dev-dependencies]\npyo3 = '1'\ng-tables = '1'\n",
        },
    )
    assert found == [("rust/bgen/Cargo.toml", 0), ("rust/bgen/Cargo.toml", 0)]


def test_a_link_to_a_missing_file_or_heading_is_found(findings_of):
    found = findings_of(
        documentation_links.check,
        {
            "README.md": "# One two\n[a](docs/a.md) [b](docs/b.md)\n[c](#one-two) [d](docs/a.md#gone)\n",
            "docs/a.md": "# A\n[up](../README.md#one-two) [folder](.) `[code](no.md)`\n```\n[fenced](no.md)\n```\n",
        },
    )
    assert found == [("README.md", 2), ("README.md", 3)]


def test_a_default_inside_the_engine_is_found_and_a_public_one_is_not(findings_of):
    found = findings_of(
        hidden_defaults.check,
        {
            "g_core/kernels/score.py": "def f(a, b=1):\n    return lambda c, a=a: c\n\n\ndef g(*, d, e=2): ...\n",
            "g_core/cli/main.py": "def main(argv=None): ...\n",
            "g_assets/x.py": "def h(a=1): ...\n",
        },
    )
    assert found == [("g_core/kernels/score.py", 1), ("g_core/kernels/score.py", 5)]


STUB = """
class Shape(Protocol):
    def area(self) -> float: ...

def area(shape: Shape, *, unit: str) -> float: ...

class Square:
    def __new__(cls, side: float) -> Square: ...
    @property
    def side(self) -> float: ...
    def grow(self, factor: float) -> None: ...
"""


def native_module() -> ModuleType:
    class Square:
        def __init__(self, side): ...

        @property
        def side(self): ...

        def grow(self, factor): ...

    module = ModuleType("native")
    module.area = lambda shape, *, unit: None
    module.Square = Square
    return module


def test_a_stub_in_step_with_its_module_has_no_findings():
    assert native_stub.compare(STUB, native_module()) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda module: delattr(module, "area"), "area is not in the native module"),
        (lambda module: setattr(module, "volume", abs), "volume is in the native module only"),
        (lambda module: setattr(module, "area", lambda shape, unit: None), "area takes (shape, unit)"),
        (lambda module: delattr(module.Square, "grow"), "Square.grow is not in the native module"),
        (lambda module: setattr(module.Square, "shrink", abs), "Square.shrink is in the native module only"),
        (lambda module: setattr(module.Square, "side", abs), "Square.side is a property on one side"),
        (lambda module: setattr(module.Square, "grow", lambda self, by: None), "Square.grow takes (by)"),
    ],
)
def test_a_stub_out_of_step_is_found(change, message: str):
    module = native_module()
    change(module)
    findings = native_stub.compare(STUB, module)
    assert len(findings) == 1
    assert message in findings[0].message
