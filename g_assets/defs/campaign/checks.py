"""The checks on a campaign's assets.

Belongs here: asking what the assets' files say, and which answers end the run. Does not belong here: the rules
(artifacts/validate.py, campaigns/, compare/).

Dagster does not run what comes after an asset whose blocking check failed. A run with a failed case must still leave
its comparison and its report, so the checks that fail the run, ``every_case_ended_well`` and ``numbers_held``, sit on
the last asset, the report; ``complete`` on the manifest asks what the first does and only shows red. Only a manifest
that breaks its own format stops the run where it stands: nothing after it could be trusted.
"""

from pathlib import Path

import dagster as dg

from g_assets.artifacts import paths
from g_assets.artifacts.models import Judgement
from g_assets.artifacts.validate import validate
from g_assets.campaigns.campaign import Campaign
from g_assets.compare.models import ResultParity
from g_assets.defs import metadata
from g_assets.defs.campaign.keys import CampaignKeys
from g_assets.defs.campaign.recorded import recorded_comparison, recorded_manifest
from g_assets.defs.campaign.report import comparison_of
from g_assets.resources.settings import Settings

SHOWN_FAULTS = 20
UNCHANGED = (ResultParity.EQUAL, ResultParity.UNKNOWN)


def build_checks(campaign: Campaign) -> tuple[dg.AssetChecksDefinition, ...]:
    """Every check of a campaign."""
    return (
        build_schema_check(campaign),
        build_completeness_check(campaign, on=CampaignKeys(campaign.name).manifest, name="complete", blocking=False),
        build_parity_check(campaign),
        build_regression_check(campaign),
        build_completeness_check(
            campaign, on=CampaignKeys(campaign.name).report, name="every_case_ended_well", blocking=True
        ),
        build_numbers_check(campaign),
    )


def build_schema_check(campaign: Campaign) -> dg.AssetChecksDefinition:
    """The manifest's directory, and each cell's, is what the artifact format says."""
    keys = CampaignKeys(campaign.name)

    @dg.asset_check(
        asset=keys.manifest,
        name="schema_valid",
        blocking=True,
        description="Every file that the artifacts list is there, unchanged, and fits its model.",
    )
    def schema_valid(context: dg.AssetCheckExecutionContext, settings: Settings) -> dg.AssetCheckResult:
        manifest = recorded_manifest(context.instance, keys, context.partition_key, context.run.run_id)
        joined = paths.matrix_directory(settings.artifact_root(), campaign.name, manifest.dataset, manifest.run_id)
        directories = [joined, *(Path(cell.directory) for cell in manifest.cells)]
        faults = [f"{directory}/{fault.text()}" for directory in directories for fault in validate(directory)]
        return dg.AssetCheckResult(
            passed=not faults,
            metadata=metadata.clean(
                {
                    "directories": len(directories),
                    "faults": len(faults),
                    "first_faults": "\n".join(faults[:SHOWN_FAULTS]),
                }
            ),
        )

    return schema_valid


def build_completeness_check(
    campaign: Campaign, *, on: dg.AssetKey, name: str, blocking: bool
) -> dg.AssetChecksDefinition:
    """Every planned case ended well or cannot be run on this machine, and at least one was measured."""
    keys = CampaignKeys(campaign.name)

    @dg.asset_check(
        asset=on,
        name=name,
        blocking=blocking,
        description="Every planned case ended well or is unsupported on this machine, and at least one was measured."
        + (" Where that is not so, the run fails." if blocking else ""),
    )
    def complete(context: dg.AssetCheckExecutionContext) -> dg.AssetCheckResult:
        manifest = recorded_manifest(context.instance, keys, context.partition_key, context.run.run_id)
        return dg.AssetCheckResult(
            passed=manifest.valid,
            description=manifest.reason,
            metadata=metadata.clean(
                {"status": manifest.status.value, **{cell.case_id: cell.status.value for cell in manifest.cells}}
            ),
        )

    return complete


def build_parity_check(campaign: Campaign) -> dg.AssetChecksDefinition:
    """Every case wrote the bits that its baseline wrote. Other bits warn: a compiler may change the last of them."""
    keys = CampaignKeys(campaign.name)

    @dg.asset_check(
        asset=keys.comparison,
        name="same_results",
        description="Every case wrote what it wrote in the baseline, bit for bit. Passes without one of equal scope.",
    )
    def same_results(context: dg.AssetCheckExecutionContext) -> dg.AssetCheckResult:
        comparison = recorded_comparison(context.instance, keys, context.partition_key, context.run.run_id)
        return dg.AssetCheckResult(
            passed=all(cell.results in UNCHANGED for cell in comparison.cells),
            severity=dg.AssetCheckSeverity.WARN,
            description=comparison.reason,
            metadata=metadata.clean({cell.case_id: cell.results.value for cell in comparison.cells}),
        )

    return same_results


def build_numbers_check(campaign: Campaign) -> dg.AssetChecksDefinition:
    """No number moved beyond its tolerance. A faster matrix whose numbers moved is a failed matrix.

    The run after it is compared with this one, so a change that was meant fails once and is then the new baseline.
    """
    keys = CampaignKeys(campaign.name)

    @dg.asset_check(
        asset=keys.report,
        name="numbers_held",
        blocking=True,
        description="No case's numbers moved from the baseline's beyond the tolerances of docs/parity.md. Passes "
        "without a baseline of equal scope. Where that is not so, the run fails.",
    )
    def numbers_held(context: dg.AssetCheckExecutionContext, settings: Settings) -> dg.AssetCheckResult:
        manifest = recorded_manifest(context.instance, keys, context.partition_key, context.run.run_id)
        comparison = comparison_of(manifest, settings)
        if comparison is None:
            return dg.AssetCheckResult(passed=True, description="not compared with any run")
        moved = [cell for cell in comparison.cells if cell.results is ResultParity.MOVED]
        return dg.AssetCheckResult(
            passed=not moved,
            description="; ".join(f"{cell.case_id}: {cell.results_reason}" for cell in moved) or comparison.reason,
            metadata=metadata.clean({cell.case_id: cell.results.value for cell in comparison.cells}),
        )

    return numbers_held


def build_regression_check(campaign: Campaign) -> dg.AssetChecksDefinition:
    """No case became slower than its baseline. A regression warns: whether it matters is for a person to say."""
    keys = CampaignKeys(campaign.name)

    @dg.asset_check(
        asset=keys.comparison,
        name="no_regression",
        description="No case takes longer than in the baseline, beyond the neutral band. Passes without a baseline.",
    )
    def no_regression(context: dg.AssetCheckExecutionContext) -> dg.AssetCheckResult:
        comparison = recorded_comparison(context.instance, keys, context.partition_key, context.run.run_id)
        return dg.AssetCheckResult(
            passed=comparison.count(Judgement.REGRESSION) == 0,
            severity=dg.AssetCheckSeverity.WARN,
            description=comparison.reason,
            metadata=metadata.clean(
                {cell.case_id: f"{cell.judgement.value}: {cell.reason}" for cell in comparison.cells}
            ),
        )

    return no_regression
