"""A GAN with two compiled models, discriminator.trainable = False, train_on_batch."""

import json

import numpy as np
from tensorflow.keras.layers import BatchNormalization, Dense, Flatten, Input, LeakyReLU, Reshape
from tensorflow.keras.models import Model, Sequential
from tensorflow.keras.optimizers import Adam

np.random.seed(77)


class GAN:
    def __init__(self):
        self.img_shape = (4, 4, 1)
        self.latent_dim = 5
        optimizer = Adam(0.0002, 0.5)
        self.discriminator = self.build_discriminator()
        self.discriminator.compile(
            loss="binary_crossentropy", optimizer=Adam(0.002, 0.5), metrics=["accuracy"]
        )
        self.generator = self.build_generator()
        for m in (self.discriminator, self.generator):
            m.set_weights(
                [w if w.ndim < 2 else np.random.normal(0, 0.3, w.shape) for w in m.get_weights()]
            )
        z = Input(shape=(self.latent_dim,))
        img = self.generator(z)
        self.discriminator.trainable = False
        validity = self.discriminator(img)
        self.combined = Model(z, validity)
        self.combined.compile(loss="binary_crossentropy", optimizer=optimizer)

    def build_generator(self):
        model = Sequential()
        model.add(Dense(8, input_dim=self.latent_dim))
        model.add(LeakyReLU(alpha=0.2))
        model.add(BatchNormalization(momentum=0.8))
        model.add(Dense(int(np.prod(self.img_shape)), activation="tanh"))
        model.add(Reshape(self.img_shape))
        noise = Input(shape=(self.latent_dim,))
        return Model(noise, model(noise))

    def build_discriminator(self):
        model = Sequential()
        model.add(Flatten(input_shape=self.img_shape))
        model.add(Dense(8))
        model.add(LeakyReLU(alpha=0.2))
        model.add(Dense(1, activation="sigmoid"))
        img = Input(shape=self.img_shape)
        return Model(img, model(img))

    def train(self, epochs, batch_size=6):
        X_train = np.random.uniform(-1, 1, (24, 4, 4, 1)).astype("float32")
        valid, fake = np.ones((batch_size, 1)), np.zeros((batch_size, 1))
        log = []
        for epoch in range(epochs):
            imgs = X_train[np.random.randint(0, X_train.shape[0], batch_size)]
            noise = np.random.normal(0, 1, (batch_size, self.latent_dim))
            gen_imgs = self.generator.predict(noise, verbose=0)
            d_real = self.discriminator.train_on_batch(imgs, valid)
            d_fake = self.discriminator.train_on_batch(gen_imgs, fake)
            noise = np.random.normal(0, 1, (batch_size, self.latent_dim))
            g_loss = self.combined.train_on_batch(noise, valid)
            log.append([float(d_real[0]), float(d_fake[0]), float(np.ravel(g_loss)[0])])
        return log


gan = GAN()
log = gan.train(epochs=1)
print(json.dumps({"log": log, "trainable": len(gan.combined.trainable_weights)}))
