"""SavedModels written: the graphs of traced functions as TensorFlow's ops."""
