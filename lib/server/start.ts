import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StartTokenConfig } from '#lib/auth/start-token.ts';
import { productVersion } from '#lib/context/product-version.ts';
import { getRunningApp, setRunningApp } from '#lib/context/running-app.ts';
import { runShutdownHooks } from '#lib/context/shutdown-hooks.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Outages } from '#lib/database/quiet-outages.ts';
import type { Environment } from '#lib/environment.ts';
import { getLog, setLog } from '#lib/log/log.ts';
import { setRequestDenial } from '#lib/log/request-facts.ts';
import { isPackage, project } from '#lib/system/installation.mjs';
import { PROGRAMS_HOME, programIsolation } from '#lib/system/isolate-program.ts';
import { otherLogins } from '#lib/system/server-user.ts';
import { getWorkerState, getWorkerTrouble } from '#lib/worker/worker-state.ts';
import { buildPages, finishBuild } from './build-pages.ts';
import { prepareDataFolder, readEnvironment, readSecret, readStartToken } from './environment-files.ts';
import { lockDataFolder } from './file-lock.ts';
import { generateClient } from './generate-client.mjs';
import { type Ending, handleSignals, waitWithAbortLimit } from './handle-signals.ts';
import { hostInAddress, preloadNext, servePages } from './serve-pages.ts';
import { describeSystemError, StartFailure, valueOrFail } from './start-failure.ts';

/**
 * Starts Hone until it serves requests. `--worker`: only performs runs. `--dev`: for work on Hone. `--build`: only builds. `--demo`: runs
 * the sample loop in the terminal.
 */
export async function start(flags: string[]): Promise<never> {
  const ending = handleSignals(log);
  try {
    await waitWithAbortLimit(run(flags, ending), ending.signal, 3000);
  } catch (error) {
    if (ending.signal.aborted) return ending.finish(0);
    const message = error instanceof StartFailure ? error.message : describeSystemError(error);
    if (message !== null) console.error(`\n${message}\n`);
    else getLog().error('the start failed', error);
    return ending.finish(1);
  }
  return ending.finish(0);
}

