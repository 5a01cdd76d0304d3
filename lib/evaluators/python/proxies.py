"""Proxies of the solution in the interpreter of the tests. They send each operation to the interpreter that runs the solution.

The solution can only return values that wire.py supports, and proxies. Comparisons of proxies with data are computed here.
"""

# Modules of the standard library whose exception types the solution may raise.
ERROR_MODULES = frozenset("json.decoder decimal re struct binascii csv dataclasses queue graphlib statistics zlib".split())


def make_solution(write_to, read_from):
    """Returns a function that loads the solution, and the proxy of its module."""
    send, receive = make_channel(write_to, read_from)
    passed, passed_numbers = [], {}
    classes, errors, proxies = {}, {}, {}
    state = {}

    def request(op, number, *values):
        given = []
        write = writer(write_reference, given)
        send({"op": op, "number": number, "values": [write(value) for value in values]})
        while True:
            response = receive()
            if "request" not in response:
                break
            send(handle(response))
        read = reader(resolve, given)
        for container, data in zip(given, response.get("after", ())):
            read.fill(container, data)
        if "error" in response:
            raise as_error(response["error"])
        return response["ok"] if op in ("load", "base") else read(response["ok"])

    def write_reference(value):
        """Serializes a reference to a value of the tests."""
        kind = type(value)
        if isinstance(value, Object):
            return ["o", number_of(value)]
        if isinstance(kind, Class) or isinstance(value, Class):
            return ["o", type.__getattribute__(value, "_number")]
        if kind is SolutionModule:
            return ["o", 0]
        if isinstance(value, type) and issubclass(value, BaseException) and type(value.__dict__.get("_number")) is int:
            return ["o", value.__dict__["_number"]]
        if isinstance(value, BaseException) and type(getattr(value, "_solution_number", None)) is int:
            return ["o", value._solution_number]
        name = getattr(value, "__name__", None)
        if type(name) is str and getattr(builtins, name, None) is value:
            return ["T", name]
        if callable(value):
            return ["x", passed_number(value)]
        if hasattr(kind, "__next__"):
            return ["y", passed_number(value)]
        if kind.__module__ == "tests":
            return ["u", passed_number(value)]
        raise TypeError(f"tests can't pass a value of {kind.__name__} to the solution: pass plain data")

    def passed_number(value):
        if id(value) not in passed_numbers:
            passed_numbers[id(value)] = len(passed)
            passed.append(value)
        return passed_numbers[id(value)]

    def handle(message):
        """Performs an operation that the solution requests on a value passed to it. Allows only what the tests expose: calls, iteration and public attributes."""
        try:
            what, value = message["request"], passed[message["number"]]
            read = reader(resolve)
            values = [read(one) for one in message["values"]]
            if what == "call" and callable(value):
                found = value(*values[0], **values[1])
            elif what == "next" and not callable(value):
                found = next(value)
            elif what in ("get", "set") and type(value).__module__ == "tests" and not values[0].startswith("_"):
                found = getattr(value, values[0]) if what == "get" else setattr(value, *values)
            else:
                raise AttributeError("the tests do not allow this operation")
            return {"ok": writer(write_reference)(found)}
        except BaseException as error:
            kind = type(error)
            number = kind.__dict__.get("_number")
            name = number if type(number) is int else next(one.__name__ for one in kind.__mro__ if one.__module__ == "builtins")
            args = [one for one in error.args if type(one) in PLAIN or type(one) is int]
            return {"error": [name, ["l", *args]]}

    def resolve(tag, items):
        if tag == "C":
            return class_of(*items)
        if tag == "h":
            return object_of(*items)
        if tag == "back":
            return passed[items[0]]
        if tag == "A":
            return await_remote(items[0])
        if tag == "n":
            name, fields, values = items
            read = reader(resolve)
            kind = collections.namedtuple("Named", [field if type(field) is str else "" for field in fields], rename=True)
            kind.__name__ = kind.__qualname__ = str(name)[:200]
            return kind(*[read(value) for value in values])
        if tag == "M" and type(items[0]) is str:
            return SolutionImport(items[0])
        raise ValueError("the interpreter of the solution sent invalid data")

    async def await_remote(number):
        return request("await", number)

    class SolutionImport:
        """Placeholder for a module that the solution imports."""

        def __init__(self, name):
            self.name = name

    class Class(type):
        def __call__(cls, *args, **kwargs):
            created = request("make", type.__getattribute__(cls, "_number"), args, kwargs)
            if isinstance(created, Object):
                object.__setattr__(created, "_is_created", True)
            return created

        def __getattr__(cls, name):
            return request("get", type.__getattribute__(cls, "_number"), name)

        def __setattr__(cls, name, value):
            request("set", type.__getattribute__(cls, "_number"), name, value)

        def __delattr__(cls, name):
            request("delete", type.__getattribute__(cls, "_number"), name)

        def __instancecheck__(cls, value):
            return isinstance(type(value), Class) and type.__getattribute__(cls, "_number") in type.__getattribute__(type(value), "_mro_numbers")

        def __subclasscheck__(cls, kind):
            return isinstance(kind, Class) and type.__getattribute__(cls, "_number") in type.__getattribute__(kind, "_mro_numbers")

        def __iter__(cls):
            return request("iter", type.__getattribute__(cls, "_number"))

        def __len__(cls):
            return request("len", type.__getattribute__(cls, "_number"))

        def __getitem__(cls, key):
            return request("getitem", type.__getattribute__(cls, "_number"), key)

        def __repr__(cls):
            return f"<class 'solution.{type.__getattribute__(cls, '__name__')}'>"

    def isinstance(value, kind):
        """Like the built-in, but checks proxies by type, without a request to the solution."""
        if kind is Object:
            return Object in type.__getattribute__(type(value), "__mro__")
        return builtins.isinstance(value, kind)

    def number_of(value):
        return object.__getattribute__(value, "_number")

    def require_type(kind, value):
        if type(value) is not kind:
            raise TypeError(f"an object of the solution returned {type(value).__name__} instead of {kind.__name__}")
        return value

    def mark_created(found, *operands):
        """Marks the result of an operator as created by the tests if all its operands are."""
        if isinstance(found, Object) and all(type(found) is type(one) or not isinstance(one, Object) for one in operands):
            object.__setattr__(found, "_is_created", True)
        return found

    def binary(name, is_ordering=False):
        def operate(self, value):
            # An object that the solution returned must not receive the value it is compared with.
            if not (object.__getattribute__(self, "_is_created") or isinstance(value, Object)):
                return NotImplemented
            found = request(name, number_of(self), value)
            if is_ordering:
                return require_type(bool, found)
            return mark_created(found, self, value) if object.__getattribute__(self, "_is_created") else found

        return operate

    class Object:
        def __init__(self, number):
            object.__setattr__(self, "_number", number)
            object.__setattr__(self, "_is_created", False)

        def __getattr__(self, name):
            return request("get", number_of(self), name)

        def __setattr__(self, name, value):
            request("set", number_of(self), name, value)

        def __delattr__(self, name):
            request("delete", number_of(self), name)

        def __call__(self, *args, **kwargs):
            return request("call", number_of(self), args, kwargs)

        def __eq__(self, value):
            if self is value:
                return True
            if isinstance(value, Object):
                return require_type(bool, request("eq", number_of(self), value))
            base = request("base", number_of(self))
            return base[0] == "some" and reader(resolve)(base[1]) == value

        def __ne__(self, value):
            return not self == value

        def __hash__(self):
            return require_type(int, request("hash", number_of(self)))

        def __bool__(self):
            return require_type(bool, request("bool", number_of(self)))

        def __len__(self):
            return require_type(int, request("len", number_of(self)))

        def __iter__(self):
            return request("iter", number_of(self))

        def __next__(self):
            return request("next", number_of(self))

        def __contains__(self, value):
            if object.__getattribute__(self, "_is_created") or isinstance(value, Object):
                return require_type(bool, request("contains", number_of(self), value))
            return any(one is value or one == value for one in self)

        def __getitem__(self, key):
            return request("getitem", number_of(self), key)

        def __setitem__(self, key, value):
            request("setitem", number_of(self), key, value)

        def __delitem__(self, key):
            request("delitem", number_of(self), key)

        def __reversed__(self):
            return iter(request("reversed", number_of(self)))

        def __repr__(self):
            return require_type(str, request("repr", number_of(self)))

        def __str__(self):
            return require_type(str, request("str", number_of(self)))

        def __format__(self, how):
            return require_type(str, request("format", number_of(self), how))

        def __dir__(self):
            return require_type(list, request("dir", number_of(self)))

        def __int__(self):
            return require_type(int, request("int", number_of(self)))

        def __index__(self):
            return require_type(int, request("index", number_of(self)))

        def __float__(self):
            return require_type(float, request("float", number_of(self)))

        def __complex__(self):
            return require_type(complex, request("complex", number_of(self)))

        def __round__(self, *places):
            return mark_created(request("round", number_of(self), *places), self)

        def __enter__(self):
            return request("enter", number_of(self))

        def __exit__(self, *error):
            return request("exit", number_of(self))

    for name in "lt le gt ge".split():
        setattr(Object, f"__{name}__", binary(name, True))
    for name in "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift".split():
        setattr(Object, f"__{name.rstrip('_')}__", binary(name))
        setattr(Object, f"__r{name.rstrip('_')}__", binary("r" + name))
    for name in "neg pos abs invert".split():
        setattr(Object, f"__{name}__", lambda self, name=name: mark_created(request(name, number_of(self)), self))

    def class_of(mro, error):
        if error is not None:
            return error_of(error)
        number, name = mro[0]
        if number not in classes:
            names = {"_number": number, "_mro_numbers": frozenset(one for one, _ in mro), "__module__": "solution"}
            classes[number] = Class(str(name), (Object,), names)
        return classes[number]

    def object_of(number, kind):
        if number not in proxies:
            if number == 0:
                return module
            found = class_of(kind[1], None)
            created = proxies[number] = object.__new__(found)
            found.__init__(created, number)
        return proxies[number]

    def error_of(chain):
        """Returns the exception type for the names of its class and base classes."""
        (place, name), *rest = chain
        if type(place) is int:
            if place not in errors:
                errors[place] = type(str(name), (error_of(rest),), {"_number": place, "__module__": "solution", "__init__": lambda self, *args, **kwargs: None, "__str__": text_of_error, "__getattr__": attribute_of_error})
            return errors[place]
        if place == "":
            found = getattr(builtins, name, None)
        else:
            found = getattr(importlib.import_module(place), name, None) if place in ERROR_MODULES else None
        if builtins.isinstance(found, type) and issubclass(found, BaseException):
            return found
        return error_of(rest) if rest else Exception

    def text_of_error(self):
        return self.__dict__.get("_solution_text") or ", ".join(map(str, self.args))

    def attribute_of_error(self, name):
        number = self.__dict__.get("_solution_number")
        if number is None or name.startswith("_"):
            raise AttributeError(name)
        return request("get", number, name)

    def as_error(details):
        kind = error_of(details["chain"])
        text = str(details["text"])
        args = [one for one in details["args"] or [text] if type(one) in PLAIN or type(one) is int]
        try:
            error = kind(*args)
        except Exception:
            error = kind.__new__(kind)
            error.args = (text,)
        error._solution_text = text
        error._solution_line = details["line"]
        error._solution_number = details["number"]
        return error

    class SolutionModule(types.ModuleType):
        def __getattr__(self, name):
            if name == "__all__":
                return [name for name, _ in state["names"] if not name.startswith("_")]
            if name.startswith("__"):
                raise AttributeError(name)
            try:
                return use_own_module(name, request("get", 0, name))
            except AttributeError:
                raise AttributeError(f"module 'solution' has no attribute {name!r}") from None

        def __setattr__(self, name, value):
            request("set", 0, name, value)

        def __delattr__(self, name):
            request("delete", 0, name)

    def use_own_module(name, value):
        """Replaces a standard library module that the solution imports by the one of the tests."""
        if type(value) is not SolutionImport:
            return value
        if value.name == name and name.partition(".")[0] in sys.stdlib_module_names:
            return importlib.import_module(name)
        raise AttributeError(name)

    module = types.ModuleType.__new__(SolutionModule)
    types.ModuleType.__init__(module, "solution")

    def load():
        """Runs the solution once. Returns the error message or None, and its names with their values."""
        loaded = request("load", 0)
        if "problem" in loaded:
            return str(loaded["problem"])[:MAX_MESSAGE_LENGTH], {}
        state["names"] = [(name, data) for name, data in loaded["names"] if type(name) is str]
        read, space = reader(resolve), {}
        for name, data in state["names"]:
            if hasattr(builtins, name):
                continue
            try:
                space[name] = use_own_module(name, read(data))
            except AttributeError:
                continue
        return None, space

    return load, module
