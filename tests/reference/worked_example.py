"""The data of the worked numbers (spec section 12): 24 samples, two variants, two traits of each kind."""

import numpy as np

NAN = np.nan
DOSAGE_OF_CODE = {"0": 0.0, "1": 1.0, "2": 2.0, "a": 1.6, "b": 0.4, "c": 0.8, "d": 0.2, "m": NAN}
VARIANTS = {"vd": "12021011a0m212b10120c121", "vs": "100020010100001m01000d01"}
DOSAGE = np.array([[DOSAGE_OF_CODE[code] for code in codes] for codes in VARIANTS.values()])


def row(text):
    return np.array([NAN if token == "NA" else float(token) for token in text.split()])


COVARIATE = row(
    "0.3 -0.5 1.2 -1.1 0.8 0.1 -0.9 0.4 -0.2 0.7 -1.4 0.6 0.0 -0.3 1.0 -0.7 0.2 -0.1 0.5 -0.6 0.9 -1.0 0.35 1.5"
)
TRAITS = {
    "Q1": row(
        "11.2 9.3 10.3 12.1 8.5 10.8 10.0 11.9 9.6 10.6 8.9 11.3 10.1 9.9 12.4 9.0 10.5 11.0 9.7 8.8 11.6 9.2 10.9 12.0"
    ),
    "Q2": row("1.5 NA -0.2 0.7 -1.1 0.4 NA 2.2 -0.6 0.9 -1.7 0.1 1.3 -0.4 NA -0.8 0.6 1.1 -0.3 -1.2 0.8 NA 0.2 1.9"),
    "B1": row("1 0 0 0 1 0 0 0 0 1 0 0 0 0 1 0 0 1 0 0 0 0 0 1"),
    "B2": row("0 1 0 NA 0 1 0 0 NA 0 1 0 0 NA 0 0 1 0 0 NA 1 0 0 0"),
}
PREDICTIONS = {
    "Q1": row(
        "0.1 -0.05 0.02 0.2 -0.15 0.04 0.01 0.12 -0.08 0.06 -0.11 0.09 0.03 -0.02 0.25 -0.13 0.05 0.07 -0.04 -0.1 0.14 "
        "-0.09 0.08 0.18"
    ),
    "Q2": row(
        "0.07 NA -0.03 0.05 -0.12 0.02 NA 0.2 -0.06 0.11 -0.16 0.01 0.13 -0.05 NA -0.07 0.04 0.1 -0.02 -0.14 0.09 NA "
        "0.03 0.17"
    ),
    "B1": row(
        "0.2 -0.1 0.05 -0.3 0.15 0.0 -0.2 0.1 -0.05 0.25 -0.15 0.02 0.08 -0.12 0.3 -0.07 0.04 0.18 -0.02 -0.22 0.11 "
        "-0.18 0.06 0.12"
    ),
    "B2": row(
        "-0.1 0.2 0.0 NA -0.05 0.15 -0.12 0.03 NA -0.02 0.22 -0.08 0.01 NA -0.06 -0.04 0.18 0.02 -0.03 NA 0.1 -0.09 "
        "0.05 -0.01"
    ),
}


def complete_case(trait):
    """Return trait, design, predictions and dosage over the trait's own complete samples."""
    kept = ~np.isnan(TRAITS[trait])
    design = np.column_stack([np.ones(kept.sum()), COVARIATE[kept]])
    return TRAITS[trait][kept], design, PREDICTIONS[trait][kept], DOSAGE[:, kept]
