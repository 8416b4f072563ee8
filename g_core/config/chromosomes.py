"""Chromosome labels and their codes.

Belongs here: the rule of spec section 2.3 (REGENIE chrStrToInt). Does not belong here: which chromosomes are wanted.
"""

CHROMOSOME_X = 23
N_AUTOSOMES = 22
X_LABELS = frozenset({"X", "XY", "Y", "PAR1", "PAR2"})
ACCEPTED_LABELS = "1 to 22, X, XY, Y, PAR1, PAR2 or 23, with or without chr before and 0 before a digit"


def chromosome_code(label: str) -> int | None:
    """1..23, or None for a label that names no known chromosome. X, XY, Y, PAR1 and PAR2 are 23."""
    bare = label[3:] if label.lower().startswith("chr") else label
    if bare.upper() in X_LABELS:
        return CHROMOSOME_X
    if not (bare.isascii() and bare.isdigit()):
        return None
    code = int(bare)
    return code if 1 <= code <= CHROMOSOME_X else None
