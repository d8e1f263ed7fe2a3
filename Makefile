# Everything runs in .venv, which this file makes from the locks: python3 is enough.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install -qq
# It installs the rest, in a third of the time. Compiled is what is used, at its first use.
UV := $(BIN)/uv pip install --quiet --system-certs --python $(BIN)/python
# Three for two cores: some tests wait for processes that they have started.
WORKERS ?= 3

# Without its cache of compiled files every start takes two to three times longer.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help install install-dev serve test test-browser check bench arena proof lock clean

help:
	@echo "make serve         play at http://127.0.0.1:8000 (KINGUP_HOME, KINGUP_PORT)"
	@echo "make test          unit, service and journey tests"
	@echo "make test-browser  tests that need Chromium"
	@echo "make check         style, types, layers, published contract"
	@echo "make lint-contract  linters and TypeScript on the contract (needs node)"
	@echo "make bench         speed, as ratios to bare endpoints"
	@echo "make arena         bots against bots: who wins how often (GAMES, PLAYOUTS)"
	@echo "make proof         the long proofs, with figures (needs node, go, java)"
	@echo "make pictures      the README's pictures anew (needs Chromium)"
	@echo "make lock          pin the newest allowed dependencies"

.venv/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Kingup needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Choose one: make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
	@touch $@

.venv/uv: requirements-uv.lock | .venv/python
	$(PIP) --require-hashes -r requirements-uv.lock
	@touch $@

.venv/runtime: requirements.lock pyproject.toml .venv/uv
	@echo "Installing Kingup into .venv ..."
	$(UV) --require-hashes -r requirements.lock
	$(UV) --no-deps --no-build-isolation --editable .
	@touch $@

.venv/dev: requirements-dev.lock .venv/runtime
	@echo "Installing what the tests need into .venv ..."
	$(UV) --require-hashes -r requirements-dev.lock
	@touch $@

install: .venv/runtime

install-dev: .venv/dev

serve: .venv/runtime
	@exec $(BIN)/kingup serve

test: .venv/dev
	$(BIN)/pytest -n $(WORKERS) --dist worksteal --ignore tests/browser --ignore tests/proof

# Pytest's 5 says that no test was found.
test-browser: .venv/dev
	$(BIN)/pytest tests/browser -m browser || [ $$? -eq 5 ]

check: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -q --noconftest tests/service/models/test_revisions.py
	$(BIN)/kingup openapi | diff -u openapi.yaml - || { echo "openapi.yaml is not what the code says: make openapi.yaml"; exit 1; }
	$(BIN)/openapi-spec-validator openapi.yaml

# What the JavaScript world makes of the contract; needs node, and its packages once.
# Every other rule is an error. Health can't be asked for wrongly: it promises no 4xx.
.PHONY: lint-contract
lint-contract:
	npx --yes @redocly/cli@2 lint --extends recommended-strict --skip-rule operation-4xx-response openapi.yaml
	mkdir -p .contract
	echo 'extends: ["spectral:oas"]' > .contract/rules.yaml
	npx --yes @stoplight/spectral-cli@6 lint --fail-severity warn -r .contract/rules.yaml openapi.yaml
	npx --yes openapi-typescript@7 openapi.yaml --output .contract/kingup.d.ts
	npx --yes --package typescript@5 tsc --noEmit --strict .contract/kingup.d.ts
	rm -r .contract

# The pieces that castles in mails are put together from: painted anew where they changed.
.PHONY: tiles
tiles: .venv/dev
	$(BIN)/python -m service.commands.tile_painting

# What the README shows: pages of a practice game that is played for it; needs Chromium.
.PHONY: pictures
pictures: .venv/dev
	$(BIN)/python -m tests.browser.pictures

.PHONY: openapi.yaml
openapi.yaml: .venv/dev
	$(BIN)/kingup openapi > $@.new
	mv $@.new $@

bench: .venv/dev
	$(BIN)/python -m tests.bench

# PLAYOUTS=0 leaves shrewd its own budget.
GAMES ?= 400
PLAYOUTS ?= 0
arena: .venv/dev
	$(BIN)/python -m tests.bench.arena --games $(GAMES) --playouts $(PLAYOUTS)

proof: .venv/dev
	$(BIN)/pytest -m proof -s

# The locks hold for every Python from 3.11 on, and name no place to fetch from.
LOCK := $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate --no-header
lock: .venv/uv
	$(LOCK) pyproject.toml --extra build -o requirements.lock
	$(LOCK) pyproject.toml --extra build --extra dev -c requirements.lock -o requirements-dev.lock
	echo uv | $(LOCK) - -o requirements-uv.lock

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache *.egg-info
