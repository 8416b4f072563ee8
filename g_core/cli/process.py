"""The process of the ``g`` command: what is set before the command starts, and how the process leaves.

Belongs here: policy for a whole process, which no caller of ``main`` in another program would want. Does not belong
here: the command itself (main.py).
"""

import ctypes
import gc
import os
import sys
from typing import NoReturn

from g_core.cli.main import main

OBJECTS_BETWEEN_COLLECTIONS = 100_000

MALLOC_ARENA_MAX = -8
"""``M_ARENA_MAX`` of the GNU C library's malloc.h."""
ARENAS = 2
"""Each thread would otherwise keep memory of its own: 60 MB of 500 in a binary run."""


def run_process() -> NoReturn:
    """Run ``g`` with the process's own command line and end the process with its exit code.

    Everything that was written is closed by then, so the process leaves without taking modules, kernels and the device
    apart object by object, which takes a third of a second.
    """
    # Imports make half a million objects that stay. Looking through them after every 700 is a fifth of the start-up.
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    # Pydantic would otherwise read the metadata of every installed package in search of plugins that nothing here uses.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    limit_arenas()
    code = main()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:  # nobody reads it any more, and main has told what could be told
            continue
    os._exit(code)


def limit_arenas() -> None:
    """Have threads share arenas, where the C library is GNU's and the user has not chosen."""
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None and "MALLOC_ARENA_MAX" not in os.environ:
        set_option(MALLOC_ARENA_MAX, ARENAS)
