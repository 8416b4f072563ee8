"""The parity assets: ``parity/linear`` and ``parity/binary``, the golden cases of one kind of trait.

Belongs here: running the cases as an asset, what its page shows, and the blocking check. Does not belong here: cases,
tolerances and rules (parity/), or the words of the report (reports/parity.py).

Each asset carries its check itself, so that no run can leave one without the other. Without golden data the run fails
and says where they were looked for: nothing was compared, and nothing may look as though it had been.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import dagster as dg
from pydantic import Field

from g_assets.defs import metadata
from g_assets.parity.cases import CASES_NAME, GoldenCase
from g_assets.parity.golden_folder import GOLDEN_FOLDER_VARIABLE, holds_cases
from g_assets.parity.record import COMPARED_COLUMNS, ParityRecord
from g_assets.reports.parity import publish_parity
from g_assets.reports.publish import Published
from g_assets.resources.settings import Settings

GROUP = "parity"
CHECK_NAME = "agrees_with_regenie"
COMPUTE_MODE = "process"
SHOWN_CASES = 20


@dataclass(frozen=True, slots=True)
class ParityAsset:
    """The name of a parity asset, and the trait type of its cases in cases.json."""

    name: str
    trait_type: str
    words: str


PARITY_ASSETS = (
    ParityAsset("linear", "qt", "quantitative"),
    ParityAsset("binary", "bt", "binary"),
)


class ParityConfig(dg.Config):
    """Config of a parity asset."""

    jobs: Annotated[int, Field(ge=1)] = 2
    """Cases at a time, each in a process of its own."""
    case_timeout_seconds: Annotated[float, Field(gt=0)] = 600.0
    """Longest time of one run; a case that takes longer has failed."""


def build_parity(kind: ParityAsset) -> dg.AssetsDefinition:
    """One parity asset with its check."""
    key = dg.AssetKey([GROUP, kind.name])

    @dg.asset(
        key=key,
        group_name=GROUP,
        kinds={"regenie"},
        description=f"The golden cases of {kind.words} traits through `g regenie`, compared with what REGENIE printed.",
        check_specs=[
            dg.AssetCheckSpec(
                CHECK_NAME,
                asset=key,
                blocking=True,
                description="Every case agrees with REGENIE within the tolerances of docs/parity.md.",
            )
        ],
    )
    def parity(context: dg.AssetExecutionContext, config: ParityConfig, settings: Settings) -> dg.MaterializeResult:  # pyright: ignore[reportMissingTypeArgument]  (Dagster knows the bare class alone)
        started_at = datetime.now(UTC)
        record = run_cases(context, config, golden_folder=find_golden_folder(settings), trait_type=kind.trait_type)
        # It is imported here because it asks the machine through modules that the code location need not load.
        from g_assets.payloads.environment import capture_context

        published = publish_parity(
            settings.artifact_root(),
            name=kind.name,
            run_id=context.run.run_id,
            record=record,
            context=capture_context(COMPUTE_MODE, Path.cwd()),
            started_at=started_at,
        )
        return dg.MaterializeResult(
            metadata=parity_metadata(record, published), check_results=[parity_check(record, key)]
        )

    return parity


def find_golden_folder(settings: Settings) -> Path:
    """The folder of golden data. Raises dagster.Failure where there is none, saying where it was looked for."""
    folder = settings.golden_root()
    if not holds_cases(folder):
        msg = (
            f"no golden data, so nothing was compared: {folder} holds no {CASES_NAME}; set {GOLDEN_FOLDER_VARIABLE}, "
            "or golden_directory of the resource settings, to the folder that does"
        )
        raise dg.Failure(msg, allow_retries=False)
    return folder


def run_cases(
    context: dg.AssetExecutionContext, config: ParityConfig, *, golden_folder: Path, trait_type: str
) -> ParityRecord:
    """Run the cases of one trait type. Raises dagster.Failure where cases.json cannot be read."""
    # polars and numpy are wanted here only, not while the code location loads.
    from g_assets.parity.cases import ParityUsageError
    from g_assets.parity.report import describe_case
    from g_assets.parity.run_folder import run_folder
    from g_assets.parity.tolerances import GOLDEN_TOLERANCES

    def choose(cases: Sequence[GoldenCase]) -> tuple[GoldenCase, ...]:
        return tuple(case for case in cases if case.trait_type == trait_type)

    try:
        return run_folder(
            golden_folder=golden_folder,
            choose=choose,
            output_folder=None,
            tolerances=GOLDEN_TOLERANCES,
            jobs=config.jobs,
            timeout_seconds=config.case_timeout_seconds,
            on_result=lambda result: context.log.info("\n".join(describe_case(result))),
        ).record
    except ParityUsageError as error:
        raise dg.Failure(str(error), allow_retries=False) from error


def parity_metadata(record: ParityRecord, published: Published) -> dict[str, metadata.Plain]:
    """What the event log keeps of a parity run: the largest errors of each column first."""
    errors = {f"largest_relative_error/{name}": record.largest_relative_error(name) for name in COMPARED_COLUMNS}
    shares = {
        f"largest_share_of_tolerance/{name}": record.largest_share_of_tolerance(name) for name in COMPARED_COLUMNS
    }
    return metadata.clean(
        {
            **errors,
            **shares,
            "cases": len(record.cases),
            "cases_passed": record.n_passed,
            "cases_failed": len(record.cases) - record.n_passed,
            "wall_seconds": record.wall_seconds,
            "reference": record.reference,
            "golden_folder": dg.MetadataValue.path(record.golden_folder),
            "report": dg.MetadataValue.md(published.markdown),
            "record_path": dg.MetadataValue.path(str(published.record_path)),
            "record_sha256": published.record_sha256,
        }
    )


def parity_check(record: ParityRecord, key: dg.AssetKey) -> dg.AssetCheckResult:
    """The check's answer: no case is no agreement."""
    failed = [case.id for case in record.cases if not case.passed]
    named = ", ".join(failed[:SHOWN_CASES]) + (f" and {len(failed) - SHOWN_CASES} more" if failed[SHOWN_CASES:] else "")
    description = f"{record.n_passed} of {len(record.cases)} cases passed" + (f"; failed: {named}" if failed else "")
    return dg.AssetCheckResult(
        passed=record.passed,
        check_name=CHECK_NAME,
        asset_key=key,
        description=description if record.cases else "no case of this trait type, so nothing was compared",
        metadata=metadata.clean({"cases": len(record.cases), "cases_failed": len(failed)}),
    )
