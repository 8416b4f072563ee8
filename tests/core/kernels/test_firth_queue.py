"""Batches of fits that take turns, each to its own length."""

from dataclasses import dataclass

import jax
import numpy as np
import pytest

from g_core.kernels.firth_queue import run_fits


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class Countdown:
    left: np.ndarray
    turns: np.ndarray


def advance(batch, rows, may_run):
    assert len(rows) == 8
    while np.count_nonzero(batch.left > 0) > may_run:
        running = batch.left > 0
        batch = Countdown(batch.left - running, batch.turns + running)
    return batch


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("n_fits", [0, 1, 8, 61])
def test_every_fit_ends_after_its_own_turns(workers, n_fits):
    length = np.random.default_rng(n_fits).geometric(0.2, n_fits)
    fits = Countdown(length.copy(), np.zeros(n_fits, dtype=np.int64))
    waiting = np.arange(0, n_fits, 2)
    run_fits(fits, waiting, advance, lambda batch: batch.left > 0, lanes=8, workers=workers)
    assert fits.turns[waiting].tolist() == length[waiting].tolist()
    assert not fits.turns[1::2].any()  # those not waiting are left alone


def test_what_a_batch_raises_ends_the_call():
    def fail(batch, rows, may_run):
        raise FloatingPointError(f"{len(rows)} rows, {may_run} may run")

    fits = Countdown(np.ones(20), np.zeros(20))
    with pytest.raises(FloatingPointError, match="8 rows"):
        run_fits(fits, np.arange(20), fail, lambda batch: batch.left > 0, lanes=8, workers=2)
