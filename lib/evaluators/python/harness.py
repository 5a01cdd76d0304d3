"""Runs unit tests on a solution that is in another interpreter: of it there are stand-ins here, and none of its code.

Each function takes and gives texts only: nothing of JavaScript is ever handed in.
"""

import importlib
import inspect
import io
import os
import unittest

LONGEST_VALUE = 200


class _Asserts(ast.NodeTransformer):
    """Gives each bare assert a message that says what the two sides were."""

    def __init__(self):
        self.count = 0

    def visit_Assert(self, node):
        if node.msg is not None:
            return node
        text = ast.unparse(node)
        if not isinstance(node.test, ast.Compare) or len(node.test.ops) != 1:
            return self._placed(ast.Assert(node.test, ast.Constant(text)), node)
        self.count += 1
        left, right = f"_left_{self.count}", f"_right_{self.count}"
        said = ast.Call(
            ast.Name("_say", ast.Load()),
            [ast.Constant(text), ast.Name(left, ast.Load()), ast.Name(right, ast.Load())],
            [],
        )
        test = ast.Compare(ast.Name(left, ast.Load()), node.test.ops, [ast.Name(right, ast.Load())])
        return [
            self._placed(ast.Assign([ast.Name(left, ast.Store())], node.test.left), node),
            self._placed(ast.Assign([ast.Name(right, ast.Store())], node.test.comparators[0]), node),
            self._placed(ast.Assert(test, said), node),
        ]

    def _placed(self, new, old):
        return ast.fix_missing_locations(ast.copy_location(new, old))


def _is_function(node):
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))


def _is_test(node):
    return _is_function(node) and node.name.startswith("test")


def _is_hidden(node):
    return node.name.startswith("test_hidden")


def _part(tree, hidden):
    """The module without the tests of the other part, and the names of its own."""
    body, names = [], []
    for node in tree.body:
        if _is_test(node):
            if _is_hidden(node) == hidden:
                body.append(node)
                names.append(node.name)
        elif isinstance(node, ast.ClassDef):
            all_hidden = node.name.startswith("TestHidden")
            kept, of_class = [], []
            for member in node.body:
                if not _is_test(member):
                    kept.append(member)
                elif (all_hidden or _is_hidden(member)) == hidden:
                    kept.append(member)
                    of_class.append(f"{node.name}.{member.name}")
            names += of_class
            if of_class or not (all_hidden or any(_is_test(member) for member in node.body)):
                body.append(ast.ClassDef(node.name, node.bases, node.keywords, kept or [ast.Pass()], node.decorator_list, []))
        else:
            body.append(node)
    part = ast.Module(body, [])
    return ast.unparse(ast.fix_missing_locations(part)), names


