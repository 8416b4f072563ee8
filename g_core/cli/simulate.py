"""``g simulate``: make a dataset with known truth, or say that it is there already.

Belongs here: the flags and what is printed. What a dataset is, is in g_core.simulate.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from g_core.config.arguments import QuietParser
from g_core.simulate.dataset import SimulatedDataset, ensure_dataset
from g_core.simulate.spec import GenotypeCompression, build_spec


def build_parser() -> argparse.ArgumentParser:
    """Return the parser. Flags that are not given keep the defaults of g_core/simulate/default.toml."""
    defaults = build_spec({})
    parser = QuietParser(
        prog="g simulate",
        description="Make a dataset with known truth: BGEN, traits, covariates and LOCO predictions.",
        argument_default=argparse.SUPPRESS,
        allow_abbrev=False,
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of the dataset")
    parser.add_argument("--samples", type=int, dest="n_samples", help=f"people (default {defaults.n_samples})")
    parser.add_argument("--variants", type=int, dest="n_variants", help=f"variants (default {defaults.n_variants})")
    parser.add_argument("--seed", type=int, help=f"equal seeds give equal bytes (default {defaults.seed})")
    parser.add_argument("--chromosome", help=f"1 to 22 (default {defaults.chromosome})")
    parser.add_argument(
        "--compression",
        choices=[choice.value for choice in GenotypeCompression],
        help=f"of the BGEN (default {defaults.compression.value})",
    )
    parser.add_argument("--hard-calls", action="store_true", help="write true genotypes, not imputed ones")
    parser.add_argument("--missing-rate", type=float, help=f"share of genotypes (default {defaults.missing_rate:g})")
    parser.add_argument("--threads", type=int, help="default: all that this process may use; never changes a byte")
    return parser


def run(words: Sequence[str]) -> int:
    """Run ``g simulate`` and return its exit code.

    Args:
        words: The command line after ``simulate``.

    Raises:
        UsageError: The words are wrong, or the asked dataset cannot be made.
        InputError: The folder holds a dataset.json of something else.
        OutputError: The folder cannot be written.
    """
    given: dict[str, object] = vars(build_parser().parse_args(words))
    folder, threads = given.pop("out"), given.pop("threads", len(os.sched_getaffinity(0)))
    if not isinstance(folder, Path) or not isinstance(threads, int):
        raise TypeError("argparse returned another type than it was told to")
    dataset = ensure_dataset(spec=build_spec(given), folder=folder, threads=max(1, threads))
    sys.stdout.write("".join(f"{line}\n" for line in describe(dataset)))
    return 0


def describe(dataset: SimulatedDataset) -> list[str]:
    """Return what ``g simulate`` prints."""
    spec = dataset.manifest.spec
    verb = "was there already" if dataset.was_reused else "made"
    size = f"{spec.n_samples} samples, {spec.n_variants} variants on chromosome {spec.chromosome}"
    return [
        f"{verb}: {size}, {dataset.manifest.n_cases} cases",
        f"genotypes     {dataset.bgen}",
        f"samples       {dataset.sample}",
        f"quantitative  {dataset.quantitative_phenotypes}, predictions {dataset.quantitative_predictions}",
        f"binary        {dataset.binary_phenotypes}, predictions {dataset.binary_predictions}",
        f"covariates    {dataset.covariates}",
        f"truth         {dataset.truth}",
    ]
