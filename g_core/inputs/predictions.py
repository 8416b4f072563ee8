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
class ListEntry:
    """One line of a prediction list; ``written_path`` is as the list has it."""

    file: pathlib.Path
    line: int
    written_path: str

    @property
    def place(self) -> str:
        """File and line, for a message."""
        return f"{self.file}, line {self.line}"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class LocoPredictions:
    """Predictions of one trait along the samples of its group.

    ``values`` [chromosomes, n] is NaN where the file says NA, and 0 for samples that the trait lacks; its rows follow
    ``chromosomes`` (codes).
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
        if chromosome_code not in self.chromosomes:
            raise errors.InputError(
                f"trait {self.trait}: {describe_absent_rows(self.path, self.chromosomes, [chromosome_code])}"
            )
        values = self.values[self.chromosomes.index(chromosome_code)]
        if np.isnan(values).any():
            raise errors.InputError(f"{self.path}: trait {self.trait}: chromosome {chromosome_code}: a sample is NA")
        return values


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class GenotypedPredictions:
    """Predictions of one trait along all genotyped samples.

    ``values`` [chromosomes, N] is NaN for samples without a prediction; ``available`` [N] follows the first row alone,
    as REGENIE's blup_read masks. ``lines`` [chromosomes] is where each row stands in the file.
    """

    trait: str
    path: str
    chromosomes: tuple[int, ...]
    lines: tuple[int, ...]
    values: npt.NDArray[np.float64]
    available: npt.NDArray[np.bool_]

    def at(self, sample_indices: npt.NDArray[np.uint32], present: npt.NDArray[np.bool_]) -> LocoPredictions:
        """The predictions of some of the samples, 0 where ``present`` [n] is False; shape [chromosomes, n]."""
        values = np.ascontiguousarray(self.values[:, sample_indices])
        values[:, ~present] = 0.0
        return LocoPredictions(trait=self.trait, path=self.path, chromosomes=self.chromosomes, values=values)

    def find_problem(
        self, chromosome_codes: Sequence[int], present: npt.NDArray[np.bool_], index: SampleIndex
    ) -> str | None:
        """Why the rows of the tested chromosomes cannot be used, or None.

        Args:
            chromosome_codes: What is tested.
            present: [N] the samples that the trait is analysed on.
            index: Names them.
        """
        absent = [code for code in chromosome_codes if code not in self.chromosomes]
        if absent:
            return describe_absent_rows(self.path, self.chromosomes, absent)
        for code in chromosome_codes:
            row = self.chromosomes.index(code)
            missing = np.flatnonzero(present & np.isnan(self.values[row]))
            if missing.size:
                others = f" and {missing.size - 1} more" if missing.size > 1 else ""
                return (
                    f"{self.path}, line {self.lines[row]}: chromosome {code}: NA for sample "
                    f"{index.keys[missing[0]]}{others}, which line {self.lines[0]} has a value for"
                )
        return None


def describe_absent_rows(path: str, present: Sequence[int], absent: Sequence[int]) -> str:
    """The words for chromosomes that a LOCO file lacks."""
    noun = "chromosome" if len(absent) == 1 else "chromosomes"
    return f"{path}: no row for {noun} {', '.join(map(str, absent))}; rows present: {', '.join(map(str, present))}"


def read_predictions(
    prediction_list: pathlib.Path, traits: Sequence[str], index: SampleIndex, findings: Findings
) -> dict[str, GenotypedPredictions]:
    """Predictions of the traits that have some; the others fail with the reason.

    Raises:
        InputError: the list cannot be read, or has none of the traits.
    """
    entries = {
        name: ListEntry(file=prediction_list, line=line, written_path=written_path)
        for name, written_path, line in _native.read_prediction_list(str(prediction_list))
    }
    listed = [trait for trait in traits if trait in entries]
    if not listed:
        raise errors.InputError(
            f"{prediction_list}: no predictions for any trait of the run ({', '.join(traits)}); "
            f"the list has: {', '.join(entries)}"
        )
    predictions: dict[str, GenotypedPredictions] = {}
    for trait in traits:
        if trait not in entries:
            findings.fail_trait(trait, f"no entry in {prediction_list}")
            continue
        try:
            predictions[trait] = read_trait_predictions(trait, entries[trait], index)
        except errors.InputError as error:
            findings.fail_trait(trait, str(error))
    return predictions


def read_trait_predictions(trait: str, entry: ListEntry, index: SampleIndex) -> GenotypedPredictions:
    """One LOCO file along the genotyped samples.

    Raises:
        InputError: the file is not there, is ambiguous or damaged, or shares no sample with the genotypes.
    """
    path = find_loco_file(entry)
    table = _native.read_loco_file(str(path))
    positions = np.array([index.positions.get(key, -1) for key in table.sample_keys], dtype=np.int64)
    matched = positions >= 0
    if not matched.any():
        theirs = ", ".join(map(repr, table.sample_keys[: sample_index.EXAMPLES]))
        ours = ", ".join(map(repr, index.keys[: sample_index.EXAMPLES]))
        raise errors.InputError(
            f"{path}, line 1: 0 of {len(positions)} samples are in the genotypes\n"
            f"in this file: {theirs}\nin {index.place}: {ours}"
        )
    values = np.full((len(table.chromosomes), len(index.keys)), np.nan)
    values[:, positions[matched]] = table.values[:, matched]
    return GenotypedPredictions(
        trait=trait,
        path=str(path),
        chromosomes=tuple(table.chromosomes),
        lines=tuple(table.line_numbers),
        values=values,
        available=~np.isnan(values[0]),
    )


def find_loco_file(entry: ListEntry) -> pathlib.Path:
    """A relative path is tried from the working directory and then from the list's folder.

    Raises:
        InputError: neither is there, or both are and differ.
    """
    from_here = pathlib.Path(entry.written_path)
    from_list = entry.file.parent / entry.written_path
    places = tuple(dict.fromkeys((from_here, from_list)))
    found = [path for path in places if path.is_file()]
    if not found:
        folders = [path for path in places if path.is_dir()]
        problem = (
            f"{folders[0]} is a folder, not a file" if folders else f"no such file {' or '.join(map(str, places))}"
        )
        raise errors.InputError(f"{entry.place}: {problem}")
    if len(found) > 1 and not filecmp.cmp(*found, shallow=False):
        raise errors.InputError(
            f"{entry.place}: {entry.written_path} is two different files, {found[0]} from the working "
            f"directory and {found[1]} from the list's folder; write the full path"
        )
    return found[0]
