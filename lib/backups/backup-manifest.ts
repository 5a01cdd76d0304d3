import { z } from 'zod';

/** Of the files that this version writes; it reads no newer ones. From 2 on they are signed. */
export const BACKUP_FORMAT = 2;

const tableSchema = z.strictObject({
  name: z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/),
  /** Those that are stored; generated ones come by themselves. */
  columns: z.array(z.string()).min(1),
  rows: z.int().min(0),
  bytes: z.int().min(0),
  /** Of its rows as COPY writes them, in hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** What a backup says of itself, in its last file: by it the rest is checked before it is believed. */
export const backupManifestSchema = z.strictObject({
  format: z.literal('hone-backup'),
  version: z.int().min(1),
  /** Of Hone. */
  madeBy: z.string(),
  madeAt: z.iso.datetime(),
  /** Version of the server, as people write it. */
  postgres: z.string(),
  /** In their order; the last one says how new the schema is. */
  migrations: z.array(z.strictObject({ name: z.string(), checksum: z.string() })),
  tables: z.array(tableSchema),
  /** The number each table with numbers of its own gave last. */
  sequences: z.array(z.strictObject({ table: z.string(), column: z.string(), last: z.int() })),
});

export type BackupManifest = z.infer<typeof backupManifestSchema>;
export type BackupTable = z.infer<typeof tableSchema>;

/** Rows of all tables. */
export function countRows(manifest: BackupManifest): number {
  return manifest.tables.reduce((sum, { rows }) => sum + rows, 0);
}
