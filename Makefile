# Two commands do everything on a new machine with Python >= 3.11:  make run   make test
PYTHON ?= python3
PORT ?= 8765
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TOOLS := docs/sample/tools

.PHONY: run test bench lock docs clean

run: $(READY)
	@echo "One call, without a client:"
	@echo "  wekadocs-mcp call demo.hello '{\"name\": \"Ada\"}'"
	@printf '  → ' && $(BIN)/wekadocs-mcp call demo.hello '{"name": "Ada"}' --plugins $(TOOLS)
	@exec $(BIN)/wekadocs-mcp serve --transport http --port $(PORT) --plugins $(TOOLS)

test: $(READY)
	$(BIN)/python -m pytest

bench: $(READY)
	$(BIN)/python bench/run.py

docs: $(READY)
	$(BIN)/wekadocs-mcp contracts docs
	$(BIN)/wekadocs-mcp contracts lock

# Pins what `make` installs; the package itself only bounds its dependencies.
lock: $(READY)
	$(BIN)/python -m pip freeze --exclude-editable --exclude wekadocs-mcp > requirements.lock

$(READY): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@echo "Setting up $(VENV) …"
	@if command -v uv >/dev/null; then \
	  uv venv --quiet --allow-existing --seed --python $(PYTHON) $(VENV) && \
	  uv pip install --quiet --python $(BIN)/python -c requirements.lock -e '.[dev]'; \
	else \
	  $(PYTHON) -m venv $(VENV) && \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements.lock -e '.[dev]'; \
	fi
	@touch $@

clean:
	rm -rf $(VENV) .node dist
