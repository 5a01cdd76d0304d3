import { realpathSync } from 'node:fs';
import path from 'node:path';
import { getRunningApp } from '#lib/context/running-app.ts';
import { onShutdown } from '#lib/context/shutdown-hooks.ts';
import { backupFolder } from './backup-folder.ts';
import { backupKey } from './backup-signature.ts';

/** A backup that this process makes, or why it could not make the last one. */
type BackupState = { makingSince: Date | null; failure: { at: Date; message: string } | null };

/** Where backups are kept, of which database, and how it goes. */
export type BackupContext = {
  folder: string;
  connectionString: string;
  /** Of Hone. */
  version: string;
  /** What they are signed with. */
  key: Buffer;
  state: BackupState;
  /** Aborted when the app ends. */
  signal: AbortSignal;
};

declare global {
  // Pages, routes and the worker are module instances of their own; only `globalThis` is shared.
  var honeBackups: BackupContext | undefined;
}

/** The app's one place for backups. */
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
