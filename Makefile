# Everything is installed into .venv, by hash, from the locks in requirements/.

PYTHON ?= python3
JOBS ?= 2
VENV := .venv
BIN := $(VENV)/bin
OPS := $(VENV)/ops/bin
PIP_INSTALL := $(BIN)/python -m pip --disable-pip-version-check --quiet --quiet install
# A service that is given a Redis needs no Valkey of its own.
RUN_LOCK := $(if $(REDIS_URL),run,embedded)
# What needs more than Python is run by `make ci`.
PYTHON_ONLY := --ignore tests/ci --ignore tests/image --ignore tests/k8s

export PYTHONPATH := .:clients/python

.DEFAULT_GOAL := help
.PHONY: help run test check openapi openapi-lint openapi-diff clients web screenshots bench bench-engine bench-bots bench-streams bench-http bench-peer bench-growth bench-bounds chaos fuzz image-test k8s-check ci lock clean

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/.$(RUN_LOCK) ## Serve at http://127.0.0.1:8000 (HOST, PORT, REDIS_URL, DATA_DIR)
	@exec $(BIN)/python -m service

test: $(VENV)/.dev ## Run the whole test suite over a private Valkey
	$(BIN)/pytest -q -n $(JOBS) --dist loadfile $(PYTHON_ONLY)

check: $(VENV)/.dev ## Check format, style, types, import directions and the fast tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy service clients/python tests benchmarks
	$(BIN)/lint-imports --no-logo
	$(BIN)/pytest -q -n $(JOBS) --dist loadfile $(PYTHON_ONLY) -m "not slow"

openapi: $(VENV)/.dev ## Write openapi.yaml from the schemas and routes
	$(BIN)/python -m service openapi openapi.yaml

openapi-lint: clients/generated/node_modules/.made ## Hold openapi.yaml against Redocly's and Spectral's rules
	cd clients/generated && npm run --silent lint

openapi-diff: $(VENV)/.dev ## Name what openapi.yaml breaks of the last released one
	$(BIN)/python -m tests.openapi

clients: $(VENV)/.dev $(VENV)/.clients clients/generated/node_modules/.made ## Make four other SDKs, check their types, play a game with each
	.ci/need java default-jre-headless
	$(BIN)/python clients/generated/make.py

