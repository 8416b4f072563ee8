"""Input tables: samples, traits, covariates and predictions, joined into one aligned, frozen AnalysisSet.

Belongs here: what rows of different files mean to each other. Does not belong here: parsing bytes (rust/tables,
rust/bgen) and statistics (g_core/kernels).
"""
