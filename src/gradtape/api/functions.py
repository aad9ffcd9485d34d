"""`tf.function`: a function is traced once for each kind of arguments, and its graph runs.

As in TensorFlow, Python's side effects (`print`, appending to a list) happen while tracing. A
function that cannot be traced, because Python decides by a tensor's value, runs eagerly instead.
"""

from __future__ import annotations

import contextlib
import inspect
import traceback
import weakref
from contextvars import ContextVar

from gradtape import ops
from gradtape.api.concrete_functions import ConcreteFunction, fitted
from gradtape.api.export import export
from gradtape.api.function_entries import Attempt, Eager, Inline, Traced
from gradtape.api.specs import TypeSpec
from gradtape.core import nest, scope
from gradtape.core.places import user_frame
from gradtape.core.state import get_state
from gradtape.core.tensor import Tensor
from gradtape.engine.function_tape import recorded_function
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.trace.choose import choose_backend
from gradtape.engine.trace.eagerly import inlined as _inlined
from gradtape.engine.trace.eagerly import settings as _settings
from gradtape.engine.trace.report import runs_eagerly, traced_often
from gradtape.engine.trace.results import flattened
from gradtape.engine.trace.routine import CannotTrace, traced
from gradtape.engine.trace.signature import Untraceable, described, key_of, rebuilt, same_but
from gradtape.engine.trace.tracing import Failure

_MOST_ENTRIES = 256  # traces that a function keeps
# Errors that may come from the tensors having no values, and not from the program.
_NOT_TRACEABLE = (TypeError, AttributeError, NotImplementedError)
_inside: ContextVar[bool] = ContextVar("gradtape_inside_function", default=False)


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

    def __init__(self) -> None:
        self.run = False
        self.needs_tape: bool | None = None
        self.entries: dict = {}  # by the key of the arguments
        self.keys: list = []  # of all traces
        self.told = False  # whether the user knows that the function runs eagerly
        self.signature: inspect.Signature | None = None
        self.defaults: list = []  # of the positional parameters
        self.keyword_defaults: dict = {}  # of those that can only be given by keyword

    def refuse_variable(self, variable) -> None:
        raise ValueError(
            "tf.function only supports singleton tf.Variables created on the first call. Make sure "
            "the tf.Variable is only created once or created outside tf.function: "
            f"{variable.name!r} was created by a later call. Keep it in an attribute, or a global, "
            "and create it only where that is None."
        )


