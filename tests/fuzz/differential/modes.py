"""The ways to call a function: graphs, tapes of every kind, vmap, variables, loops, datasets."""

from __future__ import annotations

from tests.fuzz.differential.catalog import COMPLEX, FLOATS
from tests.fuzz.differential.programs import Function, Statement

_TAPE = """\
with tf.GradientTape({options}) as {name}:
    {name}.watch([{args}])
    {name} = ({name}, {call})
{name} = {name}[0].{method}"""

_SECOND = """\
with tf.GradientTape() as {name}_outer:
    {name}_outer.watch([{args}])
    with tf.GradientTape() as {name}_inner:
        {name}_inner.watch([{args}])
        {name} = {call}
    {name} = {name}_inner.gradient({name}, [{args}])
{name} = {name}_outer.gradient({name}, [{args}])"""

_FORWARD = """\
with tf.autodiff.ForwardAccumulator({first}, tf.ones_like({first})) as {name}_accumulator:
    {name} = {call}
{name} = {name}_accumulator.jvp({name})"""

_VARIABLES = """\
{name}_variable = tf.Variable({first})
with tf.GradientTape() as {name}_tape:
    {name} = {variable_call}
{name} = {name}_tape.gradient({name}, {name}_variable)
{name}_variable{update}
{name} = ({name}, {name}_variable.read_value())"""

_IN_FUNCTION = """\
{name}_variable = tf.Variable({first})
@tf.function
def {name}_step({args}):
    with tf.GradientTape() as {name}_tape:
        {name} = {variable_call}
    {name} = {name}_tape.gradient({name}, {name}_variable)
    {name}_variable{update}
    return {name}, {name}_variable.read_value()
{name} = ({name}_step({args}), {name}_step({args}), {name}_variable.read_value())"""

_LOOP = """\
@tf.function
def {name}_loop({args}):
    {name} = {call}
    for {name}_i in tf.range(3):
        if {name}_i % 2 == 0:
            {name} = {name} + {call}
        else:
            {name} = {name} * 2
    return {name}
{name} = {name}_loop({args})"""

_WHILE = "{name} = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + {call}), (0, {call}))"
_COND = "{name} = tf.cond(tf.size({first}) > 2, lambda: {call}, lambda: {call} + {call})"
_GRADIENTS = """\
@tf.function
def {name}_function({args}):
    return [0.0 if g is None else g for g in tf.gradients({call}, [{args}])]
{name} = {name}_function({args})"""
_PRODUCT = """\
with tf.autodiff.ForwardAccumulator({first}, tf.ones_like({first})) as {name}_accumulator:
    with tf.GradientTape() as {name}_tape:
        {name}_tape.watch({first})
        {name} = {call}
    {name} = {name}_tape.gradient({name}, {first})
{name} = {name}_accumulator.jvp({name})"""
_TAPE_INSIDE = """\
@tf.function
def {name}_function({args}):
    with tf.GradientTape() as {name}_tape:
        {name}_tape.watch([{args}])
        {name} = {call}
    return [0.0 if g is None else g for g in {name}_tape.gradient({name}, [{args}])]
{name} = {name}_function({args})"""
_UPDATES = [
    ".assign_add(tf.ones_like({first}))",
    ".assign_sub(2 * {first})",
    ".assign({first} + {first})",
    ".scatter_update(tf.IndexedSlices({first}[:1], [0]))",
    ".scatter_add(tf.IndexedSlices({first}[:1], [0]))",
    ".scatter_nd_update([[0]], {first}[:1])",
    ".scatter_nd_add([[0]], {first}[:1])",
    ".scatter_max(tf.IndexedSlices({first}[-1:], [0]))",
    ".scatter_div(tf.IndexedSlices({first}[:1] * 0 + 2, [0]))",
    "[:1].assign({first}[-1:])",
    "[..., 0].assign({first}[..., -1])",
    ".scatter_min(tf.IndexedSlices({first}[-1:], [0]))",
    ".scatter_mul(tf.IndexedSlices({first}[-1:], [0]))",
    ".batch_scatter_update(tf.IndexedSlices({first}[:1], [0]))",
]


