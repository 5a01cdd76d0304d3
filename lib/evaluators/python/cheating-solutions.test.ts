import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPython, type Python } from './open-python.ts';

let python: Python;
beforeAll(async () => {
  python = openPython();
  await python.run({ code: '', tests: 'def test(): pass', timeoutMs: 20_000 });
}, 180_000);
afterAll(() => python.close());

const TESTS = `import unittest
def test_square():
    assert f(3) == 9
def test_sign():
    assert f(-2) > 3
def test_hidden_large():
    assert f(12) == 144
class TestMore(unittest.TestCase):
    def test_close(self):
        self.assertAlmostEqual(f(1.5), 2.25)
    def test_member(self):
        self.assertIn(16, [f(4)])
    def test_list(self):
        self.assertListEqual(f([1]), [1, 4])
`;

/** Returns the names of the tests that did not fail, and all tests with their outcomes. */
async function judge(code: string, tests = TESTS, timeoutMs = 20_000) {
  const report = await python.run({ code, tests, timeoutMs });
  if (report.type !== 'tested') throw new Error(JSON.stringify(report));
  const notFailed = report.tests.filter(({ outcome }) => outcome === 'passed' || outcome === 'skipped');
  return { notFailed: notFailed.map(({ name }) => name), report };
}

const EQUALS_ALL = `
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    __le__ = __gt__ = __ge__ = __lt__
    def __hash__(self): return 1
    def __sub__(self, other): return 0
    __rsub__ = __add__ = __sub__
    def __contains__(self, item): return True
    def __float__(self): return 0.0
    def __len__(self): return 0
    def __bool__(self): return True
    def __round__(self, places=None): return 0
    def __abs__(self): return 0
`;

type Cheat = [name: string, code: string];

/** These cheats do not modify the interpreter, so one run covers all of them. */
const CHEATS_IN_ONE: Cheat[] = [
  ['an object that equals everything', `class Same:${EQUALS_ALL}\ndef f(x): return Same()`],
  ...['int', 'str', 'float', 'list', 'tuple', 'dict'].map(
    (base): Cheat => [
      `a subclass of ${base} that equals everything`,
      `class Same(${base}):${EQUALS_ALL}\ndef f(x): return Same()`,
    ],
  ),
  ['unittest.mock.ANY', 'from unittest.mock import ANY\ndef f(x): return ANY'],
  ['a skipped test', 'import unittest\ndef f(x): raise unittest.SkipTest("no")'],
  ['an exit with status 0', 'import sys\ndef f(x): sys.exit(0)'],
  ['StopIteration', 'def f(x): raise StopIteration'],
];

