"""`tf.data`: datasets as pipelines of steps. `dataset` has the public class, `nodes` the idea.

The public names of `gradtape.data` are in the table `gradtape.api.export.PUBLIC`; they are loaded
by their first use.
"""
