"""Matching the rows of a table to the samples of the genotype file.

Belongs here: the joined key FID_IID, its ambiguities, and the words for files that share no sample. Does not belong
here: what the rows hold.
"""

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from g_core import _native, errors
from g_core.inputs.findings import Findings

EXAMPLES = 3


class SampleName(NamedTuple):
    """Family and individual identifier of one sample."""

    family_id: str
    individual_id: str

    @property
    def key(self) -> str:
        """FID_IID, as REGENIE joins them everywhere."""
        return f"{self.family_id}_{self.individual_id}"

    def __str__(self) -> str:
        return f"FID {self.family_id} IID {self.individual_id}"


@dataclasses.dataclass(frozen=True, slots=True)
class SampleNames:
    """Identifiers of many samples as two columns: there can be a million, and most are never looked at one by one."""

    family_ids: list[str]
    individual_ids: list[str]

    def __len__(self) -> int:
        return len(self.family_ids)

    def __getitem__(self, place: int) -> SampleName:
        return SampleName(self.family_ids[place], self.individual_ids[place])

    def __iter__(self) -> Iterator[SampleName]:
        return map(SampleName, self.family_ids, self.individual_ids)

    def keys(self) -> list[str]:
        """FID_IID of each sample, as ``SampleName.key`` has it."""
        pairs = zip(self.family_ids, self.individual_ids, strict=True)
        return [f"{family}_{individual}" for family, individual in pairs]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class SampleIndex:
    """The samples of the genotype file, in its order.

    ``names`` is None where only joined keys are known. ``place`` says in messages where the identifiers come from.
    """

    keys: list[str]
    names: SampleNames | None
    positions: Mapping[str, int]
    place: str


def build_index(keys: Sequence[str], names: SampleNames | None, place: str, findings: Findings) -> SampleIndex:
    """Index samples by key; a key that two samples share is a problem."""
    keys = list(keys)
    find_equal_keys(keys, names, lambda position: f"sample {position + 1}", place, findings)
    positions = {key: position for position, key in enumerate(keys)}
    return SampleIndex(keys=keys, names=names, positions=positions, place=place)


def find_equal_keys(
    keys: Sequence[str],
    names: SampleNames | None,
    place_of: Callable[[int], str],
    file: str,
    findings: Findings,
) -> None:
    """Note samples that are there twice, and different samples whose identifiers join to one key."""
    if len(set(keys)) == len(keys):
        return
    first_row: dict[str, int] = {}
    found: list[str] = []
    for row, key in enumerate(keys):
        before = first_row.setdefault(key, row)
        if before == row:
            continue
        if names is not None and names[before] != names[row]:
            found.append(
                f"{names[before]} ({place_of(before)}) and {names[row]} ({place_of(row)}) both join to {key}; "
                "rename one of them"
            )
        else:
            shown = key if names is None else str(names[row])
            found.append(f"{shown} is there twice ({place_of(before)} and {place_of(row)})")
    findings.problems.add(f"{file}: identifiers are not unique: {shorten(found)}")


def match_rows(index: SampleIndex, table: _native.TraitTable, file: str, findings: Findings) -> npt.NDArray[np.int64]:
    """Position of each row's sample in the genotype file, -1 where it is not there; shape [rows].

    Rows whose keys collide, or whose pair of identifiers is another one than that of the genotyped sample with the
    same key, are problems: the join cannot tell the two apart.

    Raises:
        InputError: no row is of a genotyped sample.
    """
    names = SampleNames(table.family_ids, table.individual_ids)
    if names == index.names and len(index.positions) == len(index.keys):
        # The same samples in the same order, as most tables have them; nothing below could find anything.
        return np.arange(len(names), dtype=np.int64)
    keys = names.keys()
    line_numbers = table.line_numbers

    def line(row: int) -> str:
        return f"line {line_numbers[row]}"

    find_equal_keys(keys, names, line, file, findings)
    positions = np.array([index.positions.get(key, -1) for key in keys], dtype=np.int64)
    if index.names is not None:
        genotyped = index.names
        ambiguous = [
            f"{names[row]} ({line(row)}) and {genotyped[position]} both join to {keys[row]}"
            for row, position in enumerate(positions.tolist())
            if position >= 0 and genotyped.family_ids[position] != names.family_ids[row]
        ]
        if ambiguous:
            findings.problems.add(
                f"{file}: identifiers cannot be told from those of {index.place}: {shorten(ambiguous)}; "
                "rename one of them"
            )
    if not (positions >= 0).any():
        raise errors.InputError(describe_no_overlap(index, names, line, file))
    note_float_identifiers(index, names, line, positions, file, findings)
    return positions


def describe_no_overlap(index: SampleIndex, names: SampleNames, place_of: Callable[[int], str], file: str) -> str:
    """The words for a table that has no sample in common with the genotypes."""
    theirs = ", ".join(f"{names[row].key!r} ({place_of(row)})" for row in range(min(EXAMPLES, len(names))))
    ours = ", ".join(repr(key) for key in index.keys[:EXAMPLES])
    return (
        f"{file}: 0 of {len(names)} samples are in the genotypes; identifiers are compared as FID_IID\n"
        f"in this file: {theirs}\n"
        f"in {index.place}: {ours}\n"
        f"{overlap_advice(index, names)}"
    )


def overlap_advice(index: SampleIndex, names: SampleNames) -> str:
    """What to do, after looking whether another reading of the identifiers would match."""
    if index.names is None:
        matching = sum(name.individual_id in index.positions for name in names)
        if matching:
            return f"{matching} would match by IID alone: give --sample FILE with their FID and IID"
        individual = {key.rpartition("_")[2] for key in index.keys}
    else:
        individual = {name.individual_id for name in index.names}
    matching = sum(name.individual_id in individual for name in names)
    if matching:
        return f"{matching} would match by IID alone: make the FID columns equal"
    whole_keys = {key.replace(".0_", "_").removesuffix(".0") for key in index.keys}
    matching = sum(without_fraction(name).key in whole_keys for name in names)
    if matching:
        return f"{matching} would match without the .0 at the end: write the identifiers as whole numbers"
    if index.names is None:
        return "give --sample FILE to name the samples of the BGEN"
    return "check that the files are of the same people and that --sample belongs to this BGEN"


def note_float_identifiers(
    index: SampleIndex,
    names: SampleNames,
    place_of: Callable[[int], str],
    positions: npt.NDArray[np.int64],
    file: str,
    findings: Findings,
) -> None:
    """Note rows that are left out only because a program wrote their identifiers as 1001.0."""
    left_out = [
        f"{names[row]} ({place_of(row)})"
        for row in np.flatnonzero(positions < 0).tolist()
        if without_fraction(names[row]).key in index.positions
    ]
    if left_out:
        findings.note(
            f"{file}: {len(left_out)} rows would match the genotypes without the .0 at the end of an identifier: "
            f"{shorten(left_out)}; write the identifiers as whole numbers"
        )


def without_fraction(name: SampleName) -> SampleName:
    """The identifiers without the .0 that a spreadsheet or a data frame put behind a whole number."""
    return SampleName(name.family_id.removesuffix(".0"), name.individual_id.removesuffix(".0"))


def shorten(entries: Sequence[str]) -> str:
    """The first three entries and a count of the rest."""
    rest = len(entries) - EXAMPLES
    return "; ".join(entries[:EXAMPLES]) + (f"; and {rest} more" if rest > 0 else "")
