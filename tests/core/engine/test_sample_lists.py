"""``PREFIX_TRAIT.regenie.ids``: REGENIE's own lists to the byte, and none after a failed run."""

from pathlib import Path

import pytest

from g_core import _native
from g_core.config.build_plan import build_run_plan
from g_core.config.load import load_config
from g_core.engine.run_directory import RunDirectory
from g_core.engine.sample_lists import write_sample_lists
from g_core.inputs.analysis_set import load_analysis_set
from g_core.simulate.dataset import SimulatedDataset
from tests.core.engine.conftest import RunEngine, quantitative_arguments

CASES = ("qt_write_samples", "qt_write_samples_print_pheno")


@pytest.mark.golden
@pytest.mark.parametrize("mode", ["per_phenotype", "regenie"])
@pytest.mark.parametrize("case", CASES)
def test_the_bytes_are_those_of_regenie(
    golden: Path,
    case_arguments: dict[str, list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    case: str,
    mode: str,
) -> None:
    monkeypatch.chdir(golden)
    words = [*case_arguments[case], "--sample-mode", mode]
    words[words.index("--out") + 1] = str(tmp_path / "out")
    plan = build_run_plan(load_config(words))
    analysis = load_analysis_set(plan, _native.BgenReader(str(plan.input.bgen)), [1, 2, 3])
    directory = RunDirectory(plan.output.prefix)
    directory.create()
    directory.create_rooms(())
    written = write_sample_lists(plan.output, analysis, directory)
    assert sorted(written.values()) == ["out_Y1.regenie.ids", "out_Y2.regenie.ids"]
    for name in written.values():
        assert (tmp_path / name).read_bytes() == (golden / "step2" / case / name).read_bytes()


def test_a_run_leaves_the_lists_beside_its_text_and_names_them(
    dataset: SimulatedDataset, run_engine: RunEngine
) -> None:
    result = run_engine([*quantitative_arguments(dataset), "--write-samples", "--print-pheno"])
    (trait,) = result.manifest.traits
    assert trait.sample_list is not None
    lines = (result.run_directory.parent / trait.sample_list).read_text().splitlines()
    assert lines[0] == f"{trait.name}\tNA"
    assert len(lines) == trait.n_samples + 1


def test_nothing_is_listed_unless_it_is_asked_for(dataset: SimulatedDataset, run_engine: RunEngine) -> None:
    result = run_engine(quantitative_arguments(dataset))
    assert result.manifest.traits[0].sample_list is None
    assert list(result.run_directory.parent.glob("*.ids")) == []


def test_predictions_that_mask_samples_end_the_last_line(
    dataset: SimulatedDataset, tmp_path: Path, run_engine: RunEngine
) -> None:
    loco = Path(dataset.quantitative_predictions.read_text().split()[1])
    loco = loco if loco.is_file() else dataset.quantitative_predictions.parent / loco
    header, *rows = loco.read_text().splitlines()
    rows[0] = " ".join([rows[0].split()[0], "NA", *rows[0].split()[2:]])
    (tmp_path / "masked.loco").write_text("\n".join([header, *rows]) + "\n")
    (tmp_path / "pred.list").write_text(f"phenotype_continuous {tmp_path / 'masked.loco'}\n")
    words = quantitative_arguments(dataset)
    whole = run_engine([*words, "--write-samples"])
    words[words.index("--pred") + 1] = str(tmp_path / "pred.list")
    masked = run_engine([*words, "--write-samples"])
    texts = [
        (result.run_directory.parent / str(result.manifest.traits[0].sample_list)).read_text()
        for result in (whole, masked)
    ]
    assert not texts[0].endswith("\n")
    assert texts[1].endswith("\n")
    assert len(texts[0].splitlines()) == len(texts[1].splitlines()) + 1
