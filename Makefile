# `make demo` and `make test` work on a fresh machine with python3, pip and make.
PYTHON ?= python3
BIN := .venv/bin
WORKERS ?= 2
# Threads of the peers that have nothing to do sleep, rather than take a core from those that have.
OMP_WAIT_POLICY ?= passive
export OMP_WAIT_POLICY

.PHONY: help demo studio warm test coverage check lint types layers benchmarks docs wheel format clean
.DEFAULT_GOAL := help

help:  ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

.venv/user: pyproject.toml constraints.txt
	@echo "Installing into .venv: a minute or two, quiet until it is done."
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

.venv/studio: .venv/user
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[studio]'
	@touch $@

.venv/dev: .venv/user
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

.venv/docs: .venv/user
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	@touch $@

demo: .venv/user  ## set up and run the main job
	$(BIN)/rankwright demo --force

warm: .venv/user  ## compile everything ahead, so that no first fit waits
	$(BIN)/rankwright warm-up

studio: .venv/studio  ## set up and open the studio, a local web page
	$(BIN)/rankwright studio

test: .venv/dev  ## set up and run the tests
	$(BIN)/rankwright warm-up
	$(BIN)/pytest -q -n $(WORKERS) --dist loadgroup

coverage: .venv/dev  ## the tests again, and which lines they miss
	$(BIN)/pytest -q -n $(WORKERS) --dist loadgroup --cov --cov-report=term:skip-covered

lint: .venv/dev  ## style and format
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: .venv/dev  ## static types
	$(BIN)/mypy

layers: .venv/dev  ## imports go downward only
	$(BIN)/lint-imports

benchmarks: .venv/dev  ## quick benchmarks: results agree with the peers
	$(BIN)/python -m benchmarks --quick

docs: .venv/docs  ## build the site into build/site; needs no network
	$(BIN)/python docs/assemble.py build/docs
	$(BIN)/zensical build --clean --strict

wheel: .venv/docs  ## build the wheel and the source distribution into dist
	$(BIN)/python -m build

check: lint types layers test benchmarks  ## everything CI checks

format: .venv/dev  ## rewrite to the house format
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean:  ## remove the environment and caches
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache build dist .cache
	find . -name __pycache__ -prune -exec rm -rf {} +
