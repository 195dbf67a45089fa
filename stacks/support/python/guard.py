"""What a solution may not do in the process that tests it.

Tests and solution share one interpreter, and there is no wall in it. What stands here makes each cheap way fail:

  * An audit hook (it cannot be removed) refuses the solution what is of use only to look at its caller or to change it:
    frames, the code of functions that are not its own, gc's lists, trace functions, ctypes, signals to other processes.
  * All modules and functions of the test framework and of libraries are the same ones after the case as before it, or as
    they were loaded, or the case is an error (Snapshot). A module of the solution never takes a library's name
    (libraries.py).
  * A verdict needs a token that is out of reach, and is added only when nothing of the solution is on the stack any
    more (vault.py). The tests' code is there, too.

What remains: a solution written against this very file. A frame can be had in roundabout ways (logging.currentframe),
its f_locals are not audited, and so the values in a test's local variables can be read; a function that a test hands to
the solution leads to the test's globals; who replaces a function of the framework and puts the original back before the
case has ended is not seen; and an object may call itself equal to anything, which is for the test to notice. A solution
still cannot make a case disappear, pass one in whose process it did not take part, or write into the report.
"""
import builtins
import operator
import os
import re
import sys
import types
from _thread import get_ident

from libraries import LIBRARY, is_library, library_spec

_NEVER = {"gc.get_objects", "gc.get_referrers", "gc.get_referents", "sys._current_frames", "sys._current_exceptions",
          "sys.settrace", "sys.setprofile", "sys.addaudithook"}
_NATIVE = {"ctypes", "_ctypes", "cffi", "_cffi_backend", "_testcapi", "_testinternalcapi", "_xxsubinterpreters"}
_FRAMES = {"tb_frame", "gi_frame", "cr_frame", "ag_frame"}
_CODES = {"f_code", "gi_code", "cr_code", "ag_code", "__code__"}
_PASSES_ON = re.compile("^<frozen |/importlib/|/ctypes/")
# A library's function that hands frames to its caller.
_FRAME_GIVERS = ("/inspect.py", "/traceback.py")
_SUSPENDED = {"gi_frame", "cr_frame", "ag_frame"}


class Rules:
    """The answers to audit events. `tests`: the paths of the test files, whose code may do anything."""

    def __init__(self, tests):
        self._tests = frozenset(tests)
        self._parent = os.getpid()

    def trusts(self, code):
        name = code.co_filename
        return name in self._tests or is_library(name)

    def solution_asks(self, frame):
        """Whether the first frame that is not a library's is neither a test's."""
        while frame is not None:
            name = frame.f_code.co_filename
            if not is_library(name):
                return name not in self._tests
            frame = frame.f_back
        return False

    def refuses(self, event, args, frame):
        judge = _JUDGES.get(event)
        if judge is None:
            if event.startswith("ctypes."):
                return self._wants_native(frame)
            return event in _NEVER and self.solution_asks(frame)
        return judge(self, args, frame)

    def _get_frame(self, args, frame):
        name = frame.f_code.co_filename
        return (not self.trusts(frame.f_code) or name.endswith(_FRAME_GIVERS)) and self.solution_asks(frame)

    # What the solution hands in is looked at by its exact type alone: anything else could run code of its own in here.

    def _get_attribute(self, args, frame):
        thing, name = args[:2]
        if self.trusts(frame.f_code):
            return name in _SUSPENDED and frame.f_code.co_filename.endswith(_FRAME_GIVERS) and self.solution_asks(frame)
        return name in _FRAMES or (name in _CODES and not self._is_own_function(thing))

    def _is_own_function(self, thing):
        return type(thing) is types.FunctionType and not self.trusts(thing.__code__)

    def _set_attribute(self, args, frame):
        thing = args[0]
        return type(thing) is types.FunctionType and not self.trusts(frame.f_code) and self.trusts(thing.__code__)

    def _import(self, args, frame):
        name, path = args[:2]
        if path is not None and not (type(path) is str and path.startswith(LIBRARY)):
            return self.solution_asks(frame)
        return (type(name) is not str or name.partition(".")[0] in _NATIVE) and self._wants_native(frame)

    def _wants_native(self, frame):
        """A library may use ctypes for itself."""
        while frame is not None and _PASSES_ON.search(frame.f_code.co_filename):
            frame = frame.f_back
        return frame is not None and not self.trusts(frame.f_code)

    def _names_code(self, name, frame):
        """Code that calls itself a library's or a test's."""
        if self.trusts(frame.f_code) or name is None:
            return False
        return type(name) is not str or name in self._tests or is_library(name)

    def _kill(self, args, frame):
        return (args[0] <= 1 or args[0] == self._parent) and self.solution_asks(frame)


