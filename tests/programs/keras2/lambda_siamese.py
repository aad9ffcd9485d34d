"""Siamese net: a shared base, Lambda distances with K, contrastive loss, acc by a threshold."""

import json

import numpy as np
from tensorflow.keras import backend as K
from tensorflow.keras.layers import Dense, Dropout, Flatten, Input, Lambda
from tensorflow.keras.models import Model
from tensorflow.keras.optimizers import RMSprop


def euclidean_distance(vects):
    x, y = vects
    sum_square = K.sum(K.square(x - y), axis=1, keepdims=True)
    return K.sqrt(K.maximum(sum_square, K.epsilon()))


def eucl_dist_output_shape(shapes):
    shape1, shape2 = shapes
    return (shape1[0], 1)


def contrastive_loss(y_true, y_pred):
    margin = 1
    square_pred = K.square(y_pred)
    margin_square = K.square(K.maximum(margin - y_pred, 0))
    return K.mean(y_true * square_pred + (1 - y_true) * margin_square)


def create_base_network(input_shape):
    input = Input(shape=input_shape)
    x = Flatten()(input)
    x = Dense(10, activation="relu")(x)
    x = Dropout(0.0)(x)
    x = Dense(4, activation="relu")(x)
    return Model(input, x)


rng = np.random.RandomState(23)
base_network = create_base_network((3, 3))
base_network.set_weights([rng.normal(0, 0.4, w.shape) for w in base_network.get_weights()])
input_a, input_b = Input(shape=(3, 3)), Input(shape=(3, 3))
processed_a, processed_b = base_network(input_a), base_network(input_b)
distance = Lambda(euclidean_distance, output_shape=eucl_dist_output_shape)(
    [processed_a, processed_b]
)
model = Model([input_a, input_b], distance)
pairs = rng.rand(24, 2, 3, 3).astype("float32")
labels = np.tile([1.0, 0.0], 12).astype("float32")
pairs[::2, 1] = pairs[::2, 0] + 0.05 * rng.rand(12, 3, 3)
model.compile(loss=contrastive_loss, optimizer=RMSprop(), metrics=["mse"])
history = model.fit(
    [pairs[:, 0], pairs[:, 1]], labels, batch_size=8, epochs=3, shuffle=False, verbose=0
)
y_pred = model.predict([pairs[:, 0], pairs[:, 1]], verbose=0)
accuracy = np.mean((y_pred.ravel() < 0.5) == labels.astype(bool))
print(
    json.dumps(
        {
            "loss": [float(v) for v in history.history["loss"]],
            "distances": y_pred.ravel()[:6].tolist(),
            "accuracy": float(accuracy),
        }
    )
)
