"""The native extension: optional, so that the package installs (and works) without a compiler.

GRADTAPE_BUILD_NATIVE=0 leaves it out, GRADTAPE_BUILD_NATIVE=1 fails where it cannot be built.
Everything else about the package is in pyproject.toml.
"""

import contextlib
import hashlib
import os
import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy
from setuptools import Extension, errors, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext

FLAGS = ["-std=c++17", "-O3", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=fast"]
# The bits of numbers are computed with, in integers that wrap around.
FLAGS += ["-fwrapv"]
SOURCES = sorted(str(path) for path in Path("src/native").rglob("*.cpp"))
HEADERS = sorted(str(p) for end in ("h", "def") for p in Path("src/native").rglob(f"*.{end}"))
WANTED = os.environ.get("GRADTAPE_BUILD_NATIVE")

native = Extension(
    "gradtape._native",
    SOURCES,
    depends=["setup.py", *HEADERS],
    include_dirs=["src/native", numpy.get_include()],
    extra_compile_args=[
        *FLAGS,
        "-pthread",
        "-fvisibility=hidden",
        "-Wall",
        "-Wextra",
        "-Wno-missing-field-initializers",
        "-Wno-psabi",
        "-Wno-cast-function-type",
    ],
    extra_link_args=["-pthread"],
    language="c++",
    optional=WANTED != "1",
)

WITHOUT = """
gradtape is being installed WITHOUT its native kernels: they could not be compiled.
  {error}
It works all the same on NumPy alone, and takes several times as long. To have the kernels, install
a C++17 compiler (Debian, Ubuntu: apt install g++; Fedora: dnf install gcc-c++; macOS: xcode-select
--install), then install gradtape again:
  pip install --force-reinstall --no-deps --no-cache-dir .
`gradtape doctor` says what is in use.
"""


class BuildFresh(build):
    """Builds what is packaged from nothing: no old extension or module is left in there."""

    def run(self):
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


class BuildNative(build_ext):
    """Compiles the changed files at the same time, and says what it means if that fails."""

    def build_extension(self, ext):
        compile_all = self.compiler.compile
        compiler = [*self.compiler.compiler_so, *ext.extra_compile_args, sys.version]

        def compile_changed(source, **options):
            [name] = self.compiler.object_filenames([source], output_dir=options["output_dir"])
            made_of, state = Path(name + ".sha256"), digest(Path(source), compiler)
            if Path(name).exists() and made_of.exists() and made_of.read_text() == state:
                return name
            made_of.unlink(missing_ok=True)
            compile_all([source], **options)
            made_of.write_text(state)
            return name

        def compile_together(sources, **options):
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                return list(pool.map(lambda source: compile_changed(source, **options), sources))

        self.compiler.compile = compile_together
        self.force = True  # time stamps do not tell whether the last one is of these sources
        try:
            super().build_extension(ext)
        except (errors.CCompilerError, errors.ExecError, errors.PlatformError) as error:
            if not ext.optional:
                raise
            tell(WITHOUT.format(error=error))


def digest(source, compiler):
    """Return a hash of all that an object file is made of."""
    hashed = hashlib.sha256("\0".join([*compiler, numpy.__version__]).encode())
    files = [source]
    for file in files:  # and those that it includes
        text = file.read_text("utf-8")
        hashed.update(f"{file}\0{text}\0".encode())
        for name in re.findall(r'^#\s*include "(.+)"', text, re.MULTILINE):
            found = [each / name for each in (file.parent, Path("src/native"))]
            files += [path for path in found if path.exists() and path not in files]
    return hashed.hexdigest()


def tell(text):
    """Print a text where the user sees it: pip keeps back what a build prints that goes well."""
    print(text, file=sys.stderr)
    if not sys.stderr.isatty():
        with contextlib.suppress(OSError), open("/dev/tty", "w", encoding="utf-8") as terminal:
            terminal.write(text)


# The vectors are written with GCC's extensions, which Microsoft's compiler has not got.
setup(
    ext_modules=[] if sys.platform == "win32" or WANTED == "0" else [native],
    cmdclass={"build": BuildFresh, "build_ext": BuildNative},
)
