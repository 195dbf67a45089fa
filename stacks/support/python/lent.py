"""What the tests give to the solution and stays with them: functions, iterators, files, mocks, objects of their own classes. The solution's
process has a number of it, and asks. It is answered as far as one object may ask another: no name with an underscore in front, and nothing
that leads to the interpreter or the framework (frames, code, modules, test cases)."""
import functools
import importlib
import io
import types
import unittest
import unittest.mock

import specials

_FUNCTIONS = (types.FunctionType, types.MethodType, types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType,
              types.MethodWrapperType, functools.partial, type)
_MOCKS = (unittest.mock.NonCallableMock,)
_THINGS = (*_MOCKS, io.IOBase, types.GeneratorType, map, filter, zip, enumerate, reversed)
_ITERATORS = tuple({type(iter(thing)) for thing in ([], (), {}, "", set(), range(0), b"", {}.values(), {}.items())})
_BUILTIN_NAMES = {id(thing): name for name, thing in vars(__import__("builtins")).items() if callable(thing)}
_FORMATS = ("format", "format_map")  # of a text: they read attributes of what they are given, also those with an underscore
_OF_MOCKS = frozenset(dir(unittest.mock.MagicMock()))


class Lent:
    """`tests` and `includes`: names of their modules."""

    def __init__(self, tests, includes):
        self._includes, self._own_modules, self._things, self._numbers = includes, tests | includes, [], {}

    def number(self, thing):
        if id(thing) not in self._numbers:
            self._numbers[id(thing)] = len(self._things)
            self._things.append(thing)
        return self._numbers[id(thing)]

    def thing(self, number):
        if type(number) is not int or not 0 <= number < len(self._things):
            raise ValueError("no number")
        return self._things[number]

    def pack(self, value):
        if id(value) in _BUILTIN_NAMES:
            return ["builtin", _BUILTIN_NAMES[id(value)]]
        if isinstance(value, types.ModuleType) and value.__name__ in self._includes:
            return ["module", value.__name__]
        if not (isinstance(value, (*_FUNCTIONS, *_THINGS, *_ITERATORS)) or self._is_own(value)):
            raise TypeError(f"with params.split a value of the class {type(value).__name__!r} cannot be given to the solution")
        return ["lent", self.number(value), specials.of(type(value))]

    def _is_own(self, value):
        return type(value).__module__ in self._own_modules and not isinstance(value, unittest.TestCase)

    def module(self, name):
        if name not in self._includes:
            raise ValueError("no module")
        return importlib.import_module(name)

    def perform(self, op, target, name, args, kwargs):
        if id(target) not in self._numbers:
            raise ValueError("that is not the tests'")
        if any(target is vars(str)[one] for one in _FORMATS) or isinstance(target, str) and name in _FORMATS:
            raise AttributeError("with params.split the solution cannot have the tests format a text of its own")
        if op == "call" and callable(target):
            return target(*args, **kwargs)
        if op == "special" and name in specials.NAMES:
            return specials.ask(target, name, args)
        if isinstance(target, (*_FUNCTIONS, BaseException)) or name.startswith(("_", "gi_")) or isinstance(target, _MOCKS) and name in _OF_MOCKS:
            raise AttributeError(f"with params.split the solution cannot ask the tests for {name!r}")
        if op == "get":
            return getattr(target, name)
        if op in ("set", "delete") and self._is_own(target) and not callable(getattr(type(target), name, None)):  # a method is what the tests say
            return {"set": setattr, "delete": delattr}[op](target, name, *args)
        raise AttributeError(f"with params.split the solution cannot change {name!r} of the tests")
