"""What the event log remembers of an asset and partition.

Belongs here: reading materialisations, newest first. Does not belong here: choosing among them (compare/baseline.py),
or believing them: the file that a record names is the truth, the log an index of it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import dagster as dg

PAGE_RECORDS = 50


@dataclass(frozen=True, slots=True)
class Materialization:
    """One record of the event log: the run that made it, when (seconds since 1970), and its text metadata."""

    run_id: str
    timestamp_seconds: float
    metadata: Mapping[str, object]

    def text(self, name: str) -> str | None:
        """A metadata value as text, or None where it is absent or null."""
        value = self.metadata.get(name)
        return None if value is None else str(value)


def history(instance: dg.DagsterInstance, key: dg.AssetKey, partition: str) -> Iterator[Materialization]:
    """Yield the materialisations of one asset and partition, newest first, page by page."""
    cursor: str | None = None
    while True:
        page = instance.fetch_materializations(
            dg.AssetRecordsFilter(asset_key=key, asset_partitions=[partition]), limit=PAGE_RECORDS, cursor=cursor
        )
        for record in page.records:
            materialization = record.asset_materialization
            if materialization is not None:
                values = {name: value.value for name, value in materialization.metadata.items()}
                yield Materialization(record.run_id, record.timestamp, values)
        if not page.has_more:
            return
        cursor = page.cursor


def newest(instance: dg.DagsterInstance, key: dg.AssetKey, partition: str, run_id: str) -> Materialization | None:
    """The materialisation by ``run_id`` itself, else the newest one, else None.

    A run that holds only part of the assets builds on what earlier runs made of the others.
    """
    newest_of_all: Materialization | None = None
    for materialization in history(instance, key, partition):
        if materialization.run_id == run_id:
            return materialization
        newest_of_all = newest_of_all or materialization
    return newest_of_all
