import { describe, expect, test } from 'vitest';
import type { Database } from '#lib/database/database.ts';
import { PRACTICE_SUMS, queuedRun, testContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { claimRun } from './claim-run.ts';

const db = useTestDatabase();
const SUM = { input: 'What is 11 + 21 × 6? Answer as Finish[number].', reference: '137' };

const queued = () => queuedRun(testContext(db.database()), PRACTICE_SUMS, SUM);

/** The database, and the IDs of the runs in each claiming statement. */
function watched(): { database: Database; claims: string[][] } {
  const claims: string[][] = [];
  const database = db.database();
  const pool: Database['pool'] = new Proxy(database.pool, {
    get: (target, key) => {
      if (key !== 'query') return Reflect.get(target, key);
      return (query: { name?: string; values?: [string[]] }, ...rest: unknown[]) => {
        if (query.name === 'claim-runs' && query.values !== undefined) claims.push(query.values[0]);
        return Reflect.apply(target.query, target, [query, ...rest]);
      };
    },
  });
  return { database: { ...database, pool }, claims };
}

describe('claims made in the same turn of the event loop', () => {
  test('share a statement, and each gets its own run', async () => {
    const { database, claims } = watched();
    const runIds = [await queued(), await queued(), await queued()];
    const claimed = await Promise.all(runIds.map((runId) => claimRun(database, runId, new Date())));
    expect(claims).toEqual([runIds]);
    expect(claimed).toEqual(
      runIds.map((runId) =>
        expect.objectContaining({
          claim: { runId, claim: 1, idleClaims: 1 },
          untouched: expect.objectContaining({ run: expect.objectContaining({ id: runId }) }),
        }),
      ),
    );
  });

  test('do not share a claim of the same run', async () => {
    const { database } = watched();
    const runId = await queued();
    const claimed = await Promise.all([claimRun(database, runId, new Date()), claimRun(database, runId, new Date())]);
    const numbers = claimed.map((one) => (one === null || one === 'held' ? null : one.claim.claim));
    expect(numbers.toSorted()).toEqual([1, 2]);
  });

  test('return null only for the runs that are not to be performed', async () => {
    const { database } = watched();
    const [open, ended] = [await queued(), await queued()];
    await database.prisma.run.update({ where: { id: ended }, data: { status: 'stopped' } });
    const claimed = await Promise.all([open, ended].map((runId) => claimRun(database, runId, new Date())));
    expect(claimed).toEqual([expect.objectContaining({ experimentId: expect.any(String) }), null]);
  });
});
