# Everything one does with this project. `make` alone lists it.
# Needed beforehand: Python 3.11 or newer with its venv module, and make.

VENV := .venv
BIN := $(VENV)/bin
MANAGE := $(BIN)/python manage.py
PORT ?= 8000
ARGS ?=
WORKERS ?= 2
export VENV PYTHON
# Tests and servers start dozens of processes: each would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE

COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-header --no-annotate

.DEFAULT_GOAL := help
.PHONY: help install demo test check format bench load soak messages requirements clean

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

install: $(VENV)/installed-dev ## Make .venv with everything development needs

demo: $(VENV)/installed ## Serve the demo at http://127.0.0.1:8000/ (PORT=8001)
	@$(MANAGE) demo --port $(PORT) $(ARGS)

test: $(VENV)/installed-test ## Run all tests (ARGS="-k approval tests/teams" WORKERS=0)
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(ARGS)

check: $(VENV)/installed-dev ## Format, lint, types, imports, system checks, migrations
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy .
	$(BIN)/lint-imports
	$(MANAGE) check --fail-level WARNING
	$(MANAGE) makemigrations --check --dry-run

format: $(VENV)/installed-dev ## Format the code and mend what the linter can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/installed-test ## Measure a request against a bare loop of model calls
	$(BIN)/python -m tests.benchmarks.run $(ARGS)

load: $(VENV)/installed-test ## How many streams, idle pages and jobs this machine carries
	$(BIN)/python -m tests.benchmarks.load $(ARGS)

soak: $(VENV)/installed-test ## The long fault runs: kill, restart, count
	$(BIN)/python -m pytest -m soak --timeout 0 $(ARGS)

messages: $(VENV)/installed ## Collect and compile the texts to translate (needs gettext)
	@command -v xgettext >/dev/null || { \
		echo "GNU gettext is missing (Debian, Ubuntu: apt install gettext)."; exit 1; }
	$(MANAGE) makemessages --all --no-location --ignore '$(VENV)/*' --ignore 'tests/*'
	$(MANAGE) makemessages --all --no-location --domain djangojs --ignore '$(VENV)/*'
	$(MANAGE) compilemessages --ignore '$(VENV)'

requirements: $(VENV)/installed-dev ## Pin all requirements anew
	$(COMPILE) --upgrade requirements.in -o requirements.txt
	$(COMPILE) --upgrade -c requirements.txt requirements-test.in -o requirements-test.txt
	$(COMPILE) --upgrade -c requirements-test.txt requirements-dev.in -o requirements-dev.txt

clean: ## Remove the environment and caches; var/ with your data stays
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache \
		staticfiles test-results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The three files hold the same versions, each one more than the one before it.
$(VENV)/installed: requirements.txt
	@scripts/install $<
	@touch $@

$(VENV)/installed-test: requirements-test.txt
	@scripts/install $<
	@touch $(VENV)/installed $@

$(VENV)/installed-dev: requirements-dev.txt
	@scripts/install $<
	@touch $(VENV)/installed $(VENV)/installed-test $@
