"""An autoencoder whose sizes come from np.prod and a division; metrics of the old short names."""

import json

import numpy as np
from tensorflow.keras import Input, Model
from tensorflow.keras.layers import BatchNormalization, Dense, Flatten, Reshape
from tensorflow.keras.optimizers import SGD

img_shape = (4, 4, 1)
np.random.seed(3)
x_train = (np.random.rand(30, *img_shape) > 0.6).astype("float32")

img = Input(img_shape)
h = Flatten()(img)
h = Dense(np.prod(img_shape) / 2, activation="relu")(h)
h = BatchNormalization(momentum=0.8)(h)
code = Dense(np.int64(3), name="code")(h)
z = Input((3,))
d = Dense(np.prod(img_shape), activation="sigmoid")(z)
decoder = Model(z, Reshape(img_shape)(d))
encoder = Model(img, code)
autoencoder = Model(img, decoder(encoder(img)))
rng = np.random.RandomState(5)
autoencoder.set_weights(
    [w if w.ndim < 2 else rng.normal(0, 0.4, w.shape) for w in autoencoder.get_weights()]
)
autoencoder.compile(
    optimizer=SGD(lr=0.2, momentum=0.9, decay=1e-2), loss="mse", metrics=["mae", "mse"]
)
history = autoencoder.fit(x_train, x_train, epochs=4, batch_size=10, shuffle=False, verbose=0)
print(
    json.dumps(
        {
            "loss": [float(v) for v in history.history["loss"]],
            "mae": [float(v) for v in history.history["mae"]],
            "code": encoder.predict(x_train[:2], verbose=0).tolist(),
            "units": [int(w.shape[-1]) for w in autoencoder.get_weights()],
        }
    )
)
