"""The Dagster Pipes entry of a payload: ``python -m g_assets.payloads.worker``.

Belongs here: taking the spec from Pipes, calling ``measure``, reporting what came out. No other module imports
``dagster_pipes``. Does not belong here: anything that a measurement without Dagster would need.
"""

import signal
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn

from dagster_pipes import (
    PipesDefaultMessageWriter,
    PipesMessageWriterChannel,
    PipesMetadataValue,
    PipesParams,
    open_dagster_pipes,  # pyright: ignore[reportUnknownVariableType]  (its writer parameter is an open generic)
)

from g_assets.artifacts.metadata import MetadataEntry, cell_metadata
from g_assets.artifacts.models import Status
from g_assets.payloads.measure import measure
from g_assets.payloads.spec import MeasurementSpec

SPEC_KEY = "spec"
TERMINATED_EXIT_CODE = 128 + signal.SIGTERM


class QuietMessageWriter(PipesDefaultMessageWriter):
    """Messages without a copy of stdout and stderr: the logs are files already, and the copy takes 5 s to close."""

    @contextmanager
    def open(self, params: PipesParams) -> Generator[PipesMessageWriterChannel]:
        """Open the channel that the launcher named."""
        with super().open({**params, self.INCLUDE_STDIO_IN_MESSAGES_KEY: False}) as channel:
            yield channel


def pipes_metadata(entries: tuple[MetadataEntry, ...]) -> Mapping[str, PipesMetadataValue]:
    """Entries as Pipes has them."""
    return {entry.name: PipesMetadataValue(raw_value=entry.value, type=entry.kind.value) for entry in entries}


def end_on_sigterm(_number: int, _frame: Any) -> NoReturn:
    """Leave through the ``finally`` clauses, so that the child's process tree ends with this process."""
    sys.exit(TERMINATED_EXIT_CODE)


def main() -> None:
    """Measure what the launcher asked for, and report it. A failed child is reported, not raised."""
    signal.signal(signal.SIGTERM, end_on_sigterm)
    with open_dagster_pipes(message_writer=QuietMessageWriter()) as pipes:
        # The launcher sends the spec as JSON text: as a mapping it would lose its enums and tuples.
        spec = MeasurementSpec.model_validate_json(pipes.get_extra(SPEC_KEY))
        pipes.log.info("%s: %d trial(s), artifacts in %s", spec.case.case_id, spec.trials, spec.artifact_directory)
        cell = measure(spec)
        if cell.status is not Status.SUCCESS:
            pipes.log.warning("%s: %s: %s", spec.case.case_id, cell.status.value, cell.reason)
        pipes.report_asset_materialization(
            metadata=pipes_metadata(cell_metadata(cell)), data_version=cell.results_sha256
        )


if __name__ == "__main__":
    main()
