"""What is right for one file of a manifest of BGEN files.

Belongs here: holding the reader's answers against the manifest. Does not belong here: reading the manifest
(bgen_manifest.py), the command line (bgen.py).
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from g_assets.parity.bgen_limit import refuses_within_limit
from g_assets.parity.bgen_manifest import FileTruth, VariantTruth
from g_core.bgen import BgenFile, open_bgen
from g_core.errors import InputError

# Half a unit of float32 at 2 is 1.2e-7; the manifest's own rule is 1e-6.
VALUE_TOLERANCE = 1e-6


def check_file(truth: FileTruth, folder: Path) -> list[str]:
    """Everything that is wrong with how one file is read; empty where it is right."""
    path = folder / truth.file
    if truth.valid:
        return check_valid(truth, path)
    rule = truth.must or ""
    if "allocate" in rule:
        return [] if refuses_within_limit(path) else ["not refused cleanly within bounded memory"]
    if rule.startswith("be refused"):
        return check_refused(path)
    if rule.startswith("refuse, or"):
        return check_refused_or_clamped(path)
    if rule.startswith("read"):
        return check_leading_variants(path)
    return [f"no rule for what a reader must do: {rule!r}"]


def check_refused(path: Path) -> list[str]:
    """The file must be refused, by name, at the latest when everything is read."""
    try:
        read_everything(path)
    except InputError as error:
        return [] if path.name in str(error) else [f"the error does not name the file: {error}"]
    return ["read without an error"]


def check_refused_or_clamped(path: Path) -> list[str]:
    """The file may be read only without probabilities outside 0 to 1."""
    try:
        probabilities = read_everything(path)
    except InputError:
        return []
    outside = [values for values in probabilities if ((values < 0) | (values > 1)).any()]
    return [f"{len(outside)} variants with probabilities outside 0 to 1"] if outside else []


def check_leading_variants(path: Path) -> list[str]:
    """The variants that the header promises must be read, and what follows them noticed."""
    with open_bgen(path) as bgen_file:
        for number in range(bgen_file.n_variants):
            bgen_file.read_probabilities(number)
        return [] if bgen_file.reader.trailing_bytes else ["bytes after the last variant went unnoticed"]


def read_everything(path: Path) -> list[npt.NDArray[np.float64]]:
    """Open, check and read all; the probabilities of every variant.

    Raises:
        InputError: Something is wrong with the file.
    """
    with open_bgen(path) as bgen_file:
        bgen_file.check()
        return [bgen_file.read_probabilities(number) for number in range(bgen_file.n_variants)]


def check_valid(truth: FileTruth, path: Path) -> list[str]:
    """Header, identifiers and every value of a legal file."""
    try:
        with open_bgen(path) as bgen_file:
            bgen_file.check()
            problems = check_header(truth, bgen_file)
            for number, variant in enumerate(truth.variants or ()):
                found = [*check_identity(variant, bgen_file, number), *check_values(variant, bgen_file, number)]
                problems.extend(f"variant {number + 1}: {problem}" for problem in found)
            return problems
    except InputError as error:
        return [f"refused: {error}"]


def check_header(truth: FileTruth, bgen_file: BgenFile) -> list[str]:
    """Facts of the header."""
    reader = bgen_file.reader
    identifiers = None if truth.sample_ids is None else list(truth.sample_ids)
    pairs = {
        "layout": (reader.layout, truth.layout),
        "compression": (reader.compression, truth.compression),
        "samples": (reader.n_samples, truth.n_samples),
        "variants": (reader.n_variants, truth.n_variants),
        "sample identifiers": (reader.sample_ids, identifiers),
    }
    return [
        f"{name}: {found!r} instead of {expected!r}" for name, (found, expected) in pairs.items() if found != expected
    ]


def check_identity(truth: VariantTruth, bgen_file: BgenFile, number: int) -> list[str]:
    """Identifiers, place and alleles of a variant."""
    found = bgen_file.reader.identity(number)
    expected = (truth.varid, truth.rsid, truth.chrom, truth.pos, list(truth.alleles))
    return [] if found == expected else [f"identity {found} instead of {expected}"]


def check_values(truth: VariantTruth, bgen_file: BgenFile, number: int) -> list[str]:
    """Bits, phase, ploidy, missing genotypes, probabilities and dosages of a variant."""
    genotypes = bgen_file.read_genotypes(number)
    counts = genotypes.allele_counts()
    problems = [
        f"{name} {found} instead of {expected}"
        for name, found, expected in (
            ("bits", genotypes.bits, truth.bits),
            ("phased", genotypes.phased, truth.phased),
            ("ploidy", genotypes.ploidy.tolist(), list(truth.ploidy)),
            ("missing", genotypes.missing.tolist(), list(truth.missing)),
        )
        if found != expected
    ]
    problems += compare("probabilities", bgen_file.read_probabilities(number), truth.probabilities)
    if truth.allele_counts is not None:
        problems += compare("allele counts", counts, truth.allele_counts)
    if truth.dosage is not None and len(truth.alleles) > 1:
        second = [None if dosage is None else (dosage,) for dosage in truth.dosage]
        problems += compare("dosage of the second allele", counts[:, 1:2], second)
    if len(truth.alleles) == 2 and set(truth.ploidy) <= {1, 2} and truth.dosage is not None:
        # The engine's dosage: of the first allele, on the diploid scale.
        first = [
            None if dosage is None else (2 * (ploidy - dosage) / ploidy,)
            for dosage, ploidy in zip(truth.dosage, truth.ploidy, strict=True)
        ]
        found = bgen_file.read_dosage(number, number + 1)[0].astype(np.float64)
        problems += compare("dosage of the first allele", found[:, None], layout_one_free(truth, first))
    return problems


def layout_one_free(truth: VariantTruth, dosages: Sequence[tuple[float] | None]) -> Sequence[tuple[float, ...] | None]:
    """Dosages of the first allele from its own probabilities where these need not sum to one (layout 1)."""
    if truth.phased or set(truth.ploidy) != {2}:
        return dosages
    return [None if values is None else (2 * values[0] + values[1],) for values in truth.probabilities]


def compare(name: str, found: npt.NDArray[np.float64], expected: Sequence[tuple[float, ...] | None]) -> list[str]:
    """The first sample whose values differ; rows of ``found`` may end in NaN."""
    for sample, (row, values) in enumerate(zip(found, expected, strict=True), start=1):
        wanted = np.full(row.size, np.nan)
        if values is not None:
            if len(values) > row.size:
                return [f"{name} of sample {sample}: {row.size} values instead of {len(values)}"]
            wanted[: len(values)] = values
        if not np.allclose(row, wanted, rtol=0, atol=VALUE_TOLERANCE, equal_nan=True):
            return [f"{name} of sample {sample}: {row.tolist()} instead of {wanted.tolist()}"]
    return []
