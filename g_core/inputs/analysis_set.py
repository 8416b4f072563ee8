"""The join: all inputs of a run along one order of samples, grouped by the samples that traits share.

Belongs here: the order of joining (spec section 2.7) and the types that kernels read. Does not belong here: the rules
of each file (its own module).
"""

import dataclasses

import numpy as np
import numpy.typing as npt

from g_core import _native, errors
from g_core.config.choices import SampleMode, TraitType
from g_core.config.run_plan import RunPlan
from g_core.inputs import covariates, predictions, sample_filters, samples, traits
from g_core.inputs.findings import Findings
from g_core.inputs.join_report import DropCount, DropReason, JoinReport, TraitCounts


@dataclasses.dataclass(frozen=True, slots=True)
class Trait:
    """One trait along the samples of its group.

    ``values`` [n] is raw, 0.0 and 1.0 for binary traits; ``predictions`` is None when the run has none.
    """

    name: str
    values: npt.NDArray[np.float64]
    predictions: predictions.LocoPredictions | None


@dataclasses.dataclass(frozen=True, slots=True)
class MaskGroup:
    """Traits that share one exact set of samples.

    ``sample_indices`` [n] are ascending positions in the BGEN; ``is_male`` [n]; ``design`` [n, 1 + C] has ones first
    and then the covariates, unscaled.
    """

    sample_indices: npt.NDArray[np.uint32]
    is_male: npt.NDArray[np.bool_]
    design: npt.NDArray[np.float64]
    traits: tuple[Trait, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class AnalysisSet:
    """Everything about samples that a scan reads.

    ``n_genotyped`` counts the samples of the BGEN, ``n_kept`` those that keep and remove lists leave (the spec's n).
    """

    n_genotyped: int
    n_kept: int
    trait_type: TraitType
    groups: tuple[MaskGroup, ...]
    design_names: tuple[str, ...]
    join_report: JoinReport


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class JoinedInputs:
    """All files along the genotyped samples, before samples are dropped; ``values`` and ``predictions`` by trait."""

    genotyped: samples.GenotypeSamples
    kept: npt.NDArray[np.bool_]
    phenotypes: traits.PhenotypeColumns
    values: dict[str, npt.NDArray[np.float64]]
    design: covariates.Design
    predictions: dict[str, predictions.GenotypedPredictions] | None


def load_analysis_set(plan: RunPlan, reader: _native.BgenReader) -> AnalysisSet:
    """Read and join every input but the genotypes.

    Raises:
        InputError: files are damaged or do not fit each other; everything that can be known together is told together.
    """
    findings = Findings()
    joined = read_inputs(plan, reader, findings)
    available = availability(joined, plan.samples.mode)
    find_unusable_traits(joined, available, plan.trait.type, findings)
    findings.problems.raise_input_error()
    groups = group_traits(joined, available)
    return AnalysisSet(
        n_genotyped=len(joined.genotyped.index.keys),
        n_kept=int(joined.kept.sum()),
        trait_type=plan.trait.type,
        groups=groups,
        design_names=joined.design.names,
        join_report=build_report(joined, available, plan, findings),
    )


def read_inputs(plan: RunPlan, reader: _native.BgenReader, findings: Findings) -> JoinedInputs:
    """Read the files, each as far as the others' problems allow.

    Raises:
        InputError: something without which nothing more can be checked.
    """
    genotyped = samples.read_genotype_samples(reader, plan.input.sample, findings)
    index = genotyped.index
    kept = sample_filters.kept_samples(index, plan.samples.keep, plan.samples.remove, findings)
    columns = findings.attempt(lambda: traits.choose_trait_columns(plan.input, findings))
    phenotypes = None
    if columns:
        phenotypes = findings.attempt(lambda: traits.read_phenotypes(plan.input, columns, index, findings))
    design = findings.attempt(lambda: read_covariates(plan, columns or (), genotyped, kept, findings))
    values: dict[str, npt.NDArray[np.float64]] = {}
    if phenotypes is not None and kept.any():
        values = traits.decode_traits(phenotypes, kept, plan.trait.type, plan.binary, findings)
    loco = None
    prediction_list = plan.input.prediction_list
    if prediction_list is not None and phenotypes is not None:
        # A trait that is refused or dropped already needs no predictions, unless that would leave nothing to check.
        wanted = tuple(values) or phenotypes.names
        loco = findings.attempt(lambda: predictions.read_predictions(prediction_list, wanted, index, findings))
    findings.problems.raise_input_error()
    if phenotypes is None or design is None:
        raise errors.InputError(f"{plan.input.phenotype_file}: nothing could be read")
    if loco is not None:
        values = {name: column for name, column in values.items() if name in loco}
    return JoinedInputs(
        genotyped=genotyped, kept=kept, phenotypes=phenotypes, values=values, design=design, predictions=loco
    )


def read_covariates(
    plan: RunPlan,
    trait_names: tuple[str, ...],
    genotyped: samples.GenotypeSamples,
    kept: npt.NDArray[np.bool_],
    findings: Findings,
) -> covariates.Design:
    """The design of the run: the intercept alone where there is no covariate file.

    Raises:
        InputError: the file cannot be read, or shares no sample with the genotypes.
    """
    path = plan.input.covariate_file
    if path is None:
        return covariates.intercept_only(len(genotyped.index.keys))
    known_problems = len(findings.problems.found)
    choice = covariates.choose_covariates(plan.input, path, trait_names, findings)
    if len(findings.problems.found) > known_problems:
        # Absent columns are told; reading the others could only repeat them.
        return covariates.intercept_only(len(genotyped.index.keys))
    return covariates.read_design(
        path, choice, genotyped.index, kept, findings, max_category_levels=plan.input.max_category_levels
    )


def availability(joined: JoinedInputs, mode: SampleMode) -> dict[str, dict[DropReason, npt.NDArray[np.bool_]]]:
    """For each trait and reason, which genotyped samples pass; shape [N]. A sample that passes all is analysed."""
    everyone = np.ones(len(joined.kept), dtype=np.bool_)
    observed = {name: ~np.isnan(values) for name, values in joined.values.items()}
    predicted = {
        name: everyone if joined.predictions is None else joined.predictions[name].available for name in joined.values
    }
    shared = mode is SampleMode.COMPLETE_CASE and bool(observed)
    all_observed = np.logical_and.reduce(list(observed.values())) if shared else everyone
    all_predicted = np.logical_and.reduce(list(predicted.values())) if shared else everyone
    return {
        name: {
            DropReason.NO_PHENOTYPE_ROW: joined.phenotypes.has_row,
            DropReason.PHENOTYPE_MISSING: observed[name],
            DropReason.OTHER_PHENOTYPE_MISSING: all_observed,
            DropReason.NO_COVARIATE_ROW: joined.design.has_row,
            DropReason.COVARIATE_MISSING: joined.design.complete,
            DropReason.NO_PREDICTION: predicted[name],
            DropReason.OTHER_PREDICTION_MISSING: all_predicted,
        }
        for name in joined.values
    }


def analysed_samples(
    kept: npt.NDArray[np.bool_], passes: dict[DropReason, npt.NDArray[np.bool_]]
) -> npt.NDArray[np.bool_]:
    """Samples of one trait, shape [N]."""
    return np.logical_and.reduce([kept, *passes.values()])


def find_unusable_traits(
    joined: JoinedInputs,
    available: dict[str, dict[DropReason, npt.NDArray[np.bool_]]],
    trait_type: TraitType,
    findings: Findings,
) -> None:
    """Note traits whose samples leave nothing to test."""
    n_columns = joined.design.columns.shape[1]
    for name, passes in available.items():
        mask = analysed_samples(joined.kept, passes)
        n_samples = int(mask.sum())
        distinct = np.unique(joined.values[name][mask])
        if n_samples == 0:
            drops = count_drops(joined.kept, passes)
            reasons = ", ".join(f"{drop.n_samples} {drop.reason}" for drop in drops)
            findings.problems.add(f"trait {name}: no sample is left of {int(joined.kept.sum())}: {reasons}")
        elif distinct.size == 1:
            what = ("cases" if distinct[0] == 1.0 else "controls") if trait_type is TraitType.BINARY else "equal"
            findings.problems.add(f"trait {name}: all {n_samples} samples that have everything are {what}")
        elif n_samples <= n_columns:
            findings.problems.add(
                f"trait {name}: {n_samples} samples for {n_columns} covariate columns (intercept included)"
            )


def group_traits(
    joined: JoinedInputs, available: dict[str, dict[DropReason, npt.NDArray[np.bool_]]]
) -> tuple[MaskGroup, ...]:
    """Traits by their samples; groups and traits keep the order of the phenotype file."""
    members: dict[bytes, list[str]] = {}
    masks: dict[bytes, npt.NDArray[np.bool_]] = {}
    for name, passes in available.items():
        mask = analysed_samples(joined.kept, passes)
        key = mask.tobytes()
        masks[key] = mask
        members.setdefault(key, []).append(name)
    return tuple(build_group(joined, masks[key], names) for key, names in members.items())


def build_group(joined: JoinedInputs, mask: npt.NDArray[np.bool_], names: list[str]) -> MaskGroup:
    """One group's arrays, contiguous."""
    indices = np.flatnonzero(mask).astype(np.uint32)
    return MaskGroup(
        sample_indices=indices,
        is_male=joined.genotyped.is_male[indices],
        design=np.ascontiguousarray(joined.design.columns[indices]),
        traits=tuple(
            Trait(
                name=name,
                values=joined.values[name][indices],
                predictions=None if joined.predictions is None else joined.predictions[name].at(indices),
            )
            for name in names
        ),
    )


def count_drops(kept: npt.NDArray[np.bool_], passes: dict[DropReason, npt.NDArray[np.bool_]]) -> tuple[DropCount, ...]:
    """How many kept samples each reason takes, the first reason that applies counting."""
    left = kept.copy()
    drops: list[DropCount] = []
    for reason, passing in passes.items():
        lost = int((left & ~passing).sum())
        if lost:
            drops.append(DropCount(reason=reason, n_samples=lost))
        left &= passing
    return tuple(drops)


def build_report(
    joined: JoinedInputs,
    available: dict[str, dict[DropReason, npt.NDArray[np.bool_]]],
    plan: RunPlan,
    findings: Findings,
) -> JoinReport:
    """The counts of the finished join."""
    binary = plan.trait.type is TraitType.BINARY
    counts: list[TraitCounts] = []
    for name, passes in available.items():
        mask = analysed_samples(joined.kept, passes)
        counts.append(
            TraitCounts(
                name=name,
                n_analysed=int(mask.sum()),
                n_cases=int((joined.values[name][mask] == 1.0).sum()) if binary else None,
                drops=count_drops(joined.kept, passes),
            )
        )
    files = (joined.phenotypes.counts, joined.design.counts)
    return JoinReport(
        n_genotyped=len(joined.genotyped.index.keys),
        n_kept=int(joined.kept.sum()),
        files=tuple(entry for entry in files if entry is not None),
        traits=tuple(counts),
        dropped_traits=tuple(findings.dropped_traits),
        covariates=joined.design.names[1:],
        notes=tuple(findings.notes),
    )
