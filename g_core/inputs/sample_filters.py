"""Keep and remove lists, and samples of one sex.

Belongs here: which genotyped samples stay (spec section 2.7, step 1). Does not belong here: samples lost for want of
data.
"""

import pathlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from g_core import _native
from g_core.config.choices import Sex
from g_core.config.run_plan import SamplesPlan
from g_core.inputs.findings import Findings
from g_core.inputs.sample_index import SampleIndex, SampleName
from g_core.inputs.samples import GenotypeSamples


def kept_samples(genotyped: GenotypeSamples, plan: SamplesPlan, findings: Findings) -> npt.NDArray[np.bool_]:
    """Which genotyped samples stay, shape [N]; nobody staying is a problem."""
    index = genotyped.index
    kept = np.ones(len(index.keys), dtype=np.bool_)
    known_notes = len(findings.notes)
    if plan.keep:
        kept = listed_samples(index, "--keep", plan.keep, findings)
    if plan.remove:
        kept = ~listed_samples(index, "--remove", plan.remove, findings)
    if not kept.any() and not findings.problems.found:
        said = "; ".join(findings.notes[known_notes:])
        findings.problems.add(f"no sample of {index.place} is left; identifiers are compared as FID_IID: {said}")
    if plan.sex is not None:
        kept &= samples_of_sex(genotyped, kept, plan.sex, findings)
    return kept


def samples_of_sex(
    genotyped: GenotypeSamples, kept: npt.NDArray[np.bool_], sex: Sex, findings: Findings
) -> npt.NDArray[np.bool_]:
    """Samples of one sex, shape [N]; those of unknown sex are of neither."""
    matching = genotyped.is_male if sex is Sex.MALE else genotyped.is_female
    n_unknown = int((kept & ~genotyped.is_male & ~genotyped.is_female).sum())
    if kept.any() and not (kept & matching).any():
        findings.problems.add(
            f"--sex-specific {sex}: {genotyped.index.place} has no {sex} sample among the {int(kept.sum())} kept "
            f"({n_unknown} of unknown sex); sex is its fourth column, 1 male and 2 female"
        )
    findings.note(
        f"--sex-specific {sex}: {int((kept & matching).sum())} of {int(kept.sum())} samples stay; {n_unknown} are of "
        "unknown sex"
    )
    return matching


def listed_samples(
    index: SampleIndex, option: str, paths: Sequence[pathlib.Path], findings: Findings
) -> npt.NDArray[np.bool_]:
    """Samples that any of the lists names, shape [N]."""
    listed = np.zeros(len(index.keys), dtype=np.bool_)
    for path in paths:
        rows = findings.attempt(lambda path=path: _native.read_sample_list(str(path)))
        if rows is None:
            continue
        positions = [index.positions.get(SampleName(*row).key, -1) for row in rows]
        found = [position for position in positions if position >= 0]
        listed[found] = True
        example = f"; listed is {SampleName(*rows[0]).key!r}, genotyped {index.keys[0]!r}" if rows and not found else ""
        findings.note(f"{option} {path}: {len(rows)} samples listed, {len(found)} of them with genotypes{example}")
    return listed
