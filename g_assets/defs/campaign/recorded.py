"""What a step builds on: the manifest or comparison that the event log remembers, and the possible baselines.

Belongs here: from records of the event log to files and candidates. Does not belong here: choosing a baseline
(compare/baseline.py).
"""

from datetime import UTC, datetime
from pathlib import Path

import dagster as dg

from g_assets.artifacts.read import ArtifactError, Model, read_record
from g_assets.campaigns.matrix_manifest import MatrixManifest
from g_assets.compare.baseline import BaselineCandidate
from g_assets.compare.models import MatrixComparison
from g_assets.defs import lineage
from g_assets.defs.campaign.keys import CampaignKeys


def recorded_manifest(instance: dg.DagsterInstance, keys: CampaignKeys, partition: str, run_id: str) -> MatrixManifest:
    """The manifest of this run, else the newest one of the partition.

    Raises dagster.Failure where there is none, or its file cannot be read.
    """
    return recorded(instance, keys.manifest, partition, run_id, path_name="manifest_path", model=MatrixManifest)


def recorded_comparison(
    instance: dg.DagsterInstance, keys: CampaignKeys, partition: str, run_id: str
) -> MatrixComparison:
    """The comparison of this run, else the newest one; raises as ``recorded_manifest`` does."""
    return recorded(instance, keys.comparison, partition, run_id, path_name="comparison_path", model=MatrixComparison)


def recorded(
    instance: dg.DagsterInstance, key: dg.AssetKey, partition: str, run_id: str, *, path_name: str, model: type[Model]
) -> Model:
    """Read the file that the newest record of an asset names, a record of this run before all others."""
    record = lineage.newest(instance, key, partition, run_id)
    path = None if record is None else record.text(path_name)
    if path is None:
        msg = f"{key.to_user_string()} was never materialised for {partition}: add it to the selection"
        raise dg.Failure(msg, allow_retries=False)
    try:
        return read_record(Path(path), model)
    except ArtifactError as error:
        raise dg.Failure(str(error), allow_retries=False) from error


def baseline_candidates(instance: dg.DagsterInstance, keys: CampaignKeys, partition: str) -> list[BaselineCandidate]:
    """Every materialisation of the manifest of one partition, newest first."""
    return [candidate(record) for record in lineage.history(instance, keys.manifest, partition)]


def candidate(record: lineage.Materialization) -> BaselineCandidate:
    """One record as a candidate; what it does not say is None."""
    valid = record.metadata.get("valid")
    return BaselineCandidate(
        run_id=record.run_id,
        materialised_at=datetime.fromtimestamp(record.timestamp_seconds, UTC),
        scope_key=record.text("scope_key"),
        valid=valid if isinstance(valid, bool) else None,
        manifest_path=record.text("manifest_path"),
        manifest_sha256=record.text("manifest_sha256"),
    )
