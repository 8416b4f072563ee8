"""The engine: association statistics over BGEN files. Knows no Dagster; import the submodule you need."""
