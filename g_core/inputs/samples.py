"""The samples of the genotype file: identifiers and sex.

Belongs here: reading them from a .sample file or from the BGEN, and proving that the two agree (spec section 2.2).
Does not belong here: sample filters (sample_filters.py).
"""

import dataclasses
import pathlib
import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from g_core import _native, errors
from g_core.inputs import sample_index
from g_core.inputs.findings import Findings
from g_core.inputs.sample_index import SampleIndex, SampleNames

MALE = 1
FEMALE = 2
ANONYMOUS = re.compile(r"\(?(anonymous_sample|unknown_sample|sample)_\d+\)?")


@dataclasses.dataclass(frozen=True, slots=True)
class GenotypeSamples:
    """Samples in BGEN order; ``is_male`` and ``is_female`` are both False where sex is unknown, shape [N]."""

    index: SampleIndex
    is_male: npt.NDArray[np.bool_]
    is_female: npt.NDArray[np.bool_]


def read_genotype_samples(
    reader: _native.BgenReader, sample_file: pathlib.Path | None, findings: Findings
) -> GenotypeSamples:
    """Identifiers and sex of the genotyped samples.

    Raises:
        InputError: nobody can be named, so nothing else can be checked: no identifiers at all, an unreadable .sample
            file, or one that is not of this BGEN.
    """
    embedded = reader.sample_ids
    if sample_file is None:
        if embedded is None:
            raise errors.InputError(
                f"{reader.path}: the BGEN stores no sample identifiers; give --sample FILE to name its samples"
            )
        index = sample_index.build_index(embedded, None, reader.path, findings)
        nobody = np.zeros(reader.n_samples, dtype=np.bool_)
        return GenotypeSamples(index, is_male=nobody, is_female=nobody)
    table = _native.read_sample_file(str(sample_file))
    names = SampleNames(table.family_ids, table.individual_ids)
    if len(names) != reader.n_samples:
        raise errors.InputError(
            f"{sample_file} has {len(names)} samples but {reader.path} has {reader.n_samples}; "
            "a .sample file has two header lines and then one line a sample"
        )
    keys = names.keys()
    if embedded is not None:
        compare_identifiers(embedded, names, keys, reader.path, sample_file, findings)
    index = sample_index.build_index(keys, names, str(sample_file), findings)
    sex = np.asarray(table.sex)
    return GenotypeSamples(index, is_male=sex == MALE, is_female=sex == FEMALE)


def compare_identifiers(
    embedded: Sequence[str],
    names: SampleNames,
    keys: Sequence[str],
    bgen: str,
    sample_file: pathlib.Path,
    findings: Findings,
) -> None:
    """Hold the .sample file against the identifiers in the BGEN, position by position.

    Writers store FID_IID, FID IID, the FID or the IID; any of them counts as equal. Names that a writer made up for
    want of better ones (sample_0, (anonymous_sample_1)) say nothing.

    Raises:
        InputError: they differ.
    """
    if embedded in (keys, names.individual_ids, names.family_ids):
        return
    if all(ANONYMOUS.fullmatch(identifier) for identifier in embedded):
        findings.note(f"{bgen}: its own sample identifiers are placeholders; those of {sample_file} are used")
        return
    differing = [
        f"position {position}: {stored!r} in the BGEN, {name.key!r} in the .sample file"
        for position, (stored, name) in enumerate(zip(embedded, names, strict=True), start=1)
        if stored not in {name.key, name.individual_id, name.family_id, f"{name.family_id} {name.individual_id}"}
    ]
    if differing:
        raise errors.InputError(
            f"{sample_file} is not in the order of the samples in {bgen}: {len(differing)} of {len(names)} differ: "
            f"{sample_index.shorten(differing)}"
        )
