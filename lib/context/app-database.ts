import { closeDatabase, type Database, openDatabase } from '#lib/database/database.ts';
import { getRunningApp } from './running-app.ts';
import { onShutdown } from './shutdown-hooks.ts';

declare global {
  // Pages, routes and the worker have separate module instances. They only share `globalThis`.
  var honeDatabase: Database | undefined;
}

/** Returns the app's connection pool. It is opened at first use and closed at shutdown. */
export function getAppDatabase(): Database {
  globalThis.honeDatabase ??= openAppDatabase();
  return globalThis.honeDatabase;
}

/** Registers a final write that runs at shutdown before the pool is closed. */
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
