"""What modules, classes and objects of libraries looked like before code of the solution was executed.

Every name is compared by what it refers to, by identity: what is there now may call itself equal to anything. A library that
rebinds a name of its own (a cache, a default that is set when it is first asked for) may go on doing so; whether it does, its code
says, which is read for a name that has changed and not before. What is in a dict or list is not looked at: caches live there.

Each child looks at the end, and now and then before (place.py). A value that is looked at is written to (it is counted who refers to it), so its page is copied, at 3 us in
a virtual machine: what cannot be changed, or is of no use to a solution, is not looked at.
"""
import builtins
import enum
import functools
import itertools
import operator
import sys
import types
from opcode import EXTENDED_ARG, opmap

from libraries import is_library, library_spec

# Names that the interpreter itself gives or takes, that a program is to set, or (to save reading pytest's code) that each case changes.
_ANYBODYS = {"sys": None, "time": {"tzname", "timezone", "altzone", "daylight"}, "builtins": {"_"},
             "pdb": {"set_trace"}, "threading": {"_active_limbo_lock", "_shutdown_locks_lock", "_shutdown_locks", "excepthook"},
             "_pytest.python.FunctionDefinition": {"_pytest_diamond_inheritance_warning_shown"}}
# What each case changes in any case, and is looked at alone from the beginning.
_CHANGING = {"threading", "_pytest.python.Function", "_pytest.python.FunctionDefinition"}
# What pytest asks for whatever it looks at, where it is loaded. One that is installed is a library.
_ASKED_FOR = {"numpy", "twisted"}
_REBINDS = {opmap[name] for name in ("STORE_GLOBAL", "DELETE_GLOBAL", "STORE_ATTR", "DELETE_ATTR") if name in opmap}


