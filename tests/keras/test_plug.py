"""How Keras gets its backend: lazily, under its own name, or with an error that says what to do."""

import json
import os
import subprocess
import sys
import textwrap
import types

import pytest

import gradtape.keras_plug as keras_plug
from tests.import_calls import calls_of


def python(program: str, **variables: str) -> str:
    environment = {**os.environ, **variables}
    command = [sys.executable, "-c", textwrap.dedent(program)]
    finished = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def test_keras_runs_on_gradtape(keras):
    assert keras.backend.backend() == "gradtape"


def test_keras_is_loaded_by_the_first_use_and_nothing_heavy_with_it():
    result = json.loads(
        python(
            """
            import json, sys, gradtape
            before = "keras" in sys.modules
            name = gradtape.keras.backend.backend()
            heavy = [m for m in ("jax", "tensorflow", "torch", "scipy") if m in sys.modules]
            print(json.dumps([before, name, heavy]))
            """
        )
    )
    assert result == [False, "gradtape", []]


def test_the_start_does_little(tmp_path):
    numpy = calls_of("import numpy", tmp_path)
    assert calls_of("import gradtape; gradtape.keras", tmp_path) <= 6 * numpy


def test_hdf5_is_loaded_when_it_is_used():
    program = """
        import sys, types, gradtape
        gradtape.keras
        print(type(sys.modules["h5py"]) is types.ModuleType)
        import h5py
        print(h5py.File is not None, type(sys.modules["h5py"]) is types.ModuleType)
        """
    assert python(program).split() == ["False", "True", "True"]


@pytest.mark.parametrize("name", ["losses", "metrics", "optimizers", "initializers"])
def test_what_tensorflow_takes_from_keras_is_there(keras, name):
    import gradtape

    assert getattr(gradtape, name) is getattr(keras, name)


def test_unknown_names_are_attribute_errors():
    import gradtape

    with pytest.raises(AttributeError, match="module 'gradtape' has no attribute 'kera'"):
        gradtape.kera  # noqa: B018


def test_submodules_can_be_imported_and_are_the_same_modules(keras):
    import gradtape.keras.layers as layers
    import keras as plain
    from gradtape.keras.models import Sequential

    assert layers is keras.layers
    assert layers.Dense is plain.layers.Dense
    assert Sequential is plain.Sequential
    assert layers.__spec__.name == "keras._tf_keras.keras.layers"


def test_the_choice_of_backend_is_not_handed_to_other_programs():
    program = "import gradtape, os; gradtape.keras; print(os.environ.get('KERAS_BACKEND'))"
    assert python(program, KERAS_BACKEND="jax") == "jax\n"


def test_keras_with_another_backend_is_an_error(monkeypatch):
    monkeypatch.setattr(sys, "meta_path", [])
    other = types.SimpleNamespace(backend=lambda: "tensorflow")
    monkeypatch.setitem(sys.modules, "keras.src.backend.config", other)
    with pytest.raises(
        ImportError, match=r"imported already, with the backend 'tensorflow'.*Use gradtape\.keras"
    ):
        keras_plug.install()


@pytest.mark.parametrize("version", ["2.15.0", "3.11.3", "3.16.0", "4.0.0.dev1"])
def test_keras_of_another_version_is_an_error(monkeypatch, version):
    monkeypatch.setattr(keras_plug, "_installed_version", lambda: version)
    with pytest.raises(ImportError, match=rf"does not work with Keras {version}\. Supported are"):
        keras_plug._check_version()


@pytest.mark.parametrize("version", ["3.15.0", "3.15.1", "3.15.2rc1"])
def test_supported_versions_pass(monkeypatch, version):
    monkeypatch.setattr(keras_plug, "_installed_version", lambda: version)
    keras_plug._check_version()


def test_the_installed_version_is_found(keras):
    import keras as plain

    assert keras_plug._installed_version() == plain.__version__


def test_missing_keras_is_an_error(monkeypatch):
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(ImportError, match=r'not installed: pip install "keras>=3\.15,<3\.16"'):
        keras_plug._check_version()


def test_a_keras_that_chooses_otherwise_is_an_error():
    with pytest.raises(ImportError, match=r"chooses its backend in 0 places instead of one"):
        keras_plug.with_branch("keras.src.layers.layer", "from keras import magic\n", "layer.py")


def test_the_branch_comes_first_and_the_rest_stays():
    source = textwrap.dedent(
        """
        from x import backend
        if backend() == "jax":
            found = 1
        elif backend() == "torch":
            found = 2
        else:
            raise RuntimeError
        """
    )
    code = keras_plug.with_branch("keras.src.layers.layer", source, "layer.py")
    for name, expected in (("jax", 1), ("torch", 2)):
        names = {
            "__builtins__": {
                "__import__": lambda *a, n=name: types.SimpleNamespace(backend=lambda: n)
            }
        }
        exec(code, names)
        assert names["found"] == expected


def test_lines_keep_their_numbers(keras):
    import inspect

    from keras.src.layers import layer
    from keras.src.models import model

    for function in (layer.Layer.__call__, model.Model.summary):
        code = inspect.unwrap(function).__code__
        with open(code.co_filename, encoding="utf-8") as file:
            lines = file.readlines()
        text = "".join(lines[code.co_firstlineno - 1 : code.co_firstlineno + 3])
        assert f"def {code.co_name}(" in text


def test_dynamic_backend_knows_gradtape(keras):
    from keras.src.utils.backend_utils import DynamicBackend

    backend = DynamicBackend()
    backend.set_backend("gradtape")
    assert backend.name == "gradtape"
    assert float(backend.numpy.add(1.0, 2.0)) == 3.0
    with pytest.raises(ValueError, match="Available backends"):
        backend.set_backend("abacus")


def test_double_precision_is_kept(keras):
    from keras.src.backend import result_type

    assert result_type("float64", "float32") == "float64"
    assert result_type("int64", "int32") == "int32"


def test_export_writes_a_saved_model(keras, tmp_path):
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.export(str(tmp_path), verbose=False)
    assert (tmp_path / "saved_model.pb").exists()


def test_a_file_of_the_program_that_hides_keras_is_named(tmp_path, monkeypatch):
    (tmp_path / "keras.py").write_text("model = None", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    said = r"`import keras` finds .*keras\.py, which is not Keras: give that file another name"
    with pytest.raises(ImportError, match=said):
        keras_plug._check_version()
