"""The join: all inputs of a run along one order of samples, grouped by the samples that traits share.

Belongs here: the types that the engine reads, and the steps that make them. Does not belong here: the rules of each
file (its own module) and of the sample modes (sample_sets.py).
"""

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from g_core import _native
from g_core.config.choices import SampleMode, TraitType
from g_core.config.run_plan import RunPlan, TraitPlan
from g_core.inputs import (
    covariate_directions,
    genotype_file,
    joined_inputs,
    predictions,
    sample_sets,
    trait_notes,
    trait_values,
    unusable_traits,
)
from g_core.inputs.findings import Findings
from g_core.inputs.join_report import DropReason, FailedTrait, JoinReport, TraitCounts
from g_core.inputs.joined_inputs import JoinedInputs
from g_core.inputs.sample_index import SampleNames
from g_core.inputs.sample_sets import SampleMask


@dataclasses.dataclass(frozen=True, slots=True)
class Trait:
    """One trait along the n samples of its group.

    Attributes:
        values: [n] as they enter the model: 0.0 and 1.0 for binary traits, transformed and imputed where the run asks
            for it; NaN where missing, which happens in a joint group alone.
        observed: [n] True where there is a value, imputed ones included (spec 4.1 step 2, before predictions mask).
        present: [n] the spec's M_p: observed and not masked by the predictions. All True unless the group is joint.
        predictions: None when the run has none; 0 where not present.
    """

    name: str
    values: npt.NDArray[np.float64]
    observed: npt.NDArray[np.bool_]
    present: npt.NDArray[np.bool_]
    predictions: predictions.LocoPredictions | None


@dataclasses.dataclass(frozen=True, slots=True)
class MaskGroup:
    """Traits that are analysed together, on one set of n samples (the spec's A).

    Attributes:
        sample_indices: [n] ascending positions in the BGEN.
        is_male: [n].
        design: [n, 1 + C] ones first and then the covariates, unscaled.
        traits: in the order of the phenotype file.
        is_joint: True where traits of the group are missing in some of its samples: sample mode ``regenie`` with
            masks that differ. Otherwise every trait is present in all of them.
    """

    sample_indices: npt.NDArray[np.uint32]
    is_male: npt.NDArray[np.bool_]
    design: npt.NDArray[np.float64]
    traits: tuple[Trait, ...]
    is_joint: bool


@dataclasses.dataclass(frozen=True, slots=True)
class AnalysisSet:
    """Everything about samples that a scan reads.

    Attributes:
        n_genotyped: samples of the BGEN.
        n_kept: samples that the sample filters leave (the spec's n).
        kept_indices: [n_kept] their ascending positions in the BGEN.
        kept_is_male: [n_kept].
        groups: every trait that is analysed, in exactly one group.
        failed_traits: traits that cannot be analysed, known before work starts; the others go on.
        sample_names: of the genotyped samples; None where only joined identifiers are known (no .sample file).
        design_names: columns of every group's design.
    """

    n_genotyped: int
    n_kept: int
    kept_indices: npt.NDArray[np.uint32]
    kept_is_male: npt.NDArray[np.bool_]
    trait_type: TraitType
    groups: tuple[MaskGroup, ...]
    failed_traits: tuple[FailedTrait, ...]
    sample_names: SampleNames | None
    design_names: tuple[str, ...]
    join_report: JoinReport


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class TraitSets:
    """The traits that can be analysed: why samples are left out, who stays, and the values; by name, each [N]."""

    available: Mapping[str, Mapping[DropReason, SampleMask]]
    masks: Mapping[str, SampleMask]
    values: Mapping[str, npt.NDArray[np.float64]]


