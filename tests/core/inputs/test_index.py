"""Where each fault of an input file, and each report from users of neighbouring programs, has its test.

Belongs here: the two tables, from what a reader knows (the fault, the report's number) to the test, and the check that
the tests are there. Does not belong here: any other test.
"""

import ast
import functools
import re
from pathlib import Path

import pytest

from g_core.results.schema import COLUMNS

REPOSITORY = Path(__file__).resolve().parents[3]

INPUTS = "tests/core/inputs/"
MESSAGES = "tests/core/test_tables_messages.py"
READERS = "tests/core/test_tables_sample_and_predictions.py"
COVARIATES = INPUTS + "test_covariates.py"
PREDICTIONS = INPUTS + "test_predictions.py"
SAMPLES = INPUTS + "test_samples.py"
TRAITS = INPUTS + "test_traits.py"
VARIANTS = INPUTS + "test_variants.py"
FIELD_TABLES = "tests/end_to_end/test_field_reports_tables.py"
FIELD_MODELS = "tests/end_to_end/test_field_reports_models.py"
FIELD_JAX = "tests/end_to_end/test_field_reports_jax.py"
FIELD_DAGSTER = "tests/end_to_end/test_field_reports_dagster.py"
LOCATION = "tests/assets/defs/test_code_location.py"
MATRIX_RUN = "tests/assets/defs/test_matrix_run.py"
METADATA = "tests/assets/defs/test_metadata.py"
SCHEDULES = "tests/assets/defs/test_schedules.py"
JOB_ADOPTION = "tests/slurm/test_adoption.py"
JOB_ENDS = "tests/slurm/test_ends.py"
JOB_MODES = "tests/slurm/test_modes.py"
JOB_SERVICES = "tests/slurm/test_services.py"
PROPERTIES = "tests/core/engine/test_properties.py"

FAULTS: dict[str, tuple[str, ...]] = {
    "CRLF line ends": (
        f"{MESSAGES}::test_what_a_table_may_look_like",
        f"{READERS}::test_sex_is_the_fourth_field",
        f"{READERS}::test_a_path_of_the_prediction_list_may_hold_anything",
        f"{READERS}::test_loco_rows_are_known_by_their_label",
        f"{READERS}::test_variant_lists",
        f"{READERS}::test_sample_lists",
        f"{FIELD_TABLES}::test_c1_line_ends_of_windows_change_nothing",
    ),
    "header #FID IID": (f"{MESSAGES}::test_what_a_table_may_look_like",),
    "header with IID only": (f"{MESSAGES}::test_a_header_without_fid_and_iid",),
    "byte order mark": (
        f"{MESSAGES}::test_what_a_table_may_look_like",
        f"{READERS}::test_a_path_of_the_prediction_list_may_hold_anything",
    ),
    "row one field short or long": (
        f"{MESSAGES}::test_a_row_of_another_length",
        f"{READERS}::test_wrong_samples_are_told_together",
        f"{READERS}::test_wrong_loco_rows_are_told_together",
    ),
    "trailing tab": (f"{MESSAGES}::test_what_a_table_may_look_like", f"{READERS}::test_sample_lists"),
    "duplicate identifiers": (
        f"{MESSAGES}::test_a_person_twice",
        f"{READERS}::test_wrong_samples_are_told_together",
        f"{READERS}::test_wrong_loco_rows_are_told_together",
        f"{SAMPLES}::test_identifiers_that_the_bgen_repeats_are_refused",
    ),
    "duplicate name in a header": (f"{MESSAGES}::test_a_name_twice_in_the_header",),
    "text in a numeric covariate": (
        f"{MESSAGES}::test_a_cell_that_is_no_number",
        f"{COVARIATES}::test_text_in_a_numeric_covariate_is_refused_with_its_place",
    ),
    "more levels than --maxCatLevels": (f"{COVARIATES}::test_too_many_levels_are_refused_by_name",),
    "floats for identifiers": (
        f"{SAMPLES}::test_identifiers_written_as_floats_are_pointed_out",
        f"{SAMPLES}::test_a_sample_file_with_floats_for_identifiers_is_pointed_out",
        f"{SAMPLES}::test_rows_that_miss_for_a_float_alone_are_noted_with_their_lines",
    ),
    "blank inside an identifier": (
        f"{MESSAGES}::test_a_row_of_another_length",
        f"{MESSAGES}::test_a_blank_in_an_id_of_a_tab_separated_table",
        f"{MESSAGES}::test_a_blank_in_an_id_cannot_hide_behind_an_empty_cell",
        f"{READERS}::test_wrong_samples_are_told_together",
        f"{READERS}::test_wrong_lines_of_a_sample_list_are_told_together",
    ),
    "identifiers that join to one FID_IID": (
        f"{SAMPLES}::test_different_samples_that_join_to_one_key_are_refused",
        f"{SAMPLES}::test_rows_of_a_table_that_join_to_one_key_are_refused",
        f"{SAMPLES}::test_a_row_whose_key_is_another_persons_is_refused",
    ),
    "LOCO header": (f"{READERS}::test_a_loco_file_with_another_header",),
    "LOCO row short": (
        f"{READERS}::test_wrong_loco_rows_are_told_together",
        f"{READERS}::test_a_short_golden_loco_row_is_refused",
    ),
    "LOCO file without a chromosome": (
        f"{PREDICTIONS}::test_a_missing_chromosome_fails_the_trait_and_names_the_rows_that_are_there",
    ),
    "LOCO value NA": (
        f"{PREDICTIONS}::test_only_the_first_row_masks",
        f"{PREDICTIONS}::test_samples_without_a_prediction_are_masked_for_that_trait_alone",
    ),
    "relative LOCO path": (
        f"{PREDICTIONS}::test_a_relative_path_is_tried_from_here_and_then_from_the_list",
        f"{PREDICTIONS}::test_a_path_that_means_two_different_files_is_refused",
    ),
    "paths with blanks and non-ASCII letters": (
        f"{MESSAGES}::test_letters_of_any_script_in_ids_and_paths",
        f"{FIELD_TABLES}::test_d8_d1_paths_with_blanks_and_letters_of_any_script_and_a_path_from_the_lists_folder",
    ),
    "chromosome labels": (
        f"{VARIANTS}::test_labels_and_codes",
        f"{FIELD_TABLES}::test_b1_labels_are_kept_in_the_rows_and_are_numbers_in_the_text",
        f"{FIELD_TABLES}::test_b1_b2_an_unknown_label_is_named_with_its_variant_and_can_be_left_out",
    ),
}

