"""Time per training step on several devices, beside the same model in plain JAX with sharding.

    python bench/scale/run.py            measures, and writes bench/SCALE.md (about five minutes)
    python bench/scale/run.py --quick    fewer steps, and prints the table instead

Each row is a process (or two) of its own, as the number of XLA's devices on a CPU is fixed when a
process starts. In it, gradtape and JAX take turns, step by step. Beside them stands what
`gradtape plan` predicts from the graph of the step and two rates of this machine.
"""

from __future__ import annotations

import argparse
import datetime
import itertools
import json
import os
import platform
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
SIZES, BATCH, RATE = (784, 1024, 1024, 10), 1024, 1e-3
CONFIGURATIONS = [(1, 1), (1, 2), (1, 4), (1, 8), (2, 1)]  # (processes, devices of each)


# --- the model, twice ----------------------------------------------------------------------------


def numbers():
    """Weights and a batch, the same everywhere."""
    import numpy as np

    draw = np.random.default_rng(0)
    pairs = itertools.pairwise(SIZES)
    weights = [(draw.standard_normal(pair) / pair[0] ** 0.5).astype(np.float32) for pair in pairs]
    parameters = [x for w in weights for x in (w, np.zeros(w.shape[1], np.float32))]
    x = draw.standard_normal((BATCH, SIZES[0])).astype(np.float32)
    return parameters, x, draw.integers(0, SIZES[-1], BATCH).astype(np.int32)


def gradtape_training(strategy):
    """A step of one replica (a tape, one exchange of gradients, Adam), and the whole batch."""
    import gradtape as tf

    parameters, x, y = numbers()
    with strategy.scope():
        variables = [tf.Variable(p) for p in parameters]
        first, second = ([tf.Variable(tf.zeros_like(p)) for p in parameters] for _ in range(2))
        count = tf.Variable(0.0)

    def train(x, y):
        with tf.GradientTape() as tape:
            h = x
            for i in range(0, len(variables), 2):
                h = (tf.tanh(h) if i else h) @ variables[i] + variables[i + 1]
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(y, h)
            loss = tf.nn.compute_average_loss(losses, global_batch_size=BATCH)
        gradients = tape.gradient(loss, variables)
        gradients = tf.distribute.get_replica_context().all_reduce("SUM", gradients)
        number = count + 1.0
        count.assign(number)
        rate = RATE * tf.sqrt(1 - 0.999**number) / (1 - 0.9**number)
        for v, m, s, g in zip(variables, first, second, gradients, strict=True):
            m.assign(m + (g - m) * 0.1)
            s.assign(s + (g * g - s) * 0.001)
            v.assign(v - rate * m / (tf.sqrt(s) + 1e-7))
        return loss

    return train, x, y


def gradtape_step(strategy):
    """A step of all replicas of a strategy."""
    import gradtape as tf

    train, x, y = gradtape_training(strategy)

    @tf.function(jit_compile=True)
    def step(x, y):
        return strategy.reduce("SUM", strategy.run(train, (x, y)), axis=None)

    data = tf.data.Dataset.from_tensor_slices((x, y)).batch(BATCH)
    batch = next(iter(strategy.experimental_distribute_dataset(data)))
    return lambda: float(step(*batch))


