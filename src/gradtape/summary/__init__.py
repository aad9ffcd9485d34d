"""`tf.summary`: scalars, histograms, images, texts and sounds as TensorBoard's event files.

The public names of `gradtape.summary` are in the table `gradtape.api.export.PUBLIC`; they are
loaded by their first use.
"""
