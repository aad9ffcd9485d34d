"""An LSTM that tells kind sentences from unkind ones, in a training loop of its own.

The sentences are made up from word lists; "not" turns a sentence around, so that counting words is
not enough and the order matters.
"""

import numpy as np

import gradtape as tf
from gradtape import keras

KIND = "good lovely fine great pleasant bright warm".split()
UNKIND = "bad awful poor sad bleak cold nasty".split()
FILLING = "the a day film meal was quite rather very and so".split()
WORDS = ["", "not", *KIND, *UNKIND, *FILLING]
LENGTH = 10


def sentences(count, random):
    """Numbers of words, 0 being nothing, and 1 for kind sentences, 0 for unkind ones."""
    texts = np.zeros((count, LENGTH), "int32")
    kind = random.integers(0, 2, count)
    for row, is_kind in zip(texts, kind, strict=True):
        turned = random.random() < 0.5
        word = random.choice(KIND if is_kind != turned else UNKIND)
        text = list(random.choice(FILLING, random.integers(2, LENGTH - 2)))
        position = random.integers(0, len(text) + 1)
        text[position:position] = ["not", word] if turned else [word]
        row[: len(text)] = [WORDS.index(word) for word in text]
    return texts, kind.astype("float32")[:, None]


def build():
    layers = keras.layers
    return keras.Sequential(
        [
            layers.Embedding(len(WORDS), 8, mask_zero=True),
            layers.LSTM(16),
            layers.Dense(1),
        ]
    )


def main(epochs=12, batch=32, verbose=True):
    keras.utils.set_random_seed(1)
    random = np.random.default_rng(1)
    x, y = sentences(640, random)
    x_test, y_test = sentences(200, random)
    model = build()
    optimizer = keras.optimizers.Adam(0.02)
    loss_function = keras.losses.BinaryCrossentropy(from_logits=True)
    losses = []
    for epoch in range(epochs):
        mean = keras.metrics.Mean()
        for start in range(0, len(x), batch):
            with tf.GradientTape() as tape:
                logits = model(x[start : start + batch], training=True)
                loss = loss_function(y[start : start + batch], logits)
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
            mean.update_state(loss)
        losses.append(float(mean.result()))
        if verbose:
            print(f"epoch {epoch + 1:2}: loss {losses[-1]:.3f}")
    accuracy = float(np.mean((model.predict(x_test, verbose=0) > 0) == (y_test > 0.5)))
    print(f"{100 * accuracy:.1f} % of new sentences are judged right")
    return losses, accuracy


if __name__ == "__main__":
    main()
