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
