"""Names: those that are left out say why, those that do not exist say what is near."""

import importlib
import re
from pathlib import Path

import pytest

import gradtape as tf
from gradtape.api import lazy, left_out
from gradtape.api.export import PUBLIC, Lazy, export
from tools import coverage

ROOT = Path(__file__).parents[2]


def names() -> list[coverage.Name]:
    return coverage.read_names(ROOT / coverage.NAMES)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("experimental.RowPartition", "tf.experimental.RowPartition is left out.*row_splits"),
        ("saved_model.Asset", "tf.lookup.TextFileInitializer"),
        ("compat.v1.get_default_session", "graphs and sessions"),
        ("compat.v1.wrap_function", "graphs and sessions"),
        ("tpu.XLAOptions", "TPUs"),
        ("io.decode_jxl", "JPEG XL"),
        ("raw_ops.MatMul", "the public one"),
        ("lite.TFLiteConverter", "compiler"),
    ],
)
def test_names_that_are_left_out(name, text):
    with pytest.raises(AttributeError, match=text):
        coverage_value(name)


def coverage_value(name: str):
    here = tf
    for part in name.split("."):
        here = getattr(here, part)
    return here


def test_names_that_do_not_exist():
    with pytest.raises(AttributeError, match=r"no attribute 'reduse_sum'. Did you.*'reduce_sum'\?"):
        tf.reduse_sum  # noqa: B018
    with pytest.raises(
        AttributeError, match=r"module 'gradtape.math' has no attribute 'sine'.*'sin"
    ):
        tf.math.sine  # noqa: B018
    assert not hasattr(tf.math, "__wrapped__")
    assert not hasattr(tf, "__nothing__")


def test_no_name_is_both_here_and_left_out():
    listed = {name.path for name in names()}
    both = [name for name in sorted(PUBLIC) if name in listed and left_out.entry(name)]
    assert both == []


MENTIONED = sorted(
    {
        name
        for _, reason, nearest in left_out.LEFT_OUT
        for name in re.findall(r"\btf\.(\w+(?:\.\w+)*)", f"{reason} {nearest}")
    }
)


@pytest.mark.parametrize("name", MENTIONED)
def test_what_is_named_instead_exists(name):
    coverage_value(name)


# What gradtape has: no reason may say that it is missing.
PRESENT = {
    r"(does not|doesn't|never) (trace|compile)": lambda: tf.function(lambda: 1.0)().numpy(),
    r"(is one|no other) (replica|device)": lambda: tf.distribute.MirroredStrategy,
    r"every op at once|tensors have values": lambda: tf.function,
    r"no (graph|profile|checkpoint)": lambda: (tf.graph.print, tf.GradientTape.profile),
}


@pytest.mark.parametrize("pattern", PRESENT)
def test_no_reason_denies_what_is_there(pattern):
    PRESENT[pattern]()
    reasons = [reason for _, reason, _ in left_out.LEFT_OUT]
    assert [reason for reason in reasons if re.search(pattern, reason)] == []


def test_every_parameter_is_named_as_in_tensorflow():
    different = {}
    for name in names():
        if name.path in PUBLIC:
            own = coverage.signature_difference(name, coverage.find(name))
            if own is not None:
                different[name.path] = own
    assert different == {}
    other = coverage.Name("tf", "sin", ["y", "name"], False)
    assert coverage.signature_difference(other, tf.sin) == "x, name"


def test_the_list_is_read_whole():
    listed = names()
    assert len(listed) > 1300
    by_path = {name.path: name for name in listed}
    assert by_path["math.sin"].parameters == ["x", "name"]
    assert by_path["einsum"].parameters == ["equation", "*inputs", "**kwargs"]
    assert by_path["nn.conv2d_transpose"].parameters[:4] == [
        "input",
        "filters",
        "output_shape",
        "strides",
    ]
    assert by_path["TensorArray"].is_class


def test_namespaces_list_their_names():
    assert {"TestCase", "main"} <= set(dir(tf.test))
    assert "sin" in dir(tf.math)


def test_modules_export_the_names_that_were_announced():
    for module, listed in lazy.LATER.items():
        importlib.import_module(f"gradtape.api.{module}")
        for name in listed.split():
            assert not isinstance(PUBLIC[name], Lazy), f"{module} does not export {name}"


def test_a_name_is_given_once():
    with pytest.raises(ValueError, match=r"the public name 'math.sin' is given twice"):
        export("math.sin")(abs)
