import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from './free-port.ts';

/** Hone process started like in production, with its own port and data directory. */
export type StartedApp = {
  address: string;
  port: number;
  dataFolder: string;
  processId: number;
  /** Returns the output so far. */
  output(): string;
  /** Returns the output once it matches. Throws if the process ends first or after `limitMs`. */
  waitForOutput(pattern: RegExp, limitMs?: number): Promise<string>;
  /** Resolves with the exit code or the signal when the process has ended. */
  ended: Promise<number | NodeJS.Signals>;
  kill(signal: NodeJS.Signals): void;
  /** Sends SIGTERM, waits for the end, and deletes the data directory if this module created it. */
  stop(): Promise<void>;
};

export type StartOptions = {
  /** Project folder to start. Defaults to this project. */
  project?: string;
  /** Parent of the data directory `data`. Defaults to a new temporary folder with prepared data. */
  parentFolder?: string;
  port?: number;
  flags?: string[];
  env?: Record<string, string>;
  /** Program that starts Hone instead of the project's starter, and its working directory, which contains `data`. */
  command?: { program: string; folder: string };
  /** Timeout for the start in milliseconds. Defaults to 150 s. A build on a busy machine takes longer. */
  readyWithinMs?: number;
};

const PROJECT = path.resolve(import.meta.dirname, '..');

/** No proxy needs time to notice a shutdown. */
const NO_DELAY = { HONE_SHUTDOWN_DELAY_SECONDS: '0' };

/** Apps that are still running, for example after a failed test. */
const launched = new Set<StartedApp>();

/** Stops all running apps that this process has started. */
export async function stopLaunched(): Promise<void> {
  await Promise.all([...launched].map((app) => app.stop()));
}

/** Starts Hone and waits until it is ready. Builds the pages first if they are not built. */
export async function startApp(options: StartOptions = {}): Promise<StartedApp> {
  const app = await launchApp(options);
  await app.waitForOutput(/ready at /, options.readyWithinMs ?? 150_000);
  return app;
}

/** Starts Hone with prepared data on a fixed port, to be killed and started again with the same data. `app` is the running process. */
export async function startRestartableApp(env: Record<string, string> = {}) {
  const parentFolder = makePreparedFolder();
  const port = await freePort();
  const start = () => startApp({ parentFolder, port, env });
  const restartable = {
    app: await start(),
    /** Kills the process with SIGKILL and starts another one. `whileDown` runs in between. */
    killAndRestart: async (whileDown?: () => void) => {
      restartable.app.kill('SIGKILL');
      await restartable.app.ended;
      whileDown?.();
      restartable.app = await start();
    },
    /** Stops the process and deletes its data. */
    stop: async () => {
      await restartable.app.stop();
      rmSync(parentFolder, { recursive: true, force: true });
    },
  };
  return restartable;
}

/** Starts Hone without waiting until it is ready. */
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

/** Returns the environment without variables of the test runner or of the developer's own Hone. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const foreign =
    /^(NODE_OPTIONS|NODE_COMPILE_CACHE|PORT|APP_URL|DATABASE_URL|HONE_.*|.*_API_KEY|npm_.*|TEST_.*|PLAYWRIGHT_.*|FORCE_COLOR|NO_COLOR)$/;
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return { ...Object.fromEntries(kept), NODE_ENV: 'production' };
}

/** If running as root, PostgreSQL's own user must be able to traverse the folder. */
export function makeTemporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'hone-e2e-'));
  chmodSync(folder, 0o711);
  return folder;
}

/** Environment variable with the data directory that Playwright's global setup has prepared. */
export const PREPARED_DATA = 'TEST_PREPARED_DATA';

/** Creates a temporary folder with prepared data. */
export function makePreparedFolder(): string {
  const folder = makeTemporaryFolder();
  copyPreparedData(folder);
  return folder;
}

/** Copies the prepared data, in which the samples have run, so that a start creates no database. Does nothing outside of Playwright. */
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
      throw new Error(`Hone ended (${child.exitCode ?? child.signalCode}) before it printed ${pattern}:\n${output()}`);
    if (Date.now() > until) throw new Error(`Hone did not say ${pattern} within ${limitMs} ms:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
