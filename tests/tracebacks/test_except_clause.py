"""The clause that functions get: the same instructions without an error, and the same errors."""

import dis
import inspect
import sys
import traceback
import types

import pytest

import gradtape as tf
from gradtape.core.tracebacks import filter_traceback, filters_tracebacks
from gradtape.core.tracebacks.except_clause import SUPPORTED, with_clause

pytestmark = pytest.mark.skipif(not SUPPORTED, reason="functions stay as they are")

handled = []


def handle():
    handled.append(sys.exception())


def plain(x):
    return 1 / x


def with_try(x):
    try:
        return 1 / x
    except TypeError:
        return "type"
    finally:
        handled.append("finally")


def with_raise(x):
    try:
        return [1][x]
    except IndexError as error:
        raise KeyError("not there") from error


def with_loops(x):
    total = 0
    for i in range(3):
        while True:
            try:
                with memoryview(b"abc") as view:
                    total += view[i] / x
                    if i == 1:
                        break
            except ZeroDivisionError:
                if i == 2:
                    raise
                continue_at = i
                total += continue_at
                break
            else:
                break
    return total


def with_comprehension(x):
    return [y / x for y in range(3)], dict.fromkeys("ab", 1 / x)


def with_closure(x):
    def inner():
        return x / 0

    return x.pop() if isinstance(x, list) else inner()


def many_constants(x):
    return sum(globals()["numbers"](x))


exec(f"def numbers(x):\n    return [{', '.join(f'{i}.5 / x' for i in range(5000))}]")

FUNCTIONS = [
    *(plain, with_try, with_raise, with_loops, with_comprehension, with_closure, many_constants),
    globals()["numbers"],
]
ARGUMENTS = [0, 1, 2.0, "text", None, [1], [], -1, 7]


def outcome(function, argument):
    try:
        return function(argument)
    except Exception as error:
        chain = []
        while error is not None:
            chain.append((type(error), str(error), error.__suppress_context__))
            error = error.__cause__ or error.__context__
        return chain


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_results_and_errors_are_the_same(function):
    changed = types.FunctionType(with_clause(function.__code__, handle), globals())
    for argument in ARGUMENTS:
        handled.clear()
        copies = [list(argument) if isinstance(argument, list) else argument for _ in range(2)]
        expected = outcome(function, copies[0])
        finals = handled.count("finally")
        handled.clear()
        assert outcome(changed, copies[1]) == expected
        errors = [each for each in handled if isinstance(each, BaseException)]
        assert handled.count("finally") == finals
        assert bool(errors) == (
            isinstance(expected, list) and bool(expected) and isinstance(expected[0], tuple)
        )


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_the_body_is_the_same(function):
    code, changed = function.__code__, with_clause(function.__code__, handle)
    assert changed.co_code.startswith(code.co_code)
    assert changed.co_varnames == code.co_varnames
    assert list(changed.co_positions())[: len(code.co_code) // 2] == list(code.co_positions())
    assert with_clause(changed, handle).co_code == changed.co_code  # once is enough
    positions = list(changed.co_positions())
    assert len(positions) == len(changed.co_code) // 2
    list(dis.get_instructions(changed))


def test_the_frame_itself_is_not_in_the_traceback():
    def forgets():
        sys.exception().__traceback__ = None

    changed = types.FunctionType(with_clause(plain.__code__, forgets), globals())
    with pytest.raises(ZeroDivisionError) as caught:
        changed(0)
    assert [entry.name for entry in caught.traceback] == [sys._getframe().f_code.co_name]


def test_deep_recursion_is_still_an_error_of_its_kind():
    @filters_tracebacks
    def deeper(n):
        return deeper(n + 1)

    with pytest.raises(RecursionError) as caught:
        deeper(0)
    error = caught.value
    while error is not None:
        assert all(entry.lineno for entry in traceback.extract_tb(error.__traceback__))
        error = error.__context__


def test_generators_and_coroutines_stay_as_they_are():
    def generator():
        yield 1

    async def coroutine():
        return 1

    for function in (generator, coroutine):
        assert with_clause(function.__code__, handle) is function.__code__


def test_functions_made_by_the_same_function_share_their_code():
    def make(n):
        @filters_tracebacks
        def made(x):
            return x + n

        return made

    one, two = make(1), make(2)
    assert one.__code__ is two.__code__
    assert (one(1), two(1)) == (2, 3)


def test_classes():
    class Example:
        __module__ = "gradtape.example"

        def method(self):
            raise KeyError

        @property
        def value(self):
            raise KeyError

        @staticmethod
        def static():
            raise KeyError

        @classmethod
        def of_class(cls):
            raise KeyError

    assert filters_tracebacks(Example) is Example
    functions = [
        Example.method,
        inspect.getattr_static(Example, "value").fget,
        Example.static,
        Example.of_class.__func__,
    ]
    for function in functions:
        assert function.__code__.co_consts[-1] is filter_traceback


@pytest.mark.parametrize("name", ["matmul", "reduce_sum", "reshape", "add", "constant"])
def test_public_functions_have_the_clause_and_no_wrapper_for_it(name):
    function = getattr(tf, name)
    assert function.__code__.co_consts[-1] is filter_traceback
    assert inspect.signature(function)
    assert inspect.getsource(function).lstrip().startswith(("def ", "@"))
