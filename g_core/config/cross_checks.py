"""What the options of a run mean together: contradictions and missing files.

Belongs here: rules over several options, and the reading of options with a small grammar of their own. Does not belong
here: rules over one value (option_values.py), options without effect (option_warnings.py), and files' contents
(g_core/inputs).
"""

import pathlib
import re
from collections.abc import Iterable

from g_core.config import columns, options
from g_core.config.choices import TelemetryMode, TraitType
from g_core.config.chromosomes import ACCEPTED_LABELS, chromosome_code
from g_core.config.model import RunConfig
from g_core.config.option import OptionKind
from g_core.config.problems import Problems
from g_core.config.run_plan import NonPseudoautosomalRegion, PositionRange

# First and last base of X outside the pseudo-autosomal regions (spec section 7: strictly between REGENIE's bounds).
NON_PSEUDOAUTOSOMAL = {
    "hg38": NonPseudoautosomalRegion(first_position=2_781_480, last_position=155_701_382),
    "hg19": NonPseudoautosomalRegion(first_position=2_699_521, last_position=154_931_043),
    "hg18": NonPseudoautosomalRegion(first_position=2_709_521, last_position=154_584_237),
}


def find_contradictions(config: RunConfig, problems: Problems) -> None:
    """Note every combination of options that cannot be run."""
    for option in options.all_options():
        if option.required and getattr(getattr(config, option.section), option.key) is None:
            problems.add(f"{option.flag} is required: {option.meaning}")
    diagnostics = config.diagnostics
    profiled = diagnostics.telemetry is TelemetryMode.PROFILE
    lines = {
        f"--step {config.input.step}: only step 2 is built; make the predictions with REGENIE's step 1": (
            config.input.step != 2
        ),
        "--pred is required (list of step 1 predictions); give --ignore-pred to run without predictions": (
            config.input.prediction_list is None and not config.input.ignore_predictions
        ),
        "--keep and --remove cannot be used together; take the removed samples out of the keep list": bool(
            config.samples.keep and config.samples.remove
        ),
        "--write-samples needs --sample: identifiers inside a BGEN do not tell FID from IID": (
            config.output.write_samples and config.input.sample is None
        ),
        f"--sex-specific {config.samples.sex} needs --sample, whose fourth column is the sex": (
            config.samples.sex is not None and config.input.sample is None
        ),
        f"--jax-trace-dir {diagnostics.jax_trace_dir} needs --telemetry profile: a trace slows the run": (
            diagnostics.jax_trace_dir is not None and not profiled
        ),
        f"--jax-memory-profile {diagnostics.jax_memory_profile} needs --telemetry profile": (
            diagnostics.jax_memory_profile is not None and not profiled
        ),
        f"--out {config.output.prefix}: the prefix must end in a name": (
            config.output.prefix is not None and not config.output.prefix.name
        ),
    }
    for line, applies in lines.items():
        if applies:
            problems.add(line)
    if config.input.covariate_file is None:
        find_covariates_without_file(config, problems)


def find_covariates_without_file(config: RunConfig, problems: Problems) -> None:
    """Note lists of covariates that no file can answer."""
    named = {
        "--covarColList": config.input.covariate_columns,
        "--catCovarList": config.input.categorical_covariates,
        "--covarExcludeList": config.input.covariate_exclude_columns,
    }
    for flag, listed in named.items():
        if listed:
            problems.add(f"{flag} {','.join(listed)} names covariates, but there is no --covarFile")


def find_missing_files(config: RunConfig, problems: Problems) -> None:
    """Note every input file that is not there or is a folder."""
    for option in options.all_options():
        if option.kind is not OptionKind.PATH or option.unit != "file":
            continue
        value: pathlib.Path | tuple[pathlib.Path, ...] | None = getattr(getattr(config, option.section), option.key)
        if value is None or option.path in unread_paths(config):
            continue
        for path in value if isinstance(value, tuple) else (value,):
            found = find_sample_file(path) if option.key == "sample" else path
            if not found.exists():
                problems.add(f"{option.flag} {path}: no such file")
            elif found.is_dir():
                problems.add(f"{option.flag} {path}: is a folder, not a file")


def unread_paths(config: RunConfig) -> frozenset[str]:
    """Options, as ``section.key``, whose files this run does not read."""
    binary = config.binary
    approximate_firth = config.trait.type is TraitType.BINARY and binary.firth and binary.approximate
    unread = {
        "input.prediction_list": config.input.ignore_predictions,
        "binary.null_firth_list": not approximate_firth,
    }
    return frozenset(path for path, applies in unread.items() if applies)


def find_sample_file(path: pathlib.Path) -> pathlib.Path:
    """The path itself, or with ``.gz`` where only that exists (spec section 2.2)."""
    compressed = path.with_name(path.name + ".gz")
    return compressed if not path.exists() and compressed.exists() else path


def read_columns(flag: str, names: Iterable[str], problems: Problems) -> tuple[str, ...]:
    """A column list written out; a bad range is noted and leaves the list empty."""
    try:
        return columns.expand_columns(names)
    except ValueError as error:
        problems.add(f"{flag} {error}")
        return ()


def read_chromosomes(labels: Iterable[str], problems: Problems) -> tuple[int, ...]:
    """Codes of the wanted chromosomes, each once, ascending."""
    codes: set[int] = set()
    for label in labels:
        code = chromosome_code(label)
        if code is None:
            problems.add(f"--chr {label}: no such chromosome; allowed: {ACCEPTED_LABELS}")
        else:
            codes.add(code)
    return tuple(sorted(codes))


def read_range(text: str | None, problems: Problems) -> PositionRange | None:
    """A window ``CHROMOSOME:FIRST-LAST``."""
    if text is None:
        return None
    found = re.fullmatch(r"([^:]+):(\d+)-(\d+)", text)
    code = chromosome_code(found.group(1)) if found else None
    if found is None or code is None or int(found.group(2)) > int(found.group(3)):
        problems.add(f"--range {text}: allowed: CHROMOSOME:FIRST-LAST, such as 22:1000000-2000000")
        return None
    return PositionRange(chromosome_code=code, first_position=int(found.group(2)), last_position=int(found.group(3)))


def read_non_pseudoautosomal(text: str, problems: Problems) -> NonPseudoautosomalRegion:
    """The region of a genome build, or of two positions."""
    known = NON_PSEUDOAUTOSOMAL.get(text.lower())
    if known is not None:
        return known
    found = re.fullmatch(r"(\d+),(\d+)", text)
    if found is None or int(found.group(1)) > int(found.group(2)):
        problems.add(f"--par-region {text}: allowed: {', '.join(NON_PSEUDOAUTOSOMAL)} or FIRST,LAST in base pairs")
        return NON_PSEUDOAUTOSOMAL["hg38"]
    return NonPseudoautosomalRegion(first_position=int(found.group(1)), last_position=int(found.group(2)))
