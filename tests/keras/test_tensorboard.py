"""`keras.callbacks.TensorBoard` writes event files, with the tags and steps of TensorFlow's."""

import numpy as np
import pytest

from tests.profiler.profiles import clocks_are_off, read_events
from tests.summary.test_summary import read


def trained(keras, folder, **options):
    model = keras.Sequential(
        [keras.Input((4,)), keras.layers.Dense(3, name="d1"), keras.layers.Dense(1, name="d2")],
        name="m",
    )
    model.compile("sgd", "mse", metrics=["mae"])
    x, y = np.ones((8, 4), np.float32), np.ones((8, 1), np.float32)
    callback = keras.callbacks.TensorBoard(folder, **options)
    return model.fit(
        x, y, epochs=2, batch_size=4, verbose=0, validation_data=(x, y), callbacks=[callback]
    )


def summaries(folder) -> dict[str, list[tuple[int, str | None]]]:
    result: dict = {}
    for step, tag, plugin, _, _ in read(folder):
        result.setdefault(tag, []).append((step, plugin))
    return result


def test_scalars_of_each_epoch(keras, tmp_path):
    history = trained(keras, str(tmp_path)).history
    values = {tag: [float(v)] for _, tag, _, _, v in read(tmp_path / "validation") if not v.shape}
    assert set(values) == {
        "epoch_loss",
        "epoch_mae",
        "evaluation_loss_vs_iterations",
        "evaluation_mae_vs_iterations",
    }
    written = [float(v) for _, tag, _, _, v in read(tmp_path / "train") if tag == "epoch_loss"]
    np.testing.assert_allclose(written, history["loss"], rtol=1e-6)
    assert summaries(tmp_path / "train") == {
        "keras": [(0, "graph_keras_model")],
        "epoch_loss": [(0, "scalars"), (1, "scalars")],
        "epoch_mae": [(0, "scalars"), (1, "scalars")],
        "epoch_learning_rate": [(0, "scalars"), (1, "scalars")],
    }


def test_everything_else_that_it_can_write(keras, tmp_path):
    trained(
        keras,
        str(tmp_path),
        histogram_freq=1,
        write_images=True,
        write_steps_per_second=True,
        update_freq="batch",
    )
    result = summaries(tmp_path / "train")
    assert result["batch_loss"] == [(step, "scalars") for step in (1, 2, 3, 4)]
    assert result["batch_steps_per_second"] == [(step, "scalars") for step in (1, 2, 3, 4)]
    assert result["epoch_steps_per_second"] == [(0, "scalars"), (1, "scalars")]
    assert result["m/d1/kernel/histogram"] == [(0, "histograms"), (1, "histograms")]
    assert result["m/d1/kernel/image"] == [(0, "images"), (1, "images")]


def test_the_drawing_is_the_model_s_configuration(keras, tmp_path):
    trained(keras, str(tmp_path))
    ((_, tag, _, _, text), *_) = read(tmp_path / "train")
    model = keras.models.model_from_json(text[()].decode())
    assert tag == "keras"
    assert [layer.name for layer in model.layers] == ["d1", "d2"]


def test_a_model_that_cannot_be_drawn(keras, tmp_path):
    class Odd(keras.Sequential):
        def to_json(self):
            raise TypeError("no text for this one")

    Odd.__name__ = "Sequential"
    model = Odd([keras.Input((1,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    x = np.ones((2, 1), np.float32)
    with pytest.warns(UserWarning, match="Model failed to serialize as JSON.*no text"):
        model.fit(x, x, verbose=0, callbacks=[keras.callbacks.TensorBoard(str(tmp_path))])
    assert "epoch_loss" in summaries(tmp_path / "train")


@pytest.mark.parametrize("eager", [False, True])
def test_profiles_of_batches(keras, tmp_path, eager):
    model = keras.Sequential(
        [keras.Input((4,)), keras.layers.Dense(3, name="d1"), keras.layers.Dense(1, name="d2")],
        name="m",
    )
    model.compile("sgd", "mse", run_eagerly=eager)
    callback = keras.callbacks.TensorBoard(str(tmp_path), profile_batch=(3, 5))
    x, y = np.ones((32, 4), np.float32), np.ones((32, 1), np.float32)
    model.fit(x, y, batch_size=4, verbose=0, callbacks=[callback])
    events = read_events(tmp_path / "train")
    steps = [event for event in events if event.name == "Profiled batch"]
    assert [step.facts["step_num"] for step in steps] == [2, 3, 4]
    for step in steps:
        inside = [e for e in events if step.begin < e.begin and e.end <= step.end]
        if eager:
            assert "m/d1/matmul:MatMul" in [event.name for event in inside]
        else:
            assert inside[0].name == "train_step"
    assert clocks_are_off()


def test_batches_to_profile(keras, tmp_path):
    def batches(value):
        callback = keras.callbacks.TensorBoard(str(tmp_path), profile_batch=value)
        return callback._start_batch, callback._stop_batch

    assert batches("2,4") == (2, 4)
    assert batches(3) == (3, 3)
    assert batches(0) == (0, 0)
    for wrong in (-1, (5, 3), (1, 2, 3), 2.5):
        with pytest.raises(ValueError, match="profile_batch must be a non-negative integer"):
            batches(wrong)


def test_training_that_ends_before_the_last_batch_to_profile(keras, tmp_path):
    trained(keras, str(tmp_path), profile_batch=(2, 100))
    assert read_events(tmp_path / "train")
    assert clocks_are_off()
