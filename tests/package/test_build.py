"""What an installation builds: always from the sources as they are, and without a compiler, too.

With the project's setup.py and pyproject.toml, and an extension of one line in place of the real
one, which takes minutes to compile.
"""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from gradtape.backends.native.kernels import extension

ROOT = Path(__file__).parents[2]
SOURCE = """
#include <Python.h>
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_native"};
PyMODINIT_FUNC PyInit__native() {
    PyObject* module = PyModule_Create(&definition);
    PyModule_AddStringConstant(module, "BUILT", "from the %s source");
    return module;
}
"""
NO_COMPILER = {"CC": "/nowhere/cc", "CXX": "/nowhere/c++"}
needs_compiler = pytest.mark.skipif(extension is None, reason="built where there is no compiler")


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "project"
    (folder / "src/gradtape").mkdir(parents=True)
    (folder / "src/native").mkdir()
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    (folder / "src/gradtape/__init__.py").write_text('__version__ = "0.1.0"\n')
    (folder / "src/native/module.cpp").write_text(SOURCE % "first")
    return folder


def wheel(project: Path, *options: str, **variables: str) -> tuple[dict[str, bytes], str]:
    """The files of a wheel, and what was said."""
    target = project / "wheels"
    shutil.rmtree(target, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "wheel", *options, "--no-build-isolation", "--no-deps"]
    finished = subprocess.run(
        [*command, "--no-cache-dir", "--wheel-dir", str(target), str(project)],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    result = list(target.glob("*.whl")) if target.exists() else []
    said = finished.stdout + finished.stderr
    assert (finished.returncode == 0) == bool(result), said
    if not result:
        return {}, said
    with zipfile.ZipFile(result[0]) as archive:
        return {name: archive.read(name) for name in archive.namelist()}, said


def native_of(files: dict[str, bytes]) -> list[bytes]:
    return [data for name, data in files.items() if name.startswith("gradtape/_native.")]


@needs_compiler
def test_what_is_left_in_build_is_not_packaged(project):
    (project / "src/gradtape/old.py").write_text("")
    files, _ = wheel(project)
    assert "gradtape/old.py" in files
    assert b"from the first source" in native_of(files)[0]
    assert list((project / "build").rglob("_native.*"))  # it would be found again
    (project / "src/gradtape/old.py").unlink()
    # As of an older commit: no time stamp says that it has changed.
    source = project / "src/native/module.cpp"
    source.write_text(SOURCE % "second")
    os.utime(source, (0, 0))
    files, _ = wheel(project)
    assert "gradtape/old.py" not in files
    assert b"from the second source" in native_of(files)[0]


def test_without_a_compiler_it_is_said_what_that_means(project):
    files, said = wheel(project, "--verbose", **NO_COMPILER)
    assert "gradtape/__init__.py" in files
    assert not native_of(files)
    assert "gradtape is being installed WITHOUT its native kernels" in said
    assert "'/nowhere/" in said
    assert "apt install g++" in said
    assert "pip install --force-reinstall --no-deps --no-cache-dir ." in said


@needs_compiler
def test_code_that_does_not_compile_is_said_as_well(project):
    (project / "src/native/module.cpp").write_text("not C++")
    files, said = wheel(project, "--verbose")
    assert not native_of(files)
    assert "WITHOUT its native kernels" in said


def test_the_extension_can_be_demanded(project):
    files, said = wheel(project, GRADTAPE_BUILD_NATIVE="1", **NO_COMPILER)
    assert not files
    assert "/nowhere/" in said


def test_the_extension_can_be_left_out(project):
    files, said = wheel(project, "--verbose", GRADTAPE_BUILD_NATIVE="0")
    assert files
    assert not native_of(files)
    assert "WITHOUT" not in said


def test_built_in_place_without_a_compiler(project):
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    finished = subprocess.run(
        command,
        cwd=project,
        env={**os.environ, **NO_COMPILER},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert "WITHOUT its native kernels" in finished.stderr
    assert not list((project / "src/gradtape").glob("_native.*"))


@needs_compiler
def test_only_what_has_changed_is_compiled_again(project, tmp_path):
    log, wrapper = tmp_path / "log", tmp_path / "c++"
    wrapper.write_text(f'#!/bin/sh\necho "$@" >> {log}\nexec c++ "$@"\n')
    wrapper.chmod(0o755)
    native = project / "src/native"
    (native / "module.cpp").write_text('#include "text.h"\n' + SOURCE % '" TEXT "')
    (native / "other.cpp").write_text("int other() { return 1; }\n")

    def compiled() -> set[str]:
        log.write_text("")
        command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
        subprocess.run(
            command,
            cwd=project,
            env={**os.environ, "CC": str(wrapper), "CXX": str(wrapper)},
            check=True,
        )
        return {Path(word).name for word in log.read_text().split() if word.endswith(".cpp")}

    for text, files in [
        ("first", {"module.cpp", "other.cpp"}),
        ("first", set()),
        ("second", {"module.cpp"}),  # as the header says that it includes
    ]:
        (native / "text.h").write_text(f'#define TEXT "{text}"\n')
        os.utime(native / "text.h", (0, 0))
        assert compiled() == files
        [built] = (project / "src/gradtape").glob("_native.*")
        assert f"from the {text} source".encode() in built.read_bytes()
