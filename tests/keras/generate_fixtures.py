"""Write the fixtures with Keras on TensorFlow: `python tests/keras/generate_fixtures.py`.

Files that models are saved to, what the models compute, and numbers that follow from a seed.
"""

import os
import sys
from pathlib import Path

os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
sys.path.insert(0, str(Path(__file__).parent))

import keras
import models
import numpy as np
import tensorflow as tf

FOLDER = Path(__file__).parent / "fixtures"
STEPS = 4


def saved_models() -> None:
    for name, make in models.MODELS.items():
        keras.utils.clear_session()
        keras.utils.set_random_seed(11)
        model = models.compiled(make(keras), keras)
        x, y = models.batch(name)
        initial = model.get_weights()
        losses = [model.train_on_batch(x, y)[0] for _ in range(STEPS)]
        model.save(FOLDER / f"{name}.keras")
        model.save_weights(FOLDER / f"{name}.weights.h5")
        model.save(FOLDER / f"{name}.h5")
        optimizer = [v.numpy() for v in model.optimizer.variables]
        after = keras.models.load_model(FOLDER / f"{name}.keras").train_on_batch(x, y)[0]
        np.savez_compressed(
            FOLDER / f"{name}.npz",
            losses=np.array(losses),
            next_loss=after,
            outputs=model(x, training=False).numpy(),
            **{f"initial_{i}": w for i, w in enumerate(initial)},
            **{f"weight_{i}": w for i, w in enumerate(model.get_weights())},
            **{f"optimizer_{i}": w for i, w in enumerate(optimizer)},
        )


def seeded_numbers() -> None:
    result = {}
    for name in models.INITIALIZERS:
        keras.utils.set_random_seed(5)
        result[f"initializer/{name}"] = keras.initializers.get(name)((4, 4)).numpy()
        result[f"seeded/{name}"] = _with_seed(name)((6, 3)).numpy() if name != "identity" else [0]
    for name, (layer, shape) in models.layers_with_weights(keras).items():
        keras.utils.set_random_seed(5)
        layer = layer.__class__.from_config(layer.get_config())
        layer.build(*shape) if isinstance(shape, list) else layer.build(shape)
        for i, weight in enumerate(layer.get_weights()):
            result[f"layer/{name}/{i}"] = weight
    samples = {
        "normal": lambda s: keras.random.normal((3, 5), 1.0, 2.0, seed=s),
        "uniform": lambda s: keras.random.uniform((3, 5), -1.0, 2.0, seed=s),
        "truncated_normal": lambda s: keras.random.truncated_normal((3, 5), seed=s),
        "randint": lambda s: keras.random.randint((3, 5), 2, 90, seed=s),
        "categorical": lambda s: keras.random.categorical(np.zeros((3, 4), "float32"), 5, seed=s),
        "dropout": lambda s: keras.random.dropout(np.ones((4, 6), "float32"), 0.4, seed=s),
        "shuffle": lambda s: keras.random.shuffle(np.arange(12, dtype="float32"), seed=s),
        "gamma": lambda s: keras.random.gamma((3, 5), 2.0, seed=s),
        "binomial": lambda s: keras.random.binomial((3, 5), 9.0, 0.3, seed=s),
        "beta": lambda s: keras.random.beta((3, 5), 2.0, 3.0, seed=s),
    }
    for name, draw in samples.items():
        result[f"random/{name}"] = np.array(draw(123))
        generator = keras.random.SeedGenerator(99)
        draw(generator)
        result[f"second/{name}"] = np.array(draw(generator))
    keras.utils.set_random_seed(21)
    result["global"] = np.stack([keras.random.normal((4,)).numpy() for _ in range(3)])
    np.savez_compressed(FOLDER / "seeds.npz", **result)


def repeated_rows() -> None:
    result = {
        name: models.train_on_repeated_rows(optimizer, tf, keras)
        for name, optimizer in models.row_optimizers(keras).items()
    }
    np.savez_compressed(FOLDER / "rows.npz", **result)


def _with_seed(name: str):
    initializer = keras.initializers.get(name)
    config = initializer.get_config()
    if "seed" in config:
        config["seed"] = 17
    return initializer.__class__.from_config(config)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    saved_models()
    seeded_numbers()
    repeated_rows()
