"""A Transformer encoder that learns to read a sequence backwards.

Each place of the output must find its word at the other end: attention by position alone.
"""

import numpy as np

from gradtape import keras

WORDS, LENGTH, WIDTH, HEADS = 12, 8, 32, 4


class Positions(keras.layers.Layer):
    """Adds a learned vector for each place of the sequence."""

    def build(self, shape):
        self.table = self.add_weight(shape=shape[-2:], initializer="random_normal", name="table")

    def call(self, x):
        return x + self.table


def encoder(x):
    layers = keras.layers
    attended = layers.MultiHeadAttention(HEADS, WIDTH // HEADS)(x, x)
    x = layers.LayerNormalization()(layers.Add()([x, attended]))
    hidden = layers.Dense(2 * WIDTH, activation="gelu")(x)
    return layers.LayerNormalization()(layers.Add()([x, layers.Dense(WIDTH)(hidden)]))


def build():
    inputs = keras.Input((LENGTH,), dtype="int32")
    x = Positions()(keras.layers.Embedding(WORDS, WIDTH)(inputs))
    for _ in range(2):
        x = encoder(x)
    return keras.Model(inputs, keras.layers.Dense(WORDS)(x))


def main(epochs=12, verbose=2):
    keras.utils.set_random_seed(2)
    random = np.random.default_rng(2)
    x = random.integers(0, WORDS, (1200, LENGTH)).astype("int32")
    y = x[:, ::-1]
    model = build()
    schedule = keras.optimizers.schedules.CosineDecay(0.004, epochs * len(x) // 40)
    model.compile(
        optimizer=keras.optimizers.AdamW(schedule),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    history = model.fit(
        x[:1000],
        y[:1000],
        batch_size=40,
        epochs=epochs,
        validation_data=(x[1000:], y[1000:]),
        verbose=verbose,
    )
    accuracy = history.history["val_accuracy"][-1]
    print(f"{100 * accuracy:.1f} % of the words of new sequences are in their place")
    return history.history["loss"], accuracy


if __name__ == "__main__":
    main()
