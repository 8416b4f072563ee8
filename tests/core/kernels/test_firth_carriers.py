"""Who is a carrier, and that a list of them gives the fit that leaving all others out gives."""

import numpy as np
import pytest

from g_core.kernels import firth_batches, firth_carriers
from g_core.kernels.firth_carriers import LISTED_CARRIERS, NOBODY, SAMPLES_WORTH_LISTS, Carriers, find_carriers
from tests.core.kernels.random_study import make_study
from tests.core.kernels.test_firth_approximate import Candidates

N_SAMPLES = SAMPLES_WORTH_LISTS
PRESENT = np.arange(N_SAMPLES) < 900


def find(rows, *, carriers_only=True):
    values = np.stack(rows).astype(np.float32)
    ones = np.ones(len(rows))
    return find_carriers(values, ones, 0 * ones, np.full(len(rows), carriers_only), PRESENT, 1e-4)


def test_carriers_are_listed_where_they_are_few():
    row = np.zeros(N_SAMPLES)
    row[[3, 700, 950]] = [1.0, 0.5, 2.0]
    carriers = find([row])
    assert carriers.are_listed.tolist() == [True]
    assert carriers.listed[0, :3].tolist() == [3, 700, NOBODY]  # the sample that is not present is none


def test_nobody_is_listed_where_samples_are_few():
    row = np.zeros((1, SAMPLES_WORTH_LISTS - 1), dtype=np.float32)
    row[0, 3] = 1.0
    carriers = find_carriers(row, np.ones(1), np.zeros(1), np.array([True]), PRESENT[:-1], 1e-4)
    assert (carriers.are_listed.tolist(), carriers.above_dosage.tolist()) == ([False], [1e-4])


def test_many_carriers_are_told_by_their_dosage():
    carriers = find([np.where(np.arange(N_SAMPLES) <= LISTED_CARRIERS, 1.0, 0.0)])
    assert (carriers.are_listed.tolist(), carriers.above_dosage.tolist()) == ([False], [1e-4])


@pytest.mark.parametrize(("dosage", "carriers_only"), [(0.0, True), (1.0, False)])
def test_without_carriers_or_need_all_samples_have_a_part(dosage, carriers_only):
    row = np.zeros(N_SAMPLES)
    row[5] = dosage
    carriers = find([row], carriers_only=carriers_only)
    assert (carriers.are_listed.tolist(), carriers.above_dosage.tolist()) == ([False], [-np.inf])


def test_a_list_changes_rounding_at_most(monkeypatch):
    monkeypatch.setattr(firth_carriers, "SAMPLES_WORTH_LISTS", 0)
    candidates = Candidates(make_study(44, prevalence=0.1))
    listed = candidates.fit()

    def never_listed(values, unit, centre, carriers_only, present, carrier_dosage):
        found = find_carriers(values, unit, centre, carriers_only, present, carrier_dosage)
        above = np.where(found.are_listed, carrier_dosage, found.above_dosage)
        return Carriers(np.zeros_like(found.are_listed), found.listed, above)

    monkeypatch.setattr(firth_batches, "find_carriers", never_listed)
    masked = candidates.fit()
    np.testing.assert_array_equal(masked.iterations, listed.iterations)
    for field in ("beta", "se", "chi_square"):
        np.testing.assert_allclose(getattr(masked, field), getattr(listed, field), rtol=1e-9, atol=1e-11)
