"""A transformer block from Keras layers for classification, with masks and positions."""

import json

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(28)
rng = np.random.default_rng(28)
VOCAB, LENGTH = 20, 9
tokens = rng.integers(1, VOCAB, (48, LENGTH))
tokens[:, 7:] = np.where(rng.random((48, 2)) < 0.5, 0, tokens[:, 7:])
labels = (np.sum(tokens[:, :7] > 10, axis=1) > 3).astype("int32")


class TransformerBlock(layers.Layer):
    def __init__(self, embed_dim, num_heads, ff_dim):
        super().__init__()
        self.att = layers.MultiHeadAttention(num_heads=num_heads, key_dim=embed_dim)
        self.ffn = keras.Sequential(
            [layers.Dense(ff_dim, activation="relu"), layers.Dense(embed_dim)]
        )
        self.layernorm1 = layers.LayerNormalization(epsilon=1e-6)
        self.layernorm2 = layers.LayerNormalization(epsilon=1e-6)

    def call(self, inputs):
        attn_output = self.att(inputs, inputs)
        out1 = self.layernorm1(inputs + attn_output)
        return self.layernorm2(out1 + self.ffn(out1))


class TokenAndPositionEmbedding(layers.Layer):
    def __init__(self, maxlen, vocab_size, embed_dim):
        super().__init__()
        self.token_emb = layers.Embedding(input_dim=vocab_size, output_dim=embed_dim)
        self.pos_emb = layers.Embedding(input_dim=maxlen, output_dim=embed_dim)

    def call(self, x):
        maxlen = tf.shape(x)[-1]
        positions = tf.range(start=0, limit=maxlen, delta=1)
        return self.token_emb(x) + self.pos_emb(positions)


inputs = layers.Input(shape=(LENGTH,))
x = TokenAndPositionEmbedding(LENGTH, VOCAB, 12)(inputs)
x = TransformerBlock(12, 2, 16)(x)
x = layers.GlobalAveragePooling1D()(x)
outputs = layers.Dense(2, activation="softmax")(x)
model = keras.Model(inputs=inputs, outputs=outputs)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
history = model.fit(tokens, labels, batch_size=16, epochs=4, shuffle=False, verbose=0)

embedded = tf.Variable(tf.ones([1, 4, 6]) * tf.reshape(tf.range(4.0), [1, 4, 1]))
attention = layers.MultiHeadAttention(num_heads=3, key_dim=2)
with tf.GradientTape() as tape:
    attended, scores = attention(
        embedded, embedded, return_attention_scores=True, use_causal_mask=True
    )
    total = tf.reduce_sum(attended**2)
print(
    json.dumps(
        {
            "loss": history.history["loss"],
            "accuracy": history.history["accuracy"],
            "parameters": model.count_params(),
            "scores": scores[0, 1].numpy().tolist(),
            "gradient": tape.gradient(total, embedded)[0, :, 0].numpy().tolist(),
        }
    )
)
