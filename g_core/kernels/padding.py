"""Fixed shapes: rows added below an array so that a kernel compiles once.

Belongs here: padding of samples and of product columns. Does not belong here: how large a tile is (engine/chunks.py).
"""

import numpy as np
import numpy.typing as npt

# The width of every right-hand operand is a multiple of this. XLA's CPU product gives the same bits per column at any
# such width, which is what makes a trait's result independent of the traits beside it.
COLUMN_MULTIPLE = 16


def pad_samples(array: npt.NDArray[np.float64], n_padded: int) -> npt.NDArray[np.float64]:
    """Return ``array`` [n, ...] with zero rows below it, shape [n_padded, ...], C-contiguous float64."""
    padded = np.zeros((n_padded, *array.shape[1:]), dtype=np.float64)
    padded[: array.shape[0]] = array
    return padded


def pad_mask(mask: npt.NDArray[np.bool_], n_padded: int) -> npt.NDArray[np.bool_]:
    """Return ``mask`` [n] with False after it, [n_padded]."""
    padded = np.zeros(n_padded, dtype=np.bool_)
    padded[: mask.shape[0]] = mask
    return padded


def product_columns(columns: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """Return ``columns`` [C, W] as float32 with zero columns up to a multiple of ``COLUMN_MULTIPLE``."""
    n_samples, width = columns.shape
    padded = np.zeros((n_samples, -(-width // COLUMN_MULTIPLE) * COLUMN_MULTIPLE), dtype=np.float32)
    padded[:, :width] = columns
    return padded
