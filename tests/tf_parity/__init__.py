"""Parity with TensorFlow: golden values of the real TensorFlow, and the tests against them."""
