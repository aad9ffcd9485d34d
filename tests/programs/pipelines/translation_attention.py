"""Neural machine translation with attention: ragged text processing, masked loss, decoding."""

import json

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(7)
NUMBERS = "un dos tres cuatro cinco seis".split()
NAMES = "one two three four five six".split()
THINGS = {"gatos": "cats", "perros": "dogs", "libros": "books"}
pairs = [
    (f"¿Tienes {a} {thing}?", f"Do you have {b} {english}?")
    for a, b in zip(NUMBERS, NAMES, strict=True)
    for thing, english in THINGS.items()
]
context_raw = np.array([spanish for spanish, _ in pairs])
target_raw = np.array([english for _, english in pairs])
BATCH_SIZE, UNITS = 6, 16
is_train = np.arange(len(pairs)) % 6 != 5
train_raw = (
    tf.data.Dataset.from_tensor_slices((context_raw[is_train], target_raw[is_train]))
    .shuffle(len(pairs), seed=7)
    .batch(BATCH_SIZE)
)
val_raw = tf.data.Dataset.from_tensor_slices((context_raw[~is_train], target_raw[~is_train]))
val_raw = val_raw.batch(BATCH_SIZE)


def lower_and_split_punct(text):
    text = tf.strings.lower(text)
    text = tf.strings.regex_replace(text, "[^ a-z.?!,¿]", "")
    text = tf.strings.regex_replace(text, "[.?!,¿]", r" \0 ")
    text = tf.strings.strip(text)
    return tf.strings.join(["[START]", text, "[END]"], separator=" ")


def text_processor(dataset):
    processor = tf.keras.layers.TextVectorization(
        standardize=lower_and_split_punct, max_tokens=30, ragged=True
    )
    processor.adapt(dataset)
    return processor


context_text_processor = text_processor(train_raw.map(lambda context, target: context))
target_text_processor = text_processor(train_raw.map(lambda context, target: target))
example = context_text_processor(context_raw[:3])


def process_text(context, target):
    context = context_text_processor(context).to_tensor()
    target = target_text_processor(target)
    targ_in = target[:, :-1].to_tensor()
    targ_out = target[:, 1:].to_tensor()
    return (context, targ_in), targ_out


train_ds = train_raw.map(process_text, tf.data.AUTOTUNE)
val_ds = val_raw.map(process_text, tf.data.AUTOTUNE)


class Encoder(tf.keras.layers.Layer):
    def __init__(self, text_processor, units):
        super().__init__()
        self.text_processor = text_processor
        vocab_size = text_processor.vocabulary_size()
        self.embedding = tf.keras.layers.Embedding(vocab_size, units, mask_zero=True)
        self.rnn = tf.keras.layers.Bidirectional(
            merge_mode="sum", layer=tf.keras.layers.GRU(units, return_sequences=True)
        )

    def call(self, x):
        return self.rnn(self.embedding(x))

    def convert_input(self, texts):
        texts = tf.convert_to_tensor(texts)
        if len(texts.shape) == 0:
            texts = tf.convert_to_tensor(texts)[tf.newaxis]
        return self(self.text_processor(texts).to_tensor())


class CrossAttention(tf.keras.layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__()
        self.mha = tf.keras.layers.MultiHeadAttention(key_dim=units, num_heads=1, **kwargs)
        self.layernorm = tf.keras.layers.LayerNormalization()
        self.add = tf.keras.layers.Add()

    def call(self, x, context):
        attn_output = self.mha(query=x, value=context)
        return self.layernorm(self.add([x, attn_output]))


class Decoder(tf.keras.layers.Layer):
    def __init__(self, text_processor, units):
        super().__init__()
        vocabulary = text_processor.get_vocabulary()
        self.word_to_id = tf.keras.layers.StringLookup(
            vocabulary=vocabulary, mask_token="", oov_token="[UNK]"
        )
        self.id_to_word = tf.keras.layers.StringLookup(
            vocabulary=vocabulary, mask_token="", oov_token="[UNK]", invert=True
        )
        self.start_token = self.word_to_id("[START]")
        self.end_token = self.word_to_id("[END]")
        self.units = units
        self.embedding = tf.keras.layers.Embedding(len(vocabulary), units, mask_zero=True)
        self.rnn = tf.keras.layers.GRU(units, return_sequences=True, return_state=True)
        self.attention = CrossAttention(units)
        self.output_layer = tf.keras.layers.Dense(len(vocabulary))

    def call(self, context, x, state=None, return_state=False):
        x = self.embedding(x)
        x, state = self.rnn(x, initial_state=state)
        x = self.attention(x, context)
        logits = self.output_layer(x)
        return (logits, state) if return_state else logits

    def get_next_token(self, context, next_token, done, state):
        logits, state = self(context, next_token, state=state, return_state=True)
        next_token = tf.argmax(logits, axis=-1)
        done = done | (next_token == self.end_token)
        next_token = tf.where(done, tf.constant(0, dtype=tf.int64), next_token)
        return next_token, done, state


class Translator(tf.keras.Model):
    def __init__(self, units, context_text_processor, target_text_processor):
        super().__init__()
        self.encoder = Encoder(context_text_processor, units)
        self.decoder = Decoder(target_text_processor, units)

    def call(self, inputs):
        context, x = inputs
        return self.decoder(self.encoder(context), x)

    def translate(self, texts, max_length=8):
        context = self.encoder.convert_input(texts)
        batch_size = tf.shape(texts)[0]
        tokens = []
        next_token = tf.fill([batch_size, 1], self.decoder.start_token)
        done = tf.zeros([batch_size, 1], dtype=tf.bool)
        state = tf.zeros([batch_size, self.decoder.units])
        for _ in range(max_length):
            next_token, done, state = self.decoder.get_next_token(context, next_token, done, state)
            tokens.append(next_token)
            if tf.reduce_all(done):
                break
        words = self.decoder.id_to_word(tf.concat(tokens, axis=-1))
        result = tf.strings.reduce_join(words, axis=-1, separator=" ")
        return tf.strings.strip(tf.strings.regex_replace(result, " +", " "))


def masked_loss(y_true, y_pred):
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")
    loss = loss_fn(y_true, y_pred)
    mask = tf.cast(y_true != 0, loss.dtype)
    loss *= mask
    return tf.reduce_sum(loss) / tf.reduce_sum(mask)


def masked_acc(y_true, y_pred):
    y_pred = tf.cast(tf.argmax(y_pred, axis=-1), y_true.dtype)
    match = tf.cast(y_true == y_pred, tf.float32)
    mask = tf.cast(y_true != 0, tf.float32)
    return tf.reduce_sum(match) / tf.reduce_sum(mask)


model = Translator(UNITS, context_text_processor, target_text_processor)
model.compile(
    optimizer=tf.keras.optimizers.Adam(0.02), loss=masked_loss, metrics=[masked_acc, masked_loss]
)
history = model.fit(train_ds, epochs=4, validation_data=val_ds, verbose=0)
translated = model.translate(tf.constant(["¿Tienes dos gatos?", "¿Tienes seis libros?"]))
print(
    json.dumps(
        {
            "context": context_text_processor.get_vocabulary(),
            "target": target_text_processor.get_vocabulary(),
            "example": example.to_list(),
            "losses": history.history["loss"],
            "accuracy": history.history["masked_acc"],
            "validation": history.history["val_masked_loss"],
            "translated": [text.decode() for text in translated.numpy()],
        }
    )
)
