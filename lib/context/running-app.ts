import type { Environment } from '#lib/environment.ts';

/** What the starter tells the pages, routes and worker, which Next loads as modules of their own. */
export type RunningApp = {
  /** Names this process among those on the database: a UUID of its own, made at each start. */
  id: string;
  /** `web` serves pages, and performs runs unless it has no slots; `worker` only performs runs. */
  kind: 'web' | 'worker';
  environment: Environment;
  /** Of the database to use, embedded or given. */
  connectionString: string;
  /** True: this process is the only one on its database, and what its predecessor had claimed is free. */
  ownsDatabase: boolean;
  /** 32 bytes; seals provider keys and the secrets of webhooks. */
  secret: Buffer;
  /** Where people reach Hone, without a slash at the end. */
  address: string;
  version: string;
  /** The names of all migrations that this version knows. */
  migrations: string[];
  startedAt: Date;
};

declare global {
  // `globalThis` is the only thing that the starter and Next's bundles share.
  var honeRunningApp: RunningApp | undefined;
}

/** Throws when Hone was not started by `npm start` or `npm run dev`. */
export function getRunningApp(): RunningApp {
  const app = globalThis.honeRunningApp;
  if (app === undefined)
    throw new Error('Hone is not running: start it with `npm start` (or `npm run dev`), not with `next` itself.');
  return app;
}

export function setRunningApp(app: RunningApp): void {
  globalThis.honeRunningApp = app;
}