/** Resolves when nothing is left to do. */
async function run(flags: string[], ending: Ending): Promise<void> {
  const dev = flags.includes('--dev');
  // Set before Next is loaded, because it reads them on load.
  Object.assign(process.env, { NODE_ENV: dev ? 'development' : 'production', NEXT_TELEMETRY_DISABLED: '1' });
  const environment = readEnvironment();
  if (environment.log === 'json') {
    const { jsonLog, consoleToLog } = await import('#lib/log/json-log.ts');
    setLog(jsonLog());
    consoleToLog(getLog());
  }
  const { logRefusals } = await import('./log-refusals.ts');
  logRefusals(getLog());
  if (!isPackage) await generateClient(ending.signal);
  if (flags.includes('--demo')) return (await import('#lib/samples/demo.ts')).runDemo();
  if (flags.includes('--build')) {
    await finishBuild(project, await build(ending, true), ending.signal);
    return;
  }
  if (flags.includes('--worker')) await performRuns(environment, ending);
  else await serve(environment, dev, ending);
  await new Promise<void>((resolve) => ending.signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Returns the folder of the built pages. */
async function build(ending: Ending, always: boolean): Promise<string> {
  const built = await buildPages({ project, log, signal: ending.signal, always });
  ending.signal.throwIfAborted();
  const { isNew, folder } = valueOrFail(built);
  if (isNew) log('pages built');
  return folder;
}

async function serve(environment: Environment, dev: boolean, ending: Ending): Promise<void> {
  const { host, port } = environment;
  const address = environment.appUrl ?? `http://${hostInAddress(host)}:${port}`;
  log(`version ${productVersion(project)}, data in ${path.resolve(environment.dataFolder)}`);

  const dataFolder = await takeDataFolder(environment, address, ending);
  const server = valueOrFail(await servePages(host, port));
  ending.signal.throwIfAborted();
  const opened = openApp({ environment, kind: 'web', dataFolder, address, ending });
  if (!dev) opened.then(preloadServer, () => undefined);
  // Waits for both even if one fails, because a failed start must also stop the other one.
  const [building, opening] = await Promise.allSettled([
    dev || isPackage ? path.join(project, '.next') : build(ending, false),
    opened,
  ]);
  if (building.status === 'rejected') throw building.reason;
  if (opening.status === 'rejected') throw opening.reason;
  const built = building.value;
  ending.defer(() => server.close());
  let drainUntil = 0;
  ending.defer(() => runShutdownHooks(HOOKS_LIMIT_MS + Math.max(0, drainUntil - performance.now()), log));
  ending.defer(async () => {
    const times = shutdownTimes(environment);
    drainUntil = performance.now() + times.delayMs + times.drainMs;
    await runShutdownHooks(HOOKS_LIMIT_MS, log, 'begin');
    const endStreams = () => runShutdownHooks(HOOKS_LIMIT_MS, log, 'streams');
    await server.drain({ delayMs: times.delayMs, limitMs: Math.max(times.drainMs, OWN_REQUESTS_MS), endStreams });
  });
  const gate = startGate(environment, dataFolder);
  const { beginWorker } = await import('./start-worker.ts');
  await Promise.all([server.openPages({ project, built, dev, gate }), beginWorker()]);
  const working = await waitForWorker(ending.signal, 60_000);
  ending.signal.throwIfAborted();
  valueOrFail(working);
  server.setReady(opening.value.isAway);
  if (environment.mode === 'team') {
    const { printOwnerLink } = await import('./owner-link.ts');
    for (const line of await printOwnerLink(environment, address)) informOperator(line);
  }
  if (gate !== null)
    informOperator(`open this link, which lets a browser in for 30 days: ${address}/?token=${gate.token}`);
  else if (environment.mode === 'local') adviseStartToken();
  logIsolation(environment);
  log(`ready at ${address} (Ctrl-C stops it)`);
  if (!dev) await finishBuild(project, built, ending.signal);
}

/** Loads the code that serves pages and performs runs during a build, whose last seconds use one processor. Its errors occur again later. */
function preloadServer(): void {
  Promise.allSettled([import('./start-worker.ts'), preloadNext()]);
}

/** Logs the access that the programs in HONE_MCP_COMMANDS have, if it may be unexpected. */
function logIsolation({ mcpCommands }: Environment): void {
  if (Object.keys(mcpCommands).length === 0) return;
  const isolation = programIsolation();
  if (isolation === 'user')
    log(`programs of HONE_MCP_COMMANDS run as a separate user, with ${PROGRAMS_HOME} as home directory`);
  if (isolation === 'none')
    log(
      'programs of HONE_MCP_COMMANDS run as the same user as Hone. They can read its files, and the environment of the programs that started it (npm, a shell), including secrets. List only programs that you trust, or start Hone as root, so that it runs them as another user',
    );
}

function startGate({ startToken, port, appUrl }: Environment, dataFolder: string): StartTokenConfig | null {
  if (!startToken) return null;
  return { token: readStartToken(dataFolder), port, isSecure: appUrl?.startsWith('https:') === true };
}

/** Recommends a start token. Local mode has no sign-in, and every user of the machine can reach a loopback port. */
function adviseStartToken(): void {
  const others = otherLogins();
  if (others.length > 0)
    log(
      `other people can log in on this machine (${others.slice(0, 3).join(', ')}${others.length > 3 ? ', …' : ''}) and can open Hone with your permissions. Set HONE_START_TOKEN to 1 to let in only browsers that opened its link`,
    );
}

/** Performs the runs of a database whose pages are served by other processes. */
async function performRuns(environment: Environment, ending: Ending): Promise<void> {
  const { databaseUrl, workerSlots } = environment;
  if (databaseUrl === null)
    throw new StartFailure(
      'A worker performs the runs of a database that it shares with the app: set DATABASE_URL (and HONE_SECRET) to the same for both. Without one, the app performs its runs itself.',
    );
  if (workerSlots === 0)
    throw new StartFailure('A worker with HONE_WORKER_SLOTS=0 would have nothing to do: set it to 1 or more.');
  const address = environment.appUrl ?? `http://${hostInAddress(environment.host)}:${environment.port}`;
  log(`worker of version ${productVersion(project)}`);
  const dataFolder = await takeDataFolder(environment, address, ending);
  await openApp({ environment, kind: 'worker', dataFolder, address, ending });
  ending.defer(() => runShutdownHooks(HOOKS_LIMIT_MS + shutdownTimes(environment).drainMs, log));
  const { beginWorker } = await import('./start-worker.ts');
  await beginWorker();
  ending.signal.throwIfAborted();
  logIsolation(environment);
  log(`ready to perform ${workerSlots} runs at a time (Ctrl-C stops it)`);
}

/** Locks the data folder if the database is embedded. With a shared database, everything in the folder can be shared between processes. */
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

/** Opens the database and registers the running app for pages, routes and the worker. */
async function openApp({ environment, kind, dataFolder, address, ending }: Opened): Promise<Outages> {
  const id = randomUUID();
  const secret = readSecret(dataFolder, environment.secret);
  // Imported lazily, because a build and the demo need neither these modules nor the generated client that they import.
  const { checkSecret, openDataDirectory } = await import('./open-data-directory.ts');
  const opened = await openDataDirectory({ environment, dataFolder, project, secret, id, ending, log });
  const [{ isOutage, OUTAGE_RETRY_SECONDS, quietOutages }, { reachDatabase }] = await Promise.all([
    import('#lib/database/quiet-outages.ts'),
    import('#lib/database/connections.ts'),
  ]);
  const outages = quietOutages(getLog(), () => reachDatabase(opened.connectionString));
  setRunningApp({
    id,
    kind,
    environment,
    ...opened,
    isDatabaseAway: outages.isAway,
    secret,
    address,
    version: productVersion(project),
    startedAt: new Date(),
  });
  ending.prolong(() => {
    const { delayMs, drainMs } = shutdownTimes(environment);
    return (kind === 'web' ? delayMs : 0) + drainMs;
  });
  const logWait = () => {
    const { drainMs } = shutdownTimes(environment);
    if (outages.isAway() && drainMs > 0)
      log(`the database is unreachable. Waiting up to ${drainMs / 1_000} s for it, because runs may hold results`);
  };
  ending.signal.addEventListener('abort', logWait, { once: true });
  setLog(outages.log);
  // Next reports the errors of pages and actions only on the console.
  const { error } = console;
  console.error = (...values) => {
    const thrown = values.find(isOutage);
    if (thrown === undefined) return error(...values);
    setRequestDenial(503, OUTAGE_RETRY_SECONDS);
    outages.log.error('a page failed', thrown);
  };
  ending.defer(outages.stop);
  const { getAppDatabase } = await import('#lib/context/app-database.ts');
  valueOrFail(await checkSecret({ database: getAppDatabase(), secret, log }));
  ending.signal.throwIfAborted();
  return outages;
}

/** Time limit for closing, in milliseconds, in addition to the time for calls and requests in progress. */
const HOOKS_LIMIT_MS = 2_300;
/** Time limit for requests in progress with an embedded database, in milliseconds. The whole shutdown takes at most 5 s. */
const OWN_REQUESTS_MS = 500;

/**
 * Returns the shutdown delays. `delayMs`: time until no more requests are accepted. `drainMs`: time limit for calls and requests in
 * progress with a shared database, and for the end of an outage with any database.
 */
function shutdownTimes({ databaseUrl, drainSeconds, shutdownDelaySeconds }: Environment) {
  const isDrained = databaseUrl !== null || getRunningApp().isDatabaseAway();
  return { delayMs: shutdownDelaySeconds * 1000, drainMs: isDrained ? drainSeconds * 1000 : 0 };
}

function log(line: string): void {
  getLog().info(line);
}

/** Prints to the terminal of whoever started Hone, bypassing the log, which redacts sign-in links. */
function informOperator(line: string): void {
  process.stdout.write(`hone: ${line}\n`);
}

const POLL_MS = 20;

/**
 * Resolves when runs can be performed, here or by separate workers. Does not call the API, which takes as long to load as the first page.
 * Fails after `limitMs`.
 */
async function waitForWorker(signal: AbortSignal, limitMs: number): Promise<Result<null>> {
  const until = Date.now() + limitMs;
  while (Date.now() < until && !signal.aborted) {
    if (['working', 'elsewhere'].includes(getWorkerState())) return succeed(null);
    await sleep(POLL_MS);
  }
  const trouble = getWorkerTrouble() ?? 'The log shows why the worker did not start.';
  return fail('unavailable', `Hone started, but cannot perform runs. ${trouble}`);
}
