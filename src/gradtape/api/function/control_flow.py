"""Structured control flow. Tapes see the ops of the branch taken and of each iteration."""

from __future__ import annotations

from typing import Any

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.function import graph_control_flow
from gradtape.api.nests import assert_same_structure
from gradtape.api.specs import CompositeTensor
from gradtape.core import nest
from gradtape.core.dtypes import as_dtype
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.protocols import has_tensor_specs, has_type_spec, is_ragged_spec
from gradtape.core.shape import TensorShape
from gradtape.core.size import is_open
from gradtape.core.state import inside
from gradtape.core.tensor import Tensor, TensorBase
from gradtape.engine.vmap import vmap
from gradtape.graph.unrolling import UnrolledIterations


def _to_bool(pred, what: str) -> bool:
    """Return a condition as a Python bool."""
    if isinstance(pred, bool):
        return pred
    tensor = ops.to_tensor(pred)
    if tensor.shape.num_elements() != 1:
        raise ValueError(
            f"{what} must be a single truth value, got a tensor of shape {tensor.shape}. Use "
            "tf.reduce_all or tf.reduce_any, or tf.where for a choice by element."
        )
    return bool(tensor)


def _as_tensor(x):
    """Return a tensor; None and composites (a `TensorArray`) stay as they are."""
    return x if x is None or has_type_spec(x) else ops.to_tensor(x)


def _as_tensors(structure):
    return nest.map_structure(_as_tensor, structure)


def _of_branch(result):
    """Return what a branch gave: eagerly as it is, whatever it is; in a function tensors, also if
    the function (that of a dataset, say) is not traced."""
    return _as_tensors(result) if graph_control_flow.is_tracing() or inside.get() else result


@export("cond")
def cond(pred, true_fn: Any = None, false_fn: Any = None, name=None):
    """Return the result of `true_fn()` if the condition holds, of `false_fn()` otherwise."""
    for argument, value in (("true_fn", true_fn), ("false_fn", false_fn)):
        if not callable(value):
            raise TypeError(f"'{argument}' must be callable.")
    if graph_control_flow.dynamic_scalar(pred) is not None:
        return graph_control_flow.cond(pred, true_fn, false_fn)
    return _of_branch(true_fn() if _to_bool(pred, "cond: 'pred'") else false_fn())


@export("case")
def case(pred_fn_pairs, default=None, exclusive=False, strict=False, name="case") -> Any:
    """Return the result of the first function whose condition holds, else of `default`."""
    pairs = list(pred_fn_pairs.items() if isinstance(pred_fn_pairs, dict) else pred_fn_pairs)
    pairs = [(p.deref() if hasattr(p, "deref") else p, f) for p, f in pairs]
    for _, function in pairs:
        if not callable(function):
            raise TypeError(f"case: each pair is (condition, function), got {function!r}")
    if any(graph_control_flow.dynamic_scalar(pred) is not None for pred, _ in pairs):
        return graph_control_flow.case(pairs, default, exclusive)
    holds = [_to_bool(pred, "case: a condition") for pred, _ in pairs]
    if exclusive and sum(holds) > 1:
        raise ops.InvalidArgumentError(
            "case: more than one condition evaluated as True but exclusive=True. Conditions: "
            f"{holds}"
        )
    for is_true, (_, function) in zip(holds, pairs, strict=True):
        if is_true:
            return _of_branch(function())
    if default is None:
        raise ops.InvalidArgumentError(
            f"case: None of the conditions evaluated as True. Conditions: {holds}. Pass `default`."
        )
    return _of_branch(default())


