"""`tf.function`: TensorFlow's call semantics. The Python function itself runs, on every call.

What differs from TensorFlow, where a call runs a graph traced before: Python side effects
(`print`, appending to a list) happen on every call, and nothing is compiled.
"""

from __future__ import annotations

import contextlib
import weakref
from contextvars import ContextVar

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.specs import TypeSpec, spec_of
from gradtape.core import nest, scope
from gradtape.core.tensor import Tensor
from gradtape.engine.function_tape import recorded_function
from gradtape.engine.variable import Variable

_PLAIN = (int, float, str, bool, bytes, complex, type(None), Variable)
_inside: ContextVar[bool] = ContextVar("gradtape_inside_function", default=False)
_settings = {"run_eagerly": False}


@export("config.run_functions_eagerly", "config.experimental_run_functions_eagerly")
def run_functions_eagerly(run_eagerly) -> None:
    """Whether `tf.function` does nothing at all: no conversion of arguments and results."""
    _settings["run_eagerly"] = bool(run_eagerly)


@export("config.functions_run_eagerly", "config.experimental_functions_run_eagerly")
def functions_run_eagerly() -> bool:
    """Whether `run_functions_eagerly(True)` is in force."""
    return _settings["run_eagerly"]


@export("executing_eagerly")
def executing_eagerly() -> bool:
    """Whether the program is outside of all `tf.function`s, as in TensorFlow."""
    return not _inside.get()


@export("inside_function")
def inside_function() -> bool:
    """Whether the program is inside a `tf.function`."""
    return _inside.get()


class _Calls:
    """What a function remembers from call to call, for each instance it is a method of."""

    __slots__ = ("__weakref__", "made_variables", "needs_tape", "run")

    def __init__(self) -> None:
        self.run = False
        self.made_variables = False
        self.needs_tape: bool | None = None

    def refuse_variable(self, variable) -> None:
        raise ValueError(
            "tf.function only supports singleton tf.Variables created on the first call. Make sure "
            "the tf.Variable is only created once or created outside tf.function: "
            f"{variable.name!r} was created by a later call. Keep it in an attribute, or a global, "
            "and create it only where that is None."
        )


class Function:
    """A Python function with the call semantics of `tf.function`."""

    def __init__(self, python_function, input_signature=None, jit_compile=None, calls=None) -> None:
        self._python_function = python_function
        self._input_signature = input_signature
        self._jit_compile = jit_compile
        self._calls = _Calls() if calls is None else calls
        self._instances: dict[int, tuple] = {}
        self._signature = None
        self.__wrapped__ = python_function

    # --- description -----------------------------------------------------------------------------

    @property
    def python_function(self):
        return self._python_function

    @property
    def input_signature(self):
        return self._input_signature

    @property
    def name(self) -> str:
        return getattr(self._python_function, "__name__", type(self._python_function).__name__)

    def __getattr__(self, name: str):
        # __name__, __doc__, __module__ of the function, and whatever the program set on it.
        if name == "_python_function":
            raise AttributeError(name)
        return getattr(self._python_function, name)

    @property
    def __doc__(self):  # type: ignore[override]
        return getattr(self._python_function, "__doc__", None)

    def __repr__(self) -> str:
        return f"<tf.function {self.name}>"

    def experimental_get_tracing_count(self) -> int:
        """1 once the function has run: there is nothing that would be traced again."""
        return int(self._calls.run)

    def pretty_printed_concrete_signatures(self, verbose=True) -> str:
        return str(self._input_signature)

    def experimental_get_compiler_ir(self, *args, **kwargs):
        raise NotImplementedError("tf.function runs Python here: there is no compiler's code of it")

    # --- methods ---------------------------------------------------------------------------------

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        bound = self._python_function.__get__(instance, owner)
        return Function(bound, self._input_signature, self._jit_compile, self._calls_of(instance))

    def _calls_of(self, instance) -> _Calls:
        """By instance, and without keeping it alive."""
        key = id(instance)
        entry = self._instances.get(key)
        if entry is None:
            calls = _Calls()
            try:
                gone = weakref.ref(instance, lambda _: self._instances.pop(key, None))
            except TypeError:  # a class that cannot be referred to weakly: it counts anew each time
                return calls
            entry = self._instances[key] = (gone, calls)
        return entry[1]

    # --- calls -----------------------------------------------------------------------------------

    def __call__(self, *args, **kwargs):
        if _settings["run_eagerly"]:
            return self._python_function(*args, **kwargs)
        if self._input_signature is not None:
            args, kwargs = self._matched(args, kwargs)
        else:
            args = tuple(map(_argument, args))
            if kwargs:
                kwargs = {name: _argument(value) for name, value in kwargs.items()}
        return self._run(args, kwargs)

    def _run(self, args, kwargs):
        calls = self._calls
        if calls.needs_tape is None:
            from gradtape.api.gradients import mentions_gradients

            calls.needs_tape = mentions_gradients(self._python_function)
        observer = calls.refuse_variable if calls.run else None
        token = _inside.set(True)
        try:
            with (
                recorded_function() if calls.needs_tape else contextlib.nullcontext(),
                scope.observed(observer),
            ):
                result = self._python_function(*args, **kwargs)
            calls.run = True
        finally:
            _inside.reset(token)
        return result if type(result) is Tensor else self._results(result)

    def _results(self, result):
        if not nest.is_nested(result):
            return self._result(result)
        return nest.map_structure(self._result, result)

    def _result(self, value):
        if value is None or type(value) is Tensor or isinstance(value, Tensor):
            return value
        if hasattr(value, "_type_spec"):  # a composite that is made of tensors
            return value
        try:
            return ops.to_tensor(value)
        except (TypeError, ValueError):
            raise TypeError(
                "To be compatible with tf.function, Python functions must return zero or more "
                "Tensors or ExtensionTypes or None values; in compilation of "
                f"{self._python_function!r}, found return value of type {type(value).__name__}, "
                "which is not a Tensor or ExtensionType."
            ) from None

    # --- signatures ------------------------------------------------------------------------------

    def _parameters(self):
        if self._signature is None:
            import inspect

            self._signature = inspect.signature(self._python_function)
        return self._signature

    def _matched(self, args, kwargs):
        """The arguments as tensors that the input signature asks for, by position."""
        signature = self._parameters()
        try:
            bound = signature.bind(*args, **kwargs)
            values = list(bound.arguments.values())
            names = list(bound.arguments)
            for place, wanted in enumerate(self._input_signature or ()):
                if place < len(values):
                    bound.arguments[names[place]] = _cast(values[place], wanted)
        except TypeError as error:
            shown = ", ".join(
                f"{name}: {spec}" if spec is not None else name
                for name, spec in _zip_longest(signature.parameters, self._input_signature)
            )
            raise TypeError(
                f"Binding inputs to tf.function failed due to `{error}`. Received args: {args} and "
                f"kwargs: {kwargs} for signature: ({shown})."
            ) from None
        return bound.args, bound.kwargs

    def get_concrete_function(self, *args, **kwargs) -> ConcreteFunction:
        """This function for arguments described by specs (or examples), with the others fixed."""
        signature = self._parameters()
        if not args and not kwargs and self._input_signature is not None:
            args = tuple(self._input_signature)
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(
                f"Binding inputs to tf.function failed due to `{error}`. Received args: {args} and "
                f"kwargs: {kwargs} for signature: ({', '.join(signature.parameters)})."
            ) from None
        return ConcreteFunction(self, bound)


