# Every target sets up what it needs, from nothing but make and Python 3.11 or newer.
# PYTHON=/path/to/python chooses the interpreter, PIP_FLAGS is handed to every pip install, and
# BENCH_FLAGS to the benchmarks, SUITE_FLAGS to the run of Keras's or a library's tests,
# SANITIZED_TESTS to pytest under the sanitizers, CALLS to the generator of calls, FUZZ_FLAGS to the
# fuzzers.

PYTHON ?= $(shell for candidate in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	if $$candidate -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; \
	then command -v $$candidate; break; fi; done)
PIP_FLAGS ?=
BENCH_FLAGS ?=
SUITE_FLAGS ?=
# For CI; all of them: tests/backends/native tests/core tests/engine tests/ops.
SANITIZED_TESTS ?= tests/backends/native tests/core
export PIP_DISABLE_PIP_VERSION_CHECK = 1

VENV := .venv
BIN := $(VENV)/bin
# One environment in three steps: gradtape as it is written, which will do for the demo; the tools
# of its tests; the native extension.
INSTALLED := $(VENV)/.installed
TOOLS := $(VENV)/.tools
READY := $(VENV)/.ready
TIDY_READY := $(VENV)/.tidy

TORCH := torch==2.13.0
PROBABILITY := tensorflow-probability==0.25.0
HUB := tensorflow-hub==0.16.1
# zfit's interfaces ask for TensorFlow, as zfit does: both come without what they depend on.
ZFIT := zfit==0.28.0 zfit-interface==0.0.3 jacobi==0.9.2
OLD_KERAS := tf-keras==2.21.0
TENSORFLOW := tensorflow-cpu==2.21.0
TEXT := tensorflow-text==2.21.1
JAX := jax==0.10.2
AUTOGRAD := autograd==1.9.1
KERAS := keras==3.15.1
ONNX := onnx==1.23.2 onnxruntime==1.31.1
TIDY := clang-tidy==23.1.4
TORCH_READY := .bench/torch/.ready
# What the libraries and their tests import beside TensorFlow.
COMPANIONS_IMPORT := absl-py attrs check-shapes cloudpickle decorator deprecated dm-tree gast hypothesis \
	lark matplotlib mock multipledispatch opt-einsum portpicker protobuf pytest scipy 'setuptools<81' six tabulate wrapt
ZFIT_IMPORT := boost-histogram colorama colored colorlog dill dotmap frozendict hist iminuit numdifftools ordered-set \
	pandas pydantic pytest-helpers-namespace pyyaml texttable uhi uproot xxhash
COMPANIONS_READY := .bench/companions/.ready
COMPANIONS_TENSORFLOW_READY := .bench/companions-tensorflow/.ready
KERAS_COMPANIONS_IMPORT := grpcio kagglehub kt-legacy pandas portpicker protobuf pytest regex requests rouge-score \
	scikit-learn 'sentencepiece<0.2.2' six tensorboard tokenizers
KERAS_COMPANIONS_READY := .bench/keras-companions/.ready
KERAS_COMPANIONS_JAX_READY := .bench/keras-companions-jax/.ready
TENSORFLOW_READY := .bench/tensorflow/.ready
JAX_READY := .bench/jax/.ready
AUTOGRAD_READY := .bench/autograd/.ready
KERAS_SUITE_READY := .bench/keras-suite/.ready
XLA_READY := .bench/xla/.ready
ONNX_READY := .bench/onnx/.ready
DOCS_READY := .bench/docs/.ready

# One BLAS thread for each of the two test processes.
PYTEST := OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2
CPP_FILES := $(shell find src/native -name '*.cpp' -o -name '*.h')
# The native extension is built by the installation; here, again when its sources change.
NATIVE_SOURCES := setup.py src/native/ops.def $(CPP_FILES)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup demo test test-pure test-unfused test-slow lint format bench golden api-coverage clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

setup: $(READY) ## create .venv with gradtape and its test tools

