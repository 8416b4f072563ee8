"""Which fits run side by side: candidates in batches of one size, over one or several threads.

Belongs here: the queue that approximate and exact Firth fits share. Does not belong here: what a batch computes
(firth_batches.py, firth_exact_batches.py).

A batch stops when few of its fits still run; those wait in the queue with their state and share a later batch with
other stragglers. So no batch is kept waiting by its slowest fit, and a candidate's result depends on no other.
"""

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar, cast

import jax
import numpy as np
import numpy.typing as npt

STRAGGLER_DIVISOR = 4
"""A batch stops when no more than one lane in so many runs and other candidates wait."""

Rows = npt.NDArray[np.intp]


# A tree of arrays with one entry a candidate.
State = TypeVar("State")


def run_fits(
    fits: State,
    waiting: Rows,
    advance: Callable[[State, Rows, int], State],
    is_running: Callable[[State], npt.NDArray[np.bool_]],
    *,
    lanes: int,
    workers: int,
) -> None:
    """Run the fits of ``waiting`` to their ends, in place.

    Args:
        fits: state of all candidates.
        waiting: candidates to run.
        advance: takes the state of a batch of ``lanes`` candidates, their numbers (the last ones repeated where there
            are too few), and how many lanes may still run when it returns; called by several threads at once.
        is_running: which of a batch's fits have not ended.
        lanes: fits side by side.
        workers: threads.
    """
    queue = deque(waiting.tolist())
    lock = threading.Lock()

    def take() -> tuple[list[int], int]:
        with lock:
            batch = [queue.popleft() for _ in range(min(lanes, len(queue)))]
            return batch, lanes // STRAGGLER_DIVISOR if queue else 0

    def work() -> None:
        while True:
            batch, may_run = take()
            if not batch:
                return
            rows = np.array(batch + batch[-1:] * (lanes - len(batch)), dtype=np.intp)
            advanced = advance(take_rows(fits, rows), rows, may_run)
            still = np.asarray(is_running(advanced))[: len(batch)]
            with lock:
                put_rows(fits, rows, advanced)
                queue.extend(rows[: len(batch)][still].tolist())

    n_workers = min(workers, -(-len(queue) // lanes))
    if n_workers <= 1:
        work()
        return
    with ThreadPoolExecutor(n_workers) as pool:
        for future in [pool.submit(work) for _ in range(n_workers)]:
            future.result()


def host_field(array: npt.NDArray[np.generic]) -> jax.Array:
    """Return a copy of ``array`` under the type that a field of a state has on the device; it stays a numpy array."""
    return cast("jax.Array", array.copy())


def take_rows(fits: State, rows: Rows) -> State:
    """Return the state of a batch's candidates."""
    return jax.tree.map(lambda field: field[rows], fits)


def put_rows(fits: State, rows: Rows, advanced: State) -> None:
    """Write the state of a batch's candidates back, in place."""
    for field, lane in zip(jax.tree.leaves(fits), jax.tree.leaves(advanced), strict=True):
        field[rows] = np.asarray(lane)
