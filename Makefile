# Everything runs in .venv, which this file makes from the locks: python3 is enough.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install -qq
WORKERS ?= 2

# Without its cache of compiled files every start takes two to three times longer.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help install install-dev serve test test-browser check bench proof lock clean

help:
	@echo "make serve         play at http://127.0.0.1:8000 (KINGUP_HOME, KINGUP_PORT)"
	@echo "make test          unit, service and journey tests"
	@echo "make test-browser  tests that need Chromium"
	@echo "make check         style, types, layers, published contract"
	@echo "make bench         speed, as ratios to bare endpoints"
	@echo "make proof         the long proofs, with figures"
	@echo "make lock          pin the newest allowed dependencies"

.venv/python: 
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Kingup needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Choose one: make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
	@touch $@

.venv/runtime: requirements.lock pyproject.toml | .venv/python
	@echo "Installing Kingup into .venv ..."
	$(PIP) --require-hashes -r requirements.lock
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

.venv/dev: requirements-dev.lock .venv/runtime
	@echo "Installing what the tests need into .venv ..."
	$(PIP) --require-hashes -r requirements-dev.lock
	@touch $@

install: .venv/runtime

install-dev: .venv/dev

serve: .venv/runtime
	@exec $(BIN)/kingup serve

