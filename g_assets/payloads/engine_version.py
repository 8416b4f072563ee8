"""``python -m g_assets.payloads.engine_version``: which engine an environment would measure.

Belongs here: one version, found the same way here and on a cluster. Does not belong here: the rest of the environment
(environment.py); this must start quickly, on a login node.
"""

import sys
from importlib import metadata

PACKAGE = "g-gwas"
NO_PACKAGE = "none"


def engine_version() -> str:
    """Version of the installed package, else of the native module of this checkout, else ``none``."""
    try:
        return metadata.version(PACKAGE)
    except metadata.PackageNotFoundError:
        pass
    try:
        from g_core import _native
    except ImportError:
        return NO_PACKAGE
    return _native.build_info()["version"]


if __name__ == "__main__":
    metadata.version("dagster-pipes")
    sys.stdout.write(f"{engine_version()}\n")
