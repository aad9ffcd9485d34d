"""`make fuzz-tf MINUTES=30`: random programs here and on TensorFlow, differences as programs."""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

from tests.fuzz.differential.search import Search
from tests.fuzz.differential.workers import Pair, Worker


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tensorflow", required=True, help="a Python that has TensorFlow")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--classes", action="store_true", help="compare classes of errors, too")
    parser.add_argument("--output", type=Path, help="a folder for the programs")
    options = parser.parse_args()
    seed = random.randrange(10**6) if options.seed is None else options.seed
    print(f"seed {seed}", flush=True)
    pair = Pair(Worker(sys.executable, "gradtape"), Worker(options.tensorflow, "tensorflow"))
    search = Search(pair, seed, options.classes)
    count = 0
    try:
        for count, result in enumerate(search.differences(60 * options.minutes), 1):
            text = f"# {result.text}\n{result.program}\n"
            print(f"\n--- difference {count}\n{text}", flush=True)
            if options.output:
                options.output.mkdir(parents=True, exist_ok=True)
                (options.output / f"difference_{count}.py").write_text(text)
    finally:
        pair.close()
    print(f"{search.programs} programs, {search.run_count} statements, {count} differences")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
