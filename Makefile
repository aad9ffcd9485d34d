# Every target sets up what it needs, from nothing but make and Python 3.11 or newer.
# PYTHON=/path/to/python chooses the interpreter, PIP_FLAGS is handed to every pip install, and
# BENCH_FLAGS to the benchmarks, SUITE_FLAGS to the run of Keras's tests.

PYTHON ?= $(shell for candidate in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	if $$candidate -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; \
	then command -v $$candidate; break; fi; done)
PIP_FLAGS ?=
BENCH_FLAGS ?=
SUITE_FLAGS ?=
export PIP_DISABLE_PIP_VERSION_CHECK = 1

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
READY := $(VENV)/.ready

TORCH := torch==2.13.0
TENSORFLOW := tensorflow-cpu==2.21.0
JAX := jax==0.10.2
AUTOGRAD := autograd==1.9.1
KERAS := keras==3.15.1
TORCH_READY := .bench/torch/.ready
TENSORFLOW_READY := .bench/tensorflow/.ready
JAX_READY := .bench/jax/.ready
AUTOGRAD_READY := .bench/autograd/.ready
KERAS_SUITE_READY := .bench/keras-suite/.ready
XLA_READY := .bench/xla/.ready

# One BLAS thread for each of the two test processes.
PYTEST := OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2
# The native extension is built by the installation; here, again when its sources change.
NATIVE_SOURCES := setup.py $(shell find src/native -name '*.cpp' -o -name '*.h')

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup demo test test-pure test-unfused test-slow lint format bench golden api-coverage clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

setup: $(READY) ## create .venv with gradtape and its test tools

demo: $(READY) ## gradients, then a training run on handwritten digits (under a minute)
	@$(BIN)/python examples/demo.py

test: lint ## lint, types and all tests that are not slow
	$(PYTEST) -m "not slow"

test-pure: $(READY) ## the same tests without the native extension
	GRADTAPE_NATIVE=0 $(PYTEST) -m "not slow"

test-unfused: $(READY) ## the same tests with every op computed by itself
	GRADTAPE_FUSE_FROM=0 $(PYTEST) -m "not slow"

test-slow: $(READY) ## the slow tests
	$(PYTEST) -m slow

.PHONY: test-traced test-xla test-xla-slow
test-traced: $(READY) ## the engine's, Keras's and the examples' tests inside of tf.functions
	$(PYTEST) --traced tests/engine tests/keras

# With JAX: every primitive and its reverse rule on XLA beside NumPy, functions that XLA compiles,
# and Keras's training and the examples with compiled steps.
XLA_PYTEST := OPENBLAS_NUM_THREADS=1 .bench/xla/bin/python -m pytest -n 2
test-xla: $(XLA_READY) ## what needs JAX: the XLA backend and compiled functions, on the CPU
	$(XLA_PYTEST) -m "not slow" $(wildcard tests/xla tests/trace tests/distribute)
	$(XLA_PYTEST) --traced-xla tests/keras/test_training.py tests/keras/test_examples.py

test-xla-slow: $(XLA_READY) ## every primitive on XLA in bfloat16, and what else takes long
	$(XLA_PYTEST) -m slow $(wildcard tests/xla tests/trace tests/distribute)

lint: $(READY) ## ruff (lint and format) and pyright
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright --pythonpath $(BIN)/python

format: $(READY) ## apply ruff's fixes and format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY) $(TORCH_READY) $(TENSORFLOW_READY) $(JAX_READY) $(AUTOGRAD_READY) ## every workload beside the peers (an hour; BENCH_FLAGS=--quick)
	$(BIN)/python bench/run.py --gradtape $(BIN)/python \
		--torch .bench/torch/bin/python --tensorflow .bench/tensorflow/bin/python \
		--jax .bench/jax/bin/python --autograd .bench/autograd/bin/python \
		--output bench $(BENCH_FLAGS)

