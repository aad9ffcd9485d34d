"""A convolutional network that learns handwritten digits, with `fit`.

The program is Keras's as it stands: with `from tensorflow import keras` it runs the same.
"""

from gradtape import keras
from gradtape.datasets import digits


def build():
    layers = keras.layers
    return keras.Sequential(
        [
            keras.Input((8, 8, 1)),
            layers.Rescaling(1 / 16),
            layers.Conv2D(16, 3, padding="same", activation="relu"),
            layers.BatchNormalization(momentum=0.9),
            layers.MaxPooling2D(),
            layers.Conv2D(32, 3, padding="same", activation="relu"),
            layers.GlobalAveragePooling2D(),
            layers.Dropout(0.1),
            layers.Dense(10, activation="softmax"),
        ]
    )


def main(epochs=8, verbose=2):
    keras.utils.set_random_seed(0)
    (x, y), (x_test, y_test) = digits()
    model = build()
    model.compile(
        optimizer=keras.optimizers.Adam(0.005),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    history = model.fit(
        x[..., None].astype("float32"), y, epochs=epochs, validation_split=0.1, verbose=verbose
    )
    _, accuracy = model.evaluate(x_test[..., None].astype("float32"), y_test, verbose=0)
    print(f"{100 * accuracy:.1f} % of the test images are read right")
    return history.history["loss"], accuracy


if __name__ == "__main__":
    main()
