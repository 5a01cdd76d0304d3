"""Runs a solution and does with it what the tests, in another interpreter, ask for. The solution may change all of this: it only decides what is answered."""


def serve_candidate(code, write_to, read_from):
    """Loads nothing before it is asked to, and answers until the process is ended."""
    post, take = make_lines(write_to, read_from)
    solution = types.ModuleType("solution")
    objects, numbers = [solution], {id(solution): 0}
    borrowed = {}

    def number_of(value):
        number = numbers.get(id(value))
        if number is None:
            number = numbers[id(value)] = len(objects)
            objects.append(value)
        return number

    def class_data(kind):
        mro = [[number_of(one), str(one.__name__)[:200]] for one in kind.__mro__[:-1]]
        error = error_chain(kind) if issubclass(kind, BaseException) else None
        return ["C", mro, error]

    def error_chain(kind):
        chain = []
        for one in kind.__mro__:
            if not issubclass(one, BaseException):
                continue
            if one.__module__ == "builtins":
                return [*chain, ["", one.__name__]]
            is_own = one.__module__ in ("solution", "builtins") or "." in one.__qualname__
            chain.append([one.__module__, one.__name__] if not is_own else [number_of(one), str(one.__name__)[:200]])
        return [*chain, ["", "Exception"]]

    def as_object(value):
        if isinstance(value, type):
            return class_data(value)
        return ["h", number_of(value), class_data(type(value))]

    def other(value):
        kind = type(value)
        if kind is types.ModuleType:
            return ["M", value.__name__] if value is not solution else ["h", 0, class_data(kind)]
        if kind is types.CoroutineType:
            return ["A", number_of(value)]
        if kind in (Lent, LentFunction, LentIterator):
            return ["back", object.__getattribute__(value, "_number")]
        base = base_of(value)
        return as_object(value) if base is NOTHING or is_enum(value) else base

    NOTHING = object()

    def is_enum(value):
        enum = sys.modules.get("enum")
        return enum is not None and isinstance(value, enum.Enum)

    def base_of(value):
        """The data of a value whose class derives from that of data."""
        if isinstance(value, type):
            return NOTHING
        if isinstance(value, int):
            return write(int.__add__(value, 0))
        if isinstance(value, float):
            return write(float.__pos__(value))
        if isinstance(value, str):
            return str.__str__(value)
        if isinstance(value, tuple):
            items = list(map(write, tuple.__iter__(value)))
            fields = getattr(type(value), "_fields", None)
            if type(fields) is tuple and all(type(name) is str for name in fields):
                return ["n", type(value).__name__, list(fields), items]
            return ["t", *items]
        if isinstance(value, list):
            return ["l", *map(write, list.__iter__(value))]
        if isinstance(value, dict):
            return ["d", *[[write(key), write(item)] for key, item in dict.items(value)]]
        if isinstance(value, set):
            return ["s", *map(write, set.__iter__(value))]
        if isinstance(value, frozenset):
            return ["f", *map(write, frozenset.__iter__(value))]
        if isinstance(value, bytes):
            return ["b", bytes.decode(value, "latin-1")]
        return NOTHING

    def known(tag, items):
        if tag == "o":
            return objects[items[0]]
        if tag == "T":
            return getattr(builtins, items[0])
        if items[0] not in borrowed:
            borrowed[items[0]] = {"x": LentFunction, "y": LentIterator, "u": Lent}[tag](items[0])
        return borrowed[items[0]]

    write, read = writer(other), reader(known)

    def ask(what, number, *values):
        """Lets the tests' side do something with what it lent."""
        post({"ask": what, "number": number, "values": [write(value) for value in values]})
        return answer_to_ask()

    def answer_to_ask():
        while True:
            message = take()
            if "op" in message:
                post(answer(message))
            elif "error" in message:
                name, args = message["error"]
                kind = objects[name] if type(name) is int else getattr(builtins, name)
                raise kind(*read(args))
            else:
                return read(message["ok"])

    class LentFunction:
        def __init__(self, number):
            self._number = number

        def __call__(self, *args, **more):
            return ask("call", self._number, args, more)

    class LentIterator:
        def __init__(self, number):
            self._number = number

        def __iter__(self):
            return self

        def __next__(self):
            return ask("next", self._number)

    class Lent:
        def __init__(self, number):
            object.__setattr__(self, "_number", number)

        def __getattr__(self, name):
            return ask("get", object.__getattribute__(self, "_number"), name)

        def __setattr__(self, name, value):
            ask("set", object.__getattribute__(self, "_number"), name, value)

    def run_coroutine(work):
        try:
            work.send(None)
        except StopIteration as end:
            return end.value
        work.close()
        raise RuntimeError("it waits, and there is nothing to wait for here")

    def load():
        sys.modules["solution"] = solution
        solution.__dict__["__builtins__"] = builtins
        try:
            exec(compile(code, "solution.py", "exec"), solution.__dict__)
        except BaseException as error:
            return {"problem": told(error)}
        names = [[name, write(value)] for name, value in list(solution.__dict__.items()) if not name.startswith("__")]
        return {"names": names}

    def perform(op, target, values):
        if op == "call":
            return write(target(*values[0], **values[1]))
        if op == "make":
            made = target(*values[0], **values[1])
            return write(made) if type(made) in PLAIN or type(made) in MUTABLE or type(made) in (int, tuple) else as_object(made)
        if op == "get":
            return write(getattr(target, values[0]))
        if op == "set":
            return setattr(target, values[0], values[1])
        if op == "delete":
            return delattr(target, values[0])
        if op == "await":
            return write(run_coroutine(target))
        if op == "base":
            base = base_of(target)
            return ["none"] if base is NOTHING else ["some", base]
        if op == "iter":
            return as_object(iter(target))
        if op == "enter":
            return write(type(target).__enter__(target))
        if op == "exit":
            return write(type(target).__exit__(target, None, None, None))
        return write(OPERATORS[op](target, *values))

    def answer(message):
        given = []
        after = lambda: [contents(value, writer(other, None, seen)) for value in given]
        seen = {}
        try:
            if message["op"] == "load":
                return {"ok": load()}
            values = [reader(known, given)(value) for value in message["values"]]
            seen.update((id(value), number) for number, value in enumerate(given))
            nonlocal write
            outer, write = write, writer(other, None, seen)
            try:
                found = perform(message["op"], objects[message["number"]], values)
            finally:
                write = outer
            reply = {"ok": found, "after": after()}
        except BaseException as error:
            reply = failure(error)
            if given:
                reply["after"] = after()
        return reply

    def failure(error):
        try:
            text = str(error)[:10_000]
        except BaseException:
            text = ""
        args = error.args
        plain = all(type(one) in PLAIN or type(one) is int for one in args)
        return {
            "error": {
                "chain": error_chain(type(error)),
                "text": text,
                "args": [write(one if type(one) is not str else one[:10_000]) for one in args] if plain else None,
                "line": line_of(error),
                "number": number_of(error),
            }
        }

    while True:
        message = take()
        try:
            post(answer(message))
        except (RecursionError, MemoryError, ValueError, OverflowError) as error:
            post(failure(error))


def operators():
    import operator

    names = "lt le gt ge eq ne add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift neg pos abs invert contains getitem setitem delitem index"
    found = {name: getattr(operator, name) for name in names.split()}
    for name in "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift".split():
        found["r" + name] = lambda target, value, do=found[name]: do(value, target)
    found |= {"len": len, "next": next, "bool": bool, "hash": hash, "repr": repr, "str": str, "int": int, "float": float, "complex": complex, "round": round, "format": format}
    found |= {"reversed": lambda target: list(reversed(target)), "dir": dir}
    return found


OPERATORS = operators()
