"""The one-coefficient Firth fit as a plain loop, statement by statement of spec 6.3; and its true optimum."""

import math

import numpy as np
from scipy import optimize

EPSILON = 10 * 2.0**-52


def probability(eta):
    p = 1 - 1 / (np.exp(np.clip(eta, -700, 700)) + 1)
    p = np.where(eta > 30, 1 / (1 + EPSILON), p)
    return np.where(eta < -30, EPSILON / (1 + EPSILON), p)


class Fit:
    """One variant: y, offset f and genotype v over the samples used; step_a, step_b and fit follow the text."""

    def __init__(self, cases, offset, genotype):
        self.y, self.f, self.v = cases, offset, genotype
        _, _, self.d0 = self.at(0.0)

    def at(self, b):
        """Return p, I and D at b."""
        p = probability(self.f + self.v * b)
        information = float(np.sum(self.v**2 * p * (1 - p)))
        likelihood = np.sum(np.where(self.y == 1, np.log(p), np.log(1 - p)))
        return p, information, -2 * float(likelihood) - math.log(information)

    def step_a(self, max_outer):
        """Return (0, b, se, lrt, iterations) or (code,)."""
        b = b14 = 0.0
        for outer in range(1, max_outer + 1):
            p, information, d = self.at(b)
            h = self.v**2 * p * (1 - p) / information
            ystar = self.y + h * (0.5 - p)
            score = float(np.sum(self.v * (ystar - p)))
            if abs(score) < 2.5e-4 and outer >= 2:
                lrt = self.d0 - d
                return (4,) if lrt < 0 else (0, b, 1 / math.sqrt(information), lrt, outer)
            if outer == 14:
                b14 = b
            if outer == 15 and abs(b - b14) > 0.1:
                return (1,)
            bound = 1e16
            for _ in range(25):
                step = score / information
                if abs(step) > bound:
                    return (2,)
                b_new = b + step if abs(step) <= 5 else b + math.copysign(5, step)
                p = probability(self.f + self.v * b_new)
                score = float(np.sum(self.v * (ystar - p)))
                if abs(score) < 2.5e-4:
                    break
                information = float(np.sum(self.v**2 * p * (1 - p)))
                b, bound = b_new, abs(step)
            b = b_new
        return (1,)

    def step_b(self):
        """Return (b, se, lrt, iterations) or None."""
        b = 0.0
        p, information, d_old = self.at(b)
        for iteration in range(1, 126):
            h = self.v**2 * p * (1 - p) / information
            score = float(np.sum(self.v * (self.y - p + h * (0.5 - p))))
            if abs(score) < 2.5e-4 and iteration >= 2:
                lrt = self.d0 - d_old
                return None if lrt < 0 else (b, 1 / math.sqrt(information), lrt, iteration)
            step = max(-5.0, min(5.0, score / information))
            for evaluation in range(25):
                if evaluation:
                    step /= 2
                p, information, d = self.at(b + step)
                if d < d_old:
                    break
            else:
                step += 1e-6
            b, d_old = b + step, d
        return None

    def fit(self, *, sparse_and_rare):
        """Return (b, se, lrt, iterations, code of step A) or None where both steps fail."""
        first = self.step_a(125 if sparse_and_rare else 50)
        if first[0] == 0:
            return (*first[1:], 0)
        second = self.step_b()
        return None if second is None else (*second, first[0])

    def optimum(self):
        """Return the coefficient that minimises D, by bracketing."""
        return optimize.minimize_scalar(lambda b: self.at(b)[2], bracket=(-1.0, 1.0), tol=1e-12).x
