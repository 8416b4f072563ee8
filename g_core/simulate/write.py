"""The text files of a simulated dataset, in REGENIE's formats.

Belongs here: one function a file format. Genotypes are written by dataset.py through the native BGEN writer, while
they are made.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from g_core.simulate.cohort import Cohort
from g_core.simulate.sites import SiteTable
from g_core.simulate.spec import SimulationSpec
from g_core.simulate.traits import SimulatedTrait


def write_lines(*, path: Path, lines: list[str]) -> None:
    """Write lines with line feeds on every platform; folders are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())


def write_sample_file(*, path: Path, cohort: Cohort) -> None:
    """Write the .sample file that goes with the BGEN: ids, missing rate and sex."""
    rows = zip(cohort.family_ids, cohort.individual_ids, cohort.sex.tolist(), strict=True)
    write_lines(
        path=path,
        lines=["ID_1 ID_2 missing sex", "0 0 0 D", *(f"{family} {person} 0 {sex}" for family, person, sex in rows)],
    )


def write_quantitative_trait(*, path: Path, cohort: Cohort, name: str, values: npt.NDArray[np.float64]) -> None:
    """Write a phenotype file of one quantitative trait, six decimals."""
    rows = zip(cohort.family_ids, cohort.individual_ids, values.tolist(), strict=True)
    write_lines(
        path=path,
        lines=[f"FID IID {name}", *(f"{family} {person} {value:.6f}" for family, person, value in rows)],
    )


def write_binary_trait(*, path: Path, cohort: Cohort, name: str, values: npt.NDArray[np.float64]) -> None:
    """Write a phenotype file of one binary trait, 0 and 1."""
    rows = zip(cohort.family_ids, cohort.individual_ids, values.astype(np.int64).tolist(), strict=True)
    write_lines(
        path=path,
        lines=[f"FID IID {name}", *(f"{family} {person} {value}" for family, person, value in rows)],
    )


def write_covariates(*, path: Path, cohort: Cohort) -> None:
    """Write age in years, sex as 1 or 2 and the principal components."""
    components = [f"PC{number}" for number in range(1, cohort.principal_components.shape[1] + 1)]
    rows = zip(
        cohort.family_ids,
        cohort.individual_ids,
        cohort.age_years.tolist(),
        cohort.sex.tolist(),
        cohort.principal_components.tolist(),
        strict=True,
    )
    write_lines(
        path=path,
        lines=[
            " ".join(["FID", "IID", "age", "sex", *components]),
            *(
                " ".join([family, person, str(age), str(sex), *(f"{component:.6g}" for component in own)])
                for family, person, age, sex, own in rows
            ),
        ],
    )


def write_loco_predictions(*, path: Path, cohort: Cohort, predictions: npt.NDArray[np.float64]) -> None:
    """Write a .loco file: the samples as header, then one row for each chromosome 1 to 23."""
    write_lines(
        path=path,
        lines=[
            " ".join(["FID_IID", *cohort.keys]),
            *(
                " ".join([str(chromosome), *(f"{value:.6g}" for value in row)])
                for chromosome, row in enumerate(predictions.tolist(), start=1)
            ),
        ],
    )


def write_prediction_list(*, path: Path, name: str, loco_path: Path) -> None:
    """Write the list that ``--pred`` reads; the LOCO path is relative to the list's folder."""
    write_lines(path=path, lines=[f"{name} {loco_path.relative_to(path.parent).as_posix()}"])


def write_truth(*, path: Path, spec: SimulationSpec, sites: SiteTable, traits: dict[str, SimulatedTrait]) -> None:
    """Write the causal variants: one row for each trait and variant, tab separated.

    ``beta`` belongs to one copy of ``effect_allele`` (the first in the BGEN): in units of the trait, or log odds.
    """
    lines = ["trait\tchromosome\tposition\tvariant_id\teffect_allele\tother_allele\tbeta"]
    for name, trait in traits.items():
        for variant, effect in zip(trait.causal.variants, trait.effects, strict=True):
            where = f"{spec.chromosome}\t{sites.positions[variant]}\t{sites.identifiers[variant]}"
            alleles = f"{sites.first_alleles[variant]}\t{sites.second_alleles[variant]}"
            lines.append(f"{name}\t{where}\t{alleles}\t{effect:.8g}")
    write_lines(path=path, lines=lines)