def _zip_longest(names, specs):
    specs = list(specs)
    return [(name, specs[i] if i < len(specs) else None) for i, name in enumerate(names)]


def _argument(value):
    """An argument as a function sees it: arrays have become tensors."""
    if type(value) is Tensor or isinstance(value, _PLAIN):
        return value
    if isinstance(value, (np.ndarray, np.generic)):
        return ops.to_tensor(value)
    if isinstance(value, (list, tuple, dict)) and any(
        isinstance(x, (np.ndarray, np.generic)) for x in nest.flatten(value)
    ):
        return nest.map_structure(_argument, value)
    return value


def _cast(value, wanted):
    """A value (or structure) as the spec (or structure of specs) demands."""
    if not isinstance(wanted, TypeSpec):
        if not nest.is_nested(wanted):
            return value
        flat = [
            _cast(v, w) for v, w in zip(_children(value, wanted), nest.flatten(wanted), strict=True)
        ]
        return nest.pack_sequence_as(wanted, flat)
    if isinstance(value, Variable):
        value = ops.to_tensor(value)
    cast = getattr(wanted, "cast", None)
    if cast is not None:
        return cast(value)
    if not wanted.is_compatible_with(value):
        raise TypeError(f"Can not cast {spec_of(value)} to {wanted}")
    return value


def _children(value, wanted) -> list:
    try:
        nest.assert_same_structure(wanted, value)
    except ValueError as error:
        raise TypeError(str(error)) from None
    return nest.flatten(value)


