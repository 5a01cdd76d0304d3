import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StartGate } from '#lib/auth/start-token.ts';
import { productVersion } from '#lib/context/product-version.ts';
import { setRunningApp } from '#lib/context/running-app.ts';
import { runShutdownHooks } from '#lib/context/shutdown-hooks.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Environment } from '#lib/environment.ts';
import { getLog, setLog } from '#lib/log/log.ts';
import { isPackage, project } from '#lib/system/installation.mjs';
import { PROGRAMS_HOME, programIsolation } from '#lib/system/isolate-program.ts';
import { otherLogins } from '#lib/system/server-user.ts';
import { getWorkerState, getWorkerTrouble } from '#lib/worker/worker-state.ts';
import { buildPages } from './build-pages.ts';
import { lockDataFolder } from './data-folder-lock.ts';
import { prepareDataFolder, readEnvironment, readSecret, readStartToken } from './environment-files.ts';
import { generateClient } from './generate-client.mjs';
import { type Ending, handleSignals, settleOrLeave } from './handle-signals.ts';
import { hostInAddress, servePages } from './serve-pages.ts';
import { StartFailure, valueOrFail } from './start-failure.ts';

/**
 * From nothing to serving. `--worker`: only performs runs; `--dev`: for work on Hone; `--build`: only builds; `--demo`: the sample
 * loop in the terminal.
 */
export async function start(flags: string[]): Promise<never> {
  const ending = handleSignals(say);
  try {
    await settleOrLeave(run(flags, ending), ending.signal, 3000);
  } catch (error) {
    if (ending.signal.aborted) return ending.finish(0);
    if (error instanceof StartFailure) console.error(`\n${error.message}\n`);
    else getLog().error('the start failed', error);
    return ending.finish(1);
  }
  return ending.finish(0);
}

/** Answers when there is nothing left to do. */
async function run(flags: string[], ending: Ending): Promise<void> {
  const dev = flags.includes('--dev');
  // Next sets up itself by these, so they stand before it is loaded.
  Object.assign(process.env, { NODE_ENV: dev ? 'development' : 'production', NEXT_TELEMETRY_DISABLED: '1' });
  const environment = readEnvironment();
  if (environment.log === 'json') await logAsJson();
  const { logRefusals } = await import('./log-refusals.ts');
  logRefusals(getLog());
  if (!isPackage) await generateClient(ending.signal);
  if (flags.includes('--demo')) return showDemo();
  if (flags.includes('--build')) return build(ending, true);
  if (flags.includes('--worker')) await performRuns(environment, ending);
  else await serve(environment, dev, ending);
  await new Promise<void>((resolve) => ending.signal.addEventListener('abort', () => resolve(), { once: true }));
}

async function build(ending: Ending, always: boolean): Promise<void> {
  const built = await buildPages({ project, say, signal: ending.signal, always });
  ending.signal.throwIfAborted();
  if (valueOrFail(built)) say('pages built');
}

async function serve(environment: Environment, dev: boolean, ending: Ending): Promise<void> {
  const { host, port } = environment;
  const address = environment.appUrl ?? `http://${hostInAddress(host)}:${port}`;
  say(`version ${productVersion(project)}, data in ${path.resolve(environment.dataFolder)}`);

  const dataFolder = await takeDataFolder(environment, address, ending);
  const server = valueOrFail(await servePages(host, port));
  ending.signal.throwIfAborted();
  if (!dev && !isPackage) await build(ending, false);

  await openApp({ environment, kind: 'web', dataFolder, address, ending });
  ending.defer(() => server.close());
  const times = shutdownTimes(environment);
  let drainUntil = 0;
  ending.defer(() => runShutdownHooks(HOOKS_LIMIT_MS + Math.max(0, drainUntil - performance.now()), say));
  ending.defer(async () => {
    drainUntil = performance.now() + times.delayMs + times.drainMs;
    await runShutdownHooks(HOOKS_LIMIT_MS, say, 'begin');
    const endStreams = () => runShutdownHooks(HOOKS_LIMIT_MS, say, 'streams');
    await server.drain({ delayMs: times.delayMs, limitMs: Math.max(times.drainMs, OWN_REQUESTS_MS), endStreams });
  });
  const gate = startGate(environment, dataFolder);
  await server.openPages({ project, dev, gate });
  const working = await waitForWorker(ending.signal, 60_000);
  ending.signal.throwIfAborted();
  valueOrFail(working);
  server.setReady();
  if (environment.mode === 'team') {
    const { printOwnerLink } = await import('./owner-link.ts');
    for (const line of await printOwnerLink(environment, address)) informOperator(line);
  }
  if (gate !== null)
    informOperator(`open this link, which lets a browser in for 30 days: ${address}/?token=${gate.token}`);
  else if (environment.mode === 'local') adviseStartToken();
  tellIsolation(environment);
  say(`ready at ${address} (Ctrl-C stops it)`);
}

/** What the programs of HONE_MCP_COMMANDS can reach, said where that may surprise. */
function tellIsolation({ mcpCommands }: Environment): void {
  if (Object.keys(mcpCommands).length === 0) return;
  const isolation = programIsolation();
  if (isolation === 'user')
    say(`programs of HONE_MCP_COMMANDS run as a separate user, with ${PROGRAMS_HOME} as home directory`);
  if (isolation === 'none')
    say(
      'programs of HONE_MCP_COMMANDS run as the same user as Hone. They can read its files, and the environment of the programs that started it (npm, a shell), including secrets. List only programs that you trust, or start Hone as root, so that it runs them as another user',
    );
}

