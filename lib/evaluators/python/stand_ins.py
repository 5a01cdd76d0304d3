"""Stands in for the solution where the tests are: asks the interpreter that runs it, and takes nothing but data for an answer.

Whatever the solution says, only the values of wire.py come of it, and stand-ins whose comparisons with data are made here.
"""

# Errors of the library that the solution may raise as themselves.
ERROR_MODULES = frozenset("json.decoder decimal re struct binascii csv dataclasses queue graphlib statistics zlib".split())


def make_solution(write_to, read_from):
    """Answers how to load the solution, and its module."""
    post, take = make_lines(write_to, read_from)
    lent, lent_numbers = [], {}
    classes, errors, stand_ins = {}, {}, {}
    state = {}

    def ask(op, number, *values):
        given = []
        write = writer(lend, given)
        post({"op": op, "number": number, "values": [write(value) for value in values]})
        while True:
            reply = take()
            if "ask" not in reply:
                break
            post(answer(reply))
        read = reader(known, given)
        for container, data in zip(given, reply.get("after", ())):
            read.fill(container, data)
        if "error" in reply:
            raise as_error(reply["error"])
        return reply["ok"] if op in ("load", "base") else read(reply["ok"])

    def lend(value):
        """Data that names a value of the tests to the solution."""
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
            return ["x", lent_number(value)]
        if hasattr(kind, "__next__"):
            return ["y", lent_number(value)]
        if kind.__module__ == "tests":
            return ["u", lent_number(value)]
        raise TypeError(f"tests can't pass a value of {kind.__name__} to the solution: pass plain data")

    def lent_number(value):
        if id(value) not in lent_numbers:
            lent_numbers[id(value)] = len(lent)
            lent.append(value)
        return lent_numbers[id(value)]

    def answer(asked):
        """Does what the solution asks of a value that was lent to it: never more than the tests' own code could mean."""
        try:
            what, value = asked["ask"], lent[asked["number"]]
            read = reader(known)
            values = [read(one) for one in asked["values"]]
            if what == "call" and callable(value):
                found = value(*values[0], **values[1])
            elif what == "next" and not callable(value):
                found = next(value)
            elif what in ("get", "set") and type(value).__module__ == "tests" and not values[0].startswith("_"):
                found = getattr(value, values[0]) if what == "get" else setattr(value, *values)
            else:
                raise AttributeError("the tests did not lend this")
            return {"ok": writer(lend)(found)}
        except BaseException as error:
            kind = type(error)
            own = kind.__dict__.get("_number")
            name = own if type(own) is int else next(one.__name__ for one in kind.__mro__ if one.__module__ == "builtins")
            args = [one for one in error.args if type(one) in PLAIN or type(one) is int]
            return {"error": [name, ["l", *args]]}

    def known(tag, items):
        if tag == "C":
            return class_of(*items)
        if tag == "h":
            return object_of(*items)
        if tag == "back":
            return lent[items[0]]
        if tag == "A":
            return waited_for(items[0])
        if tag == "n":
            name, fields, values = items
            read = reader(known)
            kind = collections.namedtuple("Named", [field if type(field) is str else "" for field in fields], rename=True)
            kind.__name__ = kind.__qualname__ = str(name)[:200]
            return kind(*[read(value) for value in values])
        if tag == "M" and type(items[0]) is str:
            return Other(items[0])
        raise ValueError("the solution's interpreter did not answer with data")

    async def waited_for(number):
        return ask("await", number)

    class Other:
        """A module that the solution imports."""

        def __init__(self, name):
            self.name = name

    class Class(type):
        def __call__(cls, *args, **more):
            made = ask("make", type.__getattribute__(cls, "_number"), args, more)
            if isinstance(made, Object):
                object.__setattr__(made, "_is_made", True)
            return made

        def __getattr__(cls, name):
            return ask("get", type.__getattribute__(cls, "_number"), name)

        def __setattr__(cls, name, value):
            ask("set", type.__getattribute__(cls, "_number"), name, value)

        def __delattr__(cls, name):
            ask("delete", type.__getattribute__(cls, "_number"), name)

        def __instancecheck__(cls, value):
            return isinstance(type(value), Class) and type.__getattribute__(cls, "_number") in type.__getattribute__(type(value), "_mro_numbers")

        def __subclasscheck__(cls, kind):
            return isinstance(kind, Class) and type.__getattribute__(cls, "_number") in type.__getattribute__(kind, "_mro_numbers")

        def __iter__(cls):
            return ask("iter", type.__getattribute__(cls, "_number"))

        def __len__(cls):
            return ask("len", type.__getattribute__(cls, "_number"))

        def __getitem__(cls, key):
            return ask("getitem", type.__getattribute__(cls, "_number"), key)

        def __repr__(cls):
            return f"<class 'solution.{type.__getattribute__(cls, '__name__')}'>"

    def isinstance(value, kind):
        """As the builtin; the stand-in of a class is asked for its objects by type only."""
        if kind is Object:
            return Object in type.__getattribute__(type(value), "__mro__")
        return builtins.isinstance(value, kind)

    def number_of(value):
        return object.__getattribute__(value, "_number")

    def exactly(kind, value):
        if type(value) is not kind:
            raise TypeError(f"the solution's object gave {type(value).__name__} where {kind.__name__} must be")
        return value

    def derived(found, *operands):
        """The result of an operator on objects that the tests made counts as made by them."""
        if isinstance(found, Object) and all(type(found) is type(one) or not isinstance(one, Object) for one in operands):
            object.__setattr__(found, "_is_made", True)
        return found

    def binary(name, is_ordering=False):
        def operate(self, value):
            # One that the solution returned must not be told what it is compared with.
            if not (object.__getattribute__(self, "_is_made") or isinstance(value, Object)):
                return NotImplemented
            found = ask(name, number_of(self), value)
            if is_ordering:
                return exactly(bool, found)
            return derived(found, self, value) if object.__getattribute__(self, "_is_made") else found

        return operate

    class Object:
        def __init__(self, number):
            object.__setattr__(self, "_number", number)
            object.__setattr__(self, "_is_made", False)

        def __getattr__(self, name):
            return ask("get", number_of(self), name)

        def __setattr__(self, name, value):
            ask("set", number_of(self), name, value)

        def __delattr__(self, name):
            ask("delete", number_of(self), name)

        def __call__(self, *args, **more):
            return ask("call", number_of(self), args, more)

        def __eq__(self, value):
            if self is value:
                return True
            if isinstance(value, Object):
                return exactly(bool, ask("eq", number_of(self), value))
            base = ask("base", number_of(self))
            return base[0] == "some" and reader(known)(base[1]) == value

        def __ne__(self, value):
            return not self == value

        def __hash__(self):
            return exactly(int, ask("hash", number_of(self)))

        def __bool__(self):
            return exactly(bool, ask("bool", number_of(self)))

        def __len__(self):
            return exactly(int, ask("len", number_of(self)))

        def __iter__(self):
            return ask("iter", number_of(self))

        def __next__(self):
            return ask("next", number_of(self))

        def __contains__(self, value):
            if object.__getattribute__(self, "_is_made") or isinstance(value, Object):
                return exactly(bool, ask("contains", number_of(self), value))
            return any(one is value or one == value for one in self)

        def __getitem__(self, key):
            return ask("getitem", number_of(self), key)

        def __setitem__(self, key, value):
            ask("setitem", number_of(self), key, value)

        def __delitem__(self, key):
            ask("delitem", number_of(self), key)

        def __reversed__(self):
            return iter(ask("reversed", number_of(self)))

        def __repr__(self):
            return exactly(str, ask("repr", number_of(self)))

        def __str__(self):
            return exactly(str, ask("str", number_of(self)))

        def __format__(self, how):
            return exactly(str, ask("format", number_of(self), how))

        def __dir__(self):
            return exactly(list, ask("dir", number_of(self)))

        def __int__(self):
            return exactly(int, ask("int", number_of(self)))

        def __index__(self):
            return exactly(int, ask("index", number_of(self)))

        def __float__(self):
            return exactly(float, ask("float", number_of(self)))

        def __complex__(self):
            return exactly(complex, ask("complex", number_of(self)))

        def __round__(self, *places):
            return derived(ask("round", number_of(self), *places), self)

        def __enter__(self):
            return ask("enter", number_of(self))

        def __exit__(self, *error):
            return ask("exit", number_of(self))

    for name in "lt le gt ge".split():
        setattr(Object, f"__{name}__", binary(name, True))
    for name in "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift".split():
        setattr(Object, f"__{name.rstrip('_')}__", binary(name))
        setattr(Object, f"__r{name.rstrip('_')}__", binary("r" + name))
    for name in "neg pos abs invert".split():
        setattr(Object, f"__{name}__", lambda self, name=name: derived(ask(name, number_of(self)), self))

    def class_of(mro, error):
        if error is not None:
            return error_of(error)
        number, name = mro[0]
        if number not in classes:
            names = {"_number": number, "_mro_numbers": frozenset(one for one, _ in mro), "__module__": "solution"}
            classes[number] = Class(str(name), (Object,), names)
        return classes[number]

    def object_of(number, kind):
        if number not in stand_ins:
            if number == 0:
                return module
            found = class_of(kind[1], None)
            made = stand_ins[number] = object.__new__(found)
            found.__init__(made, number)
        return stand_ins[number]

    def error_of(chain):
        """The class of an error, by its own name and those it derives from."""
        (place, name), *rest = chain
        if type(place) is int:
            if place not in errors:
                errors[place] = type(str(name), (error_of(rest),), {"_number": place, "__module__": "solution", "__init__": lambda self, *args, **more: None, "__str__": text_of_error, "__getattr__": attribute_of_error})
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
        return ask("get", number, name)

    def as_error(said):
        kind = error_of(said["chain"])
        text = str(said["text"])
        args = [one for one in said["args"] or [text] if type(one) in PLAIN or type(one) is int]
        try:
            error = kind(*args)
        except Exception:
            error = kind.__new__(kind)
            error.args = (text,)
        error._solution_text = text
        error._solution_line = said["line"]
        error._solution_number = said["number"]
        return error

    class SolutionModule(types.ModuleType):
        def __getattr__(self, name):
            if name == "__all__":
                return [name for name, _ in state["names"] if not name.startswith("_")]
            if name.startswith("__"):
                raise AttributeError(name)
            try:
                return own(name, ask("get", 0, name))
            except AttributeError:
                raise AttributeError(f"module 'solution' has no attribute {name!r}") from None

        def __setattr__(self, name, value):
            ask("set", 0, name, value)

        def __delattr__(self, name):
            ask("delete", 0, name)

    def own(name, value):
        """Of the library's modules that the solution imports, the tests have their own."""
        if type(value) is not Other:
            return value
        if value.name == name and name.partition(".")[0] in sys.stdlib_module_names:
            return importlib.import_module(name)
        raise AttributeError(name)

    module = types.ModuleType.__new__(SolutionModule)
    types.ModuleType.__init__(module, "solution")

    def load():
        """Lets the solution run once. Answers what keeps it from that, or None, and its names with their values."""
        loaded = ask("load", 0)
        if "problem" in loaded:
            return str(loaded["problem"])[:LONGEST_MESSAGE], {}
        state["names"] = [(name, data) for name, data in loaded["names"] if type(name) is str]
        read, space = reader(known), {}
        for name, data in state["names"]:
            if hasattr(builtins, name):
                continue
            try:
                space[name] = own(name, read(data))
            except AttributeError:
                continue
        return None, space

    return load, module
