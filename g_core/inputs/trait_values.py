"""A trait's values as they enter its model: rank-transformed and imputed where the run asks for it.

Belongs here: the order of the two (spec section 4.1, steps 1 and 2), and over which samples each is made. Does not
belong here: centring, scaling and the covariates, which are the kernels'.
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from g_core.config.choices import TraitType
from g_core.config.run_plan import TraitPlan
from g_core.inputs import sample_sets
from g_core.inputs.join_report import DropReason
from g_core.inputs.joined_inputs import JoinedInputs
from g_core.inputs.rank_normal import rank_normal
from g_core.inputs.sample_sets import SampleMask


def prepare_values(
    joined: JoinedInputs, available: Mapping[str, Mapping[DropReason, SampleMask]], plan: TraitPlan
) -> dict[str, npt.NDArray[np.float64]]:
    """Values of the traits along all genotyped samples, by name; NaN where missing, each [N]."""
    if plan.type is TraitType.BINARY:
        return {name: joined.values[name] for name in available}
    return {
        name: prepare_quantitative(
            joined.values[name], sample_sets.samples_before_predictions(joined.kept, passes), plan
        )
        for name, passes in available.items()
    }


def prepare_quantitative(
    values: npt.NDArray[np.float64], samples: SampleMask, plan: TraitPlan
) -> npt.NDArray[np.float64]:
    """One quantitative trait, [N].

    Args:
        values: [N] as the file has them.
        samples: Who is analysed before predictions mask anybody; a missing value among them is one to impute.
        plan: What to do.
    """
    observed = samples & ~np.isnan(values)
    if not observed.any():
        return values
    prepared = values.copy()
    if plan.rank_inverse_normal:
        prepared[observed] = rank_normal(values[observed])
    if plan.impute_missing:
        prepared[samples & ~observed] = prepared[observed].mean()
    return prepared
