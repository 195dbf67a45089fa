"""One child for one piece of work in which code of the solution is executed.

Theory of operation. A child is a copy of the parent, which has never executed a line of the solution; so no case finds
what an earlier one has changed. It wipes what it must not know, works, and hands over one verdict through a pipe,
behind a token that vault.py keeps out of reach. The parent waits for output, verdict, end and deadline in one poll,
and then ends every process that is left. Whatever else becomes of the child (it exits, crashes, hangs, floods, or
writes a verdict without the token), there is no verdict, and the case is an error.
"""
import ast
import fcntl
import os
import random
import select
import signal
import sys
import time
import traceback

from vault import encoded, seal

MOST_VERDICT = 8 << 20

# In the sandbox the tests have no /proc and an init that is ours. Nowhere else may everything be killed.
IN_SANDBOX = os.getppid() == 1 and not os.path.exists("/proc/self")


class Ending:
    """How a child ended: `verdict`, or `why` there is none."""

    def __init__(self):
        self.out, self.err, self.verdict, self.why, self.timeout, self.seconds = b"", b"", None, "", False, 0.0


def run(work, channel, seconds, most_output):
    """`work`, in a child, gives the verdict: a value that repr and literal_eval keep."""
    pipes = [os.pipe() for _ in range(3)]
    token = bytearray(os.urandom(16))
    begin = time.monotonic()
    pid = os.fork()
    if pid == 0:
        _be_child(work, channel, pipes, token)
    for _, end in pipes:
        os.close(end)
    ending = _Watch(pid, [end for end, _ in pipes], bytes(token), most_output).until(begin + seconds)
    ending.seconds = time.monotonic() - begin
    if ending.timeout:
        ending.why = f"cut off after {seconds:g} s"
    return ending


def _be_child(work, channel, pipes, token, leave=os._exit, audit=sys.audit, encode=encoded):
    status = 70
    try:
        os.setsid()
        channel.forget()
        for end, _ in pipes:
            os.close(end)
        os.dup2(pipes[0][1], 1)
        os.dup2(pipes[1][1], 2)
        verdict_fd = fcntl.fcntl(pipes[2][1], fcntl.F_DUPFD_CLOEXEC, random.SystemRandom().randrange(20, 200))
        for _, end in pipes:
            os.close(end)
        seal(bytes(token), verdict_fd, sys._getframe())
        token[:] = bytes(len(token))
        verdict = work()
        _flush()
        audit("tally.verdict", encode(verdict))
        status = 0
    except BaseException:
        traceback.print_exc()
        _flush()
    finally:
        leave(status)


def _flush(streams=(sys.stdout, sys.stderr)):
    for stream in streams:
        stream.flush()


class _Watch:
    def __init__(self, pid, fds, token, most_output):
        self._pid, self._fds, self._token = pid, fds, token
        self._most = [most_output, most_output, MOST_VERDICT]
        self._texts = [bytearray(), bytearray(), bytearray()]
        self._flooded = False

    def until(self, deadline):
        ending = Ending()
        ended = os.pidfd_open(self._pid)
        poll = select.poll()
        for fd in (*self._fds, ended):
            os.set_blocking(fd, False)
            poll.register(fd, select.POLLIN)
        while not self._flooded and not ending.timeout:
            left = deadline - time.monotonic()
            events = poll.poll(left * 1000 + 1) if left > 0 else []
            if not events:
                ending.timeout = True
            for fd, _ in events:
                if fd in self._fds and not self._take(fd):
                    poll.unregister(fd)
            if (ended, select.POLLIN) in events:
                break
        _end_everything(self._pid)
        status = os.waitpid(self._pid, 0)[1]
        for fd in self._fds:
            while not self._flooded and self._take(fd):
                pass
        for fd in (*self._fds, ended):
            os.close(fd)
        self._judge(ending, status)
        return ending

    def _take(self, fd):
        """False when there is no more, now or ever."""
        try:
            chunk = os.read(fd, 65536)
        except BlockingIOError:
            return False
        which = self._fds.index(fd)
        text, most = self._texts[which], self._most[which]
        text += chunk[:most - len(text) + 1]
        if len(text) > most:
            del text[most:]
            self._flooded = True
        return bool(chunk)

    def _judge(self, ending, status):
        ending.out, ending.err, verdict = (bytes(text) for text in self._texts)
        if ending.timeout:
            return
        if self._flooded:
            ending.why = "output limit exceeded"
        elif verdict and not verdict.startswith(self._token):
            ending.why = "something that is not the test framework wrote a verdict"
        elif os.WIFSIGNALED(status):
            ending.why = f"the process was ended before the test was over: {_signal_name(os.WTERMSIG(status))}"
        elif not verdict:
            ending.why = f"the process ended before the test was over (exit status {os.WEXITSTATUS(status)})"
        else:
            ending.verdict = _decoded(verdict[len(self._token):])
            if ending.verdict is None:
                ending.why = "something that is not the test framework wrote a verdict"


def _decoded(verdict):
    """None where something was written behind it."""
    try:
        return ast.literal_eval(verdict.decode("utf-8", "surrogatepass"))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def _signal_name(number):
    if number == signal.SIGKILL:
        return "SIGKILL (too much memory?)"
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _end_everything(pid):
    for kill, whom in ((os.kill, -1), (os.kill, pid)) if IN_SANDBOX else ((os.killpg, pid), (os.kill, pid)):
        try:
            kill(whom, signal.SIGKILL)
        except ProcessLookupError:
            pass