@export("switch_case")
def switch_case(branch_index, branch_fns, default=None, name="switch_case") -> Any:
    """Return the result of the function with this index; out of range: of `default` or the last."""
    if isinstance(branch_fns, dict) or all(isinstance(b, (list, tuple)) for b in branch_fns):
        branches = dict(branch_fns)
    else:
        branches = dict(enumerate(branch_fns))
    if not branches:
        raise ValueError("switch_case: branch_fns must not be empty.")
    for function in branches.values():
        if not callable(function):
            raise TypeError(f"switch_case: branch_fns must be functions, got {function!r}")
    index = ops.to_tensor(branch_index)
    if not index.dtype.is_integer:
        raise TypeError(f"branch_index must be an integer, got a tensor of dtype {index.dtype!r}")
    if graph_control_flow.dynamic_scalar(index) is not None:
        return graph_control_flow.switch_case(index, branches, default)
    index = int(index)
    if index in branches:
        return _of_branch(branches[index]())
    return _of_branch((branches[max(branches)] if default is None else default)())


@export("while_loop")
def while_loop(
    cond,
    body,
    loop_vars,
    shape_invariants=None,
    parallel_iterations=10,
    back_prop=True,
    swap_memory=False,
    maximum_iterations=None,
    name=None,
):
    """Repeat `loop_vars = body(*loop_vars)` while `cond(*loop_vars)` holds."""
    for argument, value in (("cond", cond), ("body", body)):
        if not callable(value):
            raise TypeError(f"'{argument}' must be callable.")
    limit = None if maximum_iterations is None else int(ops.to_tensor(maximum_iterations))
    single = not isinstance(loop_vars, (list, tuple))
    variables = (loop_vars,) if single else loop_vars
    if not variables:
        raise ValueError("No loop variables provided.")
    variables = (
        type(variables)(*_as_tensors(list(variables)))
        if nest.is_namedtuple(variables)
        else type(variables)(_as_tensors(list(variables)))
    )
    if graph_control_flow.is_tracing():
        final: Any = graph_control_flow.while_loop(cond, body, variables, limit)
        return final[0] if single else final
    count = 0
    while limit is None or count < limit:
        answer = cond(*variables)
        if graph_control_flow.dynamic_scalar(answer) is not None:
            # Examples of a vmap go round differently often.
            rest = None if limit is None else limit - count
            final = graph_control_flow.loop(cond, body, variables, rest)
            return final[0] if single else final
        if not _to_bool(answer, "while_loop: 'cond'"):
            break
        result = body(*variables)
        if len(variables) == 1 and not isinstance(result, (list, tuple)):
            result = (result,)
        nest.assert_same_structure(list(variables), list(result))
        variables = nest.pack_sequence_as(
            variables, [_as_tensor(x) for x in nest.flatten(list(result))]
        )
        count += 1
    return variables[0] if single else variables


def _rows(elems, what: str) -> tuple[list, int]:
    """Return the leaves of `elems` as tensors, and their size along axis 0."""
    leaves = [ops.to_tensor(x) for x in nest.flatten(elems)]
    if not leaves:
        raise ValueError(f"{what}: elems must hold at least one tensor")
    for x in leaves:
        if x.shape.rank == 0:
            raise ValueError(
                f"{what}: elems must be 1+ dimensional Tensors, not scalars: there is no axis to "
                "go along"
            )
        if x.shape[0] != leaves[0].shape[0]:
            raise ValueError(
                f"{what}: elems differ in their first dimension: {leaves[0].shape[0]} and "
                f"{x.shape[0]}"
            )
    return leaves, leaves[0].shape[0]


def _element(elems, leaves: list, i: int):
    return nest.pack_sequence_as(elems, [x[i] for x in leaves])


def _stacked(structure, rows: list[list]):
    columns = zip(*rows, strict=True)
    return nest.pack_sequence_as(structure, [ops.stack(list(column)) for column in columns])


