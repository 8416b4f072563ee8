"""A chunk's buffer goes back to the decoder while the scan goes on: memory does not grow with chunks or blocks."""

from pathlib import Path
from typing import Any

import pytest

import g_core.engine.run
from g_core import _native
from g_core.engine.decode import decode_stream
from g_core.simulate.dataset import SimulatedDataset
from tests.core.engine.conftest import RunEngine, binary_arguments, quantitative_arguments, write_three_traits

CHUNK_VARIANTS = 16
IN_USE_BEYOND_STAGING = 4
"""The chunk that is waited for, the one on its way to the device, and the two on the device."""


@pytest.fixture
def streams(monkeypatch: pytest.MonkeyPatch) -> list[_native.DosageStream]:
    """The streams of the runs made in a test."""
    made: list[_native.DosageStream] = []

    def remember(*arguments: Any, **options: Any) -> _native.DosageStream:
        made.append(decode_stream(*arguments, **options))
        return made[-1]

    monkeypatch.setattr(g_core.engine.run, "decode_stream", remember)
    return made


@pytest.mark.parametrize("kind", ["quantitative", "masked", "binary"])
def test_few_buffers_serve_many_chunks(
    kind: str,
    dataset: SimulatedDataset,
    run_engine: RunEngine,
    streams: list[_native.DosageStream],
    tmp_path: Path,
) -> None:
    arguments = {
        "quantitative": lambda: quantitative_arguments(dataset),
        "masked": lambda: quantitative_arguments(dataset, write_three_traits(tmp_path / "traits.txt", dataset)),
        "binary": lambda: binary_arguments(dataset),
    }[kind]()
    result = run_engine([*arguments, "--chunk-variants", str(CHUNK_VARIANTS), "--staging-depth", "2"])
    assert result.manifest.n_variants_selected > 10 * CHUNK_VARIANTS
    assert streams[0].buffers_allocated <= 2 + IN_USE_BEYOND_STAGING
