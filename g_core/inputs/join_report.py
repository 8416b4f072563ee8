"""How the files of a run were joined: counts, and what was dropped for which reason.

Belongs here: the numbers and their printed lines. Does not belong here: the joining (analysis_set.py).
"""

import dataclasses
import enum


class DropReason(enum.StrEnum):
    """Why a kept sample is not analysed for a trait; the first that applies, in this order."""

    NO_PHENOTYPE_ROW = "not in the phenotype file"
    PHENOTYPE_MISSING = "phenotype missing"
    OTHER_PHENOTYPE_MISSING = "another trait missing (complete_case)"
    NO_COVARIATE_ROW = "not in the covariate file"
    COVARIATE_MISSING = "covariate missing"
    NO_PREDICTION = "no prediction"
    OTHER_PREDICTION_MISSING = "no prediction for another trait (complete_case)"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class FileCounts:
    """One table of samples against the genotypes."""

    role: str
    path: str
    n_rows: int
    n_in_genotypes: int

    def line(self) -> str:
        """The counts in words."""
        return (
            f"{self.role} {self.path}: {self.n_rows} samples, {self.n_in_genotypes} of them with genotypes, "
            f"{self.n_rows - self.n_in_genotypes} without"
        )


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class DropCount:
    """Samples that a trait loses for one reason."""

    reason: DropReason
    n_samples: int


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class TraitCounts:
    """One analysed trait.

    ``n_cases`` is None for quantitative traits; ``n_imputed`` counts the values that --force-impute filled.
    """

    name: str
    n_analysed: int
    n_cases: int | None
    n_imputed: int
    drops: tuple[DropCount, ...]

    def line(self) -> str:
        """The counts in words."""
        cases = "" if self.n_cases is None else f" ({self.n_cases} cases, {self.n_analysed - self.n_cases} controls)"
        imputed = f", {self.n_imputed} of them with the mean for a missing value" if self.n_imputed else ""
        drops = ", ".join(f"{drop.n_samples} {drop.reason}" for drop in self.drops)
        return f"trait {self.name}: {self.n_analysed} samples{cases}{imputed}" + (
            f"; dropped: {drops}" if drops else ""
        )


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class FailedTrait:
    """A trait that is not analysed, and why."""

    name: str
    reason: str

    def line(self) -> str:
        """The trait and its reason in words."""
        return f"trait {self.name}: {self.reason}"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class JoinReport:
    """The whole join. ``dataclasses.asdict`` gives its JSON form.

    ``n_sample_sets`` counts the different sets of samples that the traits are analysed on; with one, the three sample
    modes mean the same.
    """

    n_genotyped: int
    n_kept: int
    n_sample_sets: int
    files: tuple[FileCounts, ...]
    traits: tuple[TraitCounts, ...]
    failed_traits: tuple[FailedTrait, ...]
    covariates: tuple[str, ...]
    notes: tuple[str, ...]

    def lines(self) -> tuple[str, ...]:
        """Everything as lines to print."""
        filtered = self.n_genotyped - self.n_kept
        head = f"genotypes: {self.n_genotyped} samples" + (f", {self.n_kept} after sample filters" if filtered else "")
        covariates = ", ".join(self.covariates) if self.covariates else "none"
        return (
            head,
            *(counts.line() for counts in self.files),
            f"covariates: {covariates}",
            *(counts.line() for counts in self.traits),
            *(f"trait {failed.name}: not analysed: {failed.reason}" for failed in self.failed_traits),
            *(f"note: {note}" for note in self.notes),
        )
