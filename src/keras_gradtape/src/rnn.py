"""Recurrent layers: a loop over time that tapes record through, and one op of functions' graphs."""

from __future__ import annotations

from keras.src import tree

from gradtape import ops
from gradtape.api.function.graph_control_flow import is_long, is_tracing, scan_rows
from keras_gradtape.src.conversion import convert_to_tensor

__all__ = ["bidirectional_gru", "bidirectional_lstm", "cudnn_ok", "gru", "lstm", "rnn"]


def _swap_batch_and_time(x):
    """Return x with its first two axes, batch and time, exchanged."""
    return ops.swapaxes(convert_to_tensor(x), 0, 1)


def _meeting(mask, x):
    """Return a mask [batch, 1] with as many axes as x."""
    return ops.reshape(mask, (mask.shape[0],) + (1,) * (x.ndim - 1))


def rnn(
    step_function,
    inputs,
    initial_states,
    go_backwards=False,
    mask=None,
    constants=None,
    unroll=False,
    input_length=None,
    time_major=False,
    zero_output_for_mask=False,
    return_all_outputs=True,
):
    """Return (last output, all outputs, last states) of a step function run over time.

    Where the mask is false the states stay as they were, and the output is that of the step
    before (zeros, if so asked).
    """
    if not time_major:
        inputs = tree.map_structure(_swap_batch_and_time, inputs)
    rows = [convert_to_tensor(x) for x in tree.flatten(inputs)]
    steps = rows[0].shape[0]
    if unroll and not steps:
        raise ValueError("Unrolling requires a fixed number of timesteps.")
    if mask is not None:
        mask = convert_to_tensor(mask, "bool")
        rows.append(mask if time_major else _swap_batch_and_time(mask))
    if go_backwards:
        rows = [ops.reverse(x, (0,)) for x in rows]
    constants = tuple(constants or ())

    def step(row, states, before):
        """Return the output and the states after one step."""
        here = None if mask is None else row[-1]
        given = tree.pack_sequence_as(inputs, row if mask is None else row[:-1])
        output, new_states = step_function(given, (*states, *constants))
        new_states = tuple(new_states)
        if here is None:
            return output, new_states
        kept = tree.map_structure(
            lambda new, old: ops.where(_meeting(here, new), new, old), new_states, states
        )
        return _hold_masked(here, output, before, zero_output_for_mask), kept

    states = tuple(initial_states)
    scanned = None if unroll else _scanned(step, rows, states, steps, return_all_outputs)
    output, outputs, states = scanned or _unrolled(step, rows, states, steps, return_all_outputs)
    if not time_major:
        outputs = tree.map_structure(_swap_batch_and_time, outputs)
    return output, outputs, states


def _unrolled(step, rows, states, steps: int, all_outputs: bool):
    """Run the steps one after the other."""
    columns = [ops.unstack(x) for x in rows]
    made, output = [], None
    for i in range(steps):
        output, states = step([x[i] for x in columns], states, output)
        made.append(output)
    made = made if all_outputs else made[-1:]
    return output, tree.map_structure(lambda *each: ops.stack(each), *made), states


def _scanned(step, rows, states, steps: int, all_outputs: bool):
    """Run the steps as one op of the graph of a function; return None where that cannot be.

    The first step is an ordinary one: it shows what an output is.
    """
    if not is_tracing() or not is_long(steps):
        return None
    first = step([x[0] for x in rows], states, None)
    carried = [convert_to_tensor(x) for x in tree.flatten(first)]

    def body(carry, row):
        output, states = tree.pack_sequence_as(first, carry)
        after = step(row, states, output)
        made = tree.flatten(after[0]) if all_outputs else []
        return [convert_to_tensor(x) for x in tree.flatten(after)], made

    scanned = scan_rows(body, carried, [x[1:] for x in rows], steps - 1)
    if scanned is None:
        return None
    last, made = scanned
    output, states = tree.pack_sequence_as(first, last)
    if all_outputs:
        firsts = [ops.expand_dims(x, 0) for x in tree.flatten(first[0])]
        every = [ops.concat([x, y], 0) for x, y in zip(firsts, made, strict=True)]
    else:
        every = [ops.expand_dims(x, 0) for x in tree.flatten(output)]
    return output, tree.pack_sequence_as(first[0], every), states


