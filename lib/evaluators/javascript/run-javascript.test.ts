import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runJavascript } from './run-javascript.ts';

const GIVEN = { output: 'four', input: 'Count.', reference: '4', metadata: { most: 9 } };

function run(code: string, given: unknown = GIVEN) {
  return runJavascript({ code, argument: JSON.stringify(given) });
}

/** Longest block of this thread's event loop, in milliseconds. */
let longestPause = 0;
let watch: NodeJS.Timeout;
beforeAll(() => {
  let last = performance.now();
  watch = setInterval(() => {
    longestPause = Math.max(longestPause, performance.now() - last);
    last = performance.now();
  }, 10);
});
afterAll(() => clearInterval(watch));

test.each([
  ['a function', 'function evaluate({ output }) { return output.length / 8; }', '0.5'],
  ['a constant', 'const evaluate = ({ metadata }) => metadata.most === 9', 'true'],
  [
    'an async function',
    "async function evaluate({ reference }) { return [await false, 'not ' + reference]; }",
    '[false,"not 4"]',
  ],
  ['a helper function', 'const half = (n) => n / 2; let evaluate = () => half(1);', '0.5'],
  ['a regular expression', 'const evaluate = ({ input }) => /^c.+\\.$/iu.test(input)', 'true'],
  ['no return value', 'function evaluate() {}', null],
  ['a returned function', 'const evaluate = () => evaluate', null],
  [
    'numbers without a JSON form',
    'const evaluate = () => [NaN, -Infinity, 7n]',
    '[{"notFinite":"NaN"},{"notFinite":"-Infinity"},"7"]',
  ],
])('%s', async (_name, code, json) => {
  expect(await run(code)).toEqual({ type: 'returned', json });
});

test('passes any text in and out unchanged', async () => {
  const output = 'a\u0000b "\\ \ud800 島 🏝️ \u2028';
  const answer = await run('const evaluate = ({ output }) => [output, output.length]', { output });
  expect(answer).toEqual({ type: 'returned', json: JSON.stringify([output, output.length]) });
});

