"""`model.export`: the forward pass as a SavedModel, which TensorFlow loads and serves."""

from keras.src import layers, tree
from keras.src.export.export_utils import make_input_spec
from keras.src.export.saved_model_export_archive import SavedModelExportArchive
from keras.src.utils import io_utils

from gradtape.api.function.function import Function, function
from gradtape.api.specs import TensorSpec
from gradtape.engine.variable import Variable, as_variable
from gradtape.saved_model.options import DEFAULT_SIGNATURE
from gradtape.saved_model.writing.save import save


class _Archive:
    """What is saved: endpoints, variables, and the resources that were tracked."""

    def __init__(self) -> None:
        self.variables: list = []
        self.trainable_variables: list = []
        self.non_trainable_variables: list = []
        self._tracked: list = []

    def _trackable_children(self) -> dict:
        return dict(vars(self))


class GradtapeExportArchive(SavedModelExportArchive):
    """Collects endpoints, and writes them as one SavedModel."""

    # (The base class keeps its objects in TensorFlow's: all that does is replaced here.)
    def __init__(self) -> None:
        self._endpoint_names: list[str] = []
        self._tf_trackable = _Archive()

    def track(self, resource) -> None:
        if isinstance(resource, layers.Layer):
            if not resource.built:
                raise ValueError(
                    "The layer provided has not yet been built. It must be built before export."
                )
            archive = self._tf_trackable
            archive.variables += resource.variables
            archive.trainable_variables += resource.trainable_variables
            archive.non_trainable_variables += resource.non_trainable_variables
        elif not hasattr(resource, "_trackable_children") and not isinstance(resource, Variable):
            raise ValueError(
                "Invalid resource type. Expected a Keras `Layer` or `Model` or a TensorFlow "
                f"`Trackable` object. Received object {resource} of type '{type(resource)}'. "
            )
        self._tf_trackable._tracked.append(resource)

    def add_endpoint(self, name, fn, input_signature=None, **kwargs):
        if name in self._endpoint_names:
            raise ValueError(f"Endpoint name '{name}' is already taken.")
        if kwargs:
            raise ValueError(f"{sorted(kwargs)} are for other backends than gradtape.")
        if input_signature is not None:
            specs = tree.map_structure(_tensor_spec, input_signature)
            fn = function(fn, input_signature=specs, autograph=False)
        elif not isinstance(fn, Function):
            raise ValueError(
                "If the `fn` argument provided is not a `tf.function`, you must provide an "
                "`input_signature` argument to specify the shape and dtype of the function "
                "arguments."
            )
        elif fn.input_signature is None and not fn._cache.entries:
            raise ValueError(
                f"The provided tf.function '{fn}' has never been called. To specify the expected "
                "shape and dtype of the function's arguments, you must either provide a function "
                "that has been called at least once, or alternatively pass an `input_signature` "
                "argument in `add_endpoint()`."
            )
        setattr(self._tf_trackable, name, fn)
        self._endpoint_names.append(name)
        return fn

    def add_variable_collection(self, name, variables) -> None:
        if not isinstance(variables, (list, tuple, set)):
            raise ValueError(
                "Expected `variables` to be a list/tuple/set. Received instead object of type "
                f"'{type(variables)}'."
            )
        if not all(isinstance(as_variable(v), Variable) for v in variables):
            raise ValueError(
                "Expected all elements in `variables` to be `tf.Variable` instances. Found instead "
                f"the following types: {sorted({type(v).__name__ for v in variables})}"
            )
        setattr(self._tf_trackable, name, [as_variable(v) for v in variables])

    def write_out(self, filepath, options=None, verbose=True) -> None:
        if not self._endpoint_names:
            raise ValueError("No endpoints have been set yet. Call add_endpoint().")
        signatures = {name: getattr(self._tf_trackable, name) for name in self._endpoint_names}
        signatures.setdefault(DEFAULT_SIGNATURE, signatures[self._endpoint_names[0]])
        save(self._tf_trackable, str(filepath), signatures, options)
        if verbose:
            listed = "\n\n".join(
                f"* Endpoint '{name}'\n  {signatures[name].input_signature}"
                for name in self._endpoint_names
            )
            io_utils.print_msg(
                f"Saved artifact at '{filepath}'. The following endpoints are available:\n\n"
                f"{listed}"
            )


def _tensor_spec(x) -> TensorSpec:
    if isinstance(x, TensorSpec):
        return x
    spec = make_input_spec(x)
    return TensorSpec(spec.shape, spec.dtype, spec.name)
