"""The cases give what TensorFlow gave when they were recorded."""

import importlib.util
import json
import pathlib

import pytest

import gradtape as tf

HERE = pathlib.Path(__file__).parent


def load(name):
    spec = importlib.util.spec_from_file_location(f"train_{name}", HERE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


cases = load("cases")
RECORDED = json.loads((HERE / "recorded.json").read_text(encoding="utf-8"))


def test_every_case_is_recorded():
    assert sorted(cases.CASES) == sorted(RECORDED)


@pytest.mark.parametrize("name", cases.CASES)
def test_case(name, tmp_path):
    expected = RECORDED[name]
    if "error" in expected:
        with pytest.raises(Exception) as caught:  # noqa: PT011 (the class is compared below)
            cases.plain(cases.CASES[name](tf, str(tmp_path)))
        assert expected["error"] in [cls.__name__ for cls in type(caught.value).__mro__]
    else:
        found = json.loads(json.dumps(cases.plain(cases.CASES[name](tf, str(tmp_path)))))
        assert found == expected["result"]
