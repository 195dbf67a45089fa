"""What the tests' process has in the place of the solution's modules, classes, objects and exceptions: each asks the solution's process.

What the solution says of its classes makes classes here that have these names and no code of it. An object of the solution is equal to
other objects of the solution, if it says so, and never to a value of the tests: it would be told the value, and could agree with any. For
the same reason it is not asked to compare itself with one, nor to compute with one, unless its class is one that the tests name. What a
class derives from int, str, tuple and their like holds is a value, here as there.
"""
import builtins
import sys
import types

import specials

_VALUES = {kind.__name__: kind for kind in (int, str, float, tuple, bytes, frozenset)}
ERRORS = {name: kind for name, kind in vars(builtins).items() if isinstance(kind, type) and issubclass(kind, BaseException)
          and not issubclass(kind, BaseExceptionGroup)}
# Their tests have these, whatever a solution calls so.
_NOT_OF_LIBRARIES = ("unittest", "doctest", "bdb", "pdb", "test")
_ASKED_BY_FRAMEWORKS = ("_pytest", "pytest", "_mock_")


class Asking:
    """Whose attributes are the solution's."""

    def __getattr__(self, name):
        return _get(self, name)

    def __setattr__(self, name, value):
        super().__setattr__(name, value) if name.startswith("__") else self._tally_side.ask("set", self, name, [value])

    def __delattr__(self, name):
        self._tally_side.ask("delete", self, name)

    def __dir__(self):
        return self._tally_side.ask("names", self)


class Kind(Asking, type):
    """Of a class of the solution."""

    def __new__(cls, name, bases, names, number=None):
        if number is None:
            raise TypeError("with params.split a class of the tests cannot derive from one of the solution")
        return super().__new__(cls, name, bases, names)

    def __init__(cls, name, bases, names, number=None):
        super().__init__(name, bases, names)
        type.__setattr__(cls, "_tally_number", number)

    def __call__(cls, *args, **kwargs):
        return cls._tally_side.ask("call", cls, "", args, kwargs)


class IterableKind(Kind):
    """Of an enumeration."""

    def __bool__(cls):
        return True


class Object(Asking):
    """Of the solution; each class of it has one of its own that derives from this."""

    def __repr__(self):
        return _text_of(self, "__repr__")

    def __str__(self):
        return _text_of(self, "__str__")

    def __eq__(self, other):
        if is_of_solution(other):
            return self is other or "__eq__" in type(self)._tally_names and self._tally_side.ask("special", self, "__eq__", [other]) is True
        return self._tally_side.ask("held", self) == other if type(self)._tally_changes else NotImplemented

    def __hash__(self):
        return object.__hash__(self)

    def __copy__(self):
        return self._tally_side.ask("special", self, "__copy__")

    def __deepcopy__(self, _):
        return self._tally_side.ask("special", self, "__deepcopy__")

    def __reduce_ex__(self, protocol):
        raise TypeError("with params.split an object of the solution cannot be pickled by the tests")


class Coroutine(Object):
    """Runs to its end where it is, no matter who awaits it."""

    def send(self, _):
        raise StopIteration(self._tally_side.ask("special", self, "__await__"))

    def throw(self, error, *_):
        raise error

    def close(self):
        pass

    def __await__(self):
        return self._tally_side.ask("special", self, "__await__")
        yield


class Error:
    """What is an exception, too: of the solution, or one of a library that it has said to be."""

    def __getattr__(self, name):
        return _get(self, name)

    def __str__(self):
        return self._tally_text


class Module(types.ModuleType):
    def __getattr__(self, name):
        if name == "__all__":
            return [name for name in self._tally_side.ask("names", self, "star") if type(name) is str and not self._tally_kept(name)]
        value = _get(self, name, ("__version__", "__author__"))
        if isinstance(value, Kind) and name[0].isupper() and name in self._tally_used:
            type.__setattr__(value, "_tally_named", True)
        return value

    def __setattr__(self, name, value):
        if name.startswith(("__", "_tally_")) or isinstance(value, types.ModuleType):
            super().__setattr__(name, value)
        else:
            self._tally_side.ask("set", self, name, [value])

    def __delattr__(self, name):
        super().__delattr__(name) if name in self.__dict__ else self._tally_side.ask("delete", self, name)

    def __dir__(self):
        return self._tally_side.ask("names", self)


