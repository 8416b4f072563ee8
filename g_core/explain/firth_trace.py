"""The steps of one Firth fit, evaluation by evaluation.

Belongs here: running a single candidate with the kernels' own turns, and what each turn saw. Does not belong here: the
fits (kernels/firth_approximate.py, kernels/firth_exact.py).
"""

import jax
import jax.numpy as jnp
import numpy as np

from g_core.config.run_plan import KernelConfigs
from g_core.explain.section import Section, number, table
from g_core.explain.subject import Subject
from g_core.kernels.firth_approximate import FirthModel, FirthPhase, PseudoDataFailure, started_fits
from g_core.kernels.firth_batches import batch_samples, pad_candidates
from g_core.kernels.firth_carriers import find_carriers
from g_core.kernels.firth_decisions import decide
from g_core.kernels.firth_exact import (
    FirthExactLanes,
    FirthExactModel,
    FirthExactPhase,
    evaluate_exact_lanes,
    load_exact_lanes,
    started_exact_fits,
)
from g_core.kernels.firth_exact_decisions import decide_exact
from g_core.kernels.firth_likelihood import evaluate_lanes, pad_model
from g_core.kernels.firth_shape import cut_slabs


def approximate_trace(
    subject: Subject, *, carriers_only: bool, model: FirthModel, configs: KernelConfigs
) -> list[Section]:
    """Every evaluation of an approximate fit, and how it ended."""
    config, moments = configs.firth_approximate, subject.genotypes.moments
    candidate = (subject.values[:1], moments.unit[:1], moments.centre[:1])
    slabs = cut_slabs(subject.values.shape[1], 1)
    model = pad_model(model, slabs)
    alone = np.array([carriers_only])
    carriers = find_carriers(
        *candidate, alone, np.asarray(model.present)[: subject.values.shape[1]], config.carrier_dosage
    )
    samples = batch_samples(pad_candidates(*candidate, carriers.of_batch(np.arange(1)), slabs), model, slabs)
    fits = jax.tree.map(jnp.asarray, started_fits(alone, config))
    rows: list[tuple[str, ...]] = []
    while int(fits.phase[0]) < FirthPhase.CONVERGED_PSEUDO_DATA:
        sums = evaluate_lanes(samples, fits.trial, configs.probability)
        rows.append(
            (
                FirthPhase(int(fits.phase[0])).name.lower(),
                str(int(fits.iteration[0])),
                number(float(fits.trial[0])),
                number(float(sums.penalised_deviance[0])),
                number(float(sums.score[0] + sums.correction[0])),
                number(float(sums.information[0])),
            )
        )
        fits = decide(fits, sums, config)
    n_used = int(np.count_nonzero(np.asarray(samples.genotype)))
    outcome = Section(
        "approximate Firth",
        (
            ("samples with a genotype term", f"{n_used}{' (carriers alone)' if carriers_only else ''}"),
            ("ended", FirthPhase(int(fits.phase[0])).name.lower()),
            ("pseudo-data failure", PseudoDataFailure(int(fits.pseudo_data_failure[0])).name.lower()),
            ("BETA (of the tested dosage)", number(float(fits.beta[0]))),
            ("SE", number(float(1.0 / jnp.sqrt(fits.information[0])))),
            ("likelihood ratio", number(float(fits.likelihood_ratio[0]))),
        ),
    )
    header = ("algorithm", "iteration", "coefficient", "penalised deviance", "modified score", "information")
    return [table("evaluations of the approximate Firth fit", header, rows), outcome]


def exact_trace(subject: Subject, *, model: FirthExactModel, configs: KernelConfigs) -> list[Section]:
    """Every evaluation of an exact fit, and how it ended."""
    config, moments = configs.firth_exact, subject.genotypes.moments
    lanes = load_exact_lanes(
        jax.tree.map(jnp.asarray, started_exact_fits(1, np.asarray(model.start))),
        jnp.asarray(subject.values[:1]),
        jnp.asarray(moments.unit[:1]),
        jnp.asarray(moments.centre[:1]),
        model,
    )
    decide_lanes = jax.vmap(lambda fit, point: decide_exact(fit, point, model.start, config))
    rows: list[tuple[str, ...]] = []
    fits = lanes.fits
    while int(fits.phase[0]) < FirthExactPhase.CONVERGED_PSEUDO_DATA:
        point = evaluate_exact_lanes(
            FirthExactLanes(lanes.genotype, lanes.outside_information, fits), model, configs.probability
        )
        rows.append(
            (
                FirthExactPhase(int(fits.phase[0])).name.lower(),
                str(int(fits.iteration[0])),
                number(float(fits.trial[0, -1])),
                number(float(point.penalised_deviance[0])),
                number(float(jnp.max(jnp.abs(point.score[0] + point.correction[0])))),
            )
        )
        fits = decide_lanes(fits, point)
    outcome = Section(
        "exact Firth",
        (
            ("ended", FirthExactPhase(int(fits.phase[0])).name.lower()),
            ("pseudo-data failure", PseudoDataFailure(int(fits.pseudo_data_failure[0])).name.lower()),
            ("BETA (of the tested dosage)", number(float(fits.beta[0]))),
            ("SE", number(float(fits.se[0]))),
            ("likelihood ratio", number(float(fits.likelihood_ratio[0]))),
        ),
    )
    header = ("algorithm", "iteration", "coefficient", "penalised deviance", "largest modified score")
    return [table("evaluations of the exact Firth fit", header, rows), outcome]
