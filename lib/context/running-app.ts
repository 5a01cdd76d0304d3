import type { Environment } from '#lib/environment.ts';

/** State that the starter passes to the worker, and to the pages and routes, which Next loads as separate modules. */
export type RunningApp = {
  /** Identifies this process among those on the same database: a UUID generated at each start. */
  id: string;
  /** `web` serves pages, and also performs runs unless it has no slots. `worker` only performs runs. */
  kind: 'web' | 'worker';
  environment: Environment;
  /** Connection string of the database, embedded or external. */
  connectionString: string;
  /** True if this process is the only one on its database. Claims of its predecessor are then released. */
  ownsDatabase: boolean;
  /** Returns true during an outage of the database. */
  isDatabaseAway(): boolean;
  /** Encrypts provider keys and webhook secrets: 32 bytes. */
  secret: Buffer;
  /** Base URL of Hone, without a trailing slash. */
  address: string;
  version: string;
  /** Names of all migrations that this version includes. */
  migrations: string[];
  startedAt: Date;
};

declare global {
  // The starter and Next's bundles only share `globalThis`.
  var honeRunningApp: RunningApp | undefined;
}

/** Returns the running app. Throws if Hone was not started by `npm start` or `npm run dev`. */
export function getRunningApp(): RunningApp {
  const app = globalThis.honeRunningApp;
  if (app === undefined)
    throw new Error('Hone is not running: start it with `npm start` (or `npm run dev`), not with `next` itself.');
  return app;
}

export function setRunningApp(app: RunningApp): void {
  globalThis.honeRunningApp = app;
}

/** Returns the number of runs this app performs in parallel, for estimates. Workers of other processes are not included. */
export function runsAtOnce(): { atOnce: number } {
  return { atOnce: getRunningApp().environment.workerSlots };
}
