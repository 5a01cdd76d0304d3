import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findSchemaDrift } from '#lib/database/schema-drift.test-support.ts';
import { createTemplate, startTestPostgres, withDatabase } from '#lib/testing/start-test-postgres.ts';

// Prints the differences between prisma/schema.prisma and prisma/migrations. Exits with 1 if there are any.
const { connectionString, stop } = await startTestPostgres();
try {
  const schema = readFileSync(path.resolve(import.meta.dirname, '../prisma/schema.prisma'), 'utf8');
  const drift = await findSchemaDrift(withDatabase(connectionString, await createTemplate(connectionString)), schema);
  console.log(drift.length === 0 ? 'no drift: the migrations give schema.prisma' : drift.join('\n'));
  process.exitCode = drift.length === 0 ? 0 : 1;
} finally {
  await stop();
}
