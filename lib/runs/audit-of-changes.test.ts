import { beforeAll, beforeEach, expect, test } from 'vitest';
import { listAudit } from '#lib/audit/queries.ts';
import { updateMonthBudget } from '#lib/budgets/update-month-budget.ts';
import { deleteDataset, splitDatasetCases, updateDataset } from '#lib/datasets/update-dataset.ts';
import { deleteExperiment } from '#lib/experiments/delete-experiment.ts';
import { updateExperiment } from '#lib/experiments/update-experiment.ts';
import { addLesson } from '#lib/lessons/add-lesson.ts';
import { deleteLesson } from '#lib/lessons/delete-lesson.ts';
import { editLesson } from '#lib/lessons/edit-lesson.ts';
import { deleteMcpServer, saveMcpServer } from '#lib/mcp-servers/save-mcp-server.ts';
import { deleteProvider, saveProvider, updateProvider } from '#lib/models/change-providers.ts';
import { updatePrices } from '#lib/models/prices.ts';
import { addNote } from '#lib/notes/notes.ts';
import { movePromptLabel } from '#lib/prompts/move-prompt-label.ts';
import { createPrompt, deletePrompt } from '#lib/prompts/prompt-library.ts';
import { updatePythonSetting } from '#lib/settings/python.ts';
import { createToken, revokeToken } from '#lib/team/tokens.ts';
import { createDataset } from '#lib/testing/create-dataset.ts';
import {
  PRACTICE_SUMS,
  PRACTICE_WRITING,
  queuedRun,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { deleteWebhook, saveWebhook, updateWebhook } from '#lib/webhooks/save-webhook.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { decide, decideAs } from './decide.ts';
import { deleteRun } from './delete-run.ts';
import { loadRun } from './load-run.ts';
import { stopRun } from './stop-runs.ts';

const db = useTestDatabase();
const ADA = {
  id: 'ada',
  memberId: 'ada',
  name: 'Ada',
  role: 'owner',
  entry: 'action x',
  address: '192.0.2.7',
} as const;
const SECRET = 'sk-test-1234567890-very-secret';
const HIDDEN = 'http://127.0.0.1:9/hook?token=hunter22secret';
const fresh = () => testContext(db.database());
let before = 0;

beforeAll(async () => {
  const at = new Date();
  const ada = { id: 'ada', name: 'Ada', email: 'ada@example.org', role: 'owner', createdAt: at, updatedAt: at };
  await db.database().prisma.member.create({ data: ada });
});
beforeEach(async () => {
  before = (await listAudit(db.database(), {}, { cursor: null, limit: 1 })).items[0]?.id ?? 0;
});

/** Returns the audit entries since the test began, oldest first. */
async function createNotes() {
  const { items } = await listAudit(db.database(), {}, { cursor: null, limit: 100 });
  return items.filter(({ id }) => id > before).toReversed();
}
const inShort = async () => (await createNotes()).map(({ act, subject }) => `${act} ${subject.kind}`);

test('logs creations, changes and deletions with actor, client and source', async () => {
  const context = fresh();
  const dataset = unwrap(
    await createDataset(context, ADA, { name: 'Sums', cases: [{ input: '1+1' }, { input: '2+2' }] }),
  );
  unwrap(await updateDataset(context, ADA, dataset.id, { name: 'More sums', add: [{ input: '3+3' }] }));
  unwrap(await splitDatasetCases(context, ADA, dataset.id, { heldOutShare: 0.5 }));
  unwrap(await deleteDataset(context, ADA, dataset.id));
  unwrap(
    await createPrompt(context, ADA, {
      name: 'sums',
      text: 'Add {{input}}',
      setup: { models: [{ provider: 'practice', model: 'practice-1' }] },
    }),
  );
  unwrap(await movePromptLabel(context, ADA, 'sums', 'production', { version: 1 }));
  unwrap(await deletePrompt(context, ADA, 'sums'));
  const lesson = unwrap(await addLesson(context, ADA, { kind: 'lesson', text: 'Count the cases twice.' }));
  unwrap(await editLesson(context, ADA, lesson.id, { editCount: 0, text: 'Count all cases twice.' }));
  unwrap(await deleteLesson(context, ADA, lesson.id));
  expect(await inShort()).toEqual([
    ...['created dataset', 'changed dataset', 'changed dataset', 'changed dataset', 'deleted dataset'],
    ...['created prompt', 'labelled prompt', 'deleted prompt'],
    ...['created lesson', 'changed lesson', 'deleted lesson'],
  ]);
  const entries = await createNotes();
  expect(
    entries.every(
      ({ actorId, entry, address, via }) => `${actorId} ${entry} ${address} ${via}` === 'ada action x 192.0.2.7 person',
    ),
  ).toBe(true);
  expect(entries[4]).toMatchObject({ subject: { id: dataset.id, name: 'More sums' }, change: { cases: 3 } });
});

test('logs decisions of people and webhooks with their content, but not refused or failed ones', async () => {
  const context = fresh();
  const runId = await queuedRun(context, PRACTICE_SUMS, { input: 'Add 7 and 5', reference: '12' });
  await performRun(testWorkerContext(context), runId);
  unwrap(await decide(context, ADA, runId, { decision: 'override', version: 0, score: 0.2, reason: 'wrong unit' }));
  expect(
    await decide(context, ADA, runId, { decision: 'override', version: 99, score: 0.2, reason: 'x' }),
  ).toMatchObject({ ok: false });
  const pausing = { ...PRACTICE_SUMS, callbacks: { pause: 'always' as const } };
  const paused = await queuedRun(context, pausing, { input: 'Add 1 and 1', reference: '2' });
  await performRun(testWorkerContext(context), paused);
  const pauseId = (await loadRun(db.database(), paused))?.history.pause?.pauseId;
  unwrap(await decideAs(context, { by: 'webhook', name: 'gate' }, paused, { decision: 'accept', pauseId }));
  unwrap(await addNote(context, ADA, { kind: 'run', id: runId }, { text: 'a private remark' }));
  const other = await queuedRun(context, PRACTICE_WRITING, { input: 'Explain' });
  unwrap(await stopRun(context, ADA, other));
  unwrap(await deleteRun(context, ADA, runId));
  const entries = (await createNotes()).filter(({ subject }) => subject.kind === 'run');
  expect(entries).toMatchObject([
    { act: 'scored', change: { decision: 'override', version: 0, score: 0.2, reason: 'wrong unit' }, actor: 'Ada' },
    {
      act: 'decided',
      change: { decision: 'accept' },
      actor: 'gate',
      actorId: 'webhook:gate',
      via: 'system',
      role: 'none',
    },
    { act: 'commented' },
    { act: 'decided', subject: { id: other, name: 'test' }, change: { decision: 'stop' } },
    { act: 'deleted', subject: { id: runId, name: 'test' } },
  ]);
  expect(JSON.stringify(entries)).not.toContain('a private remark');
});

test('logs settings without keys, passwords and tokens', async () => {
  const context = fresh();
  unwrap(
    await saveProvider(context, ADA, {
      name: 'mine',
      kind: 'openai-compatible',
      baseUrl: 'http://127.0.0.1:9/v1',
      apiKey: SECRET,
    }),
  );
  unwrap(await updateProvider(context, ADA, 'mine', { apiKey: `${SECRET}-2` }));
  unwrap(
    await updatePrices(context, ADA, {
      prices: [{ provider: 'mine', model: 'm', price: { inputPerMillionUsd: 1, outputPerMillionUsd: 2 } }],
    }),
  );
  unwrap(await deleteProvider(context, ADA, 'mine', { evenInUse: true }));
  unwrap(await saveWebhook(context, ADA, { name: 'gate', url: HIDDEN, secret: SECRET }));
  unwrap(await updateWebhook(context, ADA, 'gate', { newSecret: true }));
  unwrap(await deleteWebhook(context, ADA, 'gate', { evenInUse: true }));
  const server = {
    name: 'tools',
    kind: 'http',
    url: 'http://127.0.0.1:9/mcp',
    headers: { authorization: SECRET },
  };
  unwrap(await saveMcpServer(context, ADA, server));
  unwrap(await deleteMcpServer(context, ADA, 'tools'));
  unwrap(await updateMonthBudget(context, ADA, { maxCostUsd: 5, warnAtPercent: 80 }));
  unwrap(await updatePythonSetting(context, ADA, { on: false }));
  const token = unwrap(await createToken(context, ADA, { name: 'ci', scopes: ['runs:read'], days: 1 }));
  unwrap(await revokeToken(context, ADA, token.id));
  expect(await inShort()).toEqual([
    ...['created provider', 'changed provider', 'changed prices', 'deleted provider'],
    ...['created webhook', 'changed webhook', 'deleted webhook', 'created mcp_server', 'deleted mcp_server'],
    ...['changed budget', 'changed setting', 'created token', 'revoked token'],
  ]);
  const text = JSON.stringify(await createNotes());
  expect(text).toContain('127.0.0.1:9');
  for (const secret of [SECRET, 'hunter22secret', token.token]) expect(text).not.toContain(secret);
});

test('logs the changed fields of an experiment, and nothing for a failed change', async () => {
  const context = fresh();
  const runId = await queuedRun(context, PRACTICE_WRITING, { input: 'Explain' });
  const { rows } = await db
    .database()
    .pool.query<{ id: string }>('SELECT experiment_id AS id FROM runs WHERE id = $1', [runId]);
  const id = rows[0]?.id ?? '';
  unwrap(await updateExperiment(context, ADA, id, { maxIterations: 3, message: 'fewer' }));
  expect(await updateExperiment(context, ADA, id, { maxIterations: -1 })).toMatchObject({ ok: false });
  unwrap(await deleteExperiment(context, ADA, id));
  expect(await deleteExperiment(context, ADA, id)).toMatchObject({ ok: false });
  const entries = await createNotes();
  expect(entries.map(({ act, subject }) => `${act} ${subject.kind}`)).toEqual([
    ...['created experiment', 'started batch', 'changed experiment', 'deleted experiment'],
  ]);
  expect(entries[1]).toMatchObject({ change: { runs: 1, version: 1 } });
  expect(entries[2]).toMatchObject({ change: { fields: 'maxIterations', version: 2, message: 'fewer' } });
  expect(entries[3]).toMatchObject({ subject: { name: 'test' }, change: { batches: 1, runs: 1 } });
});