class Snapshot:
    """All modules as they are now."""

    def __init__(self):
        # sys is anybody's to change, but not which modules there are, nor what they are (a property of a class of theirs would hide a name).
        self._loaded, self._of_sys, self._modules = sys.modules, vars(sys), dict(sys.modules)
        self._kinds = {name: type(module) for name, module in self._modules.items()}
        self._owners, self._changing, seen = {}, set(_CHANGING), set()
        for name, module in sorted(sys.modules.items()):
            if name != "__main__" and type(module) is types.ModuleType:
                self._add(module, name, name, seen)
        self._together = self._all_together()

    def keep(self, module, name):
        """One more, as a library has just loaded it. One that is known stays as it was known, also when it is executed anew."""
        if self._modules.get(name) is module:
            return
        if name in self._modules:
            known = [path for path in self._owners if path == name or path.startswith(name + ".")]
            self._owners.update({f"{path} (before)": self._owners.pop(path) for path in known})
        self._modules[name], self._kinds[name], self._together = module, type(module), None
        if type(module) is types.ModuleType:
            self._add(module, name, name, set())

    def _add(self, owner, path, module, seen):
        seen.add(id(owner))
        names = vars(owner)
        if not isinstance(owner, type) or not owner.__flags__ & _IMMUTABLE:
            self._owners[path] = _Names(owner, names, [name for name in names if name not in NOTES], names.keys() & NOTES, module)
        for name, value in names.items():
            kind = type(value)
            if kind in _PLAIN or id(value) in seen:
                continue
            if issubclass(kind, type):
                if value.__module__ == module:
                    self._add(value, f"{path}.{name}", module, seen)
            elif (kind.__dictoffset__ and type(owner) is types.ModuleType and name not in NOTES and type(kind.__module__) is str
                  and kind.__module__ in sys.modules and not issubclass(kind, (enum.Enum, int))):
                self._add_object(value, f"{path}.{name}", seen)

    def _add_object(self, thing, path, seen):
        """An object that a module has, as json its decoder."""
        try:
            names = object.__getattribute__(thing, "__dict__")
        except (AttributeError, TypeError):
            return
        if type(names) is dict:
            seen.add(id(thing))
            functions = [name for name, value in names.items() if _is_function(value)]
            self._owners[path] = _Names(thing, names, functions, names.keys() - set(functions), type(thing))

    def changed(self, tests, codes):
        """The first that is not what it was, or "". `tests`: names of modules that may be called as a library's; `codes`: the
        tests', who may change what they like."""
        if self._of_sys["modules"] is not self._loaded or type(self._loaded) is not dict:
            return "sys.modules"
        for name, module in list(self._loaded.items()):
            if name in self._modules:
                if module is not self._modules[name] or type(module) is not self._kinds[name]:
                    return name
            elif name in _ASKED_FOR:
                return name
            elif "." not in name and name not in tests and library_spec(name) is not None:
                return name
        for path, names in self._suspicious():
            difference = self._difference(path, names, codes)
            if difference:
                return difference
        return ""

    def _suspicious(self):
        """Those that are not quite the same. All are looked at at once, but for those that have been found to change."""
        self._together = self._together or self._all_together()
        if not self._together.are_same():
            self._changing |= {path for path, names in self._owners.items() if path not in self._changing and not names.are_same()}
            self._together = None
        return [(path, self._owners[path]) for path in self._changing if path in self._owners and not self._owners[path].are_same()]

    def _all_together(self):
        return _Together([names for path, names in self._owners.items() if path not in self._changing])

    def _difference(self, path, names, codes):
        owner, module, now, old = names.owner, names.module, names.now(), names.old()
        if names.is_object:
            return self._difference_of_object(path, names, now, old)
        for name, value in old.items():
            is_now = now.get(name, _NOTHING)
            if is_now is not value and not _is_lent(is_now, path, name) and not self._may_change(path, name, value, module, codes):
                return f"{path}.{name}"
        for name in now.keys() - old.keys() - names.others:
            # A module may get names (concurrent.futures does), but not one that hides a builtin function.
            hides = hasattr(builtins, name) if not isinstance(owner, type) else _is_function(now[name]) or any(
                name in vars(base) for base in type.mro(owner)[1:])
            if hides and not _is_lent(now[name], path, name) and not self._may_change(path, name, now[name], module, codes):
                return f"{path}.{name}"
        return ""

    @staticmethod
    def _difference_of_object(path, names, now, old):
        kind = names.module
        if not names.is_itself():
            return path
        for name in {**old, **now}:
            value, was = now.get(name, _NOTHING), old.get(name, _NOTHING)
            if value is was or name in names.others and not _is_function(value):
                continue
            hidden_before = next((vars(base)[name] for base in type.mro(kind) if name in vars(base)), None)
            if was is not _NOTHING and _is_function(was) or _is_function(value) or _is_function(hidden_before):
                return f"{path}.{name}"
        return ""

    def _may_change(self, path, name, value, module, codes):
        if path in _ANYBODYS and (_ANYBODYS[path] is None and not _is_function(value) or name in (_ANYBODYS[path] or ())):
            return True
        if name in rebound_by(codes):
            return True
        return not _is_function(value) and name in self._rebound_in(module)

    def _rebound_in(self, module):
        """By the code of the library that a module is part of, as it was."""
        package = module.partition(".")[0]
        functions = [value for names in self._owners.values() if type(names.module) is str and names.module.partition(".")[0] == package
                     for value in names.values]
        return rebound_by(tuple(code for code in map(_code_of, functions) if code is not None and is_library(code.co_filename)))


class _Names:
    """What the names of one module, class or object referred to. `others` of them are there, and that is all that counts. `module`: where a
    class is from; of an object its class."""
    __slots__ = ("owner", "module", "names", "others", "values", "get", "now", "count", "is_object")

    def __init__(self, owner, names, looked_at, others, module):
        self.owner, self.module, self.names, self.others = owner, module, looked_at, others
        self.values = [names[name] for name in looked_at]
        self.get = operator.itemgetter(*looked_at) if len(looked_at) > 1 else lambda now: [now[name] for name in looked_at]
        self.now = functools.partial(vars, owner) if isinstance(owner, type) else lambda: names
        self.count, self.is_object = len(names), type(module) is type

    def old(self):
        return dict(zip(self.names, self.values))

    def are_same(self, is_not=operator.is_not):
        now = self.now()
        try:
            if self.count != len(now) or any(map(is_not, self.get(now), self.values)) or not now.keys() >= self.others:
                return False
        except KeyError:
            return False
        return not self.is_object or self.is_itself()

    def is_itself(self):
        """An object whose class and names were not exchanged."""
        return type(self.owner) is self.module and object.__getattribute__(self.owner, "__dict__") is self.now()


