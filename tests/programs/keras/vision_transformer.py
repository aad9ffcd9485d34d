"""A vision transformer: patches, positions, attention blocks, augmentation, decoupled decay."""

import json

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(111)
rng = np.random.default_rng(111)
IMAGE, PATCH, DIM, HEADS = 12, 4, 16, 2
PATCHES = (IMAGE // PATCH) ** 2
x_train = rng.uniform(0, 255, size=(32, 12, 12, 3)).astype("float32")
y_train = (x_train.mean((1, 2)).argmax(1)).reshape(-1, 1)

data_augmentation = keras.Sequential(
    [layers.Normalization(), layers.Resizing(IMAGE, IMAGE), layers.Rescaling(1.0)],
    name="data_augmentation",
)
data_augmentation.layers[0].adapt(x_train)


def mlp(x, hidden_units, dropout_rate):
    for units in hidden_units:
        x = layers.Dense(units, activation=keras.activations.gelu)(x)
        x = layers.Dropout(dropout_rate)(x)
    return x


class Patches(layers.Layer):
    def __init__(self, patch_size):
        super().__init__()
        self.patch_size = patch_size

    def call(self, images):
        batch_size = tf.shape(images)[0]
        patches = tf.image.extract_patches(
            images=images,
            sizes=[1, self.patch_size, self.patch_size, 1],
            strides=[1, self.patch_size, self.patch_size, 1],
            rates=[1, 1, 1, 1],
            padding="VALID",
        )
        return tf.reshape(patches, [batch_size, -1, patches.shape[-1]])

    def compute_output_shape(self, shape):
        return (shape[0], PATCHES, self.patch_size**2 * 3)


class PatchEncoder(layers.Layer):
    def __init__(self, num_patches, projection_dim):
        super().__init__()
        self.num_patches = num_patches
        self.projection = layers.Dense(units=projection_dim)
        self.position_embedding = layers.Embedding(input_dim=num_patches, output_dim=projection_dim)

    def call(self, patch):
        positions = tf.range(start=0, limit=self.num_patches, delta=1)
        return self.projection(patch) + self.position_embedding(positions)


def create_vit_classifier():
    inputs = layers.Input(shape=(12, 12, 3))
    augmented = data_augmentation(inputs)
    patches = Patches(PATCH)(augmented)
    encoded = PatchEncoder(PATCHES, DIM)(patches)
    for _ in range(2):
        x1 = layers.LayerNormalization(epsilon=1e-6)(encoded)
        attention = layers.MultiHeadAttention(num_heads=HEADS, key_dim=DIM, dropout=0.1)(x1, x1)
        x2 = layers.Add()([attention, encoded])
        x3 = layers.LayerNormalization(epsilon=1e-6)(x2)
        x3 = mlp(x3, hidden_units=[2 * DIM, DIM], dropout_rate=0.1)
        encoded = layers.Add()([x3, x2])
    representation = layers.LayerNormalization(epsilon=1e-6)(encoded)
    representation = layers.Flatten()(representation)
    representation = layers.Dropout(0.5)(representation)
    features = mlp(representation, hidden_units=[32, 16], dropout_rate=0.5)
    return keras.Model(inputs=inputs, outputs=layers.Dense(3)(features))


model = create_vit_classifier()
model.compile(
    optimizer=keras.optimizers.AdamW(learning_rate=0.001, weight_decay=0.0001),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=[
        keras.metrics.SparseCategoricalAccuracy(name="accuracy"),
        keras.metrics.SparseTopKCategoricalAccuracy(2, name="top-2-accuracy"),
    ],
)
history = model.fit(
    x_train, y_train, batch_size=8, epochs=2, validation_split=0.25, shuffle=False, verbose=0
)
evaluated = model.evaluate(x_train, y_train, verbose=0, return_dict=True)
warm = keras.optimizers.schedules.CosineDecay(0.0, 20, warmup_target=0.01, warmup_steps=5)
print(
    json.dumps(
        {
            "loss": history.history["loss"],
            "val_loss": history.history["val_loss"],
            "top": history.history["top-2-accuracy"],
            "evaluated": evaluated["loss"],
            "rates": [float(warm(step)) for step in (0, 3, 5, 12, 20)],
            "patches": Patches(PATCH)(x_train[:1]).numpy()[0, 0, :4].tolist(),
            "parameters": model.count_params(),
        }
    )
)
