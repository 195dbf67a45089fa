"""A child in which code of the solution is executed, and what becomes of the cases that run in it.

Theory of operation. A child is a copy of the parent, which has never executed a line of the solution. It wipes what it must
not know, works, and hands over one verdict after the other through a pipe, each behind a token that vault.py keeps out of
reach; then it waits until the parent has what the case has printed, and lets it go on. The parent waits for output, verdict,
end and deadline in one poll. Whatever else becomes of the child (it exits, crashes, hangs, floods, or writes a verdict without
the token), there is no verdict, the case is an error, and every process that is left is ended.
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
_FIRST_HIDDEN = 20  # descriptor

# In the sandbox the tests have no /proc and an init that is ours. Nowhere else may everything be killed.
IN_SANDBOX = os.getppid() == 1 and not os.path.exists("/proc/self")
_GO_ON = b"\n"
_LENGTH = 8  # digits of a verdict's


class Ending:
    """How a case ended: `verdict`, or `why` there is none."""

    def __init__(self):
        self.out, self.err, self.verdict, self.why, self.timeout, self.seconds = b"", b"", None, "", False, 0.0


class Child:
    """`work`, a generator, gives the verdicts: values that repr and literal_eval keep."""

    def __init__(self, work, channel, most_written, most_kept):
        """Who writes more than `most_written` bytes on one stream is ended; of less the first `most_kept` are there."""
        self._most, self._most_kept = [most_written, most_written, MOST_VERDICT], [most_kept, most_kept, MOST_VERDICT]
        self._texts, self._written, self._flooded, self._paused = [], [], False, False
        pipes = [os.pipe() for _ in range(3)]
        go_on, self._go_on = os.pipe()
        token = bytearray(os.urandom(16))
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self._go_on)
            _be_child(work, channel, pipes, go_on, token)
        for end in (go_on, *(end for _, end in pipes)):
            os.close(end)
        self._token, self._fds = bytes(token), [end for end, _ in pipes]
        self._ended = os.pidfd_open(self._pid)
        self._poll = select.poll()
        for fd in (*self._fds, self._ended):
            os.set_blocking(fd, False)
            self._poll.register(fd, select.POLLIN)

    def next(self, seconds):
        """The next verdict, behind which the child waits. Where there is none the child has ended."""
        ending = Ending()
        self._texts, self._written = [bytearray(), bytearray(), bytearray()], [0, 0, 0]
        begin = time.monotonic()
        if self._paused:
            self._let_go_on()
        ended = self._watch(ending, begin + seconds)
        status = self.end() if ended else 0
        ending.seconds = time.monotonic() - begin
        ending.out, ending.err, verdict = (bytes(text) for text in self._texts)
        if ending.timeout:
            ending.why = f"cut off after {seconds:g} s"
        else:
            self._judge(ending, verdict, status)
        if ending.verdict is None:
            self.end()
        return ending

    @property
    def lives(self):
        return self._pid is not None

    def end(self):
        """Its status."""
        if self._pid is None:
            return 0
        _end_everything(self._pid)
        status = os.waitpid(self._pid, 0)[1]
        self._pid = None
        self._drain(self._fds)
        for fd in (*self._fds, self._ended, self._go_on):
            os.close(fd)
        return status

    def _let_go_on(self):
        try:
            os.write(self._go_on, _GO_ON)
        except BrokenPipeError:  # how it ended is about to be seen
            pass

    def _watch(self, ending, deadline):
        """False: a verdict is there, and all that was printed before it."""
        while not self._flooded:
            left = deadline - time.monotonic()
            events = self._poll.poll(left * 1000 + 1) if left > 0 else []
            if not events:
                ending.timeout = True
                return True
            for fd, _ in events:
                if fd in self._fds and self._take(fd) == 0:
                    self._poll.unregister(fd)
            if self._is_whole(self._texts[2]):
                self._paused = True
                return not self._drain(self._fds[:2])
            elif self._is_strange(self._texts[2]) or (self._ended, select.POLLIN) in events:
                return True
        return True

    def _is_whole(self, verdict):
        head = len(self._token) + _LENGTH
        if len(verdict) < head or not verdict.startswith(self._token):
            return False
        return len(verdict) >= head + int(verdict[len(self._token):head], 16)

    def _is_strange(self, verdict):
        return not self._token.startswith(bytes(verdict[:len(self._token)]))

    def _drain(self, fds):
        """False: there was too much."""
        for fd in fds:
            while not self._flooded and self._take(fd):
                pass
        return not self._flooded

    def _take(self, fd):
        """How many bytes; 0 when there will be none any more, None when there are none now."""
        try:
            chunk = os.read(fd, 65536)
        except BlockingIOError:
            return None
        which = self._fds.index(fd)
        text = self._texts[which]
        text += chunk[:self._most_kept[which] - len(text)]
        self._written[which] += len(chunk)
        self._flooded = self._flooded or self._written[which] > self._most[which]
        return len(chunk)

    def _judge(self, ending, verdict, status):
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


def _be_child(work, channel, pipes, go_on, token, leave=os._exit, audit=sys.audit, encode=encoded, wait=os.read):
    status = 70
    try:
        os.setsid()
        channel.forget()
        for end, _ in pipes:
            os.close(end)
        os.dup2(pipes[0][1], 1)
        os.dup2(pipes[1][1], 2)
        verdict_fd, go_on_fd = (_hidden_fd(fd) for fd in (pipes[2][1], go_on))
        for _, end in pipes:
            os.close(end)
        os.close(go_on)
        # Flags and locks of what others have, too, would be there for the next child.
        if "calls-fd" not in channel.keys:
            os.closerange(3, _FIRST_HIDDEN)
        os.close(0)
        os.open(os.devnull, os.O_RDONLY)
        seal(bytes(token), verdict_fd, sys._getframe())
        token[:] = bytes(len(token))
        for verdict in work():
            _flush()
            audit("tally.verdict", encode(verdict))
            if wait(go_on_fd, 1) != _GO_ON:
                break
        status = 0
    except BaseException:
        traceback.print_exc()
        _flush()
    finally:
        leave(status)


def _hidden_fd(fd):
    return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, random.SystemRandom().randrange(_FIRST_HIDDEN, 200))


def _flush(streams=(sys.stdout, sys.stderr)):
    for stream in streams:
        stream.flush()


def _decoded(verdict):
    """None where something was written behind it."""
    try:
        if int(verdict[:_LENGTH], 16) != len(verdict) - _LENGTH:
            return None
        return ast.literal_eval(verdict[_LENGTH:].decode("utf-8", "surrogatepass"))
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
