"""The commands for more than one device: what they understand."""

from __future__ import annotations

import argparse
import math

from gradtape.cli.arguments import Once, add_command, add_program, count, positive

EXAMPLES = """\
  gradtape launch -n 4 train.py            run it as 4 processes that train together
  gradtape plan model.py --devices 64      what a step would cost on 64 devices
"""

_LAUNCH = """\
Start a program several times on this machine, as the processes of one job. Each runs as by
`gradtape run`, and finds the others by TF_CONFIG: MultiWorkerMirroredStrategy needs nothing more.
What they print has the number of the process in front. When one fails, all are stopped.
On a cluster, start the processes with its scheduler (srun, mpirun); gradtape reads their
ranks from the environment.
"""
_LAUNCH_END = """\
examples:
  gradtape launch -n 4 train.py --epochs 3
  gradtape launch -n 2 --cpu-devices 4 train.py   2 processes, with 4 XLA devices of the CPU each
  gradtape launch -n 2 train.py -- --timeout 9    after --, all is train.py's

exit codes:
  0 when all processes end well; else that of the first that failed (128 + the number of the
  signal, if a signal ended it); 124 after --timeout; 2 when there is no such program
"""
_PLAN = """\
Say what a training step would cost on many devices, for each layout: memory, bytes moved
and time of a device. It is computed from the graph of the step; nothing is run, and no device is
needed. The file is imported, and has either

  step, batch          a function that trains, and a tuple of example arguments for it
  model, batch         a compiled Keras model, and a pair (x, y)
  model, loss, batch   any model with `trainable_variables`, `loss(y, prediction)`, a pair (x, y);
                       with Adam
"""
_PLAN_END = """\
examples:
  gradtape plan model.py --devices 64
  gradtape plan model.py --devices 8 --layouts 8x1,2x4 --batch 512
  gradtape plan model.py --devices 8 --flops 150e12 --memory-bandwidth 2e12 --bandwidth 50e9
  gradtape plan model.py --devices 1 --memory 80e9

exit codes:
  0 when there is a plan, 2 when the file does not say what a step is
"""


def add_commands(commands) -> None:
    """Add the commands to those of `gradtape`."""
    _add_launch(commands)
    _add_plan(commands)


def _add_plan(commands) -> None:
    plan = add_command(
        commands, "plan", "say what a training step would cost on many devices", _PLAN, _PLAN_END
    )
    plan.add_argument("file", metavar="FILE", help="a .py file")
    plan.add_argument("--devices", type=count, required=True, metavar="N", help="how many devices")
    plan.add_argument(
        "--layouts",
        type=_layouts,
        default=(),
        metavar="DxM,…",
        help="groups that divide the batch × devices that divide the parameters (default: all "
        "powers of two)",
    )
    plan.add_argument(
        "--batch",
        type=count,
        metavar="ROWS",
        help="of all devices together (default: the example's rows for each device)",
    )
    plan.add_argument(
        "--flops",
        type=_rate,
        default=400e12,
        metavar="R",
        help="operations a second that a device does in products (default: 400e12)",
    )
    plan.add_argument(
        "--memory-bandwidth",
        type=_rate,
        default=3e12,
        metavar="R",
        help="bytes a second between a device and its memory (default: 3e12)",
    )
    plan.add_argument(
        "--bandwidth",
        type=_rate,
        default=200e9,
        metavar="R",
        help="bytes a second that a device sends to others (default: 200e9)",
    )
    plan.add_argument(
        "--memory",
        type=_rate,
        metavar="B",
        help="bytes of memory that a device has: says which layouts fit, and with how many rows",
    )
    plan.set_defaults(do=_plan)


def _add_launch(commands) -> None:
    launch = add_command(
        commands,
        "launch",
        "run a program as several processes that train together",
        _LAUNCH,
        _LAUNCH_END,
    )
    launch.add_argument(
        "-n",
        "--processes",
        action=Once,
        type=count,
        required=True,
        metavar="N",
        help="how many processes",
    )
    launch.add_argument(
        "--cpu-devices",
        action=Once,
        type=count,
        metavar="K",
        help="compute on the CPU, as K XLA devices in each process (default: the GPUs, shared out; "
        "without any, one device of the CPU)",
    )
    launch.add_argument(
        "--timeout",
        action=Once,
        type=_seconds,
        metavar="S",
        help="stop the job after S seconds",
    )
    launch.add_argument(
        "--fault-timeout",
        action=Once,
        type=_seconds,
        metavar="S",
        help="seconds after which a process that shows no life counts as lost (default: 20)",
    )
    add_program(launch)
    launch.set_defaults(do=_launch)


def _seconds(text: str) -> float:
    return positive(text, "a number of seconds above 0")


def _rate(text: str) -> float:
    return positive(text, "a number above 0, such as 400e12")


def _layouts(text: str) -> tuple[tuple[int, int], ...]:
    layouts = []
    for part in text.split(","):
        data, cross, model = part.strip().partition("x")
        if not (cross and data.isdecimal() and model.isdecimal() and int(data) * int(model)):
            raise argparse.ArgumentTypeError(
                f"{part}: write data x model, such as 8x1 or 2x4, separated by commas"
            )
        layouts.append((int(data), int(model)))
    return tuple(layouts)


def _plan(chosen) -> int:
    from gradtape.cli.plan import PlanOptions, plan
    from gradtape.distribute.planning.layouts import Layout, Machine

    memory = math.inf if chosen.memory is None else chosen.memory
    machine = Machine(chosen.flops, chosen.memory_bandwidth, chosen.bandwidth, memory)
    layouts = tuple(Layout(data, model) for data, model in chosen.layouts)
    return plan(PlanOptions(chosen.file, chosen.devices, layouts, chosen.batch, machine))


def _launch(chosen) -> int:
    from gradtape.cli.launch import LaunchOptions, launch

    return launch(
        LaunchOptions(
            chosen.program,
            tuple(chosen.arguments),
            chosen.processes,
            chosen.cpu_devices,
            chosen.timeout,
            chosen.fault_timeout,
        )
    )
