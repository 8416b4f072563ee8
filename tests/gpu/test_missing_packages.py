"""What the check installs: only what is missing, in the pinned version for the Python that runs it."""

import pytest

from tests.gpu.missing_packages import is_installed, name_of, pinned_versions

PINS = """
jax==0.10.2 ; python_full_version < '3.12'
jax==0.11.2 ; python_full_version >= '3.12'
numpy==2.4.0
"""


@pytest.mark.parametrize("requirement", ["jax>=0.10,<0.12", "jax[cuda13]>=0.10", "jax", "jax ; python_version > '3'"])
def test_the_name_of_a_requirement(requirement):
    assert name_of(requirement) == "jax"


@pytest.mark.parametrize(("python", "version"), [((3, 11), "0.10.2"), ((3, 12), "0.11.2"), ((3, 13), "0.11.2")])
def test_a_pin_is_that_of_the_python(python, version):
    assert pinned_versions(PINS, python) == {"jax": version, "numpy": "2.4.0"}


def test_a_package_is_there_or_not():
    assert is_installed("numpy")
    assert not is_installed("a-package-that-nobody-published")
