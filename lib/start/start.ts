import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type Environment, parseEnvironment } from '#lib/environment.ts';
import { buildPages } from '#lib/start/build-pages.ts';
import { lockDataFolder } from '#lib/start/data-folder-lock.ts';
import { generateClient } from '#lib/start/generate-client.mjs';
import { prepareDataFolder } from '#lib/start/prepare-data-folder.ts';
import { setRunningApp } from '#lib/start/running-app.ts';
import { readSecret } from '#lib/start/secret-file.ts';
import { servePages } from '#lib/start/serve-pages.ts';
import { runShutdownHooks } from '#lib/start/shutdown-hooks.ts';
import { StartFailure, valueOrFail } from '#lib/start/start-failure.ts';
import { type Ending, settleOrLeave, takeSignals } from '#lib/start/take-signals.ts';
import { waitForHealth } from '#lib/start/wait-for-health.ts';

const project = path.resolve(import.meta.dirname, '../..');

/** From nothing to serving. `--dev`: for work on Hone; `--build`: only builds; `--demo`: the sample loop in the terminal. */
export async function start(flags: string[]): Promise<never> {
  const ending = takeSignals(say);
  try {
    await settleOrLeave(run(flags, ending), ending.signal, 3000);
  } catch (error) {
    if (ending.signal.aborted) return ending.finish(0);
    console.error(error instanceof StartFailure ? `\n${error.message}\n` : error);
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
  await generateClient(ending.signal);
  if (flags.includes('--demo')) return showDemo();
  if (flags.includes('--build')) return build(ending, true);
  await serve(environment, dev, ending);
  await new Promise<void>((resolve) => ending.signal.addEventListener('abort', () => resolve(), { once: true }));
}

function readEnvironment(): Environment {
  if (existsSync(path.join(project, '.env'))) process.loadEnvFile(path.join(project, '.env'));
  return valueOrFail(parseEnvironment(process.env));
}

async function build(ending: Ending, always: boolean): Promise<void> {
  const built = await buildPages({ project, say, signal: ending.signal, always });
  ending.signal.throwIfAborted();
  if (valueOrFail(built)) say('pages built');
}

async function serve(environment: Environment, dev: boolean, ending: Ending): Promise<void> {
  const { host, port } = environment;
  const address = environment.appUrl ?? `http://${hostInAddress(host)}:${port}`;
  say(`version ${version()}, data in ${path.resolve(environment.dataFolder)}`);

  const dataFolder = valueOrFail(prepareDataFolder(environment.dataFolder));
  const lock = valueOrFail(await lockDataFolder(dataFolder, address));
  ending.defer(() => lock.release());
  const server = valueOrFail(await servePages(host, port));
  ending.signal.throwIfAborted();
  if (!dev) await build(ending, false);

  const secret = readSecret(dataFolder, environment.secret);
  // Loaded only now: a build and the demo need nothing of it.
  const { openHouse } = await import('#lib/start/open-house.ts');
  const database = await openHouse({ environment, dataFolder, project, ending, say });
  ending.signal.throwIfAborted();

  setRunningApp({ environment, ...database, secret, address, version: version(), startedAt: new Date() });
  ending.defer(() => server.close());
  ending.defer(() => runShutdownHooks(2300, say));
  ending.defer(() => server.stopAccepting());
  await server.openPages({ project, dev });
  const health = await waitForHealth(`http://${hostInAddress(host)}:${port}`, ending.signal, 60_000);
  ending.signal.throwIfAborted();
  valueOrFail(health);
  say(`ready at ${address} (Ctrl-C stops it)`);
}

async function showDemo(): Promise<void> {
  const { runDemo } = await import('#lib/runs/demo.ts');
  await runDemo();
}

function hostInAddress(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function version(): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8')))
    .version;
}

function say(line: string): void {
  console.log(`hone: ${line}`);
}