demo: $(INSTALLED) ## gradients, why one is missing, a network that learns (half a minute from nothing)
	@$(BIN)/python examples/demo.py build/tape.html

test: lint ## lint, types and all tests that are not slow
	$(PYTEST) -m "not slow"

test-pure: $(READY) ## the same tests without the native extension
	GRADTAPE_NATIVE=0 $(PYTEST) -m "not slow"

test-unfused: $(READY) ## the tests that compute, with every op computed by itself
	GRADTAPE_FUSE_FROM=0 $(PYTEST) -m "not slow" tests/engine tests/ops tests/backends tests/keras \
		tests/graph tests/pairs tests/programs

test-slow: $(READY) ## the slow tests
	$(PYTEST) -m slow

.PHONY: test-sanitized test-threads-sanitized test-machines test-pythons test-checkpoints-tf
.PHONY: fuzz-calls fuzz-calls-sanitized
.PHONY: test-round-trips-tf test-records-tf test-saved-models-tf saved-models
# The extension built with GCC's sanitizers lies in build/, beside the ordinary one.
test-sanitized: $(READY) ## native kernels and the core under AddressSanitizer and UBSan
	$(BIN)/python tests/machines/sanitized.py address -m pytest -q -n 2 -m "not slow" \
		$(SANITIZED_TESTS)

test-threads-sanitized: $(READY) ## a soak of threads under ThreadSanitizer
	$(BIN)/python tests/machines/sanitized.py thread tests/machines/soak.py

MACHINES ?=
test-machines: $(READY) ## what computes, as other processors, BLAS kernels, users and shells run it
	$(BIN)/python tests/machines/matrix.py $(if $(MACHINES),--only $(MACHINES))

PYTHONS ?=
test-pythons: $(INSTALLED) ## installed on the other Pythons of this machine: what differs there (PYTHONS="3.12 3.13")
	$(BIN)/python tests/machines/pythons.py $(if $(PYTHONS),--only $(PYTHONS))

CALLS ?= 100000
fuzz-calls: $(READY) ## malformed calls of every public function (CALLS=100000)
	PYTHONPATH=. OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.fuzz.calls --calls $(CALLS) \
		$(FUZZ_FLAGS)

# AddressSanitizer needs all of a process's addresses: its memory is limited otherwise.
fuzz-calls-sanitized: $(READY) ## the same under AddressSanitizer and UBSan
	$(BIN)/python tests/machines/sanitized.py address -m tests.fuzz.calls --calls $(CALLS) \
		--memory 0 $(FUZZ_FLAGS)

# About threads, signals, processes and the memory of the host itself: as they are, not inside of a
# function (which would grow with every round) nor on a device (where values cannot raise errors,
# and which does not survive a fork); tests/backends/xla has the same for devices.
OF_THE_HOST := $(addprefix tests/engine/test_,beyond_row_updates.py beyond_row_threads.py \
	transactions.py interleaving.py contexts.py user_memory.py) $(addprefix tests/keras/test_,threads.py user_memory.py)
OF_THE_ENGINE := $(filter-out $(OF_THE_HOST),$(wildcard tests/engine/test_*.py))

.PHONY: test-traced test-xla test-xla-slow
test-traced: $(READY) ## the engine's, Keras's and the examples' tests inside of tf.functions
	$(PYTEST) --traced $(OF_THE_ENGINE) \
		$(filter-out $(OF_THE_HOST),$(wildcard tests/keras/test_*.py))

# With JAX: every primitive and its reverse rule on XLA beside NumPy, functions that XLA compiles,
# and Keras's training and the examples with compiled steps.
XLA_PYTEST := OPENBLAS_NUM_THREADS=1 .bench/xla/bin/python -m pytest -n 2
test-xla: $(XLA_READY) ## what needs JAX: the XLA backend and compiled functions, on the CPU
	$(XLA_PYTEST) -m "not slow" tests/backends/xla tests/autograph tests/graph tests/distribute \
		tests/pairs/test_on_device.py
	$(XLA_PYTEST) -m "not slow" tests/pairs/test_pairs.py tests/pairs/test_sequences.py \
		tests/pairs/test_successions.py -k compiled
	$(XLA_PYTEST) --traced-xla tests/keras/test_training.py tests/keras/test_examples.py

