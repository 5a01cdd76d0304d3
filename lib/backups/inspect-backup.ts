import { createHash, type Hash } from 'node:crypto';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { fileFault, readArchive } from './backup-archive.ts';
import {
  BACKUP_FORMAT,
  type BackupManifest,
  backupManifestSchema,
  findSigner,
  SIGNATURE_FILE,
  type SignedBy,
} from './backup-manifest.ts';

const MAX_MANIFEST_BYTES = 20_000_000;
const MAX_SIGNATURE_BYTES = 10_000;
const PIECE = /^tables\/([a-z_][a-z0-9_]{0,62})\/\d{6,}\.copy$/;

type InspectedBackup = { manifest: BackupManifest; signedBy: SignedBy };

/**
 * Reads a whole backup and returns its manifest if every table has the stated rows and hash, and nothing changed since it was signed with
 * `key`. Null `key`: none is available, so every signature counts as foreign. `signal` cancels the check.
 */
export async function inspectBackup(
  file: string,
  key: Buffer | null,
  signal?: AbortSignal,
): Promise<Result<InspectedBackup>> {
  try {
    const found = new Map<string, Tally>();
    const manifestBytes: Uint8Array[] = [];
    const signatureBytes: Uint8Array[] = [];
    for await (const { name, bytes } of readArchive(file)) {
      signal?.throwIfAborted();
      if (name === 'manifest.json') manifestBytes.push(bytes);
      else if (name === SIGNATURE_FILE) signatureBytes.push(bytes);
      else addTo(found, tableOf(name), bytes);
      if (lengthOf(manifestBytes) > MAX_MANIFEST_BYTES) throw new Error('its manifest is too long');
      if (lengthOf(signatureBytes) > MAX_SIGNATURE_BYTES) throw new Error('its signature is too long');
    }
    if (manifestBytes.length === 0) throw new Error('it has no manifest at its end');
    const signed = Buffer.concat(manifestBytes);
    const manifest = readManifest(signed.toString('utf8'));
    if (!manifest.ok) return fail('conflict', `${file}: ${manifest.problem.message}`);
    const fault = findFault(manifest.value, found);
    if (fault !== null) throw new Error(fault);
    const signature = signatureBytes.length === 0 ? null : Buffer.concat(signatureBytes).toString('utf8');
    return succeed({ manifest: manifest.value, signedBy: findSigner(signed, signature, key) });
  } catch (error) {
    const { what, remedy } = fileFault(file, error);
    return fail('invalid', `${file} is not a complete backup of Hone: ${what}. ${remedy}.`);
  }
}

/** Returns why a backup that this installation did not sign needs explicit consent to be restored. Null if it signed the backup. */
export function unsignedWarning(file: string, signedBy: SignedBy): string | null {
  switch (signedBy) {
    case 'own':
      return null;
    case 'foreign':
      return `${file} is signed by another installation, or with another HONE_SECRET (or secret.key) than this one. Hone can't tell whether someone changed it.`;
    case 'missing':
      return `${file} is not signed. Either an older version of Hone created it, or someone changed it. Hone can't tell which.`;
  }
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** Returns the table whose rows an archive file contains. Throws if it is no such file. */
export function tableOf(name: string): string {
  const [, table] = PIECE.exec(name) ?? [];
  if (table === undefined)
    throw new Error(`it contains a file that does not belong to a backup: ${JSON.stringify(name)}`);
  return table;
}

type Tally = { hash: Hash; rows: number };

const LINE_END = 10;

/** Counts line endings: in COPY format each row ends with one, and those inside values are escaped. */
function addTo(found: Map<string, Tally>, table: string, bytes: Uint8Array): void {
  const tally = found.get(table) ?? { hash: createHash('sha256'), rows: 0 };
  tally.hash.update(bytes);
  for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, at + 1)) tally.rows += 1;
  found.set(table, tally);
}

function readManifest(text: string): Result<BackupManifest> {
  const content: unknown = JSON.parse(text);
  const version = backupManifestSchema.pick({ version: true }).loose().safeParse(content);
  if (version.success && version.data.version > BACKUP_FORMAT)
    return fail('conflict', 'it was created by a newer version of Hone. Restore it with that version');
  const manifest = backupManifestSchema.safeParse(content);
  if (manifest.success) return succeed(manifest.data);
  throw new Error('its manifest has the wrong format');
}

function findFault(manifest: BackupManifest, found: Map<string, Tally>): string | null {
  const named = new Set(manifest.tables.map(({ name }) => name));
  for (const table of found.keys()) if (!named.has(table)) return `its manifest does not name the table ${table}`;
  for (const { name, rows, sha256 } of manifest.tables) {
    const tally = found.get(name) ?? { hash: createHash('sha256'), rows: 0 };
    if (tally.rows !== rows) return `the table ${name} has ${tally.rows} rows, but the manifest lists ${rows}`;
    if (tally.hash.digest('hex') !== sha256) return `the rows of ${name} are not those that were written (SHA-256)`;
  }
  return null;
}
