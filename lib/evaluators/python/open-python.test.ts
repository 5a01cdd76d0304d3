import { statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canEnter, sandboxUser } from '#lib/system/server-user.ts';
import { openPython, type Python, startInterpreter } from './open-python.ts';

let python: Python;
/** Longest block of this process's event loop, in milliseconds. */
let longestPause = 0;
let watch: NodeJS.Timeout;
beforeAll(async () => {
  python = openPython();
  await python.run({ code: '', tests: 'def test(): pass', timeoutMs: 20_000 });
  let last = performance.now();
  watch = setInterval(() => {
    longestPause = Math.max(longestPause, performance.now() - last);
    last = performance.now();
  }, 10);
}, 180_000);
afterAll(() => {
  clearInterval(watch);
  python.close();
});

/** Returns the outcome of a single test that expects f to return 1. */
async function attempt(body: string, timeoutMs = 25_000): Promise<string> {
  const report = await python.run({
    code: `def f():\n  ${body}\n`,
    tests: 'def test_f():\n    assert f() == 1',
    timeoutMs,
  });
  if (report.type !== 'tested') return report.type;
  return report.problem ?? report.tests.map(({ outcome, message }) => `${outcome} ${message}`).join('\n');
}

type Attempt = [name: string, body: string, expected: RegExp];

