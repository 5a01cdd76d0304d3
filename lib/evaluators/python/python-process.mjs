// Plain JavaScript: to take the types out of these two files would be a quarter of what an interpreter costs.
// @ts-check
import { readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { shutOffAfter, shutOffBefore } from './shut-off.mjs';

/**
 * A process of its own for one evaluation of strangers' Python. `make`: loads the interpreter, writes its memory to standard
 * output and ends. `run`: takes that memory and then one request from standard input, and writes what it finds line by line.
 */
const [, , mode = 'run', pyodideFolder = ''] = process.argv;
const encoder = new TextEncoder();
await (mode === 'make' ? makeSnapshot() : serve());

async function makeSnapshot() {
  const python = await load({ _makeSnapshot: true });
  const source = readFileSync(path.join(import.meta.dirname, 'harness.py'), 'utf8');
  python.runPython(`space = {"__name__": "harness"}\nexec(${JSON.stringify(source)}, space)`);
  writeAll(python.makeMemorySnapshot());
}

async function serve() {
  const input = process.stdin[Symbol.asyncIterator]();
  const { exit } = process;
  let received = Buffer.alloc(0);
  const take = async (/** @type {number} */ length) => {
    const chunks = [received];
    for (let have = received.length; have < length; ) {
      const { value, done } = await input.next();
      if (done) exit(0);
      chunks.push(value);
      have += value.length;
    }
    const all = Buffer.concat(chunks);
    received = all.subarray(length);
    return all.subarray(0, length);
  };
  const takePart = async () => take((await take(4)).readUInt32LE());
  const snapshot = await takePart();
  const python = await load({ _loadSnapshot: snapshot });
  const harness = openHarness(python);
  say({ type: 'ready' });
  /** @type {{ code: string; tests: string }} */
  const request = JSON.parse((await takePart()).toString('utf8'));
  shutOffAfter();
  runTests(harness, request);
  say({ type: 'done' });
  exit(0);
}

/**
 * @typedef {Record<'plan' | 'load' | 'collect' | 'run', (argument: string | number) => unknown>} Harness
 * @typedef {{ source: string; names: string[]; isHidden: boolean }} Part
 * @typedef {import('pyodide').PyodideAPI} PyodideAPI
 */

/**
 * Visible tests first, and out of this process with their messages before the hidden ones come into the interpreter.
 * @param {Harness} harness
 * @param {{ code: string; tests: string }} request
 */
function runTests(harness, { code, tests }) {
  const plan = read(harness.plan(tests));
  if (plan.problem !== null) {
    say({ type: 'unusable', problem: plan.problem });
    return;
  }
  /** @type {Part[]} */
  const parts = [
    { source: plan.visible, names: plan.visibleNames, isHidden: false },
    { source: plan.hidden, names: plan.hiddenNames, isHidden: true },
  ];
  say({ type: 'planned', visible: plan.visibleNames, hidden: plan.hiddenNames });
  const loaded = read(harness.load(code));
  if (loaded.problem !== null) {
    say({ type: 'not_loaded', problem: loaded.problem, isHidden: false });
    return;
  }
  for (const part of parts) if (part.names.length > 0 && !runPart(harness, part)) return;
}

/**
 * @param {Harness} harness
 * @param {Part} part
 * @returns {boolean} whether the next part may run
 */
function runPart(harness, { source, isHidden }) {
  const collected = read(harness.collect(source));
  if (collected.problem !== null) {
    say({ type: collected.ofSolution ? 'not_loaded' : 'unusable', problem: collected.problem, isHidden });
    return false;
  }
  say({ type: 'collected', names: collected.names, isHidden });
  for (const [position, name] of collected.names.entries()) {
    say({ type: 'begun', name, isHidden });
    const { outcome, message } = read(harness.run(position));
    say({ type: 'tested', name, isHidden, outcome, message });
  }
  return true;
}

/**
 * What the functions of harness.py answer.
 * @typedef {object} Answer
 * @property {string | null} problem
 * @property {boolean} ofSolution
 * @property {string} visible
 * @property {string[]} visibleNames
 * @property {string} hidden
 * @property {string[]} hiddenNames
 * @property {string[]} names
 * @property {string} outcome
 * @property {string} message
 */

/**
 * @param {unknown} json
 * @returns {Answer}
 */
function read(json) {
  return JSON.parse(String(json));
}

/**
 * @param {{ get(name: string): Harness['plan'] }} made
 * @returns {Harness}
 */
function of(made) {
  return { plan: made.get('plan'), load: made.get('load'), collect: made.get('collect'), run: made.get('run') };
}

/**
 * @param {PyodideAPI} python
 * @returns {Harness}
 */
function openHarness(python) {
  // Once through: what runs for the first time is compiled then, and that would be the evaluation's time.
  const rehearsal = of(python.runPython("space['make_harness']()"));
  read(rehearsal.plan('def test(): pass'));
  read(rehearsal.load('def f(): return 1'));
  read(rehearsal.collect('def test():\n    assert f() == 2'));
  read(rehearsal.run(0));
  const harness = of(python.runPython("space['make_harness']()"));
  python.runPython("space['shut_bridges'](); del space");
  return harness;
}

/**
 * @param {{ _makeSnapshot?: boolean; _loadSnapshot?: Uint8Array }} options
 * @returns {Promise<PyodideAPI>}
 */
async function load(options) {
  shutOffBefore();
  const { loadPyodide } = await import(pathToFileURL(path.join(pyodideFolder, 'pyodide.mjs')).href);
  const nothing = () => undefined;
  return loadPyodide({
    indexURL: `${pyodideFolder}${path.sep}`,
    jsglobals: Object.assign(Object.create(null), { setTimeout, clearTimeout }),
    stdin: () => null,
    stdout: nothing,
    stderr: nothing,
    env: { HOME: '/home', PYTHONHASHSEED: '0', _: '/' },
    ...options,
  });
}

/** @param {object} line */
function say(line) {
  writeAll(encoder.encode(`${JSON.stringify(line)}\n`));
}

/** @param {Uint8Array} bytes */
function writeAll(bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
}
