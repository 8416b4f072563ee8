"""Reading every table of a run along the genotyped samples.

Belongs here: which files are read, in which order, and that their problems are told together. Does not belong here:
the rules of each file (its own module), and which samples are analysed (sample_sets.py).
"""

import dataclasses

import numpy as np
import numpy.typing as npt

from g_core import _native, errors
from g_core.config.run_plan import RunPlan
from g_core.inputs import covariates, predictions, sample_filters, samples, traits
from g_core.inputs.findings import Findings


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class JoinedInputs:
    """All files along the N genotyped samples, before samples are dropped.

    ``values`` [N] and ``predictions`` are by trait, in the order of the phenotype file, and hold the traits that
    have not failed.
    """

    genotyped: samples.GenotypeSamples
    kept: npt.NDArray[np.bool_]
    phenotypes: traits.PhenotypeColumns
    values: dict[str, npt.NDArray[np.float64]]
    design: covariates.Design
    predictions: dict[str, predictions.GenotypedPredictions] | None


def read_inputs(plan: RunPlan, reader: _native.BgenReader, findings: Findings) -> JoinedInputs:
    """Read the files, each as far as the others' problems allow.

    Raises:
        InputError: something that no trait can be analysed without is wrong, or every trait has failed.
    """
    genotyped = samples.read_genotype_samples(reader, plan.input.sample, findings)
    index = genotyped.index
    kept = sample_filters.kept_samples(genotyped, plan.samples, findings)
    columns = findings.attempt(lambda: traits.choose_trait_columns(plan.input, findings))
    phenotypes = None
    if columns:
        phenotypes = findings.attempt(lambda: traits.read_phenotypes(plan.input, columns, index, findings))
    design = findings.attempt(lambda: read_covariates(plan, columns or (), genotyped, kept, findings))
    values: dict[str, npt.NDArray[np.float64]] = {}
    if phenotypes is not None and kept.any():
        values = traits.decode_traits(phenotypes, kept, plan.trait, plan.binary, findings)
    loco = None
    prediction_list = plan.input.prediction_list
    if prediction_list is not None and values:
        loco = findings.attempt(lambda: predictions.read_predictions(prediction_list, tuple(values), index, findings))
    findings.raise_problems()
    if phenotypes is None or design is None:
        raise errors.InputError(f"{plan.input.phenotype_file}: nothing could be read")
    if loco is not None:
        values = {name: column for name, column in values.items() if name in loco}
    if not values:
        findings.raise_no_trait_left()
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
