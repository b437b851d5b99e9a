# Two commands do everything on a machine that has Python 3.11 or later: `make demo` and `make test`.
PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3)
VENV ?= .venv
# The pinned build comes first, so that nothing that needs torch later chooses (and downloads) another one by itself.
# Another: make test TORCH="torch==2.13.0 --index-url …"
TORCH ?= torch==2.13.0
EXTRAS ?= dev,learn
JOBS ?= 2

# The stamp carries a sum of what was asked for: asking for another torch or other extras installs again, once.
ready := $(VENV)/.ready-$(shell printf '%s' '$(TORCH) $(EXTRAS)' | cksum | cut -d ' ' -f 1)
bin := $(VENV)/bin

.PHONY: help demo test check lint format types tests slow bench clean

help: ## list the commands
	@sed -n 's/^\([a-z]*\):.*## /make \1\t/p' $(MAKEFILE_LIST)

demo: $(ready) ## set up, then teach a network digits through an ontology; leaves pictures in demo/
	$(bin)/python examples/demo.py

test: lint types tests ## set up, then format, lint, types and the test suite

check: test ## the same and every example
	for example in examples/*.py; do $(bin)/python "$$example" || exit 1; done

lint: $(ready) ## formatting and lint rules
	$(bin)/ruff format --check .
	$(bin)/ruff check .

types: $(ready) ## the strict type checker
	$(bin)/mypy

tests: $(ready) ## the test suite without what is marked slow; says what it skips and why
	$(bin)/pytest -n $(JOBS)

slow: $(ready) ## the tests marked slow
	$(bin)/pytest -n $(JOBS) -m slow

bench: $(ready) ## classification beside ELK (needs Java; EXTRAS=dev,peers)
	$(bin)/python -m bench.classify

format: $(ready) ## format the code and mend what the linter can
	$(bin)/ruff format .
	$(bin)/ruff check --fix .

clean: ## remove the environment and every cache
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis dist
	find src tests examples -name __pycache__ -type d -prune -exec rm -rf {} +

$(ready): pyproject.toml
	@test -n "$(PYTHON)" || { echo "make: expected Python 3.11 or later on the path, found none; install it" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "make: expected Python 3.11 or later, but $(PYTHON) is older; set PYTHON=…" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(bin)/python -m pip install --quiet $(TORCH)
	$(bin)/python -m pip install --quiet --editable '.[$(EXTRAS)]'
	@rm -f $(VENV)/.ready-*
	@touch $@