test-xla-slow: $(XLA_READY) ## every primitive on XLA in bfloat16, and what else takes long
	$(XLA_PYTEST) -m slow tests/backends/xla tests/graph tests/distribute

.PHONY: test-deferred test-accelerator
# Every op that can be is deferred, whatever its size: code that takes a tensor's value meets one that
# has not been computed yet. (Jobs that are launched or planned, and processes that die, are run above.)
DEFERRED_ON_XLA := $(addprefix tests/backends/xla/test_,devices.py keras.py memory.py) \
	$(addprefix tests/graph/test_,calls.py control.py keras_steps.py tracing.py xla_functions.py) \
	$(addprefix tests/distribute/test_,checkpoints.py cluster.py devices.py one_replica.py \
	replicas_of_processes.py)
test-deferred: $(READY) $(XLA_READY) ## the suites that compute, with every op deferred
	GRADTAPE_FUSE_FROM=2 $(PYTEST) -m "not slow" tests/engine tests/keras tests/data tests/train \
		tests/pairs tests/programs
	GRADTAPE_FUSE_FROM=2 $(XLA_PYTEST) -m "not slow" $(DEFERRED_ON_XLA)

# New tensors go to XLA's device on the host, as they do to a GPU where there is one.
ON_ACCELERATOR := $(OF_THE_ENGINE) tests/data tests/train \
	$(addprefix tests/keras/test_,training.py variable.py saving.py seeds.py datasets.py)
# Each program compiles its ops in a process of its own: some of them.
PROGRAMS_ON_ACCELERATOR := actor_critic or advanced_autodiff or autodiff_guide or batch_jacobian_robotics or checkpoint_and_resume or core_mlp or data_guide or dcgan
test-accelerator: $(XLA_READY) ## the suites that compute, on XLA's device as default device
	GRADTAPE_DEVICE=XLA:0 $(XLA_PYTEST) -m "not slow" $(ON_ACCELERATOR) tests/accelerator
	GRADTAPE_DEVICE=XLA:0 $(XLA_PYTEST) tests/programs -k "$(PROGRAMS_ON_ACCELERATOR)"

# On a machine with a GPU, by default settings; GPU_PYTHON is an environment with jax[cuda12] and
# gradtape's test tools. Products are computed in float32, not in TF32, to be compared.
GPU_PYTHON ?= .bench/xla/bin/python
GPU_JOBS ?= 6
ON_GPU := tests/accelerator tests/backends/xla tests/pairs $(ON_ACCELERATOR)
.PHONY: test-gpu
test-gpu: ## rules of every primitive, devices, Keras and the engine on this machine's GPU
	JAX_DEFAULT_MATMUL_PRECISION=highest XLA_PYTHON_CLIENT_PREALLOCATE=false OPENBLAS_NUM_THREADS=1 \
		$(GPU_PYTHON) -m pytest -n $(GPU_JOBS) --accelerator -m "not slow" $(ON_GPU)

# With TensorFlow: random programs. Without: processes killed while they save, and a million rounds.
MINUTES ?= 30
KILLS ?= 1000
ROUNDS ?= 1000000
FUZZ_FLAGS ?=
FUZZ := OPENBLAS_NUM_THREADS=1 PYTHONPATH=src:.
.PHONY: fuzz-tf kill-saves soak
fuzz-tf: $(READY) $(TENSORFLOW_READY) ## random programs here and on TensorFlow (MINUTES=30)
	$(FUZZ) $(BIN)/python -m tests.fuzz.differential.run --minutes $(MINUTES) \
		--tensorflow .bench/tensorflow/bin/python $(FUZZ_FLAGS)

