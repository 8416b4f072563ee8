"""On REGENIE's own inputs the join keeps as many samples as REGENIE says it analysed."""

import gzip
import re

import pytest

from g_core import _native
from g_core.config.build_plan import build_run_plan
from g_core.config.load import load_config
from g_core.inputs.analysis_set import load_analysis_set

pytestmark = pytest.mark.golden

CASES = [
    "qt_linear_cov",
    "qt_linear_catcov",
    "qt_remove",
    "qt_keep",
    "qt_wNA_default",
    "qt_wNA_strict",
    "qt_wNA_one_trait",
    "qt_gz_inputs",
    "qt_3chr_zstd",
    "bt_minCaseCount",
    "sim_qt",
    "sim_qt_covar_wNA",
    "sim_qt_keep_extract",
    "sim_bt_cc12",
    "sim_bt_strict_wNA",
]


@pytest.mark.parametrize("case", CASES)
def test_analysed_samples_of_any_trait(golden, case_arguments, monkeypatch, case):
    monkeypatch.chdir(golden)
    plan = build_run_plan(load_config(case_arguments[case]))
    analysis = load_analysis_set(plan, _native.BgenReader(str(plan.input.bgen)), [1])
    analysed = {sample for group in analysis.groups for sample in group.sample_indices.tolist()}
    log = (golden / "step2" / case / "log.txt").read_text(encoding="utf-8")
    found = re.search(r"number of individuals used in analysis = (\d+)", log)
    assert len(analysed) == int(found.group(1))


JOINT_CASES = [
    *CASES,
    "qt_wNA_force_impute",
    "sim_qt_wNA",
    "sim_qt_wNA_force_impute",
    "sim_qt_wNA_rint",
    "bt_wNA_default",
]


@pytest.mark.parametrize("case", JOINT_CASES)
def test_samples_of_the_joint_mode(golden, case_arguments, monkeypatch, case):
    """One model of as many samples as REGENIE's, and as many of each trait as the largest N it printed."""
    monkeypatch.chdir(golden)
    plan = build_run_plan(load_config([*case_arguments[case], "--sample-mode", "regenie"]))
    analysis = load_analysis_set(plan, _native.BgenReader(str(plan.input.bgen)), [1])
    log = (golden / "step2" / case / "log.txt").read_text(encoding="utf-8")
    (group,) = analysis.groups
    assert group.sample_indices.size == int(re.search(r"individuals used in analysis = (\d+)", log).group(1))
    for trait in group.traits:
        (table,) = (golden / "step2" / case).glob(f"out_{trait.name}.regenie*")
        opened = gzip.open if table.suffix == ".gz" else open
        with opened(table, "rt", encoding="utf-8") as lines:
            column = next(lines).split().index("N")
            assert int(trait.present.sum()) == max(int(line.split()[column]) for line in lines)
