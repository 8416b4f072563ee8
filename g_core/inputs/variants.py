"""Which variants of the BGEN are tested.

Belongs here: the filters by chromosome, position and identifier (spec section 2.3), in file order. Does not belong
here: filters by allele count or INFO, which need genotypes.
"""

import dataclasses
import pathlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from g_core import _native, errors
from g_core.config.chromosomes import ACCEPTED_LABELS, chromosome_code
from g_core.config.run_plan import FiltersPlan
from g_core.inputs.findings import Findings

UNKNOWN_CHROMOSOME = 0


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class VariantSelection:
    """The tested variants.

    ``indices`` [m] are ascending positions in the BGEN, ``chromosome_codes`` [m] their chromosomes (1..23).
    ``columns`` are the m rows of the reader's record batch: variant_id, rsid, chromosome, allele1, allele2, position.
    """

    indices: npt.NDArray[np.uint32]
    chromosome_codes: npt.NDArray[np.int8]
    columns: pa.RecordBatch
    n_in_file: int
    notes: tuple[str, ...]


def select_variants(filters: FiltersPlan, reader: _native.BgenReader) -> VariantSelection:
    """Apply the filters.

    Raises:
        InputError: a list cannot be read; a variant that would be tested is on an unknown chromosome; none is left.
    """
    findings = Findings()
    columns = pa.record_batch(reader.variants())
    codes = code_chromosomes(columns)
    selected = select_places(columns, codes, filters)
    if filters.extract or filters.exclude:
        selected &= select_identifiers(columns, selected, filters, findings)
    findings.problems.raise_input_error()
    refuse_unknown_chromosomes(columns, codes, selected, reader.path)
    if not selected.any():
        raise errors.InputError(
            f"{reader.path}: no variant of {columns.num_rows} is left to test{describe_filters(filters)}"
        )
    indices = np.flatnonzero(selected)
    return VariantSelection(
        indices=indices.astype(np.uint32),
        chromosome_codes=codes[indices],
        columns=columns if indices.size == columns.num_rows else columns.take(pa.array(indices)),
        n_in_file=columns.num_rows,
        notes=tuple(findings.notes),
    )


def code_chromosomes(columns: pa.RecordBatch) -> npt.NDArray[np.int8]:
    """Chromosome code of each variant, 0 where the label is unknown; shape [M]."""
    encoded = columns.column("chromosome").dictionary_encode()
    labels: list[str] = encoded.dictionary.to_pylist()
    codes = np.array([chromosome_code(label) or UNKNOWN_CHROMOSOME for label in labels], dtype=np.int8)
    return codes[encoded.indices.to_numpy()] if labels else np.zeros(0, dtype=np.int8)


def select_places(columns: pa.RecordBatch, codes: npt.NDArray[np.int8], filters: FiltersPlan) -> npt.NDArray[np.bool_]:
    """Variants on the wanted chromosomes and in the wanted window, shape [M]."""
    selected = np.ones(codes.size, dtype=np.bool_)
    if filters.chromosomes:
        selected &= np.isin(codes, filters.chromosomes)
    if filters.range is not None:
        positions = columns.column("position").to_numpy()
        selected &= codes == filters.range.chromosome_code
        selected &= (positions >= filters.range.first_position) & (positions <= filters.range.last_position)
    return selected


def select_identifiers(
    columns: pa.RecordBatch, selected: npt.NDArray[np.bool_], filters: FiltersPlan, findings: Findings
) -> npt.NDArray[np.bool_]:
    """Variants that the lists leave, shape [M]; of those that share an identifier the first only, as REGENIE has it."""
    extracted = read_lists("--extract", filters.extract, findings)
    excluded = read_lists("--exclude", filters.exclude, findings)
    identifiers: list[str] = columns.column("rsid").to_pylist()
    left = np.zeros(len(identifiers), dtype=np.bool_)
    seen: set[str] = set()
    n_repeated = 0
    for variant in np.flatnonzero(selected).tolist():
        identifier = identifiers[variant]
        if (filters.extract and identifier not in extracted) or identifier in excluded:
            continue
        if identifier in seen:
            n_repeated += 1
            continue
        seen.add(identifier)
        left[variant] = True
    if n_repeated:
        findings.note(f"{n_repeated} variants repeat an identifier and are left out, because a variant list is in use")
    return left


def read_lists(option: str, paths: Sequence[pathlib.Path], findings: Findings) -> set[str]:
    """All identifiers of the lists."""
    listed: set[str] = set()
    for path in paths:
        identifiers = findings.attempt(lambda path=path: _native.read_id_list(str(path)))
        if identifiers is not None:
            listed.update(identifiers)
            findings.note(f"{option} {path}: {len(identifiers)} identifiers")
    return listed


def refuse_unknown_chromosomes(
    columns: pa.RecordBatch, codes: npt.NDArray[np.int8], selected: npt.NDArray[np.bool_], path: str
) -> None:
    """Stop where a variant that would be tested has a label that names no chromosome.

    Raises:
        InputError: naming the first such variant and all such labels.
    """
    unknown = np.flatnonzero(selected & (codes == UNKNOWN_CHROMOSOME))
    if unknown.size == 0:
        return
    first = int(unknown[0])
    labels = columns.column("chromosome").take(pa.array(unknown)).unique().to_pylist()
    raise errors.InputError(
        f"{path}: variant {columns.column('rsid')[first].as_py()} (number {first + 1}) is on chromosome "
        f"{columns.column('chromosome')[first].as_py()!r}, which is not known; {unknown.size} variants have such "
        f"labels ({', '.join(map(repr, labels))}); allowed: {ACCEPTED_LABELS}; name the chromosomes to test with --chr"
    )


def describe_filters(filters: FiltersPlan) -> str:
    """The filters in use, for a message."""
    window = filters.range
    used = [
        f"--chr {','.join(map(str, filters.chromosomes))}" if filters.chromosomes else "",
        f"--range {window.chromosome_code}:{window.first_position}-{window.last_position}" if window else "",
        f"--extract {','.join(map(str, filters.extract))}" if filters.extract else "",
        f"--exclude {','.join(map(str, filters.exclude))}" if filters.exclude else "",
    ]
    named = " ".join(filter(None, used))
    return f" after {named}" if named else ""
