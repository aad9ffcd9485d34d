"""`tf.saved_model`: functions, variables and objects as a folder that TensorFlow shares.

The public names of `gradtape.saved_model` are in the table `gradtape.api.export.PUBLIC`; they are
loaded by their first use.
"""
