"""The worker under Dagster Pipes, without Dagster: the messages it sends."""

import json
import subprocess
import sys

from dagster_pipes import DAGSTER_PIPES_CONTEXT_ENV_VAR, DAGSTER_PIPES_MESSAGES_ENV_VAR, encode_env_var


def test_the_worker_measures_the_spec_it_is_sent_and_reports_it(tmp_path, spec_of, successful_script):
    spec = spec_of(successful_script)
    context = {
        "asset_keys": ["matrix/linear_cpu"],
        "code_version_by_asset_key": {},
        "provenance_by_asset_key": {},
        "partition_key": "sim_chr22",
        "partition_key_range": None,
        "partition_time_window": None,
        "run_id": "run-1",
        "job_name": None,
        "retry_number": 0,
        "extras": {"spec": spec.model_dump_json()},
    }
    context_path, messages_path = tmp_path / "context.json", tmp_path / "messages.jsonl"
    context_path.write_text(json.dumps(context))
    messages_path.touch()
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "g_assets.payloads.worker"],
        env={
            "PATH": "/usr/bin:/bin",
            DAGSTER_PIPES_CONTEXT_ENV_VAR: encode_env_var({"path": str(context_path)}),
            DAGSTER_PIPES_MESSAGES_ENV_VAR: encode_env_var(
                {"path": str(messages_path), "include_stdio_in_messages": True}
            ),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    messages = [json.loads(line) for line in messages_path.read_text().splitlines()]
    methods = [message["method"] for message in messages]
    assert methods[0] == "opened"
    assert methods[-1] == "closed"
    assert "log_external_stream" not in methods
    reported = next(message for message in messages if message["method"] == "report_asset_materialization")
    metadata = reported["params"]["metadata"]
    assert metadata["status"] == {"raw_value": "success", "type": "text"}
    assert metadata["rows"] == {"raw_value": 3, "type": "int"}
    assert reported["params"]["data_version"] == metadata["results_sha256"]["raw_value"]
