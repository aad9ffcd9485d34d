"""TensorFlow's checkpoint files: an index, and shards of data."""
