"""How much memory and disk a run will need, known before it starts.

Belongs here: one formula for each, and the constants that were measured. Does not belong here: printing (dry_run.py).

Memory is the peak resident set on the host, in bytes, the sum of

    program   interpreter, libraries, JAX and its compiled kernels: measured, by the test that is made
    index     variants in the file x (2 x bytes of their identifying columns + 24), + 2 x those columns of the selected
    samples   genotyped samples x 600
              + for each group: samples x 8 x (4 x covariate columns + traits x (10 + rows of predictions)),
              and for binary traits samples x 8 x traits x 11 x covariate columns
    chunks    min(staging depth + 2, chunks) x rows of a chunk, padded to tiles x 4 x columns of all groups
    kernels   2 x a tile of the widest group + its columns x 8 x 11 x lanes of a correction
              + for a binary test: its columns x 8 x 10 x covariate columns
    rows      results that wait for their file: (traits + queue + writers) x variants of a part x 250

Columns are samples padded to 16. The program's part differs by 60 to 120 MB between a process that compiles
its kernels and one that finds them in the cache; the constants lie between the two. docs/telemetry.md has the figures
that they were fitted to. A GPU's driver adds to the program's part; that was not measured.
"""

from dataclasses import dataclass

from g_core.config.choices import Compression, OutputFormat, TraitType
from g_core.config.run_plan import CorrectionMethod, RunPlan
from g_core.engine.chunks import COLUMN_MULTIPLE, ChunkSpan, auto_chunks_per_part, padded, plan_chunks, tile_rows
from g_core.engine.prepare import PreparedRun
from g_core.engine.sample_sets import plan_sample_sets

MEGABYTE = 10**6
PROGRAM_QUANTITATIVE_BYTES = 260 * MEGABYTE
PROGRAM_BINARY_BYTES = {
    CorrectionMethod.NONE: 335 * MEGABYTE,
    CorrectionMethod.FIRTH_APPROXIMATE: 385 * MEGABYTE,
    CorrectionMethod.FIRTH_EXACT: 385 * MEGABYTE,
    CorrectionMethod.SADDLEPOINT: 385 * MEGABYTE,
}
BLOCK_LOCATION_BYTES = 24
SAMPLE_BYTES = 600
DESIGN_COPIES = 4
TRAIT_COPIES = 10
BINARY_TRAIT_DESIGN_COPIES = 11
BUFFERS_BEYOND_STAGING = 2
TILE_COPIES = 2
LANE_ARRAYS = 11
NULL_MODEL_ARRAYS = 10
WAITING_ROW_BYTES = 250
FLOAT32_BYTES = 4
FLOAT64_BYTES = 8

