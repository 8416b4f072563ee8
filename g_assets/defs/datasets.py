"""The dataset asset: ``datasets/files``, the input files of one dataset profile.

Belongs here: making or finding a dataset as an asset, and telling the event log when a plan had to do it. Does not
belong here: how it is made (resources/dataset_store.py).

A plan makes sure of its dataset by itself, so that ``--select group:matrix`` works in a clean clone; materialise this
asset to make the files ahead of time.
"""

from typing import Annotated, Any

import dagster as dg
from pydantic import Field

from g_assets.defs import metadata
from g_assets.defs.partitions import DATASETS
from g_assets.profiles.load import load_dataset
from g_assets.resources.dataset_store import DatasetError, DatasetReport, ensure_dataset
from g_assets.resources.settings import Settings

GROUP = "datasets"
FILES_KEY = dg.AssetKey(["datasets", "files"])


class DatasetFilesConfig(dg.Config):
    """Config of ``datasets/files``."""

    variant_limit: Annotated[int, Field(ge=1)] | None = None
    """Cache a BGEN of the first N variants beside the whole one; None: the whole one only."""


@dg.asset(key=FILES_KEY, group_name=GROUP, partitions_def=DATASETS, kinds={"bgen"})
def dataset_files(
    context: dg.AssetExecutionContext, config: DatasetFilesConfig, settings: Settings
) -> dg.MaterializeResult[Any]:
    """Input files of a dataset: simulated where the profile says how, found in the data directory where it does not."""
    report = prepare_dataset(context.partition_key, config.variant_limit, settings)
    return dg.MaterializeResult(metadata=dataset_metadata(report), data_version=dg.DataVersion(report.fingerprint))


def prepare_dataset(name: str, variant_limit: int | None, settings: Settings) -> DatasetReport:
    """Make sure of a dataset by the name of its profile. Raises dagster.Failure saying what is missing and where."""
    try:
        return ensure_dataset(load_dataset(name), settings.data_root(), variant_limit)
    except DatasetError as error:
        raise dg.Failure(description=str(error), allow_retries=False) from error


def record_dataset(context: dg.AssetExecutionContext, report: DatasetReport) -> None:
    """Tell the event log what a plan found: a materialisation where it made something, else an observation."""
    values = dataset_metadata(report)
    tags = {"dagster/data_version": report.fingerprint}
    if report.was_made:
        context.log_event(
            dg.AssetMaterialization(FILES_KEY, partition=context.partition_key, metadata=values, tags=tags)
        )
        context.log.info("dataset %s was not there: made %s", report.name, report.bgen)
    else:
        context.log_event(dg.AssetObservation(FILES_KEY, partition=context.partition_key, metadata=values, tags=tags))
        context.log.info("dataset %s is there: %s", report.name, report.bgen)


def dataset_metadata(report: DatasetReport) -> dict[str, metadata.Plain]:
    """What the page of the dataset shows."""
    return metadata.clean(
        {
            "variants": report.n_variants,
            "samples": report.n_samples,
            "bgen_bytes": report.bgen_bytes,
            "variant_limit": report.variant_limit,
            "source": report.source.value,
            "bgen": dg.MetadataValue.path(report.bgen),
            "fingerprint": report.fingerprint,
            "was_made": report.was_made,
        }
    )
