"""From a RunConfig to a RunPlan.

Belongs here: resolving what is automatic, and telling all problems of the options together. Does not belong here: the
rules themselves (cross_checks.py, option_warnings.py) and reading input files (g_core/inputs).
"""

import pathlib

from g_core.config import cross_checks, effective, option_warnings, options
from g_core.config.choices import Coding, Device, GenotypeFormat, OutputFormat, SampleMode, TraitType
from g_core.config.model import ComputeConfig, RunConfig
from g_core.config.option import AUTO
from g_core.config.problems import Problems
from g_core.config.run_plan import (
    BinaryPlan,
    ComputePlan,
    CorrectionMethod,
    DiagnosticsPlan,
    FiltersPlan,
    InputPlan,
    KernelConfigs,
    OutputPlan,
    RunPlan,
    SamplesPlan,
    TestPlan,
    TraitPlan,
)
from g_core.kernels.settings import (
    BasisConfig,
    FirthApproximateConfig,
    FirthExactConfig,
    FirthNullConfig,
    GenotypeConfig,
    LinearConfig,
    LogisticNullConfig,
    ProbabilityConfig,
    SaddlepointConfig,
    ScoreConfig,
)
from g_core.processors import available_threads


def build_run_plan(config: RunConfig) -> RunPlan:
    """Resolve a configuration.

    Raises:
        UsageError: options contradict each other or are missing; all told together.
        InputError: input files are not there; all told together.
    """
    problems = Problems()
    cross_checks.find_contradictions(config, problems)
    input_plan = plan_input(config, problems)
    filters = plan_filters(config, problems)
    region = cross_checks.read_non_pseudoautosomal(config.test.par_region, problems)
    problems.raise_usage_error()
    cross_checks.find_missing_files(config, problems)
    problems.raise_input_error()
    return RunPlan(
        input=input_plan,
        samples=plan_samples(config),
        trait=plan_trait(config),
        binary=plan_binary(config),
        test=TestPlan(
            coding=config.test.coding,
            non_pseudoautosomal=region,
            skip_dosage_compensation=config.test.skip_dosage_compensation,
        ),
        filters=filters,
        compute=plan_compute(config),
        output=plan_output(config),
        diagnostics=plan_diagnostics(config),
        kernels=plan_kernels(config),
        effective_config=effective.render_effective_config(config),
        warnings=option_warnings.find_warnings(config),
    )


def plan_input(config: RunConfig, problems: Problems) -> InputPlan:
    """Files and expanded column lists; required files that are missing are noted by the caller."""
    given = config.input
    return InputPlan(
        bgen=given.bgen or pathlib.Path(),
        sample=cross_checks.find_sample_file(given.sample) if given.sample is not None else None,
        phenotype_file=given.phenotype_file or pathlib.Path(),
        phenotype_columns=cross_checks.read_columns("--phenoColList", given.phenotype_columns, problems),
        phenotype_exclude_columns=cross_checks.read_columns(
            "--phenoExcludeList", given.phenotype_exclude_columns, problems
        ),
        covariate_file=given.covariate_file,
        covariate_columns=cross_checks.read_columns("--covarColList", given.covariate_columns, problems),
        covariate_exclude_columns=cross_checks.read_columns(
            "--covarExcludeList", given.covariate_exclude_columns, problems
        ),
        categorical_covariates=cross_checks.read_columns("--catCovarList", given.categorical_covariates, problems),
        max_category_levels=given.max_category_levels,
        prediction_list=None if given.ignore_predictions else given.prediction_list,
        reference_first=given.reference_first,
        bsize=number_or_none(given.bsize),
    )


def plan_samples(config: RunConfig) -> SamplesPlan:
    """Sample options with ``--strict`` resolved."""
    samples = config.samples
    return SamplesPlan(
        mode=SampleMode.COMPLETE_CASE if samples.strict else samples.mode,
        keep=samples.keep,
        remove=samples.remove,
        sex=samples.sex,
    )


def plan_trait(config: RunConfig) -> TraitPlan:
    """Trait options; those of quantitative traits are off where the traits are binary."""
    trait = config.trait
    quantitative = trait.type is TraitType.QUANTITATIVE
    return TraitPlan(
        type=trait.type,
        force_quantitative=quantitative and trait.force_quantitative,
        impute_missing=quantitative and trait.impute_missing,
        rank_inverse_normal=quantitative and trait.rank_inverse_normal,
    )


def plan_filters(config: RunConfig, problems: Problems) -> FiltersPlan:
    """Variant filters with chromosomes as codes."""
    return FiltersPlan(
        min_mac=config.filters.min_mac,
        min_info=config.filters.min_info,
        min_homozygotes=config.filters.min_homozygotes if config.test.coding is Coding.RECESSIVE else 0.0,
        extract=config.filters.extract,
        exclude=config.filters.exclude,
        chromosomes=cross_checks.read_chromosomes(config.filters.chromosomes, problems),
        range=cross_checks.read_range(config.filters.range, problems),
    )


