"""`tf.train`: checkpoints, moving averages, threads that stop together.

The public names of `gradtape.train` are in the table `gradtape.api.export.PUBLIC`; they are loaded
by their first use.
"""
