"""Samples and covariates of a simulated dataset.

Belongs here: who is in the dataset and what is known of them besides genotypes and traits.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from g_core.simulate.spec import SimulationSpec
from g_core.simulate.streams import Stream, open_stream

PRINCIPAL_COMPONENT_DEVIATION = 0.02


@dataclass(frozen=True, slots=True)
class Cohort:
    """Samples in the order of the BGEN; every array has n_samples rows."""

    family_ids: list[str]
    individual_ids: list[str]
    sex: npt.NDArray[np.int8]
    """1 male, 2 female."""
    age_years: npt.NDArray[np.int64]
    principal_components: npt.NDArray[np.float64]
    """Shape (n_samples, n_principal_components)."""

    @property
    def keys(self) -> list[str]:
        """``FID_IID``, as BGEN files and LOCO headers name a sample."""
        return [
            f"{family}_{individual}" for family, individual in zip(self.family_ids, self.individual_ids, strict=True)
        ]

    @property
    def covariate_effect(self) -> npt.NDArray[np.float64]:
        """What age and sex add to a trait, with mean 0 and variance 1 in this cohort."""
        age = standardise(self.age_years.astype(np.float64))
        return standardise(age + 0.5 * standardise(self.sex.astype(np.float64)))


def simulate_cohort(spec: SimulationSpec) -> Cohort:
    """Draw the samples of a dataset."""
    generator = open_stream(seed=spec.seed, stream=Stream.COVARIATES, index=0)
    size = spec.n_samples
    width = max(4, len(str(size)))
    individual_ids = [f"S{number:0{width}d}" for number in range(1, size + 1)]
    family_ids = [f"F{number:0{width}d}" for number in range(1, size + 1)]
    return Cohort(
        family_ids=family_ids,
        individual_ids=individual_ids,
        sex=generator.integers(1, 3, size=size).astype(np.int8),
        age_years=generator.integers(40, 70, size=size, endpoint=True),
        principal_components=PRINCIPAL_COMPONENT_DEVIATION
        * generator.standard_normal((size, spec.n_principal_components)),
    )


def standardise(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return ``values`` with mean 0 and variance 1 (divisor n); all 0 where they do not vary."""
    centred = values - values.mean()
    deviation = float(centred.std())
    return centred / deviation if deviation > 0.0 else np.zeros_like(centred)