kill-saves: $(READY) ## kill processes while they save: the old or the new state is there (KILLS=1000)
	$(FUZZ) $(BIN)/python -W ignore -m tests.fuzz.kills.run --kills $(KILLS) $(FUZZ_FLAGS)

soak: $(XLA_READY) ## a million tapes, calls, steps, elements: memory stays flat (ROUNDS=1000000)
	$(FUZZ) .bench/xla/bin/python -W ignore -m tests.fuzz.soak --rounds $(ROUNDS) $(FUZZ_FLAGS)

.PHONY: stubs
stubs: $(READY) ## write the type stubs of the public names again
	$(BIN)/python -m tools.stubs

lint: $(READY) ## ruff (lint and format), clang-format, pyright, and whether the stubs are up to date
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@echo "clang-format of src/native"; $(BIN)/clang-format --dry-run -Werror $(CPP_FILES)
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/python -m tools.stubs --check

.PHONY: lint-native
# The compiler's own flags and the folders of Python's and NumPy's headers.
TIDY_FLAGS = -std=c++17 -fwrapv -Isrc/native $(shell $(BIN)/python -c \
	"import numpy, sysconfig; print('-isystem', sysconfig.get_paths()['include'], '-isystem', numpy.get_include())")
lint-native: $(READY) $(TIDY_READY) ## clang-tidy over the C++ (half a minute)
	@printf '%s\n' $(filter %.cpp,$(CPP_FILES)) | \
		xargs -P 2 -I FILE $(BIN)/clang-tidy --quiet FILE -- $(TIDY_FLAGS)

format: $(READY) ## apply ruff's fixes, its format and clang-format's
	$(BIN)/ruff format .
	@$(BIN)/clang-format -i $(CPP_FILES)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY) $(TORCH_READY) $(TENSORFLOW_READY) $(JAX_READY) $(AUTOGRAD_READY) ## every workload beside the peers (an hour; BENCH_FLAGS=--quick)
	$(BIN)/python bench/run.py --gradtape $(BIN)/python \
		--torch .bench/torch/bin/python --tensorflow .bench/tensorflow/bin/python \
		--jax .bench/jax/bin/python --autograd .bench/autograd/bin/python \
		--output bench $(BENCH_FLAGS)

.PHONY: bench-keras keras-suite keras-suite-fast companions
bench-keras: $(READY) $(TENSORFLOW_READY) $(JAX_READY) ## Keras here, on TensorFlow and on JAX
	$(BIN)/python bench/keras_bench.py --gradtape $(BIN)/python \
		--tensorflow .bench/tensorflow/bin/python --jax .bench/jax/bin/python \
		--output bench $(BENCH_FLAGS)

keras-suite: $(KERAS_SUITE_READY) ## Keras's own tests on this backend, all of them
	.bench/keras-suite/bin/python tests/keras_suite/run.py --jobs 2 $(SUITE_FLAGS)

keras-suite-fast: $(KERAS_SUITE_READY) ## the same without the largest file, for CI
	.bench/keras-suite/bin/python tests/keras_suite/run.py --jobs 2 --fast $(SUITE_FLAGS)

# With NAME and SOURCE, a checkout of its repository, a library's own tests, beside TensorFlow; those
# of a library made for Keras beside JAX. NAME=tensorflow: TensorFlow's own tests.
NAME ?=
SOURCE ?=
ifneq ($(filter keras-%,$(NAME)),)
companions: $(KERAS_COMPANIONS_READY) $(KERAS_COMPANIONS_JAX_READY)
else
companions: $(COMPANIONS_READY) $(if $(NAME),$(COMPANIONS_TENSORFLOW_READY))
endif
companions: ## libraries made for TensorFlow, on gradtape (tests/companions)
ifeq ($(NAME),)
	OPENBLAS_NUM_THREADS=1 .bench/companions/bin/python -m pytest -q -m slow tests/companions tests/programs
else ifneq ($(filter keras-%,$(NAME)),)
	.bench/keras-companions/bin/python tests/companions/suites/run.py $(NAME) --source '$(SOURCE)' \
		--other .bench/keras-companions-jax/bin/python --jobs 2 $(SUITE_FLAGS)
