"""The kernel tile hangs on the kept samples, the trait type and the device alone; chunks cover every variant once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from g_core.config.choices import Device, TraitType
from g_core.engine.chunks import COLUMN_MULTIPLE, CPU_TILE_BYTES, padded, plan_chunks, tile_rows


@given(
    n_kept=st.integers(1, 2_000_000), device=st.sampled_from(list(Device)), trait_type=st.sampled_from(list(TraitType))
)
def test_tile_rows_are_whole_and_never_few(n_kept: int, device: Device, trait_type: TraitType) -> None:
    rows = tile_rows(n_kept, device, trait_type)
    assert rows % 16 == 0
    assert rows >= 16


@pytest.mark.parametrize("trait_type", list(TraitType))
def test_cpu_tile_stays_near_the_cache(trait_type: TraitType) -> None:
    tile_bytes = tile_rows(10_000, Device.CPU, trait_type) * padded(10_000, COLUMN_MULTIPLE) * 4
    assert tile_bytes <= CPU_TILE_BYTES[trait_type] <= 32 * 1024 * 1024


@given(
    codes=st.lists(st.tuples(st.integers(1, 23), st.integers(1, 40)), max_size=6),
    chunk_variants=st.integers(1, 50),
)
def test_chunks_cover_every_variant_once_and_count_males_in_one_way(
    codes: list[tuple[int, int]], chunk_variants: int
) -> None:
    chromosome_codes = np.repeat([code for code, _ in codes], [count for _, count in codes]).astype(np.int8)
    haploid_males = np.arange(chromosome_codes.size) % 7 > 4
    spans = plan_chunks(chromosome_codes, haploid_males, chunk_variants, first_variant=0)
    assert [span.index for span in spans] == list(range(len(spans)))
    assert [variant for span in spans for variant in range(span.start, span.stop)] == list(range(chromosome_codes.size))
    for span in spans:
        assert 1 <= span.n_variants <= chunk_variants
        assert set(chromosome_codes[span.start : span.stop]) == {span.chromosome_code}
        assert len(set(haploid_males[span.start : span.stop])) == 1


@pytest.mark.parametrize(("count", "expected"), [(0, 16), (1, 16), (16, 16), (17, 32)])
def test_padding(count: int, expected: int) -> None:
    assert padded(count, 16) == expected
