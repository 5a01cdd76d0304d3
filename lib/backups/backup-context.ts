import { realpathSync } from 'node:fs';
import path from 'node:path';
import { getRunningApp } from '#lib/context/running-app.ts';
import { onShutdown } from '#lib/context/shutdown-hooks.ts';
import { backupFolder } from './backup-folder.ts';
import { backupKey } from './backup-manifest.ts';

/** State of the backup in progress in this process, or the failure of the last one. */
type BackupState = { makingSince: Date | null; failure: { at: Date; message: string } | null };

/** Folder and database of the backups, and their current state. */
export type BackupContext = {
  folder: string;
  connectionString: string;
  /** Of Hone. */
  version: string;
  key: Buffer;
  state: BackupState;
  /** Aborted on shutdown. */
  signal: AbortSignal;
};

declare global {
  // Pages, routes and the worker have separate module instances. Only `globalThis` is shared.
  var honeBackups: BackupContext | undefined;
}

/** Returns the app's backup context. */
export function getBackupContext(): BackupContext {
  globalThis.honeBackups ??= openBackupContext();
  return globalThis.honeBackups;
}

function openBackupContext(): BackupContext {
  const { environment, connectionString, version, secret } = getRunningApp();
  const stopping = new AbortController();
  onShutdown(() => stopping.abort());
  return {
    folder: backupFolder(realpathSync(path.resolve(environment.dataFolder))),
    connectionString,
    version,
    key: backupKey(secret),
    state: { makingSince: null, failure: null },
    signal: stopping.signal,
  };
}
