"""Dagster's own services over a code location: code server, webserver and daemon, each a process that a test may end.

Belongs here: starting and ending them, and GraphQL as a page of the web UI speaks it. Does not belong here: what a run
must come to (the tests).
"""

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests.end_to_end.webserver import end_process_group, free_port, wait_until_it_answers
from tests.slurm.cluster import REPOSITORY, wait_until

START_SECONDS = 120.0
RUN_SECONDS = 300.0
LOCATION = "location"

LAUNCH = """
mutation($params: ExecutionParams!) { launchPipelineExecution(executionParams: $params) {
  __typename ... on LaunchRunSuccess { run { runId } } ... on PythonError { message }
  ... on RunConfigValidationInvalid { errors { message } } } }
"""
REEXECUTE = """
mutation($params: ReexecutionParams!) { launchPipelineReexecution(reexecutionParams: $params) {
  __typename ... on LaunchRunSuccess { run { runId } } ... on PythonError { message } } }
"""
TERMINATE = "mutation($run: String!) { terminateRun(runId: $run) { __typename } }"
STATUS = "query($run: ID!) { runOrError(runId: $run) { __typename ... on Run { status } } }"


@dataclass(slots=True)
class Services:
    """A code server, a webserver and a daemon on loopback, over an instance of their own."""

    home: Path
    code_location: tuple[str, str]
    """``-f FILE`` or ``-m MODULE``."""
    environment: Mapping[str, str]
    address: str = ""
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    ports: dict[str, int] = field(default_factory=dict)

    @property
    def workspace(self) -> Path:
        """The workspace file that names the code server."""
        return self.home / "workspace.yaml"

    def start(self) -> None:
        """Start all three."""
        self.ports = {"code": free_port(), "web": free_port()}
        server = {"host": "127.0.0.1", "port": self.ports["code"], "location_name": LOCATION}
        self.workspace.write_text(yaml.safe_dump({"load_from": [{"grpc_server": server}]}), encoding="utf-8")
        self.start_one("code")
        self.start_one("web")
        self.start_one("daemon")

    def command(self, name: str) -> list[str]:
        """The command line of one service."""
        port = str(self.ports.get(name))
        match name:
            case "code":
                return ["dagster", "api", "grpc", "-h", "127.0.0.1", "-p", port, *self.code_location]
            case "web":
                return ["dagster-webserver", "-h", "127.0.0.1", "-p", port, "-w", str(self.workspace)]
            case _:
                return ["dagster-daemon", "run", "-w", str(self.workspace)]

    def start_one(self, name: str) -> None:
        """Start one service and wait until it answers."""
        program, *arguments = self.command(name)
        log = self.home / f"{name}.log"
        with log.open("ab") as output:
            process = subprocess.Popen(
                [str(Path(sys.executable).with_name(program)), *arguments],
                cwd=REPOSITORY,
                env={**os.environ, **self.environment, "DAGSTER_HOME": str(self.home)},
                stdout=output,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        self.processes[name] = process
        match name:
            case "code":
                check = [str(Path(sys.executable).with_name("dagster")), "api", "grpc-health-check", "-p"]
                wait_until(
                    lambda: subprocess.run([*check, str(self.ports["code"])], capture_output=True).returncode == 0,  # noqa: PLW1510
                    f"the code server, see {log}",
                    START_SECONDS,
                )
            case "web":
                self.address = f"http://127.0.0.1:{self.ports['web']}"
                wait_until_it_answers(process, self.address, log, START_SECONDS)
            case _:
                pass

    def stop_one(self, name: str) -> None:
        """End one service and everything it started, as a service manager does."""
        end_process_group(self.processes.pop(name))

    def restart(self, name: str) -> None:
        """End one service and start it again."""
        self.stop_one(name)
        self.start_one(name)

    def stop(self) -> None:
        """End whatever still runs, the code server last."""
        for name in ("daemon", "web", "code"):
            if name in self.processes:
                self.stop_one(name)

    def ask(self, query: str, variables: Mapping[str, Any]) -> Any:
        """Send one GraphQL document and return the one field of its answer."""
        request = urllib.request.Request(
            f"{self.address}/graphql",
            data=json.dumps({"query": query, "variables": variables}).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as response:
            answer = json.load(response)
        assert "errors" not in answer, answer["errors"]
        (value,) = answer["data"].values()
        return value

    def launch(self, assets: list[list[str]], config: Mapping[str, Any], tags: Mapping[str, str]) -> str:
        """Launch a run of some assets, as the button of the page does, and return its id."""
        selector = {
            "repositoryName": "__repository__",
            "repositoryLocationName": LOCATION,
            "jobName": "__ASSET_JOB",
            "assetSelection": [{"path": path} for path in assets],
        }
        metadata = {"tags": [{"key": key, "value": value} for key, value in tags.items()]}
        params = {"selector": selector, "runConfigData": json.dumps(config), "executionMetadata": metadata}
        return self.run_id_of(self.ask(LAUNCH, {"params": params}))

    def reexecute(self, run_id: str) -> str:
        """Run what failed of a run again, and return the new run's id."""
        params = {"parentRunId": run_id, "strategy": "FROM_FAILURE"}
        return self.run_id_of(self.ask(REEXECUTE, {"params": params}))

    @staticmethod
    def run_id_of(answer: Any) -> str:
        """Id of the run that was launched."""
        assert answer["__typename"] == "LaunchRunSuccess", answer
        return answer["run"]["runId"]

    def terminate(self, run_id: str) -> None:
        """The Terminate button."""
        assert self.ask(TERMINATE, {"run": run_id})["__typename"] == "TerminateRunSuccess"

    def status(self, run_id: str) -> str:
        """Status of a run."""
        try:
            return self.ask(STATUS, {"run": run_id})["status"]
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return "no answer"

    def wait_for_run(self, run_id: str, *statuses: str) -> str:
        """Wait until a run has one of these statuses, and return it."""
        deadline = time.monotonic() + RUN_SECONDS
        while (status := self.status(run_id)) not in statuses:
            assert time.monotonic() < deadline, f"run {run_id} is {status}; see {self.home}"
            time.sleep(0.3)
        return status