def jax_step():
    """The same with `jax.jit` over a mesh of all devices: parameters everywhere, data in parts."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    parameters, x, y = numbers()
    mesh = Mesh(np.array(jax.devices()), ("data",))
    whole, parts = (NamedSharding(mesh, PartitionSpec(*axes)) for axes in ((), ("data",)))

    def put(value, sharding):
        return jax.make_array_from_callback(value.shape, sharding, lambda index: value[index])

    def loss_of(parameters, x, y):
        h = x
        for i in range(0, len(parameters), 2):
            h = (jnp.tanh(h) if i else h) @ parameters[i] + parameters[i + 1]
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(h), y[:, None], 1))

    def step(parameters, first, second, count, x, y):
        loss, gradients = jax.value_and_grad(loss_of)(parameters, x, y)
        count = count + 1
        rate = RATE * jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
        first = [m + (g - m) * 0.1 for m, g in zip(first, gradients, strict=True)]
        second = [s + (g * g - s) * 0.001 for s, g in zip(second, gradients, strict=True)]
        parameters = [
            v - rate * m / (jnp.sqrt(s) + 1e-7)
            for v, m, s in zip(parameters, first, second, strict=True)
        ]
        return parameters, first, second, count, loss

    jitted = jax.jit(step, donate_argnums=(0, 1, 2, 3), out_shardings=whole)
    zeros = [np.zeros_like(p) for p in parameters]
    state = [
        *[[put(p, whole) for p in each] for each in (parameters, zeros, zeros)],
        put(np.float32(0), whole),
    ]
    batch = put(x, parts), put(y, parts)

    def run() -> float:
        *state[:], loss = jitted(*state, *batch)
        return float(loss)

    return run


# --- measuring -----------------------------------------------------------------------------------


def worker(steps: int) -> None:
    """Measure both in this process, and print the times as JSON."""
    import gradtape as tf

    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    contenders = {"gradtape": gradtape_step(strategy), "jax": jax_step()}
    losses: dict = {name: [] for name in contenders}
    times: dict = {name: [] for name in contenders}
    for _ in range(steps + 3):
        for name, run in contenders.items():
            start = time.perf_counter()
            losses[name].append(run())
            times[name].append(time.perf_counter() - start)
    for a, b in zip(losses["gradtape"][:10], losses["jax"][:10], strict=True):
        assert abs(a - b) < 1e-3 * abs(b), (a, b)
    print(json.dumps({name: each[3:] for name, each in times.items()}), flush=True)


def planner() -> None:
    """Predict the seconds of a step for 1, 2, 4 and 8 devices, and print them as JSON.

    The devices share this machine, so each has its part of the machine's rates.
    """
    import jax

    import gradtape as tf
    from gradtape.distribute.planning.layouts import Layout, Machine, predict
    from gradtape.distribute.planning.plan import compute_costs, trace_step

    def seconds_of(function, array) -> float:
        # Into the memory of its operand, as a step's update is: else new pages are what is timed.
        run = jax.jit(function, donate_argnums=0)
        times = []
        for _ in range(20):
            start = time.perf_counter()
            array = run(array).block_until_ready()
            times.append(time.perf_counter() - start)
        return statistics.median(times)

    matrix = jax.numpy.ones((BATCH, BATCH), "float32")
    flops = 2 * BATCH**3 / seconds_of(lambda a: a @ a / BATCH, matrix)
    bandwidth = 8 * 2**24 / seconds_of(lambda a: a + 1, jax.numpy.ones(2**24, "float32"))
    train, x, y = gradtape_training(tf.distribute.get_strategy())
    step = trace_step(train, (tf.constant(x), tf.constant(y)))
    costs = compute_costs(step)
    seconds = {}
    for count in (1, 2, 4, 8):
        machine = Machine(flops / count, bandwidth / count, bandwidth / count)
        plan = predict(step, costs, Layout(count, 1), machine, BATCH, BATCH)
        seconds[count] = plan.seconds
    print(json.dumps({"flops": flops, "bandwidth": bandwidth, "seconds": seconds}), flush=True)


def started(arguments: list[str], devices: int, **more: str) -> subprocess.Popen:
    settings = {
        "XLA_FLAGS": f"--xla_force_host_platform_device_count={devices} "
        "--xla_cpu_collective_call_terminate_timeout_seconds=300",
        "JAX_PLATFORMS": "cpu",
        "PYTHONPATH": os.pathsep.join(
            [str(HERE.parents[1] / "src"), os.environ.get("PYTHONPATH", "")]
        ),
    }
    return subprocess.Popen(
        [sys.executable, __file__, *arguments],
        env={**os.environ, **settings, **more},
        stdout=subprocess.PIPE,
        text=True,
    )


def answer(running: list[subprocess.Popen]) -> dict:
    """What the first of some processes printed, when all have ended."""
    texts = [process.communicate()[0] for process in running]
    for process in running:
        if process.returncode:
            raise SystemExit(f"{' '.join(map(str, process.args))} ended with an error")
    return json.loads(texts[0].strip().splitlines()[-1])


def measured(processes: int, devices: int, steps: int) -> dict:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    running = []
    for number in range(processes):
        positions = {
            "GRADTAPE_COORDINATOR": f"127.0.0.1:{port}",
            "GRADTAPE_PROCESS_COUNT": str(processes),
            "GRADTAPE_PROCESS_ID": str(number),
        }
        more = positions if processes > 1 else {}
        running.append(started(["--worker", str(steps)], devices, **more))
    return answer(running)


def table(measurements: dict, plan: dict) -> str:
    lines = [
        "| processes | devices of each | gradtape, ms | JAX, ms | gradtape ÷ JAX (quartiles) "
        "| best ÷ best | ÷ one device | plan, ms | plan ÷ one device |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    alone = statistics.median(measurements[CONFIGURATIONS[0]]["gradtape"])
    for (processes, devices), times in measurements.items():
        ours, theirs = (statistics.median(times[name]) for name in ("gradtape", "jax"))
        ratios = [a / b for a, b in zip(times["gradtape"], times["jax"], strict=True)]
        low, middle, high = statistics.quantiles(ratios, n=4)
        best = min(times["gradtape"]) / min(times["jax"])
        expected = plan["seconds"][str(processes * devices)]
        lines.append(
            f"| {processes} | {devices} | {1e3 * ours:.2f} | {1e3 * theirs:.2f} | "
            f"{middle:.2f} ({low:.2f}–{high:.2f}) | {best:.2f} | {ours / alone:.2f} | "
            f"{1e3 * expected:.2f} | {expected / plan['seconds']['1']:.2f} |"
        )
    return "\n".join(lines)


def page(text: str, plan: dict) -> str:
    import gradtape

    jax_version = subprocess.run(
        [sys.executable, "-c", "import jax; print(jax.__version__)"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    layers = "–".join(map(str, SIZES))
    return f"""# Time per step on several devices

