"""Names of TensorFlow 1: they say what to write, and work where gradtape is TensorFlow."""

import re
import subprocess
import sys

import pytest

import gradtape as tf
from gradtape.api.compat import old_names
from gradtape.api.compat.v1_tables import OLD_NAMES, PRESENT


def find(path: str):
    value = tf
    for part in path.split("."):
        value = getattr(value, part)
    return value


@pytest.mark.parametrize(
    ("name", "spelling"),
    [
        ("log", "tf.math.log"),
        ("mul", "tf.multiply"),
        ("random_normal", "tf.random.normal"),
        ("assign", r"variable.assign\(value\)"),
        ("to_float", r"tf.cast\(x, tf.float32\)"),
        ("train.AdamOptimizer", "tf.keras.optimizers.Adam"),
        ("placeholder", "a function with a parameter in its place"),
        ("Session", "nothing: ops run at once"),
        ("gfile", "tf.io.gfile"),
        ("app", "absl.app"),
        ("get_collection", "tf.compat.v1.get_collection"),
        ("enable_eager_execution", "nothing: it is so from the start"),
    ],
)
def test_an_error_names_the_present_spelling(name, spelling):
    text = f"tf.{name} is a name of TensorFlow 1. Write {spelling}"
    with pytest.raises(AttributeError, match=text):
        find(name)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("contrib", "tf.contrib ended with TensorFlow 1"),
        ("layers", "Write tf.keras.layers"),
        ("estimator", "Write tf.keras.Model"),
        ("get_default_graph", "has no graph to get"),
    ],
)
def test_what_ended_says_so(name, words):
    with pytest.raises(AttributeError, match=words):
        find(name)


def spellings() -> dict[str, str]:
    tables = (old_names._ANCIENT, old_names._PRESENT, old_names._NAMESPACES, OLD_NAMES, PRESENT)
    names = {name for table in tables for name in table}
    return {name: old_names.present_spelling(name) or "" for name in sorted(names)}


@pytest.mark.keras
def test_every_spelling_names_something_that_exists():
    texts = [*spellings().values(), *old_names._ENDED.values()]
    mentioned = {name for text in texts for name in re.findall(r"\btf\.([\w.]*\w)", text)}
    ended = {"contrib", "layers", "estimator", "get_default_graph"}
    assert len(mentioned) > 100
    for name in sorted(mentioned - ended):
        find(name)


def test_every_old_name_leads_somewhere():
    for name in spellings():
        if name not in old_names._ANCIENT:
            find(f"compat.v1.{name}")


def test_other_missing_names_are_errors_as_before():
    with pytest.raises(AttributeError, match=r"has no attribute 'sqr'\. Did you mean: 'sqrt'"):
        find("sqr")


def test_version_two_is_the_package_itself():
    assert tf.compat.v2 is tf
    assert tf.compat.v2.compat.v2.math is tf.math


PROGRAM = """
import gradtape.tensorflow
import tensorflow as tf
v = tf.Variable(4.0)
for _ in range(2):
    tf.assign_add(v, 1.0)
print(float(tf.log(tf.to_float(1))), v.numpy(), tf.gfile.Exists("/"))
flags = tf.app.flags
flags.DEFINE_integer("n", 3, "a number")
optimizer = tf.train.GradientDescentOptimizer(0.5)
optimizer.minimize(lambda: v * v)
print(v.numpy(), tf.compat.v2 is tf)
tf.logging.info("nothing")
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as session:
    session.run(v, feed_dict={"x": 1.0})
"""


def test_under_the_name_of_tensorflow_they_work_with_one_notice_each(tmp_path):
    file = tmp_path / "old.py"
    file.write_text(PROGRAM, "utf-8")
    finished = subprocess.run(
        [sys.executable, str(file)], capture_output=True, text=True, check=False
    )
    assert finished.stdout == "0.0 6.0 True\n0.0 True\n"
    notices = [line for line in finished.stderr.splitlines() if "FutureWarning" in line]
    assert [line.partition("FutureWarning: tf.")[2].split()[0] for line in notices] == (
        "assign_add log to_float gfile app train.GradientDescentOptimizer logging ConfigProto "
        "Session".split()
    )
    assert notices[0].startswith(f"{file}:6: ")
    assert notices[1].endswith("tf.log is a name of TensorFlow 1. Write tf.math.log.")
    assert "RuntimeError: Session.run: gradtape runs every op at once" in finished.stderr
    assert "make the computation a function of what feed_dict has" in finished.stderr


def test_placeholders_say_what_to_write():
    with pytest.raises(RuntimeError, match="Write a function with a parameter in its place"):
        tf.compat.v1.placeholder(tf.float32, [None])


def test_a_loss_must_be_a_function():
    optimizer = tf.compat.v1.train.AdamOptimizer()
    with pytest.raises(RuntimeError, match="should be a function when eager execution is enabled"):
        optimizer.minimize(tf.constant(1.0))


def test_optimizers_without_gradients():
    v = tf.Variable(1.0, name="v")
    optimizer = tf.compat.v1.train.AdamOptimizer()
    with pytest.raises(ValueError, match="No gradients provided for any variable"):
        optimizer.apply_gradients([(None, v)])
    with pytest.raises(ValueError, match="No variables provided"):
        optimizer.apply_gradients([])
    with pytest.raises(ValueError, match="No gradients provided for any variable"):
        optimizer.minimize(lambda: tf.constant(1.0), var_list=[v])
    with pytest.raises(ValueError, match="must be positive"):
        tf.compat.v1.train.AdagradOptimizer(0.1, 0.0)


def test_an_optimizer_in_a_function():
    v = tf.Variable(2.0)
    optimizer = tf.compat.v1.train.GradientDescentOptimizer(0.25)

    @tf.function
    def step():
        optimizer.minimize(lambda: v * v, var_list=[v])

    step()
    step()
    assert v.numpy() == 0.5


def test_variables_by_name():
    v1 = tf.compat.v1
    with v1.variable_scope("a") as scope:
        first = v1.get_variable("w", [2, 3])
        assert v1.get_variable("w", [2, 3]) is not first
    with v1.variable_scope(scope, reuse=True):
        assert v1.get_variable("w", [1]).name == "a/w:0"
    assert v1.get_variable_scope().name == ""
    limit = (6 / 5) ** 0.5
    assert float(tf.reduce_max(tf.abs(first))) <= limit
    with pytest.raises(ValueError, match="x did not get an initializer, so its `shape`"):
        v1.get_variable("x")
    assert not v1.get_local_variable("l", [2]).trainable
    assert v1.global_variables() == []


def test_the_global_step():
    train = tf.compat.v1.train
    step = train.get_or_create_global_step()
    assert train.get_or_create_global_step() is step is train.get_global_step()
    with pytest.raises(ValueError, match="already exists"):
        train.create_global_step()


def test_a_reduction_that_does_not_exist():
    with pytest.raises(ValueError, match="Invalid Reduction Key mean"):
        tf.compat.v1.losses.mean_squared_error([1.0], [2.0], reduction="mean")
    with pytest.raises(TypeError, match=r"losses\.huber_loss: unknown arguments epsilon"):
        tf.compat.v1.losses.huber_loss([1.0], [2.0], epsilon=1.0)


def test_rates_in_a_function_are_tensors():
    @tf.function
    def rate(step):
        return tf.compat.v1.train.exponential_decay(0.5, step, 1, 0.5)

    assert rate(tf.constant(1)).numpy() == 0.25
    with pytest.raises(ValueError, match="1 less than the length of values"):
        tf.compat.v1.train.piecewise_constant(1, [2], [0.1])()