web: $(VENV)/.dev clients/web/node_modules/.made ## Check the web table's types, then play on it in Chromium
	.ci/need chromium chromium
	cd clients/web && npm run --silent types && npm run --silent check
	node --test --test-concurrency=1 --test-reporter=./tests/web/reporter.js tests/web/*.test.js

screenshots: $(VENV)/.dev clients/web/node_modules/.made ## Picture every phase of the web table, for docs/table.png too
	.ci/need chromium chromium
	node tests/web/screenshots.js

bench: bench-engine bench-bots bench-streams bench-http bench-peer bench-growth bench-bounds ## Run every benchmark

bench-engine: $(VENV)/.dev $(VENV)/.bench ## Time the engine beside OpenSpiel's and RLCard's
	$(BIN)/python -m benchmarks.engine

bench-bots: $(VENV)/.dev ## Play the bots against each other and against OpenSpiel's
	$(BIN)/python -m benchmarks.bots

bench-streams: $(VENV)/.dev ## Open 2,000 streams while others play: connections, memory, delivery
	$(BIN)/python -m benchmarks.streams

bench-http: $(VENV)/.dev ## Time durable moves beside GET /livez, driven by wrk (QUICK=1: in a minute)
	.ci/need wrk wrk
	$(BIN)/python -m benchmarks.http $(if $(QUICK),--quick)

bench-peer: $(VENV)/.dev benchmarks/peer/node_modules/.made ## Time durable moves beside boardgame.io's
	$(BIN)/python -m benchmarks.peer

bench-growth: $(VENV)/.dev ## Time a move at 1 and 100,000 stored games, in round 1 and 30
	.ci/need wrk wrk
	$(BIN)/python -m benchmarks.growth

bench-bounds: $(VENV)/.dev ## Time a move with its disk, and with Redis, replaced by nothing
	.ci/need wrk wrk
	$(BIN)/python -m benchmarks.bounds

fuzz: $(VENV)/.dev ## Ask for all that the contract allows and forbids, 10,000 times and more
	$(BIN)/python -m tests.fuzz

chaos: $(VENV)/.dev ## Every fault and race at length, with figures
	.ci/need redis-server redis-server
	TEST_REDIS_SERVER="$$(command -v redis-server)" $(BIN)/python -m tests.chaos

image-test: $(VENV)/.dev ## Build the image without Docker, look into it, play a game on it (as root)
	.ci/need buildah buildah
	.ci/need debootstrap debootstrap
	.ci/need redis-server redis-server
	TEST_REDIS_SERVER="$$(command -v redis-server)" $(BIN)/pytest -q tests/image

k8s-check: $(VENV)/.dev $(VENV)/.ops ## Hold the manifests and the Dockerfile against linters and the code
	TEST_OPS=$(OPS) $(BIN)/pytest -q tests/k8s

# Debian keeps nginx where only root looks for commands.
ci: export PATH := $(PATH):/usr/sbin
ci: $(VENV)/.dev clients/web/node_modules/.made ## Run what needs more than Python: redis-server, nginx, curl, the linters, other SDKs, the web table
	.ci/need redis-server redis-server
	.ci/need nginx nginx
	.ci/need curl curl
	.ci/need chromium chromium
	$(BIN)/pytest -q -n $(JOBS) --dist loadfile -m "not slow" tests/rules service/rules --cov=service.rules --cov-branch --cov-fail-under=100
	TEST_REDIS_SERVER="$$(command -v redis-server)" $(BIN)/pytest -q tests/store tests/chaos/test_failovers.py
	TEST_NGINX="$$(command -v nginx)" $(BIN)/pytest -q tests/ci
	$(MAKE) openapi-lint openapi-diff clients web k8s-check image-test

lock: $(VENV)/.created ## Resolve the dependencies again (UPGRADE=1 takes newer ones)
	$(PIP_INSTALL) uv
	$(call compile,dev,pyproject.toml --extra embedded --group dev)
	$(call compile,embedded,pyproject.toml --extra embedded --constraints requirements/dev.txt)
	$(call compile,run,pyproject.toml --constraints requirements/dev.txt)
	$(call compile,bench,--group bench --constraints requirements/dev.txt)
	$(call compile,clients,--group clients --constraints requirements/dev.txt)
	$(call compile,fast,--group fast)
	$(call compile,ops,--group ops)

clean: ## Remove what was installed or cached; DATA_DIR stays
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage* build/image

define compile
$(BIN)/uv pip compile $(2) $(if $(UPGRADE),--upgrade) --quiet --universal \
	--python-version 3.11 --generate-hashes --no-emit-index-url \
	--custom-compile-command "make lock" --output-file requirements/$(1).txt
endef

%/node_modules/.made: %/package-lock.json
	.ci/need npm npm
	cd $* && npm ci --ignore-scripts --silent
	@touch $@

$(VENV)/.created:
	@command -v $(PYTHON) >/dev/null || { echo "There is no $(PYTHON) here; install Python 3.11 or later, or name one: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or later is needed, and $(PYTHON) is $$($(PYTHON) --version); name another: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "$(PYTHON) cannot make a virtual environment; install its venv and pip (Debian: apt-get install python3-venv)" >&2; exit 1; }
	@touch $@

$(VENV)/.%: requirements/%.txt requirements/fast.txt $(VENV)/.created
	@echo "Installing requirements/$*.txt"
	@$(PIP_INSTALL) --require-hashes --requirement $<
	@$(PIP_INSTALL) --require-hashes --requirement requirements/fast.txt 2>/dev/null || echo "gunicorn's C parser was not installed (it takes a C compiler and Python's headers); its Python parser serves, more slowly"
	@touch $@

# checkov holds others to versions of its own.
$(VENV)/.ops: requirements/ops.txt $(VENV)/.created
	@echo "Installing requirements/ops.txt"
	@$(BIN)/python -m venv $(VENV)/ops
	@$(OPS)/python -m pip --disable-pip-version-check --quiet --quiet install --require-hashes --requirement $<
	@touch $@