REPORTS: dict[str, tuple[str, ...]] = {
    "B1": (
        f"{FIELD_TABLES}::test_b1_labels_are_kept_in_the_rows_and_are_numbers_in_the_text",
        f"{FIELD_TABLES}::test_b1_b2_an_unknown_label_is_named_with_its_variant_and_can_be_left_out",
    ),
    "B2": (f"{FIELD_TABLES}::test_b1_b2_an_unknown_label_is_named_with_its_variant_and_can_be_left_out",),
    "B4": (
        f"{FIELD_TABLES}::test_b4_every_label_of_x_takes_row_23_and_the_rows_present_are_told_without_it",
        f"{FIELD_TABLES}::test_b4_a_row_labelled_x_is_row_23",
    ),
    "B5": (f"{FIELD_TABLES}::test_b5_an_empty_label_is_no_chromosome",),
    "C1": (f"{FIELD_TABLES}::test_c1_line_ends_of_windows_change_nothing",),
    "C2": (f"{MESSAGES}::test_what_a_table_may_look_like", f"{MESSAGES}::test_a_cell_that_is_no_number"),
    "C4": (
        f"{MESSAGES}::test_what_a_table_may_look_like",
        f"{MESSAGES}::test_fused_names_show_as_a_count",
        f"{MESSAGES}::test_a_cell_that_is_no_number",
    ),
    "C5": (
        f"{MESSAGES}::test_a_cell_that_is_no_number",
        f"{COVARIATES}::test_text_in_a_numeric_covariate_is_refused_with_its_place",
    ),
    "C7": (
        f"{FIELD_TABLES}::test_c7_kept_and_dropped_are_printed_for_every_reason",
        f"{SAMPLES}::test_rows_that_miss_for_a_float_alone_are_noted_with_their_lines",
    ),
    "C8": (
        f"{TRAITS}::test_binary_traits_become_zero_and_one",
        f"{TRAITS}::test_bad_codes_are_told_together_with_the_first_line",
        f"{TRAITS}::test_a_column_without_cases_and_controls_is_a_bad_trait",
    ),
    "C10": (f"{TRAITS}::test_the_type_comes_from_the_option_never_from_the_values",),
    "C11": (
        f"{FIELD_MODELS}::test_c11_e16_a_trait_that_a_covariate_gives_away_has_no_statistic_and_is_named_with_it",
        f"{FIELD_MODELS}::test_c11_a_case_status_that_a_covariate_gives_away_is_named_and_has_no_strong_row",
    ),
    "C13": (
        f"{COVARIATES}::test_sound_covariates_of_different_scale_say_nothing",
        f"{COVARIATES}::test_age_in_days_beside_an_intercept_is_sound_for_a_hundred_thousand_people",
        f"{PROPERTIES}::test_shifting_and_scaling_a_covariate_changes_nothing",
    ),
    "C14": (f"{PROPERTIES}::test_shifting_and_scaling_a_covariate_changes_nothing",),
    "C16": (f"{FIELD_TABLES}::test_c16_a_binary_trait_among_quantitative_ones_fails_alone_with_the_remedy",),
    "C17": (
        f"{TRAITS}::test_minus_nine_is_missing_in_a_binary_trait",
        f"{TRAITS}::test_a_column_without_cases_and_controls_is_a_bad_trait",
    ),
    "C19": (f"{MESSAGES}::test_what_a_table_may_look_like", f"{MESSAGES}::test_a_header_without_fid_and_iid"),
    "C20": (f"{PROPERTIES}::test_a_trait_alone_equals_the_trait_among_others",),
    "C22": (
        f"{MESSAGES}::test_a_person_twice",
        f"{READERS}::test_wrong_samples_are_told_together",
        f"{READERS}::test_wrong_loco_rows_are_told_together",
    ),
    "C23": (f"{FIELD_TABLES}::test_c23_one_file_for_phenotypes_and_covariates",),
    "D1": (
        f"{READERS}::test_a_loco_file_with_another_header",
        f"{PREDICTIONS}::test_a_relative_path_is_tried_from_here_and_then_from_the_list",
    ),
    "D2": (
        f"{READERS}::test_a_path_of_the_prediction_list_may_hold_anything",
        f"{READERS}::test_wrong_lines_of_the_prediction_list_are_told_together",
    ),
    "D4": (f"{FIELD_TABLES}::test_d4_all_traits_without_overlap_are_told_in_one_go",),
    "D5": (f"{FIELD_TABLES}::test_d5_a_missing_prediction_of_an_analysed_sample_fails_its_trait_before_any_work",),
    "D7": (
        f"{FIELD_TABLES}::test_d7_a_list_that_is_no_file_is_named",
        f"{PREDICTIONS}::test_a_listed_path_that_is_no_file_is_named_with_its_line",
        f"{MESSAGES}::test_a_path_that_cannot_be_read_is_always_named",
    ),
    "D8": (f"{FIELD_TABLES}::test_d8_d1_paths_with_blanks_and_letters_of_any_script_and_a_path_from_the_lists_folder",),
    "D10": (f"{PREDICTIONS}::test_identifiers_with_underscores_are_found_by_the_whole_key",),
    "E1": (f"{FIELD_MODELS}::test_e1_e11_a_trait_without_cases_and_one_of_twelve_do_not_stop_the_third",),
    "E2": (f"{FIELD_MODELS}::test_e2_carriers_who_are_all_cases_get_a_finite_estimate",),
    "E4": (f"{FIELD_MODELS}::test_e4_variants_without_variation_are_nulls_with_a_reason_and_never_the_text_nan",),
    "E5": (f"{FIELD_MODELS}::test_e5_a_covariate_that_nearly_separates_gives_plausible_numbers",),
    "E7": (f"{INPUTS}test_index.py::test_e7_log10p_is_said_to_be_minus_log10_of_p",),
    "E8": (
        f"{COVARIATES}::test_an_unbalanced_trait_without_correction_is_a_warning",
        f"{FIELD_MODELS}::test_e8_an_unbalanced_trait_without_correction_is_a_note_and_with_one_is_none",
    ),
    "E10": (
        f"{FIELD_MODELS}::test_e10_a_filter_that_leaves_nothing_is_no_success",
        f"{FIELD_MODELS}::test_e10_allele_counts_are_of_the_analysed_samples",
    ),
    "E11": (f"{FIELD_MODELS}::test_e1_e11_a_trait_without_cases_and_one_of_twelve_do_not_stop_the_third",),
    "E13": (f"{FIELD_MODELS}::test_e13_every_variant_above_the_threshold_is_corrected_however_many",),
    "E14": (
        f"{FIELD_MODELS}::test_e14_a_constant_offset_of_3_is_harmless",
        f"{PROPERTIES}::test_a_constant_prediction_is_harmless",
    ),
    "E16": (f"{FIELD_MODELS}::test_c11_e16_a_trait_that_a_covariate_gives_away_has_no_statistic_and_is_named_with_it",),
    "G1": (f"{FIELD_JAX}::test_g1_a_second_process_finds_every_kernel_and_a_cache_that_gave_nothing_is_told",),
    "G2": (f"{FIELD_JAX}::test_g2_a_shared_folder_keeps_the_kernels_of_each_kind_of_node_apart",),
    "G5": (f"{FIELD_JAX}::test_g5_every_product_asks_for_full_precision",),
    "G7": (f"{FIELD_JAX}::test_g7_each_kernel_compiles_once_whatever_the_chunks_traits_and_candidates",),
    "G8": (f"{FIELD_JAX}::test_g8_a_program_is_no_longer_for_more_samples",),
    "I1": (
        f"{JOB_SERVICES}::test_terminate_ends_jobs_and_their_whole_process_trees_within_ten_seconds",
        f"{JOB_SERVICES}::test_webserver_and_daemon_may_restart",
        f"{JOB_SERVICES}::test_a_code_server_that_restarts_with_its_runs_leaves_the_jobs",
    ),
    "I2": (
        f"{JOB_SERVICES}::test_terminate_ends_jobs_and_their_whole_process_trees_within_ten_seconds",
        f"{JOB_SERVICES}::test_a_killed_run_leaves_its_jobs_and_its_repetition_takes_both",
    ),
    "I4": (
        f"{FIELD_DAGSTER}::test_i4_i11_runs_are_watched_and_no_logger_is_managed",
        f"{JOB_SERVICES}::test_a_killed_run_leaves_its_jobs_and_its_repetition_takes_both",
    ),
    "I5": (
        f"{JOB_ENDS}::test_cancelled_by_somebody_else",
        f"{JOB_ENDS}::test_over_its_memory_the_kernels_way",
        f"{JOB_ENDS}::test_over_its_time",
        f"{JOB_ENDS}::test_a_node_that_goes_down",
        f"{JOB_ENDS}::test_preempted_where_no_requeue_is_allowed",
    ),
    "I7": (f"{JOB_MODES}::test_facts_of_the_job_are_recorded_apart_from_the_work",),
    "I8": (
        f"{JOB_ADOPTION}::test_two_steps_at_once_share_nothing",
        f"{MATRIX_RUN}::test_the_run_id_is_in_every_path",
    ),
    "I10": (f"{FIELD_DAGSTER}::test_i10_runs_at_once_on_one_home_do_not_lock_each_other_out",),
    "I11": (
        f"{FIELD_DAGSTER}::test_i4_i11_runs_are_watched_and_no_logger_is_managed",
        f"{FIELD_DAGSTER}::test_i11_i22_it_loads_in_an_empty_home_without_any_data",
    ),
    "I13": (f"{SCHEDULES}::test_it_is_stopped_until_somebody_starts_it_and_runs_in_utc",),
    "I14": (f"{SCHEDULES}::test_one_run_a_date_over_the_default_dataset",),
    "I16": (f"{METADATA}::test_a_number_that_is_not_finite_becomes_text",),
    "I17": (f"{METADATA}::test_more_numbers_than_dagster_plots_are_refused",),
    "I19": (
        f"{JOB_MODES}::test_quick_payloads_lose_nothing",
        f"{JOB_MODES}::test_a_hundred_megabytes_of_output_are_kept_whole",
    ),
    "I20": (f"{MATRIX_RUN}::test_a_cell_shows_its_numbers",),
    "I22": (
        f"{LOCATION}::test_the_code_location_imports_nothing_heavy",
        f"{FIELD_DAGSTER}::test_i11_i22_it_loads_in_an_empty_home_without_any_data",
    ),
    "I23": (f"{FIELD_DAGSTER}::test_i23_a_broken_code_location_is_told_with_its_file_and_line",),
    "I25": (
        f"{FIELD_DAGSTER}::test_i25_a_home_that_is_no_folder_is_refused",
        f"{FIELD_DAGSTER}::test_i25_a_run_without_a_home_says_that_nobody_will_remember_it",
    ),
    "I26": (f"{FIELD_DAGSTER}::test_i26_the_snapshot_of_the_definitions_is_small",),
}


@functools.cache
def defined_in(file: str) -> frozenset[str]:
    """Names of the tests in a file."""
    tree = ast.parse((REPOSITORY / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("subject", [*FAULTS, *REPORTS])
def test_every_named_test_is_there(subject: str) -> None:
    for test in (FAULTS | REPORTS)[subject]:
        file, name = test.split("::")
        assert name in defined_in(file), f"{file} has no {name}"


def test_e7_log10p_is_said_to_be_minus_log10_of_p() -> None:
    (column,) = (column for column in COLUMNS if column.name == "LOG10P")
    assert column.meaning.startswith("minus log10 of the p-value")


def test_the_modules_and_tests_that_the_algorithm_page_names_are_there() -> None:
    page = (REPOSITORY / "docs" / "algorithm.md").read_text(encoding="utf-8")
    files = re.findall(r"`((?:g_core|tests|rust)/[^`]+)`", page)
    assert len(files) > 30
    for file in files:
        assert (REPOSITORY / file).is_file(), file
    defined = {name for file in files if file.startswith("tests/") for name in defined_in(file)}
    for name in re.findall(r"`(test_\w+)`", page):
        assert name in defined, name
