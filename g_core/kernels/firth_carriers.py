"""The carriers of rare variants, on which approximate Firth fits them.

Belongs here: who is a carrier, and whether a candidate's carriers are few enough to be listed. Does not belong here:
which variants are rare and sparse (engine/corrections.py), the fits.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

LISTED_CARRIERS = 256
"""Most carriers of a list. A candidate with more is evaluated on all samples, where those who are none have no part."""

SAMPLES_WORTH_LISTS = 2048
"""With fewer samples a list saves less than the compilation of its program costs."""

NOBODY = np.iinfo(np.int32).max


@dataclass(frozen=True, slots=True)
class Carriers:
    """One entry a candidate.

    Attributes:
        are_listed: [N] bool, the candidate is fitted on the samples of its list.
        listed: [N, LISTED_CARRIERS] int32 columns, then NOBODY.
        above_dosage: [N] float64, without a list, samples at or below this dosage have no part.
    """

    are_listed: npt.NDArray[np.bool_]
    listed: npt.NDArray[np.int32]
    above_dosage: FloatArray

    def of_batch(self, rows: npt.NDArray[np.intp]) -> FloatArray | npt.NDArray[np.int32]:
        """What chooses the samples of some candidates, all of which are listed or none."""
        return self.listed[rows] if self.are_listed[rows].all() else self.above_dosage[rows]


def find_carriers(
    values: npt.NDArray[np.float32],
    unit: FloatArray,
    centre: FloatArray,
    carriers_only: npt.NDArray[np.bool_],
    present: npt.NDArray[np.bool_],
    carrier_dosage: float,
) -> Carriers:
    """Return the carriers of the candidates fitted on them; one without any is fitted on all samples (spec 6.3).

    Args:
        values: [N, C] float32 rows of the tile.
        unit: [N] float64.
        centre: [N] float64.
        carriers_only: [N].
        present: [C] samples of the trait.
        carrier_dosage: a sample with a larger dosage is a carrier.
    """
    n_candidates = values.shape[0]
    carriers = Carriers(
        are_listed=np.zeros(n_candidates, dtype=np.bool_),
        listed=np.full((n_candidates, LISTED_CARRIERS), NOBODY, dtype=np.int32),
        above_dosage=np.full(n_candidates, -np.inf),
    )
    most_listed = LISTED_CARRIERS if values.shape[1] >= SAMPLES_WORTH_LISTS else 0
    for row in np.flatnonzero(carriers_only).tolist():
        dosage = centre[row] + unit[row] * values[row].astype(np.float64)
        columns = np.flatnonzero((dosage > carrier_dosage) & present)
        if len(columns) > most_listed:
            carriers.above_dosage[row] = carrier_dosage
        elif len(columns) > 0:
            carriers.are_listed[row] = True
            carriers.listed[row, : len(columns)] = columns
    return carriers
