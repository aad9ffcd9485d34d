"""The log of gradient health, the Keras callback, and what it draws."""

import sys

import numpy as np
import pytest

import gradtape as tf


def test_readings_of_a_step_by_hand():
    w = tf.Variable([[3.0, 0.0], [4.0, 0.0]], name="w")
    gradient = tf.constant([[1.0, 0.0], [0.0, 0.0]])
    log = tf.health.GradientLog()
    with log.step([w], [gradient]):
        w.assign_sub(0.5 * gradient)
    (reading,) = log.readings
    assert reading.name == "w"
    assert reading.gradient_norm == 1.0
    assert reading.weight_norm == 5.0
    assert reading.update_ratio == pytest.approx(0.1)
    assert reading.dead_units == 0.5


def test_gradients_alone_and_missing_ones():
    log = tf.health.GradientLog()
    x, y = tf.Variable(2.0, name="x"), tf.Variable(1.0, name="y")
    log.record([x, y], [tf.constant(float("nan")), None])
    assert log.readings[0].update_ratio is None
    assert log.readings[1].gradient_norm is None
    assert log.warnings() == [
        "x: its gradient is inf or nan.",
        "y: it has no gradient (None).",
    ]
    assert "Gradient health after 1 step" in str(log)


def test_sparse_gradients():
    table = tf.Variable(np.ones((4, 2), np.float32), name="table")
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.gather(table, [1, 1]))
    log = tf.health.GradientLog()
    log.record([table], [tape.gradient(loss, table)])
    assert log.readings[0].gradient_norm == pytest.approx(np.sqrt(8))


def test_a_step_that_fails_is_not_recorded():
    log = tf.health.GradientLog()
    with pytest.raises(KeyError), log.step([tf.Variable(1.0)], [tf.constant(1.0)]):
        raise KeyError
    assert log.readings == []
    assert str(log) == "Gradient health after 0 steps: nothing recorded."


def test_wrong_arguments():
    log = tf.health.GradientLog()
    with pytest.raises(ValueError, match="1 variables and 2 gradients"):
        log.step([tf.Variable(1.0)], [None, None])
    with pytest.raises(ValueError, match=r"must end in \.html"):
        log.save("health.txt")
    with pytest.raises(ValueError, match="whole number of 1 or more, got 0"):
        tf.health.keras_callback(every=0)


def test_steps_out_of_proportion_are_named():
    log = tf.health.GradientLog()
    w = tf.Variable([1.0, 1.0], name="w")
    with log.step([w], [tf.constant([1.0, 1.0])]):
        w.assign([3.0, 3.0])
    assert "the learning rate may be too high" in log.warnings()[0]


def test_the_drawing_as_a_page(tmp_path):
    log = tf.health.GradientLog()
    w = tf.Variable([1.0, 1.0], name="a<b")
    for k in range(5):
        with log.step([w], [tf.constant([1.0, 0.0])]):
            w.assign_sub([0.01 * k, 0.0])
    log.save(tmp_path / "health.html")
    page = (tmp_path / "health.html").read_text(encoding="utf-8")
    assert "a&lt;b" in page
    assert page.count("<h2>") == 3
    assert "http" not in page


def _log_of_ten_variables() -> "tf.health.GradientLog":
    log = tf.health.GradientLog()
    variables = [tf.Variable([1.0, 2.0], name=f"layer{i}") for i in range(10)]
    for k in range(3):
        gradients = [tf.constant([0.0, 0.1 * i + k]) for i in range(9)] + [None]
        with log.step(variables, gradients):
            for variable in variables[1:]:
                variable.assign_sub([0.0, 0.01])
    return log


def _drawn(log, path):
    pytest.importorskip("matplotlib", reason="drawing an image needs matplotlib, which is optional")
    log.save(path)
    return path.read_bytes()


def test_the_drawing_as_an_image(tmp_path):
    assert _drawn(_log_of_ten_variables(), tmp_path / "health.png").startswith(b"\x89PNG")


def test_the_image_names_every_variable_and_the_warnings(tmp_path):
    import re

    svg = _drawn(_log_of_ten_variables(), tmp_path / "health.svg").decode()
    texts = re.findall(r"<!-- (.*?) -->", svg)  # what matplotlib draws as outlines, it says here
    assert {f"layer{i}" for i in range(10)} <= set(texts)
    assert {"size of the gradient", "share of dead units", "100%"} <= set(texts)
    assert "layer0: 50% of its units have no gradient." in texts


def test_a_variable_has_the_same_color_in_every_chart(tmp_path):
    still, moving = tf.Variable([1.0], name="still"), tf.Variable([1.0], name="moving")
    log = tf.health.GradientLog()
    for _ in range(3):
        with log.step([still, moving], [tf.constant([1.0]), tf.constant([2.0])]):
            moving.assign_sub([0.01])
    svg = _drawn(log, tmp_path / "health.svg").decode()
    # Each has a line in the legend; what never moves has none in the chart of updates.
    assert svg.count("stroke: #2459a6") == 3
    assert svg.count("stroke: #c8553d") == 4


def test_an_empty_log_can_be_drawn(tmp_path):
    assert _drawn(tf.health.GradientLog(), tmp_path / "health.png").startswith(b"\x89PNG")


def test_without_matplotlib_the_remedy_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"needs matplotlib: pip install matplotlib\..*\.html"):
        tf.health.GradientLog().save(tmp_path / "health.png")


@pytest.mark.keras
def test_the_callback_records_while_fitting(tmp_path):
    model = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    path = tmp_path / "health.html"
    callback = tf.health.keras_callback(every=2, path=path)
    x, y = np.ones((16, 3), np.float32), np.ones((16, 1), np.float32)
    model.fit(x, y, batch_size=4, epochs=2, verbose=0, callbacks=[callback])
    assert len(callback.log.readings) == 4 * 4  # every second of 8 steps, 4 variables
    assert callback.log.names[0].endswith("dense/kernel") or "dense" in callback.log.names[0]
    assert all(r.update_ratio is None or r.update_ratio > 0 for r in callback.log.readings)
    assert path.exists()
    assert "apply" not in vars(model.optimizer)
    assert not model.run_eagerly
