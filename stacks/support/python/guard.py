"""What a solution may not do in the process that tests it.

Tests and solution share one interpreter, and there is no wall in it. What stands here makes each cheap way fail:

  * An audit hook (it cannot be removed) refuses the solution what is of use only to look at its caller or to change it:
    frames, the code of functions that are not its own, gc's lists, trace functions, ctypes, signals to other processes.
  * All functions of the test framework, of unittest and of builtins are the same ones after the case as before it, or
    the case is an error (Snapshot).
  * A verdict needs a token that lies in the closure of an audit hook. It is added only when nothing of the solution is
    on the stack any more.

What remains: a solution written against this very file. A frame can be had in roundabout ways (logging.currentframe),
its f_locals are not audited, and so the values in a test's local variables can be read; who replaces a function of the
framework and puts the original back before the case has ended is not seen. It still cannot make a case disappear, pass
one in whose process it did not take part, or write into the report.
"""
import operator
import os
import re
import sys
import sysconfig
import types
from _thread import get_ident

_PATHS = sysconfig.get_paths()
LIBRARY = tuple({os.path.realpath(_PATHS[name]) + "/" for name in ("stdlib", "platstdlib", "purelib", "platlib")}
                | {"/usr/lib/python3", "/usr/local/lib/python3", os.path.dirname(os.path.abspath(__file__)) + "/", "<frozen ",
                       "<attrs generated "})

_NEVER = {"gc.get_objects", "gc.get_referrers", "gc.get_referents", "sys._current_frames", "sys._current_exceptions",
          "sys.settrace", "sys.setprofile", "sys.addaudithook", "os.ptrace"}
_NATIVE = {"ctypes", "_ctypes", "cffi", "_cffi_backend", "_testcapi", "_testinternalcapi", "_xxsubinterpreters"}
_FRAMES = {"tb_frame", "gi_frame", "cr_frame", "ag_frame"}
_CODES = {"f_code", "gi_code", "cr_code", "ag_code", "__code__"}
_PASSES_ON = re.compile("^<frozen |/importlib/|/ctypes/")
# A library's function that hands frames to its caller.
_FRAME_GIVERS = ("/inspect.py", "/traceback.py")


def _is_library(name):
    return name.startswith(LIBRARY)


class Rules:
    """The answers to audit events. `tests`: the paths of the test files, whose code may do anything."""

    def __init__(self, tests):
        self._tests = frozenset(tests)
        self._parent = os.getpid()

    def trusts(self, code):
        name = code.co_filename
        return name in self._tests or _is_library(name)

    def solution_asks(self, frame):
        """Whether the first frame that is not a library's is neither a test's."""
        while frame is not None:
            name = frame.f_code.co_filename
            if not _is_library(name):
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
        if self.trusts(frame.f_code):
            return False
        thing, name = args[:2]
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
        return type(name) is not str or name in self._tests or _is_library(name)

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


def seal(token, fd, audit=sys.audit, write=os.write, get_frame=sys._getframe):
    """Keeps the token. Gives the function that writes a verdict behind it: once, and from the runner's own code."""
    def hand_over(verdict):
        audit("tally.verdict", repr(verdict).encode("utf-8", "surrogatepass"))

    def vault(event, args):
        if event != "tally.verdict":
            return
        frame = get_frame(1)
        if frame.f_code is not hand_over.__code__:
            return
        while frame is not None:
            if not _is_library(frame.f_code.co_filename):
                return
            frame = frame.f_back
        data = token + args[0]
        while data:
            data = data[write(fd, data):]

    sys.addaudithook(vault)
    return hand_over


class Snapshot:
    """The functions of modules as they are now: in the modules and in their classes."""

    def __init__(self, prefixes):
        self._owners, seen = [], set()
        for name, module in sorted(sys.modules.items()):
            if name.partition(".")[0] in prefixes and isinstance(module, types.ModuleType):
                self._add(module, name, name, seen)

    def _add(self, owner, path, module, seen):
        seen.add(id(owner))
        functions = _functions(owner)
        self._owners.append((owner, path, functions))
        for name, (value, *_) in functions.items():
            if isinstance(value, type) and value.__module__ == module and id(value) not in seen:
                self._add(value, f"{path}.{name}", module, seen)

    def changed(self):
        """The first that is not what it was, or ""."""
        for owner, path, functions in self._owners:
            now = _functions(owner)
            for name in functions.keys() | now.keys():
                # By identity: what is there now may call itself equal to anything.
                then = functions.get(name, ())
                if len(then) != len(now.get(name, ())) or any(map(operator.is_not, then, now[name])):
                    return f"{path}.{name}"
        return ""


_KEPT = (type, property, types.FunctionType, types.BuiltinFunctionType, types.WrapperDescriptorType,
         types.MethodDescriptorType, types.GetSetDescriptorType)


def _functions(owner):
    """{name: (function, what it consists of...)}"""
    found = {}
    for name, value in list(vars(owner).items()):
        if isinstance(value, (staticmethod, classmethod)):
            value = value.__func__
        if isinstance(value, _KEPT):
            found[name] = value, *_parts(value)
    return found


def _parts(value):
    if type(value) is not types.FunctionType:
        return ()
    return value.__code__, value.__defaults__, value.__kwdefaults__