def make_harness():
    parse, dumps = ast.parse, json.dumps
    load_solution, solution = make_solution(os.write, os.read)
    exported = {}
    tests = []

    def shown(value):
        try:
            text = repr(value)
        except BaseException as error:
            text = f"<a value whose repr raises {type(error).__name__}>"
        return text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + "…"

    def say(text, left, right):
        return f"{text} (left: {shown(left)}, right: {shown(right)})"

    def plan(source):
        """Parts the tests; answers both sources and all names."""
        try:
            tree = parse(source, "tests.py")
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return dumps({"problem": told(error)})
        visible, visible_names = _part(tree, False)
        hidden, hidden_names = _part(tree, True)
        return dumps({"problem": None, "visible": visible, "visibleNames": visible_names, "hidden": hidden, "hiddenNames": hidden_names})

    def load():
        """Lets the solution run once, as a module."""
        sys.modules["solution"] = solution
        try:
            problem, names = load_solution()
        except BaseException as error:
            return dumps({"problem": told(error)})
        exported.update(names)
        return dumps({"problem": problem})

    def collect(source):
        """Runs the module of the tests; answers their names in order."""
        tests.clear()
        space = exported | {"__name__": "tests", "__builtins__": builtins, "_say": say}
        tree = ast.fix_missing_locations(_Asserts().visit(parse(source, "tests.py")))
        before = set(map(id, space.values()))
        try:
            exec(compile(tree, "tests.py", "exec"), space)
        except BaseException as error:
            own = isinstance(error, (NameError, AttributeError)) or (isinstance(error, ImportError) and error.name == "solution")
            return dumps({"problem": told(error), "ofSolution": own})
        for name, value in list(space.items()):
            if id(value) in before:
                continue
            if isinstance(value, type) and issubclass(value, unittest.TestCase):
                for method in unittest.defaultTestLoader.getTestCaseNames(value):
                    tests.append((f"{name}.{method}", value(method)))
            elif name.startswith("test") and callable(value) and not isinstance(value, type):
                tests.append((name, value))
        return dumps({"problem": None, "names": [name for name, _ in tests]})

    def run_case(case):
        result = unittest.TestResult()
        unittest.TestSuite([case]).run(result)
        if result.skipped:
            return {"outcome": "skipped", "message": result.skipped[0][1][:LONGEST_MESSAGE]}
        for _, trace in result.failures + result.errors:
            return {"outcome": "failed", "message": last_line(trace)}
        if result.unexpectedSuccesses:
            return {"outcome": "failed", "message": "it was expected to fail"}
        return {"outcome": "passed", "message": ""}

    def last_line(trace):
        """What follows the frames of a printed traceback."""
        lines = trace.strip().splitlines()
        start = max((at for at, line in enumerate(lines) if line.startswith("  ")), default=-1) + 1
        text = " ".join(line.strip() for line in lines[start:] if line.strip())
        return text.removeprefix("AssertionError: ")[:LONGEST_MESSAGE] or "it failed"

    def run_function(test):
        made = test()
        if inspect.iscoroutine(made) or inspect.isgenerator(made):
            try:
                made.send(None)
            except StopIteration:
                return {"outcome": "passed", "message": ""}
            made.close()
            return {"outcome": "failed", "message": "it waits, and there is nothing to wait for here"}
        return {"outcome": "passed", "message": ""}

    def run(position):
        """Runs one collected test."""
        test = tests[position][1]
        try:
            found = run_case(test) if isinstance(test, unittest.TestCase) else run_function(test)
        except unittest.SkipTest as error:
            found = {"outcome": "skipped", "message": told(error)}
        except BaseException as error:
            found = {"outcome": "failed", "message": told(error)}
        return dumps(found)

    return {"plan": plan, "load": load, "collect": collect, "run": run, "serve": serve}


def rehearse():
    """Runs a test, so that what tests need is imported and compiled."""
    harness = make_harness()
    harness["plan"]("def test(): pass")
    harness["collect"]("def test():\n    assert len([]) == 2")
    harness["run"](0)


class _Nowhere(io.TextIOBase):
    """Takes what is printed, at no cost."""

    def writable(self):
        return True

    def write(self, text):
        return len(text)


def serve(code):
    """Runs a solution instead, for the tests of another interpreter."""
    serve_candidate(code, os.write, os.read)


def shut_bridges():
    """Takes away what leads from Python to JavaScript. What JavaScript itself could do is taken away on its own side."""
    from _pyodide import _importhook

    sys.stdout = sys.__stdout__ = sys.stderr = sys.__stderr__ = _Nowhere()
    sys.stdin = sys.__stdin__ = io.StringIO()

    _importhook.jsfinder.jsproxies.clear()
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _importhook.JsFinder)]
    for name in list(sys.modules):
        if name.partition(".")[0] in ("js", "pyodide_js", "pyodide", "_pyodide", "_pyodide_core", "ctypes", "_ctypes"):
            sys.modules[name] = None
    for name in ("js", "pyodide_js", "pyodide", "_pyodide", "_pyodide_core", "ctypes", "_ctypes", "micropip"):
        sys.modules[name] = None

