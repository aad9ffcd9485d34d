"""`tf.data`: datasets as pipelines of nodes. `dataset` has the public class, `nodes` the protocol.

The public names of `gradtape.data` are in the table `gradtape.api.export.PUBLIC`; they are loaded
by their first use.
"""
