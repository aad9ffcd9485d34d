"""Text classification: a folder of reviews, TextVectorization in and outside of the model."""

import json
import pathlib
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(42)
rng = np.random.default_rng(42)
WORDS = {
    "pos": "Great great lovely moving clever warm wonderful superb honest bright".split(),
    "neg": "Awful dull boring clumsy bad weak tired noisy pointless bad".split(),
}
SHARED = "the film, a story. of its cast! and plot <br /> was it's (really) seen".split()


def review(label):
    words = [*rng.choice(WORDS[label], size=4), *rng.choice(SHARED, size=8)]
    return " ".join(rng.permutation(words))


folder = pathlib.Path(tempfile.mkdtemp())
for part, count in (("train", 40), ("test", 16)):
    for label in ("pos", "neg"):
        directory = folder / part / label
        directory.mkdir(parents=True)
        for number in range(count // 2):
            (directory / f"{number:03}.txt").write_text(review(label), encoding="utf-8")


def load(part, **options):
    return tf.keras.utils.text_dataset_from_directory(
        folder / part, batch_size=8, seed=42, verbose=False, **options
    )


raw_train_ds = load("train", validation_split=0.2, subset="training")
raw_val_ds = load("train", validation_split=0.2, subset="validation")
raw_test_ds = load("test")


@tf.keras.utils.register_keras_serializable()
def custom_standardization(input_data):
    lowercase = tf.strings.lower(input_data)
    stripped_html = tf.strings.regex_replace(lowercase, "<br />", " ")
    return tf.strings.regex_replace(stripped_html, r"[!\"#$%&()*+,\-./:;<=>?@\[\]^_`{|}~']", "")


vectorize_layer = layers.TextVectorization(
    standardize=custom_standardization,
    max_tokens=40,
    output_mode="int",
    output_sequence_length=14,
)
vectorize_layer.adapt(raw_train_ds.map(lambda text, label: text))


def vectorize_text(text, label):
    return vectorize_layer(tf.expand_dims(text, -1)), label


text_batch, label_batch = next(iter(raw_train_ds))
first = vectorize_text(text_batch, label_batch)[0]
train_ds = raw_train_ds.map(vectorize_text).cache().prefetch(tf.data.AUTOTUNE)
val_ds = raw_val_ds.map(vectorize_text).cache().prefetch(tf.data.AUTOTUNE)
test_ds = raw_test_ds.map(vectorize_text)

model = tf.keras.Sequential(
    [
        layers.Embedding(40, 16),
        layers.Dropout(0.2),
        layers.GlobalAveragePooling1D(),
        layers.Dropout(0.2),
        layers.Dense(1, activation="sigmoid"),
    ]
)
model.compile(
    loss=tf.keras.losses.BinaryCrossentropy(),
    optimizer=tf.keras.optimizers.Adam(0.05),
    metrics=[tf.keras.metrics.BinaryAccuracy(threshold=0.5)],
)
history = model.fit(train_ds, validation_data=val_ds, epochs=4, verbose=0)
tested = model.evaluate(test_ds, verbose=0)

export_model = tf.keras.Sequential([vectorize_layer, model])
export_model.compile(loss="binary_crossentropy", metrics=["accuracy"])
exported = export_model.evaluate(raw_test_ds, verbose=0)
examples = tf.constant(["The film was great!", "A dull, boring story.", "unknown words only"])
predictions = export_model.predict(examples, verbose=0)
export_model.save(folder / "exported.keras")
loaded = tf.keras.models.load_model(folder / "exported.keras")
print(
    json.dumps(
        {
            "classes": raw_train_ds.class_names,
            "vocabulary": vectorize_layer.get_vocabulary(),
            "first": first.numpy().tolist(),
            "labels": label_batch.numpy().tolist(),
            "losses": history.history["loss"],
            "validation": history.history["val_loss"],
            "tested": tested,
            "exported": exported,
            "predictions": predictions.tolist(),
            "loaded": loaded.predict(examples, verbose=0).tolist(),
        }
    )
)
