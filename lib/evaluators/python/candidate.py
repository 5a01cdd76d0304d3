"""Runs a solution and performs the operations that the tests in another interpreter request. The solution can change everything here, which affects only its own results."""


def serve_candidate(code, write_to, read_from):
    """Answers requests until the process is killed. The first one loads the solution."""
    send, receive = make_channel(write_to, read_from)
    solution = types.ModuleType("solution")
    objects, numbers = [solution], {id(solution): 0}
    proxies = {}

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
            is_of_solution = one.__module__ in ("solution", "builtins") or "." in one.__qualname__
            chain.append([one.__module__, one.__name__] if not is_of_solution else [number_of(one), str(one.__name__)[:200]])
        return [*chain, ["", "Exception"]]

    def as_object(value):
        if isinstance(value, type):
            return class_data(value)
        return ["h", number_of(value), class_data(type(value))]

    def write_reference(value):
        kind = type(value)
        if kind is types.ModuleType:
            return ["M", value.__name__] if value is not solution else ["h", 0, class_data(kind)]
        if kind is types.CoroutineType:
            return ["A", number_of(value)]
        if kind in (Proxy, ProxyFunction, ProxyIterator):
            return ["back", object.__getattribute__(value, "_number")]
        base = base_of(value)
        return as_object(value) if base is NOTHING or is_enum(value) else base

    NOTHING = object()

    def is_enum(value):
        enum = sys.modules.get("enum")
        return enum is not None and isinstance(value, enum.Enum)

    def base_of(value):
        """Serializes a value as its base type if that is plain data, otherwise returns NOTHING."""
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

    def resolve(tag, items):
        if tag == "o":
            return objects[items[0]]
        if tag == "T":
            return getattr(builtins, items[0])
        if items[0] not in proxies:
            proxies[items[0]] = {"x": ProxyFunction, "y": ProxyIterator, "u": Proxy}[tag](items[0])
        return proxies[items[0]]

    write, read = writer(write_reference), reader(resolve)

    def request(what, number, *values):
        """Requests an operation on a value of the tests."""
        send({"request": what, "number": number, "values": [write(value) for value in values]})
        return receive_result()

    def receive_result():
        while True:
            message = receive()
            if "op" in message:
                send(handle(message))
            elif "error" in message:
                name, args = message["error"]
                kind = objects[name] if type(name) is int else getattr(builtins, name)
                raise kind(*read(args))
            else:
                return read(message["ok"])

    class ProxyFunction:
        def __init__(self, number):
            self._number = number

        def __call__(self, *args, **kwargs):
            return request("call", self._number, args, kwargs)

    class ProxyIterator:
        def __init__(self, number):
            self._number = number

        def __iter__(self):
            return self

        def __next__(self):
            return request("next", self._number)

    class Proxy:
        def __init__(self, number):
            object.__setattr__(self, "_number", number)

        def __getattr__(self, name):
            return request("get", object.__getattribute__(self, "_number"), name)

        def __setattr__(self, name, value):
            request("set", object.__getattribute__(self, "_number"), name, value)

    def run_coroutine(work):
        try:
            work.send(None)
        except StopIteration as end:
            return end.value
        work.close()
        raise RuntimeError("it awaits something, but there is no event loop")

    def load():
        sys.modules["solution"] = solution
        solution.__dict__["__builtins__"] = builtins
        try:
            exec(compile(code, "solution.py", "exec"), solution.__dict__)
        except BaseException as error:
            return {"problem": format_error(error)}
        names = [[name, write(value)] for name, value in list(solution.__dict__.items()) if not name.startswith("__")]
        return {"names": names}

    def perform(op, target, values):
        if op == "call":
            return write(target(*values[0], **values[1]))
        if op == "make":
            created = target(*values[0], **values[1])
            return write(created) if type(created) in PLAIN or type(created) in MUTABLE or type(created) in (int, tuple) else as_object(created)
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

    def handle(message):
        given = []
        after = lambda: [contents(value, writer(write_reference, None, seen)) for value in given]
        seen = {}
        try:
            if message["op"] == "load":
                return {"ok": load()}
            values = [reader(resolve, given)(value) for value in message["values"]]
            seen.update((id(value), number) for number, value in enumerate(given))
            nonlocal write
            outer_write, write = write, writer(write_reference, None, seen)
            try:
                found = perform(message["op"], objects[message["number"]], values)
            finally:
                write = outer_write
            response = {"ok": found, "after": after()}
        except BaseException as error:
            response = failure(error)
            if given:
                response["after"] = after()
        return response

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
        message = receive()
        try:
            send(handle(message))
        except (RecursionError, MemoryError, ValueError, OverflowError) as error:
            send(failure(error))


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
