"""The saddlepoint p-value of one candidate as a plain loop, formula by formula of spec 6.6; and the exact p-value."""

import numpy as np
from scipy import special, stats


class LostError(Exception):
    """A step has no result."""


class Saddlepoint:
    """One variant over the samples present.

    ``adjusted`` is v, ``scored`` the dosage of the statistic's numerator, ``summed`` who is not treated as normal.
    """

    def __init__(self, cases, probabilities, adjusted, scored, summed):
        self.w = probabilities * (1 - probabilities)
        self.den = float(np.sum(adjusted**2 * self.w))
        self.c = np.sqrt(self.den)
        self.stat = float(scored @ (cases - probabilities)) / self.c
        self.range = [np.sum(adjusted[adjusted < 0]), np.sum(adjusted[adjusted > 0])] - adjusted @ probabilities
        self.v, self.p, self.w = adjusted[summed], probabilities[summed], self.w[summed]
        self.b = self.den - float(np.sum(self.v**2 * self.w)) if not np.all(summed) else 0.0
        self.a = float(self.v @ self.p)

    def k(self, t):
        inner = np.log(1 - self.p + self.p * np.exp(t * self.v / self.c))
        return np.sum(inner) - t * self.a / self.c + t * t * self.b / (2 * self.den)

    def k1(self, t):
        with np.errstate(over="ignore"):
            terms = (self.v * self.p / self.c) / (self.p + (1 - self.p) * np.exp(-t * self.v / self.c))
        return np.sum(terms) - self.a / self.c + t * self.b / self.den

    def k2(self, t):
        exponent = -t * self.v / self.c
        if np.any(exponent > 708):
            raise LostError
        e = np.exp(exponent)
        with np.errstate(over="ignore"):
            terms = self.v**2 * self.w * e / self.c**2 / (self.p + (1 - self.p) * e) ** 2
        return np.sum(terms) + self.b / self.den

    def root(self, sign, target):
        """Return the t with sign K1(sign t) = target."""
        low, high, t = -np.finfo(float).max, 0.0, 0.0
        f = sign * self.k1(sign * t) - target
        for _ in range(1000):
            new = t - f / self.k2(sign * t)
            f = sign * self.k1(sign * new) - target
            if abs(f) < 2.0**-13:
                return new
            if new == 0 or not low < new < high:
                new = low / 2 + high / 2
                f = sign * self.k1(sign * new) - target
            low, high = (low, new) if f > 0 else (new, high)
            t = new
        raise LostError

    def tail(self, sign, target):
        """Return ln of one tail's probability."""
        t = self.root(sign, target)
        with np.errstate(over="ignore"):
            w = np.sign(t) * np.sqrt(2 * (t * target - self.k(sign * t)))
        u = t * np.sqrt(self.k2(sign * t))
        return special.log_ndtr(w + np.log(u / w) / w)

    def log_p(self):
        """Return ln p, or None where there is none."""
        if not self.range[0] <= self.stat * self.c <= self.range[1]:
            return None
        try:
            total = np.logaddexp(self.tail(1, -abs(self.stat)), self.tail(-1, -abs(self.stat)))
        except LostError:
            return None
        return None if not total <= 0 else max(total, np.log(10 * np.finfo(float).tiny))


def binomial_two_sided(n_carriers, n_case_carriers, probability):
    """Return the exact mid-p of a carrier count: those farther from its mean, and half of those as far."""
    mean = n_carriers * probability
    counts = np.arange(n_carriers + 1)
    farther = np.abs(counts - mean) - abs(n_case_carriers - mean)
    share = np.where(farther > 1e-9, 1.0, np.where(farther > -1e-9, 0.5, 0.0))
    return float(share @ stats.binom.pmf(counts, n_carriers, probability))
