import { closeDatabase, type Database, openDatabase } from '#lib/database/database.ts';
import { getRunningApp } from './running-app.ts';
import { onShutdown } from './shutdown-hooks.ts';

declare global {
  // Pages, routes and the worker are module instances of their own; only `globalThis` is shared.
  var honeDatabase: Database | undefined;
}

/** The app's one pool, opened at first use and closed when Hone ends. */
export function getAppDatabase(): Database {
  globalThis.honeDatabase ??= openAppDatabase();
  return globalThis.honeDatabase;
}

/** Registers what is still to be written when Hone ends, before the pool is closed. */
export function beforeDatabaseCloses(write: () => Promise<void>): void {
  getAppDatabase();
  onShutdown(write);
}

function openAppDatabase(): Database {
  const app = getRunningApp();
  const database = openDatabase(app.connectionString, { isShared: app.environment.databaseUrl !== null });
  onShutdown(() => closeDatabase(database));
  return database;
}
