"""`SaveOptions` and `LoadOptions`, and the names of signatures and tags."""

from __future__ import annotations

import enum

SERVING = "serve"
DEFAULT_SIGNATURE = "serving_default"
PREDICT_METHOD = "tensorflow/serving/predict"


class VariablePolicy(enum.Enum):
    """How variables of a strategy are saved; here each is saved once."""

    NONE = None
    SAVE_VARIABLE_DEVICES = "save_variable_devices"
    EXPAND_DISTRIBUTED_VARIABLES = "expand_distributed_variables"


class SaveOptions:
    """Options of `tf.saved_model.save`."""

    def __init__(
        self,
        namespace_whitelist=None,
        save_debug_info=False,
        function_aliases=None,
        experimental_debug_stripper=False,
        experimental_io_device=None,
        experimental_variable_policy=None,
        experimental_custom_gradients=True,
        experimental_image_format=False,
        experimental_skip_saver=False,
        experimental_sharding_callback=None,
        extra_tags=None,
    ) -> None:
        if experimental_image_format:
            raise NotImplementedError(
                "tf.saved_model.SaveOptions: experimental_image_format is not there; a SavedModel "
                "is written as one file and the values of its variables."
            )
        self.namespace_whitelist = list(namespace_whitelist or [])
        self.save_debug_info = save_debug_info
        self.function_aliases = dict(function_aliases or {})
        self.experimental_io_device = experimental_io_device
        self.experimental_variable_policy = VariablePolicy(
            getattr(experimental_variable_policy, "value", experimental_variable_policy)
        )
        self.experimental_custom_gradients = experimental_custom_gradients
        self.experimental_skip_saver = experimental_skip_saver
        self.extra_tags = set(extra_tags or ())


class LoadOptions:
    """Options of `tf.saved_model.load`."""

    def __init__(
        self,
        allow_partial_checkpoint=False,
        experimental_io_device=None,
        experimental_skip_checkpoint=False,
        experimental_variable_policy=None,
        experimental_load_function_aliases=False,
    ) -> None:
        self.allow_partial_checkpoint = allow_partial_checkpoint
        self.experimental_io_device = experimental_io_device
        self.experimental_skip_checkpoint = experimental_skip_checkpoint
        self.experimental_variable_policy = experimental_variable_policy
        self.experimental_load_function_aliases = experimental_load_function_aliases
