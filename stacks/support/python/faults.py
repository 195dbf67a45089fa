"""Why a case did not pass, as plain values that go through a verdict."""
import os


class Faults:
    def __init__(self, root, trusts):
        self._root, self._trusts = root + "/", trusts
        self.take_frames = False  # which an exception carries: one from the solution's process (tests_side.py) does, elsewhere a solution may put some there

    def of(self, error, message):
        """`error` as (message, [(path, line, function)]) of the frames in tests and solution."""
        frames = []
        for code, line in _frames(error):
            if code.co_filename.startswith(self._root):
                frames.append((os.path.relpath(code.co_filename, self._root), line, code.co_name))
        if self.take_frames:
            frames += getattr(error, "_tally_frames", ())
        if len(frames) > 20:  # a recursion
            frames[10:-10] = [("...", 0, f"{len(frames) - 20} more")]
        return str(message), frames

    def is_of_solution(self, error):
        """Whether code that is neither a test's nor a library's was on the way to it."""
        return any(not self._trusts(code) for code, _ in _frames(error))


def raised_by(error, file):
    """Whether it was raised by code of this file, and not by what that called."""
    codes = [code for code, _ in _frames(error)]
    return bool(codes) and codes[-1].co_filename == file


def _frames(error):
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame.f_code, trace.tb_lineno
        trace = trace.tb_next
