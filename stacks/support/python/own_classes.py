"""Classes of the include files, which tests and solution have each: their objects go as what they hold, and are made anew there."""
import abc
import enum
import functools
import importlib
import sys
import unittest

from wire import Misunderstood


class OwnClasses:
    """`modules`: names of the include files' modules."""

    def __init__(self, modules):
        self._modules = frozenset(modules)

    def name_of(self, kind):
        """[module, name], or None where it is another one's."""
        module, name = kind.__module__, kind.__qualname__
        if type(module) is not str or module not in self._modules:
            return None
        try:
            return [module, name] if self._find(module, name) is kind else None
        except (ImportError, AttributeError):
            return None

    def find(self, name):
        if type(name) is not list or len(name) != 2 or type(name[1]) is not str or name[0] not in self._modules:
            raise Misunderstood("no class of the include files")
        kind = self._find(*name)
        if not isinstance(kind, type) or kind.__module__ != name[0] or issubclass(kind, (unittest.TestCase, unittest.SkipTest)):
            raise Misunderstood("no class of the include files")
        return kind

    def abstract(self, module, name):
        """The abstract base class that is called so, or None: others cannot be told that a class derives from them."""
        kind = vars(sys.modules.get(module, enum)).get(name) if module in self._modules else None
        return kind if isinstance(kind, abc.ABCMeta) and kind.__module__ == module else None

    @staticmethod
    def _find(module, name):
        found = importlib.import_module(module)
        for part in name.split("."):
            found = vars(found)[part] if part in vars(found) else getattr(found, part)
        return found

    def member(self, value):
        """Of an enumeration."""
        name = self.name_of(type(value)) if isinstance(value, enum.Enum) else None
        return None if name is None else ["member", name, value.name]

    def container(self, kind):
        """As wire.py has it of lists: the tag, the parts, and how an object becomes what it is. None: not of these."""
        if kind.__flags__ & _OF_BUILTIN or not kind.__dictoffset__ or issubclass(kind, (BaseException, enum.Enum)):
            return None
        name = self.name_of(kind)
        return None if name is None else (["own", *name], _names_and_values, _fill)


_OF_BUILTIN = sum(1 << bit for bit in range(24, 32))  # of a type's flags (object.h): it derives from int, list, tuple, ..., or is a class


def _names_and_values(thing):
    return [part for pair in vars(thing).items() for part in pair]


def _fill(thing, parts):
    names = vars(thing)
    names.clear()
    for name, value in zip(parts[::2], parts[1::2]):
        if type(name) is not str or callable(getattr(type(thing), name, None)):
            raise Misunderstood("no attribute")  # a method is what the include file says
        if not isinstance(getattr(type(thing), name, None), functools.cached_property):  # and what it computes is computed here
            names[name] = value
