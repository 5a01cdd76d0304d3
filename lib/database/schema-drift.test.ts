import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { findSchemaDrift } from './schema-drift.test-support.ts';

const { database, connectionString } = useTestDatabase();
const schema = readFileSync('prisma/schema.prisma', 'utf8');

test('the migrations match the schema', async () => {
  expect(await findSchemaDrift(connectionString, schema)).toEqual([]);
});

// Checks that every test reverted its change, so that none detected the drift of another.
afterAll(async () => {
  expect(await findSchemaDrift(connectionString, schema)).toEqual([]);
});

/** Each change is applied to the migrated database and reverted; the report must contain the words. */
test.each([
  [
    'an extra column',
    'ALTER TABLE runs ADD extra int',
    'ALTER TABLE runs DROP extra',
    ['migrations: column runs.extra integer'],
  ],
  [
    'a missing column',
    'ALTER TABLE runs RENAME failure TO gone',
    'ALTER TABLE runs RENAME gone TO failure',
    ['schema.prisma: column runs.failure jsonb'],
  ],
  [
    'a different type',
    'ALTER TABLE runs ALTER number TYPE bigint',
    'ALTER TABLE runs ALTER number TYPE int',
    ['runs.number integer', 'runs.number bigint'],
  ],
  [
    'a nullable column',
    'ALTER TABLE runs ALTER input DROP NOT NULL',
    'ALTER TABLE runs ALTER input SET NOT NULL',
    ['runs.input text not null'],
  ],
  [
    'a different default',
    'ALTER TABLE runs ALTER claim SET DEFAULT 1',
    'ALTER TABLE runs ALTER claim SET DEFAULT 0',
    ['claim integer not null default 0'],
  ],
  [
    'a missing index',
    'DROP INDEX runs_batch_id_position_idx',
    'CREATE INDEX runs_batch_id_position_idx ON runs (batch_id, position)',
    ['schema.prisma: index runs_batch_id_position_idx'],
  ],
  [
    'a different index order',
    'DROP INDEX runs_status_number_idx; CREATE INDEX runs_status_number_idx ON runs (status, number)',
    'DROP INDEX runs_status_number_idx; CREATE INDEX runs_status_number_idx ON runs (status, number DESC)',
    ['(status, number DESC)', '(status, number)'],
  ],
  [
    'a non-unique index',
    'DROP INDEX runs_number_key; CREATE INDEX runs_number_key ON runs (number)',
    'DROP INDEX runs_number_key; CREATE UNIQUE INDEX runs_number_key ON runs (number)',
    ['unique index runs_number_key'],
  ],
  [
    'a missing foreign key',
    'ALTER TABLE recalls DROP CONSTRAINT recalls_lesson_id_fkey',
    'ALTER TABLE recalls ADD CONSTRAINT recalls_lesson_id_fkey FOREIGN KEY (lesson_id) REFERENCES lessons (id) ON DELETE CASCADE ON UPDATE CASCADE',
    ['schema.prisma: constraint recalls_lesson_id_fkey'],
  ],
  [
    'a different foreign key',
    'ALTER TABLE recalls DROP CONSTRAINT recalls_pkey',
    'ALTER TABLE recalls ADD CONSTRAINT recalls_pkey PRIMARY KEY (run_id, version, rank)',
    ['PRIMARY KEY (run_id, version, rank)'],
  ],
  ['an extra table', 'CREATE TABLE other (id int)', 'DROP TABLE other', ['migrations: table other']],
])('detects drift in the database: %s', async (_name, change, back, words) => {
  await database().pool.query(change);
  const drift = (await findSchemaDrift(connectionString, schema)).join('\n');
  await database().pool.query(back);
  for (const word of words) expect(drift).toContain(word);
});

test.each([
  ['a new field', 'claim             Int ', 'claim Int @default(0)\n  fresh String?\n  spare Int '],
  ['a removed field', '  unpriced          Boolean             @default(false)\n', ''],
  ['an extra index', '@@index([batchId, position])', '@@index([batchId, position])\n  @@index([claim])'],
  [
    'restricted instead of cascading deletion',
    'fields: [batchId], references: [id], onDelete: Cascade',
    'fields: [batchId], references: [id]',
  ],
])('detects drift in the schema: %s', async (_name, from, to) => {
  expect(schema).toContain(from);
  const changed = schema.replace(from, to);
  expect(await findSchemaDrift(connectionString, changed)).not.toEqual([]);
});