else
	.bench/companions/bin/python tests/companions/suites/run.py $(NAME) --source '$(SOURCE)' \
		--other .bench/companions-tensorflow/bin/python --jobs 2 $(SUITE_FLAGS)
endif

golden: $(TENSORFLOW_READY) ## generate TensorFlow's values for tests/tf_parity anew
	.bench/tensorflow/bin/python tests/tf_parity/generate.py

test-round-trips-tf: test-records-tf test-checkpoints-tf test-saved-models-tf ## files of TensorFlow are read here, and ours by it: records, checkpoints, SavedModels

test-records-tf: $(READY) $(TENSORFLOW_READY) ## both libraries read the records, Examples and tensors that both wrote
	PYTHONPATH=src .bench/tensorflow/bin/python tests/records/generate_files.py --check

test-checkpoints-tf: $(READY) $(TENSORFLOW_READY) ## TensorFlow restores what is written here, and the other way round
	rm -rf build/checkpoints
	$(BIN)/python tests/checkpoints/generate_files.py --ours build/checkpoints
	.bench/tensorflow/bin/python tests/checkpoints/generate_files.py --check build/checkpoints
	.bench/tensorflow/bin/python tests/checkpoints/generate_files.py --theirs build/checkpoints/theirs
	CHECKPOINT_FILES=build/checkpoints/theirs $(BIN)/python -m pytest -q \
		tests/checkpoints/test_tensorflow_files.py

test-saved-models-tf: $(READY) $(TENSORFLOW_READY) ## TensorFlow loads, serves and differentiates what is saved here, and the other way round
	rm -rf build/saved_models
	$(BIN)/python tests/saved_model/generate_files.py --ours build/saved_models
	.bench/tensorflow/bin/python tests/saved_model/generate_files.py --check build/saved_models
	.bench/tensorflow/bin/python tests/saved_model/generate_files.py --theirs build/theirs.tar.xz
	SAVED_MODEL_ARCHIVE=build/theirs.tar.xz $(BIN)/python -m pytest -q tests/saved_model/test_reading.py

saved-models: $(TENSORFLOW_READY) ## TensorFlow writes the models of tests/saved_model again
	.bench/tensorflow/bin/python tests/saved_model/generate_files.py
.PHONY: test-onnx
test-onnx: $(ONNX_READY) ## every layer of Keras, models and functions, exported and run by onnxruntime
	OPENBLAS_NUM_THREADS=1 .bench/onnx/bin/python -m pytest -n 2 tests/exporting

.PHONY: docs
docs: $(DOCS_READY) ## the documentation site, in build/docs/html (two minutes)
	OPENBLAS_NUM_THREADS=1 .bench/docs/bin/python -m tools.site

api-coverage: $(READY) ## fail if docs/api_coverage.md, or what help says of errors, is out of date
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tools.coverage --check
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tools.wrong_calls --check

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
	@echo "Making $(VENV) with gradtape, NumPy and Keras."
	$(call environment,$(VENV))
	@GRADTAPE_BUILD_NATIVE=0 $(BIN)/python -m pip install --quiet --no-compile $(PIP_FLAGS) \
		--editable . # modules are compiled when they are imported: most of them are not
	@touch $@

$(TOOLS): $(INSTALLED)
	GRADTAPE_BUILD_NATIVE=0 $(BIN)/python -m pip install --quiet $(PIP_FLAGS) --editable '.[test]'
	@touch $@

# Where there is a compiler, a mistake in C++ is an error; elsewhere gradtape does without.
$(READY): $(TOOLS) $(NATIVE_SOURCES)
	@rm -f src/gradtape/_native.*.so
	@include=$$($(BIN)/python -c "import sysconfig; print(sysconfig.get_paths()['include'])"); \
		if command -v $${CXX:-c++} > /dev/null && [ -e "$$include/Python.h" ]; then \
			export GRADTAPE_BUILD_NATIVE=1; \
		fi; \
		$(BIN)/python setup.py --quiet build_ext --inplace --build-temp build
	@touch $@

