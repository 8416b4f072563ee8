"""Field reports I on Dagster: what a user's own instance and code location do when something is off.

Belongs here: what needs no cluster. Does not belong here: the reports on SLURM (tests/slurm); the index of all reports
is tests/core/inputs/test_index.py.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest
import yaml
from dagster._core.remote_representation.external_data import RepositorySnap
from dagster_shared.serdes import serialize_value

from g_assets import definitions
from tests.assets.defs.conftest import laboratory_in
from tests.end_to_end.webserver import REPOSITORY

DAGSTER = str(Path(sys.executable).with_name("dagster"))
CONFIGURATION = REPOSITORY / "dagster_home" / "dagster.yaml"
MEGABYTE = 1_000_000
PARALLEL_RUNS = 4

# One quick run that writes many events, with the code location's own executor.
BUSY_RUN = """
import sys
import dagster as dg

@dg.op
def talk(context):
    for number in range(50):
        context.log.info("line %d", number)

@dg.job(executor_def=dg.in_process_executor)
def busy():
    talk()

with dg.DagsterInstance.get() as instance:
    sys.exit(0 if busy.execute_in_process(instance=instance, raise_on_error=False).success else 1)
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A DAGSTER_HOME of its own with the repository's configuration."""
    folder = tmp_path / "dagster_home"
    folder.mkdir()
    shutil.copy(CONFIGURATION, folder)
    return folder


def dagster(home: str | None, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Dagster's command over the code location, with this DAGSTER_HOME or without one."""
    environment = {name: value for name, value in os.environ.items() if name != "DAGSTER_HOME"}
    if home is not None:
        environment["DAGSTER_HOME"] = home
    return subprocess.run(
        [DAGSTER, *words], cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=False
    )


def test_i4_i11_runs_are_watched_and_no_logger_is_managed():
    configuration = yaml.safe_load(CONFIGURATION.read_text(encoding="utf-8"))
    watched = configuration["run_monitoring"]
    assert watched["enabled"]
    assert {"start_timeout_seconds", "cancel_timeout_seconds", "max_runtime_seconds"} <= set(watched)
    assert "python_logs" not in configuration


@pytest.mark.slow
def test_i10_runs_at_once_on_one_home_do_not_lock_each_other_out(home):
    environment = {**os.environ, "DAGSTER_HOME": str(home)}
    # Two processes that both make the tables of a new home can meet; that is Dagster's own, and once in a home's life.
    subprocess.run([sys.executable, "-c", BUSY_RUN], env=environment, check=True, capture_output=True)
    runs = [
        subprocess.Popen([sys.executable, "-c", BUSY_RUN], env=environment, stderr=subprocess.PIPE, text=True)
        for _ in range(PARALLEL_RUNS)
    ]
    words = [run.communicate()[1] for run in runs]
    failed = [said[-2000:] for run, said in zip(runs, words, strict=True) if run.returncode != 0]
    assert failed == []
    assert not any("database" in said for said in words), words
    with dg.DagsterInstance.from_config(str(home)) as instance:
        assert [run.status for run in instance.get_runs()] == [dg.DagsterRunStatus.SUCCESS] * (1 + PARALLEL_RUNS)


def test_i11_i22_it_loads_in_an_empty_home_without_any_data(tmp_path):
    done = dagster(str(tmp_path), "definitions", "validate", "-w", "workspace.yaml")
    assert done.returncode == 0, done.stderr


def test_i23_a_broken_code_location_is_told_with_its_file_and_line(tmp_path):
    (tmp_path / "broken.py").write_text("import dagster as dg\n\n@dg.asset(\n", encoding="utf-8")
    done = dagster(str(tmp_path), "definitions", "validate", "-f", str(tmp_path / "broken.py"))
    assert done.returncode != 0
    assert "broken.py" in done.stderr + done.stdout
    assert "line 3" in done.stderr + done.stdout


@pytest.mark.parametrize(
    ("value", "message"), [("relative", "must be an absolute path"), ("/nowhere/at/all", "does not exist")]
)
def test_i25_a_home_that_is_no_folder_is_refused(value, message):
    done = dagster(value, "asset", "list", "-m", "g_assets.definitions")
    done = done if done.returncode else dagster(value, "run", "list")
    assert done.returncode != 0
    assert message in " ".join((done.stderr + done.stdout).split())


def test_i25_a_run_without_a_home_says_that_nobody_will_remember_it(tmp_path):
    with laboratory_in(tmp_path) as laboratory:
        result = laboratory.run({"plan_only": True}, ["plan"])
        said = [entry.user_message for entry in laboratory.instance.all_logs(result.run_id)]
    assert any("this run is forgotten when it ends" in words for words in said)


# Dagster's own snapshot asks each schedule for a property that Dagster deprecates.
@pytest.mark.filterwarnings("ignore:Property `ScheduleDefinition.environment_vars`")
def test_i26_the_snapshot_of_the_definitions_is_small():
    repository = definitions.build_definitions().get_repository_def()
    assert len(serialize_value(RepositorySnap.from_def(repository))) < MEGABYTE
