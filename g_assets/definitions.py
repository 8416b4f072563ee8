"""The code location: everything that Dagster sees of this repository.

Belongs here: putting the parts together. Does not belong here: a part. Loading this module opens no data file and
imports neither JAX nor anything heavy: it must work, in under three seconds, on a machine that has only the checkout.
"""

import dagster as dg

from g_assets.campaigns.registry import CAMPAIGNS
from g_assets.defs.campaign.cells import POOL
from g_assets.defs.campaign.factory import build_campaign
from g_assets.defs.datasets import dataset_files
from g_assets.defs.executor import lab_executor
from g_assets.defs.jobs import build_job, build_parity_job
from g_assets.defs.parity import PARITY_ASSETS, build_parity
from g_assets.defs.schedules import build_nightly_matrix, build_nightly_parity
from g_assets.defs.slurm_orphans import slurm_orphans
from g_assets.resources.compute import Compute
from g_assets.resources.settings import Settings

NIGHTLY_CAMPAIGN = "matrix"


def build_definitions(*, compute: Compute | None = None, settings: Settings | None = None) -> dg.Definitions:
    """Assemble fresh definitions; a test passes resources of its own.

    Args:
        compute: How measurements are started; None: a local process.
        settings: Where data and artifacts lie; None: as the environment says.
    """
    settings = settings or Settings()
    # On a cluster the jobs wait in its queue together, and nodes of their own keep them apart.
    pool = None if settings.measures_on_a_cluster() else POOL
    campaigns = {campaign.name: build_campaign(campaign, pool) for campaign in CAMPAIGNS}
    jobs = {campaign.name: build_job(campaign) for campaign in CAMPAIGNS}
    parity_job = build_parity_job()
    return dg.Definitions(
        assets=[
            dataset_files,
            *(asset for campaign in campaigns.values() for asset in campaign.assets),
            *(build_parity(kind) for kind in PARITY_ASSETS),
        ],
        asset_checks=[check for campaign in campaigns.values() for check in campaign.checks],
        jobs=[*jobs.values(), parity_job],
        schedules=[build_nightly_matrix(jobs[NIGHTLY_CAMPAIGN]), build_nightly_parity(parity_job)],
        sensors=[slurm_orphans],
        resources={"compute": compute or Compute(), "settings": settings},
        executor=lab_executor,
    )


defs = build_definitions()
