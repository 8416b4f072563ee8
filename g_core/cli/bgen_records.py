"""The JSON of ``g bgen dump`` and ``g bgen write``.

Belongs here: its models, and turning genotypes into them and back. Does not belong here: printing and flags
(cli/bgen.py), the format itself (rust/bgen).
"""

import enum
import pathlib
from typing import Annotated

import numpy as np
import numpy.typing as npt
import pydantic

from g_core import _native, errors

Byte = Annotated[int, pydantic.Field(ge=0, le=255)]
Position = Annotated[int, pydantic.Field(ge=0, lt=2**32)]


class BgenCompression(enum.StrEnum):
    """How genotype blocks are compressed."""

    NONE = "none"
    ZLIB = "zlib"
    ZSTD = "zstd"


class Record(pydantic.BaseModel):
    """Closed and unchangeable."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)


class VariantRecord(Record):
    """One variant; per sample lists run in file order and hold None where a genotype is missing."""

    variant_id: str
    rsid: str
    chromosome: str
    position: Position
    alleles: tuple[str, ...]
    bits: int
    phased: bool
    ploidy: tuple[Byte, ...]
    missing: tuple[bool, ...]
    probabilities: tuple[tuple[float, ...] | None, ...]
    dosage: tuple[tuple[float, ...] | None, ...] | None = None
    """Expected number of each allele; not needed for writing."""


class BgenRecord(Record):
    """A file, or some variants of it."""

    layout: int
    compression: BgenCompression
    n_samples: int
    n_variants: int
    """In the file; ``variants`` may be fewer."""
    sample_ids: tuple[str, ...] | None
    variants: tuple[VariantRecord, ...]


def describe_file(reader: _native.BgenReader, start: int, stop: int) -> BgenRecord:
    """The header and variants ``start`` up to ``stop``.

    Raises:
        InputError: A variant is damaged.
    """
    identifiers = reader.sample_ids
    return BgenRecord(
        layout=reader.layout,
        compression=BgenCompression(reader.compression),
        n_samples=reader.n_samples,
        n_variants=reader.n_variants,
        sample_ids=None if identifiers is None else tuple(identifiers),
        variants=tuple(describe_variant(reader, number) for number in range(start, stop)),
    )


def describe_variant(reader: _native.BgenReader, number: int) -> VariantRecord:
    """One variant with probabilities, and the dosage of each allele.

    Raises:
        InputError: It is damaged.
    """
    variant_id, rsid, chromosome, position, alleles = reader.identity(number)
    genotypes = reader.read_genotypes(number)
    missing = genotypes.missing.tolist()
    bounds = genotypes.offsets.tolist()
    probabilities: list[float] = genotypes.probabilities.tolist()
    counts: list[list[float]] = genotypes.allele_counts().tolist()
    return VariantRecord(
        variant_id=variant_id,
        rsid=rsid,
        chromosome=chromosome,
        position=position,
        alleles=tuple(alleles),
        bits=genotypes.bits,
        phased=genotypes.phased,
        ploidy=tuple(genotypes.ploidy.tolist()),
        missing=tuple(missing),
        probabilities=tuple(
            None if absent else tuple(probabilities[first:end])
            for absent, first, end in zip(missing, bounds[:-1], bounds[1:], strict=True)
        ),
        dosage=tuple(None if absent else tuple(row) for absent, row in zip(missing, counts, strict=True)),
    )


def read_record(path: pathlib.Path) -> BgenRecord:
    """Read the JSON of a file.

    Raises:
        InputError: It cannot be read, or does not describe a BGEN file.
    """
    try:
        return BgenRecord.model_validate_json(path.read_bytes())
    except OSError as error:
        raise errors.InputError(f"{path}: cannot read this file: {error.strerror}. Check the path") from error
    except pydantic.ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}" for problem in error.errors()[:5]
        )
        raise errors.InputError(f"{path}: not the JSON of g bgen dump: {problems}") from error


def write_file(record: BgenRecord, target: pathlib.Path, *, level: int) -> int:
    """Write a BGEN file of a record and return its number of variants.

    Raises:
        InputError: The record contradicts itself.
        OutputError: The file cannot be written.
    """
    identifiers = None if record.sample_ids is None else list(record.sample_ids)
    try:
        if record.layout == 1:
            writer = _native.BgenWriter.layout_one(
                str(target),
                sample_ids=identifiers,
                n_samples=record.n_samples,
                compression=record.compression.value,
                level=level,
            )
        elif record.layout == 2:
            writer = _native.BgenWriter(
                str(target),
                sample_ids=identifiers,
                n_samples=record.n_samples,
                compression=record.compression.value,
                level=level,
                threads=1,
            )
        else:
            raise errors.InputError(f"layout {record.layout}: 1 and 2 can be written")
        for variant in record.variants:
            write_variant(writer, variant)
    except ValueError as error:
        raise errors.InputError(f"{target}: cannot be written: {error}") from error
    return writer.finish()


def write_variant(writer: _native.BgenWriter, variant: VariantRecord) -> None:
    """Append one variant.

    Raises:
        ValueError: Its genotypes contradict themselves or the file.
    """
    present = [() if values is None else values for values in variant.probabilities]
    counts = np.array([len(values) for values in present], dtype=np.uint64)
    flat: npt.NDArray[np.float64] = np.array([value for values in present for value in values], dtype=np.float64)
    writer.write_variant(
        variant_id=variant.variant_id,
        rsid=variant.rsid,
        chromosome=variant.chromosome,
        position=variant.position,
        alleles=variant.alleles,
        bits=variant.bits,
        phased=variant.phased,
        ploidy=np.array(variant.ploidy, dtype=np.uint8),
        missing=np.array(variant.missing, dtype=np.bool_),
        offsets=np.concatenate([np.zeros(1, np.uint64), np.cumsum(counts, dtype=np.uint64)]),
        probabilities=flat,
    )
