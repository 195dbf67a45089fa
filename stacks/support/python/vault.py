"""What the solution's code may cause to be called, but must not get hold of.

In Python whoever has a function has all that it refers to. Only the functions in the interpreter's list of audit hooks
are out of reach (gc, which knows them, is refused: guard.py). So what must stay hidden lies in the closure of an audit
hook, and is called by an event.
"""
import os
import sys
from _thread import get_ident

_RUNNER = os.path.dirname(os.path.abspath(__file__)) + "/"


def hidden(function, audit=sys.audit):
    """Calls `function`, and leads nowhere."""
    event = f"tally.{function.__name__}"

    def hook(asked, args):
        if asked == event:
            args[0].append(function(*args[1]))

    hook.__cantrace__ = True  # or coverage would see nothing of what is imported in here
    sys.addaudithook(hook)

    def call(*args):
        answer = []
        audit(event, answer, args)
        return answer[0]

    return call


def seal(token, fd, is_library, audit=sys.audit, write=os.write, get_frame=sys._getframe, ident=get_ident):
    """Keeps the token. Gives the function that writes a verdict behind it, when nothing but the runner is on the stack."""
    def hand_over(verdict):
        audit("tally.verdict", repr(_plain(verdict)).encode("utf-8", "surrogatepass"))

    code, thread = hand_over.__code__, ident()

    def vault(event, args):
        if event != "tally.verdict" or ident() != thread:
            return
        frame = get_frame(1)
        if frame.f_code is not code:
            return
        while frame is not None:
            if not is_library(frame.f_code.co_filename):
                return
            frame = frame.f_back
        data = token + args[0]
        while data:
            data = data[write(fd, data):]

    sys.addaudithook(vault)
    return hand_over


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
