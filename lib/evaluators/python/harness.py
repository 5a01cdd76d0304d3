"""Runs unit tests on a solution in another interpreter. This one contains only proxies of its objects, and none of its code.

All functions accept and return text only, so that no JavaScript object reaches Python.
"""

import importlib
import inspect
import io
import os
import unittest

MAX_VALUE_LENGTH = 200


class _Asserts(ast.NodeTransformer):
    """Adds a message with the compared values to each assert that has none."""

    def __init__(self):
        self.count = 0

    def visit_Assert(self, node):
        if node.msg is not None:
            return node
        text = ast.unparse(node)
        if not isinstance(node.test, ast.Compare) or len(node.test.ops) != 1:
            return self._locate(ast.Assert(node.test, ast.Constant(text)), node)
        self.count += 1
        left, right = f"_left_{self.count}", f"_right_{self.count}"
        message = ast.Call(
            ast.Name("_format_comparison", ast.Load()),
            [ast.Constant(text), ast.Name(left, ast.Load()), ast.Name(right, ast.Load())],
            [],
        )
        test = ast.Compare(ast.Name(left, ast.Load()), node.test.ops, [ast.Name(right, ast.Load())])
        return [
            self._locate(ast.Assign([ast.Name(left, ast.Store())], node.test.left), node),
            self._locate(ast.Assign([ast.Name(right, ast.Store())], node.test.comparators[0]), node),
            self._locate(ast.Assert(test, message), node),
        ]

    def _locate(self, new, old):
        return ast.fix_missing_locations(ast.copy_location(new, old))


def _is_function(node):
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))


def _is_test(node):
    return _is_function(node) and node.name.startswith("test")


def _is_hidden(node):
    return node.name.startswith("test_hidden")


def _select_tests(tree, hidden):
    """Returns the module with only its visible or only its hidden tests, and the names of these tests."""
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

    def format_value(value):
        try:
            text = repr(value)
        except BaseException as error:
            text = f"<a value whose repr raises {type(error).__name__}>"
        return text if len(text) <= MAX_VALUE_LENGTH else text[:MAX_VALUE_LENGTH] + "…"

    def format_comparison(text, left, right):
        return f"{text} (left: {format_value(left)}, right: {format_value(right)})"

    def plan(source):
        """Splits the tests into visible and hidden ones. Returns the source and the test names of each part."""
        try:
            tree = parse(source, "tests.py")
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return dumps({"problem": format_error(error)})
        visible, visible_names = _select_tests(tree, False)
        hidden, hidden_names = _select_tests(tree, True)
        return dumps({"problem": None, "visible": visible, "visibleNames": visible_names, "hidden": hidden, "hiddenNames": hidden_names})

    def load():
        """Runs the solution once, as a module."""
        sys.modules["solution"] = solution
        try:
            problem, names = load_solution()
        except BaseException as error:
            return dumps({"problem": format_error(error)})
        exported.update(names)
        return dumps({"problem": problem})

    def collect(source):
        """Runs the test module. Returns the names of its tests in order."""
        tests.clear()
        space = exported | {"__name__": "tests", "__builtins__": builtins, "_format_comparison": format_comparison}
        tree = ast.fix_missing_locations(_Asserts().visit(parse(source, "tests.py")))
        before = set(map(id, space.values()))
        try:
            exec(compile(tree, "tests.py", "exec"), space)
        except BaseException as error:
            is_of_solution = isinstance(error, (NameError, AttributeError)) or (isinstance(error, ImportError) and error.name == "solution")
            return dumps({"problem": format_error(error), "ofSolution": is_of_solution})
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
            return {"outcome": "skipped", "message": result.skipped[0][1][:MAX_MESSAGE_LENGTH]}
        for _, trace in result.failures + result.errors:
            return {"outcome": "failed", "message": last_line(trace)}
        if result.unexpectedSuccesses:
            return {"outcome": "failed", "message": "it was expected to fail"}
        return {"outcome": "passed", "message": ""}

    def last_line(trace):
        """Returns the error message at the end of a printed traceback."""
        lines = trace.strip().splitlines()
        start = max((at for at, line in enumerate(lines) if line.startswith("  ")), default=-1) + 1
        text = " ".join(line.strip() for line in lines[start:] if line.strip())
        return text.removeprefix("AssertionError: ")[:MAX_MESSAGE_LENGTH] or "it failed"

    def run_function(test):
        returned = test()
        if inspect.iscoroutine(returned) or inspect.isgenerator(returned):
            try:
                returned.send(None)
            except StopIteration:
                return {"outcome": "passed", "message": ""}
            returned.close()
            return {"outcome": "failed", "message": "it awaits something, but there is no event loop"}
        return {"outcome": "passed", "message": ""}

    def run(position):
        """Runs one collected test."""
        test = tests[position][1]
        try:
            found = run_case(test) if isinstance(test, unittest.TestCase) else run_function(test)
        except unittest.SkipTest as error:
            found = {"outcome": "skipped", "message": format_error(error)}
        except BaseException as error:
            found = {"outcome": "failed", "message": format_error(error)}
        return dumps(found)

    return {"plan": plan, "load": load, "collect": collect, "run": run, "serve": serve}


def warm_up():
    """Runs a sample test to import and compile everything that tests need."""
    harness = make_harness()
    harness["plan"]("def test(): pass")
    harness["collect"]("def test():\n    assert len([]) == 2")
    harness["run"](0)


class _NullOutput(io.TextIOBase):
    """Discards everything printed."""

    def writable(self):
        return True

    def write(self, text):
        return len(text)


def serve(code):
    """Runs a solution for the tests of another interpreter."""
    serve_candidate(code, os.write, os.read)


def remove_javascript():
    """Removes all access from Python to JavaScript. See shut-off.mjs for the restrictions on the JavaScript side."""
    from _pyodide import _importhook

    sys.stdout = sys.__stdout__ = sys.stderr = sys.__stderr__ = _NullOutput()
    sys.stdin = sys.__stdin__ = io.StringIO()

    _importhook.jsfinder.jsproxies.clear()
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _importhook.JsFinder)]
    for name in list(sys.modules):
        if name.partition(".")[0] in ("js", "pyodide_js", "pyodide", "_pyodide", "_pyodide_core", "ctypes", "_ctypes"):
            sys.modules[name] = None
    for name in ("js", "pyodide_js", "pyodide", "_pyodide", "_pyodide_core", "ctypes", "_ctypes", "micropip"):
        sys.modules[name] = None

