"""Plain data as JSON text, between an interpreter with the tests and one with the solution.

Only values of exactly the types named here are data. What else there is, each side names by a number through `other` and `known`.
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

LONGEST_MESSAGE = 1_000
LONGEST_LINE = 64 * 1024 * 1024
LARGEST_INT = 2**62
PLAIN = frozenset((str, bool, float, type(None)))
MUTABLE = frozenset((list, dict, set, bytearray))
DATES = (datetime.datetime, datetime.date, datetime.time, datetime.timedelta)


def contents(value, write):
    """What a container that can be changed holds, as data."""
    kind = type(value)
    if kind is dict:
        return ["d", *[[write(key), write(item)] for key, item in value.items()]]
    if kind is bytearray:
        return ["B", value.decode("latin-1")]
    if kind is list and all(type(item) in PLAIN for item in value):
        return ["l", *value]
    return ["l" if kind is list else "s", *map(write, value)]


def writer(other, given=None, seen=None):
    """Makes data of values. `given` takes the containers that the other side may change, each with its number; `seen` holds the numbers of those it knows."""

    def write(value):
        kind = type(value)
        if kind in PLAIN:
            return value
        if kind is int:
            return value if -LARGEST_INT < value < LARGEST_INT else ["i", hex(value)]
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
        return other(value)

    return write


def reader(known, given=None):
    """Makes values of data. `given`: the containers that came with a number, or that have one here."""

    def fill(value, data):
        """Gives a container the contents that data names."""
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
                raise ValueError("data in a wrong order")
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
        return known(tag, items)

    read.fill = fill
    return read


def empty(data):
    """A new container of the kind that data names."""
    return {"l": list, "d": dict, "s": set, "B": bytearray}[data[0]]()


def make_lines(write, read):
    """Sends and takes lines of text through two file descriptors."""
    rest = bytearray()

    def post(message):
        data = memoryview(json.dumps(message).encode() + b"\n")
        while data:
            data = data[write(1, data) :]

    def take():
        while (end := rest.find(b"\n")) < 0:
            if len(rest) > LONGEST_LINE:
                rest.clear()
                raise MemoryError("more than 64 MB at once")
            piece = read(0, 1 << 16)
            if not piece:
                raise EOFError("the other interpreter has ended")
            rest.extend(piece)
        line = bytes(rest[:end])
        del rest[: end + 1]
        return json.loads(line)

    return post, take


def told(error):
    """An error in words, with the line of the solution it came from."""
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
    return message[:LONGEST_MESSAGE]


def line_of(error):
    """The line of the solution that an error came from, or None."""
    line, trace = getattr(error, "_solution_line", None), error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "solution.py":
            line = trace.tb_lineno
        trace = trace.tb_next
    return line if type(line) is int else None
