# `make demo` and `make test` set up what they need: a virtual environment with the pinned packages of
# constraints.txt, and the compiled loops warmed. Nothing outside this folder is changed, but by `make chromium`
# and `make latex`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --constraint constraints.txt

.PHONY: demo test test-integrations lint warm collect bench soak chromium axe latex clean

demo: $(VENV)/installed
	@$(BIN)/inexlab demo

test: $(VENV)/installed-dev
	@$(MAKE) --no-print-directory --jobs 2 lint warm collect
	$(BIN)/python -m pytest --numprocesses 3 --dist worksteal

# Chunks as LangChain, LlamaIndex, Chonkie and Haystack make them: these packages go into an environment of their own.
INTEGRATIONS := .venv-integrations
test-integrations:
	test -x $(INTEGRATIONS)/bin/python || $(PYTHON) -m venv $(INTEGRATIONS)
	$(INTEGRATIONS)/bin/python -m pip install --quiet --disable-pip-version-check \
	  --constraint constraints-integrations.txt --editable ".[articles,pandas,polars,integrations]"
	$(INTEGRATIONS)/bin/python -m pytest --numprocesses 0 tests/integrations

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Compiled loops that most tests need, compiled once for all processes; beside lint, which needs one core.
warm: $(VENV)/installed-dev
	$(BIN)/python -m tests.warm

# Bytecode of all tests and of what they load, written once for all processes.
collect: $(VENV)/installed-dev
	$(BIN)/python -m pytest --collect-only --quiet --numprocesses 0 > $(VENV)/collected.log || \
	{ tail -n 50 $(VENV)/collected.log; exit 1; }

bench: $(VENV)/installed $(VENV)/installed-dev
	@status=0; for script in bench/[a-z]*.py; do $(BIN)/python $$script || status=1; done; exit $$status

# Long trials of what must not break, in less than an hour; SHARE=0.1 makes them ten times shorter.
SHARE ?= 1
soak: $(VENV)/installed-dev
	$(BIN)/python -m soak --share $(SHARE)

# Debian's Chromium, for the tests that open reports in a browser; without it they are skipped.
chromium:
	@command -v chromium || command -v chromium-browser || command -v google-chrome || \
	{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; } || \
	echo "Chromium cannot be installed here (it takes root and apt-get): the tests in a browser will be skipped."

# axe-core, which looks for what keeps people from using a page; without it the test that asks it is skipped.
AXE := 4.14.0
axe: | $(BIN)/python
	@test -f $(VENV)/axe/node_modules/axe-core/axe.min.js || \
	npm install --silent --no-audit --no-fund --prefix $(VENV)/axe axe-core@$(AXE) || \
	echo "axe-core cannot be installed here (it takes npm and a network): its test will be skipped."

# Debian's pdflatex, for the test that typesets the tables of papers; without it that test is skipped.
latex:
	@kpsewhich booktabs.sty || \
	{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
	  texlive-latex-base texlive-latex-recommended; } || \
	echo "LaTeX cannot be installed here (it takes root and apt-get): the test that typesets tables will be skipped."

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --editable ".[all]"
	INEXLAB_COMPILED=always $(BIN)/inexlab demo > $(VENV)/warm.log
	touch $@

$(VENV)/installed-dev: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --editable ".[all,dev]"
	touch $@

clean:
	rm -rf $(VENV) $(INTEGRATIONS) build .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
