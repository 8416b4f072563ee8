"""Step 1 predictions: the list, the LOCO files, and their alignment to the samples of a group.

Belongs here: spec section 2.6. Does not belong here: the use of predictions as an offset (g_core/kernels).
"""

import dataclasses
import filecmp
import pathlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from g_core import _native, errors
from g_core.inputs import sample_index
from g_core.inputs.findings import Findings
from g_core.inputs.sample_index import SampleIndex


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class LocoPredictions:
    """Predictions of one trait along the samples of its group.

    ``values`` [chromosomes, n] is NaN where the file says NA; its rows follow ``chromosomes`` (codes).
    """

    trait: str
    path: str
    chromosomes: tuple[int, ...]
    values: npt.NDArray[np.float64]

    def row(self, chromosome_code: int) -> npt.NDArray[np.float64]:
        """The prediction without one chromosome, shape [n].

        Raises:
            InputError: the file has no row for the chromosome, or a sample's value in it is NA.
        """
        problem = self.find_problem(chromosome_code)
        if problem is not None:
            raise errors.InputError(problem)
        return self.values[self.chromosomes.index(chromosome_code)]

    def find_problem(self, chromosome_code: int) -> str | None:
        """Why the row of a chromosome cannot be used, or None."""
        if chromosome_code not in self.chromosomes:
            present = ", ".join(map(str, self.chromosomes))
            return f"{self.path}: trait {self.trait}: no row for chromosome {chromosome_code}; rows present: {present}"
        n_missing = int(np.isnan(self.values[self.chromosomes.index(chromosome_code)]).sum())
        if n_missing:
            return (
                f"{self.path}: trait {self.trait}: chromosome {chromosome_code}: {n_missing} samples are NA that the "
                "first row has a value for"
            )
        return None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class GenotypedPredictions:
    """Predictions of one trait along all genotyped samples.

    ``values`` [chromosomes, N] is NaN for samples without a prediction; ``available`` [N] follows the first row alone,
    as REGENIE's blup_read masks.
    """

    trait: str
    path: str
    chromosomes: tuple[int, ...]
    values: npt.NDArray[np.float64]
    available: npt.NDArray[np.bool_]

    def at(self, sample_indices: npt.NDArray[np.uint32]) -> LocoPredictions:
        """The predictions of some of the samples, shape [chromosomes, n]."""
        return LocoPredictions(
            trait=self.trait,
            path=self.path,
            chromosomes=self.chromosomes,
            values=np.ascontiguousarray(self.values[:, sample_indices]),
        )


def read_predictions(
    prediction_list: pathlib.Path, traits: Sequence[str], index: SampleIndex, findings: Findings
) -> dict[str, GenotypedPredictions]:
    """Predictions of the traits that have an entry in the list; the others are dropped with a reason.

    Raises:
        InputError: the list cannot be read, or has none of the traits.
    """
    entries = dict(_native.read_prediction_list(str(prediction_list)))
    listed = [trait for trait in traits if trait in entries]
    if not listed:
        raise errors.InputError(
            f"{prediction_list}: no predictions for any trait of the run ({', '.join(traits)}); "
            f"the list has: {', '.join(entries)}"
        )
    predictions: dict[str, GenotypedPredictions] = {}
    for trait in traits:
        if trait not in entries:
            findings.drop_trait(trait, f"no entry in {prediction_list}")
            continue
        found = findings.attempt(
            lambda trait=trait: read_trait_predictions(trait, entries[trait], prediction_list, index)
        )
        if found is not None:
            predictions[trait] = found
    return predictions


def read_trait_predictions(
    trait: str, written_path: str, prediction_list: pathlib.Path, index: SampleIndex
) -> GenotypedPredictions:
    """One LOCO file along the genotyped samples.

    Raises:
        InputError: the file is not there, is ambiguous or damaged, or shares no sample with the genotypes.
    """
    path = find_loco_file(trait, written_path, prediction_list)
    table = _native.read_loco_file(str(path))
    positions = np.array([index.positions.get(key, -1) for key in table.sample_keys], dtype=np.int64)
    matched = positions >= 0
    if not matched.any():
        theirs = ", ".join(map(repr, table.sample_keys[: sample_index.EXAMPLES]))
        ours = ", ".join(map(repr, index.keys[: sample_index.EXAMPLES]))
        raise errors.InputError(
            f"{path}: trait {trait}: 0 of {len(positions)} samples are in the genotypes\n"
            f"in this file: {theirs}\nin {index.place}: {ours}"
        )
    values = np.full((len(table.chromosomes), len(index.keys)), np.nan)
    values[:, positions[matched]] = table.values[:, matched]
    return GenotypedPredictions(
        trait=trait,
        path=str(path),
        chromosomes=tuple(table.chromosomes),
        values=values,
        available=~np.isnan(values[0]),
    )


def find_loco_file(trait: str, written_path: str, prediction_list: pathlib.Path) -> pathlib.Path:
    """A relative path is tried from the working directory and then from the list's folder.

    Raises:
        InputError: neither is there, or both are and differ.
    """
    from_here = pathlib.Path(written_path)
    from_list = prediction_list.parent / written_path
    found = [path for path in dict.fromkeys((from_here, from_list)) if path.is_file()]
    if not found:
        tried = " or ".join(dict.fromkeys((str(from_here), str(from_list))))
        raise errors.InputError(f"{prediction_list}: trait {trait}: no such file {tried}")
    if len(found) > 1 and not filecmp.cmp(*found, shallow=False):
        raise errors.InputError(
            f"{prediction_list}: trait {trait}: {written_path} is two different files, {found[0]} from the working "
            f"directory and {found[1]} from the list's folder; write the full path"
        )
    return found[0]
