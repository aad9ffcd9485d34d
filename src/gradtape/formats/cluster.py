"""The messages that describe the processes of a job: `tf.train.ClusterDef` and its parts."""

from __future__ import annotations

from gradtape.formats.message_fields import message, messages, number, numbered_texts, text
from gradtape.formats.messages import Message
from gradtape.formats.repeated import Messages, NumberedTexts


class JobDef(
    Message,
    name="tensorflow.JobDef",
    fields=[text("name", 1), numbered_texts("tasks", 2)],
):
    """A job: the addresses of its tasks by their numbers."""

    __slots__ = ()
    name: str
    tasks: NumberedTexts


class ClusterDef(Message, name="tensorflow.ClusterDef", fields=[messages("job", 1, JobDef)]):
    """The jobs of a cluster."""

    __slots__ = ()
    job: Messages


class ServerDef(
    Message,
    name="tensorflow.ServerDef",
    fields=[
        message("cluster", 1, ClusterDef),
        text("job_name", 2),
        number("task_index", 3),
        text("protocol", 5),
        number("port", 6),
        number("replica", 8),
    ],
):
    """One task of a cluster. What it says of sessions and device filters is kept as it is read."""

    __slots__ = ()
    cluster: ClusterDef
    job_name: str
    task_index: int
    protocol: str
    port: int
    replica: int
