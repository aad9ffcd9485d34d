"""A stateful LSTM with batch_input_shape; states are reset after each epoch by hand."""

import json

import numpy as np
from tensorflow import keras

time_steps, batch = 4, 2
wave = np.sin(np.arange(41) * 0.3).astype("float32")
x = wave[:-1].reshape(5, batch, time_steps, 1)
y = wave[time_steps::time_steps][: 5 * batch].reshape(5, batch, 1)

model = keras.models.Sequential()
model.add(keras.layers.LSTM(6, batch_input_shape=(batch, time_steps, 1), stateful=True))
model.add(keras.layers.Dense(1))
rng = np.random.RandomState(0)
model.set_weights([rng.uniform(-0.4, 0.4, w.shape) for w in model.get_weights()])
model.compile(loss="mse", optimizer=keras.optimizers.RMSprop(lr=0.01))

losses = []
for epoch in range(3):
    epoch_losses = []
    for i in range(len(x)):
        epoch_losses.append(float(model.train_on_batch(x[i], y[i])))
    losses.append(epoch_losses)
    model.reset_states()

with_state = [model.predict_on_batch(x[i]).ravel().tolist() for i in range(2)]
model.reset_states()
again = model.predict_on_batch(x[0]).ravel().tolist()
print(json.dumps({"losses": losses, "with_state": with_state, "again": again}))
