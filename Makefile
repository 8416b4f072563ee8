# The whole developer interface. `make help` lists it; two commands matter: `make demo` and `make test`.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.SUFFIXES:
.DELETE_ON_ERROR:

# Python caches its bytecode even where the environment says no: importing JAX takes 1 s with the cache and 5 s without,
# and every cell of the matrix is a fresh process.
unexport PYTHONDONTWRITEBYTECODE

PYTHON_HOST ?= python3
VENV := .venv
PYTHON := $(VENV)/bin/python
STAMPS := $(VENV)/.stamps
UV := $(shell command -v uv 2>/dev/null)

# One spelling of "install" for both installers. Both byte-compile: see above.
ifneq ($(UV),)
INSTALL := uv pip install --quiet --python $(PYTHON) --compile-bytecode --constraint constraints.txt
else
INSTALL := $(PYTHON) -m pip install --quiet --disable-pip-version-check --no-input --constraint constraints.txt
endif

RUST_SOURCES := Cargo.toml Cargo.lock $(shell find rust -name '*.rs' -o -name Cargo.toml)
# The binding crate links against Python only when Python loads it; its tests are tests/core/test_native_*.py.
RUST_CRATES := --workspace --exclude g-native
ARTIFACTS := $(or $(GWAS_ENGINE_ARTIFACT_DIR),artifacts)
UI_PORT ?= 3000
FUZZ_SECONDS ?= 600
DAGSTER_COMMAND := $(VENV)/bin/dagster asset materialize --select group:matrix --partition sim_chr22 -m g_assets.definitions
PYTEST := $(PYTHON) -m pytest --numprocesses 2 --dist loadfile
QUICK := not slow and not root and not slurm

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# ---------------------------------------------------------------------------------------------------- set-up

.PHONY: setup
setup: $(STAMPS)/package ## Make .venv, install everything, build the native module (nothing to do: under a second)

# venv, a current installer (the stock pip knows no dependency groups) and maturin: what the next two steps need.
$(STAMPS)/installer:
	@echo "== setup: virtual environment"
	@$(PYTHON_HOST) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON_HOST=python3.12 ...")'
	@command -v cargo >/dev/null || { echo "A Rust toolchain (cargo, rustc) is needed: see README.md" >&2; exit 1; }
	@$(PYTHON_HOST) -m venv $(VENV)
ifeq ($(UV),)
	@$(INSTALL) --upgrade pip
endif
	@$(INSTALL) --group build
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/dependencies: $(STAMPS)/installer pyproject.toml constraints.txt
	@echo "== setup: Python packages (beside the Rust build)"
	@$(PYTHON) -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"], sep="\n")' \
	  > $(STAMPS)/requirements.txt
	@$(INSTALL) --requirement $(STAMPS)/requirements.txt --group lab --group test --group check
	@touch $@

$(STAMPS)/native: $(STAMPS)/installer $(RUST_SOURCES)
	@echo "== setup: native module (release)"
	@$(VENV)/bin/maturin develop --release --skip-install --quiet
	@touch $@

# The two slow halves of a first set-up share nothing, so they run side by side; the recursion is for `-j` alone.
# The editable install comes last and finds the module built: cargo has nothing left to do.
$(STAMPS)/package: $(STAMPS)/installer $(RUST_SOURCES) pyproject.toml constraints.txt
	@$(MAKE) --no-print-directory --jobs 2 $(STAMPS)/dependencies $(STAMPS)/native
	@echo "== setup: the g command"
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

.PHONY: native
native: $(STAMPS)/installer ## Rebuild the native module only (release)
	@$(VENV)/bin/maturin develop --release --skip-install
	@mkdir -p $(STAMPS) && touch $(STAMPS)/native

.PHONY: constraints
constraints: setup ## Write constraints.txt anew from pyproject.toml (needs uv); review the difference
	@$(if $(UV),,$(error make constraints needs uv))uv pip compile pyproject.toml --group lab --group test --group check --group build \
	  --universal --python-version 3.11 --upgrade --no-annotate --no-header --quiet \
	  | grep -v "sys_platform == 'win32'" | sed "s/ ; platform_python_implementation .*//" > constraints.new
	@mv constraints.new constraints.txt

# ---------------------------------------------------------------------------------------------------- use

.PHONY: demo
demo: setup ## Simulate a dataset, run the matrix over it through Dagster, show the report (again: compare with the last)
	@# A failed cell fails the run but not the report: that is when it is read.
	@echo "$(DAGSTER_COMMAND)"; status=0; DAGSTER_HOME=$(CURDIR)/dagster_home $(DAGSTER_COMMAND) || status=$$?; \
	$(PYTHON) -m g_assets.reports.show $(ARTIFACTS); \
	echo "Web UI: make ui, then http://127.0.0.1:$(UI_PORT)"; \
	exit $$status

.PHONY: ui
ui: setup ## Dagster's web UI and daemon on loopback, port 3000 (UI_PORT=...); Ctrl-C ends both
	@# A shell's background job ignores SIGINT, and Dagster would then ignore SIGTERM too.
	@env --default-signal=INT,QUIT DAGSTER_HOME=$(CURDIR)/dagster_home \
	  $(VENV)/bin/dagster dev --workspace workspace.yaml --host 127.0.0.1 --port $(UI_PORT)

.PHONY: parity
parity: setup ## Compare the engine with REGENIE's own results (G_GOLDEN_DIR, by default ../shared/golden)
	$(PYTHON) -m g_assets.parity "$${G_GOLDEN_DIR:-../shared/golden}"

.PHONY: bench
bench: setup ## Measure scans, floors, start-up, memory, scaling and peers in one table (BENCH="--small", "--full")
	@$(PYTHON) -m g_assets.benchmarks $(BENCH)

.PHONY: slurm-run
slurm-run: setup ## Run CMD='...' on a node of the cluster MACHINE=..., and bring back log and status (SLURM_RUN="--gpu")
	@$(PYTHON) -m g_assets.slurm.run_command $(SLURM_RUN) '$(or $(MACHINE),$(GWAS_ENGINE_MACHINE))' "$$CMD"

# ---------------------------------------------------------------------------------------------------- tests

.PHONY: test
test: setup test-rust ## Every quick test that needs no root and no SLURM
	$(PYTEST) -m "$(QUICK)"

.PHONY: test-all
test-all: setup test-rust ## The slow tests too; those that need root or a SLURM cluster run where they can
	$(PYTEST)

.PHONY: test-rust
test-rust: ## Unit and property tests of the Rust crates
	@if cargo nextest --version >/dev/null 2>&1; \
	then cargo nextest run $(RUST_CRATES); \
	else cargo test $(RUST_CRATES) --quiet; fi

.PHONY: fuzz
fuzz: ## Throw damaged BGEN files at the reader (FUZZ_SECONDS=600); a file that breaks it stays as fuzz-failure.bgen
	cargo run --quiet --release -p g-bgen --example fuzz -- $(FUZZ_SECONDS)

.PHONY: check
check: setup ## Lints, types, import contracts, guards, documentation links
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/pyright
	$(VENV)/bin/lint-imports
	$(PYTHON) -m g_assets.guards
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --quiet -- -D warnings

.PHONY: clean
clean: ## Remove what is built (not the virtual environment, not results)
	@rm -rf target dist g_core/_native.*.so .pytest_cache .ruff_cache .import_linter_cache
	@rm -f $(STAMPS)/native $(STAMPS)/package