/** These attempts leave no trace in the interpreter, so one run covers all of them. */
const IN_ONE: Attempt[] = [
  ['JavaScript', 'import js', /^failed ModuleNotFoundError/],
  ['pyodide_js', 'import pyodide_js', /^failed ModuleNotFoundError/],
  ['run_js', 'from pyodide.code import run_js; return run_js("process")', /^failed ModuleNotFoundError/],
  [
    'JavaScript found through the garbage collector',
    'import gc\n  found = [o for o in gc.get_objects() if type(o).__name__ == "JsProxy"]\n  return [n for o in found for n in ("process", "require", "fetch", "constructor") if hasattr(o, n) and n != "constructor"]',
    /^failed assert f\(\) == 1 \(left: \[\]/,
  ],
  ['ctypes', 'import ctypes', /^failed ModuleNotFoundError/],
  [
    'the environment',
    'import os; return sorted(k for k in os.environ if k not in ("USER", "LOGNAME", "PATH", "PWD", "HOME", "LANG", "_", "PYTHONINSPECT", "PYTHONHASHSEED", "LD_LIBRARY_PATH"))',
    /\(left: \[\]/,
  ],
  ['a system file', 'return open("/etc/passwd").read()', /^failed FileNotFoundError/],
  ['the files of Hone', 'import os; return os.listdir("/")', /left: \['tmp', 'home', 'dev', 'proc', 'lib'\]/],
  [
    'the environment of parent processes',
    'import glob; return [open(file, "rb").read() for file in glob.glob("/proc/[0-9]*/environ")]',
    /\(left: \[\]/,
  ],
  [
    'the environment of Hone',
    'import os; return open(f"/proc/{os.getppid()}/environ", "rb").read()',
    /^failed FileNotFoundError/,
  ],
  ['a socket', 'import socket; return socket.create_connection(("127.0.0.1", 80), 1)', /^failed OSError/],
  [
    'a web request',
    'import urllib.request; return urllib.request.urlopen("http://127.0.0.1")',
    /^failed (URL|OS)Error/,
  ],
  ['a program', 'import subprocess; return subprocess.run(["ls"])', /^failed OSError/],
  ['a shell', 'import os; return os.system("ls /")', /^failed assert f\(\) == 1 \(left: 32512/],
  ['a fork', 'import os; return os.fork()', /^failed OSError/],
  ['a thread', 'import threading; threading.Thread(target=print).start()', /^failed RuntimeError/],
  ['an exit', 'import sys; sys.exit(0)', /^failed SystemExit/],
  ['an unusual exception', 'raise KeyboardInterrupt', /^failed KeyboardInterrupt/],
  [
    'an exception without a representation',
    'raise type("Odd", (Exception,), {"__str__": lambda self: 1 / 0})',
    /^failed Odd/,
  ],
  [
    'a value without a representation',
    'return type("Odd", (), {"__repr__": lambda self: 1 / 0})()',
    /a value whose repr raises/,
  ],
  ['a return value of 10 MB', 'return "x" * 10**7', /^failed assert f\(\) == 1 \(left: 'x{199}…/],
  ['an exception of 10 MB', 'raise ValueError("x" * 10**7)', /^failed ValueError: x{900,}$/],
  ['an output of 10 MB', 'print("x" * 10**7); return 2', /^failed assert f\(\) == 1 \(left: 2/],
  ['endless recursion', 'return f()', /^failed RecursionError/],
];

describe('sandbox escape and denial of service in a shared module', () => {
  let outcomes: string[] = [];
  beforeAll(async () => {
    const code = IN_ONE.map(([, body], at) => `def f${at}():\n  ${body.replaceAll('f()', `f${at}()`)}\n`).join('\n');
    const tests = IN_ONE.map((_, at) => `def test_${at}():\n    f = f${at}\n    assert f() == 1\n`).join('\n');
    const report = await python.run({ code, tests, timeoutMs: 60_000 });
    outcomes =
      report.type === 'tested' ? report.tests.map(({ outcome, message }) => `${outcome} ${message}`) : [report.type];
  }, 90_000);

  test.each(IN_ONE.map(([name, , expected], at) => ({ name, expected, at })))('$name', ({ expected, at }) => {
    expect(outcomes).toHaveLength(IN_ONE.length);
    expect(outcomes[at]).toMatch(expected);
  });
});

describe('sandbox escape and denial of service', () => {
  test.each<Attempt>([
    [
      'JavaScript after removing its block',
      'import sys; del sys.modules["js"]; import js',
      /^failed ModuleNotFoundError/,
    ],
    [
      'run_js after removing all blocks',
      'import sys\n  for name in [n for n, m in sys.modules.items() if m is None]: del sys.modules[name]\n  from pyodide.code import run_js\n  return run_js("process")',
      /^failed ModuleNotFoundError: No module named 'js'/,
    ],
    [
      'importlib',
      'import importlib, sys; sys.modules.clear(); return importlib.import_module("js")',
      /^(failed|it broke)/,
    ],
    [
      'the core through the importer of built-ins',
      'import _imp, importlib.machinery as m, sys\n  sys.modules.pop("_pyodide_core")\n  core = _imp.create_builtin(m.ModuleSpec("_pyodide_core", None))\n  return hasattr(core, "process") or hasattr(core, "run_js")',
      /^failed assert f\(\) == 1 \(left: False/,
    ],
    [
      'ctypes after removing its block',
      'import sys; sys.modules.pop("ctypes"); sys.modules.pop("_ctypes"); import ctypes; return ctypes.CDLL(None).emscripten_run_script(b"process.exit(1)")',
      /^failed /,
    ],
    ['the end of the process', 'import os; os._exit(0)', /^failed it crashed the interpreter/],
    ['a memory bomb', 'return len([0] * 10**9)', /^failed MemoryError/],
    ['a slow memory bomb', 'a = []\n  while True: a.append("x" * 10**6 + str(len(a)))', /^failed (MemoryError|it )/],
    [
      'replaced builtins',
      'import builtins; builtins.AssertionError = ValueError; builtins.repr = None; return 2',
      /^failed/,
    ],
  ])(
    '%s',
    async (_name, body, expected) => {
      expect(await attempt(body)).toMatch(expected);
    },
    90_000,
  );

  test.each([
    ['an endless loop', 'while True: pass'],
    [
      'an endless loop with an except block',
      '\n  while True:\n    try:\n      while True: pass\n    except BaseException: pass',
    ],
    ['a backtracking pattern', 'import re; return re.match("(a+)+$", "a" * 60 + "!")'],
    ['a long sum', 'return 9 ** 9 ** 9 % 2'],
    ['a sleep', 'import time; time.sleep(3600)'],
  ])(
    'stops %s at the time limit',
    async (_name, body) => {
      const startedAt = performance.now();
      expect(await attempt(body, 1_500)).toBe('failed it did not finish within 1.5 s');
      expect(performance.now() - startedAt).toBeLessThan(60_000);
    },
    90_000,
  );

  test('later runs are correct and see no changes of earlier ones', async () => {
    expect(await attempt('return 1')).toBe('passed ');
    expect(await attempt('return 2')).toBe('failed assert f() == 1 (left: 2, right: 1)');
  }, 90_000);

  test('does not block this process', () => {
    expect(longestPause).toBeGreaterThan(0);
    expect(longestPause).toBeLessThan(2_000);
  });
});

const TESTS = `import unittest
LIMIT = 3
def test_adds():
    assert add(1, 2) == LIMIT
def test_bare():
    assert add(0, 1)
async def test_waits():
    assert add(1, 1) == 2, 'two'
def test_hidden_zero():
    assert add(0, 0) == 0
class TestMore(unittest.TestCase):
    def setUp(self):
        self.one = 1
    def test_one(self):
        self.assertEqual(add(self.one, 1), 2)
    @unittest.skip('later')
    def test_skipped(self):
        raise ValueError
    def test_hidden_two(self):
        self.assertEqual(add(self.one, 2), 3)
class TestHiddenRest(unittest.TestCase):
    def test_three(self):
        self.assertEqual(add(3, 0), 3)
`;

async function outcomes(code: string, tests = TESTS) {
  const report = await python.run({ code, tests, timeoutMs: 20_000 });
  if (report.type !== 'tested') return report;
  return {
    problem: report.problem,
    tests: report.tests.map(({ name, isHidden, outcome, message }) =>
      `${isHidden ? 'hidden ' : ''}${name} ${outcome} ${message}`.trim(),
    ),
  };
}

test('reports functions and test cases, visible and hidden, with their outcomes', async () => {
  expect(await outcomes('def add(a, b):\n    return a - b')).toEqual({
    problem: null,
    tests: [
      'test_adds failed assert add(1, 2) == LIMIT (left: -1, right: 3)',
      'test_bare passed',
      'test_waits failed two',
      'TestMore.test_one failed 0 != 2',
      'TestMore.test_skipped skipped later',
      'hidden test_hidden_zero passed',
      'hidden TestMore.test_hidden_two failed -1 != 3',
      'hidden TestHiddenRest.test_three passed',
    ],
  });
}, 90_000);

test('code that cannot run fails all tests; faults of the tests are reported separately', async () => {
  expect(await outcomes('def add(a, b)\n  return 1')).toMatchObject({ problem: "SyntaxError: expected ':' (line 1)" });
  expect(await outcomes('raise ValueError("no")', 'def test_x(): pass')).toEqual({
    problem: 'ValueError: no (line 1 of the solution)',
    tests: ['test_x not_run'],
  });
  expect(await outcomes('', 'from solution import add\ndef test_x(): pass')).toMatchObject({
    problem: expect.stringContaining("cannot import name 'add'"),
  });
  expect(await outcomes('', 'def test_x(:')).toEqual({
    type: 'unusable',
    problem: 'SyntaxError: invalid syntax (line 1)',
  });
  expect(await outcomes('', 'import pytest\ndef test_x(): pass')).toMatchObject({ type: 'unusable' });
}, 180_000);

// Names are an exception, because Python interns every name it reads.
test('visible tests cannot reach the expected values of hidden tests', async () => {
  const code = `import gc, sys
def look():
    frames, frame = [], sys._getframe()
    while frame:
        frames.append(str(frame.f_locals) + str(frame.f_globals))
        frame = frame.f_back
    known = [repr(o) for o in gc.get_objects() if isinstance(o, (dict, list, tuple))]
    sought = ' '.join(['the', 'secret', str(4711)])
    return sought in ''.join(frames + known)`;
  const tests =
    'def test_look():\n    assert look() == False\ndef test_hidden_it():\n    assert "the secret 4711" != 1';
  expect(await outcomes(code, tests)).toEqual({
    problem: null,
    tests: ['test_look passed', 'hidden test_hidden_it passed'],
  });
}, 90_000);

test.runIf(process.getuid?.() === 0 && process.platform === 'linux')(
  'when started by root, the Python process runs as an unprivileged user',
  () => {
    const child = startInterpreter('run');
    try {
      const { uid } = statSync(`/proc/${child.pid}`);
      const user = sandboxUser([]);
      const reachesAll = user !== null && canEnter(user, path.resolve('node_modules/pyodide'));
      expect(uid).toBe(reachesAll ? user.uid : 0);
    } finally {
      child.kill('SIGKILL');
    }
  },
);
