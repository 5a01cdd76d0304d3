import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** One change of the schema. `checksum`: SHA-256 of its file, in hexadecimal. */
export type Migration = { name: string; sql: string; checksum: string };

/** The migrations in `folder`, sorted by name, which begins with the time. */
export function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  return names.sort().map((name) => {
    const bytes = readFileSync(path.join(folder, name, 'migration.sql'));
    return { name, sql: bytes.toString('utf8'), checksum: createHash('sha256').update(bytes).digest('hex') };
  });
}
