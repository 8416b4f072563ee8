"""The warm process: it does and times what it is asked, and dies without taking the rest along."""

import os
import signal

import pytest

from g_assets.benchmarks.datasets import make_dataset
from g_assets.benchmarks.requests import OpenRequest, PeerReadRequest, ReadRequest, ScanRequest
from g_assets.benchmarks.shapes import Shape
from g_assets.benchmarks.warm_process import BenchmarkError, warm_process
from g_assets.parity.worker import Request as CommandRequest
from tests.conftest import REPOSITORY


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    return make_dataset(tmp_path_factory.mktemp("data"), Shape(30, 12), (), threads=1)


@pytest.fixture(scope="module")
def warm(tmp_path_factory):
    with warm_process(tmp_path_factory.mktemp("logs") / "log.txt", REPOSITORY) as process:
        yield process


def test_reading_and_opening_are_timed(warm, dataset):
    for request in (
        ReadRequest(bgen=dataset.bgen, way="inflate_only", threads=1),
        ReadRequest(bgen=dataset.bgen, way="variant_major_packed8_buffered", threads=2),
        OpenRequest(bgen=dataset.bgen),
        PeerReadRequest(bgen=dataset.bgen, n_variants=5),
    ):
        answer = warm.ask(request)
        assert answer.exit_code == 0
        assert answer.seconds > 0


def test_a_command_leaves_its_words_and_its_exit_code(warm, tmp_path):
    command = CommandRequest(words=("no_such_command",), stdout=tmp_path / "out", stderr=tmp_path / "err")
    assert warm.ask(ScanRequest(command=command)).exit_code == 2
    assert "unknown command no_such_command" in command.stderr.read_text(encoding="utf-8")


def test_after_a_death_the_next_question_starts_another_process(warm, dataset):
    os.kill(warm.running().pid, signal.SIGKILL)
    with pytest.raises(BenchmarkError, match=r"log\.txt"):
        warm.ask(OpenRequest(bgen=dataset.bgen))
    assert warm.ask(OpenRequest(bgen=dataset.bgen)).exit_code == 0
