"""`tf.distribute`: one program on many devices, by JAX's runtime and XLA's partitioner.

`strategy/` has the public classes (`strategies`). A strategy of one replica needs nothing but
Python; one of several has its work done by `replicas` (a mesh, and what is on it), `running` (a
function in every replica), `variables` (values that the replicas share) and `datasets` (batches for
them). `process/` is how the processes of a job find each other and what happens when one fails;
`planning/` predicts time and memory of a step.

The public names of `gradtape.distribute` are in the table `gradtape.api.export.PUBLIC`; they are
loaded by their first use.
"""
