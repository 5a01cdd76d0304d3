import { describe, expect, test } from 'vitest';
import { listAudit } from '#lib/audit/queries.ts';
import { DEFAULT_INSTRUCTIONS } from '#lib/core/prompts/task-text.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { PRACTICE_WRITING, TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { addToInstructions } from './add-to-instructions.ts';
import { createExperiment } from './create-experiment.ts';
import { findExperiment } from './queries.ts';
import { updateExperiment } from './update-experiment.ts';

const db = useTestDatabase();

async function prepared(given: { kind?: string; status?: string; instructions?: string } = {}) {
  const context = testContext(db.database());
  const settings = settingsSchema.parse({
    ...PRACTICE_WRITING,
    generator: { provider: 'practice', model: 'practice-1', instructions: given.instructions ?? 'Be brief.' },
  });
  const { id: experimentId } = unwrap(await createExperiment(context, TESTER, { name: 'Guides', ...settings }));
  const { rows } = await context.database.pool.query<{ id: string }>(
    `INSERT INTO lessons (id, kind, status, text, block, tools, source_input, created_by, created_at)
     VALUES (gen_random_uuid(), $1, $2, 'Always add an example.', 'reflexion_lessons', '{}', '', 'Ada', now()) RETURNING id`,
    [given.kind ?? 'principle', given.status ?? 'promoted'],
  );
  return { context, experimentId, lessonId: rows[0]?.id ?? '' };
}

async function instructionsOf(experimentId: string) {
  const experiment = await findExperiment(db.database(), experimentId);
  return { version: experiment?.latestVersion, instructions: experiment?.settings.generator.instructions };
}

describe('promoted principle', () => {
  test('becomes a rule in a new version of the instructions; the preview changes nothing', async () => {
    const { context, experimentId, lessonId } = await prepared();
    const after = 'Be brief.\n\nRule: Always add an example.';
    const preview = unwrap(await addToInstructions(context, TESTER, lessonId, { experimentId, preview: true }));
    expect(preview).toEqual({
      experimentId,
      name: 'Guides',
      version: 1,
      before: 'Be brief.',
      after,
      addedVersion: null,
    });
    expect(await instructionsOf(experimentId)).toEqual({ version: 1, instructions: 'Be brief.' });
    const added = unwrap(await addToInstructions(context, TESTER, lessonId, { experimentId, seenVersion: 1 }));
    expect(added).toEqual({ ...preview, addedVersion: 2 });
    expect(await instructionsOf(experimentId)).toEqual({ version: 2, instructions: after });
    const subject = { kind: 'experiment', id: experimentId } as const;
    const { items } = await listAudit(db.database(), { subject }, { cursor: null, limit: 9 });
    expect(items.map(({ act, change }) => ({ act, change }))).toEqual([
      { act: 'changed', change: { fields: 'generator', version: 2, message: null, fromLesson: lessonId } },
      { act: 'created', change: { duplicateOf: null } },
    ]);
  });

  test('is added once, and not to instructions changed since the preview', async () => {
    const { context, experimentId, lessonId } = await prepared();
    unwrap(await updateExperiment(context, TESTER, experimentId, { qualityThreshold: 0.7 }));
    const stale = await addToInstructions(context, TESTER, lessonId, { experimentId, seenVersion: 1 });
    expect(stale).toMatchObject({
      ok: false,
      problem: { code: 'conflict', message: expect.stringContaining('Someone else changed the settings') },
    });
    unwrap(await addToInstructions(context, TESTER, lessonId, { experimentId }));
    const again = await addToInstructions(context, TESTER, lessonId, { experimentId });
    expect(again).toMatchObject({
      ok: false,
      problem: { code: 'conflict', message: expect.stringContaining('already') },
    });
  });
});

test('a first rule keeps the default instructions by writing them out, as the preview shows', async () => {
  const { context, experimentId, lessonId } = await prepared({ instructions: '' });
  const preview = unwrap(await addToInstructions(context, TESTER, lessonId, { experimentId, preview: true }));
  expect(preview).toMatchObject({ before: '', after: `${DEFAULT_INSTRUCTIONS}\n\nRule: Always add an example.` });
  unwrap(await addToInstructions(context, TESTER, lessonId, { experimentId, seenVersion: 1 }));
  expect((await instructionsOf(experimentId)).instructions).toBe(preview.after);
  const again = await addToInstructions(context, TESTER, lessonId, { experimentId });
  expect(again).toMatchObject({ ok: false, problem: { message: expect.stringContaining('already') } });
});

test('a promoted procedure becomes a playbook in the instructions', async () => {
  const { context, experimentId, lessonId } = await prepared({ kind: 'procedure' });
  const { after } = unwrap(await addToInstructions(context, TESTER, lessonId, { experimentId }));
  expect(after).toBe('Be brief.\n\nPlaybook, to be followed where it applies:\nAlways add an example.');
});

test.each([
  { name: 'a lesson of another kind', given: { kind: 'lesson' }, input: {}, code: 'conflict' },
  { name: 'a lesson that is not promoted', given: { status: 'quarantined' }, input: {}, code: 'conflict' },
  {
    name: 'an unknown experiment',
    given: {},
    input: { experimentId: crypto.randomUUID() },
    code: 'not_found',
  },
  { name: 'no experiment', given: {}, input: { experimentId: 'x' }, code: 'invalid' },
])('refuses $name', async ({ given, input, code }) => {
  const { context, experimentId, lessonId } = await prepared(given);
  expect(await addToInstructions(context, TESTER, lessonId, { experimentId, ...input })).toMatchObject({
    ok: false,
    problem: { code },
  });
  expect(await instructionsOf(experimentId)).toEqual({ version: 1, instructions: 'Be brief.' });
});
