"""`tensorflow.python`: the names of TensorFlow's private code that libraries and programs import.

Each module is a row of `TABLE`: namespaces in which its names are looked up in turn. Each
is a public namespace (`tf.math`), a module of this folder (`.structures`), or another
library's.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from gradtape.api.export import PUBLIC, add_cache, lookup

PREFIX = "tensorflow.python"
_OPS = "tf tf.math tf.linalg tf.nn tf.compat.v1"

TABLE: dict[str, str] = {
    # --- framework
    "framework.composite_tensor": ".composites",
    "framework.composite_tensor_gradient": ".extension_types",
    "framework.constant_op": "tf",
    "framework.dtypes": "tf tf.dtypes",
    "framework.errors": "tf.errors",
    "framework.errors_impl": "tf.errors",
    "framework.extension_type": ".extension_types",
    "framework.extension_type_field": ".extension_types",
    "framework.immutable_dict": ".extension_types",
    "framework.indexed_slices": "tf",
    "framework.ops": ".framework tf tf.compat.v1",
    "framework.random_seed": ".framework tf.compat.v1 tf.random",
    "framework.smart_cond": ".framework",
    "framework.sparse_tensor": "tf",
    "framework.tensor": "tf",
    "framework.tensor_conversion": "tf",
    "framework.tensor_shape": ".framework tf tf.compat",
    "framework.tensor_spec": ".composites tf",
    "framework.tensor_util": ".framework tf",
    "framework.test_util": ".testing tf.test",
    "framework.type_spec": ".composites tf",
    "framework.type_spec_registry": ".composites",
    # --- ops
    "ops.array_ops": f".operations {_OPS}",
    "ops.bitwise_ops": "tf.bitwise",
    "ops.check_ops": "tf.compat.v1 tf.debugging",
    "ops.clip_ops": "tf",
    "ops.control_flow_ops": ".operations tf",
    "ops.cond": "tf",
    "ops.control_flow_assert": "tf.debugging",
    "ops.control_flow_case": ".operations tf",
    "ops.control_flow_util": ".operations",
    "ops.custom_gradient": "tf",
    "ops.embedding_ops": "tf.nn",
    "ops.functional_ops": "tf",
    "ops.gen_array_ops": f".operations {_OPS}",
    "ops.gen_linalg_ops": ".operations tf.linalg",
    "ops.gen_math_ops": f".operations {_OPS}",
    "ops.gen_nn_ops": "tf.nn",
    "ops.gen_sparse_ops": ".sparse_matrices",
    "ops.gradients_impl": ".operations tf",
    "ops.gradients_util": ".operations tf",
    "ops.image_ops": "tf.image",
    "ops.init_ops": "gradtape.api.compat.v1_initializers tf.compat.v1 tf",
    "ops.init_ops_v2": "tf",
    "ops.linalg.linalg_impl": "tf.linalg",
    "ops.linalg.linear_operator": ".composites tf.linalg",
    "ops.linalg.linear_operator_addition": ".operations",
    "ops.linalg.linear_operator_util": ".operations",
    "ops.linalg.sparse.sparse": ".sparse_matrices",
    "ops.linalg_ops": "tf.linalg tf tf.compat.v1",
    "ops.logging_ops": "tf",
    "ops.losses.losses": "tf.compat.v1.losses",
    "ops.lookup_ops": "tf.lookup",
    "ops.map_fn": "tf",
    "ops.math_ops": f".operations {_OPS}",
    "ops.nn": "tf.nn",
    "ops.nn_impl": "tf.nn",
    "ops.nn_ops": ".operations tf.nn",
    "ops.numpy_ops": "tf.experimental.numpy",
    "ops.parallel_for": "tf",
    "ops.parallel_for.control_flow_ops": ".operations tf",
    "ops.parallel_for.gradients": ".operations",
    "ops.random_ops": ".operations tf.random tf.compat.v1",
    "ops.resource_variable_ops": ".composites",
    "ops.script_ops": "tf",
    "ops.summary_ops_v2": "tf.summary",
    "ops.signal": "tf.signal",
    "ops.sparse_ops": "tf.sparse tf.compat.v1",
    "ops.special_math_ops": "tf.math tf.math.special tf",
    "ops.standard_ops": "tf tf.compat.v1",
    "ops.state_ops": "tf.compat.v1",
    "ops.stateless_random_ops": "tf.random",
    "ops.string_ops": "tf.strings",
    "ops.tensor_array_ops": "tf",
    "ops.tensor_getitem_override": ".operations",
    "ops.variable_scope": "tf.compat.v1 tf",
    "ops.variables": ".operations tf tf.compat.v1",
    "ops.while_loop": "tf",
    # --- the rest
    "autograph": "tf.autograph",
    "client.device_lib": ".utilities",
    "data.ops.dataset_ops": "tf.data",
    "data.ops.iterator_ops": ".utilities tf.data",
    "distribute": "tf.distribute",
    "eager.backprop": "tf",
    "eager.context": ".framework tf.config tf",
    "eager.def_function": "tf",
    "eager.polymorphic_function": "tf",
    "module.module": "tf",
    "platform.flags": "absl.flags",
    "platform.gfile": "tf.compat.v1.gfile",
    "platform.test": ".testing tf.test",
    "platform.tf_logging": ".utilities tf.compat.v1.logging",
    "saved_model.load": "tf.saved_model",
    "saved_model.save": "tf.saved_model",
    "summary.summary": "tf.summary",
    "trackable.base": ".utilities",
    "trackable.data_structures": ".utilities",
    "training.moving_averages": ".utilities tf.train",
    "training.optimizer": "tf.compat.v1.train",
    "training.training_util": "tf.compat.v1.train",
    "types.core": ".types tf.types.experimental",
    "util.all_util": ".utilities",
    "util.compat": "tf.compat",
    "util.deprecation": ".utilities",
    "util.dispatch": ".dispatching",
    "util.lazy_loader": ".utilities",
    "util.nest": ".structures tf.nest",
    "util.object_identity": ".utilities",
    "util.tf_contextlib": ".utilities",
    "util.tf_decorator": ".utilities",
    "util.tf_export": ".utilities",
    "util.tf_inspect": ".utilities inspect",
    "util.variable_utils": ".composites",
}
_PACKAGES = {row.rpartition(".")[0] for row in TABLE} | {"ops", ""}
_loaded: dict[str, ModuleType] = {}


class PrivateModule(ModuleType):
    """A module of `tensorflow.python`, whose names are looked up in the namespaces of its row."""

    def __init__(self, row: str, namespaces: tuple[str, ...]) -> None:
        super().__init__(f"{PREFIX}.{row}" if row else PREFIX, "Answered by gradtape.")
        self.__path__ = []
        self._row, self._namespaces = row, namespaces
        add_cache(self.__dict__)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        below = f"{self._row}.{name}".lstrip(".")
        value = private_module(below)
        if value is None:
            for path in self._namespaces:
                try:
                    value = _look_up(path, name)
                    break
                except (AttributeError, ImportError):
                    continue
            else:
                raise AttributeError(
                    f"gradtape does not have {self.__name__}.{name}: tensorflow.python is "
                    "TensorFlow's private code, of which it has what libraries use. Use the public "
                    "name, such as tf.math or tf.nn.",
                    name=name,
                    obj=self,
                )
        self.__dict__[name] = value
        return value


def private_module(row: str) -> ModuleType | None:
    """Return the module `tensorflow.python.{row}`; None if there is none here."""
    known = _loaded.get(row)
    if known is not None:
        return known
    top = row.partition(".")[0]
    if top == "keras":
        return _imported(f"gradtape.{row}")
    if top == "autograph" and row != "autograph":
        return _imported(f"malt.{row.partition('.')[2]}")
    if row not in TABLE and row not in _PACKAGES:
        return None
    module = _loaded[row] = PrivateModule(row, tuple(TABLE.get(row, "").split()))
    return module


def _imported(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        return None


def _look_up(path: str, name: str) -> Any:
    """Return a name of a namespace, or raise an AttributeError."""
    namespace = _namespace(path)
    public = f"{path}.{name}".removeprefix("tf.")
    if public in PUBLIC:
        return lookup(public)
    if path.startswith("tf") and not path.startswith("tf.compat") and name not in vars(namespace):
        raise AttributeError(name)  # not an old name, of which a warning would tell
    return getattr(namespace, name)


def _namespace(path: str) -> Any:
    if path.startswith("."):
        return importlib.import_module(path, __name__)
    if path != "tf" and not path.startswith("tf."):
        return importlib.import_module(path)
    value: Any = importlib.import_module("gradtape")
    for part in path.split(".")[1:]:
        value = getattr(value, part)
    return value
