"""The verdict on one metric: what it may claim from how many trials."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from g_assets.artifacts.models import Judgement
from g_assets.compare.verdict import judge_metric

SAME, BETTER, WORSE = Judgement.NEUTRAL, Judgement.IMPROVEMENT, Judgement.REGRESSION
UNSURE, NOT = Judgement.INCONCLUSIVE, Judgement.NOT_COMPARABLE


def judge(current, baseline, *, higher_is_better=False):
    return judge_metric(current, baseline, higher_is_better=higher_is_better, band_percent=10)


@pytest.mark.parametrize(
    ("current", "baseline", "expected"),
    [
        ([10.0], [10.0], SAME),
        ([10.9], [10.0], SAME),
        ([9.2], [10.0], SAME),
        ([11.5], [10.0], UNSURE),
        ([8.6], [10.0], UNSURE),
        ([12.5], [10.0], WORSE),
        ([8.0], [10.0], BETTER),
        ([11.5, 11.6, 11.7], [10.0, 10.1, 10.2], WORSE),
        ([11.5, 11.6, 10.15], [10.0, 10.1, 10.2], UNSURE),
        ([8.5, 8.6, 8.7], [10.0, 10.1, 10.2], BETTER),
        ([9.0, 10.0, 11.5], [10.0, 10.1, 10.2], UNSURE),
        ([], [10.0], NOT),
        ([10.0], [], NOT),
        ([10.0], [0.0], NOT),
    ],
)
def test_verdicts_of_a_metric_where_less_is_better(current, baseline, expected):
    assert judge(current, baseline).judgement is expected


def test_where_more_is_better_the_verdict_turns():
    assert judge([8.0], [10.0], higher_is_better=True).judgement is WORSE
    assert judge([13.0], [10.0], higher_is_better=True).judgement is BETTER


def test_the_reason_says_how_many_trials():
    assert judge([10.0], [10.0]).reason.startswith("n=1 against n=1")
    assert judge([10.0], [10.0, 10.1]).reason.startswith("n=1 against n=2")


positive = st.lists(st.floats(0.01, 1e6), min_size=1, max_size=5)
OPPOSITE = {BETTER: WORSE, WORSE: BETTER}


@given(current=positive, baseline=positive)
def test_a_against_b_is_the_opposite_of_b_against_a(current, baseline):
    forth, back = judge(current, baseline), judge(baseline, current)
    assert back.judgement is OPPOSITE.get(forth.judgement, forth.judgement)


@given(values=positive)
def test_a_run_against_itself_never_changed(values):
    assert judge(values, values).judgement in {SAME, UNSURE}
    assert judge(values, values).ratio == 1.0
