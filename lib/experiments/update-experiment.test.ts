import { expect, test } from 'vitest';
import { PRACTICE_SUMS, TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { createExperiment } from './create-experiment.ts';
import { findExperiment } from './queries.ts';
import { updateExperiment } from './update-experiment.ts';

const db = useTestDatabase();

test.each([
  ['no settings', {}],
  ['the same settings', { name: 'Sums', maxAttempts: 4, generator: { provider: 'practice' } }],
  ['only a message', { message: 'nothing', seenVersion: 1 }],
])('adds no version for a change with %s', async (_name, change) => {
  const context = testContext(db.database());
  const { id } = unwrap(await createExperiment(context, TESTER, { ...PRACTICE_SUMS, name: 'Sums', maxAttempts: 4 }));
  const before = await findExperiment(db.database(), id);
  const audited = () => db.database().prisma.auditEntry.count({ where: { subjectId: id, act: 'changed' } });
  expect(unwrap(await updateExperiment(context, TESTER, id, change))).toMatchObject({ id, version: 1 });
  expect(await findExperiment(db.database(), id)).toEqual(before);
  expect(await audited()).toBe(0);
  expect(unwrap(await updateExperiment(context, TESTER, id, { maxAttempts: 2 })).version).toBe(2);
});

test('rejects a change without effect by someone who has not seen the newest version', async () => {
  const context = testContext(db.database());
  const { id } = unwrap(await createExperiment(context, TESTER, { ...PRACTICE_SUMS, name: 'Sums' }));
  unwrap(await updateExperiment(context, TESTER, id, { maxAttempts: 2 }));
  expect(await updateExperiment(context, TESTER, id, { seenVersion: 1 })).toMatchObject({
    ok: false,
    problem: { code: 'conflict' },
  });
});

test.each([
  ['__proto__', '{"__proto__":{"maxAttempts":2}}'],
  ['budget.__proto__', '{"budget":{"__proto__":{"maxCalls":2}}}'],
])('rejects the key %s as unknown', async (field, change) => {
  const context = testContext(db.database());
  const { id } = unwrap(await createExperiment(context, TESTER, { ...PRACTICE_SUMS, name: 'Sums' }));
  expect(await updateExperiment(context, TESTER, id, JSON.parse(change))).toMatchObject({
    ok: false,
    problem: { code: 'invalid', field },
  });
});
