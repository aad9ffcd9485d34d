"""Calls every public function with arguments of the wrong kind, shape, size and type.

    python -m tests.fuzz.calls --calls 100000 [--seed 0] [--jobs 2]
    python -m tests.fuzz.calls --calls 100000 --every [--begin 0]
    python -m tests.fuzz.calls --program "tf.zeros([-1])"

A call may work, or raise one of the documented kinds of exception (`outcomes.py` has the list).
Everything else is a finding, and is printed as a program: another exception, a crash, a hang,
memory that nothing in the arguments asks for, and a call after which others no longer work. Calls
run in processes of their own, whose memory is limited.

With --every, the calls are not random: they are those of `near.every`, from a number on.
"""

from __future__ import annotations

import argparse
import collections
import inspect
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.fuzz import near
from tests.fuzz.outcomes import ROOT, aftermath, evaluate, execute, outcome
from tests.fuzz.values import MALFORMED, fitting

PER_PROCESS = 50_000  # importing, with the good calls, takes as long as some thousand calls
# Seconds without a word from the process, which shares the machine with others.
PATIENCE = 600
SPOILED = 3  # the exit status of a process in which calls no longer work

# Not called: they end the process, wait for something outside of it, or change what later calls do.
LEFT_OUT = """
tf.test.main tf.while_loop tf.io.read_file tf.print tf.debugging.enable_check_numerics
tf.debugging.experimental.enable_dump_debug_info tf.config.set_num_threads
tf.config.experimental_connect_to_cluster tf.config.experimental_connect_to_host
tf.distribute.experimental_set_strategy tf.random.set_global_generator
tf.profiler.experimental.start tf.profiler.experimental.stop tf.summary.trace_on
tf.load_library tf.load_op_library tf.experimental.numpy.experimental_enable_numpy_behavior
""".split()
CLASSES = """
tf.Variable tf.TensorShape tf.TensorSpec tf.IndexedSlices tf.SparseTensor tf.TensorArray
tf.linalg.LinearOperatorDiag tf.linalg.LinearOperatorFullMatrix tf.linalg.LinearOperatorToeplitz
tf.linalg.LinearOperatorCirculant tf.linalg.LinearOperatorKronecker tf.random.Generator.from_seed
""".split()
METHODS = {
    "tf.ones((2, 3))": "__getitem__ __add__ __rsub__ __mul__ __rtruediv__ __floordiv__ __mod__ "
    "__pow__ __rpow__ __matmul__ __rmatmul__ __and__ __or__ __xor__ __lt__ __ge__ __eq__ __ne__ "
    "set_shape",
    "tf.Variable(tf.ones((2, 3)))": "assign assign_add assign_sub scatter_add scatter_sub "
    "scatter_update scatter_max scatter_nd_add scatter_nd_update batch_scatter_update "
    "sparse_read gather_nd __getitem__ __add__ __iadd__ __matmul__",
    "tf.data.Dataset.range(4)": "batch map shuffle repeat take skip shard window padded_batch "
    "filter interleave prefetch zip concatenate flat_map unbatch cache reduce enumerate",
    "tf.data.Dataset": "from_tensor_slices from_tensors range zip sample_from_datasets",
}


def targets() -> dict[str, object]:
    """Every public function, as an expression: what is called under it."""
    import gradtape
    from tools.coverage import read_names

    result: dict[str, object] = {}
    for name in read_names(ROOT / "docs/data/tensorflow_names.txt"):
        expression = f"tf.{name.path}"
        value = gradtape
        for part in name.path.split("."):
            value = getattr(value, part, None)
        is_function = callable(value) and not inspect.isclass(value)
        # Initializers are Keras's own.
        if is_function and expression not in LEFT_OUT and name.namespace != "tf.initializers":
            result[expression] = value
    for expression in CLASSES:
        result[expression] = evaluate(expression)
    for owner, names in METHODS.items():
        made = evaluate(owner)
        result.update({f"{owner}.{name}": getattr(made, name) for name in names.split()})
    return result