.PHONY: bench-keras keras-suite keras-suite-fast
bench-keras: $(READY) $(TENSORFLOW_READY) $(JAX_READY) ## Keras here, on TensorFlow and on JAX
	$(BIN)/python bench/keras_bench.py --gradtape $(BIN)/python \
		--tensorflow .bench/tensorflow/bin/python --jax .bench/jax/bin/python \
		--output bench $(BENCH_FLAGS)

keras-suite: $(KERAS_SUITE_READY) ## Keras's own tests on this backend, all of them
	.bench/keras-suite/bin/python tests/keras_suite/run.py --jobs 2 $(SUITE_FLAGS)

keras-suite-fast: $(KERAS_SUITE_READY) ## the same without the largest file, for CI
	.bench/keras-suite/bin/python tests/keras_suite/run.py --jobs 2 --fast $(SUITE_FLAGS)

golden: $(TENSORFLOW_READY) ## generate TensorFlow's values for tests/tf_parity anew
	.bench/tensorflow/bin/python tests/tf_parity/generate.py

api-coverage: $(READY) ## fail if docs/api_coverage.md is out of date
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m gradtape.tools.coverage --check

clean: ## remove environments, caches and build products
	rm -rf $(VENV) .bench build dist src/gradtape/_native.*.so .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# $(call environment,FOLDER): a fresh virtual environment there.
define environment
	@if [ -z "$(PYTHON)" ]; then \
		echo "gradtape needs Python 3.11 or newer, and none was found on PATH."; \
		echo "Install one, or name it: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)"; \
		exit 1; fi
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "$(PYTHON) is no Python 3.11 or newer."; exit 1; }
	@rm -rf $(1)
	@"$(PYTHON)" -m venv $(1) || { \
		echo "$(PYTHON) cannot create virtual environments: its venv module is missing"; \
		echo "(on Debian and Ubuntu it is the package python3-venv)."; \
		rm -rf $(1); exit 1; }
endef

$(INSTALLED): pyproject.toml
	$(call environment,$(VENV))
	$(BIN)/python -m pip install --quiet $(PIP_FLAGS) --editable '.[test]'
	@touch $@

$(READY): $(INSTALLED) $(NATIVE_SOURCES)
	@if [ -n "$$(find $(NATIVE_SOURCES) -newer $(INSTALLED))" ]; then \
		rm -f src/gradtape/_native.*.so; \
		$(BIN)/python setup.py --quiet build_ext --inplace --build-temp build; fi
	@touch $@

$(TORCH_READY):
	$(call environment,.bench/torch)
	.bench/torch/bin/python -m pip install --quiet $(PIP_FLAGS) numpy '$(TORCH)'
	@touch $@

$(JAX_READY):
	$(call environment,.bench/jax)
	.bench/jax/bin/python -m pip install --quiet $(PIP_FLAGS) '$(JAX)' '$(KERAS)'
	@touch $@

$(AUTOGRAD_READY):
	$(call environment,.bench/autograd)
	.bench/autograd/bin/python -m pip install --quiet $(PIP_FLAGS) '$(AUTOGRAD)' scipy
	@touch $@

$(TENSORFLOW_READY):
	$(call environment,.bench/tensorflow)
	.bench/tensorflow/bin/python -m pip install --quiet $(PIP_FLAGS) '$(TENSORFLOW)' '$(KERAS)'
	@touch $@

$(XLA_READY): pyproject.toml
	$(call environment,.bench/xla)
	.bench/xla/bin/python -m pip install --quiet $(PIP_FLAGS) --editable '.[test,xla]' '$(JAX)'
	@touch $@

# What the tests compare with (jax, tensorflow) or feed to models (torch, grain, pandas).
$(KERAS_SUITE_READY): pyproject.toml
	$(call environment,.bench/keras-suite)
	.bench/keras-suite/bin/python -m pip install --quiet $(PIP_FLAGS) --editable '.[test]' \
		'$(KERAS)' '$(JAX)' '$(TENSORFLOW)' '$(TORCH)' grain pandas requests
	@touch $@