$(TIDY_READY): $(TOOLS)
	$(BIN)/python -m pip install --quiet $(PIP_FLAGS) '$(TIDY)'
	@touch $@

$(COMPANIONS_READY): | $(READY)
	$(call environment,.bench/companions)
	GRADTAPE_BUILD_NATIVE=0 .bench/companions/bin/python -m pip install --quiet $(PIP_FLAGS) --editable '.[test]' \
		$(COMPANIONS_IMPORT) $(ZFIT_IMPORT)
	.bench/companions/bin/python -m pip install --quiet $(PIP_FLAGS) --no-deps '$(PROBABILITY)' '$(HUB)' $(ZFIT)
	@touch $@

$(KERAS_COMPANIONS_READY): | $(READY)
	$(call environment,.bench/keras-companions)
	GRADTAPE_BUILD_NATIVE=0 .bench/keras-companions/bin/python -m pip install --quiet $(PIP_FLAGS) --editable '.[test]' \
		'$(KERAS)' $(KERAS_COMPANIONS_IMPORT)
	@touch $@

# With TensorFlow, which their tests import for its datasets and strings, and TensorFlow Text, which
# keras-hub requires (and which would bring the TensorFlow for GPUs, too).
$(KERAS_COMPANIONS_JAX_READY):
	$(call environment,.bench/keras-companions-jax)
	.bench/keras-companions-jax/bin/python -m pip install --quiet $(PIP_FLAGS) '$(TENSORFLOW)' '$(KERAS)' '$(JAX)' \
		$(KERAS_COMPANIONS_IMPORT)
	.bench/keras-companions-jax/bin/python -m pip install --quiet $(PIP_FLAGS) --no-deps '$(TEXT)'
	@touch $@

$(COMPANIONS_TENSORFLOW_READY):
	$(call environment,.bench/companions-tensorflow)
	.bench/companions-tensorflow/bin/python -m pip install --quiet $(PIP_FLAGS) '$(TENSORFLOW)' \
		'$(KERAS)' '$(OLD_KERAS)' '$(PROBABILITY)' $(COMPANIONS_IMPORT) $(ZFIT_IMPORT)
	.bench/companions-tensorflow/bin/python -m pip install --quiet $(PIP_FLAGS) --no-deps $(ZFIT)
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

# These have the extension that lies in src, which $(READY) has built for the same Python.
$(XLA_READY): pyproject.toml | $(READY)
	$(call environment,.bench/xla)
	GRADTAPE_BUILD_NATIVE=0 .bench/xla/bin/python -m pip install --quiet $(PIP_FLAGS) --editable '.[test,xla]' '$(JAX)'
	@touch $@

$(ONNX_READY): pyproject.toml | $(READY)
	$(call environment,.bench/onnx)
	GRADTAPE_BUILD_NATIVE=0 .bench/onnx/bin/python -m pip install --quiet $(PIP_FLAGS) --editable '.[test,xla]' '$(JAX)' $(ONNX)
	@touch $@

# With JAX, whose table of kernels the reference shows.
$(DOCS_READY): pyproject.toml | $(READY)
	$(call environment,.bench/docs)
	GRADTAPE_BUILD_NATIVE=0 .bench/docs/bin/python -m pip install --quiet $(PIP_FLAGS) --editable '.[docs,autograph,xla]' '$(JAX)'
	@touch $@

# What the tests compare with (jax, tensorflow) or feed to models (torch, grain, pandas).
$(KERAS_SUITE_READY): pyproject.toml | $(READY)
	$(call environment,.bench/keras-suite)
	GRADTAPE_BUILD_NATIVE=0 .bench/keras-suite/bin/python -m pip install --quiet $(PIP_FLAGS) --editable '.[test]' \
		'$(KERAS)' '$(JAX)' '$(TENSORFLOW)' '$(TORCH)' grain pandas requests
	@touch $@
