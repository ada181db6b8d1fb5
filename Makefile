# Everything a contributor runs. Each target makes what it needs: Python 3.11+ and make are enough.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# One more than there are processors: some tests wait for processes of their own.
WORKERS = $$($(BIN)/python -c 'import os; print(1 + (os.cpu_count() or 1))')
PIP := $(BIN)/python -m pip --disable-pip-version-check
SITE := -c 'import sysconfig; print(sysconfig.get_path("purelib"))'

# What is installed is what is tested, whatever the caller's shell has set; modules are compiled once, not in every process.
unexport PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.NOTPARALLEL:
.SUFFIXES:
.PHONY: help demo test lint bridge bench docs clean

help: ## show this list
	@sed -n 's/^\([a-z]*\):.*## /make \1\t/p' Makefile | expand -t 14

demo: $(VENV)/.installed-all ## see each technique find something; writes everycase-demo.html
	$(BIN)/python -m everycase demo --html everycase-demo.html

test: $(VENV)/.installed-dev ## run the tests
	$(BIN)/python -m pytest -n $(WORKERS) --durations=10 --durations-min=5

lint: $(VENV)/.installed-dev ## ruff and mypy --strict
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# An environment of its own for Hypothesis; the rest comes from the one above, which is read after it.
bridge: $(VENV)/.installed-dev ## test the bridge on the oldest Hypothesis that is supported
	$(PYTHON) -m venv $(VENV)-floor
	$(VENV)-floor/bin/python -m pip --disable-pip-version-check install --quiet --no-compile 'hypothesis==6.140.0'
	echo "import site; site.addsitedir('$$($(BIN)/python $(SITE))')" > "$$($(VENV)-floor/bin/python $(SITE))/rest.pth"
	$(VENV)-floor/bin/python -m pytest -n $(WORKERS) tests/bridges/hypothesis

bench: $(VENV)/.installed-dev ## run the benchmarks, one table each
	@set -e; for file in $$(grep -l __main__ benchmarks/*.py); do echo "== $$file"; $(BIN)/python "$$file"; done

docs: $(VENV)/.installed-docs ## build the documentation into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

clean: ## remove what the other targets made
	rm -rf $(VENV) $(VENV)-floor site build dist .everycase .mypy_cache .pytest_cache .ruff_cache everycase-demo.html

# One stamp per extra, newer than pyproject.toml once that extra is installed.
$(VENV)/.installed-%: pyproject.toml | $(BIN)/python
	$(PIP) install --quiet --editable '.[$*]'
	@touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("everycase needs Python 3.11 or newer, and $(PYTHON) is %d.%d: make PYTHON=python3.11 ..." % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
