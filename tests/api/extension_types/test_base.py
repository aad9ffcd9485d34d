"""Classes of composite values: fields, conversion, constructors, comparison. Values and texts are
TensorFlow's."""

import copy
import pickle
import typing

import pytest

import gradtape as tf

ExtensionType = tf.experimental.ExtensionType


class Masked(ExtensionType):
    values: tf.Tensor
    mask: tf.Tensor


class Store(ExtensionType):
    name: str
    prices: typing.Mapping[str, tf.Tensor]
    parts: tuple[Masked, ...] = ()
    best: Masked | None = None


def test_fields_are_converted():
    store = Store("a", {"x": 1, "y": [2.0]}, [Masked(1, True)])
    assert isinstance(store.prices["x"], tf.Tensor)
    assert store.prices["y"].dtype is tf.float32
    assert isinstance(store.parts, tuple)
    assert store.best is None
    assert repr(Masked(1, True)) == (
        "Masked(values=<tf.Tensor: shape=(), dtype=int32, numpy=1>, "
        "mask=<tf.Tensor: shape=(), dtype=bool, numpy=True>)"
    )
    assert repr(store.prices).startswith("ImmutableDict({'x': <tf.Tensor")
    with pytest.raises(TypeError, match="does not support item assignment"):
        store.prices["x"] = 2


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: Masked([1, 2], None), TypeError, "mask: expected a Tensor, got 'NoneType'"),
        (lambda: Store(1, {}), TypeError, "name: expected 'str', got 'int'"),
        (lambda: Store("a", 3), TypeError, "prices: expected mapping, got 'int'"),
        (lambda: Store("a", {1: 2}), TypeError, r"prices\[<key>\]: expected 'str', got 'int'"),
        (lambda: Store("a", {}, [3]), TypeError, r"parts\[0\]: expected 'Masked', got 'int'"),
        (lambda: Store("a", {}, (), 3), TypeError, "best: expected .*Masked.*, got 'int'"),
        (lambda: Masked(1), TypeError, "missing a required argument: 'mask'"),
        (ExtensionType, AssertionError, "ExtensionType is an abstract base class"),
    ],
)
def test_a_wrong_argument_is_named(make, error, text):
    with pytest.raises(error, match=text):
        make()


def test_values_are_not_changed():
    value = Masked(1, True)
    text = "Cannot mutate attribute `mask` outside the custom constructor of ExtensionType."
    with pytest.raises(AttributeError, match=text):
        value.mask = 3
    with pytest.raises(AttributeError, match=text):
        del value.mask
    with pytest.raises(TypeError, match="unhashable"):
        hash(value)


def test_defaults_and_fields_by_name():
    class Pencil(ExtensionType):
        color: str = "black"
        length: tf.Tensor = 1.0
        weight: tf.Tensor  # after one with a default: by name

    pencil = Pencil(weight=2)
    assert (pencil.color, float(pencil.length), int(pencil.weight)) == ("black", 1.0, 2)
    with pytest.raises(TypeError, match="too many positional arguments"):
        Pencil("red", 1.0, 2)
    with pytest.raises(TypeError, match="default value for n: expected 'int', got 'str'"):
        type("Bad", (ExtensionType,), {"__annotations__": {"n": int}, "n": "a"})


def test_a_constructor_of_its_own_sets_fields_and_is_checked():
    class Toy(ExtensionType):
        name: str
        price: tf.Tensor

        def __init__(self, name, price, discount=0.0):
            self.name = name
            self.price = price * (1 - discount)

        def __validate__(self):
            assert self.price.shape.rank == 0, "a number"

    assert float(Toy("ball", 5.0, 0.5).price) == 2.5
    with pytest.raises(AssertionError, match="a number"):
        Toy("ball", tf.constant([5.0]))

    class Forgets(ExtensionType):
        x: tf.Tensor

        def __init__(self):
            pass

    with pytest.raises(ValueError, match=r"Missing required fields: \{'x'\}"):
        Forgets()


def test_comparison_is_by_value():
    one, same, other = Masked([1, 2], True), Masked([1, 2], True), Masked([1, 3], True)
    assert isinstance(one == same, tf.Tensor)
    assert bool(one == same)
    assert not bool(one != same)
    assert not bool(one == other)
    assert (one == Masked([1], True)) is False
    assert (one == 3) is False
    assert (one != 3) is True


@pytest.mark.parametrize(
    ("body", "error", "text"),
    [
        ({"__annotations__": {"x": list}}, TypeError, "In field 'x': Unsupported type annotation"),
        ({"__annotations__": {"Spec": int}}, ValueError, "Field 'Spec' is reserved"),
        ({"x": 3}, ValueError, "Field x is missing a type annotation"),
        ({"Spec": 3}, ValueError, "Spec must be a nested class; got 3"),
        ({"__batch_encoder__": 3}, ValueError, "only be defined for BatchableExtensionType"),
        (
            {"__annotations__": {"x": typing.Mapping[tf.Tensor, int]}},
            TypeError,
            "Mapping had a key 'Tensor'",
        ),
        (
            {"__annotations__": {"x": int}, "Spec": type("Spec", (), {"x": 3})},
            ValueError,
            "defines a variable 'x' which shadows a field",
        ),
    ],
)
def test_a_wrong_class_is_refused(body, error, text):
    with pytest.raises(error, match=text):
        type("Bad", (ExtensionType,), body)


class Node(ExtensionType):
    value: tf.Tensor
    children: tuple["Node", ...] = ()


def test_a_class_may_name_itself():
    node = Node(3, [Node(5), Node(2)])
    assert [int(child.value) for child in node.children] == [5, 2]


def test_subclasses_have_the_fields_of_their_base():
    class Weighted(Masked):
        weight: tf.Tensor

    weighted = Weighted([1], [True], 0.5)
    assert isinstance(weighted, Masked)
    assert list(tf.experimental.extension_type.as_dict(weighted)) == ["values", "mask", "weight"]


def test_copies():
    value = Store("a", {"x": 1}, [Masked(1, True)])
    assert bool(copy.copy(value) == value)
    assert bool(copy.deepcopy(value) == value)
    spec = tf.type_spec_from_value(value)
    assert pickle.loads(pickle.dumps(spec)) == spec
