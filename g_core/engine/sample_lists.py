"""Lists of the samples that each trait was analysed on: ``PREFIX_TRAIT.regenie.ids``.

Belongs here: what a list says, to REGENIE's byte (spec section 8), and its writing. Does not belong here: who is
analysed (g_core/inputs/sample_sets.py).
"""

import os

import numpy as np

from g_core.config.run_plan import OutputPlan
from g_core.engine.run_directory import RunDirectory
from g_core.errors import OutputError
from g_core.inputs.analysis_set import AnalysisSet, MaskGroup, Trait
from g_core.inputs.join_report import TraitCounts
from g_core.inputs.sample_index import SampleNames
from g_core.inputs.sample_sets import PREDICTION_REASONS


def write_sample_lists(plan: OutputPlan, analysis: AnalysisSet, directory: RunDirectory) -> dict[str, str]:
    """Write the list of every analysed trait, whole or not at all; file names by trait.

    Raises:
        OutputError: A list cannot be written.
        ValueError: Samples have no names; the options ask for ``--sample`` beside ``--write-samples``.
    """
    if not plan.sample_lists:
        return {}
    if analysis.sample_names is None:
        raise ValueError("sample lists need sample names")
    counts = {trait.name: trait for trait in analysis.join_report.traits}
    written: dict[str, str] = {}
    for group in analysis.groups:
        for trait in group.traits:
            text = sample_list(
                group,
                trait,
                analysis.sample_names,
                ends_with_newline=masked_by_predictions(counts[trait.name]),
                names_trait=plan.sample_lists_name_trait,
            )
            written[trait.name] = write_list(directory, trait.name, text)
    return written


def sample_list(
    group: MaskGroup, trait: Trait, names: SampleNames, *, ends_with_newline: bool, names_trait: bool
) -> str:
    """The text of one list.

    Args:
        group: Of the trait.
        trait: Whose samples are listed.
        names: Of the genotyped samples.
        ends_with_newline: REGENIE ends the last line only where predictions masked samples of the trait.
        names_trait: Begin with the trait's name, as ``--print-pheno`` asks.
    """
    head = [f"{trait.name}\tNA"] if names_trait else []
    listed = [names[sample] for sample in group.sample_indices[np.flatnonzero(trait.present)].tolist()]
    lines = [*head, *(f"{name.family_id}\t{name.individual_id}" for name in listed)]
    return "\n".join(lines) + "\n" * ends_with_newline


def masked_by_predictions(counts: TraitCounts) -> bool:
    """True where samples that have everything else lack a prediction."""
    return any(drop.reason in PREDICTION_REASONS for drop in counts.drops)


def write_list(directory: RunDirectory, trait: str, text: str) -> str:
    """Write one list under a hidden name and rename it; returns its file name.

    Raises:
        OutputError: The file system refused.
    """
    target, staged = directory.sample_list_path(trait), directory.staged_sample_list_path(trait)
    try:
        with staged.open("w", encoding="utf-8", newline="") as handle:
            handle.write(text)
            handle.flush()
            os.fsync(handle.fileno())
        staged.replace(target)
    except OSError as error:
        raise OutputError(f"{target}: cannot write: {error.strerror}") from None
    return target.name
