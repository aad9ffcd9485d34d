"""What `gradtape plan` predicts for GPT-2 on one device, beside what is measured there.

    python bench/gpu/plan_check.py                on a GPU
    python bench/gpu/plan_check.py --small        does it run at all; without a GPU, too

The rates that the prediction needs are measured first: of a large product in bfloat16, and of an
addition to a large array. The prediction is made from the graph of the step alone. Measured are the
time of a step, the memory that XLA says the program needs, and the most that was in use.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import time

import arrays
import jax
import with_gradtape

import gradtape
from gradtape.distribute.planning.layouts import Layout, Machine, predict
from gradtape.distribute.planning.plan import compute_costs, trace_step

SAMPLES, SAMPLE_SECONDS = 7, 0.4


def seconds_of(step, wait, small: bool) -> float:
    wait(step())
    start = time.perf_counter()
    wait(step())
    number = max(1, round((0.05 if small else SAMPLE_SECONDS) / (time.perf_counter() - start)))
    samples = []
    for _ in range(SAMPLES):
        start = time.perf_counter()
        for _ in range(number):
            result = step()
        wait(result)
        samples.append((time.perf_counter() - start) / number)
    return statistics.median(samples)


def rates(small: bool) -> Machine:
    """What this device does in a second."""
    n = 256 if small else 8192
    a = jax.numpy.ones((n, n), "bfloat16")
    product = jax.jit(lambda a: a @ a)
    seconds = seconds_of(lambda: product(a), lambda x: x.block_until_ready(), small)
    rate = 2 * n**3 / seconds
    x = jax.numpy.ones(2**16 if small else 2**28)
    add = jax.jit(lambda x: x + 1)
    seconds = seconds_of(lambda: add(x), lambda x: x.block_until_ready(), small)
    return Machine(rate, 2 * x.nbytes / seconds, 1.0)


def counted_by_xla(step) -> tuple[int, float]:
    """(bytes of arguments and temporaries, operations) of the program, as XLA compiles it."""
    from gradtape.backends.xla import kernels as xla
    from gradtape.backends.xla.runtime.graph_program import _constant, _kernel_of
    from gradtape.graph.execute import compile_graph

    function = compile_graph(step.graph, _kernel_of, None, _constant)
    given = [jax.ShapeDtypeStruct(v.spec.shape, v.spec.dtype) for v in step.graph.inputs]
    donated = tuple(range(step.routine.arguments, len(given) - len(step.routine.feeds)))
    program = xla.exactly(jax.jit(function, donate_argnums=donated).lower, *given).compile()
    memory, cost = program.memory_analysis(), program.cost_analysis() or {}
    made = memory.output_size_in_bytes - memory.alias_size_in_bytes
    taken = memory.argument_size_in_bytes + memory.temp_size_in_bytes + made
    return taken, cost.get("flops", float("nan"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--small", action="store_true", help="tiny sizes")
    small = parser.parse_args().small
    size = arrays.SMALL_GPT2 if small else arrays.Gpt2()
    device = jax.devices()[0]
    machine = rates(small)
    print(f"{device.device_kind}, JAX {jax.__version__}, gradtape {gradtape.__version__}")
    print(f"{machine.flops:.3g} operations/s, {machine.memory_bandwidth:.3g} B/s of memory")

    name = os.environ.get("GRADTAPE_BENCH_DEVICE")
    with gradtape.device(name) if name else contextlib.nullcontext():
        run = with_gradtape.gpt2(size)
        step = trace_step(run, (), fused_attention=device.platform == "gpu")
        costs = compute_costs(step)
        plan = predict(step, costs, Layout(1, 1), machine, 1, 1)
        seconds = seconds_of(run, with_gradtape.wait, small)
        in_use = (device.memory_stats() or {}).get("peak_bytes_in_use", 0)
        counted, operations = counted_by_xla(step)

    print(f"parameters {costs.parameters:,} B, gradients {costs.gradients:,} B, ", end="")
    print(f"optimizer {costs.state:,} B, kept {costs.activations:,} B")
    print("| | predicted | measured | predicted ÷ measured |")
    print("|---|---|---|---|")
    for what, left, right, scale, unit in (
        ("operations of a step", costs.flops, operations, 1e12, "T, as XLA counts them"),
        ("memory", plan.memory, counted, 1e9, "GB, as XLA counts it"),
        ("memory", plan.memory, in_use, 1e9, "GB in use at most"),
        ("time of a step", plan.seconds, seconds, 1e-3, "ms"),
    ):
        ratio = f"{left / right:.2f}" if right else "not known"
        print(f"| {what} | {left / scale:.4g} | {right / scale:.4g} {unit} | {ratio} |")


if __name__ == "__main__":
    main()
