"""What a simulated dataset is: every choice that decides its bytes.

Belongs here: the specification model and its defaults (default.toml beside this file). Does not belong here: where a
dataset is put and with how many threads, because neither may change a byte of it.
"""

import tomllib
from collections.abc import Mapping
from enum import StrEnum
from importlib.resources import files
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from g_core.errors import UsageError

Fraction = Annotated[float, Field(ge=0.0, le=1.0)]
OpenFraction = Annotated[float, Field(gt=0.0, lt=1.0)]


class GenotypeCompression(StrEnum):
    """How the BGEN's genotype blocks are compressed."""

    NONE = "none"
    ZLIB = "zlib"
    ZSTD = "zstd"


class SimulationSpec(BaseModel):
    """Specification of a simulated dataset. Equal specifications give equal bytes. default.toml explains the fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    n_samples: Annotated[int, Field(ge=20, le=10_000_000)]
    n_variants: Annotated[int, Field(ge=1, le=50_000_000)]
    seed: Annotated[int, Field(ge=0)]
    chromosome: Annotated[str, Field(pattern=r"^(chr)?([1-9]|1[0-9]|2[0-2])$")]
    first_position: Annotated[int, Field(ge=1)]
    last_position: Annotated[int, Field(le=2**32 - 1)]
    compression: GenotypeCompression
    compression_level: Annotated[int, Field(ge=0, le=9)]
    minimum_minor_allele_count: Annotated[int, Field(ge=1)]
    first_allele_minor_fraction: Fraction
    indel_fraction: Fraction
    linkage_length_bases: Annotated[float, Field(gt=0.0)]
    linkage_block_variants: Annotated[int, Field(ge=1, le=4096)]
    hard_calls: bool
    genotyped_fraction: Fraction
    minimum_info: OpenFraction
    missing_rate: Annotated[float, Field(ge=0.0, lt=1.0)]
    n_causal_variants: Annotated[int, Field(ge=0)]
    causal_minimum_frequency: Annotated[float, Field(ge=0.0, lt=0.5)]
    quantitative_heritability: Fraction
    quantitative_background: Fraction
    quantitative_covariates: Fraction
    binary_case_fraction: OpenFraction
    binary_causal_deviation: Annotated[float, Field(ge=0.0)]
    binary_background_deviation: Annotated[float, Field(ge=0.0)]
    binary_covariate_deviation: Annotated[float, Field(ge=0.0)]
    prediction_accuracy: Fraction
    n_principal_components: Annotated[int, Field(ge=0, le=100)]

    @model_validator(mode="after")
    def check_that_the_parts_fit(self) -> Self:
        """Check what no single field can say."""
        if self.last_position - self.first_position + 1 < self.n_variants:
            message = (
                f"n_variants = {self.n_variants} does not fit between first_position = {self.first_position} "
                f"and last_position = {self.last_position}: every variant has a position of its own"
            )
            raise ValueError(message)
        explained = self.quantitative_heritability + self.quantitative_background + self.quantitative_covariates
        if explained >= 1.0:
            message = (
                f"quantitative_heritability + quantitative_background + quantitative_covariates = {explained:g} "
                f"leaves no variance for noise: they must add up to less than 1"
            )
            raise ValueError(message)
        if self.minimum_minor_allele_count > self.n_samples:
            message = (
                f"minimum_minor_allele_count = {self.minimum_minor_allele_count} is more than half of the "
                f"{2 * self.n_samples} alleles that n_samples = {self.n_samples} gives"
            )
            raise ValueError(message)
        return self

    @property
    def name(self) -> str:
        """Stem of the genotype files, such as ``sim_chr22``."""
        return f"sim_chr{self.chromosome_code}"

    @property
    def chromosome_code(self) -> int:
        """The chromosome as a number, 1 to 22."""
        return int(self.chromosome.removeprefix("chr"))

    @property
    def n_blocks(self) -> int:
        """Linkage blocks; the last may be shorter."""
        return -(-self.n_variants // self.linkage_block_variants)


def build_spec(overrides: Mapping[str, object]) -> SimulationSpec:
    """Return the default specification with some fields replaced.

    Args:
        overrides: Field name to value; fields that are absent keep their default.

    Raises:
        UsageError: A field is unknown or out of range; every problem is named.
    """
    defaults = tomllib.loads(files("g_core.simulate").joinpath("default.toml").read_text(encoding="utf-8"))
    try:
        return SimulationSpec.model_validate(defaults | dict(overrides))
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(str(part) for part in problem['loc']) or 'specification'}: {problem['msg']}"
            for problem in error.errors()
        )
        message = f"simulated dataset cannot be made: {problems}"
        raise UsageError(message) from error