def _hold_masked(here, new, before, zero: bool):
    """Return the new output where the mask is true; elsewhere the one before it, or zeros."""

    def choose(new, old):
        return ops.where(_meeting(here, new), new, old)

    if zero or before is None:
        return tree.map_structure(lambda x: choose(x, ops.zeros_like(x)), new)
    return tree.map_structure(choose, new, before)


# Where these raise NotImplementedError, Keras runs its own cells by `rnn`: for masks, for other
# activations than the usual ones, for short floats and for no steps.


def _arguments(inputs, states, mask, activations, weights, bias_shape) -> list:
    """Return inputs, states and weights as tensors of the kernel's dtype; a missing bias is
    zeros."""
    from keras.src.activations import sigmoid, tanh  # they import this package

    if mask is not None or activations != (tanh, sigmoid):
        raise NotImplementedError
    kernel, recurrent_kernel, bias = weights
    kernel = convert_to_tensor(kernel)
    if kernel.dtype.size < 4 or not inputs.shape[1]:
        raise NotImplementedError
    bias = ops.zeros(bias_shape, kernel.dtype) if bias is None else bias
    rest = [convert_to_tensor(x, kernel.dtype) for x in (inputs, *states, recurrent_kernel, bias)]
    return [*rest[:-2], kernel, *rest[-2:]]


def _last_and_sequence(outputs, return_sequences: bool):
    """Return (the last output, the outputs that are asked for)."""
    last = outputs[:, -1]
    return last, outputs if return_sequences else ops.expand_dims(last, 1)


def lstm(
    inputs,
    initial_state_h,
    initial_state_c,
    mask,
    kernel,
    recurrent_kernel,
    bias,
    activation,
    recurrent_activation,
    return_sequences=False,
    go_backwards=False,
    unroll=False,
):
    """Return an LSTM over the whole sequence as one op."""
    x, h, c, w, u, b = _arguments(
        inputs,
        (initial_state_h, initial_state_c),
        mask,
        (activation, recurrent_activation),
        (kernel, recurrent_kernel, bias),
        (kernel.shape[-1],),
    )
    hidden, cells = ops.lstm(ops.reverse(x, (1,)) if go_backwards else x, h, c, w, u, b)
    last, outputs = _last_and_sequence(hidden, return_sequences)
    return last, outputs, [last, cells[:, -1]]


def gru(
    inputs,
    initial_state,
    mask,
    kernel,
    recurrent_kernel,
    bias,
    activation,
    recurrent_activation,
    return_sequences=False,
    go_backwards=False,
    unroll=False,
    reset_after=True,
):
    """Return a GRU over the whole sequence as one op."""
    if not reset_after:
        raise NotImplementedError
    x, h, w, u, b = _arguments(
        inputs,
        (initial_state,),
        mask,
        (activation, recurrent_activation),
        (kernel, recurrent_kernel, bias),
        (2, kernel.shape[-1]),
    )
    hidden = ops.gru(ops.reverse(x, (1,)) if go_backwards else x, h, w, u, b)
    last, outputs = _last_and_sequence(hidden, return_sequences)
    return last, outputs, [last]


def bidirectional_lstm(*args, **kwargs):
    """Raise NotImplementedError: Keras falls back to the loop."""
    raise NotImplementedError


def bidirectional_gru(*args, **kwargs):
    """Raise NotImplementedError: Keras falls back to the loop."""
    raise NotImplementedError


def cudnn_ok(*args, **kwargs):
    """Return whether NVIDIA's library could run the layer: it is not used."""
    return False
