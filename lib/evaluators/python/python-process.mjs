// Plain JavaScript, because stripping types from these two files would add a quarter to the start time of an interpreter.
// @ts-check
import { readFileSync, readSync, writeSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { shutOffAfter, shutOffBefore } from './shut-off.mjs';

/**
 * Process for one half of an evaluation of untrusted Python. `make` loads the interpreter, writes its memory to standard output and exits.
 * `run` reads that memory and then its request from standard input. A checker writes test results line by line, and its requests to the
 * solution to file descriptor 3. A candidate writes its responses to standard output.
 */
const [, , mode = 'run', pyodideFolder = ''] = process.argv;
const encoder = new TextEncoder();
const { exit } = process;
const allocate = Buffer.alloc;
const PAUSE = new Int32Array(new SharedArrayBuffer(4));
/** Source files that form one module, in this order. */
const SOURCES = ['wire.py', 'candidate.py', 'proxies.py', 'harness.py'];
/** File descriptor on which tests send requests to the solution. */
const REQUEST_DESCRIPTOR = 3;
/** Maximum total size of files created by Python, in bytes. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** Error number of ENOSPC in the interpreter. */
const NO_SPACE = 51;

await (mode === 'make' ? makeSnapshot() : serve());

async function makeSnapshot() {
  const python = await load({ _makeSnapshot: true });
  const source = SOURCES.map((name) => readFileSync(path.join(import.meta.dirname, name), 'utf8')).join('\n\n');
  // The warm-up imports modules from compressed source, which is the slowest part of a start.
  python.runPython(`space = {"__name__": "harness"}\nexec(${JSON.stringify(source)}, space)\nspace["warm_up"]()`);
  writeAll(1, python.makeMemorySnapshot());
}

async function serve() {
  const readFrame = () => readExactly(readExactly(4).readUInt32LE());
  const snapshot = readFrame();
  const python = await load({ _loadSnapshot: snapshot });
  const harness = openHarness(python);
  writeLine({ type: 'ready' });
  /** @type {{ role: 'candidate'; code: string } | { role: 'checker'; tests: string }} */
  const request = JSON.parse(readFrame().toString('utf8'));
  python.setStdin({ read: readSome });
  const descriptor = request.role === 'candidate' ? 1 : REQUEST_DESCRIPTOR;
  python.setStdout({
    write: (bytes) => {
      writeAll(descriptor, bytes);
      return bytes.length;
    },
  });
  limitFiles(python.FS);
  shutOffAfter();
  if (request.role === 'candidate') {
    harness.serve(request.code);
  } else {
    runTests(harness, request.tests);
    writeLine({ type: 'done' });
  }
  exit(0);
}

/**
 * Limits the total size of files created by Python, because they are stored outside of its memory.
 * @typedef {{ contents?: Uint8Array }} FileNode
 * @typedef {{ expandFileStorage(node: FileNode, capacity: number): void }} Storage
 * @param {{ filesystems: { MEMFS: Storage }; ErrnoError: new (code: number) => Error }} files the interpreter's file system
 */
function limitFiles(files) {
  const { MEMFS } = files.filesystems;
  const { expandFileStorage } = MEMFS;
  let total = 0;
  MEMFS.expandFileStorage = (node, capacity) => {
    const before = node.contents?.length ?? 0;
    // Storage may grow to twice its size.
    if (capacity > before && total + 2 * capacity > MAX_FILE_BYTES) throw new files.ErrnoError(NO_SPACE);
    expandFileStorage(node, capacity);
    total += (node.contents?.length ?? 0) - before;
  };
}

/**
 * @param {number} length
 * @returns {Buffer}
 */
function readExactly(length) {
  const bytes = allocate(length);
  for (let count = 0; count < length; ) {
    const read = readSome(bytes.subarray(count));
    if (read === 0) exit(0);
    count += read;
  }
  return bytes;
}

/**
 * Waits for at least one byte. Returns 0 at the end of the input.
 * @param {Uint8Array} bytes
 */
function readSome(bytes) {
  for (;;) {
    try {
      return readSync(0, bytes);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EOF') return 0;
      waitFor(error);
    }
  }
}

/**
 * Waits briefly if a pipe is not ready. Rethrows other errors.
 * @param {unknown} error
 */
function waitFor(error) {
  if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
  Atomics.wait(PAUSE, 0, 0, 1);
}

/**
 * @typedef {Record<'plan' | 'load' | 'collect' | 'run' | 'serve', (...values: (string | number)[]) => unknown>} Harness
 * @typedef {{ source: string; names: string[]; isHidden: boolean }} Part
 * @typedef {import('pyodide').PyodideAPI} PyodideAPI
 */

/**
 * Runs visible tests first and sends their results before the hidden ones run.
 * @param {Harness} harness
 * @param {string} tests
 */
function runTests(harness, tests) {
  const plan = parseResult(harness.plan(tests));
  if (plan.problem !== null) {
    writeLine({ type: 'unusable', problem: plan.problem });
    return;
  }
  /** @type {Part[]} */
  const parts = [
    { source: plan.visible, names: plan.visibleNames, isHidden: false },
    { source: plan.hidden, names: plan.hiddenNames, isHidden: true },
  ];
  writeLine({ type: 'planned', visible: plan.visibleNames, hidden: plan.hiddenNames });
  const loaded = parseResult(harness.load());
  if (loaded.problem !== null) {
    writeLine({ type: 'not_loaded', problem: loaded.problem, isHidden: false });
    return;
  }
  for (const part of parts) if (part.names.length > 0 && !runPart(harness, part)) return;
}

/**
 * @param {Harness} harness
 * @param {Part} part
 * @returns {boolean} true if the next part may run
 */
function runPart(harness, { source, isHidden }) {
  const collected = parseResult(harness.collect(source));
  if (collected.problem !== null) {
    writeLine({ type: collected.ofSolution ? 'not_loaded' : 'unusable', problem: collected.problem, isHidden });
    return false;
  }
  writeLine({ type: 'collected', names: collected.names, isHidden });
  for (const [position, name] of collected.names.entries()) {
    writeLine({ type: 'begun', name, isHidden });
    const { outcome, message } = parseResult(harness.run(position));
    writeLine({ type: 'tested', name, isHidden, outcome, message });
  }
  return true;
}

/**
 * Parsed result of a function in harness.py. It has the fields of that function only.
 * @typedef {object} HarnessResult
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
 * @returns {HarnessResult}
 */
function parseResult(json) {
  return JSON.parse(String(json));
}

/**
 * @param {{ get(name: string): Harness['plan'] }} namespace
 * @returns {Harness}
 */
function toHarness(namespace) {
  return {
    plan: namespace.get('plan'),
    load: namespace.get('load'),
    collect: namespace.get('collect'),
    run: namespace.get('run'),
    serve: namespace.get('serve'),
  };
}

/**
 * @param {PyodideAPI} python
 * @returns {Harness}
 */
function openHarness(python) {
  // Warm-up: WebAssembly code is compiled on its first run, which would count against the evaluation's time.
  python.runPython("space['warm_up']()");
  const harness = toHarness(python.runPython("space['make_harness']()"));
  python.runPython("space['remove_javascript'](); del space");
  return harness;
}

/**
 * @param {{ _makeSnapshot?: boolean; _loadSnapshot?: Uint8Array }} options
 * @returns {Promise<PyodideAPI>}
 */
async function load(options) {
  shutOffBefore();
  const { loadPyodide } = await import(pathToFileURL(path.join(pyodideFolder, 'pyodide.mjs')).href);
  const ignore = () => undefined;
  return loadPyodide({
    indexURL: `${pyodideFolder}${path.sep}`,
    jsglobals: Object.assign(Object.create(null), { setTimeout, clearTimeout }),
    stdin: () => null,
    stdout: ignore,
    stderr: ignore,
    env: { HOME: '/home', PYTHONHASHSEED: '0', _: '/' },
    ...options,
  });
}

/** @param {object} line */
function writeLine(line) {
  writeAll(1, encoder.encode(`${JSON.stringify(line)}\n`));
}

/**
 * @param {number} descriptor
 * @param {Uint8Array} bytes
 */
function writeAll(descriptor, bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      waitFor(error);
    }
  }
}