_JUDGES = {
    "sys._getframe": Rules._get_frame,
    "object.__getattr__": Rules._get_attribute,
    "object.__setattr__": Rules._set_attribute,
    "object.__delattr__": Rules._set_attribute,
    "import": Rules._import,
    "compile": lambda rules, args, frame: rules._names_code(args[1], frame),
    "code.__new__": lambda rules, args, frame: rules._names_code(args[1], frame),
    "os.kill": Rules._kill,
    "os.killpg": Rules._kill,
}


def watch(rules, get_frame=sys._getframe, ident=get_ident):
    """In a child, before the solution is imported."""
    asking = set()  # threads that are in here; what they do is not asked about

    def hook(event, args):
        me = ident()
        if me in asking:
            return
        asking.add(me)
        try:
            refused = rules.refuses(event, args, get_frame(1))
        finally:
            asking.discard(me)
        if refused:
            raise PermissionError(f"not allowed to a solution: {event}")

    sys.addaudithook(hook)


class Snapshot:
    """All modules as they are now, and the functions in them and in their classes. (A function's code cannot be changed.)
    `leaving`: names that will be given up."""

    def __init__(self, leaving):
        self._modules = {name: module for name, module in sys.modules.items() if name not in leaving}
        self._owners, seen = {}, set()
        for name, module in sorted(sys.modules.items()):
            if name != "__main__" and type(module) is types.ModuleType:
                self._add(module, name, name, seen)

    def keep(self, module, name):
        """One more, as a library has just loaded it."""
        self._modules[name] = module
        if type(module) is types.ModuleType:
            self._add(module, name, name, set())

    def _add(self, owner, path, module, seen):
        seen.add(id(owner))
        functions = {name: value for name, value in vars(owner).items() if _is_function(value)}
        self._owners[path] = owner, set(vars(owner)), tuple(functions), tuple(functions.values())
        for name, value in functions.items():
            if issubclass(type(value), type) and value.__module__ == module and id(value) not in seen:
                self._add(value, f"{path}.{name}", module, seen)

    def renew(self, module, path):
        self._add(module, path, path, {id(value) for value in vars(module).values()})

    def changed(self, tests):
        """The first that is not what it was, or "". `tests`: names of modules that may be called as a library's."""
        for name, module in list(sys.modules.items()):
            if name in self._modules:
                if module is not self._modules[name]:
                    return name
            elif "." not in name and name not in tests and library_spec(name) is not None:
                return name
        for path, (owner, names, functions, values) in self._owners.items():
            now = vars(owner)
            # By identity: what is there now may call itself equal to anything.
            if any(map(operator.is_not, map(now.get, functions), values)):
                return next(f"{path}.{name}" for name, value in zip(functions, values) if now.get(name) is not value)
            for name in now.keys() - names:
                # A module may get names (concurrent.futures does), but not one that hides a builtin function.
                if _is_function(now[name]) if isinstance(owner, type) else hasattr(builtins, name):
                    return f"{path}.{name}"
        return ""


def _is_function(value):
    """By its exact type: some look at who asks for their class, or come into being then."""
    return issubclass(type(value), _FUNCTIONS)


_FUNCTIONS = (type, property, staticmethod, classmethod, types.FunctionType, types.BuiltinFunctionType,
              types.WrapperDescriptorType, types.MethodDescriptorType, types.GetSetDescriptorType)
