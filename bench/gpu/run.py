"""The same programs on a GPU by gradtape, JAX and PyTorch, side by side.

    python bench/gpu/run.py                       all programs, all libraries that are installed
    python bench/gpu/run.py gpt2 --libraries gradtape jax
    python bench/gpu/run.py --small               tiny sizes: does it run at all, without a GPU too

Each measurement has a process of its own. The libraries take turns, in `--rounds` rounds, and the
best round of each counts. Printed are the milliseconds of a step, the seconds until the first step
was done (with what is compiled), and the value after twenty steps, in which all should agree.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
LIBRARIES = ("gradtape", "jax", "torch")
PROGRAMS = ("gpt2", "gpt2_even", "chain", "mlp", "eager_square", "eager_chain", "eager_mlp")
# Their steps depend on nothing: unless each value is read, a library that defers ops may leave out
# those that nobody reads, or compute equal ones once.
READ_IN_EVERY_STEP = ("eager_square", "eager_chain")
CHECKED_STEPS = 20  # those before are run op by op, where ops are compiled together later
SAMPLES = 7
SAMPLE_SECONDS = 0.4


def size_of(program: str, small: bool):
    import arrays

    if program == "gpt2":
        return arrays.SMALL_GPT2 if small else arrays.Gpt2()
    if program == "gpt2_even":
        return arrays.SMALL_GPT2 if small else arrays.Gpt2(vocabulary=32768)
    if program.endswith("chain"):
        return arrays.SMALL_CHAIN_SIZE if small else arrays.CHAIN_SIZE
    return None


def program_of(module, program: str):
    """The function of a library's module; `gpt2_even` is `gpt2` of another size."""
    return getattr(module, "gpt2" if program == "gpt2_even" else program)


def has(library: str, program: str) -> bool:
    """Whether a library has the program: JAX has no eager ones."""
    return library != "jax" or not program.startswith("eager")


def measure(program: str, library: str, small: bool) -> dict:
    """One measurement, in this process."""
    module = importlib.import_module(f"with_{library}")
    start = time.perf_counter()
    if library == "gradtape" and os.environ.get("GRADTAPE_BENCH_DEVICE"):
        import gradtape

        with gradtape.device(os.environ["GRADTAPE_BENCH_DEVICE"]):
            step = program_of(module, program)(size_of(program, small))
            step()
    else:
        step = program_of(module, program)(size_of(program, small))
        step()
    value = module.wait(step())
    first = time.perf_counter() - start
    for _ in range(CHECKED_STEPS - 2):
        value = module.wait(step())
    start = time.perf_counter()
    module.wait(step())
    number = max(1, round((0.05 if small else SAMPLE_SECONDS) / (time.perf_counter() - start)))
    samples = []
    for _ in range(SAMPLES):
        start = time.perf_counter()
        for _ in range(number):
            result = step()
            if program in READ_IN_EVERY_STEP:
                module.wait(result)
        module.wait(result)  # all steps before it are done by then
        samples.append((time.perf_counter() - start) / number)
    return {"ms": 1e3 * statistics.median(samples), "first": first, "value": value}


def in_a_process(program: str, library: str, small: bool) -> dict:
    command = [sys.executable, __file__, program, "--libraries", library, "--inside"]
    finished = subprocess.run(
        command + ["--small"] * small, capture_output=True, text=True, check=False, cwd=HERE
    )
    if finished.returncode:
        reason = finished.stderr.strip().splitlines()[-1:] or ["no output"]
        return {"failed": reason[0]}
    return json.loads(finished.stdout.strip().splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*", default=list(PROGRAMS))
    parser.add_argument("--libraries", nargs="+", default=list(LIBRARIES))
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        print(json.dumps(measure(options.programs[0], options.libraries[0], options.small)))
        return
    print(f"{'program':12} {'library':9} {'ms a step':>10} {'first, s':>9}  value", flush=True)
    for program in options.programs:
        libraries = [library for library in options.libraries if has(library, program)]
        measured: dict[str, list[dict]] = {library: [] for library in libraries}
        for _ in range(options.rounds):
            for library in libraries:
                measured[library].append(in_a_process(program, library, options.small))
        for library, rounds in measured.items():
            good = [r for r in rounds if "ms" in r]
            if not good:
                print(f"{program:12} {library:9} failed: {rounds[-1]['failed']}", flush=True)
                continue
            best = min(good, key=lambda r: r["ms"])
            first = max(r["first"] for r in good)
            print(
                f"{program:12} {library:9} {best['ms']:10.3f} {first:9.1f}  {best['value']:.6f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
