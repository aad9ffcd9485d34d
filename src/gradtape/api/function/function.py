"""`tf.function`: a function is traced once for each kind of arguments, and its graph runs.

As in TensorFlow, Python's side effects (`print`, list.append) happen while tracing, and control
flow on tensors is converted (`api/autograph`). A function that cannot be traced, because Python
needs a tensor's value, runs eagerly: `graph/lookahead` predicts that.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import weakref

from gradtape.api.export import export
from gradtape.api.function.arguments import Parameters, captures_traced_tensors
from gradtape.api.function.concrete import ConcreteFunction
from gradtape.api.function.entries import (
    CallCache,
    EagerEntry,
    FirstCall,
    GraphEntry,
    InlineEntry,
    RepeatingEntry,
    keep_stages,
)
from gradtape.api.function.function_type import argument_names, type_of_key
from gradtape.api.function.open_calls import has_open_sizes, open_entry
from gradtape.api.function.pickling import reduce_function
from gradtape.api.specs import TypeSpec
from gradtape.backends.xla.runtime.choose import choose_backend
from gradtape.core import nest, scope
from gradtape.core.protocols import has_type_spec
from gradtape.core.state import get_state, inside
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.function_tape import recorded_function
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.graph.apply import inlined, settings
from gradtape.graph.lookahead import look_ahead
from gradtape.graph.obstacles import TAKES_ELEMENTS, Obstacle
from gradtape.graph.report import warn_many_traces, warn_runs_eagerly
from gradtape.graph.results import flatten_result, to_result
from gradtape.graph.routine import CannotTrace, trace_routine
from gradtape.graph.signature import (
    Untraceable,
    key_of,
    rebuild,
    relax_shapes,
)
from gradtape.graph.stages import Live, NotTraced, can_compute_now, make_stages


@export("types.experimental.GenericFunction", "types.experimental.PolymorphicFunction")
class Function:
    """A Python function with the call semantics of `tf.function`."""

    def __init__(
        self,
        python_function,
        input_signature=None,
        jit_compile=None,
        reduce_retracing=False,
        attributes=None,
        cache=None,
        autograph=True,
    ) -> None:
        self._autograph = autograph
        self._python_function = python_function
        self.__doc__ = getattr(python_function, "__doc__", None)
        self._input_signature = input_signature
        self._jit_compile = jit_compile
        self._reduce_retracing = bool(reduce_retracing)
        self._attributes = attributes
        self._cache = CallCache() if cache is None else cache
        # TensorFlow's name for what methods of instances keep: zfit empties it.
        self._descriptor_cache: dict[int, tuple] = {}
        self.__wrapped__ = python_function

    def _decorate(self, decorator) -> None:
        """Decorate the Python function: Sonnet does so with the functions in its modules."""
        if self._cache.has_run or self._cache.count:
            raise ValueError("Functions cannot be decorated after they have been traced.")
        self._python_function = self.__wrapped__ = decorator(self._python_function)

    def __reduce__(self):
        return reduce_function(self)

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
        # __name__, __module__ of the function, and whatever the program set on it.
        if name == "_python_function":
            raise AttributeError(name)
        return getattr(self._python_function, name)

    def __repr__(self) -> str:
        return f"<tf.function {self.name}>"

    @property
    def function_spec(self):
        """The Python signature of the function."""
        return self._parameters().signature

    @property
    def experimental_attributes(self):
        return self._attributes

    def experimental_get_tracing_count(self) -> int:
        """Return how many kinds of arguments the function has been traced for.

        Shapes that a signature leaves open count as one kind, although some need their own graph.
        """
        if self._input_signature is not None:
            return min(1, self._cache.count)
        if not self._reduce_retracing:
            return self._cache.count
        return sum(map(len, self._cache.relaxed_keys.values()))

    def pretty_printed_concrete_signatures(self, verbose=True) -> str:
        """Return the kinds of arguments that there are graphs for, and the specs of the results."""
        traced = [(key, e) for key, e in self._cache.entries.items() if e.routine is not None]
        types = [type_of_key(self._parameters().signature, key, entry) for key, entry in traced]
        return "\n\n".join([each.described(verbose) for each in types])

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
            self._cache_of(instance),
            self._autograph,
        )

    def _cache_of(self, instance) -> CallCache:
        """Return the cache of an instance, without keeping the instance alive."""
        key = id(instance)
        entry = self._descriptor_cache.get(key)
        if entry is None:
            cache = CallCache()
            try:
                reference = weakref.ref(instance, lambda _: self._descriptor_cache.pop(key, None))
            except TypeError:  # a class without weak references: nothing is cached
                return cache
            entry = self._descriptor_cache[key] = (reference, cache)
        return entry[1]

    # --- calls -----------------------------------------------------------------------------------

    def __call__(self, *args, **kwargs):
        if settings["run_eagerly"]:
            return self._python_function(*args, **kwargs)
        if inlined.get():
            return self._run(args, kwargs)
        entry, tensors, args, kwargs = self._entry(args, kwargs)
        return entry.call(self, tensors, args, kwargs)

    def _entry(self, args: tuple, kwargs: dict):
        """Return the entry that runs a call, the tensors in it, and its args and kwargs."""
        cache = self._cache
        parameters = cache.parameters or self._parameters()
        if self._input_signature is not None:
            args, kwargs = parameters.cast(args, kwargs, self._input_signature)
        else:
            args, kwargs = parameters.in_order(args, kwargs)
        tensors: list = []
        try:
            key: tuple = ()
            for value in args:
                key += (key_of(value, tensors),)
            if kwargs:
                key += tuple([(name, key_of(value, tensors)) for name, value in kwargs.items()])
        except Untraceable as reason:
            entry = self._eager_entry(str(reason))
        else:
            trace = get_state().trace
            if trace is not None and trace.open is not None and has_open_sizes(tensors, args):
                target, _ = self._function_to_trace(args, kwargs)
                return InlineEntry(target), tensors, args, kwargs
            entries = cache.entries
            entry = entries.get(key)
            if entry is not entries.latest and entry is not None:
                entries.use(entry)
            if entry is None or (entry.fits is not None and not entry.fits()):
                entry = self._trace(key, tensors, args, kwargs)
        return entry, tensors, args, kwargs

    def _trace(self, key, tensors: list, args: tuple, kwargs: dict):
        """Trace the function for arguments like these; return the entry that runs such calls."""
        cache = self._cache
        is_nested = get_state().trace is not None  # then its ops can be inlined
        if is_nested and captures_traced_tensors(self._python_function):
            return InlineEntry(self._python_function)
        if (entry := open_entry(self, key, tensors, args, kwargs)) is not None:
            return entry
        target, reason = self._function_to_trace(args, kwargs)
        if reason is not None:
            if is_nested:
                return InlineEntry(self._python_function)
            return self._keep(key, self._eager_entry(reason))
        created: list = []
        live = None if is_nested or not can_compute_now(tensors) else Live(tensors)
        try:
            traced = self._trace_once(target, tensors, args, kwargs, live, created)
            if created and (live is None or not live.questions):
                cache.has_run = True  # trace the function as it is on every later call
                live = None if live is None else Live(tensors)
                traced = self._trace_once(target, tensors, args, kwargs, live, created)
        except CannotTrace as reason:
            if self._may_convert(reason.failure, live):
                cache.converts = True
                return self._trace(key, tensors, args, kwargs)
            return InlineEntry(target) if is_nested else self._untraced(key, reason.failure, live)
        cache.has_run = True
        trace, routine, pack = traced
        choose_backend(self.name, routine, tensors, self._jit_compile)
        if live is None or not live.questions:
            return self._keep(key, GraphEntry(routine, pack))
        return keep_stages(self, trace, live, routine, pack, bool(created), key)

    def _trace_once(
        self, target, tensors: list, args: tuple, kwargs: dict, live, created: list, open=None
    ):
        """Trace the function; return the trace, the routine and the function that packs results.

        `open`: its open sizes, and the specs of the tensors.
        """
        cache = self._cache
        sizes, specs = open or (None, [x._spec() for x in tensors])
        traces: list = []

        def prepare(trace) -> None:
            trace.live = live
            trace.is_compiled = bool(self._jit_compile)
            trace.is_declared = any(isinstance(x._data, Spec) for x in tensors)
            trace.converts = self._autograph and autograph_is_available()
            trace.open = sizes
            trace.argument_names = argument_names(self._parameters().signature, args, kwargs)
            traces.append(trace)

        def body(inputs: list):
            values = iter(inputs)
            new_args = tuple([rebuild(value, values) for value in args])
            new_kwargs = {name: rebuild(value, values) for name, value in kwargs.items()}
            observer = cache.refuse_variable if cache.has_run else created.append
            result = self._call_python(target, new_args, new_kwargs, observer)
            return flatten_result(result, lambda x: to_result(x, self._python_function))

        routine, pack = trace_routine(body, specs, prepare)
        return traces[-1], routine, pack

    def trace_further(self, reached: NotTraced, tensors: list, args: tuple, kwargs: dict):
        """Trace the function for shapes that a call has met, and finish the call."""
        target, _ = self._function_to_trace(args, kwargs)
        live = Live(tensors, reached.answers, reached.values)
        try:
            trace, routine, pack = self._trace_once(target, tensors, args, kwargs, live, [])
        except CannotTrace as reason:
            entry = self._eager_entry(reason.failure, was_traced=True)
            return RepeatingEntry(entry, live).call(self, tensors, args, kwargs)
        choose_backend(self.name, routine, tensors, self._jit_compile)
        make_stages(trace, live, routine, pack, reached.path)
        return FirstCall(trace, live, routine, pack).call(self, tensors, args, kwargs)

    def _function_to_trace(self, args: tuple, kwargs: dict):
        """Return the function, with its control flow on tensors converted; or why it cannot be."""
        function = self._python_function
        converts = self._autograph and autograph_is_available()
        converts = converts or getattr(function, "_is_converted", False)  # by autograph.to_graph
        outlook = look_ahead(function, args, kwargs, converts=converts)
        if outlook.failure is None and (outlook.has_control_flow or self._cache.converts):
            from gradtape.api.autograph.convert import CannotConvert, convert

            try:
                return convert(function), None
            except CannotConvert:
                outlook = look_ahead(function, args, kwargs)
        return function, outlook.failure

    def _untraced(self, key, failure, live) -> EagerEntry:
        """Return the entry of a call in which a trace has failed."""
        entry = self._keep(key, self._eager_entry(failure, was_traced=True))
        return RepeatingEntry(entry, live) if live is not None and live.called else entry

    def _may_convert(self, failure, live) -> bool:
        """Return whether conversion may help a trace that failed: the source has not shown why."""
        if self._cache.converts or not self._autograph or not autograph_is_available():
            return False
        if live is not None and live.has_acted:
            return False
        return failure.kind is Obstacle.BRANCH or failure.what == TAKES_ELEMENTS

    def _keep(self, key, entry):
        cache = self._cache
        cache.entries.keep(key, entry)
        cache.count += 1
        if self._reduce_retracing:
            keys = cache.relaxed_keys.setdefault(relax_shapes(key), set())
            if len(keys) < 2:
                keys.add(key)
        if self._input_signature is None and entry.routine is not None:
            warn_many_traces(self, cache.count, cache.last_key, key, self._parameters().names)
        cache.last_key = key
        return entry

    def _eager_entry(self, reason, was_traced: bool = False) -> EagerEntry:
        if not self._cache.has_warned:
            self._cache.has_warned = True
            suggests = self._autograph and not autograph_is_available()
            warn_runs_eagerly(self.name, reason, was_traced, suggests)
        return EagerEntry(reason)

    def _call_python(self, function, args, kwargs, observer):
        """Call the Python function, or what it was converted to.

        `observer` is notified of the variables that it creates.
        """
        cache = self._cache
        if cache.needs_tape is None:
            from gradtape.api.function.gradients import mentions_gradients

            cache.needs_tape = mentions_gradients(self._python_function)
        before = inside.get()
        try:
            inside.set(True)
            with (
                recorded_function() if cache.needs_tape else contextlib.nullcontext(),
                scope.observed(observer),
            ):
                return function(*args, **kwargs)
        finally:
            inside.set(before)

    def _run(self, args, kwargs, target=None):
        """Run the function, or what it was converted to, eagerly."""
        cache = self._cache
        observer = cache.refuse_variable if cache.has_run else None
        target = self._python_function if target is None else target
        result = self._call_python(target, args, kwargs, observer)
        cache.has_run = True
        if type(result) is Tensor:
            return result
        if not nest.is_nested(result):
            return self._eager_result(result)
        return nest.map_structure(self._eager_result, result)

    def _eager_result(self, value):
        if value is None or isinstance(value, (Tensor, IndexedSlices)) or has_type_spec(value):
            return value
        return to_result(value, self._python_function)

    # --- signatures ------------------------------------------------------------------------------

    def _parameters(self) -> Parameters:
        cache = self._cache
        if cache.parameters is None:
            cache.parameters = Parameters(self._python_function)
        return cache.parameters

    def get_concrete_function(self, *args, **kwargs) -> ConcreteFunction:
        """Return the function for arguments of given specs (or examples), with the others fixed."""
        if not args and not kwargs and self._input_signature is not None:
            args = tuple(self._input_signature)
        return ConcreteFunction(self, self._parameters().bind(args, kwargs))


@functools.cache
def autograph_is_available() -> bool:
    """Return whether control flow on tensors can be converted (the `autograph` extra)."""
    return importlib.util.find_spec("malt") is not None


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
        return Function(
            inner,
            input_signature,
            compiles,
            relaxes,
            experimental_attributes,
            autograph=bool(autograph),
        )

    return decorated if func is None else decorated(func)
