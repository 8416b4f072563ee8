"""A code location of two small measurements, for tests that need Dagster's own services around them.

Belongs here: two steps of one run that measure what the run's config says. Does not belong here: the project's own code
location (g_assets.definitions), which tests/slurm/test_matrix.py runs.
"""

import os
from pathlib import Path
from typing import Any

import dagster as dg

from g_assets.defs import metadata
from g_assets.defs.campaign.cells import cell_metadata
from g_assets.defs.executor import lab_executor
from g_assets.resources.compute import Compute
from tests.slurm.cluster import Cluster
from tests.slurm.laboratory import MACHINE, Laboratory

CLUSTER_VARIABLE = "G_TEST_CLUSTER"
FOLDER_VARIABLE = "G_TEST_FOLDER"


class Work(dg.Config):
    """What a step measures: a Python text."""

    script: str


def measuring(name: str) -> dg.AssetsDefinition:
    """An asset that is one measurement."""

    @dg.asset(name=name)
    def asset(context: dg.AssetExecutionContext, config: Work, compute: Compute) -> dg.MaterializeResult[Any]:
        laboratory = Laboratory(Cluster(Path(os.environ[CLUSTER_VARIABLE])), Path(os.environ[FOLDER_VARIABLE]))
        spec = laboratory.spec(config.script, context.run.run_id, "slurm")
        places = {
            "artifact_directory": f"{spec.artifact_directory}-{name}",
            "compile_cache": f"{spec.compile_cache}-{name}",
        }
        cell = compute.measure(context, spec.model_copy(update=places))
        return dg.MaterializeResult(metadata=metadata.from_entries(cell_metadata(cell)))

    return asset


defs = dg.Definitions(
    assets=[measuring("first"), measuring("second")],
    resources={"compute": Compute(machine=MACHINE)},
    executor=lab_executor,
)
