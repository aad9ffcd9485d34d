# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.saved_model import experimental as experimental
from gradtape.saved_model.options import LoadOptions as LoadOptions
from gradtape.saved_model.options import SaveOptions as SaveOptions
from typing import Any

ASSETS_DIRECTORY: str
ASSETS_KEY: str
CLASSIFY_INPUTS: str
CLASSIFY_METHOD_NAME: str
CLASSIFY_OUTPUT_CLASSES: str
CLASSIFY_OUTPUT_SCORES: str
DEBUG_DIRECTORY: str
DEBUG_INFO_FILENAME_PB: str
DEFAULT_SERVING_SIGNATURE_DEF_KEY: str
GPU: str
PREDICT_INPUTS: str
PREDICT_METHOD_NAME: str
PREDICT_OUTPUTS: str
REGRESS_INPUTS: str
REGRESS_METHOD_NAME: str
REGRESS_OUTPUTS: str
SAVED_MODEL_FILENAME_PB: str
SAVED_MODEL_FILENAME_PBTXT: str
SAVED_MODEL_SCHEMA_VERSION: int
SERVING: str
TPU: str
TRAINING: str
VARIABLES_DIRECTORY: str
VARIABLES_FILENAME: str
def contains_saved_model(export_dir: Any) -> bool:
    """Return whether a folder holds a SavedModel.

    Args:
        export_dir: the folder of the model.

    Raises:
        TypeError if `export_dir` has a type that it does not take.
    """

def load(export_dir: Any, tags: Any = None, options: Any = None) -> Any:
    """Load a SavedModel: its functions can be called, differentiated and traced, like others.

        model = tf.saved_model.load("folder")
        model(x)
        model.signatures["serving_default"](x=x)

    What a function of it needs is found when it is called: an op that gradtape does not have is
    named then.

    Args:
        export_dir: the folder of the model.
        tags: which of the graphs; the serving one if None.
        options: settings, as in TensorFlow.

    Returns:
        The object, with its functions, signatures and variables.

    Raises:
        OSError if there is no SavedModel.
    """

def save(obj: Any, export_dir: Any, signatures: Any = None, options: Any = None) -> None:
    """Save an object with its `tf.function`s and variables, as a SavedModel.

    A function is saved for its input signature, or for the arguments that it has been called with.
    TensorFlow loads it without gradtape, and `tf.saved_model.load` here. `signatures` is a function
    or a dictionary of functions, which servers call by name; by default, the one function of `obj`
    that has an input signature.

    Args:
        obj: what to save: a `tf.Module`, a Keras model, or another trackable object.
        export_dir: the folder of the model.
        signatures: functions to be served, by name.
        options: settings, as in TensorFlow.

    Returns:
        Nothing.

    Raises:
        ValueError if the object cannot be tracked, as a tf.Module or a Keras model can.
    """
