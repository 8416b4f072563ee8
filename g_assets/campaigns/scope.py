"""The scope of a measurement: a hash over what makes two runs comparable.

Belongs here: what counts, and its hash. The commit and the build never count: they are what is compared. Nor do times,
paths or run ids. Does not belong here: the choice of a baseline (compare/baseline.py).
"""

import hashlib
import json

from g_assets.artifacts.models import Context, Record


class WorkScope(Record):
    """What is done: known when the plan is made."""

    campaign: str
    campaign_version: int
    dataset: str
    dataset_fingerprint: str | None
    machine: str
    cases: tuple[str, ...]
    variant_limit: int | None
    chunk_variants: int | None
    cpu_chunk_variants: int | None
    staging_depth: int | None
    threads: int | None
    writer_threads: int | None
    writer_queue_depth: int | None
    p_threshold: float
    storage_mode: str
    trials_kind: str


class PlaceScope(Record):
    """Where it is done: known when it has run."""

    compute_mode: str
    cpu_models: tuple[str, ...]
    cpu_counts: tuple[int, ...]
    gpu_models: tuple[str, ...]
    python_minor: str
    jax_minor: str | None


def place_of(contexts: tuple[Context, ...]) -> PlaceScope | None:
    """The place of a run whose cells report these contexts; None where no cell reported one."""
    if not contexts:
        return None
    first = contexts[0]
    jax_version = first.build.jax_version
    return PlaceScope(
        compute_mode="+".join(sorted({context.compute_mode for context in contexts})),
        cpu_models=tuple(sorted({context.host.cpu_model for context in contexts})),
        cpu_counts=tuple(sorted({context.host.cpu_affinity_count for context in contexts})),
        gpu_models=tuple(sorted({model for context in contexts for model in context.host.gpu_models})),
        python_minor=minor(first.build.python_version),
        jax_minor=None if jax_version is None else minor(jax_version),
    )


def minor(version: str) -> str:
    """``3.11`` of ``3.11.7``."""
    return ".".join(version.split(".")[:2])


def work_key(work: WorkScope) -> str:
    """Hash of the work alone: names a plan."""
    return canonical_sha256({"work": work.model_dump(mode="json")})


def scope_key(work: WorkScope, place: PlaceScope | None) -> str:
    """Hash of work and place: two runs with equal keys may be compared."""
    return canonical_sha256(
        {"work": work.model_dump(mode="json"), "place": None if place is None else place.model_dump(mode="json")}
    )


def canonical_sha256(value: object) -> str:
    """Sha256 of the JSON with sorted keys and no spaces, so that equal values have equal hashes."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()
