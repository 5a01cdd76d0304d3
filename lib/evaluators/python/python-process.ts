import { readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PyodideAPI } from 'pyodide';
import { shutOffAfter, shutOffBefore } from './shut-off.ts';

/**
 * A process of its own for one evaluation of strangers' Python. `make`: loads the interpreter, writes its memory to standard
 * output and ends. `run`: takes that memory and then one request from standard input, and writes what it finds line by line.
 */
const [, , mode = 'run', pyodideFolder = ''] = process.argv;
const encoder = new TextEncoder();
await (mode === 'make' ? makeSnapshot() : serve());

async function makeSnapshot(): Promise<void> {
  const python = await load({ _makeSnapshot: true });
  const source = readFileSync(path.join(import.meta.dirname, 'harness.py'), 'utf8');
  python.runPython(`space = {"__name__": "harness"}\nexec(${JSON.stringify(source)}, space)`);
  writeAll(python.makeMemorySnapshot());
}

async function serve(): Promise<void> {
  const input = process.stdin[Symbol.asyncIterator]();
  const { exit } = process;
  let received = Buffer.alloc(0);
  const take = async (length: number) => {
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
  const request: { code: string; tests: string } = JSON.parse((await takePart()).toString('utf8'));
  shutOffAfter();
  runTests(harness, request);
  say({ type: 'done' });
  exit(0);
}

type Harness = Record<'plan' | 'load' | 'collect' | 'run', (argument: string | number) => unknown>;
type Part = { source: string; names: string[]; isHidden: boolean };

/** Visible tests first, and out of this process with their messages before the hidden ones come into the interpreter. */
function runTests(harness: Harness, { code, tests }: { code: string; tests: string }): void {
  const plan = read(harness.plan(tests));
  if (plan.problem !== null) {
    say({ type: 'unusable', problem: plan.problem });
    return;
  }
  const parts: Part[] = [
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

function runPart(harness: Harness, { source, isHidden }: Part): boolean {
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

/** What the functions of harness.py answer. */
type Answer = {
  problem: string | null;
  ofSolution: boolean;
  visible: string;
  visibleNames: string[];
  hidden: string;
  hiddenNames: string[];
  names: string[];
  outcome: string;
  message: string;
};

function read(json: unknown): Answer {
  return JSON.parse(String(json));
}

function of(made: { get(name: string): Harness['plan'] }): Harness {
  return { plan: made.get('plan'), load: made.get('load'), collect: made.get('collect'), run: made.get('run') };
}

function openHarness(python: PyodideAPI): Harness {
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

async function load(options: { _makeSnapshot?: boolean; _loadSnapshot?: Uint8Array }): Promise<PyodideAPI> {
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

function say(line: object): void {
  writeAll(encoder.encode(`${JSON.stringify(line)}\n`));
}

function writeAll(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
}