describe('sandbox escape and denial of service', () => {
  const returns = (value: unknown) => ({ type: 'returned', json: JSON.stringify(value) });
  const evaluate = (body: string) => `function evaluate({ output }) { ${body} }`;
  test.each<[string, string, unknown]>([
    ['an endless loop', evaluate('for (;;) {}'), { type: 'out_of_time' }],
    ['an endless loop outside of the function', 'for (;;) {}', { type: 'out_of_time' }],
    [
      'an endless loop with a catch block',
      evaluate('for (;;) { try { for (;;) {} } catch {} finally { continue; } }'),
      { type: 'out_of_time' },
    ],
    ['an endless promise chain', 'async function evaluate() { for (;;) await 0; }', { type: 'out_of_time' }],
    [
      'a promise that never settles',
      evaluate('return new Promise(() => {});'),
      { type: 'threw', message: 'It returned a promise that never settles.' },
    ],
    ['a loop in a built-in function', evaluate('return new Array(2 ** 31).join("x");'), { type: 'out_of_time' }],
    ['a loop during loading', evaluate('return { get score() { for (;;) {} } };'), { type: 'out_of_time' }],
    ['a backtracking pattern', evaluate('return /^(a+)+$/.test("a".repeat(60) + "!");'), { type: 'out_of_time' }],
    [
      'a memory bomb',
      evaluate('const all = []; for (;;) all.push(new Array(10_000).fill(1));'),
      { type: expect.stringMatching(/^out_of_(memory|time)$/) },
    ],
    ['a single large buffer', evaluate('return new ArrayBuffer(2 ** 30).byteLength;'), { type: 'out_of_memory' }],
    [
      'many buffers of 1 MB',
      evaluate(
        'const all = []; try { for (;;) all.push(new ArrayBuffer(2 ** 20)); } catch {} const { length } = all; all.length = 0; return length <= 80;',
      ),
      returns(true),
    ],
    ['a growing string', evaluate('return "a".padEnd(1_000_000_000);'), { type: 'out_of_memory' }],
    [
      'endless recursion',
      evaluate('return evaluate({});'),
      { type: 'threw', message: expect.stringContaining('stack overflow') },
    ],
    [
      'a deeply nested value',
      evaluate('return JSON.parse("[".repeat(1_000_000));'),
      { type: 'threw', message: expect.stringContaining('stack overflow') },
    ],
    ['a return value of 10 MB', evaluate('return "x".repeat(10_000_000);'), { type: 'too_large' }],
    [
      'a thrown value of 10 MB',
      evaluate('throw "x".repeat(10_000_000);'),
      { type: 'threw', message: `It threw ${'x'.repeat(1_991)}` },
    ],
    [
      'a circular value',
      evaluate('const a = {}; a.a = a; return a;'),
      { type: 'threw', message: expect.stringContaining('circular') },
    ],
    ['a thrown null', evaluate('throw null;'), { type: 'threw', message: 'It threw null' }],
    ['a thrown undefined', evaluate('throw undefined;'), { type: 'threw', message: 'It threw undefined' }],
    ['a thrown symbol', evaluate('throw Symbol("s");'), { type: 'threw', message: 'It threw Symbol(s)' }],
    [
      'an error whose getter throws',
      evaluate('throw { get message() { throw 1; } };'),
      { type: 'threw', message: 'It threw a value that cannot be read.' },
    ],
    ['an error', evaluate('\n\nthrow new TypeError("no");'), { type: 'threw', message: 'TypeError: no (line 3)' }],
    [
      'prototype pollution',
      evaluate(
        '({}).__proto__.polluted = 1; Array.prototype.map = null; Object.prototype.toJSON = () => 0.5; return {};',
      ),
      returns(0.5),
    ],
    [
      'replaced built-ins',
      'JSON.stringify = () => "1"; JSON.parse = () => ({ output: "" }); String = null; const evaluate = ({ output }) => output;',
      returns('four'),
    ],
    [
      'file access',
      'const evaluate = async () => (await import("node:fs")).readFileSync("/etc/passwd");',
      { type: 'threw', message: expect.stringContaining('could not load module') },
    ],
    [
      'a Node.js module',
      'import std from "std"; const evaluate = () => 1;',
      { type: 'syntax_error', message: expect.any(String), line: 1 },
    ],
    [
      'the host: process, environment, files, network, clock and random numbers',
      evaluate(`return ['process', 'require', 'module', 'fetch', 'XMLHttpRequest', 'WebSocket', 'setTimeout', 'queueMicrotask', 'WebAssembly', 'Date',
        'performance', 'crypto', 'console', 'std', 'os', 'bjson', 'scriptArgs', 'print', 'load', 'Worker', 'parentPort', 'navigator', 'Intl', 'Temporal']
        .filter((name) => name in globalThis).concat(typeof Math.random);`),
      returns(['undefined']),
    ],
    [
      'the host through constructors',
      evaluate('return evaluate.constructor.constructor("return typeof process + typeof globalThis.parentPort")();'),
      returns('undefinedundefined'),
    ],
    [
      'the host through an error',
      evaluate('try { null.x } catch (error) { return error.constructor.constructor("return typeof process")(); }'),
      returns('undefined'),
    ],
  ])('%s does not affect the next call', async (_name, code, expected) => {
    expect(await run(code)).toEqual(expected);
    expect(await run('const evaluate = ({ output }) => output.length')).toEqual(returns(4));
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('queues many concurrent calls and loses none', async () => {
    const codes = Array.from({ length: 12 }, (_, position) =>
      position % 4 === 0 ? 'const evaluate = () => { for (;;) {} }' : `const evaluate = () => ${position}`,
    );
    const answers = await Promise.all(codes.map((code) => run(code)));
    expect(answers).toEqual(
      codes.map((_, position) => (position % 4 === 0 ? { type: 'out_of_time' } : returns(position))),
    );
  });

  test('does not block this thread', () => {
    expect(longestPause).toBeGreaterThan(0);
    expect(longestPause).toBeLessThan(900);
  });
});

describe('code that is checked but not run', () => {
  test.each<[string, string, unknown]>([
    ['is valid', 'function evaluate() { return 1; }', { type: 'checked' }],
    ['is not executed', 'function evaluate() { for (;;) {} }', { type: 'checked' }],
    ['defines another function', 'function score() { return 1; }', { type: 'no_function' }],
    ['defines no function', 'const evaluate = 1;', { type: 'no_function' }],
    ['is empty', '', { type: 'no_function' }],
    [
      'has a syntax error',
      'function evaluate() {\n  return 1 +;\n}',
      { type: 'syntax_error', message: expect.stringContaining('SyntaxError'), line: 2 },
    ],
    ['throws on load', 'undefined.x;', { type: 'threw', message: expect.stringContaining('TypeError') }],
    ['is a module', 'export default () => 1', { type: 'syntax_error', message: expect.any(String), line: 1 }],
  ])('%s', async (_name, code, expected) => {
    expect(await runJavascript({ code, argument: null })).toEqual(expected);
  });
});
