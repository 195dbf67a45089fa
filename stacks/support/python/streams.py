"""stdin, stdout and stderr of the solution's process, where the tests have one of their own."""
import errno
import io
import os


class Output(io.FileIO):
    """The process' own stdout or stderr, a file that the tests are told of. It ends where they would have enough of it."""

    def __init__(self, fd, most):
        super().__init__(fd, "wb", closefd=False)
        self._most = most

    def write(self, data):
        if os.fstat(self.fileno()).st_size > self._most:
            raise OSError(errno.EFBIG, "output limit exceeded")
        return super().write(data)

    @classmethod
    def stream(cls, fd, most, **more):
        return io.TextIOWrapper(io.BufferedWriter(cls(fd, most)), "utf-8", **more)


class Input(io.TextIOBase):
    """The solution's stdin, which is the tests'."""
    encoding = "utf-8"

    def __init__(self, side):
        self._side = side

    def readline(self, size=-1):
        return self._side.ask("input", None, "readline")

    def read(self, size=-1):
        return self._side.ask("input", None, "read")
