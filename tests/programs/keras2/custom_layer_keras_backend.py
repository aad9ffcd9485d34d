"""An attention layer with K.dot, K.softmax and K.sum; a metric and a loss with K."""

import json

import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras.layers import Dense, Input, Layer
from tensorflow.keras.models import Model


class Attention(Layer):
    def __init__(self, units, **kwargs):
        self.units = units
        super(Attention, self).__init__(**kwargs)

    def build(self, input_shape):
        self.W = self.add_weight(
            name="att_weight", shape=(input_shape[-1], self.units), initializer="ones"
        )
        self.v = self.add_weight(name="att_v", shape=(self.units, 1), initializer="ones")
        super(Attention, self).build(input_shape)

    def call(self, x):
        e = K.dot(K.tanh(K.dot(x, self.W)), self.v)
        a = K.softmax(e, axis=1)
        return K.sum(a * x, axis=1)

    def compute_output_shape(self, input_shape):
        return (input_shape[0], input_shape[-1])


def r2(y_true, y_pred):
    ss_res = K.sum(K.square(y_true - y_pred))
    ss_tot = K.sum(K.square(y_true - K.mean(y_true)))
    return 1 - ss_res / (ss_tot + K.epsilon())


def rmse(y_true, y_pred):
    return K.sqrt(K.mean(K.square(y_pred - y_true), axis=-1))


inp = Input((6, 3))
out = Dense(1)(Attention(4, name="attention")(inp))
model = Model(inp, out)
rng = np.random.RandomState(13)
model.set_weights([rng.normal(scale=0.6, size=w.shape) for w in model.get_weights()])
model.compile(optimizer=tf.keras.optimizers.Adagrad(lr=0.1), loss=rmse, metrics=[r2, "mae"])
x = rng.randn(16, 6, 3).astype("float32")
y = x.max(axis=1)[:, :1]
history = model.fit(x, y, epochs=5, batch_size=16, verbose=0)
values = {name: [float(v) for v in column] for name, column in sorted(history.history.items())}
values["weights"] = [w.shape for w in model.get_weights()]
values["names"] = [layer.name for layer in model.layers if layer.name == "attention"]
values["predicted"] = model.predict(x[:3], verbose=0).ravel().tolist()
print(json.dumps(values))
