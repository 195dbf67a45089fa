"""What belongs to a library, of Python or of a package that is installed here, and where it is found.

A name that a library has is the library's, whoever asks for it. A solution with a filecmp.py would else be asked by the
tests whether two files are the same: whether a test or the solution's own file was first to ask, the module is found in
sys.modules then.
"""
import os
import sys
import sysconfig
from importlib.machinery import BuiltinImporter, FrozenImporter, PathFinder

_HERE = os.path.dirname(os.path.abspath(__file__))
_PATHS = sysconfig.get_paths()
LIBRARY = (*{os.path.realpath(_PATHS[name]) + "/" for name in ("stdlib", "platstdlib", "purelib", "platlib")},
           "/usr/lib/python3", "/usr/local/lib/python3", _HERE + "/", "<frozen ", "<attrs generated ")
FOLDERS = [folder for folder in sys.path if folder != _HERE]


def is_library(name):
    return name.startswith(LIBRARY)


def library_spec(name):
    """None where no library has a module of this name."""
    parent = name.rpartition(".")[0]
    if not parent:
        built_in = BuiltinImporter.find_spec(name) or FrozenImporter.find_spec(name)
        return built_in or _with_text(PathFinder.find_spec(name, FOLDERS))
    folders = list(getattr(sys.modules.get(parent), "__path__", ()))
    return _with_text(PathFinder.find_spec(name, folders)) if folders and all(map(is_library, folders)) else None


def _with_text(spec):
    """A folder alone is found everywhere."""
    return spec if spec is not None and spec.origin is not None else None