PARQUET_ROW_BYTES = 70
"""Of a row in a zstd part; three times as much without compression."""
UNCOMPRESSED_FACTOR = 3
TEXT_ROW_BYTES = 110
TABLE_VARIANT_BYTES = 70
TABLE_TRAIT_BYTES = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupSize:
    """One mask group. ``n_prediction_rows`` is the chromosomes of each trait's predictions."""

    n_samples: int
    n_traits: int
    n_design_columns: int
    n_prediction_rows: int

    @property
    def n_columns(self) -> int:
        """Samples padded as a tile has them."""
        return padded(self.n_samples, COLUMN_MULTIPLE)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSize:
    """Everything that the memory of a run depends on."""

    trait_type: TraitType
    correction: CorrectionMethod
    correction_lanes: int
    n_samples_genotyped: int
    groups: tuple[GroupSize, ...]
    value_columns: tuple[int, ...]
    n_variants_in_file: int
    n_variants_selected: int
    identifying_bytes_per_variant: float
    tile_rows: int
    n_chunks: int
    chunk_variants: int
    staging_depth: int
    chunks_per_part: int
    writer_queue_depth: int
    writer_threads: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEstimate:
    """The parts of the sum at the head of this file, in bytes."""

    program_bytes: int
    index_bytes: int
    samples_bytes: int
    chunks_bytes: int
    kernels_bytes: int
    rows_bytes: int

    @property
    def total_bytes(self) -> int:
        """Peak resident memory."""
        return (
            self.program_bytes
            + self.index_bytes
            + self.samples_bytes
            + self.chunks_bytes
            + self.kernels_bytes
            + self.rows_bytes
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskEstimate:
    """What a run writes at most, in bytes; rows that filters leave out are counted."""

    parquet_bytes: int
    text_bytes: int

    @property
    def total_bytes(self) -> int:
        """Both."""
        return self.parquet_bytes + self.text_bytes


@dataclass(frozen=True, slots=True)
class RunEstimate:
    """A run before it starts."""

    size: RunSize
    spans: tuple[ChunkSpan, ...]
    memory: MemoryEstimate
    disk: DiskEstimate


def estimate_run(plan: RunPlan, prepared: PreparedRun) -> RunEstimate:
    """Estimate a run whose inputs are joined; as from the start, whatever an earlier process has done."""
    rows = tile_rows(prepared.analysis.n_kept, plan.compute.device, plan.trait.type)
    chunk_variants = plan.compute.chunk_variants or rows
    spans = plan_chunks(prepared.selection.chromosome_codes, prepared.haploid_males, chunk_variants, first_variant=0)
    size = measure_run(plan, prepared, rows, spans)
    n_traits = sum(group.n_traits for group in size.groups)
    return RunEstimate(size, spans, estimate_memory(size), estimate_disk(plan, size.n_variants_selected, n_traits))


def measure_run(plan: RunPlan, prepared: PreparedRun, rows: int, spans: tuple[ChunkSpan, ...]) -> RunSize:
    """The numbers of a run that the formula takes."""
    lanes = {
        CorrectionMethod.NONE: 0,
        CorrectionMethod.FIRTH_APPROXIMATE: plan.kernels.firth_approximate.lanes,
        CorrectionMethod.FIRTH_EXACT: plan.kernels.firth_exact.lanes,
        CorrectionMethod.SADDLEPOINT: plan.kernels.saddlepoint.lanes,
    }
    n_selected = len(prepared.selection.indices)
    return RunSize(
        trait_type=plan.trait.type,
        correction=plan.binary.correction,
        correction_lanes=lanes[plan.binary.correction],
        n_samples_genotyped=prepared.analysis.n_genotyped,
        groups=tuple(
            GroupSize(
                n_samples=len(group.sample_indices),
                n_traits=len(group.traits),
                n_design_columns=group.design.shape[1],
                n_prediction_rows=max(
                    (len(trait.predictions.chromosomes) for trait in group.traits if trait.predictions is not None),
                    default=0,
                ),
            )
            for group in prepared.analysis.groups
        ),
        value_columns=tuple(
            padded(len(each.sample_indices), COLUMN_MULTIPLE)
            for each in plan_sample_sets(plan, prepared.analysis).value_sets
        ),
        n_variants_in_file=prepared.reader.n_variants,
        n_variants_selected=n_selected,
        identifying_bytes_per_variant=prepared.selection.columns.nbytes / n_selected,
        tile_rows=rows,
        n_chunks=len(spans),
        chunk_variants=max(span.n_variants for span in spans),
        staging_depth=plan.compute.staging_depth,
        chunks_per_part=plan.output.chunks_per_part or auto_chunks_per_part(plan.compute.chunk_variants or rows),
        writer_queue_depth=plan.output.writer_queue_depth,
        writer_threads=plan.output.writer_threads,
    )


def estimate_memory(size: RunSize) -> MemoryEstimate:
    """The formula at the head of this file."""
    binary = size.trait_type is TraitType.BINARY
    identifying = size.identifying_bytes_per_variant
    n_traits = sum(group.n_traits for group in size.groups)
    n_buffers = min(size.staging_depth + BUFFERS_BEYOND_STAGING, size.n_chunks)
    all_columns = sum(size.value_columns)
    widest = max(size.groups, key=lambda group: group.n_columns)
    null_model_columns = widest.n_design_columns if binary else 0
    waiting_parts = n_traits + size.writer_queue_depth + size.writer_threads
    waiting_rows = min(waiting_parts * size.chunks_per_part * size.chunk_variants, n_traits * size.n_variants_selected)
    return MemoryEstimate(
        program_bytes=PROGRAM_BINARY_BYTES[size.correction] if binary else PROGRAM_QUANTITATIVE_BYTES,
        index_bytes=int(
            size.n_variants_in_file * (2 * identifying + BLOCK_LOCATION_BYTES)
            + 2 * size.n_variants_selected * identifying
        ),
        samples_bytes=size.n_samples_genotyped * SAMPLE_BYTES
        + sum(group_bytes(group, binary=binary) for group in size.groups),
        chunks_bytes=n_buffers * padded(size.chunk_variants, size.tile_rows) * all_columns * FLOAT32_BYTES,
        kernels_bytes=widest.n_columns
        * (
            TILE_COPIES * size.tile_rows * FLOAT32_BYTES
            + LANE_ARRAYS * size.correction_lanes * FLOAT64_BYTES
            + NULL_MODEL_ARRAYS * null_model_columns * FLOAT64_BYTES
        ),
        rows_bytes=waiting_rows * WAITING_ROW_BYTES,
    )


def group_bytes(group: GroupSize, *, binary: bool) -> int:
    """Design, traits and predictions of one group, with the copies that models keep."""
    designs_per_trait = BINARY_TRAIT_DESIGN_COPIES if binary else 0
    arrays_per_trait = TRAIT_COPIES + group.n_prediction_rows + designs_per_trait * group.n_design_columns
    arrays = DESIGN_COPIES * group.n_design_columns + group.n_traits * arrays_per_trait
    return group.n_samples * arrays * FLOAT64_BYTES


def estimate_disk(plan: RunPlan, n_variants: int, n_traits: int) -> DiskEstimate:
    """Files of results; a second copy of what is put together at the end counts, since both exist then."""
    output = plan.output
    rows = n_variants * n_traits
    compressed = output.compression is not Compression.NONE
    parquet = rows * PARQUET_ROW_BYTES * (1 if compressed else UNCOMPRESSED_FACTOR) * (2 if output.finalize else 1)
    text = rows * TEXT_ROW_BYTES
    if output.one_table:
        text = n_variants * (TABLE_VARIANT_BYTES + TABLE_TRAIT_BYTES * n_traits)
    return DiskEstimate(
        parquet_bytes=parquet if OutputFormat.PARQUET in output.formats else 0,
        text_bytes=2 * text if OutputFormat.REGENIE in output.formats else 0,
    )
