"""The errors that stop work, one family for the engine and its native floor.

Belongs here: the classes, their exit codes and their stable codes (docs/errors.md lists them). Does not belong here:
failures that are data, such as a Firth fit that does not converge; those are column values (see results/schema.py).
"""


class GError(Exception):
    """Base of every error that this package raises on purpose.

    The message says what is wrong, where, and what to do. ``code`` is stable across releases; ``exit_code`` is what
    the ``g`` command returns.
    """

    code: str = "error"
    exit_code: int = 1


class UsageError(GError):
    """An option or a combination of options cannot be used."""

    code = "usage"
    exit_code = 2


class InputError(GError):
    """An input file is missing, damaged, or does not fit the others. The message names file and place."""

    code = "input"
    exit_code = 2


class DeviceError(GError):
    """The device that was asked for is not there."""

    code = "device"
    exit_code = 1


class OutputError(GError):
    """A result could not be written. Nothing half-written keeps a final name."""

    code = "output"
    exit_code = 1
