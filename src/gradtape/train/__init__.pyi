# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Iterator
from gradtape.api.nn.moving_average import ExponentialMovingAverage as ExponentialMovingAverage
from gradtape.core.typing import IntLike
from gradtape.distribute.process.resolvers import ClusterSpec as ClusterSpec
from gradtape.formats.cluster import ClusterDef as ClusterDef
from gradtape.formats.cluster import JobDef as JobDef
from gradtape.formats.cluster import ServerDef as ServerDef
from gradtape.formats.examples import BytesList as BytesList
from gradtape.formats.examples import Example as Example
from gradtape.formats.examples import Feature as Feature
from gradtape.formats.examples import FeatureList as FeatureList
from gradtape.formats.examples import FeatureLists as FeatureLists
from gradtape.formats.examples import Features as Features
from gradtape.formats.examples import FloatList as FloatList
from gradtape.formats.examples import Int64List as Int64List
from gradtape.formats.examples import SequenceExample as SequenceExample
from gradtape.train.checkpoint import Checkpoint as Checkpoint
from gradtape.train.checkpoint import CheckpointOptions as CheckpointOptions
from gradtape.train.coordinator import Coordinator as Coordinator
from gradtape.train.manager import CheckpointManager as CheckpointManager
from gradtape.train.manager import CheckpointState
from gradtape.train.reading import CheckpointReader
from gradtape.train.views import CheckpointView as CheckpointView
from gradtape.train.views import TrackableView as TrackableView
from numpy import ndarray
from typing import Any

def checkpoints_iterator(
    checkpoint_dir: Any,
    min_interval_secs: IntLike = 0,
    timeout: Any = None,
    timeout_fn: Any = None,
) -> Iterator[str]:
    """Yield each new checkpoint of a folder as it appears.

    Args:
        checkpoint_dir: the folder of the checkpoints.
        min_interval_secs: the least time between two, in seconds.
        timeout: how long to wait, in seconds.
        timeout_fn: called when the time is over: whether to stop.

    Returns:
        An iterator over texts.

    Raises:
        TypeError, when checkpoints are asked for, if `checkpoint_dir` is no path.
    """

def get_checkpoint_state(
    checkpoint_dir: Any,
    latest_filename: Any = None,
) -> CheckpointState | None:
    """Return what is known of the checkpoints in a folder; None where there are none.

    Args:
        checkpoint_dir: the folder of the checkpoints.
        latest_filename: the name of the file that says which is the latest.

    Raises:
        TypeError if `checkpoint_dir` or `latest_filename` has a type that it does not take.
    """

def latest_checkpoint(checkpoint_dir: Any, latest_filename: Any = None) -> str | None:
    """Return the latest checkpoint of a folder, for `restore`; None where there is none.

    Args:
        checkpoint_dir: the folder of the checkpoints.
        latest_filename: the name of the file that says which is the latest.

    Raises:
        TypeError if `checkpoint_dir` or `latest_filename` has a type that it does not take.
    """

def list_variables(ckpt_dir_or_file: Any) -> list[tuple[str, list[int]]]:
    """Return the keys and shapes of the values in a checkpoint.

    Args:
        ckpt_dir_or_file: a checkpoint, or a folder of them.

    Raises:
        tf.errors.NotFoundError if there is no checkpoint.
    """

def load_checkpoint(ckpt_dir_or_file: Any) -> CheckpointReader:
    """Return a reader of a checkpoint, or of the latest one of a folder.

    Args:
        ckpt_dir_or_file: a checkpoint, or a folder of them.

    Raises:
        tf.errors.NotFoundError if there is no checkpoint.
    """

def load_variable(ckpt_dir_or_file: Any, name: str) -> ndarray[Any, Any]:
    """Return one value of a checkpoint, as an array.

    Args:
        ckpt_dir_or_file: a checkpoint, or a folder of them.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.NotFoundError if there is no checkpoint.
    """
