"""Variants and a trait as the exact Firth fit takes them."""

from dataclasses import replace

import numpy as np

from g_core.kernels.covariate_basis import covariate_basis
from g_core.kernels.firth_exact import firth_exact_model
from g_core.kernels.firth_exact_batches import fit_firth_exact
from g_core.kernels.firth_null import fit_firth_null
from g_core.kernels.logistic_null import NullStatus
from g_core.kernels.padding import pad_samples
from tests.core.kernels import regenie_configs as configs
from tests.core.kernels.encoded_dosage import encode_dosage, padded
from tests.reference.firth_exact_reference import ExactFit


class ExactCandidates:
    """A trait over the analysed samples, those not ``present`` masked, and dosage [R, n] of effect alleles."""

    def __init__(self, cases, design, offset, dosage, present):
        self.n_samples, n_padded = len(cases), padded(len(cases))
        self.tile = encode_dosage(dosage, n_padded)
        self.present = present
        self.cases = np.where(present, cases, 0.0)
        self.offset = np.where(present, offset, 0.0)
        self.basis = covariate_basis(design, configs.BASIS).basis
        arrays = {
            "cases": pad_samples(self.cases, n_padded),
            "basis": pad_samples(self.basis, n_padded),
            "offset": pad_samples(self.offset, n_padded),
            "present": np.pad(present, (0, n_padded - self.n_samples)),
        }
        null = fit_firth_null(
            **arrays,
            start=np.zeros(self.basis.shape[1]),
            start_is_stored=False,
            config=configs.FIRTH_NULL,
            probability_config=configs.PROBABILITY,
        )
        self.null_converged = null.status is NullStatus.CONVERGED
        self.start = null.coefficients
        self.model = firth_exact_model(**arrays, analysed=np.arange(n_padded) < self.n_samples, start=self.start)

    def fit(self, rows=slice(None), *, workers=1, **changes):
        """Fit the batched way."""
        return fit_firth_exact(
            self.tile.values[rows],
            self.tile.unit[rows],
            self.tile.centre[rows],
            self.model,
            replace(configs.FIRTH_EXACT, **changes),
            configs.PROBABILITY,
            workers=workers,
        )

    def reference(self, row):
        """Fit one variant the plain way."""
        genotype = self.tile.flipped_dosage[row]
        with np.errstate(all="ignore"):
            return ExactFit(self.cases, self.basis, genotype, self.offset, self.present).fit(self.start)
