"""TensorFlow's random numbers: the Philox generator, and which key and counter a seed means."""
