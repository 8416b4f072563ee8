"""Peak memory is this program's own, and it never falls."""

import subprocess
import sys

import numpy as np

from g_core.engine.peak_memory import peak_memory_bytes


def test_it_counts_what_is_held() -> None:
    before = peak_memory_bytes()
    held = np.ones(64 * 1024 * 1024, np.uint8)
    assert peak_memory_bytes() >= held.nbytes
    del held
    assert peak_memory_bytes() >= before


def test_a_small_child_of_a_large_parent_counts_itself_only() -> None:
    large = np.ones(256 * 1024 * 1024, np.uint8)
    code = "from g_core.engine.peak_memory import peak_memory_bytes; print(peak_memory_bytes())"
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert 0 < int(printed) < large.nbytes
