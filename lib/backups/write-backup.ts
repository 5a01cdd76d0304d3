import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { z } from 'zod';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { listRecorded } from '#lib/database/apply-migrations.ts';
import { withClient } from '#lib/database/connections.ts';
import { type ArchiveFile, writeArchive } from './backup-archive.ts';
import {
  BACKUP_FORMAT,
  type BackupManifest,
  type BackupTable,
  SIGNATURE_FILE,
  signManifest,
} from './backup-manifest.ts';
import {
  copyRows,
  findServerVersion,
  listSequences,
  listStoredTables,
  runStatements,
  type StoredTable,
} from './queries.ts';

export type WrittenBackup = { file: string; bytes: number; manifest: BackupManifest };

export type BackupRequest = {
  connectionString: string;
  /** Destination file. An existing file is an error. */
  file: string;
  /** Of Hone. */
  version: string;
  /** Key for the signature, see `backupKey`. */
  key: Buffer;
  now: Date;
  /** Cancels the backup and deletes its partial file. */
  signal?: AbortSignal;
};

/** Approximate size of the parts in which a table's rows are archived. This also bounds the memory used. */
const PIECE_BYTES = 4_000_000;

/**
 * Writes one file with a consistent snapshot of every table while others use the database. The format is a gzip tar of COPY text, followed
 * by a signed manifest with counts and hashes. The file is complete or absent, and readable only by the current user. It contains neither
 * the encryption secret nor credentials that work on their own.
 */
export async function writeBackup(request: BackupRequest): Promise<Result<WrittenBackup>> {
  const { connectionString, file, now, signal } = request;
  if (existsSync(file)) return fail('conflict', `There is a file ${file} already. Choose another name for the backup.`);
  const unfinished = `${file}.part`;
  const write = async (client: pg.Client) => {
    const made: { manifest: BackupManifest | null } = { manifest: null };
    await runStatements(client, ['BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY']);
    const files = backupFiles(client, request, (manifest) => {
      made.manifest = manifest;
    });
    await pipeline(
      Readable.from(writeArchive(files, now)),
      createGzip({ level: 4 }),
      createWriteStream(unfinished, { mode: 0o600, flush: true }),
      { signal },
    );
    if (made.manifest === null) throw new Error('a backup ended without its manifest');
    return made.manifest;
  };
  try {
    const manifest = await withClient(connectionString, write, { settings: SETTINGS, application_name: 'hone backup' });
    renameSync(unfinished, file);
    return succeed({ file, bytes: statSync(file).size, manifest });
  } catch (error) {
    rmSync(unfinished, { force: true });
    if (signal?.aborted) return fail('unavailable', 'The backup was canceled. No file was kept.');
    return fail(
      'unavailable',
      `The backup ${file} could not be created: ${error instanceof Error ? error.message : String(error)}. No file was kept.`,
    );
  }
}

/**
 * Tables stored without rows: sessions and join links. Other credentials are needed to continue and safe to store: password hashes, hashes
 * of API tokens (256 random bits, which a hash does not reveal) and encrypted keys.
 */
const WITHOUT_ROWS = new Set(['sessions', 'verifications', 'invitations']);

/** Makes every server format times and numbers identically. */
const SETTINGS = ['extra_float_digits=1', 'client_encoding=UTF8'];

async function* backupFiles(
  client: pg.Client,
  { version, now, key }: BackupRequest,
  onManifest: (manifest: BackupManifest) => void,
): AsyncGenerator<ArchiveFile> {
  const recorded = await listRecorded(client);
  const postgres = await findServerVersion(client);
  const tables: BackupTable[] = [];
  for (const table of await listStoredTables(client)) tables.push(yield* copyTable(client, table));
  const manifest: BackupManifest = {
    format: 'hone-backup',
    version: BACKUP_FORMAT,
    madeBy: version,
    madeAt: now.toISOString(),
    postgres,
    migrations: recorded.flatMap(({ finishedAt, ...migration }) => (finishedAt === null ? [] : migration)),
    tables,
    // Read last: sequences advance outside the snapshot and must not be behind their table.
    sequences: await listSequences(client),
  };
  onManifest(manifest);
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  yield { name: 'manifest.json', bytes };
  yield { name: SIGNATURE_FILE, bytes: signManifest(bytes, key) };
}

async function* copyTable(client: pg.Client, table: StoredTable): AsyncGenerator<ArchiveFile, BackupTable> {
  const { name, columns } = table;
  const rows = copyRows(client, table, { withRows: !WITHOUT_ROWS.has(name) });
  const hash = createHash('sha256');
  let bytes = 0;
  let pieces = 0;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  const takePiece = (): ArchiveFile => {
    const piece = { name: `tables/${name}/${String(pieces).padStart(6, '0')}.copy`, bytes: Buffer.concat(waiting) };
    pieces += 1;
    waiting = [];
    waitingBytes = 0;
    return piece;
  };
  for await (const chunk of rows) {
    const read = chunkSchema.parse(chunk);
    hash.update(read);
    bytes += read.length;
    waiting.push(read);
    waitingBytes += read.length;
    if (waitingBytes >= PIECE_BYTES) yield takePiece();
  }
  if (waitingBytes > 0) yield takePiece();
  return { name, columns, rows: rows.rowCount, bytes, sha256: hash.digest('hex') };
}

const chunkSchema = z.instanceof(Buffer);