@export("map_fn")
def map_fn(
    fn,
    elems,
    dtype=None,
    parallel_iterations=None,
    back_prop=True,
    swap_memory=False,
    infer_shape=True,
    name=None,
    fn_output_signature=None,
):
    """Apply `fn` to each element along axis 0, one after the other, and stack the results."""
    if not callable(fn):
        raise TypeError(f"fn must be callable, got {fn!r}")
    signature = dtype if fn_output_signature is None else fn_output_signature
    if any(map(is_ragged_spec, nest.flatten(signature))):
        from gradtape.api.ragged.mapping import map_fn as ragged_map_fn

        return ragged_map_fn(fn, elems, signature)
    if _has_extensions(elems, signature):
        from gradtape.api.extension_types.batching import map_rows

        return map_rows(map_fn, fn, elems, signature)
    leaves, count = _rows(elems, "map_fn")
    if not is_open(count) and count == 0:
        wanted = nest.pack_sequence_as(elems, leaves) if signature is None else signature
        return nest.map_structure(_empty_like, wanted)
    structures: list = []

    def step(carry: list, row: list):
        structures.append(fn(nest.pack_sequence_as(elems, row)))
        return [], _signed(structures[-1], signature)

    scanned = graph_control_flow.scan_rows(step, [], leaves, count)
    if scanned is not None:
        return nest.pack_sequence_as(structures[-1], scanned[1])
    structure, rows = None, []
    iteration = UnrolledIterations()
    for i in range(count):
        with iteration:
            structure = fn(_element(elems, leaves, i))
        rows.append(_signed(structure, signature))
    return _stacked(structure, rows)


def _has_extensions(*structures) -> bool:
    """Return whether there are values, or specs, of extension types."""
    leaves = [leaf for each in structures for leaf in nest.flatten(each)]
    return any(isinstance(x, CompositeTensor) or has_tensor_specs(x) for x in leaves)


def _signed(result, signature) -> list:
    """Return the tensors of what the function gave for an element, in the signature's dtypes."""
    flat = nest.flatten(result)
    if signature is None:
        return [ops.to_tensor(y) for y in flat]
    assert_same_structure(signature, result)
    wanted = [_dtype_of(spec) for spec in nest.flatten(signature)]
    # What is a tensor in another library's words may have a dtype that is a text (Keras), or none.
    flat = [ops.to_tensor(y) if ops.is_tensor_like(y) else y for y in flat]
    for y, dtype in zip(flat, wanted, strict=True):
        if isinstance(y, Tensor) and y.dtype is not dtype:
            raise InvalidArgumentError(
                f"map_fn: fn_output_signature says {dtype.name}, but fn returned a tensor of dtype "
                f"{y.dtype.name}. Use fn_output_signature=tf.{y.dtype.name}."
            )
    return [ops.to_tensor(y, dtype) for y, dtype in zip(flat, wanted, strict=True)]


def _dtype_of(spec):
    """Return the dtype that a spec or a dtype stands for."""
    # NumPy's types have an attribute `dtype`, too: that of their instances.
    return as_dtype(spec if isinstance(spec, type) else getattr(spec, "dtype", spec))


def _empty_like(spec):
    if isinstance(spec, TensorBase):
        return spec
    shape = TensorShape(None if isinstance(spec, type) else getattr(spec, "shape", None))
    rest = () if shape.rank is None else tuple(n or 0 for n in shape)
    return ops.zeros((0, *rest), _dtype_of(spec))


@export("scan")
def scan(
    fn,
    elems,
    initializer=None,
    parallel_iterations=10,
    back_prop=True,
    swap_memory=False,
    infer_shape=True,
    reverse=False,
    name=None,
):
    """Return the stacked partial results of folding `fn(accumulated, element)` over axis 0."""
    if not callable(fn):
        raise TypeError(f"{fn!r} is not callable.")
    scanned = _fold_as_scan(fn, elems, initializer, reverse, "scan")
    if scanned is not None:
        return scanned[1]
    rows, state = [], None
    for state in _fold_states(fn, elems, initializer, reverse, "scan"):
        rows.append([ops.to_tensor(y) for y in nest.flatten(state)])
    if not rows:  # of no elements, with an initializer
        return nest.map_structure(_no_rows, initializer)
    if reverse:
        rows.reverse()
    return _stacked(state, rows)


def _no_rows(value):
    """Return what stacking no tensors of the shape and dtype of a value gives."""
    x = ops.to_tensor(value)
    return ops.zeros((0, *x.shape), x.dtype)


