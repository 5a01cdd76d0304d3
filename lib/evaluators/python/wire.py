"""Serializes values as JSON between the interpreter with the tests and the one with the solution.

Only values of exactly these types are copied. All write_reference values are sent as a reference, see `write_reference` and `resolve`.
"""

import ast
import builtins
import collections
import datetime
import decimal
import fractions
import json
import sys
import types

MAX_MESSAGE_LENGTH = 1_000
MAX_LINE_BYTES = 64 * 1024 * 1024
MAX_PLAIN_INT = 2**62
PLAIN = frozenset((str, bool, float, type(None)))
MUTABLE = frozenset((list, dict, set, bytearray))
DATES = (datetime.datetime, datetime.date, datetime.time, datetime.timedelta)


def contents(value, write):
    """Serializes the items of a mutable container."""
    kind = type(value)
    if kind is dict:
        return ["d", *[[write(key), write(item)] for key, item in value.items()]]
    if kind is bytearray:
        return ["B", value.decode("latin-1")]
    if kind is list and all(type(item) in PLAIN for item in value):
        return ["l", *value]
    return ["l" if kind is list else "s", *map(write, value)]


def writer(write_reference, given=None, seen=None):
    """Returns a function that serializes values. `given` collects the containers that the write_reference side may change. `seen` contains the numbers of containers that it already has, by `id`."""

    def write(value):
        kind = type(value)
        if kind in PLAIN:
            return value
        if kind is int:
            return value if -MAX_PLAIN_INT < value < MAX_PLAIN_INT else ["i", hex(value)]
        if kind in MUTABLE:
            if seen is not None and id(value) in seen:
                return ["m", seen[id(value)]]
            if given is None:
                return contents(value, write)
            for number, one in enumerate(given) if len(given) < 50 else ():
                if one is value:
                    return ["m", number]
            given.append(value)
            return ["g", len(given) - 1, contents(value, write)]
        if kind is tuple:
            return ["t", *map(write, value)]
        if kind is bytes:
            return ["b", value.decode("latin-1")]
        if kind is frozenset:
            return ["f", *map(write, value)]
        if kind is complex:
            return ["c", value.real, value.imag]
        if kind is range:
            return ["r", write(value.start), write(value.stop), write(value.step)]
        if value is ...:
            return ["e"]
        if kind is decimal.Decimal:
            return ["decimal", str(value)]
        if kind is fractions.Fraction:
            return ["fraction", write(value.numerator), write(value.denominator)]
        if kind is datetime.timedelta:
            return ["timedelta", value.days, value.seconds, value.microseconds]
        if kind in DATES and getattr(value, "tzinfo", None) is None:
            return [kind.__name__, value.isoformat()]
        if kind in (collections.Counter, collections.OrderedDict, collections.defaultdict):
            return ["dict", kind.__name__, *[[write(key), write(item)] for key, item in value.items()]]
        if kind is collections.deque:
            return ["deque", value.maxlen, *map(write, value)]
        if kind is type({}.keys()):
            return ["keys", *map(write, value)]
        if kind is type({}.values()):
            return ["values", *map(write, value)]
        if kind is type({}.items()):
            return ["items", *[[write(key), write(item)] for key, item in value]]
        return write_reference(value)

    return write


def reader(resolve, given=None):
    """Returns a function that deserializes values. `given`: the containers shared with the write_reference side, by number."""

    def fill(value, data):
        """Replaces the items of a container."""
        tag, items = data[0], data[1:]
        if tag == "B":
            value[:] = items[0].encode("latin-1")
        elif tag == "d":
            new = [(read(key), read(item)) for key, item in items]
            value.clear()
            value.update(new)
        elif tag == "l":
            value[:] = [item if type(item) is not list else read(item) for item in items]
        else:
            new = [read(item) for item in items]
            value.clear()
            value.update(new)

    def read(data):
        if type(data) is not list:
            return data
        tag, items = data[0], data[1:]
        if tag == "m":
            return given[items[0]]
        if tag == "g":
            value = empty(items[1])
            if items[0] != len(given):
                raise ValueError("containers are out of order")
            given.append(value)
            fill(value, items[1])
            return value
        if tag in ("l", "d", "s", "B"):
            value = empty(data)
            fill(value, data)
            return value
        if tag == "t":
            return tuple([read(item) for item in items])
        if tag == "i":
            return int(items[0], 16)
        if tag == "b":
            return items[0].encode("latin-1")
        if tag == "f":
            return frozenset([read(item) for item in items])
        if tag == "c":
            return complex(items[0], items[1])
        if tag == "r":
            return range(*map(read, items))
        if tag == "e":
            return ...
        if tag == "decimal":
            return decimal.Decimal(items[0])
        if tag == "fraction":
            return fractions.Fraction(*map(read, items))
        if tag == "timedelta":
            return datetime.timedelta(*items)
        if tag in ("datetime", "date", "time"):
            return getattr(datetime, tag).fromisoformat(items[0])
        if tag == "dict":
            pairs = [(read(key), read(item)) for key, item in items[1:]]
            if items[0] == "defaultdict":
                return collections.defaultdict(None, pairs)
            return collections.OrderedDict(pairs) if items[0] == "OrderedDict" else collections.Counter(dict(pairs))
        if tag == "deque":
            return collections.deque([read(item) for item in items[1:]], items[0])
        if tag == "keys":
            return dict.fromkeys([read(item) for item in items]).keys()
        if tag == "values":
            return dict(enumerate([read(item) for item in items])).values()
        if tag == "items":
            return {read(key): read(item) for key, item in items}.items()
        return resolve(tag, items)

    read.fill = fill
    return read


def empty(data):
    """Returns an empty container of the serialized type."""
    return {"l": list, "d": dict, "s": set, "B": bytearray}[data[0]]()


def make_channel(write, read):
    """Returns functions that send and receive JSON messages, one per line, over two file descriptors."""
    buffer = bytearray()

    def send(message):
        data = memoryview(json.dumps(message).encode() + b"\n")
        while data:
            data = data[write(1, data) :]

    def receive():
        while (end := buffer.find(b"\n")) < 0:
            if len(buffer) > MAX_LINE_BYTES:
                buffer.clear()
                raise MemoryError("more than 64 MB at once")
            chunk = read(0, 1 << 16)
            if not chunk:
                raise EOFError("the write_reference interpreter has ended")
            buffer.extend(chunk)
        line = bytes(buffer[:end])
        del buffer[: end + 1]
        return json.loads(line)

    return send, receive


def format_error(error):
    """Returns the message of an error with the line of the solution that raised it."""
    try:
        text = str(error)
    except BaseException:
        text = ""
    name = type(error).__name__
    if isinstance(error, AssertionError):
        message = text or "assertion failed"
    elif isinstance(error, SyntaxError):
        message = f"{name}: {error.msg} (line {error.lineno})"
    else:
        message = f"{name}: {text}" if text else name
    line = line_of(error)
    if line is not None:
        message += f" (line {line} of the solution)"
    return message[:MAX_MESSAGE_LENGTH]


def line_of(error):
    """Returns the line of the solution that raised an error, or None."""
    line, trace = getattr(error, "_solution_line", None), error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "solution.py":
            line = trace.tb_lineno
        trace = trace.tb_next
    return line if type(line) is int else None
