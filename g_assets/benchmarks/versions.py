"""Versions of what the numbers stand on, beside Python, JAX and the commit.

Belongs here: asking the package metadata. Does not belong here: the machine (payloads/environment.py).
"""

from collections.abc import Sequence

from g_assets.artifacts.models import EnvironmentVariable
from g_assets.benchmarks.peer_tasks import Peer
from g_assets.benchmarks.reading_tasks import PEER_PACKAGE
from g_assets.payloads.environment import installed_version

PACKAGES = ("jaxlib", "numpy", "pyarrow", PEER_PACKAGE)


def versions(peers: Sequence[Peer]) -> tuple[EnvironmentVariable, ...]:
    """Packages and programs that are there, each with its version."""
    packages = ((package, installed_version(package)) for package in PACKAGES)
    found = [(name, version) for name, version in packages if version is not None]
    found += [(peer.program.value, peer.version) for peer in peers]
    return tuple(EnvironmentVariable(name=name, value=value) for name, value in found)
