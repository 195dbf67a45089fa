"""What the solution's code may cause to be called, but must not get hold of.

In Python whoever has a function has all that it refers to. Only the functions in the interpreter's list of audit hooks
are out of reach (gc, which knows them, is refused: guard.py). So what must stay hidden lies in the closure of an audit
hook, and is called by an event.
"""
import os
import sys
import types

_RUNNER = os.path.dirname(os.path.abspath(__file__)) + "/"


def hidden(function, caller=None, audit=sys.audit, get_frame=sys._getframe):
    """Calls `function`, and leads nowhere. Who knows its name can have it called, too, but where the code of its `caller` is named."""
    event, way = f"tally.{function.__name__}", _call.__code__

    def hook(asked, args):
        if asked == event and (caller is None or get_frame(1).f_code is way and get_frame(2).f_code is caller):
            args[0].append(function(*args[1]))

    hook.__cantrace__ = True  # or coverage would see nothing of what is imported in here
    sys.addaudithook(hook)

    return types.MethodType(_call, (audit, event))  # neither of which can be exchanged, as a closure's cells can


def _call(to, *args):
    answer = []
    to[0](to[1], answer, args)
    return answer[0]


def seal(token, fd, frame, write=os.write, get_frame=sys._getframe, get_pid=os.getpid):
    """Keeps the token, and writes it in front of each verdict (with its length): those that the code of this very frame hands over, by
    the event tally.verdict. No other code can say something in its name, and a copy of the process (os.fork) has no verdict."""
    process = get_pid()

    def vault(event, args):
        if event != "tally.verdict" or get_frame(1) is not frame or get_pid() != process:
            return
        data = b"%b%08x%b" % (token, len(args[0]), args[0])
        while data:
            data = data[write(fd, data):]

    sys.addaudithook(vault)


def encoded(verdict):
    return repr(_plain(verdict)).encode("utf-8", "surrogatepass")


def _plain(value):
    """A value of exact types: one of the solution's could say anything when it is asked for its repr."""
    kind = type(value)
    if kind in (str, int, float, bool) or value is None:
        return value
    if kind is dict:
        return {_plain(key): _plain(item) for key, item in value.items()}
    if kind in (list, tuple):
        return [_plain(item) for item in value]
    raise TypeError("a verdict with something strange in it")