def is_of_solution(thing):
    return isinstance(type(thing), Kind) or isinstance(thing, Kind)


def _get(thing, name, known=()):
    if name.startswith(("__", "_tally_")) and name not in known or name.startswith(_ASKED_BY_FRAMEWORKS):
        raise AttributeError(f"{thing.__name__ if isinstance(thing, (type, types.ModuleType)) else type(thing).__name__!r} has no attribute {name!r}")
    return thing._tally_side.ask("get", thing, name)


def _text_of(thing, name):
    text = thing._tally_side.ask("special", thing, name)
    return text if type(text) is str else "<no text>"


def _special(name):
    if name == "__call__":
        return lambda self, *args, **kwargs: self._tally_side.ask("call", self, "", args, kwargs)
    if name == "__exit__":
        return lambda self, kind, error, trace: self._tally_side.ask("special", self, name, [error]) is True and _may_swallow(error)
    if name == "__contains__":
        return lambda self, value: (self._tally_side.ask("special", self, name, [value]) if _may_be_told(self, value)
                                    else any(one is value or one == value for one in self))
    if name == "__await__":
        return Coroutine.__await__
    if name in specials.GIVEN_A_VALUE:
        return lambda self, *args: (self._tally_side.ask("special", self, name, args) if _may_be_told(self, *args) else NotImplemented)
    return lambda self, *args: self._tally_side.ask("special", self, name, args)


def _may_be_told(thing, *values):
    kinds = (thing,) if isinstance(thing, Kind) else type(thing).__mro__
    return any(isinstance(kind, Kind) and getattr(kind, "_tally_named", False) for kind in kinds) or all(map(is_of_solution, values))


def _may_swallow(error):
    """No context manager of the solution swallows what a framework or an assertion of the tests raises."""
    return is_of_solution(error) or type(error) in ERRORS.values() and isinstance(error, Exception) and not isinstance(error, AssertionError)


for _name in ("__iter__", "__len__", "__getitem__", "__contains__"):
    setattr(IterableKind, _name, _special(_name))


def make_class(side, description, classes):
    """What the solution has said of a class: [number, name, module, bases, special methods, whether it is iterable, whether it holds a
    changing value]. ValueError or TypeError: that is nothing of a class."""
    number, name, module, bases, names, iterable, changes = description
    if not (type(number) is int and type(name) is str and type(module) is str and name.isprintable() and len(name) < 1000):
        raise ValueError("no class")
    library = _error_of_library(module, name)
    if library is not None:
        return library
    known = [classes[base] for base in bases if type(base) is int]
    held = [_VALUES[base] for base in bases if base in _VALUES]
    errors = [ERRORS[base] for base in bases if base in ERRORS]
    of_errors = errors or any(issubclass(kind, BaseException) for kind in known)
    parents = [kind for kind in known if not of_errors or issubclass(kind, (BaseException, Error))]
    if not any(issubclass(kind, Error if of_errors else Object) for kind in parents):
        parents.append(Error if of_errors else Coroutine if (module, name) == ("builtins", "coroutine") else Object)
    methods = {} if of_errors else {one: _special(one) for one in names if one in specials.NAMES and one not in ("__eq__", "__repr__", "__str__")}
    own = {"_tally_side": side, "_tally_names": frozenset(names), "_tally_changes": changes is True, "__module__": module}
    if held or any(issubclass(kind, tuple(_VALUES.values())) for kind in known):
        own |= {"__eq__": _value_of(held or known).__eq__, "__hash__": _value_of(held or known).__hash__}
    elif "__eq__" in names and "__hash__" not in names and not of_errors:
        own["__hash__"] = None
    meta = IterableKind if iterable is True or any(isinstance(parent, IterableKind) for parent in parents) else Kind
    kind = meta(name, (*parents, *held, *errors), {**own, **methods}, number=number)
    for given in filter(None, [side.own.abstract(base.__module__, base.__qualname__) for base in kind.__mro__]):
        given.register(kind)
    return kind


def _value_of(kinds):
    return next(base for kind in kinds for base in kind.__mro__ if base in _VALUES.values())


def _error_of_library(module, name):
    package = module.partition(".")[0]
    kind = getattr(sys.modules.get(module), name, None) if package in sys.stdlib_module_names and package not in _NOT_OF_LIBRARIES else None
    return kind if isinstance(kind, type) and issubclass(kind, Exception) and kind.__module__ == module else None