class ConcreteFunction:
    """A function for arguments of given specs; other arguments are fixed."""

    def __init__(self, function: Function, bound) -> None:
        self._function = function
        self._bound = bound
        self._specs = {
            name: nest.map_structure(_as_spec, value) for name, value in bound.arguments.items()
        }
        self._outputs = None
        self._has_run = False

    @property
    def name(self) -> str:
        return self._function.name

    @property
    def structured_input_signature(self) -> tuple:
        named = {
            name: nest.map_structure(lambda s, n=name: _named(s, n), spec)
            for name, spec in self._specs.items()
        }
        return tuple(named.values()), {}

    @property
    def structured_outputs(self):
        """The specs of the results of the first call; before it, they are not known."""
        if not self._has_run:
            raise AttributeError(
                "ConcreteFunction.structured_outputs: the function has not run. What it gives is "
                "known after the first call, for no graph is traced."
            )
        return self._outputs

    def __getattr__(self, name: str):
        if name in ("graph", "inputs", "outputs", "captured_inputs", "function_def", "variables",
                    "trainable_variables", "output_shapes", "output_dtypes"):  # fmt: skip
            raise AttributeError(
                f"ConcreteFunction.{name}: tf.function runs Python here, there is no graph. Call "
                "the function, or read its structured_input_signature."
            )
        raise AttributeError(f"'ConcreteFunction' object has no attribute {name!r}")

    def _open(self) -> list[str]:
        """The parameters that a call must give."""
        return [
            name
            for name, spec in self._specs.items()
            if any(isinstance(s, TypeSpec) for s in nest.flatten(spec))
        ]

    def __call__(self, *args, **kwargs):
        open_names = self._open()
        every = list(self._specs)
        names = every if len(args) > len(open_names) else open_names
        if len(args) > len(names):
            raise TypeError(
                f"{self.name}({', '.join(open_names)}) takes {len(open_names)} positional "
                f"arguments, got {len(args)}."
            )
        given = dict(zip(names, args, strict=False)) | kwargs
        unknown = given.keys() - self._specs.keys()
        if unknown:
            raise TypeError(f"{self.name} got unexpected keyword arguments: {sorted(unknown)}")
        arguments = {}
        for name, spec in self._specs.items():
            if name not in open_names:
                if name in given and not _same(given[name], spec):
                    raise TypeError(
                        "Binding inputs to tf.function failed due to `Can not cast "
                        f"{given[name]!r} to Literal[{spec!r}]`: the concrete function was "
                        "made for this value."
                    )
                arguments[name] = self._bound.arguments[name]
            elif name not in given:
                raise TypeError(f"{self.name} missing required arguments: {name}.")
            else:
                arguments[name] = self._checked(name, given[name], spec)
        bound = type(self._bound)(self._bound.signature, arguments)
        result = self._function._run(bound.args, bound.kwargs)
        if not self._has_run:
            self._outputs = nest.map_structure(_as_spec, result)
            self._has_run = True
        return result

    def _checked(self, name: str, value, spec):
        def check(each, wanted):
            dtype = getattr(wanted, "dtype", None) if isinstance(wanted, TypeSpec) else None
            if dtype is None:
                return each
            tensor = ops.to_tensor(each, None if ops.is_tensor_like(each) else dtype)
            if tensor.dtype is not dtype:
                raise ops.InvalidArgumentError(
                    f"cannot compute {self.name} as input {name!r} was expected to be a "
                    f"{dtype.name} tensor but is a {tensor.dtype.name} tensor"
                )
            return each if isinstance(each, Variable) else tensor

        if not nest.is_nested(spec):
            return check(value, spec)
        flat = [
            check(v, s) for v, s in zip(_children(value, spec), nest.flatten(spec), strict=True)
        ]
        return nest.pack_sequence_as(spec, flat)

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}: {spec}" for name, spec in self._specs.items())
        return f"<ConcreteFunction ({shown})>"

    def __str__(self) -> str:
        return self.pretty_printed_signature()

    def pretty_printed_signature(self, verbose=True) -> str:
        lines = [f"  {name}: {spec}" for name, spec in self._specs.items()]
        return "\n".join(["ConcreteFunction Input Parameters:", *lines])


def _as_spec(value):
    if isinstance(value, TypeSpec):
        return value
    if isinstance(value, (Tensor, Variable, np.ndarray, np.generic)):
        return spec_of(value)
    return value


def _named(spec, name: str):
    from gradtape.api.specs import TensorSpec

    if isinstance(spec, TensorSpec) and spec.name is None:
        return TensorSpec(spec.shape, spec.dtype, name)
    return spec


def _same(a, b) -> bool:
    try:
        return bool(a is b or a == b)
    except (TypeError, ValueError):
        return False


@export("function")
def function(
    func=None,
    input_signature=None,
    autograph=True,
    jit_compile=None,
    reduce_retracing=False,
    experimental_implements=None,
    experimental_autograph_options=None,
    experimental_attributes=None,
    experimental_relax_shapes=None,
    experimental_compile=None,
    experimental_follow_type_hints=None,
):
    """Give a function the call semantics of `tf.function`.

    Array arguments become tensors, results become tensors, an `input_signature` is enforced,
    variables may be made by the first call only, and `tf.gradients` works inside. The function's
    Python code runs on every call: control flow on tensors is Python's own, and nothing is
    compiled; the options that concern tracing and compiling are accepted and change nothing.
    """
    if input_signature is not None:
        input_signature = tuple(input_signature)
        for spec in nest.flatten(list(input_signature)):
            if not isinstance(spec, TypeSpec):
                raise TypeError(
                    "input_signature must be a possibly nested sequence of TensorSpec objects, "
                    f"got {spec!r}"
                )

    def decorated(inner) -> Function:
        if not callable(inner):
            raise TypeError(f"{inner!r} is not a callable object")
        if isinstance(inner, Function):
            inner = inner.python_function
        return Function(inner, input_signature, jit_compile)

    return decorated if func is None else decorated(func)


export("types.experimental.GenericFunction", "types.experimental.PolymorphicFunction")(Function)
export("types.experimental.ConcreteFunction")(ConcreteFunction)