def plan_binary(config: RunConfig) -> BinaryPlan:
    """Binary options."""
    binary = config.binary
    correction = choose_correction(config)
    stores_null_firth = correction is CorrectionMethod.FIRTH_APPROXIMATE
    return BinaryPlan(
        one_two_coding=binary.one_two_coding,
        min_case_count=binary.min_case_count,
        correction=correction,
        p_threshold=binary.p_threshold,
        firth_se=binary.firth_se,
        skip_fast_firth=binary.skip_fast_firth,
        null_nonconvergence=binary.null_nonconvergence,
        write_null_firth=stores_null_firth and binary.write_null_firth,
        null_firth_list=binary.null_firth_list if stores_null_firth else None,
    )


def choose_correction(config: RunConfig) -> CorrectionMethod:
    """The correction that the flags ask for; Firth wins over the saddlepoint, as in REGENIE."""
    binary = config.binary
    if config.trait.type is not TraitType.BINARY:
        return CorrectionMethod.NONE
    if binary.firth:
        return CorrectionMethod.FIRTH_APPROXIMATE if binary.approximate else CorrectionMethod.FIRTH_EXACT
    return CorrectionMethod.SADDLEPOINT if binary.spa else CorrectionMethod.NONE


def choose_genotype_format(compute: ComputeConfig) -> GenotypeFormat:
    """The format asked for; else what suits the device: half the bytes over the bus, or no work on the CPU twice."""
    if compute.genotype_format != AUTO:
        return compute.genotype_format
    return GenotypeFormat.PACKED8 if compute.device is Device.GPU else GenotypeFormat.DOSAGE


def plan_compute(config: RunConfig) -> ComputePlan:
    """Compute options with the thread count resolved."""
    compute = config.compute
    return ComputePlan(
        device=compute.device,
        threads=available_threads() if compute.threads == AUTO else compute.threads,
        chunk_variants=number_or_none(compute.chunk_variants),
        staging_depth=compute.staging_depth,
        decode_tile_variants=number_or_none(compute.decode_tile_variants),
        genotype_format=choose_genotype_format(compute),
        trusted_no_missing_diploid=compute.trusted_no_missing_diploid,
        jax_cache_dir=compute.jax_cache_dir,
        jax_persistent_cache=compute.jax_persistent_cache,
    )


def plan_output(config: RunConfig) -> OutputPlan:
    """Output options; a format named twice counts once."""
    output = config.output
    has_text = OutputFormat.REGENIE in output.format
    one_table = has_text and output.one_table
    return OutputPlan(
        prefix=output.prefix or pathlib.Path(),
        formats=tuple(dict.fromkeys(output.format)),
        one_table=one_table,
        case_control_frequencies=(
            output.case_control_frequencies and has_text and not one_table and config.trait.type is TraitType.BINARY
        ),
        sample_lists=output.write_samples,
        sample_lists_name_trait=output.print_phenotype,
        gzip=output.gzip,
        writer_threads=output.writer_threads,
        writer_queue_depth=output.writer_queue_depth,
        chunks_per_part=number_or_none(output.chunks_per_part),
        finalize=output.finalize and OutputFormat.PARQUET in output.format,
        compression=output.compression,
        resume=output.resume,
        resume_mode=output.resume_mode,
    )


def plan_diagnostics(config: RunConfig) -> DiagnosticsPlan:
    """What the run tells about itself."""
    diagnostics = config.diagnostics
    return DiagnosticsPlan(
        dry_run=diagnostics.dry_run,
        telemetry=diagnostics.telemetry,
        stage_timing=diagnostics.stage_timing,
        jax_trace_dir=diagnostics.jax_trace_dir,
        jax_memory_profile=diagnostics.jax_memory_profile,
    )


def plan_kernels(config: RunConfig) -> KernelConfigs:
    """Each kernel's own config from its section."""
    lanes = resolve_auto("binary.firth_batch_size", config.binary.firth_batch_size, config.compute.device)
    return KernelConfigs(
        genotype=GenotypeConfig(**config.genotype.model_dump()),
        probability=ProbabilityConfig(**config.probability.model_dump()),
        basis=BasisConfig(**config.basis.model_dump()),
        linear=LinearConfig(**config.linear.model_dump()),
        score=ScoreConfig(**config.score.model_dump()),
        logistic_null=LogisticNullConfig(**config.logistic_null.model_dump()),
        firth_null=FirthNullConfig(**config.firth_null.model_dump()),
        firth_approximate=FirthApproximateConfig(lanes=lanes, **config.firth_approximate.model_dump()),
        firth_exact=FirthExactConfig(lanes=lanes, **config.firth_exact.model_dump()),
        saddlepoint=SaddlepointConfig(lanes=lanes, **config.saddlepoint.model_dump()),
    )


def resolve_auto(path: str, value: int | str, device: Device) -> int:
    """A number, or what the table says ``auto`` means on this device.

    Raises:
        ValueError: the table has no number for it; a test plans both devices.
    """
    if isinstance(value, int):
        return value
    option = options.options_by_path()[path]
    automatic = option.auto_gpu if device is Device.GPU else option.auto_cpu
    if automatic is None:
        raise ValueError(f"default.toml: {path} has no automatic value for {device}")
    return automatic


def number_or_none(value: int | str) -> int | None:
    """None where the engine decides."""
    return value if isinstance(value, int) else None
