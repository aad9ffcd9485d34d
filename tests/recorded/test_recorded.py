"""The cases give what TensorFlow gave when they were recorded."""

import importlib.util
import json
import pathlib

import pytest

import gradtape as tf


def _record():
    path = pathlib.Path(__file__).with_name("record.py")
    spec = importlib.util.spec_from_file_location("record_cases", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


record = _record()
MODULES = {folder: record.load(folder) for folder in record.FOLDERS}
RECORDED = {
    folder: json.loads(record.recorded(folder).read_text(encoding="utf-8")) for folder in MODULES
}


@pytest.mark.parametrize("folder", MODULES)
def test_every_case_is_recorded(folder):
    assert sorted(MODULES[folder].CASES) == sorted(RECORDED[folder])


@pytest.mark.parametrize(
    ("folder", "name"), [(folder, name) for folder in MODULES for name in MODULES[folder].CASES]
)
def test_case(folder, name, tmp_path):
    cases, expected = MODULES[folder], RECORDED[folder][name]
    record.start(tf)
    if "error" in expected:
        with pytest.raises(Exception) as caught:  # noqa: PT011 (the class is compared below)
            cases.plain(cases.CASES[name](tf, str(tmp_path)))
        assert expected["error"] in [cls.__name__ for cls in type(caught.value).__mro__]
    else:
        actual = json.loads(json.dumps(cases.plain(cases.CASES[name](tf, str(tmp_path)))))
        assert actual == expected["result"]