class _Together:
    """Many _Names, looked at by loops of the interpreter's own (in Python they would take three times as long)."""

    def __init__(self, many):
        self._views, self._counts = [names.now() for names in many], [names.count for names in many]
        self._keys, self._others = [view.keys() for view in self._views], [names.others for names in many]
        self._getters, self._values = [names.get for names in many], [value for names in many for value in names.values]
        objects = [names for names in many if names.is_object]
        self._objects, self._kinds = [names.owner for names in objects], [names.module for names in objects]
        self._names = [names.now() for names in objects]

    def are_same(self, is_not=operator.is_not, ne=operator.ne, ge=operator.ge, chain=itertools.chain.from_iterable, names_of=object.__getattribute__,
                 dict_name=itertools.repeat("__dict__")):
        try:
            return not (any(map(ne, self._counts, map(len, self._views))) or not all(map(ge, self._keys, self._others))
                        or any(map(is_not, chain(map(_apply, self._getters, self._views)), self._values))
                        or any(map(is_not, self._kinds, map(type, self._objects)))
                        or any(map(is_not, self._names, map(names_of, self._objects, dict_name))))
        except (KeyError, AttributeError, TypeError):
            return False


# operator.call came with Python 3.11.
_apply = getattr(operator, "call", None) or (lambda function, argument: function(argument))


def _code_of(value):
    if isinstance(value, property):
        value = value.fget
    value = getattr(value, "__func__", value) if type(value) in (staticmethod, classmethod) else value
    value = getattr(value, "__wrapped__", value) if type(value) is types.FunctionType else value
    return value.__code__ if type(value) is types.FunctionType else None


def _is_lent(value, path, name):
    """By pytest, to a class of its own, for as long as it is configured."""
    code, kind = _code_of(value), path.rpartition(".")[2]
    return (code is not None and code.co_filename.endswith("/_pytest/legacypath.py") and is_library(code.co_filename)
            and code.co_name.replace("stardir", "startdir") == f"{kind}_{name}")  # pytest's own spelling


@functools.lru_cache(maxsize=None)
def rebound_by(codes):
    names = set()
    waiting = list(codes)
    while waiting:
        code = waiting.pop()
        waiting.extend(part for part in code.co_consts if type(part) is types.CodeType)
        if "setattr" in code.co_names:
            names.update(part for part in code.co_consts if type(part) is str)
        more = 0
        for opcode, argument in zip(code.co_code[::2], code.co_code[1::2]):
            more = (more | argument) << 8 if opcode == EXTENDED_ARG else more
            if opcode in _REBINDS and (more | argument) < len(code.co_names):
                names.add(code.co_names[more | argument])
            if opcode != EXTENDED_ARG:
                more = 0
    return frozenset(names)


def _is_function(value):
    """By its exact type: some look at who asks for their class, or come into being then."""
    return issubclass(type(value), _FUNCTIONS)


_NOTHING = object()
_IMMUTABLE = 1 << 8  # of a type's flags
NOTES = frozenset(f"__{name}__" for name in (
    "all", "annotations", "builtins", "cached", "dict", "doc", "file", "loader", "module", "name", "package", "path", "qualname", "slots", "spec",
    "weakref"))
_PLAIN = frozenset((int, str, float, bool, bytes, tuple, dict, list, set, frozenset, type(None), types.ModuleType, types.FunctionType,
                    types.BuiltinFunctionType))
_FUNCTIONS = (type, property, staticmethod, classmethod, types.FunctionType, types.BuiltinFunctionType, types.MethodType,
              types.WrapperDescriptorType, types.MethodDescriptorType, types.GetSetDescriptorType, types.ClassMethodDescriptorType,
              functools.partial, type(rebound_by))
