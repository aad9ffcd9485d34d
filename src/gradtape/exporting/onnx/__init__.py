"""`tf.export.onnx`: a function as an ONNX model, from the graph that `tf.function` traces."""
