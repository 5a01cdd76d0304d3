import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isContracting, readMigrations } from './apply-migrations.ts';

/** From this migration on, processes of two versions may share a database during a rolling restart. */
const FIRST = '20261122220529_team_and_processes';

/** Changes that break processes of an older version. */
const NARROWING: Record<string, RegExp> = {
  'drops a table, a column, a constraint or an index that is unique':
    /\bDROP\s+(TABLE|COLUMN|CONSTRAINT|TYPE|VIEW|FUNCTION)\b/i,
  'renames something': /\bRENAME\b/i,
  'changes the type of a column': /\bALTER\s+COLUMN\s+\S+\s+(SET\s+DATA\s+)?TYPE\b/i,
  'wants a value where none was wanted': /\bSET\s+NOT\s+NULL\b/i,
  'adds a column that wants a value':
    /\bADD\s+COLUMN\b(?:(?!\bDEFAULT\b|\bGENERATED\b|,\s*ADD\b|;)[\s\S])*\bNOT\s+NULL\b(?!(?:(?!,\s*ADD\b|;)[\s\S])*\b(DEFAULT|GENERATED)\b)/i,
};

function narrowingsOf(sql: string): string[] {
  const plain = sql.replaceAll(/--.*$/gm, '');
  return Object.keys(NARROWING).filter((name) => NARROWING[name]?.test(plain));
}

describe('migrations since rolling restarts', () => {
  const later = readMigrations(path.resolve('prisma/migrations')).filter(({ name }) => name >= FIRST);

  test('are found', () => {
    expect(later.map(({ name }) => name)).toContain(FIRST);
  });

  test.each(later.filter(({ name }) => !isContracting(name)))('$name only adds', ({ sql }) => {
    expect(narrowingsOf(sql)).toEqual([]);
  });

  test.each([
    ['ALTER TABLE "runs" DROP COLUMN "a";', 1],
    ['DROP TABLE "runs";', 1],
    ['ALTER TABLE "runs" RENAME COLUMN "a" TO "b";', 1],
    ['ALTER TABLE "runs" ALTER COLUMN "a" SET DATA TYPE TEXT;', 1],
    ['ALTER TABLE "runs" ALTER COLUMN "a" SET NOT NULL;', 1],
    ['ALTER TABLE "runs" ADD COLUMN     "a" TEXT NOT NULL;', 1],
    ['ALTER TABLE "runs" ADD COLUMN "a" TEXT NOT NULL DEFAULT \'\',\nADD COLUMN "b" TEXT NOT NULL;', 1],
    ['ALTER TABLE "runs" ADD COLUMN "a" TEXT NOT NULL DEFAULT \'\';', 0],
    ['ALTER TABLE "runs" ADD COLUMN "a" UUID,\nADD COLUMN "b" TEXT NOT NULL DEFAULT \'\';', 0],
    ['CREATE TABLE "more" ("id" TEXT NOT NULL); -- no DROP TABLE', 0],
    ['DROP INDEX "runs_a_idx";', 0],
  ])('%s: %i', (sql, count) => {
    expect(narrowingsOf(sql)).toHaveLength(count);
  });
});
