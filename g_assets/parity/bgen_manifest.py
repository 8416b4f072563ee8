"""A manifest of unusual and damaged BGEN files.

Belongs here: its models and reading it. Does not belong here: the reader under test, or what counts as right
(bgen_check.py).
"""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from g_assets.parity.cases import ParityUsageError


class Entry(BaseModel):
    """Unchangeable; fields that tell how other programs fared are not read."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class VariantTruth(Entry):
    """What one variant holds, in exact fractions written as decimals; None where a genotype is missing."""

    varid: str
    rsid: str
    chrom: str
    pos: int
    alleles: tuple[str, ...]
    bits: int
    phased: bool
    ploidy: tuple[int, ...]
    missing: tuple[bool, ...]
    probabilities: tuple[tuple[float, ...] | None, ...]
    dosage: tuple[float | None, ...] | None
    allele_counts: tuple[tuple[float, ...] | None, ...] | None


class FileTruth(Entry):
    """What one file is."""

    id: str
    file: str
    valid: bool
    layout: int
    compression: str | int
    n_samples: int
    n_variants: int
    sample_ids: tuple[str, ...] | None
    variants: tuple[VariantTruth, ...] | None = None
    must: str | None = None


class Manifest(Entry):
    """Every file of a folder."""

    files: tuple[FileTruth, ...]


def read_manifest(path: Path) -> Manifest:
    """Read a manifest.

    Raises:
        ParityUsageError: It is not there, or is no manifest.
    """
    try:
        return TypeAdapter(Manifest).validate_json(path.read_bytes())
    except OSError as error:
        raise ParityUsageError(f"{path}: {error.strerror}; give the path of a manifest.json") from error
    except ValidationError as error:
        raise ParityUsageError(f"{path}: not a manifest of BGEN files: {error.errors()[0]['msg']}") from error
