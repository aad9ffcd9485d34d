"""What computes in this process: devices, BLAS, memory, native kernels, XLA. For the doctor."""

from __future__ import annotations

import ctypes
import importlib
import importlib.metadata
import importlib.util
import json
import os
import shlex
import sys
import urllib.parse
import urllib.request

import numpy as np

# (function that counts the threads, function that names the processor's kernels) of BLAS libraries.
_BLAS_SYMBOLS = (
    ("scipy_openblas_get_num_threads64_", "scipy_openblas_get_corename64_"),
    ("scipy_openblas_get_num_threads", "scipy_openblas_get_corename"),
    ("openblas_get_num_threads64_", "openblas_get_corename64_"),
    ("openblas_get_num_threads", "openblas_get_corename"),
    ("MKL_Get_Max_Threads", ""),
    ("bli_thread_get_num_threads", ""),
)
_FOREIGN_SETTINGS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "KERAS_BACKEND")


def processor() -> str:
    """Return the processor, and how many cores of it this process may use."""
    import platform

    name = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [
                line.split(":", 1)[1].strip() for line in file if line.startswith("model name")
            ]
        name = names[0] if names else name
    except OSError:
        pass  # not Linux
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # macOS, Windows
        cores = os.cpu_count() or 1
    return f"{name}, {cores} core{'s' if cores > 1 else ''}"


def devices() -> str:
    """Return the devices that programs can name."""
    from gradtape.api.config.devices import list_logical_devices

    return ", ".join(device.name for device in list_logical_devices())


def blas() -> str:
    """Return the library behind matrix products, and the threads it uses."""
    try:
        built = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
        name = f"{built.get('name', 'unknown')} {built.get('version', '')}".strip()
    except (KeyError, TypeError):
        name = "unknown"
    threads, kernels = _blas_state()
    parts = [name]
    if kernels:
        parts.append(f"{kernels} kernels")
    if threads:
        parts.append(f"{threads} thread{'s' if threads > 1 else ''}")
    return ", ".join(parts)


def _blas_state() -> tuple[int, str]:
    """Return (threads, name of the kernels) of the BLAS that NumPy has loaded; (0, "") if
    unknown."""
    try:
        # A look-up in NumPy's own library goes on to the libraries that it was linked with.
        library = ctypes.CDLL(importlib.import_module("numpy._core._multiarray_umath").__file__)
    except (ImportError, OSError):
        return 0, ""
    for count, core in _BLAS_SYMBOLS:
        if hasattr(library, count):
            kernels = ""
            if core and hasattr(library, core):
                name = getattr(library, core)
                name.restype = ctypes.c_char_p
                kernels = (name() or b"").decode(errors="replace")
            return int(getattr(library, count)()), kernels
    return 0, ""


def memory() -> str:
    """Return how the memory of freed arrays is handled."""
    from gradtape.backends.numpy.memory import keep_freed_memory

    if keep_freed_memory():  # done once already; the second time changes nothing
        return "freed arrays are kept for the next step"
    if os.environ.get("GRADTAPE_KEEP_MEMORY") == "0":
        return "freed arrays go back to the system, by GRADTAPE_KEEP_MEMORY=0; steps may be slower"
    if sys.platform.startswith("linux"):
        return "left to the C library, which is not glibc; steps may be slower"
    return "left to the system"


def native() -> str:
    """Return a description of the native kernels; where they are missing, how to build them."""
    from gradtape.backends.native.kernels import status

    text = status()
    if "not built" not in text:
        return text
    return (
        f"{text}.\nInstall one (Debian, Ubuntu: apt install g++; macOS: xcode-select --install), "
        f"then:\n{how_to_build()}"
    )


def how_to_build() -> str:
    """Return the command that installs gradtape once more, from where it was installed from."""
    again = "pip install --force-reinstall --no-deps --no-cache-dir"
    try:
        record = importlib.metadata.distribution("gradtape").read_text("direct_url.json")
    except importlib.metadata.PackageNotFoundError:
        record = None
    source = json.loads(record or "{}")
    if not source.get("url", "").startswith("file:"):
        return f"{again} --no-binary gradtape gradtape"
    folder = urllib.request.url2pathname(urllib.parse.urlparse(source["url"]).path)
    editable = "--editable " if source.get("dir_info", {}).get("editable") else ""
    return f"{again} {editable}{shlex.quote(folder)}"


def xla() -> str:
    """Return XLA's devices (through JAX), the time of a compilation, and what is cached."""
    if importlib.util.find_spec("jax") is None:
        return "not installed: pip install 'gradtape[xla]' (with an NVIDIA GPU: 'jax[cuda13]', too)"
    try:
        importlib.import_module("gradtape.backends.xla.kernels")
        jax = importlib.import_module("jax")
        devices = [f"{d.platform}:{d.id} ({d.device_kind})" for d in jax.devices()]
        cache = importlib.import_module("gradtape.backends.xla.cache")
        return (
            f"JAX {jax.__version__}, {', '.join(devices)}\n"
            f"a small training step took {_compile_seconds():.2f} s to compile\n"
            f"programs: {cache.described()}"
        )
    except Exception as error:  # a doctor must not fall ill: any trouble is a finding
        return f"does not work: {type(error).__name__}: {error}"


def _compile_seconds() -> float:
    """Return how long XLA takes to compile a step of gradient descent on a small network."""
    from gradtape import ops
    from gradtape.api.function.function import function
    from gradtape.engine.tape import GradientTape
    from gradtape.engine.variable import Variable

    compiled = importlib.import_module("gradtape.backends.xla.runtime.graph_program").COMPILED
    w, x = Variable(ops.ones((8, 8))), ops.ones((4, 8))

    def step(x):
        with GradientTape() as tape:
            loss = ops.reduce_mean(ops.square(ops.tanh(x @ w)))
        w.assign_sub(0.1 * tape.gradient(loss, w))
        return loss

    before = len(compiled)
    function(step, jit_compile=True)(x)
    return sum(seconds for _, seconds in compiled[before:])


def settings() -> list[str]:
    """Return the environment variables that gradtape obeys and that are set."""
    names = sorted(n for n in os.environ if n.startswith("GRADTAPE_"))
    names += [name for name in _FOREIGN_SETTINGS if name in os.environ]
    return [f"{name}={os.environ[name]}" for name in names]
