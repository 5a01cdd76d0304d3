import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Migration } from './read-migrations.ts';

/** The number `prisma migrate deploy` locks too, so that the two never work at the same time. */
export const MIGRATION_LOCK = 72_707_369;

/** As `prisma migrate` creates it. */
export const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

/** Applies a migration and records it as `prisma migrate` does, both in the caller's transaction. */
export async function runMigration(client: pg.Client, migration: Migration): Promise<void> {
  const startedAt = new Date();
  await client.query(migration.sql);
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
     VALUES ($1, $2, now(), $3, $4, 1)`,
    [randomUUID(), migration.checksum, migration.name, startedAt],
  );
}
