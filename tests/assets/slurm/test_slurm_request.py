"""A request says exactly what it was given, and refuses what sbatch would take without a word."""

import pytest
from pydantic import ValidationError

from g_assets.profiles.slurm_request import SlurmRequest


def test_every_field_is_one_option_of_sbatch():
    request = SlurmRequest(
        partition="gpu",
        nodes=1,
        nodelist="n[1-2]",
        cpus_per_task=8,
        mem="64G",
        gpus="v100:1",
        gres="gpu:1",
        time_limit="1-12:00:00",
        exclusive=True,
        constraint="a100|v100",
        account="main",
        qos="normal",
        reservation="tonight",
        extra=("--hint=nomultithread",),
    )
    assert request.options() == (
        "--partition=gpu",
        "--nodes=1",
        "--nodelist=n[1-2]",
        "--cpus-per-task=8",
        "--mem=64G",
        "--gpus=v100:1",
        "--gres=gpu:1",
        "--time=1-12:00:00",
        "--constraint=a100|v100",
        "--account=main",
        "--qos=normal",
        "--reservation=tonight",
        "--exclusive",
        "--hint=nomultithread",
    )


def test_a_measurement_asks_for_whole_nodes_unless_told_otherwise():
    assert SlurmRequest().options() == ("--exclusive",)
    assert SlurmRequest(exclusive=False).options() == ()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"memory": "8G"}, "Extra inputs are not permitted"),
        ({"mem": "8 GB"}, "should match pattern"),
        ({"partition": "cpu\n#SBATCH --uid=0"}, "should match pattern"),
        ({"time_limit": "tomorrow"}, "should match pattern"),
        ({"extra": ("nice",)}, "is no option of sbatch"),
        ({"extra": ("--comment=a\n#SBATCH --nice",)}, "is no option of sbatch"),
        ({"extra": ("--mem=8G",)}, "has a field of its own"),
        ({"extra": ("--time=5",)}, "has a field of its own"),
        ({"extra": ("--output=elsewhere",)}, "is set by the launcher"),
    ],
)
def test_what_cannot_be_meant_is_refused(fields, message):
    with pytest.raises(ValidationError, match=message):
        SlurmRequest.model_validate(fields)


@pytest.mark.parametrize(("mem", "mebibytes"), [("4G", 4096.0), ("4000M", 4000.0), ("500", 500.0), ("0", None)])
def test_memory_in_mebibytes(mem, mebibytes):
    assert SlurmRequest(mem=mem).memory_mebibytes() == mebibytes
