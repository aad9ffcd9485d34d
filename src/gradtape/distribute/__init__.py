"""`tf.distribute`: one program on many devices, by JAX's runtime and XLA's partitioner.

`strategies` has the public classes. A strategy of one replica needs nothing but Python; one of
several has its work done by `replicas` (a mesh, and what is on it), `running` (a function in every
replica), `variables` (values that the replicas share) and `datasets` (batches for them). How the
processes of a job find each other is in `cluster`.

The public names of `gradtape.distribute` are in the table `gradtape.api.export.PUBLIC`; they are
loaded by their first use.
"""
