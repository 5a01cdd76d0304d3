import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** Version of the file format that this version writes. Newer formats are rejected. Signed since format 2. */
export const BACKUP_FORMAT = 2;

const tableSchema = z.strictObject({
  name: z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/),
  /** Stored columns. Generated ones are recomputed. */
  columns: z.array(z.string()).min(1),
  rows: z.int().min(0),
  bytes: z.int().min(0),
  /** Hash of its rows in COPY format, hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** Description of a backup in its manifest file. Everything else is verified against it. */
export const backupManifestSchema = z.strictObject({
  format: z.literal('hone-backup'),
  version: z.int().min(1),
  /** Of Hone. */
  madeBy: z.string(),
  madeAt: z.iso.datetime(),
  /** PostgreSQL version in display format. */
  postgres: z.string(),
  /** Applied migrations in order. The last one determines the schema version. */
  migrations: z.array(z.strictObject({ name: z.string(), checksum: z.string() })),
  tables: z.array(tableSchema),
  /** Last value of each table's sequence. */
  sequences: z.array(z.strictObject({ table: z.string(), column: z.string(), last: z.int() })),
});

export type BackupManifest = z.infer<typeof backupManifestSchema>;
export type BackupTable = z.infer<typeof tableSchema>;

/** Returns the number of rows of all tables. */
export function countRows(manifest: BackupManifest): number {
  return manifest.tables.reduce((sum, { rows }) => sum + rows, 0);
}

/** Last file of a backup archive. It signs the manifest, which contains the hashes of everything else. */
export const SIGNATURE_FILE = 'signature.json';

const hex = z.string().regex(/^[0-9a-f]{64}$/);
const signatureSchema = z.strictObject({
  /** Identifies an installation's key without revealing it. */
  key: hex,
  /** HMAC-SHA256 of the manifest's bytes. */
  hmac: hex,
});

/** `own`: signed with the current key. `foreign`: with another one. `missing`: unsigned, as in older backups. */
export type SignedBy = 'own' | 'foreign' | 'missing';

/** Derives the key for signing backups from the secret that encrypts provider keys. */
export function backupKey(secret: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'hone', 'backups', 32));
}

/** Returns the content of the signature file. */
export function signManifest(manifest: Uint8Array, key: Buffer): Buffer {
  return Buffer.from(`${JSON.stringify({ key: nameOf(key), hmac: hmacOf(manifest, key) })}\n`);
}

/** Returns who signed a manifest. Throws if it is signed with the given key but was changed since. Null `key`: none is available. */
export function findSigner(manifest: Uint8Array, signature: string | null, key: Buffer | null): SignedBy {
  if (signature === null) return 'missing';
  const read = readSignature(signature);
  if (key === null || read.key !== nameOf(key)) return 'foreign';
  if (!timingSafeEqual(Buffer.from(read.hmac, 'hex'), Buffer.from(hmacOf(manifest, key), 'hex')))
    throw new Error('it was changed after this installation signed it');
  return 'own';
}

function readSignature(text: string): z.infer<typeof signatureSchema> {
  try {
    return signatureSchema.parse(JSON.parse(text));
  } catch {
    throw new Error('its signature has the wrong format');
  }
}

function nameOf(key: Buffer): string {
  return createHmac('sha256', key).update('hone backup key').digest('hex');
}

function hmacOf(manifest: Uint8Array, key: Buffer): string {
  return createHmac('sha256', key).update('hone backup\n').update(manifest).digest('hex');
}