/** Solutions without any knowledge of the task. */
const CHEATS: Cheat[] = [
  [
    'a replaced json module',
    'import json\njson.dumps = lambda found, **more: \'{"outcome": "passed", "message": "", "problem": null, "names": []}\'',
  ],
  [
    'a replaced encoder',
    'import json.encoder\njson.encoder.JSONEncoder.encode = lambda self, o: \'{"outcome": "passed", "message": ""}\'\ndef f(x): return None',
  ],
  [
    'a harness replaced through the garbage collector',
    `import gc
for o in gc.get_objects():
    if type(o).__name__ == 'function' and o.__name__ in ('run', 'run_case', 'run_function'):
        o.__code__ = (lambda: None).__code__ if not o.__closure__ else o.__code__
    if type(o).__name__ == 'cell':
        pass
    if type(o) is dict and 'run_function' in o:
        o['run_function'] = lambda test: {'outcome': 'passed', 'message': ''}
def f(x):
    for o in gc.get_objects():
        if type(o).__name__ == 'function' and o.__name__ == 'run':
            for cell in o.__closure__ or ():
                if callable(cell.cell_contents) and getattr(cell.cell_contents, '__name__', '') in ('run_case', 'run_function'):
                    cell.cell_contents = lambda test: {'outcome': 'passed', 'message': ''}
    raise ValueError`,
  ],
  [
    'a replaced list of tests',
    `import gc
def f(x):
    for o in gc.get_objects():
        if type(o) is list and o and type(o[0]) is tuple and len(o[0]) == 2 and o[0][0] == 'test_square':
            o[:] = [(name, lambda: None) for name, _ in o]
    raise ValueError`,
  ],
  [
    'expected values read from code objects',
    `import gc, sys
def f(x):
    frame = sys._getframe()
    while frame:
        for name in ('f_back',):
            code = frame.f_code
            if 'assert f' in str(code.co_consts) or code.co_name.startswith('test'):
                for value in code.co_consts:
                    if type(value) is int and value not in (x, None): return value
        frame = frame.f_back
    for o in gc.get_objects():
        if type(o).__name__ == 'function' and o.__name__.startswith('test'):
            values = [c for c in o.__code__.co_consts if type(c) in (int, float)]
            if x in values: return [v for v in values if v != x][0]`,
  ],
  [
    'expected values read from interpreter frames',
    `import sys
def f(x):
    frame = sys._getframe().f_back
    found = frame.f_locals | frame.f_globals
    values = [c for c in frame.f_code.co_consts if type(c) in (int, float) and c != x]
    return values[-1]`,
  ],
  [
    'replaced unittest helpers',
    `import unittest
for name in dir(unittest.TestCase):
    if name.startswith('assert'): setattr(unittest.TestCase, name, lambda self, *a, **k: None)
unittest.TestResult.addFailure = unittest.TestResult.addError = lambda *a: None
unittest.TestCase.run = lambda self, result=None: result
def f(x): return 0`,
  ],
  [
    'a replaced AssertionError',
    `import builtins, unittest
builtins.AssertionError = type('Quiet', (unittest.SkipTest,), {})
def f(x): raise AssertionError`,
  ],
  ['an ended process', 'import os\ndef f(x): os._exit(0)'],
  ['an immediately ended process', 'import os\nos._exit(0)'],
  ['an exit handler', 'import atexit, os\natexit.register(lambda: os.write(1, b"x"))\ndef f(x): return 0'],
  [
    'forged result lines',
    `import os, json, sys
names = ['test_square', 'test_sign', 'TestMore.test_close', 'TestMore.test_member', 'TestMore.test_list']
def f(x):
    lines = [json.dumps({'type': 'planned', 'visible': names, 'hidden': []})]
    for name in names:
        lines += [json.dumps({'type': 'begun', 'name': name, 'isHidden': False}), json.dumps({'type': 'tested', 'name': name, 'isHidden': False, 'outcome': 'passed', 'message': ''})]
    lines.append(json.dumps({'type': 'done'}))
    for fd in range(8):
        try: os.write(fd, ('\\n' + '\\n'.join(lines) + '\\n').encode())
        except OSError: pass
    return 0`,
  ],
  [
    'shadowed builtins of the tests',
    'def abs(x): return 0\ndef f(x): return 0\nclass AssertionError(Exception): pass\ndef isinstance(*a): return True\ndef type(*a): return int',
  ],
  [
    'redefined test names',
    'def f(x): return 0\ndef test_square(): pass\nclass unittest:\n  class TestCase: pass\n_format_comparison = None',
  ],
];

describe('a cheating solution passes no test in a shared module', () => {
  const numbered = (text: string, at: number) => text.replaceAll(/\b(f|Same|TestMore|test_\w+)\b/g, `$1_${at}`);
  const right = 'def f(x): return [1, 4] if isinstance(x, list) else x * x';
  const solutions = [...CHEATS_IN_ONE.map(([, code]) => code), right];
  let outcomes: { name: string; outcome: string }[] = [];
  beforeAll(async () => {
    const code = solutions.map(numbered).join('\n');
    const tests = solutions.map((_, at) => numbered(TESTS, at)).join('\n');
    const { report } = await judge(code, tests, 60_000);
    outcomes = report.tests;
  }, 120_000);

  const outcomesOf = (at: number) =>
    outcomes.filter(({ name }) => name.endsWith(`_${at}`)).map(({ outcome }) => outcome);

  test.each(CHEATS_IN_ONE.map(([name], at) => ({ name, at })))('$name', ({ at }) => {
    expect(outcomesOf(at)).toEqual(Array(6).fill('failed'));
  });

  test('a correct solution in the same module passes all', () => {
    expect(outcomesOf(CHEATS_IN_ONE.length)).toEqual(Array(6).fill('passed'));
  });
});

describe('a cheating solution passes no test', () => {
  test.each(CHEATS)(
    '%s',
    async (_name, code) => {
      expect((await judge(code)).notFailed).toEqual([]);
    },
    90_000,
  );
});

