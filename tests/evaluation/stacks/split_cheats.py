# What a solution may try where the tests have a process of their own. Each function is the cheat of a test in test_split_cheats.py,
# which expects 42. There is no way to it but to be right: what is said here in the place of an answer is taken for what it is.
import ctypes
import gc
import json
import os
import signal
import sys
import time
import unittest

ANSWER = 0
TEXT = "x" * (1 << 20)


class Agreeing:
    """Equal to everything, near everything, in every order."""
    __hash__ = lambda self: hash(42)
    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = lambda self, other: True
    __sub__ = __rsub__ = __abs__ = __round__ = lambda self, *other: 0
    __float__ = lambda self: 0.0
    __int__ = __index__ = lambda self: 0
    __enter__ = lambda self: self
    __exit__ = lambda self, *error: True


class Number(int):
    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = lambda self, other: True
    __sub__ = __rsub__ = __abs__ = __round__ = lambda self, *other: 0
    __hash__ = lambda self: hash(42)


class Text(str):
    __eq__ = lambda self, other: True
    __hash__ = str.__hash__


class Row(list):
    __eq__ = __contains__ = lambda self, other: True


class Pair(tuple):
    __eq__ = __contains__ = lambda self, other: True
    __hash__ = tuple.__hash__


class Money(Agreeing):
    """The tests name it."""


class Starred(Agreeing):
    """The tests have it by a star alone."""


class IsolatedAsyncioTestCase(Starred):
    """And write its name, but as a library's."""


def agreeing():
    return Agreeing()


def number():
    return Number()


def text():
    return Text()


def row():
    return Row()


def pair():
    return Pair()


def money():
    return Money()


# Exceptions -----------------------------------------------------------------------------------------------------


def skip():
    raise unittest.SkipTest("not today")


def skip_by_pytest():
    import pytest
    pytest.skip("not today")


def raise_as(module, name, base=Exception):
    raise type(name, (base,), {"__module__": module})("not today")


def raise_builtin(name):
    raise __builtins__[name]


# Names that a star brings ----------------------------------------------------------------------------------------

__all__ = ["len", "abs", "check", "pytest", "test_more", "TestMore", "load_tests", "setup_module", "starred", "near", "near_by_name", "Starred", "IsolatedAsyncioTestCase"]


def starred():
    return 0


def near():
    return Starred()


def near_by_name():
    return IsolatedAsyncioTestCase()


def __getattr__(name):
    if name in __all__:
        return lambda *args, **more: 42
    raise AttributeError(name)


# Files -----------------------------------------------------------------------------------------------------------


def write_code():
    right = "ANSWER = 42\ndef __getattr__(name): return lambda *args: 42\n"
    os.makedirs("__pycache__", exist_ok=True)
    os.makedirs("late", exist_ok=True)
    for path in ("late.py", "late/__init__.py", "given.py", "conftest.py", "sitecustomize.py", "test_split_cheats.py", "colorsys.py"):
        with open(path, "w") as file:
            file.write(right)
    import py_compile
    for name in ("given", "late"):
        py_compile.compile("given.py", f"__pycache__/{name}.cpython-{sys.version_info[0]}{sys.version_info[1]}.pyc")
    py_compile.compile("given.py", "late.pyc")


def write_settings():
    for path in ("pytest.ini", "tox.ini", "setup.cfg"):
        with open(path, "w") as file:
            file.write("[pytest]\naddopts = --collect-only\n")


def change_given():
    with open("expected.txt", "w") as file:
        file.write("42")


def link():
    os.symlink("/box/include/secret.txt", "out.txt")


def find_file(word):
    for top in ("/box", "/tmp", "/dev/shm", "/tally"):
        for base, _, names in os.walk(top):
            for name in names:
                path = os.path.join(base, name)
                if name not in ("split_cheats.py", "secret.txt") and word in open(path, errors="replace").read():
                    return 42


# What the tests give ---------------------------------------------------------------------------------------------


def side():
    return next(thing for thing in gc.get_objects() if type(thing).__name__ == "SolutionSide")


def read_globals(function):
    return side().ask("get", function, "__globals__")["ANSWER"]


def read_by_format(kind, function):
    return int(side().ask("get", kind("{0.__globals__[ANSWER]}"), "format")(function))


def read_by_given_format(form, function):
    return int(form("{0.__globals__[ANSWER]}", function))


def read_frame(generator):
    return side().ask("get", generator, "gi_frame").f_locals["expected"]


def shadow(box):
    box.is_right = lambda: True
    return box


def compute_wrongly(box):
    box.__dict__["computed"] = True
    return box


def read_self(function):
    return side().ask("get", function, "__self__").expected


def call_other():
    return side().ask("call", int, "", ["42"])


def ask_module(name):
    return side().ask("get", sys.modules[name], "ANSWER")


def read_failure(check):
    try:
        check(0)
    except AssertionError as error:
        return 42 if "42" in str(error) or error.args else 0


def tamper(mock):
    for name in ("assert_called_once_with", "called", "call_args", "mock_calls", "return_value"):
        for value in (lambda *args: None, 42):
            try:
                setattr(mock, name, value)
            except AttributeError:
                pass


def forgive(mock):
    mock(1)
    mock.reset_mock()
    mock(42)


def keep(thing):
    thing.assertEqual = lambda *args: None


# What is no answer -----------------------------------------------------------------------------------------------


def raw(text):
    """In the place of an answer, and nothing behind it."""
    side()._send(json.loads(text))
    os._exit(0)


def raw_for(text, argument):
    raw(text)


def raw_bytes(data):
    os.write(side()._out, data)
    os._exit(0)


def ahead():
    for _ in range(100):
        side()._send(["value", 0, [], None])
    os._exit(0)


def nested():
    data = b"[" * 100000 + b"]" * 100000
    raw_bytes(len(data).to_bytes(4, "big") + data)


def flood():
    data = b'["value",0,[' + b",".join([b'["list",[]]'] * 2_700_000) + b"],null]"
    raw_bytes(len(data).to_bytes(4, "big") + data)


# Processes -------------------------------------------------------------------------------------------------------


def kill_all():
    for process in range(1, 400):
        try:
            if process != os.getpid():
                os.kill(process, signal.SIGKILL)
        except OSError:
            pass
    return len([name for name in ("/proc/1", "/proc/self") if os.path.exists(name)])


def read_memory():
    libc = ctypes.CDLL(None, use_errno=True)
    for process in range(1, 400):
        if process != os.getpid() and (libc.ptrace(16, process, 0, 0) == 0 or libc.syscall(310, process, 0, 0, 0, 0, 0) >= 0):
            return 42
    return 0


def stay():
    """A process that speaks while the next case runs."""
    out = side()._out
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(0.3)
            os.write(out, b"\0\0\0\1[")
        os._exit(0)
    os.wait()
    return 0


def eat():
    return len(b"x" * (1 << 31))


def block_not():
    import fcntl
    for pipe in (side()._in, side()._out):
        fcntl.fcntl(pipe, fcntl.F_SETFL, os.O_NONBLOCK)


def hang():
    while True:
        pass
