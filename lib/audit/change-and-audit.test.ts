import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { updateBackupSchedule } from '#lib/backups/backup-schedule.ts';
import { savePreference, sealPair } from '#lib/blind-review/blind-review.ts';
import { updateMonthBudget } from '#lib/budgets/update-month-budget.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { addToInstructions } from '#lib/experiments/add-to-instructions.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { updateExperiment } from '#lib/experiments/update-experiment.ts';
import { commentLesson, deleteComment, editComment } from '#lib/lessons/lesson-people.ts';
import { storeLesson } from '#lib/lessons/test-texts/stored-lesson.test-support.ts';
import { deleteMcpServer, saveMcpServer, updateMcpServer } from '#lib/mcp-servers/save-mcp-server.ts';
import { testMcpServer } from '#lib/mcp-servers/test-mcp-server.ts';
import { testProvider } from '#lib/model-calls/test-provider.ts';
import { deleteProvider, saveProvider, updateProvider } from '#lib/models/change-providers.ts';
import { updatePrices } from '#lib/models/prices.ts';
import { addNote, deleteNote, editNote } from '#lib/notes/notes.ts';
import { importPromptfoo } from '#lib/promptfoo/import-promptfoo.ts';
import { importTunedFile } from '#lib/prompts/prompt-files/import-prompt-file.ts';
import { updatePythonSetting } from '#lib/settings/python.ts';
import { updateRetention } from '#lib/settings/retention.ts';
import { createToken, revokeToken } from '#lib/team/tokens.ts';
import { createDataset } from '#lib/testing/create-dataset.ts';
import { AUDIT_FAILURE, contentsOf, whileAuditFails } from '#lib/testing/failing-audit.test-support.ts';
import { PRACTICE_WRITING, queuedRun, TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { resendDelivery } from '#lib/webhooks/resend-delivery.ts';
import { deleteWebhook, saveWebhook, updateWebhook } from '#lib/webhooks/save-webhook.ts';

const db = useTestDatabase();
const URL = 'http://127.0.0.1:9/v1';
const PROVIDER = { kind: 'openai-compatible', baseUrl: URL };
const price = { inputPerMillionUsd: 1, outputPerMillionUsd: 2 };
const GEPA_RESULT = '{"candidates": [{"prompt": "Sort it."}], "parents": [[null]], "val_aggregate_scores": [1]}';
const CONFIG = 'prompts: ["Say {{query}}"]\ntests: [{vars: {query: hello}, assert: [{type: icontains, value: hello}]}]';

/** Ids of one item of each kind, created before the changes. */
type There = Record<'runId' | 'experimentId' | 'lessonId' | 'noteId' | 'commentId' | 'tokenId' | 'deliveryId', string>;
let context: AppContext;
let there: There;

beforeAll(async () => {
  const { pool } = db.database();
  context = testContext(db.database());
  const runId = await queuedRun(context, PRACTICE_WRITING, { input: 'Explain' });
  const { rows } = await pool.query<{ id: string }>('SELECT experiment_id AS id FROM runs WHERE id = $1', [runId]);
  const lessonId = await storeLesson(db.database(), { kind: 'principle', status: 'promoted' });
  const note = unwrap(await addNote(context, TESTER, { kind: 'run', id: runId }, { text: 'Odd' }));
  const comment = unwrap(await commentLesson(context, TESTER, lessonId, { text: 'Good' }));
  const token = unwrap(await createToken(context, TESTER, { name: 'ci', scopes: ['runs:read'], days: 1 }));
  for (const name of ['mine', 'other']) unwrap(await saveProvider(context, TESTER, { ...PROVIDER, name }));
  unwrap(await saveWebhook(context, TESTER, { name: 'gate', url: URL }));
  unwrap(await saveMcpServer(context, TESTER, { name: 'tools', kind: 'http', url: URL }));
  await pool.query(
    `INSERT INTO paid_replies (fingerprint, slot, provider, text, finish_reason, input_tokens, output_tokens, latency_ms, created_at)
     VALUES ('f', 0, 'mine', 'reply', 'stop', 1, 1, 1, now())`,
  );
  const deliveryId = randomUUID();
  await pool.query('UPDATE runs SET pause_id = $2 WHERE id = $1', [runId, deliveryId]);
  await pool.query(
    `INSERT INTO webhook_deliveries (id, webhook, run_id, pause_id, state, request_body, created_at) VALUES ($1, 'gate', $2, $1, 'failed', '{}', now())`,
    [deliveryId, runId],
  );
  const experimentId = rows[0]?.id ?? '';
  there = { runId, experimentId, lessonId, noteId: note.id, commentId: comment.id, tokenId: token.id, deliveryId };
});

/** Ordered so that each change keeps the items that later ones need. */
const CHANGES: [name: string, change: (at: There) => Promise<{ ok: boolean }>][] = [
  ['addNote', ({ runId }) => addNote(context, TESTER, { kind: 'run', id: runId }, { text: 'Good' })],
  ['editNote', ({ noteId }) => editNote(context, TESTER, noteId, { text: 'Fine' })],
  ['deleteNote', ({ noteId }) => deleteNote(context, TESTER, noteId)],
  ['commentLesson', ({ lessonId }) => commentLesson(context, TESTER, lessonId, { text: 'Long' })],
  [
    'editComment',
    ({ lessonId, commentId: id }) => editComment(context, TESTER, { lessonId, id }, { text: 'Too long' }),
  ],
  ['deleteComment', ({ lessonId, commentId: id }) => deleteComment(context, TESTER, { lessonId, id })],
  [
    'savePreference',
    ({ runId, experimentId }) => {
      const shownTo = { experimentId, actorId: TESTER.id };
      const pair = sealPair(context, shownTo, { runId, first: 0, second: 1, left: 0 });
      return savePreference(context, TESTER, experimentId, { pair, choice: 'left' });
    },
  ],
  ['createExperiment', () => createExperiment(context, TESTER, { name: 'Guides', ...PRACTICE_WRITING })],
  ['updateExperiment', ({ experimentId }) => updateExperiment(context, TESTER, experimentId, { maxIterations: 2 })],
  ['addToInstructions', ({ experimentId, lessonId }) => addToInstructions(context, TESTER, lessonId, { experimentId })],
  ['createDataset', () => createDataset(context, TESTER, { name: 'Sums', cases: [{ input: '1+1' }] })],
  ['importTunedFile', () => importTunedFile(context, TESTER, { name: 'tuned', file: GEPA_RESULT })],
  ['importPromptfoo', () => importPromptfoo(context, TESTER, { config: CONFIG, experiment: true })],
  ['turnPython', () => updatePythonSetting(context, TESTER, { on: true })],
  ['setBackupSchedule', () => updateBackupSchedule(context, TESTER, { everyDays: 7, kept: 7 })],
  [
    'setRetention',
    () =>
      updateRetention(context, TESTER, {
        callTextDays: 30,
        runEventDays: null,
        webhookDeliveryDays: null,
        toolResultDays: null,
      }),
  ],
  ['setMonthBudget', () => updateMonthBudget(context, TESTER, { maxCostUsd: 5, warnAtPercent: 80 })],
  ['createToken', () => createToken(context, TESTER, { name: 'more', scopes: ['runs:read'], days: 1 })],
  ['revokeToken', ({ tokenId }) => revokeToken(context, TESTER, tokenId)],
  ['saveProvider', () => saveProvider(context, TESTER, { ...PROVIDER, name: 'third' })],
  [
    'setPrices',
    () =>
      updatePrices(context, TESTER, {
        prices: ['other', 'mine'].map((provider) => ({ provider, model: 'm', price })),
      }),
  ],
  ['testProvider', () => testProvider(context, TESTER, 'mine')],
  ['updateProvider', () => updateProvider(context, TESTER, 'mine', { baseUrl: 'http://127.0.0.1:8/v1' })],
  ['deleteProvider', () => deleteProvider(context, TESTER, 'mine', { evenInUse: true })],
  ['saveWebhook', () => saveWebhook(context, TESTER, { name: 'second', url: URL })],
  ['updateWebhook', () => updateWebhook(context, TESTER, 'gate', { newSecret: true })],
  ['resendDelivery', ({ deliveryId: id }) => resendDelivery(context, TESTER, { webhook: 'gate', id })],
  ['deleteWebhook', () => deleteWebhook(context, TESTER, 'gate', { evenInUse: true })],
  ['saveMcpServer', () => saveMcpServer(context, TESTER, { name: 'more', kind: 'http', url: URL })],
  ['testMcpServer', () => testMcpServer(context, TESTER, 'tools')],
  ['updateMcpServer', () => updateMcpServer(context, TESTER, 'tools', { timeoutMs: 5_000 })],
  ['deleteMcpServer', () => deleteMcpServer(context, TESTER, 'tools')],
];

test.each(CHANGES)('%s stores nothing if its audit entry cannot be stored', async (_name, change) => {
  const before = await contentsOf(db.database());
  await whileAuditFails(db.database(), async () => {
    await expect(change(there)).rejects.toThrow(AUDIT_FAILURE);
  });
  expect(await contentsOf(db.database())).toEqual(before);

  expect(await change(there)).toMatchObject({ ok: true });
  const after = await contentsOf(db.database());
  const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
  expect(changed).toContain('audit_entries');
  expect(changed.length).toBeGreaterThan(1);
});
