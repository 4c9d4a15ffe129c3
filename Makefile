# Two commands do all the set-up: `make demo` and `make test`. `make help` lists the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# Tests of one file stay together: what a file sets up, it sets up once.
PYTEST := $(BIN)/python -m pytest -n 2 --dist loadfile
MEASURED := $(if $(COVERAGE),--cov --cov-report=json:.coverage.json --cov-report=)

.PHONY: help demo test schemathesis clients slow conformance coverage floors check format bench clean
help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Prowess needs Python 3.11 or newer: make PYTHON=python3.12 ..." >&2; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
		{ echo "no venv module: apt-get install python3-venv" >&2; exit 2; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[all]' --group dev
	@touch $@

demo: $(STAMP)  ## the main job on examples/invoice-ops
	@PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python examples/demo.py

test: $(STAMP)  ## the tests, without the slow ones; COVERAGE=1 measures them
	$(PYTEST) -m "not slow" $(MEASURED)

schemathesis: $(STAMP)  ## what the tests of the HTTP API need, in an environment of its own
	@test -x .venv-schemathesis/bin/python || $(PYTHON) -m venv .venv-schemathesis
	@.venv-schemathesis/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	@.venv-schemathesis/bin/python -m pip install --quiet --disable-pip-version-check --group schemathesis

clients: $(STAMP)  ## the clients of others that the tests use: FastMCP's, and the TypeScript SDK's by npm
	@test -x .venv-fastmcp/bin/python || $(PYTHON) -m venv .venv-fastmcp
	@.venv-fastmcp/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	@.venv-fastmcp/bin/python -m pip install --quiet --disable-pip-version-check --group fastmcp
	@$(BIN)/python tests/serve_foreign/clients/install.py

slow: $(STAMP)  ## the slow tests: soaks, the wheel
	$(PYTEST) -m slow

conformance: $(STAMP)  ## the public MCP suite (npm installs it and Node 22 under build/)
	$(BIN)/python conformance/run.py

floors: $(STAMP)  ## what was measured, against the branch coverage floors
	$(BIN)/python tests/coverage_floors.py .coverage.json

coverage:  ## both
	$(MAKE) test COVERAGE=1
	$(MAKE) floors

check: $(STAMP)  ## format, lint, types, layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy --platform darwin src
	$(BIN)/mypy --platform win32 src
	$(BIN)/lint-imports

format: $(STAMP)  ## rewrite the files as ruff wants them
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(STAMP)  ## the benchmarks, against peers from PyPI
	$(BIN)/python -m bench

clean:  ## remove what make made
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
