"""Keep and remove lists.

Belongs here: which genotyped samples stay (spec section 2.7, step 1). Does not belong here: samples lost for want of
data.
"""

import pathlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from g_core import _native
from g_core.inputs.findings import Findings
from g_core.inputs.sample_index import SampleIndex, SampleName


def kept_samples(
    index: SampleIndex, keep: Sequence[pathlib.Path], remove: Sequence[pathlib.Path], findings: Findings
) -> npt.NDArray[np.bool_]:
    """Which genotyped samples stay, shape [N]; nobody staying is a problem."""
    kept = np.ones(len(index.keys), dtype=np.bool_)
    if keep:
        kept = listed_samples(index, "--keep", keep, findings)
    if remove:
        kept = ~listed_samples(index, "--remove", remove, findings)
    if not kept.any() and not findings.problems.found:
        option, paths = ("--keep", keep) if keep else ("--remove", remove)
        findings.problems.add(
            f"{option} {','.join(map(str, paths))}: no sample of {index.place} is left; "
            "identifiers are compared as FID_IID"
        )
    return kept


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
        findings.note(f"{option} {path}: {len(rows)} samples listed, {len(found)} of them with genotypes")
    return listed