def calls(generator, function: Function, arrays: tuple[str, ...], result) -> list[Statement]:
    """Statements that call the function in a few modes, drawn by the generator."""
    values = [generator.values[name] for name in arrays]
    smooth = FLOATS + COMPLEX
    differentiable = result.dtype in smooth and any(value.dtype in smooth for value in values)
    small = result.size <= 64 and all(value.size <= 64 for value in values)
    texts = {
        "function": "{name} = tf.function({f})({args})",
        "twice": "{name} = [tf.function({f})({args}) for _ in range(2)]",
    }
    # A body that asks for sizes cannot know them where they are None.
    unsized = not any(".shape" in statement.text for statement in function.body)
    if unsized:
        specs = [f"tf.TensorSpec({[None] * len(v.shape)}, tf.{v.dtype})" for v in values]
        texts["signature"] = (
            "{name} = tf.function({f}, input_signature=[" + ", ".join(specs) + "])({args})"
        )
    numeric = result.dtype in ("float32", "float64", "int32", "complex64")
    if numeric and result.size < 5000:
        texts.update({"while": _WHILE, "cond": _COND, "loop": _LOOP})
        texts["numpy_function"] = (
            "{name} = tf.numpy_function({f}, [{args}], tf." + result.dtype + ")"
        )
    if differentiable:
        sources = "[{args}]"
        texts["gradient"] = _tape("gradient({value}, " + sources + ")")
        texts["persistent"] = _tape(
            "gradient([{value}, {value}], " + sources + ")", "persistent=True"
        )
        texts["zero"] = _tape("gradient({value}, " + sources + ", unconnected_gradients='zero')")
        texts["weighted"] = _tape("gradient({value}, " + sources + ", output_gradients={value})")
        texts["in_function"] = _TAPE_INSIDE
        texts["of_function"] = texts["gradient"].replace("{call}", "tf.function({f})({args})")
        texts["recompute"] = texts["gradient"].replace("{call}", "tf.recompute_grad({f})({args})")
        texts["of_cond"] = texts["gradient"].replace("{call}", _COND.partition(" = ")[2])
        loop = _WHILE.partition(" = ")[2] + "[1]"
        texts["of_while"] = texts["gradient"].replace("{call}", loop)
        inside = "tf.function(lambda {args}: " + loop + ")({args})"
        texts["of_while_inside"] = texts["gradient"].replace("{call}", inside)
        texts["gradients"] = _GRADIENTS
        texts["product"] = _PRODUCT
        texts["second"] = _SECOND
        texts["forward"] = _FORWARD
        if small:
            texts["jacobian"] = _tape(
                "jacobian({value}, " + sources + ", unconnected_gradients='zero')"
            )
        if values[0].dtype in FLOATS and values[0].size < 5000:
            texts["variable"] = _VARIABLES
            texts["step"] = _IN_FUNCTION
    if values[0].shape and 0 < values[0].shape[0] < 20:
        rest = ", ".join(("x", *arrays[1:]))
        texts["vectorized_map"] = "{name} = tf.vectorized_map(lambda x: {f}(" + rest + "), {first})"
        texts["map_fn"] = (
            "{name} = tf.map_fn(lambda x: {f}("
            + rest
            + "), {first}, fn_output_signature=tf."
            + result.dtype
            + ")"
        )
        texts["dataset"] = (
            "{name} = list(tf.data.Dataset.from_tensor_slices({first}).map(lambda x: {f}("
            + rest
            + ")))"
        )
        if unsized:
            texts["batches"] = texts["dataset"].replace("({first})", "({first}).batch(2)")
        if differentiable:
            texts["map_gradient"] = texts["gradient"].replace(
                "{call}", "tf.vectorized_map(lambda x: {f}(" + rest + "), {first})"
            )
    chosen = generator.random.sample(sorted(texts), min(4, len(texts)))
    return [_statement(generator, texts[key], function, arrays, values) for key in chosen]


def _tape(method: str, options: str = "") -> str:
    value = method.replace("{value}", "{name}[1]")
    return _TAPE.replace("{options}", options).replace("{method}", value)


def _statement(generator, text: str, function: Function, arrays, values) -> Statement:
    name = generator.name("r")
    update = generator.random.choice(_UPDATES if values[0].shape else _UPDATES[:3])
    variable = f"{name}_variable"
    fill = {
        "name": name,
        "f": function.name,
        "args": ", ".join(arrays),
        "first": arrays[0],
        "call": f"{function.name}({', '.join(arrays)})",
        "variable_call": f"{function.name}({', '.join((variable, *arrays[1:]))})",
        "update": update.format(first=arrays[0]),
    }
    for _ in range(2):  # a call may stand inside of a call
        for key, value in fill.items():
            text = text.replace("{" + key + "}", value)
    return Statement(name, text, (function.name, *arrays))