test('a solution cannot reach expected values through the arguments of the tests', async () => {
  const tests = `EXPECTED = 4711
class Node:
    def __init__(self): self.value = 1
def test_function():
    assert f(lambda: 1) == EXPECTED
def test_object():
    assert f(Node()) == EXPECTED
def test_generator():
    assert f(n for n in [1]) == EXPECTED`;
  const code = `def f(argument):
    import gc
    ways = [
        lambda: argument.__globals__['EXPECTED'],
        lambda: argument.__class__.__init__.__globals__['EXPECTED'],
        lambda: argument.gi_frame.f_globals['EXPECTED'],
        lambda: type(argument).__getattr__(argument, '__init__').__globals__['EXPECTED'],
        lambda: [o for o in gc.get_objects() if type(o) is dict and 'EXPECTED' in o][0]['EXPECTED'],
    ]
    for way in ways:
        try: return way()
        except Exception: pass`;
  expect((await judge(code, tests)).notFailed).toEqual([]);
}, 90_000);

test('tests do not use builtins that the solution shadows', async () => {
  const tests =
    'def test_near():\n    assert abs(f(2) - 4) < 0.1\ndef test_all():\n    assert len(f(3)) == 0 or all([f(1) == 1])';
  const code = 'def f(x): return 9\ndef abs(x): return 0\ndef all(x): return True\ndef len(x): return 0';
  expect((await judge(code, tests)).notFailed).toEqual([]);
}, 90_000);

test('imports a function named like a builtin, and input() raises EOFError', async () => {
  const code = 'def pow(a, b): return 7\ntry: input()\nexcept EOFError: READ = 0';
  const tests =
    'from solution import pow\ndef test_pow():\n    assert pow(2, 2) == 7\ndef test_read():\n    assert READ == 0';
  expect((await judge(code, tests)).notFailed).toEqual(['test_pow', 'test_read']);
}, 90_000);

test('files of the interpreter count as memory', async () => {
  const code = `def f(x):
    with open('/tmp/large', 'wb') as file:
        for _ in range(1200): file.write(b'x' * 2 ** 20)
    return 9`;
  expect((await judge(code, 'def test_f():\n    assert f(3) == 9', 60_000)).notFailed).toEqual([]);
}, 120_000);

/** Styles of tests and a correct solution. */
const SOLUTION = `import math
from typing import NamedTuple
from dataclasses import dataclass
from collections import Counter, deque
from enum import Enum
LIMIT = 3
class TooDeep(ValueError):
    def __init__(self, depth):
        super().__init__(f'depth {depth}')
        self.depth = depth
class Color(Enum):
    RED = 1
class Point(NamedTuple):
    x: int
    y: int
@dataclass
class Vector:
    x: float
    y: float
    def __add__(self, other): return Vector(self.x + other.x, self.y + other.y)
    def __mul__(self, by): return Vector(self.x * by, self.y * by)
    @property
    def length(self): return math.hypot(self.x, self.y)
    @classmethod
    def zero(cls): return cls(0, 0)
class Stack:
    size = 7
    def __init__(self, *items): self.items = list(items)
    def push(self, item): self.items.append(item); return self
    def pop(self):
        if not self.items: raise IndexError('empty')
        return self.items.pop()
    def __len__(self): return len(self.items)
    def __iter__(self): return iter(self.items)
    def __contains__(self, item): return item in self.items
    def __getitem__(self, at): return self.items[at]
    def __enter__(self): return self
    def __exit__(self, *error): self.items.clear()
    def __repr__(self): return f'Stack({self.items})'
def echo(x): return x
def sort_in_place(xs): xs.sort()
def fill(table): table['rows'][0].append(1)
def numbers():
    n = 0
    while True:
        yield n
        n += 1
def apply(fn, *args, **more): return fn(*args, **more)
def adder(n): return lambda x: x + n
async def later(x): return x * 2
def dive(n): raise TooDeep(n)
def parse(text):
    import json
    return json.loads(text)
def point(): return Point(1, 2)
def red(): return Color.RED
def counts(text): return Counter(text)
def total(node):
    found = 0
    while node is not None:
        found, node.seen, node = found + node.value, True, node.next
    return found
`;

