"""What TensorFlow's own tests import of `tensorflow.python`, beyond the names that libraries use.

The test files come from a checkout, and so do the modules that several of them share
(`checkout.py`). A private module that gradtape does not have is answered from the public
namespaces; what has another form there stands in this folder, by subject. Tests that need a graph
or a session of TensorFlow 1, or TensorFlow's inner parts, are skipped with that reason.
"""
