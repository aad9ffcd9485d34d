"""`gradtape doctor`: what is installed, what computes, and whether a gradient comes out right."""

from __future__ import annotations

import importlib
import importlib.metadata
import platform
import re

import gradtape
from gradtape.cli import runtime_info as machinery
from gradtape.engine.tape import GradientTape
from gradtape.engine.variable import Variable

REQUIRED = {
    "numpy": "arrays",
    "scipy": "special functions and decompositions",
    "ml_dtypes": "bfloat16 and float8",
    "optree": "nested structures in Keras",
    "keras": "tf.keras",
}
# package: (what it is for, how to get it)
OPTIONAL = {
    "rich": ("tables in the terminal", "pip install rich"),
    "matplotlib": ("gradient health as .png", "pip install 'gradtape[plot]'"),
    "pillow": ("reading and writing images", "pip install 'gradtape[image]'"),
    "jax": ("XLA, and GPUs by it", "pip install 'gradtape[xla]'"),
    "diastatic-malt": (
        "`if` and `for` on tensors in tf.function",
        "pip install 'gradtape[autograph]'",
    ),
}
_WIDTH = 12


def installed_version(package: str) -> str | None:
    """Return the version of a package that is installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def doctor() -> int:
    """Print the findings; 0 if all is well."""
    _fact("gradtape", gradtape.__version__)
    _fact("python", f"{platform.python_version()} on {platform.system()} {platform.machine()}")
    _fact("processor", machinery.processor())
    print("\nneeded")
    troubles = [_check_package(package, purpose) for package, purpose in REQUIRED.items()]
    print("\noptional")
    for package, (purpose, remedy) in OPTIONAL.items():
        version = installed_version(package)
        _line(package, version or "-", purpose if version else f"{purpose}: {remedy}")
    if (
        version := installed_version("tensorflow") or installed_version("tensorflow-cpu")
    ) is not None:
        _line("tensorflow", version, "never used: gradtape takes its place under `gradtape run`")
    print("\nwhat computes")
    _computes()
    troubles += [_keras(), _gradient()]
    problems = [trouble for trouble in troubles if trouble]
    print(
        "\n" + ("\n".join(problems) if problems else "The gradient of x**2 at 3 is 6. All is well.")
    )
    return 1 if problems else 0


def _fact(name: str, text: str) -> None:
    print(f"{name:<{_WIDTH}}{text}")


def _line(package: str, version: str, purpose: str) -> None:
    print(f"  {package:<{_WIDTH + 4}}{version:<14}{purpose}".rstrip())


def _computes() -> None:
    facts = {
        "devices": machinery.devices(),
        "kernels": machinery.native(),
        "XLA": machinery.xla(),
        "BLAS": machinery.blas(),
        "memory": machinery.memory(),
        "settings": ", ".join(machinery.settings()) or "no environment variable is set",
    }
    for name, text in facts.items():
        first, *more = text.splitlines() or [""]
        print(f"  {name:<{_WIDTH}}{first}")
        for line in more:
            print(f"  {'':<{_WIDTH}}{line.strip()}")


def _check_package(package: str, purpose: str) -> str:
    version = installed_version(package)
    _line(package, version or "missing", purpose)
    return "" if version else f"{package} is missing: pip install '{needed(package)}'"


def needed(package: str) -> str:
    """Return a requirement of gradtape as pip takes it, with the versions that it works with."""
    try:
        requirements = importlib.metadata.requires("gradtape") or []
    except importlib.metadata.PackageNotFoundError:
        requirements = []
    words = (text.partition(";")[0].strip() for text in requirements)
    return next((text for text in words if re.match(rf"{package}\b", text)), package)


def _keras() -> str:
    if installed_version("keras") is None:
        return ""  # said already
    try:
        importlib.import_module("gradtape.keras")
    except ImportError as error:
        return f"tf.keras does not work: {error}"
    return ""


def _gradient() -> str:
    x = Variable(3.0)
    with GradientTape() as tape:
        y = x**2
    slope = float(tape.gradient(y, x))
    return "" if slope == 6 else f"The gradient of x**2 at 3 came out as {slope} instead of 6."