const STYLES: [name: string, body: string][] = [
  ['a constant', 'assert LIMIT == 3 and solution.LIMIT == 3'],
  ['a module that the solution imports', 'assert math.floor(2.5) == 2'],
  [
    'values of all basic types',
    `import datetime, decimal, fractions
for value in (None, True, 0, -1, 10**5000, 1.5, float('inf'), 2j, '', 'é\\ud800', b'a', bytearray(b'b'), [1, [2]], (1, (2,)), {1, 2}, frozenset({3}), {'a': {1: (2,)}, (1, 2): None}, range(3), ..., datetime.date(2024, 1, 2), datetime.timedelta(1), decimal.Decimal('1.10'), fractions.Fraction(1, 3)):
    assert echo(value) == value and type(echo(value)) is type(value), repr(value)[:50]`,
  ],
  ['NaN', 'assert math.isnan(echo(float("nan")))'],
  ['a list modified in place', 'xs = [3, 1, 2]\nsort_in_place(xs)\nassert xs == [1, 2, 3]'],
  [
    'a nested list modified in place',
    'row = []\ntable = {"rows": [row]}\nfill(table)\nassert row == [1] and table["rows"][0] is row',
  ],
  ['the same list returned', 'xs = [1]\nassert echo(xs) is xs'],
  ['an endless generator', 'import itertools\nassert list(itertools.islice(numbers(), 4)) == [0, 1, 2, 3]'],
  ['a function defined by the tests', 'assert apply(lambda a, b=1: a + b, 2, b=5) == 7 and apply(len, "abc") == 3'],
  [
    'an error in a function of the tests',
    'def bad(): raise KeyError("k")\nwith case.assertRaises(KeyError): apply(bad)',
  ],
  ['a returned function', 'assert adder(2)(3) == 5 and apply(adder(1), 1) == 2'],
  [
    'an async function',
    'async def go(): return await later(2)\ntry: go().send(None)\nexcept StopIteration as end: assert end.value == 4',
  ],
  ['a built-in exception', 'with case.assertRaises(TypeError): echo()'],
  [
    'an exception of the solution',
    'with case.assertRaises(TooDeep) as caught: dive(3)\nassert str(caught.exception) == "depth 3" and caught.exception.depth == 3 and isinstance(caught.exception, ValueError)',
  ],
  ['an exception of the library', 'import json\nwith case.assertRaises(json.JSONDecodeError): parse("{")'],
  [
    'an object',
    's = Stack(1)\ns.push(2).push(3)\nassert len(s) == 3 and s.pop() == 3 and list(s) == [1, 2] and 2 in s and 9 not in s and s[0] == 1 and s.items == [1, 2] and repr(s) == "Stack([1, 2])"\nassert isinstance(s, Stack) and Stack.size == 7 and bool(Stack()) is False\nwith case.assertRaises(IndexError): Stack().pop()\nwith s as t: assert t is s\nassert len(s) == 0',
  ],
  [
    'objects with overloaded operators',
    'v = (Vector(1, 2) + Vector(2, 2)) * 2\nassert v == Vector(6, 8) and v.length == 10 and Vector(1, 2) != Vector(2, 1) and Vector.zero().x == 0',
  ],
  ['a set attribute', 'v = Vector(1, 2)\nv.x = 4\nassert v.x == 4'],
  ['a named tuple', 'assert point() == (1, 2) and point() == Point(1, 2) and point().x == 1'],
  ['an enum member', 'assert red() == Color.RED and red() is Color.RED'],
  [
    'an object of the tests',
    'class Node:\n    def __init__(self, value, next=None): self.value, self.next = value, next\nhead = Node(1, Node(2))\nassert total(head) == 3 and head.next.seen and echo(head) is head',
  ],
  ['a counter', 'assert counts("aab") == {"a": 2, "b": 1} and counts("a").most_common(1) == [("a", 1)]'],
  [
    'a patched part of the solution',
    'from unittest import mock\nwith mock.patch("solution.echo", lambda x: 5): assert solution.echo(1) == 5\nassert solution.echo(1) == 1',
  ],
];

describe('supported test styles', () => {
  let messages = new Map<string, string>();
  beforeAll(async () => {
    const indent = (body: string) =>
      body
        .split('\n')
        .map((line) => `    ${line}\n`)
        .join('');
    const tests = STYLES.map(([, body], at) => `def test_${at}():\n${indent(body)}`).join('\n');
    const { report } = await judge(SOLUTION, `import solution, unittest\ncase = unittest.TestCase()\n${tests}`);
    messages = new Map(report.tests.map(({ name, outcome, message }) => [name, `${outcome} ${message}`]));
    if (report.problem !== null) throw new Error(report.problem);
  }, 120_000);
  test.each(STYLES.map(([name], at) => ({ name, at })))('$name', ({ at }) => {
    expect(messages.get(`test_${at}`)).toBe('passed ');
  });
});
