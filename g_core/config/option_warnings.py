"""Options that a run does not use, and choices whose consequences a user should know.

Belongs here: one line for each. Does not belong here: options that cannot be run together (cross_checks.py), and what
the plan makes of an option without effect (build_plan.py).
"""

from g_core.config.choices import Coding, OutputFormat, ResumeMode, SampleMode, TraitType
from g_core.config.model import RunConfig


def find_warnings(config: RunConfig) -> tuple[str, ...]:
    """Lines to print before work starts."""
    lines = input_warnings(config) | trait_warnings(config) | correction_warnings(config) | output_warnings(config)
    return tuple(line for line, applies in lines.items() if applies)


def input_warnings(config: RunConfig) -> dict[str, bool]:
    """Lines about files, samples and variants, and whether each applies."""
    return {
        "--sample-mode regenie analyses the traits of a run together, as REGENIE does: where they differ in missing "
        "values, a result depends on which other traits are in the run, and quantitative ones on their mean "
        "(docs/samples.md). The default, per_phenotype, has neither": (
            config.samples.mode is SampleMode.REGENIE and not config.samples.strict
        ),
        f"--bgi {config.input.bgen_index} is not read: variants come in the BGEN's own order": (
            config.input.bgen_index is not None
        ),
        "--pred is not read, because --ignore-pred is given": (
            config.input.ignore_predictions and config.input.prediction_list is not None
        ),
        "--minHOMs is ignored: it applies to --test recessive": (
            config.filters.min_homozygotes > 0 and config.test.coding is not Coding.RECESSIVE
        ),
        "--skip-dosage-comp changes nothing: without --sample no sample is known to be male": (
            config.test.skip_dosage_compensation and config.input.sample is None
        ),
    }


def trait_warnings(config: RunConfig) -> dict[str, bool]:
    """Lines about the values of traits, and whether each applies."""
    quantitative = config.trait.type is TraitType.QUANTITATIVE
    return {
        "--cc12 is ignored: it applies to binary traits (--bt)": quantitative and config.binary.one_two_coding,
        "--force-qt is ignored: it applies to quantitative traits (--qt)": (
            not quantitative and config.trait.force_quantitative
        ),
        "--force-impute is ignored: a missing case status is never imputed (--bt)": (
            not quantitative and config.trait.impute_missing
        ),
        "--apply-rint is ignored: it applies to quantitative traits (--qt)": (
            not quantitative and config.trait.rank_inverse_normal
        ),
    }


def correction_warnings(config: RunConfig) -> dict[str, bool]:
    """Lines about the corrections of binary traits, and whether each applies."""
    binary = config.binary
    quantitative = config.trait.type is TraitType.QUANTITATIVE
    approximate_firth = not quantitative and binary.firth and binary.approximate
    return {
        "--firth is ignored: it applies to binary traits (--bt)": quantitative and binary.firth,
        "--spa is ignored: it applies to binary traits (--bt)": quantitative and binary.spa,
        "--spa is ignored: --firth is given too, and wins": not quantitative and binary.spa and binary.firth,
        "--approx is ignored: it needs --firth": binary.approximate and not binary.firth,
        "--write-null-firth is ignored: it needs --bt --firth --approx": (
            binary.write_null_firth and not approximate_firth
        ),
        "--use-null-firth is not read: it needs --bt --firth --approx": (
            binary.null_firth_list is not None and not approximate_firth
        ),
    }


def output_warnings(config: RunConfig) -> dict[str, bool]:
    """Lines about result files, and whether each applies."""
    output = config.output
    quantitative = config.trait.type is TraitType.QUANTITATIVE
    has_text = OutputFormat.REGENIE in output.format
    wants_frequencies = output.case_control_frequencies
    return {
        "--resume-mode strict is ignored: it needs --resume": (
            output.resume_mode is ResumeMode.STRICT and not output.resume
        ),
        "--print-pheno is ignored: it needs --write-samples": output.print_phenotype and not output.write_samples,
        "--gz is ignored: it compresses REGENIE text, which needs --format regenie": output.gzip and not has_text,
        "--no-split is ignored: it is about REGENIE text, which needs --format regenie": (
            output.one_table and not has_text
        ),
        "--af-cc is ignored: it applies to binary traits (--bt)": wants_frequencies and quantitative,
        "--af-cc is ignored: the one table of --no-split has no columns for it": (
            wants_frequencies and not quantitative and has_text and output.one_table
        ),
        "--af-cc changes nothing: the Parquet results of binary traits always have these columns, and REGENIE text "
        "needs --format regenie": wants_frequencies and not quantitative and not has_text,
    }
