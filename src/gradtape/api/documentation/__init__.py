"""What `help` says of public functions: written docstrings, and what is put together from tables.

text.py          the docstring of a public function, which is completed when it is asked for
compose.py       completes it: arguments, result, derivative, errors, example
parameters.txt   what parameters mean, by name
derivatives.txt  whether gradients flow, as the cases of tests/tf_parity show it (tools/coverage);
                 of an op that has no case, its rules say so
errors.txt       what wrong calls raise, as they were tried (tools/wrong_calls.py), for mistakes.py
examples/        for the functions that are used most: errors, and examples that a test runs
"""
