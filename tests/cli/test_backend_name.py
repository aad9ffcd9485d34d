"""What `keras.backend.backend()` says to whom: a name whose branch they can run."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.keras
ASKS = """
import keras
def answers():
    return keras.backend.backend(), keras.config.backend()
"""
AS_TENSORFLOW = "('tensorflow', 'tensorflow')"
AS_GRADTAPE = "('gradtape', 'gradtape')"


def plain(folder, text: str, **variables: str) -> str:
    """What plain Python prints of a program."""
    folder.write("plain.py", text)
    finished = subprocess.run(
        [sys.executable, "plain.py"],
        cwd=folder.path,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not finished.returncode, finished.stderr
    return finished.stdout


def test_the_program_and_libraries_that_are_served_are_told_tensorflow(folder):
    for name in ("keras_rs", "keras_other"):
        folder.write(f"venv/site-packages/{name}/__init__.py", ASKS)
    folder.write("own_module.py", ASKS)
    out = folder.prints(
        """
        import keras_rs, keras_other, own_module
        import tensorflow as tf
        for module in (keras_rs, keras_other, own_module):
            print(module.__name__, module.answers())
        print(tf.keras.backend.backend(), tf.keras.config.backend())
        """,
        path=str(folder.path / "venv" / "site-packages"),
    )
    assert out.splitlines() == [
        f"keras_rs {AS_TENSORFLOW}",
        f"keras_other {AS_GRADTAPE}",
        f"own_module {AS_TENSORFLOW}",
        "tensorflow tensorflow",
    ]


def test_keras_that_was_loaded_before_answers_so_from_then_on(folder):
    text = (
        "import gradtape, keras\nprint(keras.backend.backend())\n"
        "import gradtape.tensorflow\nprint(keras.backend.backend())"
    )
    assert plain(folder, text, KERAS_BACKEND="gradtape") == "gradtape\ntensorflow\n"


def test_programs_for_gradtape_are_told_gradtape(folder):
    text = "import gradtape as tf\nprint(tf.keras.backend.backend(), tf.keras.config.backend())"
    assert plain(folder, text) == "gradtape gradtape\n"


def test_a_program_for_several_backends_takes_its_branch_for_tensorflow(folder):
    out = folder.prints(
        """
        import keras
        import numpy as np

        class Model(keras.Model):
            def __init__(self):
                super().__init__()
                self.dense = keras.layers.Dense(1, kernel_initializer="ones")

            def call(self, x):
                return self.dense(x)

            def train_step(self, *data):
                if keras.backend.backend() == "tensorflow":
                    return self._step_of_tensorflow(*data)
                raise RuntimeError("no branch for this backend")

            def _step_of_tensorflow(self, data):
                import tensorflow as tf
                x, y = data
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean((self(x, training=True) - y) ** 2)
                gradients = tape.gradient(loss, self.trainable_weights)
                self.optimizer.apply(gradients, self.trainable_weights)
                return {"error": loss}

        model = Model()
        model.compile(keras.optimizers.SGD(0.1))
        history = model.fit(np.ones([4, 2]), np.zeros([4, 1]), epochs=2, verbose=0)
        print(np.round(history.history["error"], 3))
        """
    )
    assert out == "[4.   0.64]\n"
