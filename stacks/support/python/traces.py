"""What a case has left behind in its process. Where there is something, the next one has a new process.

By hand all cases of a file have one, and find what others have left in the modules of the solution. So they do here; but what
would go on by itself (a thread, a timer, a child), be asked later (a handler, a finder), or stands in the tests' own modules ends
with the case that has brought it.
"""
import gc
import operator
import os
import signal
import sys
import threading
from _signal import getitimer, getsignal
from _thread import _count

from snapshot import NOTES, rebound_by

_BASES = vars(type)["__bases__"].__get__
_TIMERS = (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)
_SIGNALS = [int(number) for number in signal.valid_signals() if number not in (signal.SIGKILL, signal.SIGSTOP)]
_FRAMEWORKS = NOTES | {"__warningregistry__", "_classSetupFailed", "tearDown_exceptions", "_class_cleanups"}


class Traces:
    """`tests`: their modules. Made when these are loaded, and no case has run. What their `codes` bind themselves they may."""

    def __init__(self, tests, codes):
        free = rebound_by(codes) | _FRAMEWORKS
        owners = list(_owners(tests))
        self._names = [(names, [name for name in names if name not in free], free) for names in map(vars, owners)]
        self._classes = [owner for owner in owners if isinstance(owner, type)]
        self._plain, self._things = self._now()

    def left(self):
        plain, things = self._now()
        return plain != self._plain or len(things) != len(self._things) or any(map(operator.is_not, things, self._things))

    def _now(self, count=_count, threads=threading._active):
        """What is compared by value, all of exact types, and what by identity: it may call itself equal to anything."""
        lists = (gc.callbacks, sys.meta_path, sys.path_hooks, sys.path)
        plain = ([len(some) for some in lists], count(), len(threads), [getitimer(timer)[0] > 0 for timer in _TIMERS], _folder(), _files(),
                 _has_children(), [len(names.keys() - free) for names, _, free in self._names])
        things = [part for some in lists for part in some] + [getsignal(number) for number in _SIGNALS]
        for names, known, _ in self._names:
            things += map(names.get, known)
        things += map(_BASES, self._classes)
        return plain, things


def _owners(tests):
    for module in tests:
        yield module
        yield from _classes_in(module, module.__name__, set())


def _classes_in(owner, module, seen):
    for value in list(vars(owner).values()):
        if isinstance(value, type) and value.__module__ == module and value not in seen:
            seen.add(value)
            yield value
            yield from _classes_in(value, module, seen)


def _folder(folder=os.getcwd):
    try:
        return folder()
    except OSError:
        return None


def _files(fstat=os.fstat):
    """What stdin, stdout and stderr are."""
    files = []
    for fd in range(3):
        try:
            status = fstat(fd)
            files.append((status.st_dev, status.st_ino))
        except OSError:
            files.append(None)
    return files


def _has_children(wait=os.waitid):
    try:
        wait(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        return True
    except ChildProcessError:
        return False
