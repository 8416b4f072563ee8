"""The process of the ``g`` command: what is set before the command starts, and how the process leaves.

Belongs here: policy for a whole process, which no caller of ``main`` in another program would want. Does not belong
here: the command itself (main.py).
"""

import gc
import os
import sys
from typing import NoReturn

from g_core.cli.main import main

OBJECTS_BETWEEN_COLLECTIONS = 100_000


def run_process() -> NoReturn:
    """Run ``g`` with the process's own command line and end the process with its exit code.

    Everything that was written is closed by then, so the process leaves without taking modules, kernels and the device
    apart object by object, which takes a third of a second.
    """
    # Imports make half a million objects that stay. Looking through them after every 700 is a fifth of the start-up.
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    # Pydantic would otherwise read the metadata of every installed package in search of plugins that nothing here uses.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    code = main()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:  # nobody reads it any more, and main has told what could be told
            continue
    os._exit(code)