def load_analysis_set(plan: RunPlan, reader: _native.BgenReader, chromosome_codes: Sequence[int]) -> AnalysisSet:
    """Read and join every input but the genotypes.

    Args:
        plan: Of the run.
        reader: The open BGEN.
        chromosome_codes: Chromosomes of the variants to test; a trait's predictions must have them.

    Raises:
        InputError: files are damaged or do not fit each other, or every trait has failed; everything that can be known
            together is told together.
    """
    findings = Findings()
    genotype_file.note_genotype_file(reader, findings)
    joined = joined_inputs.read_inputs(plan, reader, findings)
    sets = find_trait_sets(plan, joined, chromosome_codes, findings)
    groups = group_traits(joined, sets, plan.samples.mode)
    # A single group has the rows already; a copy of the design is the largest array of a join.
    one_group = len(groups) == 1
    covariate_directions.note_directions(
        groups[0].design if one_group else joined.design.columns[sample_sets.of_any(sets.masks.values())],
        joined.design.names,
        findings,
        relative_eigenvalue_cutoff=plan.kernels.basis.relative_eigenvalue_cutoff,
    )
    trait_notes.note_traits(plan, joined, sets.masks, findings, is_joint=any(group.is_joint for group in groups))
    note_twin_covariates(groups, joined.design.names, findings)
    return AnalysisSet(
        n_genotyped=len(joined.genotyped.index.keys),
        n_kept=int(joined.kept.sum()),
        kept_indices=np.flatnonzero(joined.kept).astype(np.uint32),
        kept_is_male=joined.genotyped.is_male[joined.kept],
        trait_type=plan.trait.type,
        groups=groups,
        failed_traits=tuple(findings.failed_traits),
        sample_names=joined.genotyped.index.names,
        design_names=joined.design.names,
        join_report=build_report(joined, sets, plan, findings),
    )


def find_trait_sets(
    plan: RunPlan, joined: JoinedInputs, chromosome_codes: Sequence[int], findings: Findings
) -> TraitSets:
    """Samples and values of the traits that can be analysed.

    Raises:
        InputError: every trait has failed.
    """
    names = tuple(joined.values)
    if plan.samples.mode is SampleMode.COMPLETE_CASE:
        # A trait that fails on its own samples must not take those of the others with it.
        own = settle_traits(plan.trait, joined, names, SampleMode.PER_PHENOTYPE, chromosome_codes, findings)
        names = tuple(own.masks)
    return settle_traits(plan.trait, joined, names, plan.samples.mode, chromosome_codes, findings)


def settle_traits(
    plan: TraitPlan,
    joined: JoinedInputs,
    names: tuple[str, ...],
    mode: SampleMode,
    chromosome_codes: Sequence[int],
    findings: Findings,
) -> TraitSets:
    """Take out traits that fail, as though nobody had asked for them, until none does.

    Where traits share samples each one that goes changes the others, so they are looked at again.

    Raises:
        InputError: every trait has failed.
    """
    while True:
        sets = build_trait_sets(plan, joined, names, mode)
        reasons = {
            name: unusable_traits.find_reason(
                unusable_traits.Candidate(
                    name=name, passes=sets.available[name], mask=sets.masks[name], values=sets.values[name]
                ),
                joined,
                plan.type,
                chromosome_codes,
            )
            for name in names
        }
        for name, reason in reasons.items():
            if reason is not None:
                findings.fail_trait(name, reason)
        if not any(reasons.values()):
            return sets
        names = tuple(name for name in names if reasons[name] is None)
        if not names:
            findings.raise_no_trait_left()


def build_trait_sets(plan: TraitPlan, joined: JoinedInputs, names: Sequence[str], mode: SampleMode) -> TraitSets:
    """Samples and values of some of the traits."""
    available = sample_sets.availability(joined, names, mode, impute_missing=plan.impute_missing)
    return TraitSets(
        available=available,
        masks={name: sample_sets.analysed_samples(joined.kept, passes) for name, passes in available.items()},
        values=trait_values.prepare_values(joined, available, plan),
    )


