"""Functions for other runtimes: `tf.export.onnx` and `tf.export.stablehlo`."""
