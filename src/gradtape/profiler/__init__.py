"""`tf.profiler`: what a program does while a profile runs, written for TensorBoard.

The public names are in the table `gradtape.api.export.PUBLIC`; they are loaded by their first use.
"""
