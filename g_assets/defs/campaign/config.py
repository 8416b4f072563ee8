"""The config of a campaign as Dagster shows and checks it.

Belongs here: turning a campaign's pydantic config into Dagster's, and back. Does not belong here: the fields.

It is written once a run, at the plan: ``--config-json '{"ops": {"matrix__plan": {"config": {"variant_limit":
2000}}}}'``. Whatever else needs it reads the file that the plan of the same run left.
"""

from collections.abc import Mapping
from typing import Any

import dagster as dg
from pydantic import ValidationError, create_model

from g_assets.campaigns.model import CampaignConfig


def config_schema(config_model: type[CampaignConfig]) -> Mapping[str, Any]:
    """The fields of a campaign's config as Dagster's own, with their types and defaults, for the launchpad."""
    fields: dict[str, Any] = {name: (field.annotation, field) for name, field in config_model.model_fields.items()}
    return create_model(config_model.__name__, __base__=dg.Config, **fields).to_fields_dict()


def campaign_config(values: Mapping[str, object], config_model: type[CampaignConfig]) -> CampaignConfig:
    """The campaign's own config from what Dagster was given.

    Raises dagster.Failure naming every field whose value is out of its limits.
    """
    try:
        return config_model.model_validate(values)
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        raise dg.Failure(f"the config of the run cannot be used: {faults}", allow_retries=False) from error
