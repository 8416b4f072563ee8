"""``python -m g_assets.benchmarks``: from nothing to a table and a valid artifact."""

import pytest

from g_assets.artifacts.validate import validate
from g_assets.benchmarks.__main__ import main
from g_assets.benchmarks.artifact import read_benchmarks
from g_assets.benchmarks.record import Section
from tests.conftest import REPOSITORY


@pytest.fixture
def folders(tmp_path, monkeypatch):
    monkeypatch.chdir(REPOSITORY)
    monkeypatch.setenv("GWAS_ENGINE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("GWAS_ENGINE_ARTIFACT_DIR", str(tmp_path / "artifacts"))
    return tmp_path


def test_a_small_run_of_two_sections_leaves_a_table_and_a_valid_artifact(folders, monkeypatch, capsys):
    monkeypatch.delenv("REGENIE_BIN", raising=False)
    monkeypatch.setenv("PLINK2_BIN", str(folders / "nothing"))
    assert main(["--small", "--rounds", "2", "--only", "reading", "peer"]) == 0
    (directory,) = (folders / "artifacts" / "benchmarks").iterdir()
    assert validate(directory) == ()
    record = read_benchmarks(directory)
    assert {row.row.section for row in record.measured} >= {Section.FLOOR, Section.READING}
    assert all(len(row.values) == 2 for row in record.measured)
    assert "plink2 is not on the search path" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--small", "--full"], ["--rounds", "0"], ["--only", "floor"]])
def test_wrong_usage_is_refused(words, capsys):
    with pytest.raises(SystemExit) as leaving:
        main(words)
    assert leaving.value.code == 2
    assert "usage" in capsys.readouterr().err
