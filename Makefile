# Two commands do everything on a new machine with Python >= 3.11:  make run   make test
PYTHON ?= python3
PORT ?= 8765
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# What serving needs is set up in half the time of what tests need too.
BASE := $(if $(wildcard $(READY)),$(READY),$(VENV)/.base)
TOOLS := docs/sample/tools
SAMPLE := docs/sample/docs
DATA := .data
QUESTION := How do I mount a filesystem?

.PHONY: run test quick lint bench lock docs site clean

run: $(BASE)
	@$(BIN)/wekadocs-mcp --data $(DATA) ingest $(SAMPLE)
	@echo "$(QUESTION)"
	@$(BIN)/wekadocs-mcp --data $(DATA) call kb.retrieve_evidence '{"question": "$(QUESTION)", "max_quotes": 1}' --text
	@exec $(BIN)/wekadocs-mcp --data $(DATA) serve --transport http --port $(PORT) --plugins $(TOOLS)

# A process a core; the tests of one file stay together.
test: $(READY)
	$(BIN)/python -m pytest --numprocesses auto --dist loadgroup

# Under a minute, without JVM and npm: what most changes break. The gate is `make test`.
quick: $(READY)
	$(BIN)/python -m pytest -q -m "not node and not jvm" @tests/quick.txt

# What needs no test to run: style, types, contracts, and whether what is generated is fresh.
lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/wekadocs-mcp contracts lint contracts docs/sample/tools
	$(BIN)/wekadocs-mcp contracts docs --check
	$(BIN)/wekadocs-mcp contracts lock --check
	$(BIN)/python scripts/packages.py --check

bench: $(READY)
	$(BIN)/python bench/run.py

docs: $(READY)
	$(BIN)/wekadocs-mcp contracts docs
	$(BIN)/wekadocs-mcp contracts lock
	$(BIN)/python scripts/packages.py

# The documentation as pages to publish, in dist/site: searchable, its links checked, nothing in it from elsewhere.
site: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict -f packages/site/mkdocs.yml

# Pins what `make` installs; the package itself only bounds its dependencies.
lock: $(READY)
	$(BIN)/python -m pip freeze --exclude-editable --exclude wekadocs-mcp > requirements.lock

$(READY): EXTRAS := [dev]
$(READY) $(VENV)/.base: pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@echo "Setting up $(VENV) …"
	@if command -v uv >/dev/null; then \
	  uv venv --quiet --allow-existing --seed --python $(PYTHON) $(VENV) && \
	  uv pip install --quiet --python $(BIN)/python -c requirements.lock -e '.$(EXTRAS)'; \
	else \
	  $(PYTHON) -m venv $(VENV) && \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements.lock -e '.$(EXTRAS)'; \
	fi
	@touch $@

clean:
	rm -rf $(VENV) $(DATA) .node dist
