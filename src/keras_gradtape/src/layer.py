"""What a layer gets from the backend: its name on the ops that tapes record, and the conversion of
its `call`."""

from typing import Any

from keras.src import tree
from keras.src.backend.common import global_state
from keras.src.backend.common.name_scope import name_scope as base_name_scope

from gradtape.api.autograph.inner_calls import converted_in_trace
from gradtape.api.function.function import function
from gradtape.api.specs import TensorSpec
from gradtape.core.scope import enter_op_scope, op_scope
from gradtape.core.state import get_state


class name_scope(base_name_scope):
    """A scope of Keras that tapes note, too.

    A layer opens one around `build` and one around `call`, each time it is called: so the methods
    of the base are done here, without its detours. The path is that of the calls: a layer of a
    model that is called inside another model has the names of both.
    """

    def __enter__(self):
        tracker = global_state.GLOBAL_STATE_TRACKER
        try:
            stack = tracker.name_scope_stack
        except AttributeError:
            stack = tracker.name_scope_stack = []
        caller, name = self.caller, self.name
        if caller is not None and self.deduplicate and stack:
            parent = stack[-1]
            if parent.caller is caller and parent.name == name:
                return self
        self._pop_on_exit, self._converted = True, False
        self._depth, self._outer = len(stack), op_scope()
        try:
            stack.append(self)
            enter_op_scope(f"{self._outer}/{name}" if self._outer else name)
            if caller is not None and get_state().trace is not None:
                self._convert(caller)
        except BaseException:  # an interrupt: there will be no end of the block
            self._close()
            raise
        return self

    def _convert(self, layer):
        """Let a layer of the program have control flow on tensors in a function being traced."""
        call = converted_in_trace(getattr(layer, "call", None))
        if call is not None and "call" not in vars(layer):
            self._converted = True
            vars(layer)["call"] = call

    def __exit__(self, *error):
        if self._pop_on_exit:
            self._close()

    def _close(self):
        """Close this scope, and those inside of it that an interrupt left open."""
        stack = getattr(global_state.GLOBAL_STATE_TRACKER, "name_scope_stack", None)
        try:
            if self._converted:
                vars(self.caller).pop("call", None)
            enter_op_scope(self._outer)
        finally:
            if stack:  # not after `keras.backend.clear_session()`
                del stack[self._depth :]


class GradtapeLayer:
    """The first base of `keras.Layer`: what `tf.saved_model.save` asks a model for."""

    @property
    def _default_save_signature(self):
        """The call of a model that has been built, as a function with a signature."""
        from keras.src.models.functional import Functional
        from keras.src.models.model import Model
        from keras.src.models.sequential import Sequential

        if not isinstance(self, Model):
            return None
        model: Any = self  # Keras's own class says what it is
        functional = model._functional if isinstance(model, Sequential) else model
        if isinstance(functional, Functional):
            inputs = functional._inputs_struct
            specs = [tree.map_structure(lambda x: TensorSpec(x.shape, x.dtype), inputs)]
        else:
            specs = [
                tree.map_shape_structure(lambda s: TensorSpec(s, model.input_dtype), shape)
                for shape in (model._build_shapes_dict or {}).values()
            ]

        def serving_default(inputs):
            return model(inputs)

        return function(serving_default, input_signature=specs) if specs else None