Written by `bench/scale/run.py` on {datetime.date.today()}: gradtape {gradtape.__version__}, JAX
{jax_version}, {os.cpu_count()} cores ({platform.machine()}). Medians; the ratio is
the median of the ratios of steps that were taken in turns.

The model is an MLP {layers} with tanh, a global batch of {BATCH} examples in float32, Adam; the
gradients are exchanged once per step. gradtape's program is a tape under
`MultiWorkerMirroredStrategy`; JAX's is `jax.jit` of the same mathematics with the parameters on all
devices and the batch in parts. Both give the same losses, which is checked.

The batch is the same in each row, and all devices and processes of a row share the machine's cores.
So one device, which uses all of them, is the ideal; "÷ one device" is the price of dividing the
work.

{text}

The plan's numbers are those of `gradtape plan` for this step, with {plan["flops"]:.3g} operations
and {plan["bandwidth"]:.3g} bytes a second, which a product of {BATCH}³ and an addition to 64 MiB
reached here; n devices have an n-th of both, and exchange through memory.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--worker", type=int, metavar="STEPS", help=argparse.SUPPRESS)
    parser.add_argument("--planner", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="fewer steps; writes nothing")
    given = parser.parse_args()
    if given.worker:
        worker(given.worker)
        return
    if given.planner:
        planner()
        return
    steps = 5 if given.quick else 40
    measurements = {each: measured(*each, steps) for each in CONFIGURATIONS}
    plan = answer([started(["--planner"], 1)])
    text = table(measurements, plan)
    print(text)
    if not given.quick:
        (HERE.parent / "SCALE.md").write_text(page(text, plan), "utf-8")


if __name__ == "__main__":
    main()
