"""What a message must say to name the cause of a refusal.

Belongs here: deriving those words by rule from REGENIE's own error, the arguments and the input files; never from the
id of a case. Does not belong here: looking for them in a message (refusals.py).

Each rule gives causes; a message names a cause with any one of its words. The rules that find something definite (a
name, a value, a file) come first, and only where none of them finds anything does the subject of REGENIE's sentence
decide which option or file must be named.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from g_assets.parity.cases import GoldenCase
from g_assets.parity.input_tables import (
    COVARIATE_COLUMN_OPTIONS,
    COVARIATE_FILE_OPTIONS,
    PHENOTYPE_COLUMN_OPTIONS,
    PHENOTYPE_FILE_OPTIONS,
    PREDICTION_OPTIONS,
    CaseInputs,
    analysed_columns,
    requested_columns,
)

OPTION = re.compile(r"--[A-Za-z][\w-]*")
QUOTED = re.compile("(?<!\\w)'([^']+)'|\u2018([^\u2019]+)\u2019|`([^`]+)`|\"([^\"]+)\"")
KEY_AND_VALUE = re.compile(r"\b([A-Za-z]\w*)=(\S+)")
IDENTIFIER_KEYS = ("FID", "IID")
STATISTIC_KEYS = ("sd",)
"""What REGENIE computed; a message need not repeat it."""
WORD_OF_ITS_OWN = re.compile(r"(?=.*[^\W\d])[^-].{2,}")
"""An argument that no sentence holds by chance: no option, not only digits, three characters and more."""
SAYS_NOTHING = ("--step", "2", "--out", "--qt", "--bt")
"""Arguments of every run; naming them names no cause."""

SUBJECTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("phenotype", (*PHENOTYPE_FILE_OPTIONS, *PHENOTYPE_COLUMN_OPTIONS)),
    ("covariate", (*COVARIATE_FILE_OPTIONS, *COVARIATE_COLUMN_OPTIONS)),
    ("variant", ("--extract", "--exclude", "--chr", "--chrList", "--range")),
    ("sample", ("--keep", "--remove", "--sex-specific")),
    ("prediction", PREDICTION_OPTIONS),
    ("loco", PREDICTION_OPTIONS),
    ("blup", PREDICTION_OPTIONS),
    ("sample", ("--sample", "--bgen")),
    (
        "individual",
        ("--bgen", "--sample", *PHENOTYPE_FILE_OPTIONS, *COVARIATE_FILE_OPTIONS, *PREDICTION_OPTIONS),
    ),
    ("variant", ("--bgen",)),
    ("bgen", ("--bgen",)),
)
"""A word of REGENIE's sentence, and the options that it can be about; the first line that fits the case counts."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Something that a message must name: with any of these words."""

    words: tuple[str, ...]


def derive_causes(case: GoldenCase, inputs: CaseInputs) -> tuple[Cause, ...]:
    """Return everything that a message about this refusal must name; at least one cause."""
    for rules in (DEFINITE_RULES, (named_options,), (subject,)):
        causes = tuple(dict.fromkeys(cause for rule in rules for cause in rule(case, inputs)))
        if causes:
            return causes
    return (anything_of_the_case(case),)


def quoted_words(case: GoldenCase, _inputs: CaseInputs) -> Iterable[Cause]:
    """What REGENIE quotes: a trait, a cell, an option that does not exist."""
    for match in QUOTED.finditer(case.error or ""):
        word = next(group for group in match.groups() if group is not None)
        if not word.startswith("-"):
            yield Cause((word,))


def assigned_values(case: GoldenCase, _inputs: CaseInputs) -> Iterable[Cause]:
    """What REGENIE writes as KEY=VALUE: the value, or where there are only identifiers, those."""
    pairs = KEY_AND_VALUE.findall(case.error or "")
    values = tuple(value.rstrip(".,;)") for key, value in pairs if key not in (*IDENTIFIER_KEYS, *STATISTIC_KEYS))
    identifiers = tuple(value for key, value in pairs if key in IDENTIFIER_KEYS)
    if values or identifiers:
        yield Cause(values or (*identifiers, "_".join(identifiers)))


