"""What Python asks of an object by a method with two underscores: which of them go from one process to the other, and how they are asked."""
import builtins
import copy
import math
import operator


def _await(coroutine):
    import asyncio

    async def wait():
        return await coroutine

    return asyncio.run(wait())


def _exit(thing, error):
    return type(thing).__exit__(thing, None if error is None else type(error), error, None if error is None else error.__traceback__)


_BINARY = ("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and", "or", "xor")
_BY_BUILTINS = {f"__{name}__": getattr(builtins, name) for name in (
    "len", "iter", "next", "reversed", "hash", "str", "repr", "format", "bool", "int", "float", "complex", "round", "bytes", "abs", "divmod")}
_BY_OPERATOR = {f"__{name}__": getattr(operator, f"__{name}__") for name in (
    "getitem", "setitem", "delitem", "contains", "neg", "pos", "invert", "index", "eq", "lt", "le", "gt", "ge",
    *_BINARY, *(f"i{name}" for name in _BINARY))}
_REFLECTED = {f"__r{name}__": lambda thing, other, ask=getattr(operator, f"__{name}__"): ask(other, thing) for name in _BINARY}
_REFLECTED["__rdivmod__"] = lambda thing, other: divmod(other, thing)
_OTHERS = {f"__{name}__": getattr(math, name) for name in ("trunc", "floor", "ceil")} | {
    "__call__": lambda thing, *args: thing(*args), "__enter__": lambda thing: type(thing).__enter__(thing), "__exit__": _exit,
    "__await__": _await, "__copy__": copy.copy, "__deepcopy__": lambda thing, *_: copy.deepcopy(thing)}
_ASKED = _BY_BUILTINS | _BY_OPERATOR | _REFLECTED | _OTHERS

NAMES = frozenset(_ASKED)
# These are told another value and say what comes of the two: who is asked learns what was expected.
GIVEN_A_VALUE = frozenset(("__contains__", "__lt__", "__le__", "__gt__", "__ge__", "__divmod__", *_REFLECTED,
                           *(f"__{prefix}{name}__" for name in _BINARY for prefix in ("", "i"))))
# Of an object that holds a value of a builtin class, which answers the others itself.
BESIDE_A_VALUE = (GIVEN_A_VALUE | {"__str__", "__repr__", "__format__", "__call__", "__enter__", "__exit__", "__neg__", "__pos__", "__abs__",
                                   "__invert__"}) - {"__contains__"}


def ask(thing, name, args):
    return _ASKED[name](thing, *args)


def of(kind, ignored=()):
    """Those that a class has, but for what all objects have and what classes among `ignored` do."""
    found = {}
    for base in type.mro(kind)[::-1]:
        if base is not object and base not in ignored:
            found.update({name: value for name, value in vars(base).items() if name in NAMES})
    return sorted(name for name, value in found.items() if value is not None)
