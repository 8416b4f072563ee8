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
from g_core.kernels.firth_approximate import (
    FirthModel,
    FirthPhase,
    PseudoDataFailure,
    empty_lanes,
    evaluate_lanes,
    load_lanes,
)
from g_core.kernels.firth_decisions import decide
from g_core.kernels.firth_exact import (
    FirthExactLanes,
    FirthExactModel,
    FirthExactPhase,
    empty_exact_lanes,
    evaluate_exact_lanes,
    load_exact_lanes,
)
from g_core.kernels.firth_exact_decisions import decide_exact

FRESH = jnp.ones(1, dtype=jnp.bool_)


def approximate_trace(
    subject: Subject, *, carriers_only: bool, model: FirthModel, configs: KernelConfigs
) -> list[Section]:
    """Every evaluation of an approximate fit, and how it ended."""
    config = configs.firth_approximate
    moments = subject.genotypes.moments
    lanes = load_lanes(
        empty_lanes(1, subject.values.shape[1]),
        FRESH,
        jnp.asarray(subject.values[:1]),
        jnp.asarray(moments.unit[:1]),
        jnp.asarray(moments.centre[:1]),
        jnp.asarray(np.array([carriers_only])),
        model,
        config,
    )
    rows: list[tuple[str, ...]] = []
    while int(lanes.phase[0]) < FirthPhase.CONVERGED_PSEUDO_DATA:
        sums = evaluate_lanes(lanes.genotype, lanes.trial, model, configs.probability)
        rows.append(
            (
                FirthPhase(int(lanes.phase[0])).name.lower(),
                str(int(lanes.iteration[0])),
                number(float(lanes.trial[0])),
                number(float(sums.penalised_deviance[0])),
                number(float(sums.score[0] + sums.correction[0])),
                number(float(sums.information[0])),
            )
        )
        lanes = decide(lanes, sums, config)
    n_used = int(np.count_nonzero(np.asarray(lanes.genotype[0])))
    outcome = Section(
        "approximate Firth",
        (
            ("samples with a genotype term", f"{n_used}{' (carriers alone)' if carriers_only else ''}"),
            ("ended", FirthPhase(int(lanes.phase[0])).name.lower()),
            ("pseudo-data failure", PseudoDataFailure(int(lanes.pseudo_data_failure[0])).name.lower()),
            ("BETA (of the tested dosage)", number(float(lanes.beta[0]))),
            ("SE", number(float(1.0 / jnp.sqrt(lanes.information[0])))),
            ("likelihood ratio", number(float(lanes.likelihood_ratio[0]))),
        ),
    )
    header = ("algorithm", "iteration", "coefficient", "penalised deviance", "modified score", "information")
    return [table("evaluations of the approximate Firth fit", header, rows), outcome]


def exact_trace(subject: Subject, *, model: FirthExactModel, configs: KernelConfigs) -> list[Section]:
    """Every evaluation of an exact fit, and how it ended."""
    config, moments = configs.firth_exact, subject.genotypes.moments
    lanes = load_exact_lanes(
        empty_exact_lanes(1, model),
        FRESH,
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
