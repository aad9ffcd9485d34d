"""What differs between training and inference: dropout, batch normalization, augmentation."""

import json

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import backend as K
from tensorflow.keras import layers

results = {}
keras.utils.set_random_seed(17)
x = tf.constant(np.random.default_rng(17).normal(size=(8, 6)), tf.float32)

dropout = layers.Dropout(0.4, seed=3)
results["dropped"] = [dropout(x, training=True)[0].numpy().tolist() for _ in range(2)]
results["kept"] = bool(tf.reduce_all(dropout(x, training=False) == x))

norm = layers.BatchNormalization(momentum=0.7)
with tf.GradientTape() as tape:
    tape.watch(x)
    loss = tf.reduce_sum(norm(x, training=True) ** 3)
results["batch_gradient"] = tape.gradient(loss, x)[0].numpy().tolist()
results["moving"] = norm.moving_variance.numpy().tolist()
results["inference"] = norm(x, training=False)[0].numpy().tolist()
results["layer_norm"] = layers.LayerNormalization()(x)[1].numpy().tolist()
results["noise"] = layers.GaussianNoise(0.5, seed=4)(x, training=True)[2].numpy().tolist()

model = keras.Sequential(
    [
        keras.Input((6,)),
        layers.Dense(10, kernel_initializer="he_normal", bias_initializer="ones"),
        layers.BatchNormalization(),
        layers.Activation("swish"),
        layers.Dropout(0.3),
        layers.Dense(3, kernel_initializer=keras.initializers.Orthogonal(seed=5)),
    ]
)
results["orthogonal"] = model.layers[-1].kernel[0].numpy().tolist()
optimizer = keras.optimizers.Adam(0.01)
targets = tf.one_hot([0, 1, 2, 0, 1, 2, 0, 1], 3)
losses = []
for _ in range(4):
    with tf.GradientTape() as tape:
        logits = model(x, training=True)
        loss = tf.reduce_mean(
            keras.losses.categorical_crossentropy(
                targets, logits, from_logits=True, label_smoothing=0.1
            )
        )
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    losses.append(loss.numpy().item())
results["losses"] = losses
results["trainable"] = [len(model.trainable_weights), len(model.non_trainable_weights)]
model.trainable = False
results["frozen"] = len(model.trainable_weights)
results["backend"] = [K.epsilon(), K.floatx()]
print(json.dumps(results))
