"""Which installed packages get gradtape as their TensorFlow, and which find none."""

import os
import subprocess
import sys

import pytest

PROBE = """
import importlib, importlib.util, sys
def probe():
    found = ["tensorflow" in sys.modules, importlib.util.find_spec("tensorflow") is not None]
    try:
        import tensorflow as tf
        found.append(tf.__version__)
    except ImportError as error:
        found.append(type(error).__name__)
    try:
        found.append(importlib.import_module("tensorflow").__version__)
    except ImportError as error:
        found.append(type(error).__name__)
    return found
"""
RESULT = "[False, True, '2.21.0', '2.21.0']"
NOT_FOUND = "[False, False, 'ModuleNotFoundError', 'ModuleNotFoundError']"


INSTALLED = ("gpflow", "sonnet", "keras_hub", "transformers", "jax", "einops", "mylib")


@pytest.fixture
def site(folder):
    """Packages that are installed: three made for TensorFlow, and others that look for it."""
    for name in INSTALLED:
        folder.write(f"venv/site-packages/{name}/__init__.py", PROBE)
    return str(folder.path / "venv" / "site-packages")


def python(folder, site: str, text: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """What plain Python makes of a program."""
    folder.write("plain.py", text)
    path = os.pathsep.join(filter(None, [site, os.environ.get("PYTHONPATH")]))
    return subprocess.run(
        [sys.executable, "plain.py"],
        cwd=folder.path,
        env={**os.environ, "PYTHONPATH": path, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


ALL = """
import {first}gpflow, sonnet, keras_hub, transformers, jax, einops, mylib
for package in (gpflow, sonnet, keras_hub, transformers, jax, einops, mylib):
    print(package.__name__, package.probe())
"""
ONLY_LIBRARIES = "".join(
    f"{name} {RESULT if name in INSTALLED[:3] else NOT_FOUND}\n" for name in INSTALLED
)


def test_libraries_made_for_tensorflow_are_served_and_nobody_else(folder, site):
    assert folder.prints(ALL.format(first="tensorflow, "), path=site) == ONLY_LIBRARIES


def test_in_plain_python_after_one_import(folder, site):
    finished = python(folder, site, ALL.format(first="gradtape.tensorflow, tensorflow, "))
    assert (finished.stdout, finished.stderr) == (ONLY_LIBRARIES, "")


def test_a_library_that_the_command_line_names(folder, site):
    folder.write("program.py", "import mylib, jax; print(mylib.probe(), jax.probe())")
    finished = folder.gradtape("run", "--serve", "mylib", "program.py", path=site)
    assert finished.stdout == f"{RESULT} {NOT_FOUND}\n", finished.stderr


@pytest.mark.parametrize("position", ["", "project/"])
def test_a_library_that_the_project_names(folder, site, position):
    folder.write("pyproject.toml", '[tool.gradtape]\nserve = ["mylib"]')
    text = "import mylib, jax; print(mylib.probe(), jax.probe())"
    folder.write(f"{position}program.py", text)
    finished = folder.gradtape("run", f"{position}program.py", path=site)
    assert finished.stdout == f"{RESULT} {NOT_FOUND}\n", finished.stderr
    finished = python(folder, site, f"import gradtape.tensorflow\n{text}")
    assert finished.stdout == f"{RESULT} {NOT_FOUND}\n", finished.stderr


def test_the_nearest_project_counts_and_a_broken_file_is_not_ours(folder, site):
    folder.write("pyproject.toml", '[tool.gradtape]\nserve = ["mylib"]')
    folder.write("inner/pyproject.toml", "[tool.other]")
    folder.write("broken/pyproject.toml", "[[[")
    for position in ("inner", "broken"):
        folder.write(f"{position}/program.py", "import mylib; print(mylib.probe())")
        finished = folder.gradtape("run", f"{position}/program.py", path=site)
        assert finished.stdout == f"{NOT_FOUND}\n", finished.stderr


@pytest.mark.parametrize("value", ['"mylib"', "[1]", "{mylib = 1}"])
def test_a_setting_that_is_no_list_of_names(folder, value):
    folder.write("pyproject.toml", f"[tool.gradtape]\nserve = {value}")
    finished = folder.run("print(1)")
    assert finished.returncode == 2
    assert "[tool.gradtape] serve is " in finished.stderr
    assert 'as in serve = ["gpflow"]' in finished.stderr


def test_children_serve_the_same_libraries(folder, site):
    out = folder.prints(
        """
        import subprocess, sys
        text = "import gpflow, jax; print(gpflow.probe(), jax.probe())"
        subprocess.run([sys.executable, "-c", text], check=True)
        """,
        path=site,
    )
    assert out == f"{RESULT} {NOT_FOUND}\n"


def test_forms_of_the_one_import(folder, site):
    text = """
        import gradtape.tensorflow as tf
        import tensorflow, tensorflow.math
        from tensorflow.nn import relu
        import helper
        import gradtape.tensorflow  # a second time changes nothing
        print(tf is tensorflow is gradtape.tensorflow, helper.probe(), float(relu(2.0)))
        """
    folder.write("helper.py", PROBE)
    finished = python(folder, site, text)
    assert finished.stdout == f"True {RESULT} 2.0\n", finished.stderr


def test_a_program_that_is_run_may_say_it_too(folder):
    text = "import gradtape.tensorflow as tf, tensorflow; print(tf is tensorflow)"
    assert folder.prints(text) == "True\n"


def test_without_that_import_there_is_no_tensorflow(folder):
    finished = python(folder, "", "import gradtape\nimport tensorflow")
    assert finished.stderr.endswith("No module named 'tensorflow'\n")


def test_in_a_notebook(folder, site):
    # What IPython does for `%load_ext gradtape`.
    text = """
        import importlib
        importlib.import_module("gradtape").load_ipython_extension(None)
        import tensorflow as tf, gpflow
        print(tf.__version__, gpflow.probe())
        """
    finished = python(folder, site, text)
    assert finished.stdout == f"2.21.0 {RESULT}\n", finished.stderr


def test_a_library_that_is_not_installed_says_what_to_install(folder):
    finished = folder.run("import sys\nimport sonnet")
    assert finished.returncode == 1
    assert finished.stderr == (
        "program.py:2: sonnet is not installed: pip install --no-deps dm-sonnet, and what else it "
        "imports.\n"
    )


def test_an_installed_companion_that_is_not_served_says_how_to_try(folder):
    folder.write("venv/site-packages/tensorlayer.py", "import tensorflow as tf; x = tf.sqrt(4.0)")
    site = str(folder.path / "venv" / "site-packages")
    finished = folder.run("import tensorlayer", path=site)
    assert "write gradtape run --serve tensorlayer." in finished.stderr
    folder.write("program.py", "import tensorlayer; print(float(tensorlayer.x))")
    finished = folder.gradtape("run", "--serve", "tensorlayer", "program.py", path=site)
    assert finished.stdout == "2.0\n", finished.stderr


@pytest.mark.keras
def test_keras_with_gradtape_as_its_configured_backend(folder):
    text = """
        import gradtape as tf
        import sys
        assert "keras" not in sys.modules
        import keras
        layer = keras.layers.Dense(2)
        print(keras.backend.backend(), layer(tf.ones([1, 3])).shape)
        print(tf.keras.layers.Dense is keras.layers.Dense, keras.metrics.Mean().reset_states())
        """
    finished = python(folder, "", text, KERAS_BACKEND="gradtape")
    assert finished.stdout == "gradtape (1, 2)\nTrue None\n", finished.stderr


def test_keras_with_another_configured_backend_is_left_alone(folder):
    text = "import gradtape, sys; print('gradtape.keras_plug' in sys.modules)"
    finished = python(folder, "", text, KERAS_BACKEND="numpy")
    assert finished.stdout == "False\n", finished.stderr


def test_keras_that_does_not_fit_says_so_when_it_is_imported(folder):
    folder.write("venv/site-packages/keras/__init__.py", "__version__ = '2.9.0'")
    site = str(folder.path / "venv" / "site-packages")
    text = "import gradtape\nprint('light')\nimport keras"
    finished = python(folder, site, text, KERAS_BACKEND="gradtape")
    assert finished.stdout == "light\n"
    assert "gradtape.keras does not work with Keras 2.9.0." in finished.stderr
