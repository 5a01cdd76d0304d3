import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from './free-port.ts';

/** A real Hone, started as people start it, on a port and a data folder of its own. */
export type StartedApp = {
  address: string;
  port: number;
  dataFolder: string;
  processId: number;
  /** What it has printed so far. */
  output(): string;
  /** Answers with the output when it matches; throws when the process ends before or after `limitMs`. */
  waitForOutput(pattern: RegExp, limitMs?: number): Promise<string>;
  /** Settles when the process has ended: its exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
  kill(signal: NodeJS.Signals): void;
  /** SIGTERM, waits for the end, removes the data folder if it was made here. */
  stop(): Promise<void>;
};

export type StartOptions = {
  /** Of the project to start; this one without. */
  project?: string;
  /** The data folder is `data` in it; a new temporary one with prepared data without. */
  parentFolder?: string;
  port?: number;
  flags?: string[];
  env?: Record<string, string>;
  /** A program that starts Hone in place of the project's starter, and the folder it is started in, whose `data` is the data folder. */
  command?: { program: string; folder: string };
  /** How long it may take to be ready, in milliseconds; 150 s without. A build on a busy machine takes longer. */
  readyWithinMs?: number;
};

const PROJECT = path.resolve(import.meta.dirname, '..');

/** No proxy has to notice that one of them ends. */
const NO_DELAY = { HONE_SHUTDOWN_DELAY_SECONDS: '0' };

/** What a failed test has left running. */
const launched = new Set<StartedApp>();

/** Ends every app that this process has started and that still runs. */
export async function stopLaunched(): Promise<void> {
  await Promise.all([...launched].map((app) => app.stop()));
}

/** Starts and answers when it says that it is ready. The pages must have been built before, else this builds them first. */
export async function startApp(options: StartOptions = {}): Promise<StartedApp> {
  const app = await launchApp(options);
  await app.waitForOutput(/ready at /, options.readyWithinMs ?? 150_000);
  return app;
}

/** Starts and answers at once. */
export async function launchApp({
  project = PROJECT,
  command,
  parentFolder = command?.folder,
  port,
  flags = [],
  env = {},
}: StartOptions = {}): Promise<StartedApp> {
  const folder = parentFolder ?? (env.DATABASE_URL === undefined ? makePreparedFolder() : makeTemporaryFolder());
  const usedPort = port ?? (await freePort());
  const [program, args, cwd] =
    command === undefined
      ? [process.execPath, [path.join(project, 'lib/server/start.mjs')], project]
      : [command.program, [], command.folder];
  const child = spawn(program, [...args, ...flags], {
    cwd,
    env: {
      ...cleanEnvironment(),
      PORT: String(usedPort),
      ...(command === undefined && { HONE_DATA_DIR: path.join(folder, 'data') }),
      ...NO_DELAY,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<number | NodeJS.Signals>((resolve) =>
    child.on('close', (code, signal) => resolve(code ?? signal ?? 0)),
  );
  const app: StartedApp = {
    address: `http://127.0.0.1:${usedPort}`,
    port: usedPort,
    dataFolder: path.join(folder, 'data'),
    processId: child.pid ?? 0,
    output: () => output,
    waitForOutput: (pattern, limitMs = 30_000) => waitForOutput(child, () => output, pattern, limitMs),
    ended,
    kill: (signal) => void child.kill(signal),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      if (parentFolder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
  launched.add(app);
  void ended.then(() => launched.delete(app));
  return app;
}

/** Nothing that the tests' own runner or the person set for another Hone. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const foreign =
    /^(NODE_OPTIONS|PORT|APP_URL|DATABASE_URL|HONE_.*|.*_API_KEY|npm_.*|TEST_.*|PLAYWRIGHT_.*|FORCE_COLOR|NO_COLOR)$/;
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return { ...Object.fromEntries(kept), NODE_ENV: 'production' };
}

/** As root, PostgreSQL's own user must be able to pass through. */
export function makeTemporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'hone-e2e-'));
  chmodSync(folder, 0o711);
  return folder;
}

/** The variable with the data directory that Playwright's global setup has prepared. */
export const PREPARED_DATA = 'TEST_PREPARED_DATA';

/** A temporary folder with prepared data in it. */
export function makePreparedFolder(): string {
  const folder = makeTemporaryFolder();
  copyPreparedData(folder);
  return folder;
}

/** Makes the data directory that of a Hone whose samples have run, so that a start makes no database. Does nothing outside of Playwright. */
export function copyPreparedData(parentFolder: string): void {
  const prepared = process.env[PREPARED_DATA];
  if (prepared !== undefined) execFileSync('cp', ['-a', prepared, path.join(parentFolder, 'data')]);
}

async function waitForOutput(
  child: ChildProcess,
  output: () => string,
  pattern: RegExp,
  limitMs: number,
): Promise<string> {
  const until = Date.now() + limitMs;
  for (;;) {
    if (pattern.test(output())) return output();
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (hasEnded)
      throw new Error(`Hone ended (${child.exitCode ?? child.signalCode}) before it said ${pattern}:\n${output()}`);
    if (Date.now() > until) throw new Error(`Hone did not say ${pattern} within ${limitMs} ms:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