def group_traits(joined: JoinedInputs, sets: TraitSets, mode: SampleMode) -> tuple[MaskGroup, ...]:
    """Traits by their samples; groups and traits keep the order of the phenotype file.

    In the mode ``regenie`` there is one group, whose samples are those of any trait (spec section 2.7, step 7).
    """
    if mode is SampleMode.REGENIE and not sample_sets.have_one_mask(sets.masks.values()):
        union = sample_sets.of_any(sets.masks.values())
        return (build_group(joined, sets, tuple(sets.masks), union, is_joint=True),)
    members: dict[bytes, list[str]] = {}
    for name, mask in sets.masks.items():
        members.setdefault(mask.tobytes(), []).append(name)
    return tuple(build_group(joined, sets, names, sets.masks[names[0]], is_joint=False) for names in members.values())


def build_group(
    joined: JoinedInputs, sets: TraitSets, names: Sequence[str], samples: SampleMask, *, is_joint: bool
) -> MaskGroup:
    """One group's arrays, contiguous."""
    indices = np.flatnonzero(samples).astype(np.uint32)
    return MaskGroup(
        sample_indices=indices,
        is_male=joined.genotyped.is_male[indices],
        design=np.ascontiguousarray(joined.design.columns[indices]),
        traits=tuple(build_trait(joined, sets, name, indices) for name in names),
        is_joint=is_joint,
    )


def build_trait(joined: JoinedInputs, sets: TraitSets, name: str, indices: npt.NDArray[np.uint32]) -> Trait:
    """One trait along the samples of its group."""
    values, present = sets.values[name][indices], sets.masks[name][indices]
    loco = None if joined.predictions is None else joined.predictions[name].at(indices, present)
    return Trait(name=name, values=values, observed=~np.isnan(values), present=present, predictions=loco)


def note_twin_covariates(groups: Sequence[MaskGroup], names: Sequence[str], findings: Findings) -> None:
    """Note each trait that a covariate gives away: nothing will be left of it to test."""
    for group in groups:
        design, square_sums = group.design, covariate_directions.centred_square_sums(group.design)
        for trait in group.traits:
            if group.is_joint:
                design = group.design[trait.present]
                square_sums = covariate_directions.centred_square_sums(design)
            twin = covariate_directions.find_twin(design, square_sums, trait.values[trait.present])
            if twin is not None:
                findings.note(
                    f"trait {trait.name} is the covariate {names[twin]} but for shift and scale; nothing is left of it "
                    "to test; leave the covariate out"
                )


def one_table_problem(analysis: AnalysisSet) -> str | None:
    """Why the traits cannot stand in one table (``--no-split``), or None: it needs one model for all."""
    if len(analysis.groups) == 1:
        return None
    groups = "; ".join(
        f"{', '.join(trait.name for trait in group.traits)} ({group.sample_indices.size} samples)"
        for group in analysis.groups
    )
    return (
        f"--no-split needs all traits on one model, and these differ in their samples: {groups}; add --strict, or "
        "--sample-mode regenie"
    )


def build_report(joined: JoinedInputs, sets: TraitSets, plan: RunPlan, findings: Findings) -> JoinReport:
    """The counts of the finished join."""
    binary = plan.trait.type is TraitType.BINARY
    counts = tuple(
        TraitCounts(
            name=name,
            n_analysed=int(np.count_nonzero(mask)),
            n_cases=int(np.count_nonzero(sets.values[name][mask] == 1.0)) if binary else None,
            n_imputed=int(np.count_nonzero(np.isnan(joined.values[name][mask]))),
            drops=sample_sets.count_drops(joined.kept, sets.available[name]),
        )
        for name, mask in sets.masks.items()
    )
    files = (joined.phenotypes.counts, joined.design.counts)
    return JoinReport(
        n_genotyped=len(joined.genotyped.index.keys),
        n_kept=int(joined.kept.sum()),
        n_sample_sets=len({mask.tobytes() for mask in sets.masks.values()}),
        files=tuple(entry for entry in files if entry is not None),
        traits=counts,
        failed_traits=tuple(findings.failed_traits),
        covariates=joined.design.names[1:],
        notes=tuple(findings.notes),
    )