def _fold_states(fn, elems, initializer, reverse: bool, what: str):
    """Yield the states of a fold. Without an initializer, the first state is the first element."""
    leaves, count = _rows(elems, what)
    order = list(range(count - 1, -1, -1) if reverse else range(count))
    if initializer is None:
        if not order:
            raise ops.InvalidArgumentError(
                f"{what}: elems is empty and there is no initializer, so there is no result"
            )
        state = _element(elems, leaves, order.pop(0))
        yield state
    else:
        state = _as_tensors(initializer)
        if not order and what != "scan":
            yield state
    iteration = UnrolledIterations()
    for i in order:
        with iteration:
            result = fn(state, _element(elems, leaves, i))
        nest.assert_same_structure(state, result)
        state = _as_tensors(result)
        yield state


def _fold_as_scan(fn, elems, initializer, reverse: bool, what: str):
    """Trace a fold as one op; return (the last state, all states stacked), or None."""
    leaves, count = _rows(elems, what)
    if not graph_control_flow.is_tracing() or not (is_open(count) or count > 1):
        return None
    if initializer is None:
        start = _element(elems, leaves, count - 1 if reverse else 0)
        leaves = [x[:-1] if reverse else x[1:] for x in leaves]
        count -= 1
    else:
        start = _as_tensors(initializer)
    state = nest.flatten(start)
    if any(x is None or has_type_spec(x) for x in state):
        return None

    def step(carry: list, row: list):
        result = fn(nest.pack_sequence_as(start, carry), nest.pack_sequence_as(elems, row))
        nest.assert_same_structure(start, result)
        after = [ops.to_tensor(y) for y in nest.flatten(result)]
        return after, after

    scanned = graph_control_flow.scan_rows(step, state, leaves, count, reverse)
    if scanned is None:
        return None
    last, every = scanned
    if initializer is None:
        firsts = [ops.expand_dims(x, 0) for x in state]
        pairs = [(y, x) if reverse else (x, y) for x, y in zip(firsts, every, strict=True)]
        every = [ops.concat(list(pair), 0) for pair in pairs]
    return nest.pack_sequence_as(start, last), nest.pack_sequence_as(start, every)


@export("foldl")
def foldl(
    fn,
    elems,
    initializer=None,
    parallel_iterations=10,
    back_prop=True,
    swap_memory=False,
    name=None,
) -> Any:
    """Fold `fn(accumulated, element)` over axis 0, from the first element on."""
    return _fold(fn, elems, initializer, reverse=False, what="foldl")


@export("foldr")
def foldr(
    fn,
    elems,
    initializer=None,
    parallel_iterations=10,
    back_prop=True,
    swap_memory=False,
    name=None,
) -> Any:
    """Fold `fn(accumulated, element)` over axis 0, from the last element back."""
    return _fold(fn, elems, initializer, reverse=True, what="foldr")


def _fold(fn, elems, initializer, *, reverse: bool, what: str):
    if not callable(fn):
        raise TypeError(f"{fn.__name__ if hasattr(fn, '__name__') else fn!r} is not callable.")
    scanned = _fold_as_scan(fn, elems, initializer, reverse, what)
    if scanned is not None:
        return scanned[0]
    return list(_fold_states(fn, elems, initializer, reverse, what))[-1]


@export("vectorized_map")
def vectorized_map(fn, elems, fallback_to_while_loop=True, warn=True) -> Any:
    """Apply `fn` to all elements along axis 0 at once, by the batching rules."""
    if _has_extensions(elems):
        from gradtape.api.extension_types.batching import vectorized_rows

        return vectorized_rows(vectorized_map, fn, elems)
    leaves = [ops.to_tensor(x) for x in nest.flatten(elems)]
    count = max((x.shape[0] for x in leaves if x.ndim), default=0)
    # An elem with a single row serves all.
    leaves = [
        ops.broadcast_to(x, (count, *x.shape[1:])) if x.ndim and x.shape[0] == 1 else x
        for x in leaves
    ]
    _rows(leaves, "vectorized_map")
    elems = nest.pack_sequence_as(elems, leaves)
    if not count:
        return map_fn(fn, elems)
    from gradtape.api.extension_types.batching import encoding_results

    fn, decode = encoding_results(fn)
    return decode(vmap(fn)(elems))
