# `make demo` and `make test` work on a fresh machine with python3, pip and make.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: help demo test coverage check lint types layers benchmarks format clean
.DEFAULT_GOAL := help

help:  ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

.venv/user: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

.venv/dev: .venv/user
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

demo: .venv/user  ## set up and run the main job
	$(BIN)/rankwright demo --force

test: .venv/dev  ## set up and run the tests
	$(BIN)/pytest -q -n 2 --dist loadgroup

coverage: .venv/dev  ## the tests again, and which lines they miss
	$(BIN)/pytest -q -n 2 --dist loadgroup --cov --cov-report=term:skip-covered

lint: .venv/dev  ## style and format
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: .venv/dev  ## static types
	$(BIN)/mypy

layers: .venv/dev  ## imports go downward only
	$(BIN)/lint-imports

benchmarks: .venv/dev  ## quick benchmarks: results agree with the peers
	$(BIN)/python -m benchmarks --quick

check: lint types layers test benchmarks  ## everything CI checks

format: .venv/dev  ## rewrite to the house format
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean:  ## remove the environment and caches
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -prune -exec rm -rf {} +
