"""The partitions: one for each dataset profile.

Belongs here: partition definitions. Does not belong here: what a dataset is (profiles/).
"""

import dagster as dg

from g_assets.profiles.load import profile_names
from g_assets.profiles.models import ProfileKind

DATASETS = dg.StaticPartitionsDefinition(list(profile_names(ProfileKind.DATASETS)))
