"""The Firth fit of covariates and variant together as a plain loop, statement by statement of spec 6.5."""

import numpy as np

from tests.reference.firth_reference import probability


class ExactFit:
    """One candidate over the analysed samples; rows not ``present`` enter the information with weight 1."""

    def __init__(self, cases, basis, genotype, offset, present):
        self.y, self.x, self.f, self.m = cases, np.column_stack([basis, genotype]), offset, present
        self.n_free = self.x.shape[1]

    def at(self, b):
        """Return p, I over all rows, D and the modified cases y + h (1/2 - p)."""
        p = probability(self.f + self.x @ b)
        w = np.where(self.m, p * (1 - p), 1.0)
        information = (self.x.T * w) @ self.x
        likelihood = np.sum(np.where(self.y == 1, np.log(p), np.log(1 - p))[self.m])
        sign, log_determinant = np.linalg.slogdet(information)
        h = w * np.sum((self.x @ np.linalg.inv(information)) * self.x, axis=1)
        return p, information, -2 * likelihood - (log_determinant if sign > 0 else np.nan), self.y + h * (0.5 - p)

    def score(self, vector):
        """Return the score of the free columns on ``vector`` = target - p."""
        return self.x[self.m, : self.n_free].T @ vector[self.m]

    def step(self, information, score):
        """Return a step of the free columns, 0 elsewhere."""
        full = np.zeros(self.x.shape[1])
        full[: self.n_free] = np.linalg.solve(information[: self.n_free, : self.n_free], score)
        return full

    def pseudo_data(self, b, *, tolerance, iterations):
        """Return (solved, b, iteration, D)."""
        best, stalls = np.inf, 0
        for iteration in range(1, iterations + 1):
            p, _, d, ystar = self.at(b)
            score = self.score(ystar - p)
            largest = np.max(np.abs(score))
            if largest < tolerance and iteration >= 2:
                return True, b, iteration, d
            late = iteration > 50 and (largest > 1000 or np.max(np.abs(b)) > 1e12)
            if (iteration > 2 and abs(b[0]) > 1e13) or stalls > 3 or late or not np.isfinite(largest):
                return False, b, iteration, d
            for _ in range(25):
                w = np.where(self.m, p * (1 - p), 0.0)
                b = b + self.step((self.x.T * w) @ self.x, self.score(ystar - p))
                p = probability(self.f + self.x @ b)
                if np.max(np.abs(self.score(ystar - p))) < tolerance:
                    break
            best, stalls = (largest, 0) if largest < best else (best, stalls + 1)
        return False, b, iterations + 1, np.nan

    def newton(self, b, *, tolerance, max_step, iterations, is_null):
        """Return (solved, b, iteration, D)."""
        last, climbs = np.inf, 0
        for iteration in range(1, iterations + 1):
            p, information, d_old, ystar = self.at(b)
            score = self.score(ystar - p)
            largest = np.max(np.abs(score))
            if largest < tolerance and iteration >= 2:
                return True, b, iteration, d_old
            climbs = climbs + 1 if largest > last else 0
            if not np.isfinite(largest) or (is_null and climbs > 25):
                return False, b, iteration, d_old
            step = self.step(information, score)
            step = step / max(np.max(np.abs(step)) / max_step, 1)
            for _ in range(25):
                if self.at(b + step)[2] < d_old:
                    break
                step = step / 2
            else:
                if is_null:
                    return False, b, iteration, d_old
                step = 2 * step
                step[0] += 1e-6
            b, last = b + step, largest
        return False, b, iterations + 1, np.nan

    def fit(self, start):
        """Return (b, se, lrt, iterations, used Newton at the end, used Newton without the variant) or None."""
        self.n_free = self.x.shape[1] - 1
        b_cov = np.append(start, 0.0)
        solved, b, _, _ = self.pseudo_data(b_cov, tolerance=1e-5, iterations=500)
        null_newton = not solved
        if null_newton:
            begin = b if np.isfinite(b).all() and abs(b[0]) <= 1e12 else b_cov
            solved, b, _, _ = self.newton(begin, tolerance=1e-5, max_step=25, iterations=500, is_null=True)
        if not solved:
            return None
        self.n_free = self.x.shape[1]
        d0 = self.at(b)[2]
        solved, full, iteration, d = self.pseudo_data(b, tolerance=2.5e-4, iterations=125)
        newton = not (solved and d0 - d >= 0)
        if newton:
            solved, full, iteration, d = self.newton(b, tolerance=2.5e-4, max_step=5, iterations=125, is_null=False)
        if not (solved and d0 - d >= 0):
            return None
        variance = np.linalg.inv(self.at(full)[1])[-1, -1]
        return full[-1], np.sqrt(variance), d0 - d, iteration, newton, null_newton
