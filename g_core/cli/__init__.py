"""The ``g`` command: one small module a subcommand, each with ``run(words) -> exit code``.

Belongs here: flags, and what is printed. Does not belong here: the work itself. Nothing heavy is imported before a
subcommand needs it, so that help and usage errors come at once.
"""