function startGate({ startToken, port, appUrl }: Environment, dataFolder: string): StartGate | null {
  if (!startToken) return null;
  return { token: readStartToken(dataFolder), port, isSecure: appUrl?.startsWith('https:') === true };
}

/** Local mode has no sign-in, and a loopback port is open to everybody who works on the machine. */
function adviseStartToken(): void {
  const others = otherLogins();
  if (others.length > 0)
    say(
      `other people can log in on this machine (${others.slice(0, 3).join(', ')}${others.length > 3 ? ', …' : ''}) and can open Hone with your permissions. Set HONE_START_TOKEN to 1 to let in only browsers that opened its link`,
    );
}

/** Performs runs of a database that other processes serve pages of. */
async function performRuns(environment: Environment, ending: Ending): Promise<void> {
  const { databaseUrl, workerSlots } = environment;
  if (databaseUrl === null)
    throw new StartFailure(
      'A worker performs the runs of a database that it shares with the app: set DATABASE_URL (and HONE_SECRET) to the same for both. Without one, the app performs its runs itself.',
    );
  if (workerSlots === 0)
    throw new StartFailure('A worker with HONE_WORKER_SLOTS=0 would have nothing to do: set it to 1 or more.');
  const address = environment.appUrl ?? `http://${hostInAddress(environment.host)}:${environment.port}`;
  say(`worker of version ${productVersion(project)}`);
  const dataFolder = await takeDataFolder(environment, address, ending);
  await openApp({ environment, kind: 'worker', dataFolder, address, ending });
  ending.defer(() => runShutdownHooks(HOOKS_LIMIT_MS + shutdownTimes(environment).drainMs, say));
  const { beginWorker } = await import('./start-worker.ts');
  await beginWorker();
  ending.signal.throwIfAborted();
  tellIsolation(environment);
  say(`ready to perform ${workerSlots} runs at a time (Ctrl-C stops it)`);
}

/** On a database of its own Hone is alone on the folder too; else the folder holds nothing that processes could not share. */
async function takeDataFolder(environment: Environment, address: string, ending: Ending): Promise<string> {
  const dataFolder = valueOrFail(prepareDataFolder(environment.dataFolder));
  if (environment.databaseUrl !== null) return dataFolder;
  const lock = valueOrFail(await lockDataFolder(dataFolder, address));
  ending.defer(() => lock.release());
  return dataFolder;
}

type Opened = {
  environment: Environment;
  kind: 'web' | 'worker';
  dataFolder: string;
  address: string;
  ending: Ending;
};

/** Opens the database and says to pages, routes and worker what runs. */
async function openApp({ environment, kind, dataFolder, address, ending }: Opened): Promise<void> {
  const id = randomUUID();
  const secret = readSecret(dataFolder, environment.secret);
  // Loaded only now: a build and the demo need nothing of it.
  const { openDataDirectory } = await import('./open-data-directory.ts');
  const database = await openDataDirectory({ environment, dataFolder, project, secret, id, ending, say });
  ending.signal.throwIfAborted();
  const { delayMs, drainMs } = shutdownTimes(environment);
  const longerMs = (kind === 'web' ? delayMs : 0) + drainMs;
  if (longerMs > 0) ending.prolong(longerMs);
  setRunningApp({
    id,
    kind,
    environment,
    ...database,
    secret,
    address,
    version: productVersion(project),
    startedAt: new Date(),
  });
}

/** How long closing may take, beside what calls and requests under way are given. */
const HOOKS_LIMIT_MS = 2_300;
/** What requests under way are given where Hone is alone on its database: the whole end takes 5 s. */
const OWN_REQUESTS_MS = 500;

/** `delayMs`: until no more requests are taken; `drainMs`: where others share the database, until calls and requests under way are left. */
function shutdownTimes({ databaseUrl, drainSeconds, shutdownDelaySeconds }: Environment) {
  return { delayMs: shutdownDelaySeconds * 1000, drainMs: databaseUrl === null ? 0 : drainSeconds * 1000 };
}

async function showDemo(): Promise<void> {
  const { runDemo } = await import('#lib/samples/demo.ts');
  await runDemo();
}

function say(line: string): void {
  getLog().info(line);
}

async function logAsJson(): Promise<void> {
  const [{ jsonLog }, { consoleToLog }] = await Promise.all([
    import('#lib/log/json-log.ts'),
    import('#lib/log/json-log.ts'),
  ]);
  setLog(jsonLog());
  consoleToLog(getLog());
}

/** To whoever started Hone, past the log, from which links that let somebody in are taken out. */
function informOperator(line: string): void {
  process.stdout.write(`hone: ${line}\n`);
}

const LOOK_MS = 20;

/**
 * Answers when runs can be performed, here or by workers of their own. It does not ask the API, which would take as long to load as the
 * first page. Gives up after `limitMs`.
 */
async function waitForWorker(signal: AbortSignal, limitMs: number): Promise<Result<null>> {
  const until = Date.now() + limitMs;
  while (Date.now() < until && !signal.aborted) {
    if (['working', 'elsewhere'].includes(getWorkerState())) return succeed(null);
    await sleep(LOOK_MS);
  }
  const trouble = getWorkerTrouble() ?? 'The log shows why the worker did not start.';
  return fail('unavailable', `Hone started, but cannot perform runs. ${trouble}`);
}
