"""LOCO predictions such as step 1 would make.

Belongs here: predictions of the true genetic values with a known accuracy. Their text form is in write.py.
"""

import numpy as np
import numpy.typing as npt

from g_core.simulate.spec import SimulationSpec
from g_core.simulate.streams import Stream, open_stream
from g_core.simulate.traits import SimulatedTrait


def simulate_loco_predictions(
    *, spec: SimulationSpec, trait: SimulatedTrait, stream: Stream
) -> npt.NDArray[np.float64]:
    """Return predictions that leave one chromosome out, shape (23, n_samples); row k - 1 leaves out chromosome k.

    The prediction of one chromosome is what a best linear predictor of squared correlation R gives: R times the true
    value plus noise of variance R (1 - R) times that of the true values.
    """
    generator = open_stream(seed=spec.seed, stream=stream, index=0)
    genetic = trait.genetic_by_chromosome
    accuracy = spec.prediction_accuracy
    noise = generator.standard_normal(genetic.shape) * genetic.std(axis=1, keepdims=True)
    predicted = accuracy * genetic + np.sqrt(accuracy * (1.0 - accuracy)) * noise
    return predicted.sum(axis=0) - predicted