def parameters(function) -> list[tuple[str, bool]]:
    """The names of a function's parameters, and whether each is needed."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return [("x", True), ("y", False)]
    kinds = inspect.Parameter
    result = []
    for parameter in signature.parameters.values():
        if parameter.kind is kinds.VAR_POSITIONAL:
            result += [(f"*{parameter.name}", True)] * 2
        elif parameter.kind is not kinds.VAR_KEYWORD:
            result.append((parameter.name, parameter.default is kinds.empty))
    return result


def call(seed: int | None, number: int, functions: dict[str, object]) -> str:
    """The call of this number, as an expression; the numbers go through all functions in turn.

    Every other one is a good call with one argument replaced; without a seed, all of them are.
    """
    if seed is None:
        return near.every(number)
    number, is_near = divmod(number, 2)
    if is_near:
        return near.expression(seed, number)
    names = list(functions)
    name = names[number % len(names)]
    draw = random.Random(f"{seed} {number}")
    needed, given = parameters(functions[name]), []
    wrong = draw.random()  # how much of this call is malformed
    for parameter, is_needed in needed:
        if not is_needed and draw.random() < 0.7:
            continue
        plain = parameter.lstrip("*")
        bad = draw.random() < wrong**2
        text = draw.choice(MALFORMED if bad else fitting(plain))
        text = f"({text})" if text.startswith("lambda") else text
        keyword = not is_needed and not parameter.startswith("*")
        given.append(f"{plain}={text}" if keyword else text)
    if draw.random() < 0.01:
        given.append("no_such_argument=1")
    positional = [text for text in given if not _is_keyword(text)]
    expression = f"{name}({', '.join(positional + [t for t in given if _is_keyword(t)])})"
    return f"gradient: {expression}" if draw.random() < 0.3 else expression


def _is_keyword(text: str) -> bool:
    head, sign, rest = text.partition("=")
    return bool(sign) and head.isidentifier() and not rest.startswith("=")


# --- the process that calls ---------------------------------------------------------------------


def run_calls(seed: int | None, begin: int, end: int) -> None:
    """Run calls, and write a line for each: its number, then what was found if anything."""
    from gradtape.core import tracebacks

    functions = targets()
    for number in range(begin, end):
        tracebacks.enable(False)  # findings name the place in gradtape; a call may have changed it
        expression = call(seed, number, functions)
        print(json.dumps([number, expression, "begins"]), flush=True)
        finding = outcome(expression)
        after = aftermath()
        print(json.dumps([number, expression, after or finding]), flush=True)
        if after:
            sys.exit(SPOILED)


def limit_memory(gigabytes: float) -> None:
    """Limit what the process may have beyond what it has now."""
    import resource

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + int(gigabytes * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


# --- the process that watches -------------------------------------------------------------------


def watch(seed: int | None, begin: int, end: int, gigabytes: float) -> dict[int, tuple[str, str]]:
    """Run the calls of these numbers in processes, and return what each gave."""
    result: dict[int, tuple[str, str]] = {}
    while begin < end:
        with tempfile.TemporaryDirectory() as folder:
            begin = _watch_one(seed, begin, end, gigabytes, folder, result)
    return result


def _watch_one(seed, begin, end, gigabytes, folder, result) -> int:
    """Run one process until its end, and return the number that comes next."""
    drawn = ["--every"] if seed is None else ["--seed", str(seed)]
    words = [*drawn, "--memory", str(gigabytes), "--inside", str(begin), str(end)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, str(ROOT)])}
    log = Path(folder, "log")
    with log.open("w") as out, Path(folder, "errors").open("w+") as errors:
        process = subprocess.Popen(
            [sys.executable, "-X", "faulthandler", "-m", "tests.fuzz.calls", *words],
            cwd=folder,
            env=environment,
            stdout=out,
            stderr=errors,
            stdin=subprocess.DEVNULL,
        )
        size, since = 0, time.monotonic()
        while process.poll() is None:
            time.sleep(0.02)
            if log.stat().st_size != size:
                size, since = log.stat().st_size, time.monotonic()
            elif time.monotonic() - since > PATIENCE:
                process.send_signal(6)  # SIGABRT: the traceback of every thread is written
                process.wait()
        errors.seek(0)
        said = errors.read()[-3000:]
    last = None
    for line in log.read_text().splitlines():
        try:
            last = json.loads(line)
        except ValueError:  # cut off
            continue
        if last[2] != "begins":
            result[last[0]] = (last[1], last[2])
    if process.returncode == 0:
        return end
    if process.returncode == SPOILED:
        return last[0] + 1
    if last is None or last[2] != "begins":
        raise SystemExit(f"the process ended by itself ({process.returncode}):\n{said}")
    result[last[0]] = (last[1], f"ended the process ({process.returncode}):\n{said}")
    return last[0] + 1


def is_finding(words: str) -> bool:
    return bool(words) and not words.startswith("raised ")


def kind_of(words: str) -> str:
    """What findings that are one have in common: the place and the error; of kernels, the op."""
    kind_of_error, *rest = words.split(": ")
    return ": ".join([kind_of_error, *rest[: kind_of_error.endswith("InternalError")]])[:80]


def run(calls: int, seed: int | None, jobs: int, gigabytes: float, begin: int = 0):
    """Run so many calls, and yield the number, the expression and the outcome of each."""
    end = begin + calls
    parts = [(i, min(i + PER_PROCESS, end)) for i in range(begin, end, PER_PROCESS)]
    with ThreadPoolExecutor(jobs) as pool:
        for result in pool.map(lambda part: watch(seed, *part, gigabytes), parts):
            for number, (expression, words) in sorted(result.items()):
                yield number, expression, words


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", action="store_true", help="near.every, in turn: not random")
    parser.add_argument("--begin", type=int, default=0, help="the first call's number")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--memory", type=float, default=2.0, help="GiB; 0: no limit")
    parser.add_argument("--program", help="one call, as it was printed")
    parser.add_argument("--inside", nargs=2, type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    seed = None if arguments.every else arguments.seed
    if arguments.inside:
        targets()  # whatever is imported late is imported now
        if arguments.memory:
            limit_memory(arguments.memory)
        run_calls(seed, *arguments.inside)
        return 0
    if arguments.program:
        execute(arguments.program)
        return 0
    kinds: collections.Counter[str] = collections.Counter()
    findings: collections.Counter[str] = collections.Counter()
    outcomes = run(arguments.calls, seed, arguments.jobs, arguments.memory, arguments.begin)
    for number, expression, words in outcomes:
        kinds["a finding" if is_finding(words) else words or "worked"] += 1
        if is_finding(words):
            # Those that come from the same line are one: it is shown once.
            kind_of_error = kind_of(words)
            findings[kind_of_error] += 1
            if findings[kind_of_error] == 1:
                print(f"\n[{number}] {expression}\n    {words}", flush=True)
    print()
    for kind, count in (kinds + findings).most_common():
        print(f"{count:8} {kind}")
    print(f"{kinds.total()} calls, {findings.total()} findings, {len(findings)} different ones")
    return bool(findings)


if __name__ == "__main__":
    sys.exit(main())