class Function:
    """A Python function with the call semantics of `tf.function`."""

    def __init__(
        self,
        python_function,
        input_signature=None,
        jit_compile=None,
        reduce_retracing=False,
        attributes=None,
        calls=None,
    ) -> None:
        self._python_function = python_function
        self._input_signature = input_signature
        self._jit_compile = jit_compile
        self._reduce_retracing = bool(reduce_retracing)
        self._attributes = attributes
        self._calls = _Calls() if calls is None else calls
        self._instances: dict[int, tuple] = {}
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

    @property
    def function_spec(self):
        """How the function is called: its Python signature."""
        return self._parameters()

    @property
    def experimental_attributes(self):
        return self._attributes

    def experimental_get_tracing_count(self) -> int:
        """How many kinds of arguments the function has been traced for.

        Shapes that a signature leaves open count as one kind, although each has a graph here.
        """
        keys = self._calls.keys
        if self._input_signature is not None:
            return min(1, len(keys))
        if not self._reduce_retracing:
            return len(keys)
        kinds: dict = {}
        for key in keys:
            kinds.setdefault(same_but(key), set()).add(key)
        return sum(min(2, len(alike)) for alike in kinds.values())

    def pretty_printed_concrete_signatures(self, verbose=True) -> str:
        """The kinds of arguments that there are graphs for, and what they give."""
        names = self._names()
        parts = []
        for key, entry in self._calls.entries.items():
            if entry.routine is None:
                continue
            lines = ["Input Parameters:"]
            for place, each in enumerate(key):
                name = names[place] if place < len(names) else f"argument {place}"
                lines.append(f"  {name}: {described(each)}")
            lines += ["Output Type:", f"  {entry.structured_outputs()}"]
            parts.append("\n".join(lines))
        return "\n\n".join(parts)

    def experimental_get_compiler_ir(self, *args, **kwargs):
        raise NotImplementedError(
            "tf.function: the compiler's code is not shown here; gradtape.graph.print(f, ...) "
            "shows the graph that is compiled"
        )

    # --- methods ---------------------------------------------------------------------------------

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        bound = self._python_function.__get__(instance, owner)
        return Function(
            bound,
            self._input_signature,
            self._jit_compile,
            self._reduce_retracing,
            self._attributes,
            self._calls_of(instance),
        )

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
        if _inlined.get():
            return self._run(args, kwargs)
        entry, tensors, args, kwargs = self._entry(args, kwargs)
        return entry.call(self, tensors, args, kwargs)

    def _entry(self, args: tuple, kwargs: dict):
        """How to run a call, and the call: (entry, its tensors, positional, keyword arguments)."""
        if self._input_signature is not None:
            args, kwargs = self._matched(args, kwargs)
        else:
            args, kwargs = self._in_order(args, kwargs)
        calls = self._calls
        tensors: list = []
        try:
            key: tuple = ()
            for value in args:
                key += (key_of(value, tensors),)
            if kwargs:
                key += tuple([(name, key_of(value, tensors)) for name, value in kwargs.items()])
        except Untraceable as reason:
            entry = self._eager(str(reason))
        else:
            entry = calls.entries.get(key)
            if entry is None or (entry.fits is not None and not entry.fits()):
                entry = self._traced(key, tensors, args, kwargs)
        return entry, tensors, args, kwargs

    def _traced(self, key, tensors: list, args: tuple, kwargs: dict):
        """Trace the function for arguments like these, or learn that it must run eagerly."""
        calls = self._calls
        specs = [x._spec() for x in tensors]
        made: list = []

        def body(traced: list):
            found = iter(traced)
            new_args = tuple([rebuilt(value, found) for value in args])
            new_kwargs = {name: rebuilt(value, found) for name, value in kwargs.items()}
            result = self._inside(new_args, new_kwargs, calls.refuse_variable if calls.run else
                                  made.append)  # fmt: skip
            return flattened(result, self._result)

        try:
            routine, pack = traced(body, specs)
            if made:  # they exist from now on: the function as it is on every later call
                calls.run = True
                routine, pack = traced(body, specs)
        except CannotTrace as reason:
            if get_state().trace is not None:
                return Inline()  # its ops become ops of the function around it
            entry = self._eager(reason.failure)
        except _NOT_TRACEABLE as error:
            # Perhaps a library looks for what only tensors with values have; or it is an error.
            if get_state().trace is not None:
                raise
            place = _place(error)
            return Attempt(lambda: self._keep(key, self._eager(place)), place)
        else:
            calls.run = True
            choose_backend(self.name, routine, tensors, self._jit_compile)
            entry = Traced(routine, pack)
            if len(calls.entries) >= _MOST_ENTRIES:
                calls.entries.pop(next(iter(calls.entries)))
        return self._keep(key, entry)

    def _keep(self, key, entry):
        calls = self._calls
        calls.entries[key] = entry
        calls.keys.append(key)
        if self._input_signature is None:
            traced_often(self.name, len(calls.keys), calls.keys, self._names())
        return entry

    def _eager(self, reason) -> Eager:
        if not self._calls.told:
            self._calls.told = True
            runs_eagerly(self.name, reason)
        return Eager(reason)

    def _inside(self, args, kwargs, observer):
        """The result of the Python function, run as the inside of a function."""
        calls = self._calls
        if calls.needs_tape is None:
            from gradtape.api.gradients import mentions_gradients

            calls.needs_tape = mentions_gradients(self._python_function)
        token = _inside.set(True)
        try:
            with (
                recorded_function() if calls.needs_tape else contextlib.nullcontext(),
                scope.observed(observer),
            ):
                return self._python_function(*args, **kwargs)
        finally:
            _inside.reset(token)

    def _run(self, args, kwargs):
        """Run the function eagerly."""
        calls = self._calls
        result = self._inside(args, kwargs, calls.refuse_variable if calls.run else None)
        calls.run = True
        if type(result) is Tensor:
            return result
        if not nest.is_nested(result):
            return self._kept(result)
        return nest.map_structure(self._kept, result)

    def _kept(self, value):
        if value is None or isinstance(value, Tensor) or hasattr(value, "_type_spec"):
            return value
        return value if isinstance(value, IndexedSlices) else self._result(value)

    def _result(self, value) -> Tensor:
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

    def _parameters(self) -> inspect.Signature:
        calls = self._calls
        if calls.signature is None:
            try:
                calls.signature = inspect.signature(self._python_function)
            except (TypeError, ValueError):  # a function of C, which does not say
                calls.signature = inspect.signature(lambda *args, **kwargs: None)
            for parameter in calls.signature.parameters.values():
                if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
                    calls.defaults.append(parameter.default)
                elif parameter.kind is parameter.KEYWORD_ONLY:
                    calls.keyword_defaults[parameter.name] = parameter.default
        return calls.signature

    def _names(self) -> list[str]:
        return list(self._parameters().parameters)

    def _in_order(self, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
        """The arguments by position as far as possible, with the defaults of those left out."""
        signature = self._calls.signature or self._parameters()
        if not kwargs:
            rest = self._calls.defaults[len(args) :]
            by_keyword = self._calls.keyword_defaults
            if not rest and not by_keyword:
                return args, kwargs
            if not any(d is inspect.Parameter.empty for d in (*rest, *by_keyword.values())):
                return (*args, *rest), by_keyword
        bound = self._bound(signature, args, kwargs)
        bound.apply_defaults()
        return bound.args, bound.kwargs

    def _bound(self, signature: inspect.Signature, args, kwargs) -> inspect.BoundArguments:
        try:
            return signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(
                f"Binding inputs to tf.function failed due to `{error}`. Received args: {args} and "
                f"kwargs: {kwargs} for signature: ({', '.join(signature.parameters)})."
            ) from None

    def _matched(self, args, kwargs):
        """The arguments as tensors that the input signature asks for, by position."""
        signature = self._parameters()
        try:
            bound = signature.bind(*args, **kwargs)
            values = list(bound.arguments.values())
            names = list(bound.arguments)
            for place, wanted in enumerate(self._input_signature or ()):
                if place < len(values):
                    bound.arguments[names[place]] = fitted(values[place], wanted)
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
        return ConcreteFunction(self, self._bound(signature, args, kwargs))


def _zip_longest(names, specs):
    specs = list(specs)
    return [(name, specs[i] if i < len(specs) else None) for i, name in enumerate(names)]


def _place(error: Exception) -> Failure:
    """Where in the user's program an error came up, as a reason to run eagerly."""
    file, line = "", 0
    for frame, number in traceback.walk_tb(error.__traceback__):
        if user_frame(frame) is frame:
            file, line = frame.f_code.co_filename, number
    return Failure(f"{type(error).__name__} while tracing: {error}", file, line)


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

    The function is traced once for each kind of arguments: tensors by shape and dtype, Python
    values by value, variables and other objects by identity. Array arguments become tensors,
    results become tensors, an `input_signature` is enforced, and variables may be made by the first
    call only. Where Python itself needs a tensor's value, the function runs eagerly, and says so.
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
        compiles = experimental_compile if jit_compile is None else jit_compile
        relaxes = bool(reduce_retracing or experimental_relax_shapes)
        return Function(inner, input_signature, compiles, relaxes, experimental_attributes)

    return decorated if func is None else decorated(func)


export("types.experimental.GenericFunction", "types.experimental.PolymorphicFunction")(Function)
