"""``python -m g_core`` is the ``g`` command."""

from g_core.cli.process import run_process

run_process()
