"""What is said of the variant and of the samples before any test.

Belongs here: variant, samples, genotype, filters. Does not belong here: null models and tests.
"""

import numpy as np

from g_core.config.choices import Coding
from g_core.explain.section import Section, number, numbers
from g_core.explain.subject import Subject
from g_core.kernels.covariate_basis import covariate_basis


def variant_section(subject: Subject) -> Section:
    """Identity of the variant."""
    columns = subject.prepared.selection.columns
    row = {name: columns[name][subject.place].as_py() for name in columns.schema.names}
    effect, other = ("allele2", "allele1") if subject.plan.input.reference_first else ("allele1", "allele2")
    males = "one copy (X outside the pseudo-autosomal regions)" if subject.context.haploid_males[0] else "two copies"
    return Section(
        f"variant {row['rsid']}",
        (
            ("chromosome", f"{row['chromosome']} (code {subject.chromosome_code})"),
            ("position", str(row["position"])),
            ("ALLELE0", str(row[other])),
            ("ALLELE1, the effect allele", str(row[effect])),
            ("place in the BGEN", str(int(subject.prepared.selection.indices[subject.place]) + 1)),
            ("males have", males),
            ("coding", str(subject.plan.test.coding)),
        ),
    )


def samples_section(subject: Subject) -> Section:
    """Who is analysed, and the covariates' basis."""
    group, trait = subject.group, subject.trait
    basis = covariate_basis(group.design, subject.plan.kernels.basis)
    entries = [
        ("sample mode", f"{subject.plan.samples.mode}{', joint' if group.is_joint else ''}"),
        ("samples genotyped, kept", f"{subject.analysis.n_genotyped}, {subject.analysis.n_kept}"),
        ("samples of the model (A)", str(subject.context.n_samples)),
        ("samples of the trait (M)", str(int(trait.present.sum()))),
        ("traits of the model", ", ".join(each.name for each in group.traits)),
        ("columns of the design", ", ".join(subject.analysis.design_names)),
        ("directions kept (K), dropped", f"{basis.n_columns}, {basis.n_dropped}"),
        ("smallest over largest eigenvalue", number(basis.eigenvalue_ratio)),
        ("predictions", "none" if trait.predictions is None else f"row of chromosome {subject.chromosome_code}"),
    ]
    return Section(f"samples of trait {trait.name}", tuple(entries))


def genotype_section(subject: Subject) -> Section:
    """Dosage, its moments, and REGENIE's sparse rule."""
    genotypes = subject.genotypes
    moments, summary = genotypes.moments, genotypes.traits[subject.trait_index].summary
    n_missing = int(np.diff(moments.missing_offsets)[0])
    n_nonzero = int(moments.n_nonzero_present[0])
    limit = subject.analysis.n_kept * subject.plan.kernels.genotype.sparse_maximum_nonzero_fraction
    counted = "ALLELE0 (the mean dosage of ALLELE1 is above 1)" if moments.flipped[0] else "ALLELE1"
    if subject.plan.test.coding is not Coding.ADDITIVE:
        counted = f"the {subject.plan.test.coding} dosage of ALLELE1"
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = moments.tested_sum / moments.n_present
    return Section(
        "genotype",
        (
            ("N", str(int(summary.n_present[0]))),
            ("A1FREQ", number(summary.allele_frequency[0])),
            ("INFO", number(summary.info[0])),
            ("minor allele count", number(summary.minor_allele_count[0])),
            ("missing in the model, imputed with its mean", str(n_missing)),
            ("tested dosage counts", counted),
            ("mean of the tested dosage before flipping", numbers(mean)),
            ("centre, unit of the values", numbers([moments.centre[0], moments.unit[0]])),
            ("sum of squares around the centre", number(moments.centred_square_sum[0])),
            (
                "sparse",
                (
                    f"{yes(bool(genotypes.sparse[0]))}: {n_nonzero} samples present have a dosage that is not 0, and "
                    f"{n_missing} are imputed; the limit is {limit:g}"
                ),
            ),
        ),
    )


def filter_section(subject: Subject) -> Section:
    """Which filters the variant passes, over the model's samples and over the trait's own."""
    filters = subject.plan.filters
    entries: list[tuple[str, str]] = []
    whose = [("trait", subject.genotypes.traits[subject.trait_index].summary)]
    if subject.group.is_joint:
        whose.insert(0, ("model", subject.genotypes.summary))
    for name, summary in whose:
        count = float(summary.minor_allele_count[0])
        entries.append((f"--minMAC, {name}", compared(count, filters.min_mac)))
        if filters.min_info is not None:
            entries.append((f"--minINFO, {name}", compared(float(summary.info[0]), filters.min_info)))
    if subject.plan.test.coding is Coding.RECESSIVE:
        entries.append(("--minHOMs", compared(float(subject.genotypes.moments.tested_sum[0]), filters.min_homozygotes)))
    kept = bool(subject.genotypes.traits[subject.trait_index].row_filter.kept[0])
    entries.append(("makes a row", yes(kept)))
    return Section("filters", tuple(entries))


def compared(value: float, minimum: float) -> str:
    """A value beside the least that passes."""
    verdict = "passes" if value >= minimum else "is below"
    return f"{number(value)} {verdict} {minimum:g}"


def yes(answer: bool) -> str:  # noqa: FBT001  (the answer is the whole argument)
    """Yes or no."""
    return "yes" if answer else "no"
