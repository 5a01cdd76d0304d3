import { expect, test } from 'vitest';
import { startBatch } from '#lib/batches/start-batch.ts';
import { tryCriterion } from '#lib/batches/try-criterion.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { createPrompt } from '#lib/prompts/prompt-library.ts';
import { PRACTICE_WRITING, TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { createExperiment, insertExperiment } from './create-experiment.ts';
import { findExperiment } from './queries.ts';
import { updateExperiment } from './update-experiment.ts';

const db = useTestDatabase();
const OLD = { name: 'old', evaluator: 'llm' as const, config: { rubric: 'Fits {{the thing}}' } };

test('refuses settings with an unknown judge variable and names the field', async () => {
  const context = testContext(db.database());
  expect(await createExperiment(context, TESTER, { name: 'new', ...PRACTICE_WRITING, criteria: [OLD] })).toMatchObject({
    problem: {
      code: 'invalid',
      field: 'criteria.0.config.rubric',
      message: expect.stringContaining('{{the thing}}'),
    },
  });
});

test('settings stored earlier load and run; their texts are checked only once changed', async () => {
  const context = testContext(db.database());
  const id = context.newId();
  const settings = settingsSchema.parse({
    ...PRACTICE_WRITING,
    maxIterations: 0,
    criteria: [OLD],
    prompts: { revise: 'Mend it. {{reference}}' },
  });
  await context.database.prisma.$transaction((transaction) =>
    insertExperiment(transaction, {
      id,
      name: 'old',
      settings,
      parent: null,
      actor: 'Ada',
      message: null,
      now: context.now(),
    }),
  );
  const start = { idempotencyKey: null, watched: false };
  const { runIds } = unwrap(await startBatch(context, TESTER, id, { input: 'Write a guide to code reviews' }, start));
  await performRun(testWorkerContext(context), runIds[0] ?? '');
  unwrap(await updateExperiment(context, TESTER, id, { maxIterations: 1 }));
  unwrap(await createExperiment(context, TESTER, { name: 'copy', parentId: id, parentVersion: 1 }));
  expect((await findExperiment(context.database, id))?.settings.criteria).toHaveLength(1);

  const changed = { prompts: { revise: 'Mend it well. {{reference}}' } };
  expect(await updateExperiment(context, TESTER, id, changed)).toMatchObject({
    problem: { field: 'prompts.revise', message: expect.stringContaining('must not contain {{reference}}') },
  });
});

test('a library prompt cannot contain the reference', async () => {
  const context = testContext(db.database());
  const refused = await createPrompt(context, TESTER, { name: 'p', text: '{{input}} {{reference}}' });
  expect(refused).toMatchObject({ problem: { field: 'text', message: expect.stringContaining('{{reference}}') } });
});

test('testing a criterion fills in its variables', async () => {
  const context = testContext(db.database());
  const criterion = { name: 'same', evaluator: 'checklist', config: { items: ['Holds "{{reference}}"'] } };
  const { generator } = PRACTICE_WRITING;
  const tried = (task: object) =>
    tryCriterion(
      context,
      TESTER,
      { generator, criterion, output: 'About Paris.', case: task },
      AbortSignal.timeout(5_000),
    );
  expect(unwrap(await tried({ input: 'x', reference: 'Paris' }))).toMatchObject({ score: 1 });
  expect(unwrap(await tried({ input: 'x', reference: 'Rome' }))).toMatchObject({ score: 0 });
  expect(unwrap(await tried({ input: 'x' }))).toMatchObject({
    score: null,
    detail: expect.stringContaining('no reference'),
  });
});