def shared_arguments(case: GoldenCase, _inputs: CaseInputs) -> Iterable[Cause]:
    """Words of REGENIE's sentence that are arguments of the case, such as a path."""
    said = {word.strip(".,;:()'\"`") for word in (case.error or "").split()}
    for argument in dict.fromkeys(case.argv):
        if argument in said and WORD_OF_ITS_OWN.fullmatch(argument) and argument not in SAYS_NOTHING:
            yield Cause((argument,))


def absent_columns(case: GoldenCase, inputs: CaseInputs) -> Iterable[Cause]:
    """Columns that the case asks for and its files do not have. REGENIE passes over phenotypes unless none is left."""
    if inputs.phenotypes is not None and not analysed_columns(case, inputs):
        yield from (Cause((name,)) for name in requested_columns(case, *PHENOTYPE_COLUMN_OPTIONS))
    if inputs.covariates is not None:
        for name in requested_columns(case, *COVARIATE_COLUMN_OPTIONS):
            if name not in inputs.covariates.columns:
                yield Cause((name,))


def unpredicted_traits(case: GoldenCase, inputs: CaseInputs) -> Iterable[Cause]:
    """Where no trait of the case is in the prediction list: that list, and the traits."""
    analysed = analysed_columns(case, inputs)
    if inputs.predictions is None or not analysed or {line[0] for line in inputs.predictions} & set(analysed):
        return
    yield Cause(spellings(case, PREDICTION_OPTIONS))
    yield from (Cause((name,)) for name in analysed)


def contradicting_options(case: GoldenCase, _inputs: CaseInputs) -> Iterable[Cause]:
    """Two options of the case that REGENIE names in one sentence."""
    given = [option for option in said_options(case) if case.has(option)]
    if len(given) > 1:
        yield from (Cause((option,)) for option in given)


def named_options(case: GoldenCase, _inputs: CaseInputs) -> Iterable[Cause]:
    """The options that REGENIE names."""
    options = said_options(case)
    if options:
        yield Cause(options)


def subject(case: GoldenCase, inputs: CaseInputs) -> Iterable[Cause]:
    """The options, their values, or the traits, that the subject of REGENIE's sentence can be about."""
    sentence = (case.error or "").lower()
    for noun, options in SUBJECTS:
        words = spellings(case, options)
        if noun in sentence and words:
            yield Cause((*words, *named_within(case, inputs, options)))
            return


def named_within(case: GoldenCase, inputs: CaseInputs, options: tuple[str, ...]) -> tuple[str, ...]:
    """What the files of some options name: the traits of a phenotype file, the LOCO files of a prediction list."""
    traits = analysed_columns(case, inputs) if PHENOTYPE_FILE_OPTIONS[0] in options else ()
    predictions = (inputs.predictions or ()) if PREDICTION_OPTIONS[0] in options else ()
    return (*traits, *(PurePosixPath(line[-1]).name for line in predictions))


def anything_of_the_case(case: GoldenCase) -> Cause:
    """Where REGENIE gives no usable word: any input file of the case; after a sentence, any argument too."""
    files = tuple(dict.fromkeys(PurePosixPath(path).name for path in case.inputs))
    arguments = tuple(dict.fromkeys(word for word in case.argv if word not in SAYS_NOTHING))
    ended_without_words = (case.error or "(").startswith("(")
    return Cause(files if ended_without_words and files else (*files, *arguments))


def said_options(case: GoldenCase) -> tuple[str, ...]:
    """The options in REGENIE's sentence, but for those that every run has."""
    return tuple(option for option in dict.fromkeys(OPTION.findall(case.error or "")) if option not in SAYS_NOTHING)


def spellings(case: GoldenCase, options: tuple[str, ...]) -> tuple[str, ...]:
    """The options among these that the case has, their values, the items of lists, and the names of files."""
    given = tuple(option for option in options if case.has(option))
    values = case.values(*given)
    items = (item for value in values for item in value.split(","))
    names = (PurePosixPath(value).name for value in values)
    return tuple(dict.fromkeys(word for word in (*given, *values, *items, *names) if word))


Rule = Callable[[GoldenCase, CaseInputs], Iterable[Cause]]
DEFINITE_RULES: tuple[Rule, ...] = (
    quoted_words,
    assigned_values,
    shared_arguments,
    absent_columns,
    unpredicted_traits,
    contradicting_options,
)
