"""What programs print of functions and of the tensors in them, as TensorFlow 2.21 prints it."""

import gradtape as tf


def scaled(v):
    @tf.function
    def f(x, y=2, *rest, k=None, **kw):
        return {"a": x * v, "b": (x, [y])}

    return f


def test_traced_signatures():
    v = tf.Variable(1.0, name="v")
    f = scaled(v)
    assert f.pretty_printed_concrete_signatures() == ""
    one, two = tf.constant(1.0), tf.constant([1.0])
    f(one, 3)
    f(two, [one, one], tf.constant(1), k={"a": one, "c": None}, z="u")
    captures = f"Captures:\n  {id(v)}: TensorSpec(shape=(), dtype=tf.float32, name='v')"
    assert (
        f.pretty_printed_concrete_signatures()
        == f"""\
Input Parameters:
  x (POSITIONAL_ONLY): TensorSpec(shape=(), dtype=tf.float32, name=None)
  y (POSITIONAL_ONLY): Literal[3]
  k (KEYWORD_ONLY): Literal[None]
Output Type:
  Dict[['a', TensorSpec(shape=(), dtype=tf.float32, name=None)], ['b', Tuple[TensorSpec(shape=(), \
dtype=tf.float32, name=None), List[TensorSpec(shape=(), dtype=tf.int32, name=None)]]]]
{captures}

Input Parameters:
  x (POSITIONAL_ONLY): TensorSpec(shape=(1,), dtype=tf.float32, name=None)
  y (POSITIONAL_ONLY): List[TensorSpec(shape=(), dtype=tf.float32, name=None), \
TensorSpec(shape=(), dtype=tf.float32, name=None)]
  rest_0 (POSITIONAL_ONLY): TensorSpec(shape=(), dtype=tf.int32, name=None)
  k (KEYWORD_ONLY): Dict[['a', TensorSpec(shape=(), dtype=tf.float32, name=None)], \
['c', Literal[None]]]
  z (KEYWORD_ONLY): Literal['u']
Output Type:
  Dict[['a', TensorSpec(shape=(1,), dtype=tf.float32, name=None)], ['b', \
Tuple[TensorSpec(shape=(1,), dtype=tf.float32, name=None), List[List[TensorSpec(shape=(), \
dtype=tf.float32, name=None), TensorSpec(shape=(), dtype=tf.float32, name=None)]]]]]
{captures}"""
    )


def test_objects_among_the_arguments():
    class Options:
        pass

    @tf.function
    def f(x, options):
        return x

    options = Options()
    f(tf.constant(1), options)
    assert "options (POSITIONAL_OR_KEYWORD): Options object" in (
        f.pretty_printed_concrete_signatures()
    )


def test_concrete_function():
    concrete = scaled(tf.Variable(1.0)).get_concrete_function(
        tf.TensorSpec([None, 2], tf.float32, name="abc"), tf.constant(1)
    )
    kind = concrete.function_type
    parameters = (
        "(x: TensorSpec(shape=(None, 2), dtype=tf.float32, name='abc'), y: TensorSpec(shape=(), "
        "dtype=tf.int32, name=None), /, *, k: Literal[None])"
    )
    assert str(kind).startswith(f"{parameters} -> Dict[['a', TensorSpec(shape=(None, 2), ")
    assert repr(concrete).startswith(f"<ConcreteFunction {parameters} -> Dict[")
    assert str(concrete).startswith("ConcreteFunction Input Parameters:\n  x (POSITIONAL_ONLY): ")
    assert concrete.pretty_printed_signature(verbose=False) == str(kind)
    x = kind.parameters["x"]
    assert (list(kind.parameters), x.kind.name, x.optional) == (
        ["x", "y", "k"],
        "POSITIONAL_ONLY",
        False,
    )
    assert x.type_constraint == tf.TensorSpec([None, 2], tf.float32, name="abc")
    assert kind.output["b"][1][0].dtype == tf.int32
    y = concrete.inference_fn(tf.ones([1, 2]), tf.constant(1))["a"]
    assert y.shape == (1, 2)


def test_a_function_without_arguments_and_results():
    concrete = tf.function(lambda: None).get_concrete_function()
    assert str(concrete) == (
        "ConcreteFunction Input Parameters:\nOutput Type:\n  Literal[None]\nCaptures:\n  None"
    )


def test_names_of_tensors():
    seen = []

    @tf.function
    def f(x, y, *rest, k=None):
        total = x + y[0]
        seen.extend([x, *y, *rest, k["a"], total, total + 1.0, tf.split(y[0], 2)[1]])
        return total

    y = [tf.ones(2), tf.ones(2)]
    f(tf.ones(2), y, tf.constant(1), tf.constant(2), k={"a": tf.constant(1.0)})
    names = ["x:0", "y:0", "y_1:0", "rest_0:0", "rest_1:0", "k:0", "add:0", "add_1:0", "split:1"]
    assert [each.name for each in seen] == names
    assert str(seen[0]) == 'Tensor("x:0", shape=(2,), dtype=float32)'
    assert repr(seen[0]) == "<tf.Tensor 'x:0' shape=(2,) dtype=float32>"
    assert f"{seen[6]}" == 'Tensor("add:0", shape=(2,), dtype=float32)'
