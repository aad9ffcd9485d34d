"""Structured data: a CSV file, preprocessing layers in a model, and a FeatureSpace."""

import json
import pathlib
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers
from tensorflow.keras.utils import FeatureSpace

tf.keras.utils.set_random_seed(5)
rng = np.random.default_rng(5)
COUNT = 48
columns = {
    "Type": rng.choice(["Cat", "Dog"], COUNT),
    "Age": rng.integers(1, 9, COUNT),
    "Breed": rng.choice(["Tabby", "Beagle", "Poodle", "Siamese"], COUNT),
    "Fee": np.round(rng.uniform(0, 200, COUNT), 2),
    "PhotoAmt": rng.integers(0, 10, COUNT),
}
columns["target"] = ((columns["Age"] < 5) ^ (columns["Fee"] > 150)).astype(int)
path = pathlib.Path(tempfile.mkdtemp()) / "pets.csv"
rows = zip(*columns.values(), strict=True)
path.write_text("\n".join(",".join(map(str, row)) for row in [list(columns), *rows]) + "\n")

lines = tf.data.TextLineDataset(str(path)).skip(1)
defaults = [[""], [0], [""], [0.0], [0], [0]]


def parse(line):
    features = dict(zip(columns, tf.io.decode_csv(line, defaults), strict=True))
    label = features.pop("target")
    return features, label


# A length that is known: at the end of data, TensorFlow counts a step that has not been.
examples = lines.map(parse).apply(tf.data.experimental.assert_cardinality(COUNT))
train_ds, val_ds = examples.take(36).batch(12), examples.skip(36).batch(12)
names = [name for name in columns if name != "target"]


def column(name):
    return train_ds.map(lambda x, y: tf.expand_dims(x[name], -1))


def get_normalization_layer(name):
    normalizer = layers.Normalization(axis=None)
    normalizer.adapt(column(name))
    return normalizer


def get_category_encoding_layer(name, dtype, max_tokens=None):
    if dtype == "string":
        index = layers.StringLookup(max_tokens=max_tokens)
    else:
        index = layers.IntegerLookup(max_tokens=max_tokens)
    index.adapt(column(name))
    encoder = layers.CategoryEncoding(num_tokens=index.vocabulary_size())
    return lambda feature: encoder(index(feature))


all_inputs, encoded_features = {}, []
for header in ["PhotoAmt", "Fee"]:
    numeric_col = tf.keras.Input(shape=(1,), name=header)
    encoded_features.append(get_normalization_layer(header)(numeric_col))
    all_inputs[header] = numeric_col
age_col = tf.keras.Input(shape=(1,), name="Age", dtype="int64")
encoded_features.append(get_category_encoding_layer("Age", "int64", max_tokens=5)(age_col))
all_inputs["Age"] = age_col
for header in ["Type", "Breed"]:
    categorical_col = tf.keras.Input(shape=(1,), name=header, dtype="string")
    encoded_features.append(get_category_encoding_layer(header, "string")(categorical_col))
    all_inputs[header] = categorical_col
x = layers.concatenate(encoded_features)
x = layers.Dense(16, activation="relu")(x)
output = layers.Dense(1)(layers.Dropout(0.3)(x))
model = tf.keras.Model(all_inputs, output)
model.compile(
    optimizer=tf.keras.optimizers.Adam(0.01),
    loss=tf.keras.losses.BinaryCrossentropy(from_logits=True),
    metrics=["accuracy"],
)


def deeper(features, label):
    return {name: tf.expand_dims(features[name], -1) for name in names}, label


history = model.fit(train_ds.map(deeper), validation_data=val_ds.map(deeper), epochs=4, verbose=0)
sample = {"Type": "Cat", "Age": 3, "Breed": "Tabby", "Fee": 100.0, "PhotoAmt": 2}
input_dict = {name: tf.convert_to_tensor([[value]]) for name, value in sample.items()}
probability = tf.nn.sigmoid(model.predict(input_dict, verbose=0))
model.save(path.with_name("pets.keras"))
reloaded = tf.keras.models.load_model(path.with_name("pets.keras"))
again = tf.nn.sigmoid(reloaded.predict(input_dict, verbose=0))

feature_space = FeatureSpace(
    features={
        "Type": "string_categorical",
        "Breed": FeatureSpace.string_hashed(num_bins=8),
        "Age": "integer_categorical",
        "Fee": "float_normalized",
        "PhotoAmt": FeatureSpace.float_discretized(num_bins=4),
    },
    crosses=[FeatureSpace.cross(feature_names=("Type", "Age"), crossing_dim=8)],
    output_mode="concat",
)
feature_space.adapt(train_ds.unbatch().map(lambda features, label: features))
preprocessed = train_ds.map(lambda features, label: (feature_space(features), label))
encoded, _ = next(iter(preprocessed))
space_model = tf.keras.Sequential([layers.Dense(12, activation="relu"), layers.Dense(1)])
space_model.compile(
    optimizer=tf.keras.optimizers.Adam(0.01),
    loss=tf.keras.losses.BinaryCrossentropy(from_logits=True),
)
space_history = space_model.fit(preprocessed, epochs=3, verbose=0)
encoded_inputs = feature_space.get_encoded_features()
inference = tf.keras.Model(feature_space.get_inputs(), space_model(encoded_inputs))
print(
    json.dumps(
        {
            "losses": history.history["loss"],
            "validation": history.history["val_loss"],
            "probability": probability.numpy().tolist(),
            "again": again.numpy().tolist(),
            "width": int(encoded.shape[-1]),
            "encoded": encoded.numpy()[:3].tolist(),
            "one": feature_space(sample).numpy().tolist(),
            "space_losses": space_history.history["loss"],
            "inferred": inference.predict(input_dict, verbose=0).tolist(),
        }
    )
)
