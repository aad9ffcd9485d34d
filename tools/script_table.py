"""Writes src/gradtape/api/strings/script_table.py: which script each code point belongs to.

    python tools/script_table.py    (with TensorFlow, whose answers are recorded)

`tf.strings.unicode_script` gives ICU's numbers for scripts, and Python has no table of scripts.
"""

import itertools
import sys
import textwrap
from pathlib import Path

PAGE = Path(__file__).parents[1] / "src/gradtape/api/strings/script_table.py"
HEAD = '''"""The script of every code point, in runs. Written by tools/script_table.py."""

# From code point 0 on: how many follow each other, and ICU's number of their script; hexadecimal.
RUNS = """
'''


def main() -> None:
    import tensorflow as tf

    codes = tf.strings.unicode_script(tf.range(sys.maxunicode + 1)).numpy().tolist()
    runs = [f"{len(list(run)):x}.{code:x}" for code, run in itertools.groupby(codes)]
    lines = textwrap.wrap(" ".join(runs), 96, initial_indent="    ", subsequent_indent="    ")
    PAGE.write_text(HEAD + "\n".join(lines) + '\n"""\n', encoding="utf-8")


if __name__ == "__main__":
    main()
