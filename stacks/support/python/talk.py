"""One end of the talk between tests and solution when they are two processes. Values: wire.py.

One side asks, the other answers, and may ask back before it does. A message is its length, four bytes, and JSON:

  question  [op, target, name, [argument], {key: argument}, [content], [content of the answer before], notes]
  answer    ["value" or "error", value, [content, or null where it is unchanged], notes]

What has become of lists and their like since the answer before goes with a question: null where nothing has, false where nobody looked.
notes are for the sides alone.
"""
import json
import os

from wire import Misunderstood, Values

MOST = 32 << 20  # bytes of a message
OPERATIONS = ("call", "get", "set", "delete", "special", "import", "names", "held", "input", "executed")


class Side:
    """One end. `own`: the classes that both sides have (own_classes.py)."""

    def __init__(self, fd_in, fd_out, own):
        self._in, self._out, self.own = fd_in, fd_out, own

    def ask(self, op, target, name="", args=(), kwargs=None):
        """Its value, or raises its error. Meanwhile the other may ask in turn."""
        values = Values(self)
        message = [op, values.pack(target), name, [values.pack(arg) for arg in args],
                   {key: values.pack(arg) for key, arg in (kwargs or {}).items()}]
        self._send([*message, values.contents(), self.changes(), self.notes()])
        while True:
            answer = self.take()
            if answer[0] in OPERATIONS:
                self.answer(answer)
                continue
            kind, value = self.understand(self._read_answer, answer, values)
            self.answered(values)
            if kind == "value":
                return value
            raise value

    def _read_answer(self, answer, values):
        if len(answer) != 4 or answer[0] not in ("value", "error"):
            raise Misunderstood("no answer")
        self.note(answer[3])
        values.receive(answer[2])
        value = values.unpack(answer[1])
        if answer[0] == "error" and not isinstance(value, BaseException):
            raise Misunderstood("no error")
        return answer[0], value

    def answer(self, question):
        values = Values(self)
        op, target, name, args, kwargs = self.understand(self._read_question, question, values)
        before = values.contents()
        try:
            value = self.perform(op, target, name, args, kwargs)
            answer = ["value", values.pack(value), changed(values.contents(), before)]
        except self.passed_on as error:
            answer = self._failed(error, values, before)
        notes = self.notes()
        try:
            self._send([*answer, notes])
        except OverflowError as error:
            self._send([*self._failed(error, values, before), notes])
        if question[6] is not False:
            self.told(values)

    def _read_question(self, question, values):
        if len(question) != 8 or type(question[2]) is not str or type(question[3]) is not list or type(question[4]) is not dict:
            raise Misunderstood("no question")
        op, target, name, args, kwargs, contents, changes, notes = question
        self.note(notes)
        if changes:
            self.change(changes)
        values.receive(contents)
        return (op, values.unpack(target), name, [values.unpack(arg) for arg in args],
                {key: values.unpack(arg) for key, arg in kwargs.items()})

    def _failed(self, error, values, before):
        """What the arguments have become is told, too, where it can be."""
        try:
            return ["error", values.pack(error), [None] * len(before) if isinstance(error, OverflowError) else changed(values.contents(), before)]
        except Exception as failure:
            return ["error", values.pack(RuntimeError(f"{type(failure).__name__}: {failure}")), [None] * len(before)]

    def take(self):
        """The next message: a list."""
        size = int.from_bytes(self.read(4), "big")
        if size > MOST:
            raise Misunderstood("too long")
        message = json.loads(self.read(size), parse_constant=_refuse)
        if type(message) is not list or not message:
            raise Misunderstood("no message")
        return message

    def _send(self, message):
        text = json.dumps(message, separators=(",", ":")).encode()
        if len(text) > MOST:
            raise OverflowError(f"more than {MOST >> 20} MiB at once between tests and solution")
        self.write(memoryview(len(text).to_bytes(4, "big") + text))

    # What the two sides do each in their own way -------------------------------------------------------------------

    passed_on = Exception  # of what happens to a question, what the other is told

    def understand(self, read, message, values):
        return read(message, values)

    def write(self, data):
        while data:
            data = data[os.write(self._out, data):]

    def read(self, size):
        data = bytearray()
        while len(data) < size:
            part = os.read(self._in, min(size - len(data), 1 << 20))
            if not part:
                raise EOFError
            data += part
        return bytes(data)

    def changes(self):
        return False

    def change(self, contents):
        raise Misunderstood("no changes")

    def answered(self, values):
        """The other has."""

    def told(self, values):
        """The other was."""

    def notes(self):
        return None

    def note(self, notes):
        pass


def changed(now, before):
    now[:len(before)] = [None if is_now == was else is_now for is_now, was in zip(now, before)]
    return now


def _refuse(_):
    raise Misunderstood("no number")
